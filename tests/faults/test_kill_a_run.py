"""kill -9 of a Dagster run at random moments, then run again: nothing lost, nothing double, the same state."""

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

MOMENTS = 20
PLACES = ["Porto", "Lisbon", "Milan", "Berlin", "Vienna", "Oslo"]
EMPLOYERS = ["Helix Systems", "Nordwind", "Orbis", "Kestrel Labs"]
THINGS = ["hiking", "chess", "mushrooms", "opera", "sailing", "crosswords"]


def chat(lines: int, seed: int = 7) -> str:
    """A chat of three people who move, change jobs and like things; the same for the same seed."""
    rng = random.Random(seed)
    turns = []
    for number in range(lines):
        text = rng.choice(
            [
                f"I moved to {rng.choice(PLACES)} yesterday.",
                f"I work at {rng.choice(EMPLOYERS)}.",
                f"I no longer work at {rng.choice(EMPLOYERS)}.",
                f"I love {rng.choice(THINGS)}.",
                f"I hate {rng.choice(THINGS)}.",
                "How was your day?",
                "Fine, thanks, and yours?",
            ]
        )
        day = f"2026-{1 + number // 112:02d}-{1 + number // 4 % 28:02d}"
        turns.append(f"[{day}, {9 + number % 4:02d}:00] {rng.choice(['Ana', 'Ben', 'Chiara'])}: {text}")
    return "\n".join(turns) + "\n"


def palimpsest(home: Path, *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "palimpsest.command_line", *arguments],
        env=environment(home),
        capture_output=True,
        text=True,
        check=False,
        timeout=240,
    )
    assert done.returncode == 0, f"{arguments}: {done.stdout}\n{done.stderr}"
    return done.stdout


def environment(home: Path) -> dict[str, str]:
    return {**os.environ, "PALIMPSEST_HOME": str(home), "PALIMPSEST_EMBEDDER": "hashing"}


def outcome(home: Path) -> dict[str, object]:
    """What must not depend on how often a run was interrupted."""
    facts = json.loads(palimpsest(home, "facts", "--user", "friends", "--json"))["facts"]
    return {
        "state": palimpsest(home, "state-hash", "--user", "friends").split()[-1],
        "facts": sorted(
            (fact["subject"]["name"], fact["predicate"], str(fact["object"].get("name") or fact["object"].get("value")))
            for fact in facts
        ),
    }


@pytest.fixture(scope="module")
def ingested(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with an ingested chat that waits to be materialised."""
    home = tmp_path_factory.mktemp("ingested") / "home"
    palimpsest(home, "init")
    text = home.parent / "friends.chat"
    text.write_text(chat(400), encoding="utf-8")
    palimpsest(home, "ingest", str(text), "--user", "friends", "--format", "chat")
    return home


@pytest.fixture(scope="module")
def undisturbed(ingested: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[float, dict[str, object]]:
    """Seconds that an undisturbed materialisation takes, and its outcome."""
    home = tmp_path_factory.mktemp("undisturbed") / "home"
    shutil.copytree(ingested, home)
    started = time.monotonic()
    palimpsest(home, "materialise", "--all")
    return time.monotonic() - started, outcome(home)


@pytest.mark.faults
@pytest.mark.timeout(600)
@pytest.mark.parametrize("moment", range(MOMENTS))
def test_a_run_killed_at_any_moment_and_run_again_comes_to_the_same_state(
    moment: int, ingested: Path, undisturbed: tuple[float, dict[str, object]], tmp_path: Path
) -> None:
    seconds, expected = undisturbed
    home = tmp_path / "home"
    shutil.copytree(ingested, home)
    run = subprocess.Popen(
        [sys.executable, "-m", "palimpsest.command_line", "materialise", "--all"],
        env=environment(home),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    time.sleep(random.Random(moment).uniform(0.2, 1.0) * seconds)
    os.killpg(run.pid, signal.SIGKILL)
    run.wait()

    palimpsest(home, "materialise", "--all")
    assert outcome(home) == expected
    palimpsest(home, "verify", "--user", "friends")
