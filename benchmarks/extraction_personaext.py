"""Persona sentences with one gold fact each: is its tail found, and under the right predicate. One JSON line a measure.

    python benchmarks/extraction_personaext.py [--show RELATION] [--methods rules,dependencies,open]

Reads `../shared/data/personaext_dev.jsonl`. `tail_recall`: sentences of which some assertion has an object that holds
every word of the gold tail (stemmed, without articles). `relation_accuracy`: of those whose relation stands in the map
below, the part where such an assertion has a predicate that the map allows. Labels are noisy: many tails ("pizza" from
"I am going to have pizza") state nothing lasting, and relations overlap (like_general, like_activity, favourite_…),
which the map allows for. `--show` prints what was missed of one relation.
"""

import argparse
import json
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

from kg_assets.identity import content_hash
from kg_assets.model import Assertion, Mention, Utterance
from kg_assets.text.names import is_relational
from kg_assets.text.tokens import terms, words
from kg_assets.triples.extraction import ALL_METHODS, METHODS, Turn, build_extractor

DATA = Path(__file__).resolve().parents[1].parent / "shared" / "data" / "personaext_dev.jsonl"
SAID = 1_700_000_000_000_000
CHUNK = 64
_SMALL = frozenset({"a", "an", "the", "my", "to", "of", "in", "and"})

_LIKED = (
    "like_activity like_general like_food like_animal like_drink like_read like_watching favorite_hobby favorite_sport "
    "favorite_music_artist favorite_movie favorite_show favorite_book favorite_color like_color favorite_drink "
    "favorite_place favorite_season favorite_animal like_character like_subject like_sport doing"
)
_DISLIKED = (
    "dislike dislike_food dislike_activity dislike_animal dislike_color dislike_drink dislike_sport dislike_subject "
    "dislike_job dislike_music weakness do_not_do do_not_eat do_not_drink"
)
_WORK = (
    "works_at works_as works_in retired_from job_status member_of volunteers_at work_at work_for work_in work_as be_in "
    "be_at is_at"
)
_KIN = (
    "parent_of child_count sibling spouse partner engaged_to grandparent_of aunt_or_uncle_of cousin related_to friend"
)
_HOME = "lives_in dwelling comes_from grew_up_in moved_from born_in live_in lives_near be_in is_from"
_SCHOOL = "studies_at graduated_from has_degree_in studies works_as be_in goes_to attend graduates_from"

# Relations of the data → predicates that say the same; one that ends in "_" is a prefix, one behind "-" must be denied.
_SAME = {
    _LIKED: (
        "likes hobby favourite_ interested_in plays learns has_ability did does plans_to attended eats drinks watches "
        "reads listens_to collects visited diet has_pet"
    ),
    _DISLIKED: "dislikes fears has_weakness allergic_to -likes -eats -drinks -does -plays",
    "have_pet": "has_pet species breed",
    "physical_attribute": "looks appearance height weight wears is has_condition age",
    "employed_by_general employed_by_company pre_employed_by_company job_status": _WORK,
    "own have_vehicle": "owns drives has_pet",
    "live_in_citystatecountry live_in_general": _HOME,
    "has_ability": "has_ability plays speaks_language likes hobby does",
    "have_chidren have_children have_family have_sibling get_along": _KIN,
    "want_job": "wants_to_be plans_to works_as studies",
    "attend_school school_status has_degree": _SCHOOL,
    "diet": "diet eats dislikes -eats",
    "marital_status relationship": "marital_status spouse partner engaged_to",
    "name": "name same_as nickname",
    "health_status": "has_condition takes_medication allergic_to looks is",
    "member_of": "member_of works_as plays volunteers_at",
    "belief": "religion believes_in is",
    "international_exp": "visited plans_to_visit lives_in comes_from",
    "gender race": "gender nationality comes_from looks is",
    "have_no have_no_family have_no_sibling have_no_children": f"-owns {_KIN}",
}
MAP = {name: frozenset(same.split()) for names, same in _SAME.items() for name in names.split()}


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--show", default="")
    options.add_argument("--methods", default="")
    chosen = options.parse_args()
    if not DATA.exists():
        sys.exit(f"{DATA} is not there: this benchmark reads PersonaExt from ../shared/data")
    rows = [json.loads(line) for line in DATA.read_text(encoding="utf-8").splitlines()]
    turns = [Turn(spoken(seq, row["text"])) for seq, row in enumerate(rows)]
    for methods in (chosen.methods,) if chosen.methods else (",".join(METHODS), ",".join(ALL_METHODS)):
        extractor = build_extractor(tuple(methods.split(",")))
        extractor.extract(turns[:CHUNK], b"warm")
        started = time.perf_counter()
        chunks = (turns[start : start + CHUNK] for start in range(0, len(turns), CHUNK))
        found = [assertions for chunk in chunks for assertions in extractor.extract(chunk, b"key")]
        report(rows, found, time.perf_counter() - started, methods)
        if chosen.show:
            show(rows, found, chosen.show)


