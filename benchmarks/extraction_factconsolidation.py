"""Facts that later ones contradict, line by line through remember, extract and derive. One JSON line a measurement.

    python benchmarks/extraction_factconsolidation.py [--show 10]

Reads `../shared/data/factconsolidation_dev.json` (MemoryAgentBench): numbered encyclopaedic sentences, each an
utterance here, a minute apart, in a fresh memory for each list. What the graph ought to hold comes from the sentence
forms below, written apart from the extractor's: the last sentence of one form with one subject is current, what it
contradicts is stale. `read`: sentences whose statement has an assertion with the right subject, slot and object;
`current`: objects that the graph holds now; `stale_closed`: contradicted objects that it does not; `wrongly_closed`:
current objects that were read and are not held.
"""

import argparse
import json
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from kg_assets.graph.belief import derive_pending
from kg_assets.index.remember import remember
from kg_assets.model import Draft, Mention, Origin, Route
from kg_assets.novelty.scoring import Thresholds
from kg_assets.ports import Memory
from kg_assets.text.names import normal_form
from kg_assets.text.ontology import load_ontology
from kg_assets.triples.backlog import extract_pending
from kg_assets.triples.extraction import build_extractor
from resources.embedder import build_embedder
from resources.sqlite import SqliteStores

DATA = Path(__file__).resolve().parents[1].parent / "shared" / "data" / "factconsolidation_dev.json"
ORIGIN = Origin(actor="benchmark", cause="benchmark", run_id="benchmark", code_version="1")
START, MINUTE, NOW = 1_700_000_000_000_000, 60_000_000, 1_800_000_000_000_000
ALL: tuple[Route, ...] = ("immediate", "batch", "log")

# Sentence form → predicate. S is the subject, O the object; spelled as the data spells them.
FORMS = {
    "S is a citizen of O": "citizen_of",
    "S is affiliated with the religion of O": "religion",
    "The author of S is O": "author",
    "S is married to O": "spouse",
    "S was founded by O": "founder",
    "S is associated with the sport of O": "sport",
    "The headquarters of S is located in the city of O": "headquarters_in",
    "S was created by O": "creator",
    "S was performed by O": "performer",
    "S is located in the continent of O": "continent",
    "The capital of S is O": "capital",
    "The univeristy where S was educated is O": "educated_at",
    "S died in the city of O": "died_in",
    "S speaks the language of O": "main_language",
    "S was developed by O": "developer",
    "The official language of S is O": "official_language",
    "S was born in the city of O": "born_in",
    "S was created in the country of O": "country_of_origin",
    "S is famous for O": "famous_for",
    "S is employed by O": "works_at",
    "The company that produced S is O": "producer",
    "The name of the current head of the S government is O": "head_of_government",
    "The chief executive officer of S is O": "chief_executive",
    "S worked in the city of O": "works_in_place",
    "S's child is O": "sole_child",
    "The chairperson of S is O": "chairperson",
    "The name of the current head of state in S is O": "head_of_state",
    "S was founded in the city of O": "founded_in_place",
    "The origianl broadcaster of S is O": "broadcaster",
    "The director of S is O": "director",
    "S was written in the language of O": "written_in_language",
    "The head coach of S is O": "head_coach",
    "S plays the position of O": "position_played",
    "S works in the field of O": "field_of_work",
    "The type of music that S plays is O": "genre",
    "The original language of S is O": "original_language",
    "The Mayor of S is O": "mayor",
    "The Prime Minister of S is O": "prime_minister",
    "The President of S is O": "president",
    "The Governor of S is O": "governor",
}
_PATTERNS = [
    (re.compile("^" + re.sub(r"\bO\b", "(?P<o>.+)", re.sub(r"\bS\b", "(?P<s>.+)", form)) + r"\.$"), name)
    for form, name in FORMS.items()
]
_NUMBER = re.compile(r"^[0-9]+\. ")


class Told(NamedTuple):
    line: int
    text: str
    form: str
    subject: str
    object: str


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--show", type=int, default=0)
    chosen = options.parse_args()
    if not DATA.exists():
        sys.exit(f"{DATA} is not there: this benchmark reads FactConsolidation from ../shared/data")
    lists = {row["context"]: row["metadata"]["source"] for row in json.loads(DATA.read_text(encoding="utf-8"))}
    for context, source in lists.items():
        lines = [_NUMBER.sub("", line).strip() for line in context.splitlines()[1:] if line.strip()]
        measure(source.rsplit("_", 1)[1], lines, chosen.show)


