"""What noun phrases say in passing, wherever they stand: in questions, requests and suppositions too.

"Can you draft a mail to my boss Petra?" asserts nothing by its verb, yet presupposes that Petra is the speaker's boss.
Whose someone is, their name, age and kind stand in the phrase itself; more stands right behind it ("my dog Rex, a
beagle", "our son who is 7", "my job at Siemens"). Standard library only; each word is looked at a bounded number of
times.
"""

from collections.abc import Callable, Iterator

from kg_assets.text.chunks import PREPOSITIONS, STOPS, Chunks, Times
from kg_assets.text.clauses import Clause, Statement, Value
from kg_assets.text.elided import shared
from kg_assets.text.frames.relations import called, introductions, kind_of_animal
from kg_assets.text.frames.stating import state, usable
from kg_assets.text.frames.work import is_trade
from kg_assets.text.lexicon import (
    BREEDS,
    CONDITION_ADJECTIVES,
    DIETS,
    GROUP_RELATIONS,
    NAMED_GROUPS,
    PLURAL_SPECIES,
    RELATIONS,
    SPECIES,
    VERBS,
    among,
    bag,
)
from kg_assets.text.mine import dated_event, given_away, named_at, of_mine
from kg_assets.text.phrases import Phrase, phrase_of
from kg_assets.text.sentences import SUPPOSING, Sentence
from kg_assets.text.verb_groups import verb_group

Reading = Callable[[Clause], list[Statement]]
Complements = Callable[..., tuple[Clause | None, int]]

_OWNING = frozenset({"my", "our"})
# In front of a noun these say that it is no longer so, not yet, or nowhere.
_NOT_NOW = bag(
    "old former previous last ex late future dream imaginary fictional next first own childhood fake potential"
)
_OVER = bag(
    "was were had did been used quit quitting left leaving lost losing sold selling gave gone went moved resigned "
    "fired died passed stolen stole ended cancelled canceled former yesterday ago broke stopped loved hated liked"
)
_WISHED = frozenset({"be", "become", "as"})  # "will you be my wife"
_OLDEST = 120
_LONGEST = 8  # words of one phrase


def presupposed(
    text: str, sentence: Sentence, times: Times, taken: frozenset[tuple[int, int]], read: Reading, behind: Complements
) -> Iterator[Statement]:
    """The statements of a sentence's noun phrases; those at `taken` places were read with their clause."""
    chunks = Chunks(text, sentence.tokens, times)
    over = not _OVER.isdisjoint(token.lower for token in sentence.tokens)
    position, end = 0, _end(sentence)
    if not sentence.is_conditional:
        yield from given_away(chunks, end, asks=sentence.is_question)
    while position < end:
        word = chunks.lower(position)
        after = position + 1
        if word in _OWNING and chunks.lower(position - 1) not in _WISHED:
            phrase, after = _own_phrase(chunks, position)
            denied = phrase is not None and not phrase.name and chunks.lower(position - 1) in ("not", "n't", "never")
            if phrase is not None and not denied:
                yield from _own(chunks, phrase, after, read, behind, over=over, known=phrase.span in taken)
        elif word in ("as", "being") and (position == 0 or not chunks.is_word(position - 1)):
            yield from _as_somebody(chunks, position, read, behind)
        position = max(after, position + 1)


def _end(sentence: Sentence) -> int:
    """What stands in another's mouth is left out; a condition, a wish or a belief presupposes as a question does."""
    opened = sentence.open_until
    if sentence.is_question or opened >= len(sentence.tokens) or sentence.tokens[opened].lower in SUPPOSING:
        return len(sentence.tokens)
    return opened