def spoken(seq: int, text: str) -> Utterance:
    return Utterance(
        id=str(seq),
        session=str(seq),
        speaker="speaker",
        role="user",
        text=text,
        said_at=SAID,
        seq=seq + 1,
        recorded_at=SAID,
        content_hash=content_hash(text),
    )


def report(rows: list[dict[str, str]], found: list[list[Assertion]], seconds: float, methods: str) -> None:
    hits = [hitting(row["tail"], assertions) for row, assertions in zip(rows, found, strict=True)]
    mapped = [(row, hit) for row, hit in zip(rows, hits, strict=True) if hit and row["relation"] in MAP]
    right = sum(any(allowed(row["relation"], each) for each in hit) for row, hit in mapped)
    total = Counter(row["relation"] for row in rows)
    met = Counter(row["relation"] for row, hit in zip(rows, hits, strict=True) if hit)
    fields: dict[str, Any] = {
        "measure": "personaext",
        "methods": methods,
        "sentences": len(rows),
        "assertions": sum(map(len, found)),
        "tail_recall": round(sum(map(bool, hits)) / len(rows), 4),
        "relation_accuracy": round(right / max(1, len(mapped)), 4),
        "relations_mapped": round(sum(total[each] for each in MAP) / len(rows), 4),
        "per_second": round(len(rows) / seconds),
        "recall_of": {name: round(met[name] / count, 2) for name, count in total.most_common(30)},
    }
    print(json.dumps(fields))


def hitting(tail: str, assertions: list[Assertion]) -> list[Assertion]:
    """The assertions whose object (or, of a relation turned round, subject) holds every word of the tail."""
    wanted = {stem for stem in terms(tail) if stem not in _SMALL} or set(terms(tail))
    return [each for each in assertions if wanted <= set(terms(object_words(each)))]


def object_words(assertion: Assertion) -> str:
    sides = [assertion.object.surface if isinstance(assertion.object, Mention) else str(assertion.object.value)]
    if assertion.predicate == "child_count":
        sides.append("children kids")  # the number is the object, what is counted stands in the predicate
    if is_relational(assertion.subject.key):
        sides.append(assertion.subject.surface)
    return " ".join(sides)


def allowed(relation: str, assertion: Assertion) -> bool:
    name = assertion.predicate
    for each in MAP[relation]:
        denied = each.startswith("-")
        wanted = each.removeprefix("-")
        if (name == wanted or (wanted.endswith("_") and name.startswith(wanted))) and denied is is_denied(assertion):
            return True
    return False


def is_denied(assertion: Assertion) -> bool:
    return assertion.polarity != "affirmed"


def show(rows: list[dict[str, str]], found: list[list[Assertion]], relation: str) -> None:
    for row, assertions in zip(rows, found, strict=True):
        if row["relation"] == relation and not hitting(row["tail"], assertions):
            read = [f"{each.predicate}: {object_words(each)}" for each in assertions]
            print(f"{row['text'][:120]} | {row['tail']} | {read if len(words(row['text'])) < 60 else ''}")


if __name__ == "__main__":
    main()
