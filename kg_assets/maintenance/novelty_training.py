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
from kg_assets.novelty.nearness import Spoken, spoken
from kg_assets.novelty.nearness_jax import unmatched_pairs
from kg_assets.novelty.reading import Reading, read
from kg_assets.novelty.rehearsal import conversations, pairs
from kg_assets.novelty.scoring import EVIDENCE, VERSION, evidence
from kg_assets.novelty.telling import telling
from kg_assets.novelty.weights import HeldOut, Weights
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
    weights: Weights
    held_out: HeldOut


def train(examples: Sequence[Example], embedder: Embedder) -> Outcome:
    readings = [_read(example) for example in examples]
    counts, grades = extracted(examples)
    told = [telling(sentence) for reading in readings for sentence in reading.sentences]
    natural = np.repeat([each.kind != "made up" for each in examples], [len(each.sentences) for each in readings])
    everywhere = natural if natural.any() else ~natural
    fitted = training.fit_telling(np.array(told)[everywhere], np.concatenate(counts)[everywhere])
    draft = Weights(version=VERSION, telling=fitted, worth={}, repeated={}, calibration={})
    turns = training.Turns(
        evidence_of(examples, draft),
        np.array([float(each.worth) for each in examples]),
        np.array([_weight(each) for each in examples]),
    )
    amounts = _held_out(examples, turns)
    unmatched_words, negated, kinds = pair_features(embedder)
    weights = msgspec.structs.replace(
        draft,
        worth=training.fit_worth(turns),
        repeated=training.fit_repeated(unmatched_words, negated, (kinds == "entailed").astype(float)),
        calibration=training.fit_calibration(amounts, grades),
    )
    figures: dict[str, float] = {"examples": len(examples), "sentences": int(everywhere.sum()), "pairs": len(kinds)}
    measured = turn_figures(examples, amounts, grades, weights)
    figures |= {**measured.figures, **pair_figures(unmatched_words, negated, kinds, weights)}
    return Outcome(weights, msgspec.structs.replace(measured, figures=figures))


def turn_figures(examples: Sequence[Example], amounts: np.ndarray, grades: np.ndarray, weights: Weights) -> HeldOut:
    """How well `amounts` tell turns that are worth remembering, and the calibrated chance the grades."""
    worth, made_up = (np.array([getattr(each, name) for each in examples]) for name in ("worth", "kind"))
    chance = 1 / (1 + np.exp(-(weights.calibration["slope"] * amounts + weights.calibration["offset"])))
    figures = {
        f"auc_{name}": round(training.auc(amounts[rows], worth[rows]), 4)
        for name, rows in (("made_up", made_up == "made up"), ("evidence", made_up != "made up"))
        if rows.any()
    }
    figures["brier"] = round(float(np.mean((chance - grades) ** 2)), 4)
    return HeldOut(version=weights.version, figures=figures, reliability=_reliability(chance, grades))


def pair_figures(far: np.ndarray, negated: np.ndarray, kinds: np.ndarray, weights: Weights) -> dict[str, float]:
    """The chance that a new statement looks less like a repetition than an entailed one."""
    said = weights.repeated["unmatched"] * far + weights.repeated["negated"] * negated
    found = {}
    for kind in ("neutral", "contradiction"):
        rows = np.isin(kinds, [kind, "entailed"])
        found[f"auc_{kind}_over_entailed"] = round(training.auc(-said[rows], kinds[rows] == kind), 4)
    return found


def examples_of(longmemeval: Path | None) -> list[Example]:
    return [*(_natural(longmemeval) if longmemeval else ()), *made_up(CONVERSATIONS, SEED)]


def made_up(count: int, seed: int) -> list[Example]:
    """The turns of `count` made-up conversations."""
    return [
        Example(f"made up {number}", "made up", turn.text, turn.worth)
        for number, conversation in enumerate(conversations(count, TURNS, seed))
        for turn in conversation
    ]


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


def extracted(examples: Sequence[Example]) -> tuple[list[np.ndarray], np.ndarray]:
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


def evidence_of(examples: Sequence[Example], weights: Weights) -> np.ndarray:
    """float64 (n, 12): each turn against what its group told before it."""
    known, group, rows = blank(), "", []
    for seq, example in enumerate(examples, start=1):
        reading = _read(example)
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


def pair_features(embedder: Embedder, seed: int = SEED) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(unmatched, negated, kind) of made-up pairs."""
    made = pairs(PAIRS, seed)
    first, second = (_spoken(list(texts), embedder) for texts in zip(*((p.first, p.second) for p in made), strict=True))
    far = unmatched_pairs(second, [old.tokens for old in first])
    negated = np.array([float(old.denied != new.denied) for old, new in zip(first, second, strict=True)])
    return far, negated, np.array([pair.kind for pair in made])


def _spoken(texts: list[str], embedder: Embedder) -> list[Spoken]:
    ontology, projection = load_ontology(), embedder.projection
    return [
        spoken(read(_draft(text), ontology, multi_speaker=False), encoded, projection)
        for text, encoded in zip(texts, embedder.encode(texts), strict=True)
    ]


def _reliability(chance: np.ndarray, grades: np.ndarray) -> tuple[tuple[float, float, int], ...]:
    bins = np.minimum((chance * 10).astype(int), 9)
    return tuple(
        (
            round(float(chance[bins == each].mean()), 3),
            round(float(grades[bins == each].mean()), 3),
            int((bins == each).sum()),
        )
        for each in range(10)
        if (bins == each).any()
    )
