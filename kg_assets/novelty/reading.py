"""An utterance as far as it can be read without its memory: sentences, content, names, times. No model, no I/O."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence

import msgspec

from kg_assets.model import Draft
from kg_assets.novelty.claims import Claim, claims_of
from kg_assets.novelty.vocabulary import (
    COURTESIES,
    EMPTY,
    FIRST_PERSON,
    NEGATIONS,
    OPENERS,
    PAST,
    POINTERS,
    SECOND_PERSON,
    VAGUE,
)
from kg_assets.text import sentences
from kg_assets.text.names import normal_form
from kg_assets.text.ontology import Ontology
from kg_assets.text.times import find_times
from kg_assets.text.tokens import stem, terms, words

READ_CHARS = 4_000  # two pages; 20 ms of ordinary prose, 0.2 s of text made to be slow ("may 1 may 1 …")
SHOUTED = 4  # capitals in a sentence of capitals name nothing, from so many words on


class Sentence(msgspec.Struct, frozen=True, kw_only=True):
    """`content` are the stems of the words that tell something, `spans` where they stand in the text.

    `concrete` are the different stems among them that are no words of praise or feeling; of those there are `vague`.
    `names` are the normal forms of capitalised spans.
    """

    start: int  # in the text
    question: bool
    own: bool  # the speaker tells of themselves
    elliptic: bool  # the same, but for the "I"
    addressed: bool  # to "you"
    exclaimed: bool
    denied: bool  # holds a negation
    past: bool
    pointing: bool  # opens with "it", "that", "she"
    words: int
    courtesies: int
    vague: int
    content: tuple[str, ...]
    concrete: tuple[str, ...]
    spans: tuple[tuple[int, int], ...]
    names: tuple[str, ...]
    times: int
    numbers: int


class Reading(msgspec.Struct, frozen=True, kw_only=True):
    """`counts` holds every term of the utterance, for the memory's statistics."""

    draft: Draft
    counts: dict[str, int]
    sentences: tuple[Sentence, ...]
    claims: tuple[Claim, ...]

    @property
    def told(self) -> tuple[Sentence, ...]:
        """The sentences that are no questions."""
        return tuple(sentence for sentence in self.sentences if not sentence.question)


def read(draft: Draft, ontology: Ontology, *, multi_speaker: bool) -> Reading:
    """Every word is counted, but only the beginning of a long text is judged: this is on the way of each request."""
    judged = msgspec.structs.replace(draft, text=beginning(draft.text))
    return Reading(
        draft=draft,
        counts=dict(Counter(terms(draft.text))),
        sentences=tuple(_sentences(judged)),
        claims=claims_of(judged, ontology, multi_speaker=multi_speaker),
    )


def beginning(text: str) -> str:
    """Up to `READ_CHARS`, cut between words."""
    if len(text) <= READ_CHARS:
        return text
    cut = text[:READ_CHARS]
    return cut if text[READ_CHARS].isspace() else cut[: cut.rfind(" ")] if " " in cut else cut


def _sentences(draft: Draft) -> Iterator[Sentence]:
    times = sorted(expression.span for expression in find_times(draft.text, draft.said_at))
    for found in sentences.split(draft.text):
        text = draft.text[found.start : found.end]
        said = words(text)
        if said:
            telling = [word for word in said if word not in EMPTY]
            own = not FIRST_PERSON.isdisjoint(said)
            yield Sentence(
                start=found.start,
                question=found.is_question,
                own=own,
                elliptic=not own and said[0] in OPENERS,
                addressed=not SECOND_PERSON.isdisjoint(said),
                exclaimed=text.endswith("!"),
                denied=not NEGATIONS.isdisjoint(said),
                past=any(_is_past(word) for word in said),
                pointing=said[0] in POINTERS,
                words=len(said),
                courtesies=sum(word in COURTESIES for word in said),
                vague=sum(word in VAGUE for word in telling),
                content=tuple(stem(word) for word in telling),
                concrete=tuple(dict.fromkeys(stem(word) for word in telling if word not in VAGUE)),
                spans=tuple((token.start, token.end) for token in found.tokens if _tells(token)),
                names=tuple(_names(found.tokens, times, normal_form(draft.speaker))),
                times=bisect_left(times, (found.end,)) - bisect_left(times, (found.start,)),
                numbers=sum(any(sign.isdigit() for sign in word) for word in said),
            )


def _is_past(word: str) -> bool:
    return word in PAST or (word.endswith("ed") and len(word) > 4)


def _tells(token: sentences.Token) -> bool:
    return token.is_word and token.lower not in EMPTY and token.lower not in NEGATIONS


def _names(tokens: Sequence[sentences.Token], times: Sequence[tuple[int, int]], speaker_key: str) -> Iterator[str]:
    """Runs of capitalised words, but for the first word of a sentence on its own, times and the speaker's own name."""
    if len(tokens) >= SHOUTED and all(token.text.isupper() for token in tokens if token.is_word):
        return
    run: list[sentences.Token] = []
    for token in [*tokens, None]:
        if token is not None and _is_name(token, times):
            run.append(token)
        elif run:
            key = normal_form(" ".join(each.text for each in run))
            if key != speaker_key and run != [tokens[0]]:
                yield key
            run = []


def _is_name(token: sentences.Token, times: Sequence[tuple[int, int]]) -> bool:
    return token.is_word and token.is_capitalised and token.lower not in EMPTY and not _within(times, token.start)


def _within(spans: Sequence[tuple[int, int]], place: int) -> bool:
    """Whether a place lies in one of these spans, which are sorted and do not overlap."""
    before = bisect_left(spans, (place + 1,))
    return before > 0 and place < spans[before - 1][1]
