-- Where each term was said last: novelty looks there for what an utterance repeats. Ascending.

ALTER TABLE terms ADD COLUMN places bigint[] NOT NULL DEFAULT '{}';