def _own_phrase(chunks: Chunks, position: int) -> tuple[Phrase | None, int]:
    """ "My 7 year old son Leo", "my wife's sister Carla": from "my" to the end of the noun phrase."""
    after = chunks.owned(position)
    while after - position < _LONGEST and chunks.lower(after) == "'s" and chunks.is_word(after + 1):
        owner = chunks.lower(after - 1)
        if owner not in RELATIONS and not chunks.tokens[after - 1].is_capitalised:
            break
        after += 2
        while after - position < _LONGEST and chunks.is_word(after) and chunks.tokens[after].is_capitalised:
            after += 1
    while after > position + 1 and chunks.lower(after - 1) in STOPS:
        after -= 1
    phrase = phrase_of(chunks.text, chunks.tokens[position:after])
    return (phrase if phrase is not None and phrase.owner is not None else None), after


def _own(
    chunks: Chunks, phrase: Phrase, after: int, read: Reading, behind: Complements, *, over: bool, known: bool
) -> Iterator[Statement]:
    before = chunks.text[phrase.owner.start if phrase.owner else phrase.start : phrase.start].casefold()
    opened = after
    while opened > 0 and chunks.tokens[opened - 1].start >= phrase.start:
        opened -= 1
    words = before.replace("-", " ").split()
    aged = any(word.startswith(("year", "month", "week")) for word in words)
    passing = not (_NOT_NOW - ({"old"} if aged else set())).isdisjoint(words)
    clause = _bare(chunks, phrase)
    yield from dated_event(chunks, phrase, clause, after)
    everyone = phrase.head in GROUP_RELATIONS and before.startswith("our")  # "education for our kids"
    kin = (bool(phrase.relation) and not everyone) or (_is_animal(phrase) and not _goes_on(chunks, after))
    if kin and not passing:
        if not known:
            yield from introductions(clause)
        yield from _named_behind(chunks, phrase, after)
        yield from _said_behind(chunks, phrase, after, read, behind, asserted=known)
    elif phrase.owner is not None and phrase.owner.relation:
        if not known:  # "my aunt Perpetua's jollof"
            yield from (
                each for each in introductions(clause) if each.subject is not phrase and each.object is not phrase
            )
    elif not passing:
        yield from of_mine(chunks, phrase, clause, after, opened, over=over)


def _goes_on(chunks: Chunks, after: int) -> bool:
    """ "My horse | painting": the animal only says of what kind another thing is."""
    verb = VERBS.get(chunks.lower(after))
    closed = not chunks.is_word(after + 1) or chunks.lower(after + 1) in ("i", "we", "he", "she", "they")
    return verb is not None and verb.form == "ing" and closed


def _bare(chunks: Chunks, phrase: Phrase) -> Clause:
    return Clause(chunks.text, phrase.start, phrase.end, phrase, "", (phrase.start, phrase.start))


def _is_animal(phrase: Phrase) -> bool:
    return any(among(phrase.words, listed) for listed in (SPECIES, BREEDS, PLURAL_SPECIES))


# ------------------------------------------------------------------------------------------ behind kin and animals


def _named_behind(chunks: Chunks, phrase: Phrase, after: int) -> Iterator[Statement]:
    """ "My kids, Tom and Lia", "our upstairs neighbour, Mrs Petrosyan"."""
    following = after + 1 if chunks.lower(after) == "," else after
    if not chunks.is_word(following) or not chunks.tokens[following].is_capitalised or phrase.owner is None:
        return
    found, end = chunks.phrases(following)
    named = [each for each in found if each.is_name and len(each.words) <= 3 and not each.determiner]
    if len(named) != len(found) or not named or (following > after and not _is_aside(chunks, end)):
        return
    clause, owner = _bare(chunks, phrase), phrase.owner
    if phrase.head in NAMED_GROUPS and len(named) > 1 and not phrase.name:
        for name in named:
            yield from state(clause, NAMED_GROUPS[phrase.head], name, subject=owner)
    elif among(phrase.words, PLURAL_SPECIES) and len(named) > 1:
        for name in named:
            yield from state(clause, "has_pet", name, subject=owner)
    elif len(named) == 1 and following > after and not phrase.name and _is_one(phrase):
        yield from called(clause, phrase, named[0], named=False)


