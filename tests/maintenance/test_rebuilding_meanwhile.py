"""What others commit between any two steps of a rebuild or a flip is lost in no generation."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from kg_assets.errors import Conflict, NotReady
from kg_assets.graph.belief import derive_pending
from kg_assets.graph.curating import Curator, curate, current_versions, retraction
from kg_assets.graph.generations import belief_version, generations
from kg_assets.graph.policies import LATEST_VALID
from kg_assets.graph.state import state_hash
from kg_assets.maintenance.generations import flip, rebuild
from kg_assets.ports import Memory
from kg_assets.text.ontology import load_ontology
from kg_assets.triples.asserting import check_statement
from kg_assets.triples.backlog import extract_pending
from kg_assets.triples.extraction import build_extractor
from quality.trail import walk
from resources.sqlite import SqliteStores
from tests.maintenance.test_generations import circumstances, current, found, memory
from tests.quality.test_trail import ALL, NOW, ORIGIN, SAID, process, say

__all__ = ["memory"]


class Interrupted:
    """The memory, with something that another connection does after the nth transaction."""

    def __init__(self, memory: Memory, after: int, do: Callable[[], None]) -> None:
        self._memory, self._after, self._do, self.transactions = memory, after, do, 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._memory, name)

    @contextmanager
    def transaction(self) -> Iterator[None]:
        with self._memory.transaction():
            yield
        self.transactions += 1
        if self.transactions == self._after:
            self._do()


def says_a_curator(memory: Memory, subject: str) -> None:
    raw = {"subject": subject, "predicate": "works_at", "object": "Acme"}
    stated = check_statement({**raw, "said_at": "2026-09-03T10:00:00Z"}, load_ontology(), where="")
    who = Curator(authority="curated", origin=ORIGIN)
    curate(memory, load_ontology(), [stated], who, "assert", clock=lambda: NOW)


@pytest.mark.parametrize("after", range(1, 9))
def test_what_a_curator_says_during_a_rebuild_is_believed_after_it(tmp_path: Path, after: int) -> None:
    stores = SqliteStores(tmp_path, b"secret", clock=lambda: NOW)
    info = stores.create("test", "ana", now=NOW)
    ours, theirs = stores.open(info.id), stores.open(info.id)
    for text, said_at in SAID:
        say(ours, text, said_at)
        process(ours)
    steps = Interrupted(ours, after, lambda: says_a_curator(theirs, "Anna"))
    rebuild(steps, circumstances())  # type: ignore[arg-type]
    assert steps.transactions >= after
    assert ("works_at", "acme") in current(ours)
    believed = state_hash(ours)
    flip(ours, 1, circumstances())
    assert state_hash(ours) == believed
    for each in (ours, theirs, stores):
        each.close()


def test_what_waited_to_be_derived_at_a_flip_is_in_both_generations(memory: Memory) -> None:
    say(memory, "My brother lives in Coimbra.", "2026-09-02T10:00:00Z")
    extract_pending(memory, build_extractor(("rules",)), routes=ALL, origin=ORIGIN, clock=lambda: NOW)
    rebuild(memory, circumstances())
    derive_pending(memory, load_ontology(), routes=ALL, origin=ORIGIN, clock=lambda: NOW)
    believed = state_hash(memory)
    assert ("lives_in", "coimbra") in current(memory)
    flip(memory, 1, circumstances())
    assert state_hash(memory) == believed


def test_who_was_named_while_another_generation_served_is_found_by_that_name(memory: Memory) -> None:
    say(memory, "My brother lives in Coimbra.", "2026-09-02T10:00:00Z")
    process(memory)
    rebuild(memory, circumstances())
    say(memory, "My brother's name is Rui.", "2026-09-03T10:00:00Z")
    say(memory, "I like rice.", "2026-09-03T11:00:00Z", speaker="Ana")
    process(memory)
    served = found(memory, "Coimbra")
    flip(memory, 1, circumstances())
    process(memory)
    assert any("Rui" in text for text in served)
    assert any("Ana lived in Porto" in text or "Ana lives in Porto" in text for text in served), served
    assert found(memory, "Coimbra") == served
    assert walk(memory).broken is None


def test_a_fact_is_corrected_and_taken_back_as_the_serving_generation_holds_it(memory: Memory) -> None:
    ontology = load_ontology()
    rebuild(memory, circumstances())
    (fact,) = memory.graph.facts(valid_at=None, known_at=None, predicates=["lives_in"], subjects=None, limit=1)
    assert current_versions(memory, fact.id) == [
        each for each in memory.graph.history(fact.id) if each.generation == 2 and each.recorded_to is None
    ]
    who = Curator(authority="curated", origin=ORIGIN)
    curate(memory, ontology, retraction(memory, fact.id, who, NOW), who, "retract", clock=lambda: NOW)
    with pytest.raises(Conflict):  # though the old generation holds it still
        retraction(memory, fact.id, who, NOW)


def test_what_a_curator_said_first_is_noted_with_the_rules_that_derived_it(tmp_path: Path) -> None:
    stores = SqliteStores(tmp_path, b"secret", clock=lambda: NOW)
    memory = stores.open(stores.create("test", "ana", now=NOW).id)
    says_a_curator(memory, "Anna")
    assert [each.rules for each in generations(memory)] == [belief_version(load_ontology(), LATEST_VALID)]
    memory.close()
    stores.close()


@pytest.mark.parametrize("after", range(1, 7))
def test_a_rebuild_that_ended_after_any_step_is_made_whole_by_the_next(memory: Memory, after: int) -> None:
    def ended() -> None:
        raise NotReady("the process ended here")

    believed = state_hash(memory)
    steps = Interrupted(memory, after, ended)
    with pytest.raises(NotReady):
        rebuild(steps, circumstances())  # type: ignore[arg-type]
    assert (state_hash(memory), walk(memory).broken) == (believed, None)
    say(memory, "My brother lives in Coimbra.", "2026-09-02T10:00:00Z")
    process(memory)
    believed, served = state_hash(memory), found(memory, "Coimbra")
    made = rebuild(memory, circumstances())
    assert (made.state_hash, state_hash(memory), found(memory, "Coimbra")) == (believed, believed, served)
    assert walk(memory).broken is None


def test_a_generation_that_never_served_is_taken_up_by_the_next_rebuild(memory: Memory) -> None:
    believed = state_hash(memory)
    assert rebuild(memory, circumstances(), flip_to_it=False).generation == 2
    say(memory, "My brother lives in Coimbra.", "2026-09-02T10:00:00Z")
    process(memory)
    made = rebuild(memory, circumstances())
    assert (made.generation, made.state_hash) == (2, state_hash(memory))
    assert state_hash(memory) != believed
    assert rebuild(memory, circumstances()).generation == 3
