"""What the outcome of the shards means for the command."""

import pytest

from palimpsest.materialising import MaterialiseSummary, ShardOutcome


@pytest.mark.parametrize(
    ("success", "failed", "busy", "ok"),
    [(True, 0, 0, True), (False, 0, 0, False), (True, 1, 0, False), (True, 0, 1, False)],
)
def test_all_is_well_only_if_no_memory_was_left_as_it_was(success: bool, failed: int, busy: int, ok: bool) -> None:
    whole = ShardOutcome(shard="a", run_id="r", success=True, counts={}, failed_memories=0, busy_memories=0)
    other = ShardOutcome(shard="b", run_id="r", success=success, counts={}, failed_memories=failed, busy_memories=busy)
    assert MaterialiseSummary(shards=(whole, other)).ok is ok
