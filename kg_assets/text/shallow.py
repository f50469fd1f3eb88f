"""Clauses without a parser: subject, verb group and complements found from left to right.

Standard library only; each word is looked at a bounded number of times. What does not look like plain
self-disclosure is left to the dependency parser.
"""

from collections.abc import Iterator
from typing import Literal

from kg_assets.text.chunks import ADVERBIALS, OPENERS, PREPOSITIONS, STOPS, SUBJECT_PRONOUNS, Chunks, Span, Times
from kg_assets.text.clauses import Clause
from kg_assets.text.elided import fragment, shared
from kg_assets.text.lexicon import VERBS, bag
from kg_assets.text.phrases import Phrase, phrase_of
from kg_assets.text.sentences import Sentence
from kg_assets.text.verb_groups import ADVERBS, BE, MODALS, VerbGroup, verb_group

IN_TIME = frozenset({"when", "once", "until", "before", "after", "while"})  # with a present tense these look ahead
_PASTIMES = frozenset({"like", "love", "enjoy", "adore", "hate", "dislike", "start", "begin"})
PARTICLES = frozenset({"up", "away", "out", "off", "down", "on"})
GOOD_AT = bag("good great brilliant excellent amazing skilled talented")
BAD_AT = bag("bad terrible awful hopeless rubbish useless")
TAKING_ADJECTIVES = (
    bag(
        "allergic married engaged retired fluent fond passionate obsessed crazy interested keen afraid scared terrified"
    )
    | GOOD_AT
    | BAD_AT
)
PHRASAL = frozenset(
    {("call", "off"), ("grow", "up"), ("put", "off"), ("take", "up"), ("give", "up"), ("pick", "up"), ("sign", "up")}
)
_STATES = frozenset({"live", "work", "study"})
_DONE_TO = frozenset({"steal", "destroy", "sell", "wreck", "cancel", "scrap", "crush", "tow"})
_LASTING = _STATES | {"reside", "own", "base", "move"}
_QUALIFYING = frozenset({"at", "with", "in", "to", "from"})
_MOST_SHARED = 4  # verbs of one subject
_OPENING = 8  # words in front of a clause
_REACH = 40  # words in one clause, its infinitives and gerunds included


def clauses(text: str, sentence: Sentence, times: Times) -> Iterator[Clause]:
    """The plain clauses of a sentence; `times` finds the time expression at a place."""
    if sentence.is_question or sentence.is_supposed:
        return
    chunks, position, resumed = Chunks(text, sentence.tokens, times), 0, -1
    while position < min(len(sentence.tokens), sentence.open_until):
        begins = position == resumed or _can_begin(chunks, position)
        clause, after = _clause(chunks, position) if begins else (None, position + 1)
        if clause is not None and not _is_open(sentence, chunks, position, clause):
            yield clause
            yield from (clause._replace(subject=other, others=(clause.subject,)) for other in clause.others)
            for _ in range(_MOST_SHARED):
                more, after = _shared(chunks, clause, after)
                if more is None:
                    break
                yield more
        elif clause is not None and clause.tense == "past" and chunks.lower(after) in ("i", "we"):
            resumed = after  # "When I was a student | I worked in a shop"
        position = max(after, position + 1)


def _can_begin(chunks: Chunks, position: int) -> bool:
    if position == 0 or not chunks.is_word(position - 1) or chunks.lower(position - 1) in OPENERS:
        return True
    if chunks.lower(position) not in ("i", "we"):
        return False
    return chunks.time(position - 1) is not None or _is_opened(chunks, position)  # "last year I moved"


def _is_opened(chunks: Chunks, position: int) -> bool:
    """ "Since the baby | I hardly drink", "most evenings | I crochet": no verb stands in front."""
    first = chunks.lower(0)
    opened = first in PREPOSITIONS or first in ("since", "most", "every", "some", "after", "before")
    return opened and position < _OPENING and not any(chunks.lower(place) in VERBS for place in range(1, position))


def _is_open(sentence: Sentence, chunks: Chunks, position: int, clause: Clause) -> bool:
    """What is only to come under a condition, or stands in a clause of time that looks ahead."""
    conditional = sentence.open_until < len(sentence.tokens) and clause.tense == "future"
    conditional = conditional or (sentence.is_conditional and is_of_state(clause))
    return conditional or (chunks.lower(position - 1) in IN_TIME and only_dates(clause))


def is_of_state(clause: Clause) -> bool:
    """What cannot be a habit: "I live in Rome when I'm rich" is no home, "I eat fish when I'm there" is a taste."""
    return clause.verb in _LASTING and clause.tense in ("present", "future") and not clause.progressive


def only_dates(clause: Clause) -> bool:
    """Behind "when": what is to come, or a change long past ("when I turned ten") whose date nobody gives."""
    return clause.tense in ("present", "future") or (clause.verb not in _STATES and not clause.times)


