-- The control plane, and all memories. Times are microseconds since 1970-01-01 UTC; intervals are half-open; NULL is
-- unbounded. Text that is ordered by is collated "C", so that every backend gives one order. JSON is `json` and not
-- `jsonb`, because jsonb refuses the character U+0000, which people's text may hold.

-- Control -------------------------------------------------------------------------------------------------------------

CREATE TABLE memories (
    id             text COLLATE "C" PRIMARY KEY,
    issuer         text    NOT NULL,
    name           text    NOT NULL,
    shard          text COLLATE "C" NOT NULL,
    multi_speaker  boolean NOT NULL,
    created_at     bigint  NOT NULL
);
CREATE INDEX memories_by_shard ON memories (shard, id);

-- One row per memory that was ever leased: the token never goes back, so the row stays when the lease is released.
CREATE TABLE leases (
    memory_id   text   PRIMARY KEY REFERENCES memories ON DELETE CASCADE,
    holder      text   NOT NULL,
    token       bigint NOT NULL,
    expires_at  bigint NOT NULL
);

-- What waits in each memory, by route; written in the transaction that queued it. waiting = 0 is clean.
CREATE TABLE inbox (
    memory_id  text COLLATE "C" NOT NULL REFERENCES memories ON DELETE CASCADE,
    route      text    NOT NULL,
    shard      text COLLATE "C" NOT NULL,
    head       bigint  NOT NULL,                  -- taken from the shard's ticket at each change
    waiting    integer NOT NULL,
    oldest     bigint  NOT NULL,                  -- recorded_at of the oldest that waits
    newest     bigint  NOT NULL,                  -- seq of the newest that waits
    PRIMARY KEY (memory_id, route)
);
CREATE INDEX inbox_waiting ON inbox (route, shard) WHERE waiting > 0;
CREATE INDEX inbox_heads ON inbox (shard, head);

-- A row and no sequence: numbers must become visible in the order in which they were taken.
CREATE TABLE tickets (
    shard   text   PRIMARY KEY,
    number  bigint NOT NULL
);

-- Where each journal stood when it last grew.
CREATE TABLE heads (
    memory_id     text   PRIMARY KEY REFERENCES memories ON DELETE CASCADE,
    journal_seq   bigint NOT NULL,
    journal_hash  text   NOT NULL
);

CREATE TABLE materialisations (
    run_id        text NOT NULL,
    asset         text COLLATE "C" NOT NULL,
    partition     text COLLATE "C" NOT NULL,
    code_version  text NOT NULL,
    data_version  text NOT NULL,
    started_at    bigint NOT NULL,
    finished_at   bigint NOT NULL,
    PRIMARY KEY (run_id, asset, partition)
);

-- Memories ------------------------------------------------------------------------------------------------------------
-- Every table below belongs to one memory a row. `memory_id` is never written or compared by a statement of the
-- application: it comes from the setting `palimpsest.memory` of the transaction, on writing as the default, on reading
-- by the policies at the end.

CREATE FUNCTION bound_memory() RETURNS text LANGUAGE sql STABLE PARALLEL SAFE
    RETURN nullif(current_setting('palimpsest.memory', true), '');

-- Where a memory stands: one row each. Its lock is the memory's write lock.
CREATE TABLE state (
    memory_id      text    PRIMARY KEY DEFAULT bound_memory() REFERENCES memories ON DELETE CASCADE,
    key            bytea   NOT NULL,              -- of this memory's ids; destroyed by erasure
    seq            bigint  NOT NULL DEFAULT 0,
    journal_seq    bigint  NOT NULL DEFAULT 0,
    journal_hash   text    NOT NULL,
    recorded_at    bigint  NOT NULL DEFAULT 0,    -- of the last journal entry
    revision       bigint  NOT NULL DEFAULT 0,    -- grows with each commit that readers can see
    generation     integer NOT NULL DEFAULT 1,    -- of facts, the one that is served
    entities_seq   bigint  NOT NULL DEFAULT 0,    -- journal entry of the last applied change of entities
    graph_seq      bigint  NOT NULL DEFAULT 0,    -- journal entry of the last change of the graph
    term_tokens    bigint  NOT NULL DEFAULT 0,
    term_distinct  bigint  NOT NULL DEFAULT 0,
    fence          bigint  NOT NULL DEFAULT 0     -- the highest lease token that was granted
) WITH (fillfactor = 50);

