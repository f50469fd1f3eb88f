-- One memory: evidence and journal (the ledger), belief (the graph), index items, and what waits for each stage.
-- Times are microseconds since 1970-01-01 UTC; intervals are half-open; NULL is unbounded. JSON columns hold text.

-- Where the memory stands: exactly one row.
CREATE TABLE state (
    one            INTEGER PRIMARY KEY CHECK (one = 1),
    memory_id      TEXT    NOT NULL,
    key            BLOB    NOT NULL,             -- of this memory's ids; destroyed by erasure
    seq            INTEGER NOT NULL DEFAULT 0,
    journal_seq    INTEGER NOT NULL DEFAULT 0,
    journal_hash   TEXT    NOT NULL,
    recorded_at    INTEGER NOT NULL DEFAULT 0,   -- of the last journal entry
    revision       INTEGER NOT NULL DEFAULT 0,   -- grows with each commit that readers can see
    generation     INTEGER NOT NULL DEFAULT 1,   -- of facts, the one that is served
    entities_seq   INTEGER NOT NULL DEFAULT 0,   -- journal entry of the last applied change of entities
    term_tokens    INTEGER NOT NULL DEFAULT 0,
    term_distinct  INTEGER NOT NULL DEFAULT 0,
    fence          INTEGER NOT NULL DEFAULT 0    -- the highest lease token that was granted
) STRICT;

-- Evidence ------------------------------------------------------------------------------------------------------------

