-- What each stage knew of each memory when it last looked, so that a run opens only those where something waits.
-- `version` is of what the stage worked with; empty where it must look again. It belongs to the control plane: no policy.

CREATE TABLE stage_notes (
    memory_id    text COLLATE "C" NOT NULL REFERENCES memories ON DELETE CASCADE,
    stage        text NOT NULL,
    version      text NOT NULL,
    fingerprint  text NOT NULL,
    PRIMARY KEY (memory_id, stage)
);
