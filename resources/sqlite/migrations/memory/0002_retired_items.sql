-- Items of facts that are believed no more are kept for reads of the past, apart from those that are found otherwise.

ALTER TABLE items ADD COLUMN retired INTEGER NOT NULL DEFAULT 0;
DROP INDEX items_by_revision;
CREATE INDEX items_by_revision ON items (retired, revision, id);
DROP INDEX items_by_kind;
CREATE INDEX items_by_kind ON items (kind, retired, id);