def _is_one(phrase: Phrase) -> bool:
    """One person or animal, no group."""
    kin = bool(phrase.relation) and phrase.head in RELATIONS
    return kin or bool(among(phrase.words, SPECIES) or among(phrase.words, BREEDS))


def _is_aside(chunks: Chunks, end: int) -> bool:
    """Whether what was put between commas ends here: no list of other things goes on."""
    word = chunks.lower(end)
    return not chunks.is_word(end) or word in PREPOSITIONS or word in ("who", "and", "is", "was", "has")


def _said_behind(
    chunks: Chunks, phrase: Phrase, after: int, read: Reading, behind: Complements, *, asserted: bool
) -> Iterator[Statement]:
    """What stands behind them: "(7)", ", a beagle", "who is 7", "in Ghent"."""
    word, place = chunks.lower(after), after
    if word in ("(", ","):
        place, word = after + 1, chunks.lower(after + 1)
    clause = _bare(chunks, phrase)
    if place > after and (age := _age(chunks, place)):
        token = chunks.tokens[place + (word == "aged")]
        yield from state(clause, "age", Value(age, "number", token.text, token.start, token.end), subject=phrase)
    elif place > after and word in ("a", "an"):
        described, _ = chunks.phrase(place)
        if described is not None and usable(described):
            if animal := among(described.words, BREEDS) or among(described.words, SPECIES):
                yield from kind_of_animal(clause, described, animal, phrase)
            elif is_trade(described):
                yield from state(clause, "works_as", described, subject=phrase)
    elif word == "who" and verb_group(chunks.tokens, place + 1) is not None:
        told, end = behind(chunks, phrase, place + 1)
        while told is not None and told.tense in ("present", "perfect"):
            yield from (each for each in read(told) if each.subject is phrase)
            group = shared(chunks, told, end)
            told, end = behind(chunks, phrase, end, group) if group is not None else (None, end)
    elif word == "in" and place == after and not asserted and phrase.relation:
        for where in named_at(chunks, clause, after + 1):
            if where.is_name:
                yield from state(clause, "lives_in", where, subject=phrase)


def _age(chunks: Chunks, position: int) -> int:
    """The number of "(7)", "(7 years old)", ", 7," and ", aged 7"."""
    aged = chunks.lower(position) == "aged"
    word = chunks.lower(position + aged)
    closing = chunks.lower(position + aged + 1)
    number = int(word) if word.isascii() and word.isdecimal() and len(word) < 4 else 0
    closed = closing in ("", ")", ",", ".", "?", "!") or closing.startswith("year") or closing in ("yo", "y")
    return number if 0 < number < _OLDEST and (aged or closed) else 0


# ------------------------------------------------------------------------------------------------ as a nurse


def _as_somebody(chunks: Chunks, position: int, read: Reading, behind: Complements) -> Iterator[Statement]:
    """ "As a nurse I …", "being diabetic, …", "as someone who lives in Graz, …": said of the speaker."""
    owner = Phrase("", chunks.tokens[position].start, chunks.tokens[position].start, ("i",), is_pronoun=True)
    phrase, after = chunks.phrase(position + 1)
    if phrase is None:
        return
    said = [token.lower for token in chunks.tokens[after : after + 12]]
    if not {"i", "my", "me", "we", "our"} & set(said):
        return
    if phrase.is_pronoun and phrase.head in ("someone", "somebody") and chunks.lower(after) == "who":
        told, _ = behind(chunks, owner, after + 1)
        if told is not None and told.tense in ("present", "perfect"):
            yield from read(told)
        return
    clause = Clause(chunks.text, owner.start, phrase.end, owner, "be", (owner.start, owner.start))
    single = phrase.determiner in ("a", "an") or chunks.lower(position) == "being"
    if among(phrase.words, CONDITION_ADJECTIVES) or phrase.lower in DIETS:
        predicate = "diet" if phrase.lower in DIETS else "has_condition"
        yield from state(clause, predicate, phrase)
    elif single and is_trade(phrase) and phrase.words[-2:] != ("role", "model"):
        yield from state(clause, "works_as", phrase)