def _clause(chunks: Chunks, position: int) -> tuple[Clause | None, int]:
    subject, after = chunks.subject(position)
    if chunks.lower(position) in ("none", "neither") and chunks.lower(position + 1) == "of":
        return _of_none(chunks, position + 2)
    if chunks.lower(position) == "it" and _is_done_to(chunks, after):
        subject = phrase_of(chunks.text, chunks.tokens[position:after])
    told = subject is not None and verb_group(chunks.tokens, after) is not None
    if not told and (group := fragment(chunks, position)) is not None:
        start = chunks.tokens[position].start
        speaker = Phrase("", start, start, ("i",), is_pronoun=True)
        return _complements(chunks, speaker, group, min(len(chunks.tokens), group.next + _REACH))
    others: tuple[Phrase, ...] = ()
    placed: tuple[tuple[str, tuple[Phrase, ...]], ...] = ()
    if subject is not None and not told and chunks.lower(after) in ("and", "&"):
        others, (subject, after) = (subject,), chunks.subject(after + 1) if chunks.is_word(after + 1) else (None, after)
    elif subject is not None and not told and chunks.lower(after) in _QUALIFYING and not subject.is_pronoun:
        phrase, end = chunks.subject(after + 1) if chunks.is_word(after + 1) else (None, after)
        placed, after = (((chunks.lower(after), (phrase,)),), end) if phrase is not None else ((), after)
    group = verb_group(chunks.tokens, after) if subject is not None else None
    if subject is None or group is None:
        return None, position + 1
    clause, after = _complements(chunks, subject, group, min(len(chunks.tokens), group.next + _REACH))
    return clause._replace(others=others, placed=placed), after


def _shared(chunks: Chunks, clause: Clause, position: int) -> tuple[Clause | None, int]:
    """What the same subject does or is besides: "I live in Graz | and work at IKEA"."""
    group = shared(chunks, clause, position)
    if group is None:
        return None, position
    return _complements(chunks, clause.subject, group, min(len(chunks.tokens), group.next + _REACH))


def _of_none(chunks: Chunks, position: int) -> tuple[Clause | None, int]:
    """ "None of my kids | smoke", "neither of us | speaks French": told of all of them, and denied."""
    if not chunks.is_word(position):
        return None, position
    if chunks.lower(position) == "us":
        subject, after = phrase_of(chunks.text, chunks.tokens[position : position + 1]), position + 1
    else:
        subject, after = chunks.subject(position)
    group = verb_group(chunks.tokens, after) if subject is not None else None
    if subject is None or group is None:
        return None, position
    denied = group._replace(negation=group.negation or "not")
    return _complements(chunks, subject, denied, min(len(chunks.tokens), group.next + _REACH))


def _is_done_to(chunks: Chunks, position: int) -> bool:
    """ "It | got stolen": of all that is said of "it" only what happens to a thing."""
    group = verb_group(chunks.tokens, position)
    return group is not None and group.passive and group.lemma in _DONE_TO


def told_of(
    chunks: Chunks, subject: Phrase, position: int, group: VerbGroup | None = None
) -> tuple[Clause | None, int]:
    """The clause whose verb begins here, told of somebody named before: "our son, who | lives in Rome"."""
    group = group or verb_group(chunks.tokens, position)
    if group is None:
        return None, position
    return _complements(chunks, subject, group, min(len(chunks.tokens), group.next + _REACH))


def _complements(chunks: Chunks, subject: Phrase, group: VerbGroup, stop: int) -> tuple[Clause, int]:
    """Objects, prepositional phrases, an infinitive or gerund, up to the end of the clause."""
    first = chunks.tokens[0].start
    verb_span = (
        (chunks.tokens[group.next - 1].start, chunks.tokens[group.next - 1].end) if group.next else (first, first)
    )
    clause = Clause(
        text=chunks.text,
        start=subject.start,
        end=verb_span[1],
        subject=subject,
        verb=group.lemma,
        verb_span=verb_span,
        tense=group.tense,
        progressive=group.progressive,
        passive=group.passive,
        used_to=group.used_to,
        negation=group.negation,
    )
    position = group.next
    if group.lemma == "can" and position < stop:
        return _inner(chunks, position, clause, stop, "to")
    while position < stop:
        clause, after = _complement(chunks, position, clause, stop)
        if after == position:
            break
        position = after
    return clause, position


