"""As-of exactness: all dated facts of an encyclopaedia asserted in random order, then asked in the middle of intervals.

    python benchmarks/tkg_yago.py [--data DIR] [--seed N] [--batch N]
    python benchmarks/tkg_yago.py --home DIR           with the stores that this home's settings name

Statements go the way of `palimpsest assert`, in random batches with belief derived after each; then each fact is asked
for at the middle of its interval (a day after its beginning where it has no end). Expected are all objects whose
interval covers the moment. In a slot that holds one value at a time, questions where two stated values cover the moment
have no right answer in the data; they are counted as contested and left out.
"""

import argparse
import json
import random
import secrets
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parents[1]))

from kg_assets.graph.belief import derive_pending
from kg_assets.model import Origin
from kg_assets.ports import Memory
from kg_assets.text import periods
from kg_assets.text.names import normal_form
from kg_assets.text.ontology import Ontology, load_ontology
from kg_assets.text.periods import midnight
from kg_assets.triples.asserting import assert_statements, check_statement
from resources.clock import system_clock
from resources.settings import create_home, load_settings
from resources.stores import ClosingStores, open_stores

PREDICATES = {
    "<wasBornIn>": "born_in", "<diedIn>": "died_in", "<worksAt>": "works_at", "<playsFor>": "plays_for",
    "<hasWonPrize>": "won_prize", "<isMarriedTo>": "spouse", "<owns>": "owns", "<graduatedFrom>": "graduated_from",
    "<isAffiliatedTo>": "affiliated_with", "<created>": "created",
}  # fmt: skip
ORIGIN = Origin(actor="benchmark", cause="tkg_yago")


class Dated(NamedTuple):
    """`end` is exclusive; None is not known."""

    subject: str
    predicate: str
    object: str
    start: date | None
    end: date | None
    words: tuple[str | None, str | None]  # as `palimpsest assert` takes them


def main() -> None:
    arguments = parsed()
    ontology = load_ontology()
    facts = list(dict.fromkeys(canonical(fact, ontology) for fact in read(arguments.data)))
    with tempfile.TemporaryDirectory() as folder:
        stores = opened(arguments.home, Path(folder))
        memory = stores.open(stores.create("benchmark", f"yago-{secrets.token_hex(4)}", now=system_clock()).id)
        loaded = load(memory, facts, ontology, random.Random(arguments.seed), arguments.batch)
        print(json.dumps({"measure": "load", "facts": len(facts), **loaded}), flush=True)
        print(json.dumps({"measure": "as of", **asked(memory, facts, ontology)}))
        memory.close()
        stores.close()


def parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    default = Path(__file__).parents[2] / "shared" / "data" / "tkg_yago"
    parser.add_argument("--data", type=Path, default=default)
    parser.add_argument("--home", type=Path, help="a home; its memory `yago-…` stays there")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--batch", type=int, default=1000, help="most statements before belief is derived")
    return parser.parse_args()


def opened(home: Path | None, folder: Path) -> ClosingStores:
    if home is None:
        create_home(folder)
    ontology = load_ontology()
    return open_stores(load_settings(home or folder), system_clock, predicates=lambda: ontology.predicates)


# ------------------------------------------------------------------------------------------------------ the data


def read(folder: Path) -> Iterator[Dated]:
    """Facts with at least one date; entities by name, dates as far as they are known."""
    entities, relations = names(folder / "entity2id.txt"), names(folder / "relation2id.txt")
    for line in (folder / "triple2id.txt").read_text(encoding="utf-8").splitlines():
        subject, relation, target, start, end = line.split("\t")
        begins, ends = day(start, after=False), day(end, after=True)
        if begins and ends and begins >= ends:
            continue  # ends before it begins
        yield Dated(
            entities[subject], PREDICATES[relations[relation]], entities[target], begins, ends, (iso(begins), iso(ends))
        )


def canonical(fact: Dated, ontology: Ontology) -> Dated:
    declared, inverted = ontology.canonical(fact.predicate)
    ends = (fact.object, fact.subject) if inverted else (fact.subject, fact.object)
    return fact._replace(subject=ends[0], predicate=declared.name, object=ends[1])


def names(path: Path) -> dict[str, str]:
    """Id → name; "<Charles_Dickens>" without its marks. The id is part of the name, so that no two are alike."""
    found = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        name, number, *_ = line.split("\t")
        found[number] = name if name in PREDICATES else f"{name.strip('<> ').replace('_', ' ')} {number}"
    return found


