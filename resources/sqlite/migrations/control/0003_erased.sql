-- What stays of erased memories, under ids that lead back to nobody.
CREATE TABLE erased (
    id           TEXT    PRIMARY KEY,
    erased_at    INTEGER NOT NULL,
    certificate  BLOB    NOT NULL,
    chain        BLOB    NOT NULL
) STRICT, WITHOUT ROWID;

-- Memories that are erased while their files are still there: a crash came between.
CREATE TABLE doomed (
    memory_id  TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;
