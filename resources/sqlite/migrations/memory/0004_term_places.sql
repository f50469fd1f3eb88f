-- Where each term was said last: novelty looks there for what an utterance repeats. Ascending, a JSON list.

ALTER TABLE terms ADD COLUMN places TEXT NOT NULL DEFAULT '[]';
