-- What each stage knew of each memory when it last looked, so that a run opens only those where something waits.
-- `version` is of what the stage worked with; empty where it must look again.

CREATE TABLE stage_notes (
    memory_id    TEXT NOT NULL REFERENCES memories (id) ON DELETE CASCADE,
    stage        TEXT NOT NULL,
    version      TEXT NOT NULL,
    fingerprint  TEXT NOT NULL,
    PRIMARY KEY (memory_id, stage)
) STRICT, WITHOUT ROWID;
