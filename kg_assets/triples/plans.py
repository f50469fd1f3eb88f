"""All that is read to understand one turn, made ready before anything is parsed: itself, the sentences that it amounts
to, and the earlier turns that it changes.
"""

import msgspec

from kg_assets.text.casual import restored
from kg_assets.text.chunks import Times
from kg_assets.text.forms import form_statements
from kg_assets.text.lexicon import NO_NAMES, bag
from kg_assets.text.notes import Note
from kg_assets.text.phrases import CALLED_BY_KIN
from kg_assets.text.segments import segments
from kg_assets.text.sentences import Sentence
from kg_assets.text.statements import parts
from kg_assets.text.times import find_times
from kg_assets.triples import corrections, putting_right, taking_back
from kg_assets.triples.completed import Answer
from kg_assets.triples.completing import completions
from kg_assets.triples.reading import Turn

READ_CHARS = 20_000
LONGEST_SENTENCE = 2_000  # characters that are parsed at once
_FEWEST_WORDS = 3
_ABOUT = bag("i we my our me us he she his her him you your") | CALLED_BY_KIN


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


def prepare(turn: Turn) -> Prepared:
    turn = _cut(turn)
    text = turn.utterance.text
    if turn.utterance.is_document and "block" in turn.utterance.metadata:
        return Prepared(turn, (), Times(()), ())  # a table or code, which are no sentences
    times = Times(find_times(text, 0))
    noted, sentences = ([], segments(text)) if turn.utterance.is_document else parts(text)
    parsed = tuple(each for each in sentences if may_state(each) and not form_statements(text, each, times))
    return Prepared(turn, tuple(sentences), times, parsed, tuple(noted))


class Plan(msgspec.Struct, frozen=True):
    """All that is read to understand a turn: itself, what it amounts to, and the earlier turns that it changes."""

    prepared: Prepared
    completed: tuple[tuple[Answer, Prepared], ...] = ()
    corrected: tuple[tuple[corrections.Correction, tuple["Plan", ...]], ...] = ()
    taken: tuple[taking_back.TakenBack, "Plan"] | None = None
    put: tuple[putting_right.PutRight, "Plan", "Plan"] | None = None

    @property
    def turn(self) -> Turn:
        return self.prepared.turn

    @property
    def parts(self) -> tuple[Prepared, ...]:
        return (self.prepared, *(whole for _, whole in self.completed))

    @property
    def others(self) -> tuple["Plan", ...]:
        """Those of earlier turns."""
        corrected = (plan for _, plans in self.corrected for plan in plans)
        return (*corrected, *(self.taken or ())[1:], *(self.put or ())[1:])


def planned(turn: Turn) -> Plan:
    plan = _whole(turn)
    turn = plan.turn
    put = putting_right.put_right(turn)
    taken = None if put else taking_back.taken_back(turn)
    return msgspec.structs.replace(
        plan,
        corrected=tuple(
            (correction, tuple(_whole(other) for other in corrections.corrected_turns(turn, correction)))
            for correction in corrections.corrections(turn)
        ),
        taken=(taken, _whole(taken.turn)) if taken else None,
        put=(put, _whole(put.wrong), _whole(put.right)) if put else None,
    )


def _whole(turn: Turn) -> Plan:
    """A turn with what a short answer or an idiom in it amounts to, each as a turn with the whole sentence."""
    prepared = prepare(turn)
    turn = prepared.turn
    return Plan(
        prepared,
        tuple(
            (
                each,
                prepare(
                    msgspec.structs.replace(turn, utterance=msgspec.structs.replace(turn.utterance, text=each.text))
                ),
            )
            for each in completions(turn, prepared.sentences)
        ),
    )


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