def _complement(chunks: Chunks, position: int, clause: Clause, stop: int) -> tuple[Clause, int]:
    """The clause with one complement more, and the position after it; the same position where the clause ends."""
    token, word = chunks.tokens[position], chunks.lower(position)
    if timed := chunks.time(position):
        return _with_time(chunks, position, clause, *timed)
    if token.text == ",":
        return _after_comma(chunks, position, clause)
    if not token.is_word or word in MODALS:
        return clause, position
    if (after := _ended(chunks, position)) > position:
        ended = clause._replace(negation="ended", end=chunks.tokens[after - 1].end) if clause.negation else clause
        return ended, after
    parted = clause.verb in ("put", "give") and bool(clause.objects)  # "we put our cat down"
    if (clause.verb, word) in PHRASAL and not clause.particle and not clause.objects:
        return clause._replace(particle=word, end=token.end), position + 1
    if word == "not" and chunks.lower(position + 1) == "to" and not clause.objects:  # "we decided not to go"
        return clause._replace(negation="not"), position + 1
    if word in PARTICLES and not clause.particle and (parted or not clause.objects) and _stands_alone(chunks, position):
        return clause._replace(particle=word, end=token.end), position + 1
    if word in TAKING_ADJECTIVES and clause.verb in ("be", "get") and not clause.objects and not clause.adjective:
        return clause._replace(adjective=word, end=token.end), position + 1
    if word in PREPOSITIONS:
        return _prepositional(chunks, position, clause, stop)
    if word == "how" and clause.verb == "learn" and chunks.lower(position + 1) == "to" and position + 2 < stop:
        return _inner(chunks, position + 2, clause, stop, "to")
    if (often := _how_much(chunks, position)) > position:
        return clause, often
    if word in ADVERBIALS or word in ADVERBS:
        return clause, position + 1
    if word in STOPS:
        return clause, position
    gerund = word in VERBS and VERBS[word].form == "ing"
    if (
        (gerund or (clause.verb in _PASTIMES and _is_gerund(word)))
        and (not clause.objects or clause.verb == "spend")
        and clause.verb != "be"
    ):
        return _inner(chunks, position, clause, stop, "ing")
    return _object(chunks, position, clause)


def _how_much(chunks: Chunks, position: int) -> int:
    """The position after "a lot", "a bit", where they say how much and not of what."""
    size = 2 if chunks.lower(position) == "a" and chunks.lower(position + 1) in ("lot", "bit", "ton") else 0
    size = 1 if chunks.lower(position) == "alot" else size
    return position + size if size and chunks.lower(position + size) != "of" else position


def _with_time(chunks: Chunks, position: int, clause: Clause, span: Span, is_point: bool) -> tuple[Clause, int]:
    after = chunks.past(position, span)
    times = (*clause.times, span) if is_point else clause.times
    return clause._replace(times=times, end=chunks.tokens[after - 1].end), after


def _ended(chunks: Chunks, position: int) -> int:
    """The position after "anymore", "any more", "any longer"."""
    if chunks.lower(position) == "anymore":
        return position + 1
    return (
        position + 2
        if chunks.lower(position) == "any" and chunks.lower(position + 1) in ("more", "longer")
        else position
    )


def _stands_alone(chunks: Chunks, position: int) -> bool:
    """As in "grew up in", "passed away": no noun phrase of the particle's own follows."""
    after = chunks.lower(position + 1)
    return (
        not chunks.is_word(position + 1) or after in PREPOSITIONS or after in STOPS or bool(chunks.time(position + 1))
    )


def _after_comma(chunks: Chunks, position: int, clause: Clause) -> tuple[Clause, int]:
    """Only ", not Lena" and a time belong to the clause after a comma."""
    after = position + 1
    if timed := chunks.time(after):
        return _with_time(chunks, after, clause, *timed)
    if chunks.lower(after) == "not":
        after += 1 + (chunks.lower(after + 1) in PREPOSITIONS)
        phrases, end = chunks.phrases(after)
        if phrases and not chunks.is_word(end):
            return clause._replace(instead=phrases[0], end=phrases[-1].end), end
    return clause, position


def _prepositional(chunks: Chunks, position: int, clause: Clause, stop: int) -> tuple[Clause, int]:
    preposition, after = chunks.lower(position), position + 1
    if timed := chunks.time(after):
        return _with_time(chunks, after, clause, *timed)
    if preposition == "to" and _opens_infinitive(chunks, after) and after < stop:
        return _inner(chunks, after, clause, stop, "to")
    phrases, end = chunks.phrases(after)
    if not phrases:
        return clause, position
    return clause._replace(preps=(*clause.preps, (preposition, phrases)), end=phrases[-1].end), end


def _is_gerund(word: str) -> bool:
    return len(word) > 4 and word.endswith("ing") and word not in ("morning", "evening", "everything", "spring")


def _opens_infinitive(chunks: Chunks, position: int) -> bool:
    verb = VERBS.get(chunks.lower(position))
    return chunks.lower(position) == "be" or (
        verb is not None and verb.form == "base" and chunks.lower(position + 1) not in BE
    )


def _inner(chunks: Chunks, position: int, clause: Clause, stop: int, form: Literal["to", "ing"]) -> tuple[Clause, int]:
    word = chunks.lower(position)
    lemma = VERBS[word].lemma if word in VERBS else word.removesuffix("ing")
    group = VerbGroup(lemma, "present", position + 1)
    inner, after = _complements(chunks, clause.subject, group, stop)
    inner = inner._replace(start=chunks.tokens[position].start)
    return clause._replace(inner=inner, inner_form=form, end=inner.end, times=(*clause.times, *inner.times)), after


def _object(chunks: Chunks, position: int, clause: Clause) -> tuple[Clause, int]:
    phrases, after = chunks.phrases(position)
    if not phrases or phrases[0].lower in SUBJECT_PRONOUNS - {"you"}:
        return clause, position
    if not clause.objects:
        return clause._replace(objects=phrases, end=phrases[-1].end), after
    if clause.second is None and len(phrases) == 1 and not clause.preps:
        return clause._replace(second=phrases[0], end=phrases[0].end), after
    return clause, position