def measure(name: str, lines: list[str], show: int) -> None:
    told = list(parsed(lines))
    with tempfile.TemporaryDirectory() as home:
        memory = remembered(Path(home), lines)
        read = statements_read(memory, told)
        held = {
            (form, subject): now_held(memory, form, subject) for form, subject in {(t.form, t.subject) for t in told}
        }
    last = {(each.form, each.subject): each for each in told}
    stale = {
        (each.form, each.subject, each.object) for each in told if each.object != last[each.form, each.subject].object
    }
    current = {key: each for key, each in last.items() if each.object in held[key]}
    open_stale = [each for each in stale if each[2] in held[each[:2]]]
    closed = [each for key, each in last.items() if each.line in read and key not in current]
    row = {
        "measure": "factconsolidation",
        "list": name,
        "sentences": len(lines),
        "of_known_form": round(len(told) / len(lines), 4),
        "read": round(len(read) / len(told), 4),
        "facts": len(last),
        "current": round(len(current) / len(last), 4),
        "stale": len(stale),
        "stale_closed": round(1 - len(open_stale) / max(1, len(stale)), 4),
        "wrongly_closed": round(len(closed) / len(last), 4),
    }
    print(json.dumps(row))
    if show:
        print("forms not read:", Counter(each.form for each in told if each.line not in read).most_common())
        for each in [each for each in told if each.line not in read][:show]:
            print("  unread", each.text)
        for key, each in [(key, each) for key, each in last.items() if key not in current][:show]:
            print("  not current", each.text, "| held:", held[key])
        print("  stale open", Counter(each[0] for each in open_stale), open_stale[:show])
        print("  wrongly closed", [each.text for each in closed[:show]])


def parsed(lines: list[str]) -> Iterator[Told]:
    """What each sentence says by the forms above; where several fit, the one with the most words of its own counts."""
    for line, text in enumerate(lines):
        fitting = [(pattern, name, pattern.match(text)) for pattern, name in _PATTERNS]
        found = [(len(pattern.pattern), name, match) for pattern, name, match in fitting if match]
        if found:
            _, form, match = max(found, key=lambda each: each[0])
            assert match is not None
            yield Told(line, text, form, normal_form(match["s"]), normal_form(match["o"]))


def remembered(home: Path, lines: list[str]) -> Memory:
    stores = SqliteStores(home, b"benchmark", clock=lambda: NOW)
    memory = stores.open(stores.create("benchmark", "facts", multi_speaker=False, now=NOW).id)
    ontology = load_ontology()
    drafts = [
        Draft(
            id=f"{line:06}", session="facts", speaker="narrator", role="user", text=text, said_at=START + line * MINUTE
        )
        for line, text in enumerate(lines)
    ]
    for start in range(0, len(drafts), 100):
        remember(
            memory,
            drafts[start : start + 100],
            embedder=build_embedder("hashing"),
            ontology=ontology,
            thresholds=Thresholds(),
            origin=ORIGIN,
            clock=lambda: NOW,
            cap_at_batch=True,
        )
    extract_pending(memory, build_extractor(), routes=ALL, origin=ORIGIN, clock=lambda: NOW)
    derive_pending(memory, ontology, routes=ALL, origin=ORIGIN, clock=lambda: NOW)
    return memory


def statements_read(memory: Memory, told: list[Told]) -> set[int]:
    """The lines with an assertion of the right subject, predicate and object; a symmetric one may be turned round."""
    read = set()
    ontology = load_ontology()
    for each in told:
        wanted, inverted = ontology.canonical(each.form)
        for found in memory.ledger.assertions_of_utterances([each.line + 1]):
            keys = [
                found.subject.key,
                found.object.key if isinstance(found.object, Mention) else normal_form(str(found.object.value)),
            ]
            turned = keys[::-1] == [each.subject, each.object]
            straight = keys == [each.subject, each.object]
            if found.predicate == wanted.name and (turned if inverted else straight or (wanted.symmetric and turned)):
                read.add(each.line)
    return read


def now_held(memory: Memory, form: str, subject: str) -> set[str]:
    """Normal forms of what the slot of this subject holds now."""
    predicate, inverted = load_ontology().canonical(form)
    entity = memory.graph.entities_by_key([subject]).get(subject)
    if entity is None:
        return set()
    subjects, objects = (None, [entity.id]) if inverted else ([entity.id], None)
    facts = memory.graph.facts(
        valid_at=NOW, known_at=None, predicates=[predicate.name], subjects=subjects, objects=objects
    )
    found = set()
    for fact in facts:
        other = fact.belief.subject_key if inverted else fact.belief.object_key
        found.add(normal_form(str(fact.belief.value.value)) if fact.belief.value is not None else other)
    return found


if __name__ == "__main__":
    main()
