"""From turns to assertions: every chosen voter reads, votes are counted.

A turn is read with its earlier turns and nothing else: not with the turns that happen to be in the same call, nor with
the graph. Only the first `READ_CHARS` characters of an utterance are read.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache

import msgspec

from kg_assets.errors import InvalidInput
from kg_assets.model import SAME_AS, Assertion, Mention
from kg_assets.text.casual import restored
from kg_assets.text.chunks import Times
from kg_assets.text.clauses import Statement
from kg_assets.text.extra_ontology import extended
from kg_assets.text.forms import form_statements
from kg_assets.text.lexicon import NO_NAMES, bag
from kg_assets.text.notes import Note, note_statements
from kg_assets.text.ontology import Ontology
from kg_assets.text.phrases import CALLED_BY_KIN
from kg_assets.text.segments import segments
from kg_assets.text.sentences import Sentence
from kg_assets.text.statements import parts, read, sentence_statements
from kg_assets.text.times import find_times
from kg_assets.triples import answering, corrections, exchanges, reported, restating
from kg_assets.triples.dependencies import Reader
from kg_assets.triples.discourse import Scene
from kg_assets.triples.grounding import Ground
from kg_assets.triples.open_reading import OpenReader
from kg_assets.triples.parsed import Tree, Word
from kg_assets.triples.reading import DEPENDENCIES, LANGUAGE_MODEL, OPEN, PARSER, RULES, Reading, Turn
from kg_assets.triples.voting import assertions

__all__ = ["METHODS", "Extractor", "Turn", "Voters", "build_extractor"]

RULE_SET = "23"  # raised with every change to what is read
READ_CHARS = 20_000
METHODS = (RULES, DEPENDENCIES)  # the default
ALL_METHODS = (*METHODS, OPEN)
_PARSING = frozenset({DEPENDENCIES, OPEN})
LONGEST_SENTENCE = 2_000  # characters that are parsed at once
_FEWEST_WORDS = 3
_ABOUT = bag("i we my our me us he she his her him you your") | CALLED_BY_KIN


class Voters(msgspec.Struct, frozen=True, kw_only=True):
    """Who reads, and the package of the pipeline that parses for them."""

    methods: tuple[str, ...] = METHODS
    parser: str = PARSER

    def extractor(self, ontology: Ontology, language_model: str = "") -> "Extractor":
        """These, and a language model of this version if there is one. Raises `NotReady` without the parser."""
        return build_extractor(self.methods, language_model, self.parser, ontology.extra)


class Prepared(msgspec.Struct, frozen=True):
    """A turn with what every voter needs: its sentences and time expressions, found once."""

    turn: Turn
    sentences: tuple[Sentence, ...]
    times: Times
    parsed: tuple[Sentence, ...]  # those worth a parse
    noted: tuple[Note, ...] = ()

    @property
    def text(self) -> str:
        return self.turn.utterance.text


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
        prepared = [prepare(turn) for turn in turns]
        earlier = [_corrected(each.turn) for each in prepared]
        completed = [_completed(each) for each in prepared]
        others = [other for found in earlier for _, before in found for other in before]
        parses = self._parse([*prepared, *others, *(whole for made in completed for _, whole in made)])
        results = []
        for place, each in enumerate(prepared):
            readings = self._read(each, parses)
            for answer, whole in completed[place]:
                readings += answering.placed(self._read(whole, parses, is_open=False), answer)
            if told and told[place]:
                ground = Ground(Scene(each.turn), self.ontology)
                readings += self._untold(ground.readings(told[place], LANGUAGE_MODEL), readings)
            for correction, before in earlier[place]:
                said = [self._read(other, parses) for other in before]
                readings = corrections.carried(readings, said, correction, each.text)
            results.append(assertions(readings, each.turn.utterance, key=key, version=self.version))
        return results

    def _parse(self, prepared: Sequence[Prepared]) -> dict[str, tuple[Word, ...]]:
        """The parse of every sentence that can state something; each sentence is parsed by itself."""
        if _PARSING.isdisjoint(self.methods):
            return {}
        from kg_assets.triples.spacy_pass import parse

        wanted = {sentence_text(each.text, sentence) for each in prepared for sentence in each.parsed}
        ordered = sorted(wanted)
        return dict(zip(ordered, parse(ordered, self.parser), strict=True))

    def _read(self, prepared: Prepared, parses: dict[str, tuple[Word, ...]], *, is_open: bool = True) -> list[Reading]:
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


def prepare(turn: Turn) -> Prepared:
    turn = _cut(turn)
    text = turn.utterance.text
    if turn.utterance.is_document and "block" in turn.utterance.metadata:
        return Prepared(turn, (), Times(()), ())  # a table or code, which are no sentences
    times = Times(find_times(text, 0))
    noted, sentences = ([], segments(text)) if turn.utterance.is_document else parts(text)
    parsed = tuple(each for each in sentences if may_state(each) and not form_statements(text, each, times))
    return Prepared(turn, tuple(sentences), times, parsed, tuple(noted))


def _corrected(turn: Turn) -> list[tuple[corrections.Correction, list[Prepared]]]:
    """What a turn corrects, each with the earlier turns that it may take back."""
    return [
        (correction, [prepare(other) for other in corrections.corrected_turns(turn, correction)])
        for correction in corrections.corrections(turn)
    ]


def _completed(prepared: Prepared) -> list[tuple[answering.Answer, Prepared]]:
    """What a short answer or an idiom amounts to, each as a turn with the whole sentence."""
    turn = prepared.turn
    return [
        (
            each,
            prepare(msgspec.structs.replace(turn, utterance=msgspec.structs.replace(turn.utterance, text=each.text))),
        )
        for each in (
            *answering.answers(turn),
            *restating.restatements(turn, prepared.sentences),
            *reported.reported(prepared.text),
            *reported.told_of_another(prepared.text),
            *exchanges.exchanged(turn),
        )
    ]


def _plain_statements(prepared: Prepared) -> Iterator[Statement]:
    yield from note_statements(prepared.text, prepared.noted, prepared.times)
    for sentence in prepared.sentences:
        yield from sentence_statements(prepared.text, sentence, prepared.times)


def _parsed_statements(prepared: Prepared, parses: dict[str, tuple[Word, ...]]) -> Iterator[Statement]:
    for sentence in prepared.parsed:
        words = parses.get(sentence_text(prepared.text, sentence), ())
        if words:
            for clause in Reader(prepared.text, sentence, Tree(words), prepared.times).clauses():
                yield from read(clause)


def _open_statements(
    prepared: Prepared, parses: dict[str, tuple[Word, ...]], ontology: Ontology
) -> Iterator[Statement]:
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


def sentence_text(text: str, sentence: Sentence) -> str:
    return text[sentence.start : min(sentence.end, sentence.start + LONGEST_SENTENCE)]


def may_state(sentence: Sentence) -> bool:
    """Whether a sentence is worth a parse: no question, no supposition, long enough, and about somebody."""
    if sentence.is_question or sentence.is_supposed or sentence.open_until < _FEWEST_WORDS - 1:
        return False
    words = [token for token in sentence.tokens if token.is_word]
    return len(words) >= _FEWEST_WORDS and any(
        token.lower in _ABOUT or (token.is_capitalised and token.lower not in NO_NAMES) for token in words
    )


def _cut(turn: Turn) -> Turn:
    """The turn with what is read of its text, quick writing put in order; places stay where they are."""
    text = turn.utterance.text[:READ_CHARS]
    text = text if turn.utterance.is_document else restored(text)
    if text == turn.utterance.text:
        return turn
    return msgspec.structs.replace(turn, utterance=msgspec.structs.replace(turn.utterance, text=text))


@lru_cache(maxsize=4)
def build_extractor(
    methods: tuple[str, ...] = METHODS, language_model: str = "", parser: str = PARSER, extra: str = ""
) -> Extractor:
    """An extractor with the shipped ontology and what a deployment adds to it (its text); the parser is loaded on its
    first use. Raises `NotReady` without it."""
    return Extractor(methods, extended(extra), language_model, parser)
