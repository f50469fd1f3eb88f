"""Everyday turns with what a careful person would keep of them. One JSON line a measure.

    python benchmarks/extraction_everyday.py [--methods rules,dependencies,open] [--show missed|wrong|partly|right]

Reads `tests/triples/everyday/turns.txt`, which explains its notation; "I" is Alex, said on 11 March 2026. Where
somebody besides the assistant speaks (`exchanges.txt`), the talk is one of several speakers, Alex called by name.

The matching rule. Words are compared as stems, without articles, "my" and small words; what is wanted gives
alternatives between slashes.

- *Right*: subject and object hold all words of one alternative of each, the object at most three words beside, the
  predicate is one of those named (or its first word is; "*" is any), and the statement holds or not as wanted: "-" is
  denied, "<" is denied, has ended by the time of speaking, or is told as a deed.
- *Partly*: subject and object are right (or the object shares its last word) and the predicate is another, or only
  whether it holds is not as wanted where "<" was wanted.
- *Missed*: neither. *Wrong*: something read that is no wanted or optional triple, wholly or partly. What is read of a
  turn for which nothing is wanted is wrong. A
  relation may be read from its other side ("Tom's sister is I").
- *Implied*: neither. That what was so once is over; that my sister is my sister, my dog a dog and Oluwaseun called
  Oluwaseun.
"""

import argparse
import json
from collections import Counter, defaultdict
from pathlib import Path
from typing import NamedTuple

from kg_assets.identity import content_hash
from kg_assets.model import SELF_KEY, Assertion, Literal, Mention, Utterance
from kg_assets.text.instants import parse_instant
from kg_assets.text.tokens import terms
from kg_assets.triples.extraction import ALL_METHODS, METHODS, Turn, build_extractor

FILE = Path(__file__).resolve().parents[1] / "tests" / "triples" / "everyday" / "turns.txt"
SAID = parse_instant("2026-03-11T10:30:00Z")
_SMALL_WORDS = "a an the my our his her their of in on at to for s it"
_SMALL = frozenset(stem for word in _SMALL_WORDS.split() for stem in terms(word))
_KINDRED = (
    "parent_of sibling spouse partner engaged_to grandparent_of aunt_or_uncle_of cousin related_to friend colleague "
    "boss neighbour roommate teacher_of has_pet"
)
_OF_KIN = frozenset(_KINDRED.split())
_SPEAKERS = {"me": "Alex", "them": "assistant"}
_LONGEST = 8  # turns of an exchange
_TOLD = frozenset({"did", "attended", "visited", "moved_from", "retired_from"})


class Wanted(NamedTuple):
    mark: str  # "", "-", "<" or "?"
    subjects: tuple[str, ...]
    predicates: tuple[str, ...]
    objects: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.mark}{'/'.join(self.subjects)} | {'/'.join(self.predicates)} | {'/'.join(self.objects)}"


class Case(NamedTuple):
    kind: str
    before: tuple[tuple[str, str], ...]  # who, what; oldest first
    text: str
    wanted: tuple[Wanted, ...]


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--methods", default="")
    options.add_argument("--show", default="", choices=("", "right", "partly", "missed", "wrong"))
    options.add_argument("--file", type=Path, default=FILE)
    chosen = options.parse_args()
    read = cases(chosen.file)
    for methods in (chosen.methods,) if chosen.methods else (",".join(METHODS), ",".join(ALL_METHODS)):
        extractor = build_extractor(tuple(methods.split(",")))
        found = extractor.extract([turn(number, case) for number, case in enumerate(read)], b"key")
        report(methods, read, found, chosen.show)


def report(methods: str, read: list[Case], found: list[list[Assertion]], shown: str) -> None:
    outcomes: dict[str, Counter[str]] = defaultdict(Counter)
    for case, assertions in zip(read, found, strict=True):
        counted, lines = compare(case, assertions)
        outcomes[case.kind] += counted
        for outcome, line in lines:
            if outcome == shown:
                print(f"{''.join(f'{what} >> ' for _, what in case.before)}{case.text}  {line}")
    total: Counter[str] = sum(outcomes.values(), Counter())
    print(json.dumps({"measure": "everyday", "methods": methods, "turns": len(read), **summed(total)}))
    if not shown:
        parts = {kind: {each: counted[each] for each in _SHOWN} for kind, counted in outcomes.items()}
        print(json.dumps({"measure": "everyday by kind", "methods": methods, **parts}))


