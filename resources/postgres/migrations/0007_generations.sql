-- Generations of belief beside each other, and entities on the recorded axis: what they were called, and when.

-- Each row: from here on another generation serves. Before the first, generation 1 did.
CREATE TABLE flips (
    memory_id    text    NOT NULL DEFAULT bound_memory() REFERENCES memories ON DELETE CASCADE,
    journal_seq  bigint  NOT NULL,
    generation   integer NOT NULL,
    recorded_at  bigint  NOT NULL,
    PRIMARY KEY (memory_id, journal_seq)
);

-- What an entity was between two journal entries. A row is closed once and never changed otherwise.
CREATE TABLE entity_states (
    memory_id      text    NOT NULL DEFAULT bound_memory() REFERENCES memories ON DELETE CASCADE,
    generation     integer NOT NULL,
    id             text COLLATE "C" NOT NULL,
    opened_by      bigint  NOT NULL,              -- journal seq
    closed_by      bigint,                        -- journal seq
    recorded_from  bigint  NOT NULL,
    recorded_to    bigint,
    key            text    NOT NULL,
    name           text    NOT NULL,
    type           text    NOT NULL,
    first_seq      bigint  NOT NULL,
    aliases        text[]  NOT NULL,              -- normal forms
    PRIMARY KEY (memory_id, generation, id, opened_by)
);
CREATE UNIQUE INDEX entity_states_standing ON entity_states (memory_id, generation, id) WHERE closed_by IS NULL;

-- Every normal form that ever led to an entity; whether it does at some time, the state of that time says.
CREATE TABLE entity_names (
    memory_id   text    NOT NULL DEFAULT bound_memory() REFERENCES memories ON DELETE CASCADE,
    generation  integer NOT NULL,
    key         text    NOT NULL,
    id          text COLLATE "C" NOT NULL,
    PRIMARY KEY (memory_id, generation, key, id)
);

-- What entities were so far, the journal tells. Policies that are forced hold for the owner too: they are lifted while
-- rows of all memories move.
ALTER TABLE journal NO FORCE ROW LEVEL SECURITY;
ALTER TABLE journal_payloads NO FORCE ROW LEVEL SECURITY;
WITH resolved AS (
    SELECT memory_id, seq, recorded_at, convert_from(payload, 'UTF8')::json AS payload
    FROM journal JOIN journal_payloads USING (memory_id, seq) WHERE op = 'resolve'
), told AS (
    SELECT r.memory_id, r.seq, r.recorded_at, e ->> 'id' AS id, e AS entity
    FROM resolved r, json_array_elements(r.payload -> 'put') e
    UNION ALL
    SELECT r.memory_id, r.seq, r.recorded_at, e, NULL FROM resolved r, json_array_elements_text(r.payload -> 'dropped') e
), followed AS (
    SELECT *, lead(seq) OVER following AS closed_by, lead(recorded_at) OVER following AS recorded_to FROM told
    WINDOW following AS (PARTITION BY memory_id, id ORDER BY seq)
)
INSERT INTO entity_states
    (memory_id, generation, id, opened_by, closed_by, recorded_from, recorded_to, key, name, type, first_seq, aliases)
    SELECT memory_id, 1, id, seq, closed_by, recorded_at, recorded_to, entity ->> 'key', entity ->> 'name',
           entity ->> 'type', (entity ->> 'first_seq')::bigint,
           ARRAY(SELECT json_array_elements_text(entity -> 'aliases'))
    FROM followed WHERE entity IS NOT NULL;
INSERT INTO entity_names (memory_id, generation, key, id)
    SELECT DISTINCT memory_id, 1, form, id FROM entity_states, LATERAL unnest(aliases || key) AS form;
ALTER TABLE journal FORCE ROW LEVEL SECURITY;
ALTER TABLE journal_payloads FORCE ROW LEVEL SECURITY;
-- By which rules it was made was not noted: so it is out of date.
ALTER TABLE named_values NO FORCE ROW LEVEL SECURITY;
ALTER TABLE state NO FORCE ROW LEVEL SECURITY;
INSERT INTO named_values (memory_id, name, value)
    SELECT memory_id, 'generations', '[{"generation": 1, "rules": ""}]' FROM state WHERE journal_seq > 0;
ALTER TABLE named_values FORCE ROW LEVEL SECURITY;
ALTER TABLE state FORCE ROW LEVEL SECURITY;
DROP TABLE entity_keys;
DROP TABLE entities;
ALTER TABLE state DROP COLUMN entities_seq;

ALTER TABLE slots ADD COLUMN generation integer NOT NULL DEFAULT 1;
ALTER TABLE slots ALTER COLUMN generation DROP DEFAULT;
ALTER TABLE slots DROP CONSTRAINT slots_pkey;
ALTER TABLE slots ADD PRIMARY KEY (memory_id, generation, slot);

DO $$
DECLARE
    each text;
BEGIN
    FOREACH each IN ARRAY ARRAY['flips', 'entity_states', 'entity_names'] LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', each);
        EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', each);
        EXECUTE format('CREATE POLICY one_memory ON %I USING (memory_id = bound_memory())', each);
    END LOOP;
END $$;