-- Evidence

CREATE TABLE utterances (
    memory_id     text    NOT NULL DEFAULT bound_memory() REFERENCES memories ON DELETE CASCADE,
    seq           bigint  NOT NULL,
    id            text    NOT NULL,
    session       text    NOT NULL,
    speaker       text    NOT NULL,
    role          text    NOT NULL,
    text          text    NOT NULL,
    said_at       bigint  NOT NULL,
    salience      double precision NOT NULL,
    tags          text[]  NOT NULL,
    metadata      json    NOT NULL,
    recorded_at   bigint  NOT NULL,
    content_hash  text    NOT NULL,
    scored        boolean NOT NULL DEFAULT false,
    PRIMARY KEY (memory_id, seq),
    UNIQUE (memory_id, id)
);
CREATE INDEX utterances_by_session ON utterances (memory_id, session, seq);
CREATE INDEX utterances_unscored ON utterances (memory_id, seq) WHERE NOT scored;

CREATE TABLE novelty (
    memory_id  text   NOT NULL DEFAULT bound_memory() REFERENCES memories ON DELETE CASCADE,
    seq        bigint NOT NULL,
    score      double precision NOT NULL,
    route      text   NOT NULL,
    parts      json   NOT NULL,
    features   json   NOT NULL,
    conflicts  text[] NOT NULL,                   -- fact ids
    version    text   NOT NULL,
    PRIMARY KEY (memory_id, seq),
    FOREIGN KEY (memory_id, seq) REFERENCES utterances ON DELETE CASCADE
);

CREATE TABLE terms (
    memory_id  text   NOT NULL DEFAULT bound_memory() REFERENCES memories ON DELETE CASCADE,
    term       text   NOT NULL,
    count      bigint NOT NULL,
    PRIMARY KEY (memory_id, term)
);

-- What waits for a stage, under the utterance's route.
CREATE TABLE pending (
    memory_id  text   NOT NULL DEFAULT bound_memory() REFERENCES memories ON DELETE CASCADE,
    stage      text   NOT NULL,
    route      text   NOT NULL,
    seq        bigint NOT NULL,
    PRIMARY KEY (memory_id, stage, route, seq),
    FOREIGN KEY (memory_id, seq) REFERENCES utterances ON DELETE CASCADE
);
CREATE INDEX pending_by_seq ON pending (memory_id, seq);

-- Counts of `pending`, kept by triggers so that a look at the inbox never costs a scan.
CREATE TABLE pending_counts (
    memory_id  text    NOT NULL DEFAULT bound_memory() REFERENCES memories ON DELETE CASCADE,
    stage      text    NOT NULL,
    route      text    NOT NULL,
    count      integer NOT NULL,
    PRIMARY KEY (memory_id, stage, route)
);
CREATE FUNCTION count_pending_added() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    INSERT INTO pending_counts (memory_id, stage, route, count)
    SELECT memory_id, stage, route, count(*) FROM added GROUP BY memory_id, stage, route
    ON CONFLICT (memory_id, stage, route) DO UPDATE SET count = pending_counts.count + excluded.count;
    RETURN NULL;
END $$;
CREATE FUNCTION count_pending_removed() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    UPDATE pending_counts p SET count = p.count - gone.count
    FROM (SELECT memory_id, stage, route, count(*) FROM removed GROUP BY memory_id, stage, route) gone
    WHERE (p.memory_id, p.stage, p.route) = (gone.memory_id, gone.stage, gone.route);
    RETURN NULL;
END $$;
CREATE TRIGGER pending_added AFTER INSERT ON pending
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_pending_added();
CREATE TRIGGER pending_removed AFTER DELETE ON pending
    REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_pending_removed();

CREATE TABLE assertions (
    memory_id     text   NOT NULL DEFAULT bound_memory() REFERENCES memories ON DELETE CASCADE,
    id            text COLLATE "C" NOT NULL,
    utterance_id  text   NOT NULL,
    seq           bigint NOT NULL,
    said_at       bigint NOT NULL,
    subject_key   text   NOT NULL,
    predicate     text   NOT NULL,
    object_key    text,                           -- NULL where the object is a literal
    body          json   NOT NULL,                -- the whole assertion
    PRIMARY KEY (memory_id, id)
);
CREATE INDEX assertions_by_slot ON assertions (memory_id, subject_key, predicate);
CREATE INDEX assertions_by_object ON assertions (memory_id, object_key) WHERE object_key IS NOT NULL;
CREATE INDEX assertions_by_seq ON assertions (memory_id, seq);