_SHOWN = ("right", "partly", "missed", "wrong")


def summed(counted: Counter[str]) -> dict[str, float]:
    wanted = counted["right"] + counted["partly"] + counted["missed"]
    return {
        "wanted": wanted,
        "read_right": counted["right"],
        "read_partly": counted["partly"],
        "missed": counted["missed"],
        "assertions": counted["assertions"],
        "implied": counted["implied"],
        "read_wrongly": counted["wrong"],
        "recall": round(counted["right"] / max(1, wanted), 4),
        "precision": round(1 - counted["wrong"] / max(1, counted["assertions"] - counted["implied"]), 4),
        "turns_as_wanted": counted["whole"],
    }


# ------------------------------------------------------------------------------------------------------ the file


def cases(file: Path = FILE) -> list[Case]:
    kind, heads, wanted = "", [], []
    for line in file.read_text(encoding="utf-8").splitlines():
        if not line or line.startswith("#"):
            continue
        if line.startswith("[") and line.endswith("]"):
            kind = line[1:-1]
        elif line.startswith("    "):
            wanted[-1].append(statement(line.strip()))
        else:
            *before, text = line.split(" >> ")
            heads.append((kind, tuple((who, what) for who, _, what in (each.partition(": ") for each in before)), text))
            wanted.append([])
    return [Case(*head, tuple(statements)) for head, statements in zip(heads, wanted, strict=True)]


def statement(line: str) -> Wanted:
    marks = line[: len(line) - len(line.lstrip("?-< "))]
    subjects, predicates, objects = (tuple(part.strip().split("/")) for part in line[len(marks) :].split(" | "))
    return Wanted("?" if "?" in marks else marks.strip(), subjects, predicates, objects)


def turn(number: int, case: Case) -> Turn:
    speakers = [_SPEAKERS.get(who, who) for who, _ in case.before]
    is_among_people = not {*speakers} <= {"Alex", "assistant"}
    said = [*zip(speakers, (what for _, what in case.before), strict=True), ("Alex", case.text)]
    first = _LONGEST * number + _LONGEST - len(said)
    *before, last = (
        spoken(first + place, number, what, who, is_among_people) for place, (who, what) in enumerate(said)
    )
    return Turn(last, tuple(before), multi_speaker=is_among_people)


def spoken(seq: int, number: int, text: str, speaker: str, is_among_people: bool) -> Utterance:
    return Utterance(
        id=str(seq),
        session=str(number),
        speaker=speaker,
        role="other" if is_among_people else "user" if speaker == "Alex" else "assistant",
        text=text,
        said_at=SAID,
        seq=seq,
        recorded_at=SAID,
        content_hash=content_hash(text),
    )


# ---------------------------------------------------------------------------------------------------- comparing


def compare(case: Case, assertions: list[Assertion]) -> tuple[Counter[str], list[tuple[str, str]]]:
    """How many were right, partly right, missed and wrong, and a line to show for each."""
    counted: Counter[str] = Counter(assertions=len(assertions))
    lines = []
    graded = [[grade(wanted, each) for each in assertions] for wanted in case.wanted]
    for wanted, grades in zip(case.wanted, graded, strict=True):
        if wanted.mark != "?":
            outcome = ("missed", "partly", "right")[max(grades, default=0)]
            counted[outcome] += 1
            lines.append((outcome, f"{wanted} {[written(each) for each in assertions]}"))
    for position, each in enumerate(assertions):
        met = any(grades[position] for grades in graded)
        if not met and (is_implied(each) or is_end(each, assertions)):
            counted["implied"] += 1
        elif not met:
            counted["wrong"] += 1
            lines.append(("wrong", written(each)))
    counted["whole"] = not counted["partly"] + counted["missed"] + counted["wrong"]
    return counted, lines


