"""Pairs of turns that the model of repetition is fitted to and measured on.

Made-up ones say the same, something else or the opposite. Natural ones keep chance from being taken for repetition:
the nearest of many turns that *other* people of LongMemEval (MIT) said is something else; and of a turn that tells
more than one thing each part is said again, while the whole and the other parts are not.
"""

import random
from collections.abc import Iterator, Sequence

import msgspec
import numpy as np

from kg_assets.index.windows import encode_alone
from kg_assets.model import Draft
from kg_assets.novelty.known import blank
from kg_assets.novelty.lives import kind_of, lives
from kg_assets.novelty.nearness import Alignment, Spoken, spoken
from kg_assets.novelty.nearness_jax import aligned_pairs
from kg_assets.novelty.paraphrases import Pair, pairs
from kg_assets.novelty.reading import Reading, read
from kg_assets.novelty.scenes import Part
from kg_assets.ports import Embedder
from kg_assets.text import sentences
from kg_assets.text.ontology import load_ontology

SAID_AT = 1_684_886_400_000_000
FOLDS = 6  # of the natural talk; of each the turns are held against those of the others
HELD_OUT = 3  # every third group is
SHORTEST = 20  # characters of a sentence that is taken from a turn
ENCODED = 256  # texts at once
TURNS = 120  # of a made-up memory
# What a pair counts against a made-up one: with less, more of what is told in long talk is taken for repetition.
LIVED, NATURAL = 2.0, 10.0


class Aligned(msgspec.Struct, frozen=True):
    """alignments float (pairs, 19) by `ALIGNMENT`, kinds str (pairs,); each pair counts `weight`."""

    alignments: np.ndarray
    kinds: np.ndarray
    weight: float = 1.0


class Talk(msgspec.Struct, frozen=True):
    """Something said in natural talk; those of one `group` may repeat each other."""

    group: str
    text: str
    evidence: bool = False


class Ear:
    """Reads and encodes texts, each once, as turns of Ana's that are encoded alone."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder, self._ontology = embedder, load_ontology()
        self._heard: dict[str, tuple[Reading, Spoken]] = {}

    def hear(self, texts: Sequence[str]) -> dict[str, tuple[Reading, Spoken]]:
        missing = [text for text in dict.fromkeys(texts) if text not in self._heard]
        for start in range(0, len(missing), ENCODED):
            drafts = [_draft(text) for text in missing[start : start + ENCODED]]
            for draft, encoded in zip(drafts, encode_alone(drafts, self._embedder), strict=True):
                reading = read(draft, self._ontology, multi_speaker=False)
                self._heard[draft.text] = reading, spoken(reading, encoded, self._embedder.projection)
        return self._heard


def made_up_pairs(ear: Ear, count: int, seed: int, part: Part) -> Aligned:
    """Each alone, and each again in a memory of `TURNS` firsts, where another first may be nearer by chance."""
    made = pairs(count, seed, part)
    heard = ear.hear([text for pair in made for text in (pair.first, pair.second)])
    found = [
        (near, kind) for start in range(0, count, TURNS) for near, kind in _among(made[start : start + TURNS], ear)
    ]
    alone = aligned_pairs([heard[pair.second][1] for pair in made], [heard[pair.first][1].heard for pair in made])
    among = _aligned(found)
    return Aligned(
        np.concatenate((alone, among.alignments)), np.concatenate(([pair.kind for pair in made], among.kinds))
    )


def _among(made: Sequence[Pair], ear: Ear) -> Iterator[tuple[Alignment, str]]:
    known, heard = blank(), ear.hear([])
    for seq, pair in enumerate(made, start=1):
        known.add(*heard[pair.first], seq)
    for seq, pair in enumerate(made, start=1):
        near = known.nearest(*heard[pair.second])
        if near.seq:
            yield near.alignment, pair.kind if near.seq == seq else "neutral"


def lived_pairs(ear: Ear, count: int, seed: int, part: Part) -> Aligned:
    """What made-up people tell with the nearest of what they told before, in memories of `TURNS` turns."""
    found = [
        (near, kind_of(life[before], life[place]))
        for life in lives(count, TURNS, seed, part)
        for place, before, near in _nearest_before([each.text for each in life], ear)
    ]
    return msgspec.structs.replace(_aligned(found), weight=LIVED)


def natural_pairs(said: Sequence[Talk], ear: Ear, part: Part) -> Aligned:
    groups = sorted({each.group for each in said})
    chosen = {group for place, group in enumerate(groups) if (place % HELD_OUT == 0) == (part == "held out")}
    own = [each for each in said if each.group in chosen]
    found = [*_neighbours(said, groups, chosen, ear), *_fresh(own, ear), *_excerpts(own, ear)]
    return msgspec.structs.replace(_aligned(found), weight=NATURAL)


def _aligned(found: Sequence[tuple[Alignment, str]]) -> Aligned:
    return Aligned(
        np.array([msgspec.structs.astuple(near) for near, _ in found]), np.array([kind for _, kind in found])
    )


def _neighbours(
    said: Sequence[Talk], groups: Sequence[str], chosen: set[str], ear: Ear
) -> Iterator[tuple[Alignment, str]]:
    """Each turn of the chosen groups with the nearest that others said, as serving finds it."""
    heard = ear.hear([each.text for each in said])
    for fold in range(FOLDS):
        inside = set(groups[fold::FOLDS])
        known, texts = blank(), [each.text for each in said if each.group not in inside]
        for seq, text in enumerate(texts, start=1):
            known.add(*heard[text], seq)
        for each in said:
            if each.group in inside & chosen:
                near = known.nearest(*heard[each.text])
                if near.seq:
                    yield near.alignment, "neutral"


def _fresh(said: Sequence[Talk], ear: Ear) -> Iterator[tuple[Alignment, str]]:
    """What the data set marks as evidence tells something new, even beside all that the same person said before."""
    texts = [each.text for each in said]
    for place, _, near in _nearest_before(texts, ear):
        if said[place].evidence:
            yield near, "neutral"


def _nearest_before(texts: Sequence[str], ear: Ear) -> Iterator[tuple[int, int, Alignment]]:
    """(place, place of the nearest text before it, how near), where there is one."""
    known, heard = blank(), ear.hear(texts)
    for seq, text in enumerate(texts, start=1):
        near = known.nearest(*heard[text])
        if near.seq:
            yield seq - 1, near.seq - 1, near.alignment
        known.add(*heard[text], seq)


def _excerpts(said: Sequence[Talk], ear: Ear) -> Iterator[tuple[Alignment, str]]:
    """Parts of turns, each in a memory of all the turns of its kind: whole turns, single sentences, what is left."""
    chance = random.Random("excerpts")
    wholes, parts, rests = [], [], []
    for each in said:
        found = [each.text[one.start : one.end].strip() for one in sentences.split(each.text) if not one.is_question]
        told = [text for text in found if len(text) > SHORTEST]
        if len(told) > 1:
            one = chance.choice(told)
            wholes.append(each.text)
            parts.append(one)
            rests.append(" ".join(text for text in told if text != one))
    ear.hear([*wholes, *parts, *rests])
    yield from _among([Pair(*each, "entailed") for each in zip(wholes, parts, strict=True)], ear)
    yield from _among([Pair(*each, "neutral") for each in zip(parts, wholes, strict=True)], ear)
    yield from _among([Pair(*each, "neutral") for each in zip(rests, parts, strict=True)], ear)


def _draft(text: str) -> Draft:
    return Draft(id="example", session="s", speaker="Ana", role="user", text=text, said_at=SAID_AT)
