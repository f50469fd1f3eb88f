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

from kg_assets.maintenance.novelty_pairs import Aligned, Ear, Talk, lived_pairs, made_up_pairs, natural_pairs
from kg_assets.model import Draft, Utterance
from kg_assets.novelty import training
from kg_assets.novelty.features import features
from kg_assets.novelty.known import RECENT, blank
from kg_assets.novelty.nearness import Heard, Spoken
from kg_assets.novelty.reading import Reading, read
from kg_assets.novelty.rehearsal import conversations
from kg_assets.novelty.relation import terms
from kg_assets.novelty.scenes import Part
from kg_assets.novelty.scoring import EVIDENCE, SHARP, VERSION, evidence
from kg_assets.novelty.telling import telling
from kg_assets.novelty.weights import HeldOut, Weights
from kg_assets.ports import Embedder
from kg_assets.text import sentences
from kg_assets.text.ontology import load_ontology
from kg_assets.triples.extraction import Turn, build_extractor

TURN = re.compile(r"\n\nTurn \d+ \((user|assistant)( \[evidence\])?\): ")
LONGEST, LONGEST_SENTENCE = 1000, 300  # characters
STRETCHES = 16  # sentences of an assistant that are cut into stretches
SAID_AT = 1_684_886_400_000_000
SEED, CONVERSATIONS, TURNS, PAIRS = 1, 120, 12, 3600
LIVES = 8  # of made-up people
HELD_OUT_SEED, HELD_OUT_PAIRS, HELD_OUT_LIVES = 2, 1200, 3
MOST = 4.0  # statements of one sentence that count
EVIDENCE_WEIGHT, OTHER_WEIGHT, MADE_UP_WEIGHT = 3.0, 0.5, 0.1
FOLDS = 5
NOTHING_KNOWN = Spoken(
    Heard(np.zeros((0, 64), dtype=np.int8), frozenset(), False), np.zeros((0, 2), dtype=np.int64), (), frozenset()
)


class Example(msgspec.Struct, frozen=True):
    """A turn of a conversation: turns of one `group` are told one after the other and held out together."""

    group: str
    kind: str  # user | assistant | made up
    text: str
    worth: bool
    place: int  # turns before it in its conversation


class Outcome(msgspec.Struct, frozen=True):
    weights: Weights
    held_out: HeldOut


def train(examples: Sequence[Example], said: Sequence[Talk], embedder: Embedder) -> Outcome:
    """`said` is natural talk for the model of repetition, or nothing."""
    readings = [_read(example) for example in examples]
    counts, grades = extracted(examples)
    told = [telling(sentence) for reading in readings for sentence in reading.sentences]
    natural = np.repeat([each.kind != "made up" for each in examples], [len(each.sentences) for each in readings])
    everywhere = natural if natural.any() else ~natural
    fitted = training.fit_telling(np.array(told)[everywhere], np.concatenate(counts)[everywhere])
    draft = Weights(version=VERSION, telling=fitted, worth={}, same={}, opposite={}, calibration={})
    turns = training.Turns(
        evidence_of(examples, draft),
        np.array([float(each.worth) for each in examples]),
        np.array([_weight(each) for each in examples]),
    )
    amounts = _held_out(examples, turns)
    ear = Ear(embedder)
    fitted_to, held_out = pairs_of(said, ear, "fitted"), pairs_of(said, ear, "held out")
    same, opposite = training.fit_relation(
        np.concatenate([each.alignments for each in fitted_to]),
        np.concatenate([each.kinds for each in fitted_to]),
        np.concatenate([np.full(len(each.kinds), each.weight) for each in fitted_to]),
    )
    weights = msgspec.structs.replace(
        draft,
        worth=training.fit_worth(turns),
        same=same,
        opposite=opposite,
        calibration=training.fit_calibration(amounts, grades),
    )
    figures: dict[str, float] = {
        "examples": len(examples),
        "sentences": int(everywhere.sum()),
        "pairs": sum(len(each.kinds) for each in fitted_to),
        "held_out_pairs": sum(len(each.kinds) for each in held_out),
    }
    measured = turn_figures(examples, amounts, grades, weights)
    figures |= {**measured.figures, **pair_figures(held_out[0], weights), **chance_figures(held_out[1:], weights)}
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


def pair_figures(made: Aligned, weights: Weights) -> dict[str, float]:
    """The chance that a new statement looks less like a repetition than an entailed one, and which denials are seen."""
    same, opposite = relations(made, weights)
    found = {}
    for kind in ("neutral", "contradiction"):
        rows = np.isin(made.kinds, [kind, "entailed"])
        found[f"auc_{kind}_over_entailed"] = round(training.auc(-same[rows], made.kinds[rows] == kind), 4)
    new = made.kinds != "entailed"
    found["auc_contradiction_over_neutral"] = round(training.auc(opposite[new], made.kinds[new] == "contradiction"), 4)
    return found