CREATE TABLE utterances (
    seq           INTEGER PRIMARY KEY,
    id            TEXT    NOT NULL UNIQUE,
    session       TEXT    NOT NULL,
    speaker       TEXT    NOT NULL,
    role          TEXT    NOT NULL,
    text          TEXT    NOT NULL,
    said_at       INTEGER NOT NULL,
    salience      REAL    NOT NULL,
    tags          TEXT    NOT NULL,              -- JSON list
    metadata      TEXT    NOT NULL,              -- JSON object
    recorded_at   INTEGER NOT NULL,
    content_hash  TEXT    NOT NULL,
    scored        INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX utterances_by_session ON utterances (session, seq);
CREATE INDEX utterances_unscored ON utterances (seq) WHERE scored = 0;

CREATE TABLE novelty (
    seq        INTEGER PRIMARY KEY REFERENCES utterances (seq) ON DELETE CASCADE,
    score      REAL NOT NULL,
    route      TEXT NOT NULL,
    parts      TEXT NOT NULL,                    -- JSON object
    features   TEXT NOT NULL,                    -- JSON object
    conflicts  TEXT NOT NULL,                    -- JSON list of fact ids
    version    TEXT NOT NULL
) STRICT;

CREATE TABLE terms (
    term   TEXT    PRIMARY KEY,
    count  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- What waits for a stage, under the utterance's route.
CREATE TABLE pending (
    stage  TEXT    NOT NULL,
    route  TEXT    NOT NULL,
    seq    INTEGER NOT NULL REFERENCES utterances (seq) ON DELETE CASCADE,
    PRIMARY KEY (stage, route, seq)
) STRICT, WITHOUT ROWID;
CREATE INDEX pending_by_seq ON pending (seq);

-- Counts of `pending`, kept by triggers so that a hint to the control file never costs a scan.
CREATE TABLE pending_counts (
    stage  TEXT    NOT NULL,
    route  TEXT    NOT NULL,
    count  INTEGER NOT NULL,
    PRIMARY KEY (stage, route)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER pending_added AFTER INSERT ON pending BEGIN
    INSERT INTO pending_counts VALUES (new.stage, new.route, 1)
    ON CONFLICT DO UPDATE SET count = count + 1;
END;
CREATE TRIGGER pending_removed AFTER DELETE ON pending BEGIN
    UPDATE pending_counts SET count = count - 1 WHERE stage = old.stage AND route = old.route;
END;

CREATE TABLE assertions (
    id            TEXT    PRIMARY KEY,
    utterance_id  TEXT    NOT NULL,
    seq           INTEGER NOT NULL,
    said_at       INTEGER NOT NULL,
    subject_key   TEXT    NOT NULL,
    predicate     TEXT    NOT NULL,
    object_key    TEXT,                          -- NULL where the object is a literal
    body          TEXT    NOT NULL               -- JSON, the whole assertion
) STRICT;
CREATE INDEX assertions_by_slot ON assertions (subject_key, predicate);
CREATE INDEX assertions_by_object ON assertions (object_key) WHERE object_key IS NOT NULL;
CREATE INDEX assertions_by_seq ON assertions (seq);

-- Counted as assertions come in: resolving a name must not cost a scan of all that was ever said of it.
CREATE TABLE mentions (
    key        TEXT    NOT NULL,
    surface    TEXT    NOT NULL,
    type       TEXT    NOT NULL,
    first_seq  INTEGER NOT NULL,
    count      INTEGER NOT NULL,
    PRIMARY KEY (key, surface, type)
) STRICT, WITHOUT ROWID;

-- Journal -------------------------------------------------------------------------------------------------------------

CREATE TABLE journal (
    seq           INTEGER PRIMARY KEY,
    op            TEXT    NOT NULL,
    recorded_at   INTEGER NOT NULL,
    actor         TEXT    NOT NULL,
    cause         TEXT    NOT NULL,
    run_id        TEXT,
    code_version  TEXT    NOT NULL,
    payload_hash  TEXT    NOT NULL,
    prev_hash     TEXT    NOT NULL,
    hash          TEXT    NOT NULL
) STRICT;

-- Apart from the headers, because erasure deletes these and keeps the chain.
CREATE TABLE journal_payloads (
    seq      INTEGER PRIMARY KEY REFERENCES journal (seq),
    payload  BLOB NOT NULL,
    salt     BLOB NOT NULL
) STRICT;

CREATE TABLE decisions (
    id           TEXT    PRIMARY KEY,
    slot         TEXT    NOT NULL,
    rule         TEXT    NOT NULL,
    policy       TEXT    NOT NULL,
    winner       TEXT    NOT NULL,
    losers       TEXT    NOT NULL,               -- JSON list of assertion ids
    recorded_at  INTEGER NOT NULL,
    journal_seq  INTEGER NOT NULL
) STRICT;
CREATE INDEX decisions_by_slot ON decisions (slot, journal_seq);

-- Belief --------------------------------------------------------------------------------------------------------------

CREATE TABLE entities (
    id         TEXT    PRIMARY KEY,
    key        TEXT    NOT NULL,
    name       TEXT    NOT NULL,
    type       TEXT    NOT NULL,
    first_seq  INTEGER NOT NULL,
    aliases    TEXT    NOT NULL                  -- JSON list of normal forms
) STRICT;

-- Every normal form that leads to an entity: its key and its aliases.
CREATE TABLE entity_keys (
    key        TEXT PRIMARY KEY,
    entity_id  TEXT NOT NULL REFERENCES entities (id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE INDEX entity_keys_by_entity ON entity_keys (entity_id);

-- Every version of every fact, on both time axes. A row is closed once and never changed otherwise.
CREATE TABLE facts (
    version_id     TEXT    PRIMARY KEY,
    fact_id        TEXT    NOT NULL,
    generation     INTEGER NOT NULL,
    slot           TEXT    NOT NULL,
    subject_id     TEXT    NOT NULL,
    subject_key    TEXT    NOT NULL,
    predicate      TEXT    NOT NULL,
    object_id      TEXT,                         -- NULL where the object is a literal
    object_key     TEXT    NOT NULL,
    object_ref     TEXT    NOT NULL AS (coalesce(object_id, object_key)) VIRTUAL,
    value          TEXT,                         -- JSON literal
    valid_from     INTEGER,
    valid_to       INTEGER,
    start_known    INTEGER NOT NULL,
    precision      TEXT    NOT NULL,
    confidence     INTEGER NOT NULL,             -- thousandths
    authority      TEXT    NOT NULL,
    assertions     TEXT    NOT NULL,             -- JSON list
    utterances     TEXT    NOT NULL,             -- JSON list
    recorded_from  INTEGER NOT NULL,
    recorded_to    INTEGER,
    opened_by      INTEGER NOT NULL,             -- journal seq
    closed_by      INTEGER,                      -- journal seq
    changed_by     INTEGER NOT NULL AS (coalesce(closed_by, opened_by)) VIRTUAL,
    run_id         TEXT
) STRICT;
-- `recorded_to` second: a read of what is believed now skips superseded rows inside the index.
CREATE INDEX facts_by_subject ON facts (subject_id, recorded_to, predicate);
CREATE INDEX facts_by_object ON facts (object_ref, recorded_to, predicate);
CREATE INDEX facts_by_predicate ON facts (predicate, recorded_to, version_id);
CREATE INDEX facts_by_slot ON facts (slot, recorded_to);
CREATE INDEX facts_by_fact ON facts (fact_id);
CREATE INDEX facts_by_change ON facts (changed_by, version_id);

-- Which utterances support what is believed now; rows of closed versions are removed.
CREATE TABLE support (
    utterance_id  TEXT NOT NULL,
    version_id    TEXT NOT NULL REFERENCES facts (version_id) ON DELETE CASCADE,
    fact_id       TEXT NOT NULL,
    PRIMARY KEY (utterance_id, version_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX support_by_version ON support (version_id);

CREATE TABLE slots (
    slot         TEXT    PRIMARY KEY,
    hash         TEXT    NOT NULL,               -- empty where nothing is believed any more
    journal_seq  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Index ---------------------------------------------------------------------------------------------------------------

CREATE TABLE items (
    id             TEXT    PRIMARY KEY,
    kind           TEXT    NOT NULL,
    ref            TEXT    NOT NULL,
    seq            INTEGER NOT NULL,
    text           TEXT    NOT NULL,
    session        TEXT    NOT NULL,
    speaker        TEXT    NOT NULL,
    said_at        INTEGER NOT NULL,
    pooled         BLOB    NOT NULL,
    tokens         BLOB    NOT NULL,
    token_ids      BLOB    NOT NULL,
    provisional    INTEGER NOT NULL,
    index_version  TEXT    NOT NULL,
    salience       REAL    NOT NULL,
    metadata       TEXT    NOT NULL,             -- JSON object
    revision       INTEGER NOT NULL
) STRICT;
CREATE INDEX items_by_revision ON items (revision, id);
CREATE INDEX items_by_kind ON items (kind, id);

CREATE TABLE deleted_items (
    id        TEXT    PRIMARY KEY,
    revision  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX deleted_items_by_revision ON deleted_items (revision, id);

CREATE TABLE named_values (
    name   TEXT PRIMARY KEY,
    value  TEXT NOT NULL
) STRICT, WITHOUT ROWID;
