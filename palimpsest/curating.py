"""The curating commands: whoever has the home's files acts as its curator."""

from collections.abc import Sequence

import msgspec

from kg_assets.errors import InvalidInput, NotFound
from kg_assets.graph.curating import Curator, retraction
from kg_assets.graph.policies import Policy
from kg_assets.model import Micros, Origin
from kg_assets.ports import Memory
from kg_assets.triples.asserting import AssertedStatement
from palimpsest.home import Home
from palimpsest.queries import found_fact
from serving.curated import CuratedView, act
from serving.curation import CorrectBody, corrected
from serving.named_entities import MAX_LIMIT, EntityPage, EntityRow, entity_page


def curator(home: Home, command: str, note: str = "") -> Curator:
    return Curator(
        authority="curated",
        origin=Origin(actor=f"palimpsest {command}", cause=command),
        policy=Policy(home.settings.belief.policy),
        note=note,
    )


def correct_fact(
    home: Home,
    beginning: str,
    user: str | None,
    *,
    target: str | None,
    valid_from: str | None,
    valid_to: str | None,
    wrong: bool,
    note: str,
) -> CuratedView:
    """An option that is not given leaves what it names as it is; an empty time is unbounded."""
    given = {"object": target, "valid_from": valid_from, "valid_to": valid_to}
    changed = {name: value for name, value in given.items() if value is not None}
    if wrong == bool(changed):
        raise InvalidInput("say what is right (--object, --valid-from, --valid-to), or --wrong", where="correct")
    times = {name: value or None for name, value in changed.items() if name != "object"}
    body = msgspec.structs.replace(CorrectBody(), **{**changed, **times})
    who = curator(home, "correct", note)
    with found_fact(home, beginning, user) as (memory, fact_id):

        def prepared(memory: Memory, now: Micros) -> Sequence[AssertedStatement]:
            if wrong:
                return retraction(memory, fact_id, who, now)
            return corrected(memory, home.ontology, fact_id, body, who, now)

        return act(memory, home.ontology, who, "retract" if wrong else "correct", prepared, clock=home.clock)


def begun_with(ids: Sequence[str], beginning: str, command: str) -> str:
    """The one id that begins so, of those that the command lists."""
    found = [each for each in ids if each.startswith(beginning.lower())]
    if len(found) != 1:
        raise NotFound(
            f"{len(found)} ids begin with {beginning!r}; `palimpsest {command} --user NAME` lists those that wait"
        )
    return found[0]


def all_entities(memory: Memory, now: Micros) -> EntityPage:
    """Every page of them."""
    rows: list[EntityRow] = []
    cursor: str | None = ""
    while cursor is not None:
        page = entity_page(memory, None, MAX_LIMIT, cursor, now)
        rows += page.entities
        cursor = page.next
    return EntityPage(tuple(rows), None)
