"""How kg_assets/novelty/weights.json was made; `python benchmarks/novelty_training.py` makes it again.

Examples are LongMemEval's conversations (MIT; where given) and made-up talk. Of an assistant's turn only the opening
and the closing sentences are taken: reactions and offers, which tell nothing. What a sentence tells is what the open
extraction reads from it; what a turn is worth is the data set's own mark of evidence, or the template's. The grades
that calibrate a score: 1 where the default extraction reads a statement, 1/2 where only the open one does, else 0.
"""

import json
import random
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec
import numpy as np

from kg_assets.model import Draft, Utterance
from kg_assets.novelty import training
from kg_assets.novelty.features import features
from kg_assets.novelty.known import blank
from kg_assets.novelty.nearness import Spoken, spoken, unmatched
from kg_assets.novelty.reading import Reading, read
from kg_assets.novelty.rehearsal import conversations, pairs
from kg_assets.novelty.scoring import EVIDENCE, VERSION, evidence
from kg_assets.novelty.telling import telling
from kg_assets.novelty.weights import Weights
from kg_assets.ports import Embedder
from kg_assets.text import sentences
from kg_assets.text.ontology import load_ontology
from kg_assets.triples.extraction import Turn, build_extractor

TURN = re.compile(r"\n\nTurn \d+ \((user|assistant)( \[evidence\])?\): ")
LONGEST, LONGEST_SENTENCE = 1000, 300  # characters
SAID_AT = 1_684_886_400_000_000
SEED, CONVERSATIONS, TURNS, PAIRS = 1, 120, 12, 1500
MOST = 4.0  # statements of one sentence that count
EVIDENCE_WEIGHT, OTHER_WEIGHT, MADE_UP_WEIGHT = 3.0, 0.5, 0.1
FOLDS = 5
NOTHING_KNOWN = Spoken(np.zeros((0, 64), dtype=np.int8), (), False)


class Example(msgspec.Struct, frozen=True):
    """A turn of a conversation: turns of one `group` are told one after the other and held out together."""

    group: str
    kind: str  # user | assistant | made up
    text: str
    worth: bool


class Outcome(msgspec.Struct, frozen=True):
    """Fitted weights, figures on held-out examples, and (expected, found, examples) for each tenth of the score."""

    weights: Weights
    figures: dict[str, float]
    reliability: list[tuple[float, float, int]]


def train(examples: Sequence[Example], embedder: Embedder) -> Outcome:
    readings = [_read(example) for example in examples]
    counts, grades = _extracted(examples)
    told = [telling(sentence) for reading in readings for sentence in reading.sentences]
    natural = np.repeat([each.kind != "made up" for each in examples], [len(each.sentences) for each in readings])
    everywhere = natural if natural.any() else ~natural
    fitted = training.fit_telling(np.array(told)[everywhere], np.concatenate(counts)[everywhere])
    draft = Weights(version=VERSION, telling=fitted, worth={}, repeated={}, calibration={})
    turns = training.Turns(
        _evidence(examples, readings, draft),
        np.array([float(each.worth) for each in examples]),
        np.array([_weight(each) for each in examples]),
    )
    amounts = _held_out(examples, turns)
    calibration = training.fit_calibration(amounts, grades)
    (unmatched_words, negated, same), kinds = _pairs(embedder)
    repeated = training.fit_repeated(unmatched_words, negated, same)
    weights = msgspec.structs.replace(
        draft, worth=training.fit_worth(turns), repeated=repeated, calibration=calibration
    )
    chance = 1 / (1 + np.exp(-(calibration["slope"] * amounts + calibration["offset"])))
    said = repeated["unmatched"] * unmatched_words + repeated["negated"] * negated
    made_up = np.array([each.kind == "made up" for each in examples])
    figures: dict[str, float] = {"examples": len(examples), "sentences": int(everywhere.sum()), "pairs": len(same)}
    for name, rows in (("made_up", made_up), ("evidence", ~made_up)):
        if rows.any():
            figures[f"auc_{name}"] = round(training.auc(amounts[rows], turns.worth[rows] > 0), 4)
    figures["brier"] = round(float(np.mean((chance - grades) ** 2)), 4)
    for kind in ("neutral", "contradiction"):
        rows = np.isin(kinds, [kind, "entailed"])
        figures[f"auc_{kind}_over_entailed"] = round(training.auc(-said[rows], kinds[rows] == kind), 4)
    return Outcome(weights, figures, _reliability(chance, grades))


def examples_of(longmemeval: Path | None) -> list[Example]:
    found = list(_natural(longmemeval)) if longmemeval else []
    for number, conversation in enumerate(conversations(CONVERSATIONS, TURNS, SEED)):
        found += [Example(f"made up {number}", "made up", turn.text, turn.worth) for turn in conversation]
    return found