def is_end(read: Assertion, assertions: list[Assertion]) -> bool:
    """Whether it says that something is over of which the same turn says that it was."""
    told = (read.subject, read.predicate, read.object)
    return read.polarity == "denied" and any(
        (each.subject, each.predicate, each.object) == told and each.polarity == "affirmed" for each in assertions
    )


def is_implied(read: Assertion) -> bool:
    """Whether it only says again what the mention itself says: my sister, my dog, the name of a name."""
    if read.polarity != "affirmed":
        return False
    if isinstance(read.object, Literal):
        return read.predicate == "name" and bag(str(read.object.value)) == mention_words(read.subject)
    for owner, other in ((read.subject, read.object), (read.object, read.subject)):
        if other.key.startswith(f"{owner.key}'s ") and read.predicate in _OF_KIN:
            return True
    return read.predicate == "species" and mention_words(read.object) <= mention_words(read.subject)


def grade(wanted: Wanted, read: Assertion) -> int:
    """2 right, 1 partly, 0 neither."""
    sides = (subject_words(read), object_words(read))
    best = 0
    for subject, thing in (sides, sides[::-1]):
        about = any(bag(each) <= subject for each in wanted.subjects)
        whole = any(bag(each) <= thing and len(thing - bag(each)) <= 3 for each in wanted.objects if each != "*")
        whole = whole or "*" in wanted.objects
        share = whole or any(last_word(each) in thing for each in wanted.objects if each != "*")
        if about and share:
            best = max(best, graded_predicate(wanted, read, whole))
    return best


def graded_predicate(wanted: Wanted, read: Assertion, whole: bool) -> int:
    same = any(is_predicate(each, read.predicate) for each in wanted.predicates)
    is_over = read.polarity != "affirmed" or (read.valid_to is not None and read.valid_to <= SAID)
    if wanted.mark == "?":
        return 2
    if wanted.mark == "-":
        return 2 if read.polarity != "affirmed" and same and whole else int(read.polarity != "affirmed")
    if wanted.mark == "<":
        return 2 if same and whole and (is_over or read.predicate in _TOLD) else 1 if is_over or same else 0
    if read.polarity != "affirmed":  # "allergic_to/-eats": denied is as good
        return 2 if whole and f"-{read.predicate}" in wanted.predicates else 0
    return 2 if same and whole else 1


def is_predicate(wanted: str, read: str) -> bool:
    if wanted in ("*", read):
        return True
    if wanted.startswith("-"):
        return False
    return bool(terms(wanted)) and "_" not in wanted and terms(read.replace("_", " "))[:1] == terms(wanted)[:1]


def subject_words(read: Assertion) -> frozenset[str]:
    return mention_words(read.subject)


def object_words(read: Assertion) -> frozenset[str]:
    if isinstance(read.object, Literal):
        return bag(str(read.object.value)) | frozenset({str(read.object.value).casefold()})
    return mention_words(read.object)


def mention_words(mention: Mention) -> frozenset[str]:
    if mention.key == SELF_KEY:
        return frozenset({"i"})
    return bag(mention.surface) | bag(mention.key.replace(SELF_KEY, " ").replace("'s", " "))


def bag(words: str) -> frozenset[str]:
    if words == "I":
        return frozenset({"i"})
    return frozenset(terms(words)) - _SMALL or frozenset(terms(words))


def last_word(words: str) -> str:
    return ([each for each in terms(words) if each not in _SMALL] or [""])[-1]


def written(read: Assertion) -> str:
    thing = read.object.value if isinstance(read.object, Literal) else read.object.surface
    sign = "-" if read.polarity != "affirmed" else "<" if read.valid_to is not None and read.valid_to <= SAID else ""
    return f"{sign}{read.subject.surface or 'I'} {read.predicate} {thing} ({read.extractor} {read.confidence})"


if __name__ == "__main__":
    main()
