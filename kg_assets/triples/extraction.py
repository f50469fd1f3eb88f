"""From turns to assertions: every chosen voter reads, votes are counted.

A turn is read with its earlier turns and nothing else: not with the turns that happen to be in the same call, nor with
the graph. Only the first `READ_CHARS` characters of an utterance are read.
"""

from collections.abc import Sequence
from functools import lru_cache
from itertools import chain

import msgspec

from kg_assets.errors import InvalidInput
from kg_assets.model import Assertion
from kg_assets.text.chunks import Times
from kg_assets.text.clauses import Statement
from kg_assets.text.ontology import Ontology, load_ontology
from kg_assets.text.sentences import Sentence, split
from kg_assets.text.statements import read
from kg_assets.text.times import find_times
from kg_assets.triples import corrections, patterns
from kg_assets.triples.dependencies import Reader
from kg_assets.triples.discourse import Scene
from kg_assets.triples.grounding import Ground
from kg_assets.triples.parsed import Tree, Word
from kg_assets.triples.reading import DEPENDENCIES, RULES, Reading, Turn
from kg_assets.triples.voting import assertions

__all__ = ["METHODS", "Extractor", "Turn", "build_extractor"]

RULE_SET = "1"  # raised with every change to what is read
READ_CHARS = 20_000
METHODS = (RULES, DEPENDENCIES)
_LONGEST_SENTENCE = 2_000  # characters that are parsed at once
_FEWEST_WORDS = 3


class Extractor:
    """Reads turns. `version` names the rules, the ontology and the parser: a change makes what was read stale."""

    def __init__(self, methods: tuple[str, ...], ontology: Ontology) -> None:
        if unknown := sorted(set(methods) - set(METHODS)):
            raise InvalidInput(f"there is no extraction method {unknown[0]!r}; choose among {', '.join(METHODS)}")
        self.methods, self.ontology = methods, ontology
        parts = [RULE_SET, ontology.version, *sorted(methods)]
        if DEPENDENCIES in methods:
            from kg_assets.triples.spacy_pass import model_version

            parts.append(model_version())
        self.version = "/".join(parts)

    def extract(self, turns: Sequence[Turn], key: bytes) -> list[list[Assertion]]:
        """The assertions of each turn, in order."""
        turns = [_cut(turn) for turn in turns]
        earlier = [self._corrected(turn) for turn in turns]
        parses = self._parse([*turns, *(other for found in earlier for _, other in found)])
        results = []
        for turn, found in zip(turns, earlier, strict=True):
            readings = self._read(turn, parses)
            for correction, other in found:
                readings += corrections.corrected(self._read(other, parses), correction)
            results.append(assertions(readings, turn.utterance, key=key, version=self.version))
        return results

    def _corrected(self, turn: Turn) -> list[tuple[corrections.Correction, Turn]]:
        found = []
        for correction in corrections.corrections(turn):
            other = corrections.corrected_turn(turn, correction)
            if other is not None:
                found.append((correction, other))
        return found

    def _parse(self, turns: Sequence[Turn]) -> dict[str, tuple[Word, ...]]:
        """The parse of every sentence that can state something; each sentence is parsed by itself."""
        if DEPENDENCIES not in self.methods:
            return {}
        from kg_assets.triples.spacy_pass import parse

        texts = {
            sentence_text(turn.utterance.text, sentence)
            for turn in turns
            for sentence in split(turn.utterance.text)
            if may_state(sentence)
        }
        ordered = sorted(texts)
        return dict(zip(ordered, parse(ordered), strict=True))

    def _read(self, turn: Turn, parses: dict[str, tuple[Word, ...]]) -> list[Reading]:
        text, ground = turn.utterance.text, Ground(Scene(turn), self.ontology)
        readings = patterns.read(ground, text) if RULES in self.methods else []
        if DEPENDENCIES in self.methods:
            times = Times(find_times(text, 0))
            found: list[Statement] = []
            for sentence in split(text):
                words = parses.get(sentence_text(text, sentence), ()) if may_state(sentence) else ()
                if words:
                    clauses = Reader(text, sentence, Tree(words), times).clauses()
                    found += chain.from_iterable(read(clause) for clause in clauses)
            readings += ground.readings(found, DEPENDENCIES)
        return readings


def sentence_text(text: str, sentence: Sentence) -> str:
    return text[sentence.start : min(sentence.end, sentence.start + _LONGEST_SENTENCE)]


def may_state(sentence: Sentence) -> bool:
    """Whether a sentence is worth a parse: no question, no supposition, and more than an exclamation."""
    if sentence.is_question or sentence.is_supposed:
        return False
    words = sum(token.is_word for token in sentence.tokens)
    return words >= _FEWEST_WORDS and sentence.open_until >= _FEWEST_WORDS - 1


def _cut(turn: Turn) -> Turn:
    if len(turn.utterance.text) <= READ_CHARS:
        return turn
    short = msgspec.structs.replace(turn.utterance, text=turn.utterance.text[:READ_CHARS])
    return msgspec.structs.replace(turn, utterance=short)


@lru_cache(maxsize=4)
def build_extractor(methods: tuple[str, ...] = METHODS) -> Extractor:
    """An extractor with the shipped ontology; the parser is loaded on its first use."""
    return Extractor(methods, load_ontology())