def _natural(path: Path) -> Iterator[Example]:
    """Users' turns, and what an assistant opens and closes with."""
    chance = random.Random(f"natural {SEED}")
    for scenario in json.loads(path.read_text(encoding="utf-8"))["scenarios"]:
        sessions = [step["content"] for step in scenario["steps"] if step.get("kind") == "memory"]
        for session in sessions:
            cut = TURN.split(session)
            for role, mark, text in zip(cut[1::3], cut[2::3], cut[3::3], strict=True):
                if role == "user" and text.strip():
                    yield Example(scenario["id"], "user", text.strip()[:LONGEST], bool(mark))
                elif role == "assistant":
                    said = [text[each.start : each.end].strip() for each in sentences.split(text)]
                    said = [each for each in said if each and len(each) < LONGEST_SENTENCE]
                    for part in (said[: chance.choice((1, 1, 2))], said[-chance.choice((1, 2)) :]):
                        if part:
                            yield Example(scenario["id"], "assistant", " ".join(part), False)


def _read(example: Example) -> Reading:
    return read(_draft(example.text), load_ontology(), multi_speaker=False)


def _draft(text: str) -> Draft:
    return Draft(id="example", session="s", speaker="Ana", role="user", text=text, said_at=SAID_AT)


def _extracted(examples: Sequence[Example]) -> tuple[list[np.ndarray], np.ndarray]:
    """Statements that open extraction reads in each sentence of each turn, and the grade of each turn."""
    turns = [
        Turn(Utterance(**msgspec.structs.asdict(_draft(each.text)), seq=1, recorded_at=SAID_AT, content_hash=""))
        for each in examples
    ]
    default, wide = (
        build_extractor(methods).extract(turns, b"")
        for methods in (("rules", "dependencies"), ("rules", "dependencies", "open"))
    )
    counts = []
    for example, found in zip(examples, wide, strict=True):
        reading = _read(example)
        starts = np.array([sentence.start for sentence in reading.sentences])
        count = np.zeros(len(starts))
        for assertion in found:
            if assertion.span and len(starts):
                count[max(0, int(np.searchsorted(starts, assertion.span[0], side="right")) - 1)] += 1
        counts.append(np.minimum(count, MOST))
    grades = [1.0 if sure else 0.5 if read_ else 0.0 for sure, read_ in zip(default, wide, strict=True)]
    return counts, np.array(grades)


def _evidence(examples: Sequence[Example], readings: Sequence[Reading], weights: Weights) -> np.ndarray:
    """Each turn against what its group told before it."""
    known, group, rows = blank(), "", []
    for seq, (example, reading) in enumerate(zip(examples, readings, strict=True), start=1):
        if example.group != group:
            known, group = blank(), example.group
        given = evidence(features(reading, NOTHING_KNOWN, known, weights, seq=seq))
        rows.append([given[name] for name in EVIDENCE])
        known.add(reading, NOTHING_KNOWN, seq)
    return np.array(rows)


def _weight(example: Example) -> float:
    if example.kind == "made up":
        return MADE_UP_WEIGHT
    return EVIDENCE_WEIGHT if example.worth else OTHER_WEIGHT


def _held_out(examples: Sequence[Example], turns: training.Turns) -> np.ndarray:
    """float (n,): of each example by a model that saw nothing of its group."""
    numbers = {group: number for number, group in enumerate(dict.fromkeys(each.group for each in examples))}
    folds = np.array([numbers[each.group] % FOLDS for each in examples])
    found = np.zeros(len(examples))
    for fold in range(FOLDS):
        fitted = training.fit_worth(turns.of(folds != fold))
        found[folds == fold] = training.amounts(turns.evidence[folds == fold], fitted)
    return found


def _pairs(embedder: Embedder) -> tuple[tuple[np.ndarray, np.ndarray, np.ndarray], np.ndarray]:
    """(unmatched, negated, same) of made-up pairs, and the kind of each."""
    made = pairs(PAIRS, SEED)
    first, second = (
        [_spoken(text, embedder) for text in texts] for texts in zip(*((p.first, p.second) for p in made), strict=True)
    )
    far = [unmatched(new, old.tokens) for old, new in zip(first, second, strict=True)]
    negated = [float(old.denied != new.denied) for old, new in zip(first, second, strict=True)]
    kinds = np.array([pair.kind for pair in made])
    return (np.array(far), np.array(negated), (kinds == "entailed").astype(float)), kinds


def _spoken(text: str, embedder: Embedder) -> Spoken:
    return spoken(
        read(_draft(text), load_ontology(), multi_speaker=False), embedder.encode([text])[0], embedder.projection
    )


def _reliability(chance: np.ndarray, grades: np.ndarray) -> list[tuple[float, float, int]]:
    bins = np.minimum((chance * 10).astype(int), 9)
    return [
        (
            round(float(chance[bins == each].mean()), 3),
            round(float(grades[bins == each].mean()), 3),
            int((bins == each).sum()),
        )
        for each in range(10)
        if (bins == each).any()
    ]