def chance_figures(found_near: Sequence[Aligned], weights: Weights) -> dict[str, float]:
    """Of talk in long memories what a turn keeps of its score beside its nearest neighbour: new, and said again."""
    found = {}
    for name, each in zip(("lives", "talk"), found_near, strict=False):
        same, _ = relations(each, weights)
        again = each.kinds == "entailed"
        found[f"{name}_new_keeps"] = round(float(((1 - same[~again]) ** SHARP).mean()), 4)
        found[f"{name}_again_keeps"] = round(float(((1 - same[again]) ** SHARP).mean()), 4)
    return found


def relations(made: Aligned, weights: Weights) -> tuple[np.ndarray, np.ndarray]:
    """Chances of the same and of the opposite, float (pairs,) each."""
    both = np.array([list(weights.same.values()), list(weights.opposite.values())])
    amounts = np.column_stack((terms(made.alignments) @ both.T, np.zeros(len(made.kinds))))
    powers = np.exp(amounts - amounts.max(axis=1, keepdims=True))
    same, opposite, _ = (powers / powers.sum(axis=1, keepdims=True)).T
    return same, opposite


def pairs_of(said: Sequence[Talk], ear: Ear, part: Part) -> list[Aligned]:
    """Made-up pairs, and natural ones where there is talk."""
    count, people, seed = (PAIRS, LIVES, SEED) if part == "fitted" else (HELD_OUT_PAIRS, HELD_OUT_LIVES, HELD_OUT_SEED)
    found = [made_up_pairs(ear, count, seed, part), lived_pairs(ear, people, seed, part)]
    return [*found, natural_pairs(said, ear, part)] if said else found


def examples_of(longmemeval: Path | None) -> list[Example]:
    return [*(_natural(longmemeval) if longmemeval else ()), *made_up(CONVERSATIONS, SEED)]


def made_up(count: int, seed: int) -> list[Example]:
    """The turns of `count` made-up conversations."""
    return [
        Example(f"made up {number}", "made up", turn.text, turn.worth, place)
        for number, conversation in enumerate(conversations(count, TURNS, seed))
        for place, turn in enumerate(conversation)
    ]


def talk_of(longmemeval: Path) -> list[Talk]:
    """Users' turns, and stretches of what an assistant says: each as long as what people tell."""
    chance = random.Random(f"talk {SEED}")
    found = []
    for group, role, marked, text, _ in _turns(longmemeval):
        if role == "user":
            found.append(Talk(group, text[:LONGEST], marked))
            found += [Talk(group, each) for each in _short_sentences(text[:LONGEST])]
        else:
            said = _short_sentences(text)[:STRETCHES]
            while said:
                length = chance.choice((1, 1, 2, 3))
                found.append(Talk(group, " ".join(said[:length])))
                said = said[length + chance.choice((0, 2, 5)) :]
    return found


def _natural(path: Path) -> Iterator[Example]:
    """Users' turns, and what an assistant opens and closes with."""
    chance = random.Random(f"natural {SEED}")
    for group, role, marked, text, place in _turns(path):
        if role == "user":
            yield Example(group, "user", text[:LONGEST], marked, place)
        else:
            said = _short_sentences(text)
            for part in (said[: chance.choice((1, 1, 2))], said[-chance.choice((1, 2)) :]):
                if part:
                    yield Example(group, "assistant", " ".join(part), False, place)


def _turns(path: Path) -> Iterator[tuple[str, str, bool, str, int]]:
    """(scenario, role, whether it is evidence, text, turns of its session before it) of all that is said."""
    for scenario in json.loads(path.read_text(encoding="utf-8"))["scenarios"]:
        sessions = [step["content"] for step in scenario["steps"] if step.get("kind") == "memory"]
        for session in sessions:
            cut = TURN.split(session)
            for place, (role, mark, text) in enumerate(zip(cut[1::3], cut[2::3], cut[3::3], strict=True)):
                if text.strip():
                    yield scenario["id"], role, bool(mark), text.strip(), place


def _short_sentences(text: str) -> list[str]:
    said = [text[each.start : each.end].strip() for each in sentences.split(text)]
    return [each for each in said if each and len(each) < LONGEST_SENTENCE]


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
    """float64 (n, 13): each turn against what its group told before it."""
    known, group, rows = blank(), "", []
    for seq, example in enumerate(examples, start=1):
        reading = _read(example)
        if example.group != group:
            known, group = blank(), example.group
        found = features(reading, NOTHING_KNOWN, known, weights, seq=seq)
        given = evidence(msgspec.structs.replace(found, before=min(example.place, RECENT)))
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
