-- What stays of erased memories, under ids that lead back to nobody.
CREATE TABLE erased (
    id           text COLLATE "C" PRIMARY KEY,
    erased_at    bigint NOT NULL,
    certificate  bytea  NOT NULL,
    chain        bytea  NOT NULL
);

-- Memories that are erased while their graph in another store is still there: a crash came between.
CREATE TABLE doomed (
    memory_id  text PRIMARY KEY
);
