import os
import subprocess
import sys
from pathlib import Path

from kg_assets.novelty.rehearsal import conversations


def test_made_up_talk_is_the_same_for_the_same_seed() -> None:
    assert conversations(3, 5, 7) == conversations(3, 5, 7) != conversations(3, 5, 8)


def test_made_up_talk_is_the_same_in_each_process() -> None:
    """Python orders sets of strings by a hash that is another one in each process."""
    made_up = (
        "from kg_assets.novelty.lives import lives; from kg_assets.novelty.paraphrases import pairs; "
        "from kg_assets.novelty.rehearsal import conversations; "
        "print(conversations(3, 5, 7), pairs(600, 7), pairs(300, 7, 'held out'), lives(2, 40, 7))"
    )
    made = {
        subprocess.run(
            [sys.executable, "-c", made_up],
            env={**os.environ, "PYTHONHASHSEED": str(seed), "PYTHONPATH": str(Path(__file__).parents[2])},
            capture_output=True,
            check=True,
            timeout=280,
        ).stdout
        for seed in range(4)
    }
    assert len(made) == 1


def test_no_slot_is_left_open_and_both_kinds_of_turns_are_there() -> None:
    turns = [turn for conversation in conversations(20, 10, 1) for turn in conversation]
    assert not [turn for turn in turns if "{" in turn.text or "}" in turn.text]
    assert {turn.worth for turn in turns} == {True, False}
