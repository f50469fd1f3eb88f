"""Which evidence an erasure takes: the utterances, what was read from them, and what was read with their help.

A turn is read with up to twenty turns before it: "she" is somebody they named, a correction takes back what they said.
What later turns say in their own words stays; what they can owe to an erased turn goes too, and they are read again
without it. Which that is, is judged on the safe side: too much is only read again.
"""

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Sequence

import msgspec

from kg_assets.errors import NotFound
from kg_assets.graph.generations import generations
from kg_assets.index.windows import BLOCK, CONTEXT
from kg_assets.model import SELF_KEY, Assertion, Mention, Utterance
from kg_assets.ports import Memory
from kg_assets.text.names import normal_form, relation_key
from kg_assets.text.tokens import terms
from kg_assets.triples.reading import LANGUAGE_MODEL
from kg_assets.utterances.context import ASSERTED, BEFORE

NEXT = 2  # turns that may only say what the turns before them are about
NEARBY = CONTEXT + BLOCK  # turns that can have been encoded together
OWN_WORDS = frozenset(["i", "me", "my", "mine", "myself", "we", "us", "our", "ours", "ourselves"])
OWNER = re.compile(r"(?:my|our)\s+", re.IGNORECASE)
CORRECTS = re.compile(r"\bnot\b|\*", re.IGNORECASE)  # every form of correction has one of these


class Selection(msgspec.Struct, frozen=True, kw_only=True):
    """`reread` wait for extraction again, `rewindow` for the index; `near` were encoded together with what goes."""

    turns: tuple[Utterance, ...]
    assertions: tuple[Assertion, ...]
    terms: dict[str, int]
    reread: tuple[int, ...]
    rewindow: tuple[int, ...]
    near: tuple[Utterance, ...]


def said(memory: Memory, ids: Sequence[str]) -> list[Utterance]:
    """By id, each once. Raises `NotFound`."""
    found = []
    for utterance_id in dict.fromkeys(ids):
        utterance = memory.ledger.utterance(utterance_id)
        if utterance is None:
            raise NotFound(f"there is no utterance {utterance_id!r} in this memory; nothing was erased")
        found.append(utterance)
    return found


def said_in(memory: Memory, sessions: Sequence[str]) -> list[Utterance]:
    """All of these sessions. Raises `NotFound` where one has no utterance."""
    found = []
    for session in dict.fromkeys(sessions):
        turns = memory.ledger.session_turns(session)
        if not turns:
            raise NotFound(f"there is no session {session!r} in this memory; nothing was erased")
        found += turns
    return found


def selection(memory: Memory, turns: Sequence[Utterance]) -> Selection:
    gone = {turn.seq for turn in turns}
    read = memory.ledger.assertions_of_utterances(sorted(gone))
    asserted = {each.seq for each in read if each.extractor == ASSERTED}  # their words were never counted
    counts = Counter(term for turn in turns if turn.seq not in asserted for term in terms(turn.text))
    reread: list[int] = []
    rewindow: list[int] = []
    near: list[Utterance] = []
    for name in sorted({turn.session for turn in turns}):
        session = memory.ledger.session_turns(name)
        places = [place for place, turn in enumerate(session) if turn.seq in gone]
        later, helped = _read_after(memory, session, places)
        reread += later
        read += helped
        rewindow += [turn.seq for turn in session[places[0] // BLOCK * BLOCK :] if turn.seq not in gone]
        near += [turn for place, turn in enumerate(session) if turn.seq not in gone and _near(places, place)]
    return Selection(
        turns=tuple(turns),
        assertions=tuple({each.id: each for each in read}.values()),
        terms=dict(counts),
        reread=tuple(reread),
        rewindow=tuple(rewindow),
        near=tuple(near),
    )


def _near(places: Sequence[int], place: int) -> bool:
    return bisect_right(places, place + NEARBY) > bisect_left(places, place - NEARBY)


def _read_after(
    memory: Memory, session: Sequence[Utterance], places: Sequence[int]
) -> tuple[list[int], list[Assertion]]:
    """The turns that were read with the erased ones, and those of their assertions that can owe something to them."""
    labels = {normal_form(session[place].speaker) for place in places}
    distance: dict[int, int] = {}
    for place, turn in enumerate(session):
        last = bisect_left(places, place) - 1
        if last >= 0 and place not in places and place - places[last] <= BEFORE:
            distance[turn.seq] = place - places[last]
    found: dict[int, list[Assertion]] = {seq: [] for seq in distance}
    for each in memory.ledger.assertions_of_utterances(list(distance)):
        found[each.seq].append(each)
    turns = {turn.seq: turn for turn in session}
    again = [each for made in generations(memory) for each in made.again]
    reread, helped = [], []
    for seq, assertions in found.items():
        if any(each.extractor == ASSERTED for each in assertions):
            continue
        reread.append(seq)
        every = distance[seq] <= NEXT or CORRECTS.search(turns[seq].text) is not None
        every = every or any(each.covers(seq) for each in again)  # what is read now takes the place of all readings
        helped += [
            each
            for each in assertions
            if every
            or LANGUAGE_MODEL in each.extractor
            or not in_own_words(each, turns[seq], labels, multi_speaker=memory.info.multi_speaker)
        ]
    return reread, helped


def in_own_words(assertion: Assertion, turn: Utterance, labels: set[str], *, multi_speaker: bool) -> bool:
    """Whether the turn itself names everybody in it, and nobody by the label of an erased turn alone."""
    own = SELF_KEY if turn.role == "user" and not multi_speaker else normal_form(turn.speaker)
    ends = [each for each in (assertion.subject, assertion.object) if isinstance(each, Mention)]
    return all(_named_there(each, turn.text, own) for each in ends) and not any(
        each.key in labels and each.key != own for each in ends
    )


def _named_there(mention: Mention, text: str, own: str) -> bool:
    if mention.span is None:
        return False
    words = text[slice(*mention.span)]
    if not words.strip():
        return False
    if mention.key == own and words.casefold() in OWN_WORDS:
        return True
    owner = OWNER.match(words)
    if owner:
        return mention.key in (relation_key(own, words[owner.end() :]), normal_form(words))
    return mention.key == normal_form(words)
