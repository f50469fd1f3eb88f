-- The control plane: which memories there are, who may process them, and what probably waits in each.

CREATE TABLE memories (
    id             TEXT    PRIMARY KEY,
    issuer         TEXT    NOT NULL,
    name           TEXT    NOT NULL,
    shard          TEXT    NOT NULL,
    multi_speaker  INTEGER NOT NULL,
    created_at     INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX memories_by_shard ON memories (shard, id);

-- One row per memory that was ever leased: the token never goes back, so the row stays when the lease is released.
CREATE TABLE leases (
    memory_id   TEXT    PRIMARY KEY REFERENCES memories (id) ON DELETE CASCADE,
    holder      TEXT    NOT NULL,
    token       INTEGER NOT NULL,
    expires_at  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Hints, not truth: the truth is each memory's own `pending`. A row with waiting = 0 is clean.
CREATE TABLE inbox (
    memory_id  TEXT    NOT NULL REFERENCES memories (id) ON DELETE CASCADE,
    route      TEXT    NOT NULL,
    shard      TEXT    NOT NULL,
    head       INTEGER NOT NULL,                 -- taken from `ticket` at each change
    waiting    INTEGER NOT NULL,
    oldest     INTEGER NOT NULL,                 -- recorded_at of the oldest that waits
    newest     INTEGER NOT NULL,                 -- seq of the newest that waits
    PRIMARY KEY (memory_id, route)
) STRICT, WITHOUT ROWID;
CREATE INDEX inbox_waiting ON inbox (route, shard) WHERE waiting > 0;
CREATE INDEX inbox_heads ON inbox (shard, head);

CREATE TABLE ticket (
    one     INTEGER PRIMARY KEY CHECK (one = 1),
    number  INTEGER NOT NULL
) STRICT;
INSERT INTO ticket VALUES (1, 0);

-- Where each journal stood when it was last seen to grow: a journal that is shorter than this was cut.
CREATE TABLE heads (
    memory_id     TEXT    PRIMARY KEY REFERENCES memories (id) ON DELETE CASCADE,
    journal_seq   INTEGER NOT NULL,
    journal_hash  TEXT    NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE materialisations (
    run_id        TEXT    NOT NULL,
    asset         TEXT    NOT NULL,
    partition     TEXT    NOT NULL,
    code_version  TEXT    NOT NULL,
    data_version  TEXT    NOT NULL,
    started_at    INTEGER NOT NULL,
    finished_at   INTEGER NOT NULL,
    PRIMARY KEY (run_id, asset, partition)
) STRICT, WITHOUT ROWID;