-- Counted as assertions come in: resolving a name must not cost a scan of all that was ever said of it.
CREATE TABLE mentions (
    memory_id  text    NOT NULL DEFAULT bound_memory() REFERENCES memories ON DELETE CASCADE,
    key        text COLLATE "C" NOT NULL,
    surface    text COLLATE "C" NOT NULL,
    type       text COLLATE "C" NOT NULL,
    first_seq  bigint  NOT NULL,
    count      integer NOT NULL,
    PRIMARY KEY (memory_id, key, surface, type)
);

-- Journal

CREATE TABLE journal (
    memory_id     text   NOT NULL DEFAULT bound_memory() REFERENCES memories ON DELETE CASCADE,
    seq           bigint NOT NULL,
    op            text   NOT NULL,
    recorded_at   bigint NOT NULL,
    actor         text   NOT NULL,
    cause         text   NOT NULL,
    run_id        text,
    code_version  text   NOT NULL,
    payload_hash  text   NOT NULL,
    prev_hash     text   NOT NULL,
    hash          text   NOT NULL,
    PRIMARY KEY (memory_id, seq)
);

-- Apart from the headers, because erasure deletes these and keeps the chain.
CREATE TABLE journal_payloads (
    memory_id  text   NOT NULL DEFAULT bound_memory() REFERENCES memories ON DELETE CASCADE,
    seq        bigint NOT NULL,
    payload    bytea  NOT NULL,
    salt       bytea  NOT NULL,
    PRIMARY KEY (memory_id, seq),
    FOREIGN KEY (memory_id, seq) REFERENCES journal
);

CREATE TABLE decisions (
    memory_id    text   NOT NULL DEFAULT bound_memory() REFERENCES memories ON DELETE CASCADE,
    id           text COLLATE "C" NOT NULL,
    slot         text   NOT NULL,
    rule         text   NOT NULL,
    policy       text   NOT NULL,
    winner       text   NOT NULL,
    losers       text[] NOT NULL,                 -- assertion ids
    recorded_at  bigint NOT NULL,
    journal_seq  bigint NOT NULL,
    PRIMARY KEY (memory_id, id)
);
CREATE INDEX decisions_by_slot ON decisions (memory_id, slot, journal_seq);

-- Belief, where the graph is kept here too

CREATE TABLE entities (
    memory_id  text   NOT NULL DEFAULT bound_memory() REFERENCES memories ON DELETE CASCADE,
    id         text COLLATE "C" NOT NULL,
    key        text   NOT NULL,
    name       text   NOT NULL,
    type       text   NOT NULL,
    first_seq  bigint NOT NULL,
    aliases    text[] NOT NULL,                   -- normal forms
    PRIMARY KEY (memory_id, id)
);

-- Every normal form that leads to an entity: its key and its aliases.
CREATE TABLE entity_keys (
    memory_id  text NOT NULL DEFAULT bound_memory() REFERENCES memories ON DELETE CASCADE,
    key        text NOT NULL,
    entity_id  text NOT NULL,
    PRIMARY KEY (memory_id, key),
    FOREIGN KEY (memory_id, entity_id) REFERENCES entities ON DELETE CASCADE
);
CREATE INDEX entity_keys_by_entity ON entity_keys (memory_id, entity_id);

