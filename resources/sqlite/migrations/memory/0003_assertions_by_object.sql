-- What links a name, or is said of it under a symmetric predicate, is found beside all else that is said of it.

DROP INDEX assertions_by_object;
CREATE INDEX assertions_by_object ON assertions (object_key, predicate) WHERE object_key IS NOT NULL;
