"""From turns to assertions: every chosen voter reads, votes are counted.

A turn is read with its earlier turns and nothing else: not with the turns that happen to be in the same call, nor with
the graph. Only the first `plans.READ_CHARS` characters of an utterance are read.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache

import msgspec

from kg_assets.errors import InvalidInput
from kg_assets.model import SAME_AS, Assertion, Mention
from kg_assets.text.clauses import Statement
from kg_assets.text.extra_ontology import extended
from kg_assets.text.notes import note_statements
from kg_assets.text.ontology import Ontology
from kg_assets.text.statements import read, sentence_statements
from kg_assets.triples import corrections, putting_right, taking_back
from kg_assets.triples.completed import placed
from kg_assets.triples.completing import outright
from kg_assets.triples.dependencies import Reader
from kg_assets.triples.discourse import Scene
from kg_assets.triples.grounding import Ground
from kg_assets.triples.open_reading import OpenReader
from kg_assets.triples.parsed import Tree, Word
from kg_assets.triples.plans import Plan, Prepared, planned, sentence_text
from kg_assets.triples.reading import DEPENDENCIES, LANGUAGE_MODEL, OPEN, PARSER, RULES, Reading, Turn
from kg_assets.triples.voting import assertions

__all__ = ["METHODS", "Extractor", "Turn", "Voters", "build_extractor"]

RULE_SET = "32"  # raised with every change to what is read
METHODS = (RULES, DEPENDENCIES)  # the default
ALL_METHODS = (*METHODS, OPEN)
_PARSING = frozenset({DEPENDENCIES, OPEN})
Parses = dict[str, tuple[Word, ...]]  # of sentences, by their text


class Voters(msgspec.Struct, frozen=True, kw_only=True):
    """Who reads, and the package of the pipeline that parses for them."""

    methods: tuple[str, ...] = METHODS
    parser: str = PARSER

    def extractor(self, ontology: Ontology, language_model: str = "") -> "Extractor":
        """These, and a language model of this version if there is one. Raises `NotReady` without the parser."""
        return build_extractor(self.methods, language_model, self.parser, ontology.extra)


class Extractor:
    """Reads turns. `version` names the rules, the ontology, the parser and the language model, if there is one: a
    change makes what was read stale."""

    def __init__(
        self, methods: tuple[str, ...], ontology: Ontology, language_model: str = "", parser: str = PARSER
    ) -> None:
        if unknown := sorted(set(methods) - set(ALL_METHODS)):
            raise InvalidInput(f"there is no extraction method {unknown[0]!r}; choose among {', '.join(ALL_METHODS)}")
        self.methods, self.ontology, self.language_model, self.parser = methods, ontology, language_model, parser
        parts = [RULE_SET, ontology.version, *sorted(methods)]
        if not _PARSING.isdisjoint(methods):
            from kg_assets.triples.spacy_pass import model_version

            parts.append(model_version(parser))
        self.version = "/".join([*parts, *([f"{LANGUAGE_MODEL}:{language_model}"] if language_model else [])])

    def extract(
        self, turns: Sequence[Turn], key: bytes, told: Sequence[Sequence[Statement]] = ()
    ) -> list[list[Assertion]]:
        """The assertions of each turn, in order. `told`: what a language model read in each, if one was asked."""
        plans = [planned(turn) for turn in turns]
        others = [other for plan in plans for other in plan.others]
        parses = self._parse([part for plan in (*plans, *others) for part in plan.parts])
        results = []
        for place, plan in enumerate(plans):
            readings = self._said(plan, parses)
            if told and told[place]:
                ground = Ground(Scene(plan.turn), self.ontology)
                readings += self._untold(ground.readings(told[place], LANGUAGE_MODEL), readings)
            readings = self._mended(plan, readings, parses)
            results.append(assertions(readings, plan.turn.utterance, key=key, version=self.version))
        return results

    def _said(self, plan: Plan, parses: Parses) -> list[Reading]:
        """What a turn says, with what it amounts to beside that."""
        own, completed = self._read(plan.prepared, parses), list[Reading]()
        for answer, whole in plan.completed:
            completed += placed(self._read(whole, parses, is_open=False), answer)
        return outright(own, completed, self.ontology)

    def _mended(self, plan: Plan, readings: list[Reading], parses: Parses) -> list[Reading]:
        """With what the turn changes in what was said before it."""
        for correction, earlier in plan.corrected:
            said = [self._said(other, parses) for other in earlier]
            readings = corrections.carried(readings, said, correction, plan.prepared.text)
        if plan.taken is not None:
            taken, earlier_plan = plan.taken
            readings = [*readings, *taking_back.retractions(self._said(earlier_plan, parses), taken)]
        if plan.put is not None:
            put, wrong, right = plan.put
            known = {each.statement for each in readings}
            made = putting_right.said_right(self._said(wrong, parses), self._said(right, parses), put)
            readings = [*readings, *(each for each in made if each.statement not in known)]
        return readings

    def _parse(self, prepared: Sequence[Prepared]) -> Parses:
        """The parse of every sentence that can state something; each sentence is parsed by itself."""
        if _PARSING.isdisjoint(self.methods):
            return {}
        from kg_assets.triples.spacy_pass import parse

        wanted = {sentence_text(each.text, sentence) for each in prepared for sentence in each.parsed}
        ordered = sorted(wanted)
        return dict(zip(ordered, parse(ordered, self.parser), strict=True))

    def _read(self, prepared: Prepared, parses: Parses, *, is_open: bool = True) -> list[Reading]:
        ground = Ground(Scene(prepared.turn), self.ontology)
        readings: list[Reading] = []
        if RULES in self.methods:
            readings += ground.readings(_plain_statements(prepared), RULES)
        if DEPENDENCIES in self.methods:
            readings += ground.readings(_parsed_statements(prepared, parses), DEPENDENCIES)
        if OPEN in self.methods and is_open:
            readings += _unread(ground.readings(_open_statements(prepared, parses, self.ontology), OPEN), readings)
        return readings

    def _untold(self, told: list[Reading], known: list[Reading]) -> list[Reading]:
        """Without what only words anew, under a provisional predicate, what another voter has read."""
        anew = [each for each in told if self.ontology.predicate(each.predicate) is None and each.predicate != SAME_AS]
        kept = _unread(anew, known)
        return [each for each in told if each not in anew or each in kept]


def _plain_statements(prepared: Prepared) -> Iterator[Statement]:
    yield from note_statements(prepared.text, prepared.noted, prepared.times)
    for sentence in prepared.sentences:
        yield from sentence_statements(prepared.text, sentence, prepared.times)


def _parsed_statements(prepared: Prepared, parses: Parses) -> Iterator[Statement]:
    for sentence in prepared.parsed:
        words = parses.get(sentence_text(prepared.text, sentence), ())
        if words:
            for clause in Reader(prepared.text, sentence, Tree(words), prepared.times).clauses():
                yield from read(clause)


def _open_statements(prepared: Prepared, parses: Parses, ontology: Ontology) -> Iterator[Statement]:
    for sentence in prepared.parsed:
        words = parses.get(sentence_text(prepared.text, sentence), ())
        if words:
            yield from OpenReader(prepared.text, sentence, Tree(words), prepared.times, ontology).statements()


def _unread(found: list[Reading], known: list[Reading]) -> list[Reading]:
    """The open readings whose object no other voter has read half of: a deed may name what is known."""
    taken = [each.object.span for each in known if isinstance(each.object, Mention) and each.object.span]
    return [
        each
        for each in found
        if not isinstance(each.object, Mention)
        or each.object.span is None
        or not any(shared(each.object.span, known) for known in taken)
    ]


def shared(span: tuple[int, int], known: tuple[int, int]) -> bool:
    """Whether a span shares half of itself with what is known."""
    both = min(span[1], known[1]) - max(span[0], known[0])
    return both > 0 and 2 * both >= span[1] - span[0]


@lru_cache(maxsize=4)
def build_extractor(
    methods: tuple[str, ...] = METHODS, language_model: str = "", parser: str = PARSER, extra: str = ""
) -> Extractor:
    """An extractor with the shipped ontology and what a deployment adds to it (its text); the parser is loaded on its
    first use. Raises `NotReady` without it."""
    return Extractor(methods, extended(extra), language_model, parser)