def day(text: str, *, after: bool) -> date | None:
    """The first day of what is known of "1895-05-##"; `after`: the day after its last. None for what is no date."""
    year, month, number = text.split("-") if text.count("-") == 2 else ("", "", "")
    if not year.isdigit() or not 2 <= int(year) <= 9990:
        return None
    if not (month.isdigit() and 1 <= int(month) <= 12):
        return date(int(year) + after, 1, 1)
    span = periods.month(int(year), int(month))
    if not (number.isdigit() and 1 <= int(number) <= (span.end - span.start).days):
        return span[after]
    return date(int(year), int(month), int(number)) + timedelta(after)


def iso(moment: date | None) -> str | None:
    return None if moment is None else f"{moment:%Y-%m-%d}".rjust(10, "0")


# ------------------------------------------------------------------------------------------------------- the run


def load(
    memory: Memory, facts: Sequence[Dated], ontology: Ontology, order: random.Random, most: int
) -> dict[str, float | int]:
    shuffled = order.sample(facts, len(facts))
    started, place, batches = time.perf_counter(), 0, 0
    while place < len(shuffled):
        batch = shuffled[place : place + order.randint(1, most)]
        place, batches = place + len(batch), batches + 1
        statements = [check_statement(line(each), ontology, where=f"fact {place}") for each in batch]
        assert_statements(memory, statements, ontology, clock=system_clock, origin=ORIGIN)
        derive_pending(memory, ontology, routes=("batch",), origin=ORIGIN, clock=system_clock)
    seconds = time.perf_counter() - started
    return {"batches": batches, "seconds": round(seconds, 1), "per_second": round(len(facts) / seconds, 1)}


def line(fact: Dated) -> dict[str, str | None]:
    start, end = fact.words
    fields = {"subject": fact.subject, "predicate": fact.predicate, "object": fact.object}
    return {**fields, "valid_from": start, "valid_to": end}


def asked(memory: Memory, facts: Sequence[Dated], ontology: Ontology) -> dict[str, float | int | list[str]]:
    slots: dict[tuple[str, str], list[tuple[str, Dated]]] = defaultdict(list)
    for fact in facts:
        declared, _ = ontology.canonical(fact.predicate)
        slots[fact.subject, fact.predicate].append((fact.object, fact))
        if declared.symmetric:
            slots[fact.object, fact.predicate].append((fact.subject, fact))
    exact = contested = one_of_them = 0
    wrong: list[str] = []
    started = time.perf_counter()
    for fact in facts:
        moment = middle(fact)
        expected = {normal_form(name) for name, other in slots[fact.subject, fact.predicate] if covers(other, moment)}
        answer = believed(memory, fact, moment)
        if ontology.canonical(fact.predicate)[0].functional and len(expected) > 1:
            contested += 1
            one_of_them += len(answer) == 1 and answer <= expected
        elif answer == expected:
            exact += 1
        else:
            wrong.append(f"{fact.subject} {fact.predicate} {moment}")
    asked_of = exact + len(wrong)
    seconds = time.perf_counter() - started
    return {
        "questions": asked_of, "exact": exact, "share": round(exact / asked_of, 4), "contested": contested,
        "one_of_them": one_of_them, "wrong": wrong[:5], "ms_each": round(1000 * seconds / asked_of, 3),
    }  # fmt: skip


def believed(memory: Memory, fact: Dated, moment: date) -> set[str]:
    found = memory.graph.entities_by_key([normal_form(fact.subject)])
    subject = found[normal_form(fact.subject)]
    rows = memory.graph.facts(
        valid_at=midnight(moment), known_at=None, subjects=[subject.id], predicates=[fact.predicate], limit=1000
    )
    return {row.belief.object_key for row in rows}


def middle(fact: Dated) -> date:
    if fact.start and fact.end:
        return fact.start + (fact.end - fact.start) // 2
    if fact.start:
        return fact.start + timedelta(1)
    return (fact.end or date(9000, 1, 1)) - timedelta(1)


def covers(fact: Dated, moment: date) -> bool:
    return (fact.start is None or fact.start <= moment) and (fact.end is None or moment < fact.end)


if __name__ == "__main__":
    main()
