-- Generations of belief beside each other, and entities on the recorded axis: what they were called, and when.

-- Each row: from here on another generation serves. Before the first, generation 1 did.
CREATE TABLE flips (
    journal_seq  INTEGER PRIMARY KEY,
    generation   INTEGER NOT NULL,
    recorded_at  INTEGER NOT NULL
) STRICT;

-- What an entity was between two journal entries. A row is closed once and never changed otherwise.
CREATE TABLE entity_states (
    generation     INTEGER NOT NULL,
    id             TEXT    NOT NULL,
    opened_by      INTEGER NOT NULL,             -- journal seq
    closed_by      INTEGER,                      -- journal seq
    recorded_from  INTEGER NOT NULL,
    recorded_to    INTEGER,
    key            TEXT    NOT NULL,
    name           TEXT    NOT NULL,
    type           TEXT    NOT NULL,
    first_seq      INTEGER NOT NULL,
    aliases        TEXT    NOT NULL,             -- JSON list of normal forms
    PRIMARY KEY (generation, id, opened_by)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX entity_states_standing ON entity_states (generation, id) WHERE closed_by IS NULL;

-- Every normal form that ever led to an entity; whether it does at some time, the state of that time says.
CREATE TABLE entity_names (
    generation  INTEGER NOT NULL,
    key         TEXT    NOT NULL,
    id          TEXT    NOT NULL,
    PRIMARY KEY (generation, key, id)
) STRICT, WITHOUT ROWID;

-- What entities were so far, the journal tells.
WITH resolved AS (
    SELECT journal.seq, journal.recorded_at, CAST(payload AS TEXT) AS payload
    FROM journal JOIN journal_payloads USING (seq) WHERE op = 'resolve'
), told AS (
    SELECT r.seq, r.recorded_at, e.value ->> '$.id' AS id, e.value AS entity
    FROM resolved r, json_each(r.payload, '$.put') e
    UNION ALL
    SELECT r.seq, r.recorded_at, e.value, NULL FROM resolved r, json_each(r.payload, '$.dropped') e
), followed AS (
    SELECT *, lead(seq) OVER next AS closed_by, lead(recorded_at) OVER next AS recorded_to FROM told
    WINDOW next AS (PARTITION BY id ORDER BY seq)
)
INSERT INTO entity_states
    (generation, id, opened_by, closed_by, recorded_from, recorded_to, key, name, type, first_seq, aliases)
    SELECT 1, id, seq, closed_by, recorded_at, recorded_to, entity ->> '$.key', entity ->> '$.name',
           entity ->> '$.type', entity ->> '$.first_seq', entity -> '$.aliases'
    FROM followed WHERE entity IS NOT NULL;
INSERT INTO entity_names
    SELECT DISTINCT 1, key, id FROM (
        SELECT key, id FROM entity_states
        UNION ALL SELECT a.value, s.id FROM entity_states s, json_each(s.aliases) a);
-- By which rules it was made was not noted: so it is out of date.
INSERT INTO named_values SELECT 'generations', '[{"generation": 1, "rules": ""}]' FROM state WHERE journal_seq > 0;
DROP TABLE entity_keys;
DROP TABLE entities;
ALTER TABLE state DROP COLUMN entities_seq;

ALTER TABLE slots RENAME TO slots_before;
CREATE TABLE slots (
    generation   INTEGER NOT NULL,
    slot         TEXT    NOT NULL,
    hash         TEXT    NOT NULL,               -- empty where nothing is believed any more
    journal_seq  INTEGER NOT NULL,
    PRIMARY KEY (generation, slot)
) STRICT, WITHOUT ROWID;
INSERT INTO slots SELECT 1, slot, hash, journal_seq FROM slots_before;
DROP TABLE slots_before;

DROP INDEX facts_by_slot;
CREATE INDEX facts_by_slot ON facts (slot, recorded_to, generation);