-- Every version of every fact, on both time axes. A row is closed once and never changed otherwise.
CREATE TABLE facts (
    memory_id      text    NOT NULL DEFAULT bound_memory() REFERENCES memories ON DELETE CASCADE,
    version_id     text COLLATE "C" NOT NULL,
    fact_id        text COLLATE "C" NOT NULL,
    generation     integer NOT NULL,
    slot           text    NOT NULL,
    subject_id     text    NOT NULL,
    subject_key    text    NOT NULL,
    predicate      text    NOT NULL,
    object_id      text,                          -- NULL where the object is a literal
    object_key     text    NOT NULL,
    object_ref     text    NOT NULL GENERATED ALWAYS AS (coalesce(object_id, object_key)) STORED,
    value          json,                          -- a literal
    valid_from     bigint,
    valid_to       bigint,
    start_known    boolean NOT NULL,
    precision      text    NOT NULL,
    confidence     integer NOT NULL,              -- thousandths
    authority      text    NOT NULL,
    assertions     text[]  NOT NULL,
    utterances     text[]  NOT NULL,
    recorded_from  bigint  NOT NULL,
    recorded_to    bigint,
    opened_by      bigint  NOT NULL,              -- journal seq
    closed_by      bigint,                        -- journal seq
    changed_by     bigint  NOT NULL GENERATED ALWAYS AS (coalesce(closed_by, opened_by)) STORED,
    run_id         text,
    PRIMARY KEY (memory_id, version_id)
);
CREATE INDEX facts_by_subject ON facts (memory_id, subject_id, recorded_to, predicate);
CREATE INDEX facts_by_object ON facts (memory_id, object_ref, recorded_to, predicate);
CREATE INDEX facts_by_predicate ON facts (memory_id, predicate, recorded_to, version_id);
CREATE INDEX facts_by_slot ON facts (memory_id, slot, recorded_to);
CREATE INDEX facts_by_fact ON facts (memory_id, fact_id);
CREATE INDEX facts_by_change ON facts (memory_id, changed_by, version_id);

-- Which utterances support what is believed now; rows of closed versions are removed.
CREATE TABLE support (
    memory_id     text NOT NULL DEFAULT bound_memory() REFERENCES memories ON DELETE CASCADE,
    utterance_id  text COLLATE "C" NOT NULL,
    version_id    text NOT NULL,
    fact_id       text COLLATE "C" NOT NULL,
    PRIMARY KEY (memory_id, utterance_id, version_id),
    FOREIGN KEY (memory_id, version_id) REFERENCES facts ON DELETE CASCADE
);
CREATE INDEX support_by_version ON support (memory_id, version_id);

CREATE TABLE slots (
    memory_id    text   NOT NULL DEFAULT bound_memory() REFERENCES memories ON DELETE CASCADE,
    slot         text   NOT NULL,
    hash         text COLLATE "C" NOT NULL,       -- empty where nothing is believed any more
    journal_seq  bigint NOT NULL,
    PRIMARY KEY (memory_id, slot)
);

-- Index

CREATE TABLE items (
    memory_id      text    NOT NULL DEFAULT bound_memory() REFERENCES memories ON DELETE CASCADE,
    id             text COLLATE "C" NOT NULL,
    kind           text    NOT NULL,
    ref            text    NOT NULL,
    seq            bigint  NOT NULL,
    text           text    NOT NULL,
    session        text    NOT NULL,
    speaker        text    NOT NULL,
    said_at        bigint  NOT NULL,
    pooled         bytea   NOT NULL,
    tokens         bytea   NOT NULL,
    token_ids      bytea   NOT NULL,
    provisional    boolean NOT NULL,
    index_version  text    NOT NULL,
    salience       double precision NOT NULL,
    metadata       json    NOT NULL,
    revision       bigint  NOT NULL,
    PRIMARY KEY (memory_id, id)
);
CREATE INDEX items_by_revision ON items (memory_id, revision, id);
CREATE INDEX items_by_kind ON items (memory_id, kind, id);

CREATE TABLE deleted_items (
    memory_id  text   NOT NULL DEFAULT bound_memory() REFERENCES memories ON DELETE CASCADE,
    id         text COLLATE "C" NOT NULL,
    revision   bigint NOT NULL,
    PRIMARY KEY (memory_id, id)
);
CREATE INDEX deleted_items_by_revision ON deleted_items (memory_id, revision, id);

CREATE TABLE named_values (
    memory_id  text NOT NULL DEFAULT bound_memory() REFERENCES memories ON DELETE CASCADE,
    name       text NOT NULL,
    value      text NOT NULL,
    PRIMARY KEY (memory_id, name)
);

-- Isolation -----------------------------------------------------------------------------------------------------------
-- Forced, so that the policies hold for the owner too. Only superusers and roles with BYPASSRLS pass them, and the
-- application refuses to run as one of those.

DO $$
DECLARE
    each text;
BEGIN
    FOR each IN SELECT table_name FROM information_schema.columns
                WHERE table_schema = current_schema() AND column_name = 'memory_id'
                  AND table_name NOT IN ('leases', 'inbox', 'heads') LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', each);
        EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', each);
        EXECUTE format('CREATE POLICY one_memory ON %I USING (memory_id = bound_memory())', each);
    END LOOP;
END $$;
