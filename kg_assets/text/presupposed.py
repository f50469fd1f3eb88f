"""What noun phrases say in passing, wherever they stand: in questions, requests and suppositions too.

"Can you draft a mail to my boss Petra?" asserts nothing by its verb, yet presupposes that Petra is the speaker's boss.
Whose someone is, their name, age and kind stand in the phrase itself; more stands right behind it ("my dog Rex, a
beagle", "our son who is 7", "my job at Siemens"). Standard library only; each word is looked at a bounded number of
times.
"""

from collections.abc import Callable, Iterator

from kg_assets.text.chunks import PREPOSITIONS, STOPS, Chunks, Times
from kg_assets.text.clauses import Clause, Statement, Value
from kg_assets.text.frames.attributes import personal_nouns
from kg_assets.text.frames.relations import belonging, called, introductions, kind_of_animal
from kg_assets.text.frames.stating import names, state, usable
from kg_assets.text.frames.work import employers, is_trade
from kg_assets.text.lexicon import (
    BREEDS,
    CONDITION_ADJECTIVES,
    CONDITIONS,
    DIETS,
    GROUP_RELATIONS,
    MEDICATIONS,
    PLURAL_SPECIES,
    PRODUCTS,
    RELATIONS,
    SPECIES,
    VERBS,
    among,
    bag,
)
from kg_assets.text.phrases import Phrase, phrase_of
from kg_assets.text.sentences import SUPPOSING, Sentence
from kg_assets.text.verb_groups import verb_group

Reading = Callable[[Clause], list[Statement]]
Complements = Callable[[Chunks, Phrase, int], tuple[Clause | None, int]]

_OWNING = frozenset({"my", "our"})
# In front of a noun these say that it is no longer so, not yet, or nowhere.
_NOT_NOW = bag(
    "old former previous last ex late future dream imaginary fictional next first own childhood fake potential"
)
_JOBS = bag("job work role position internship apprenticeship career post")
_HOMES = bag("flat apartment house home place condo bungalow cottage studio bedsit")
_TRIPS = bag("trip holiday vacation visit flight honeymoon move journey weekend")
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
    while position < end:
        word = chunks.lower(position)
        after = position + 1
        if word in _OWNING and chunks.lower(position - 1) not in _WISHED:
            phrase, after = _own_phrase(chunks, position)
            if phrase is not None:
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
    opened = next((at for at, token in enumerate(chunks.tokens) if token.start >= phrase.start), after)
    words = before.replace("-", " ").split()
    aged = any(word.startswith(("year", "month", "week")) for word in words)
    passing = not (_NOT_NOW - ({"old"} if aged else set())).isdisjoint(words)
    clause = _bare(chunks, phrase)
    everyone = phrase.head in GROUP_RELATIONS and before.startswith("our")  # "education for our kids"
    kin = (bool(phrase.relation) and not everyone) or (_is_animal(phrase) and not _goes_on(chunks, after))
    if kin and not passing:
        if not known:
            yield from introductions(clause)
        yield from _named_behind(chunks, phrase, after)
        yield from _said_behind(chunks, phrase, after, read, behind, asserted=known)
    elif not passing:
        yield from _of_mine(chunks, phrase, clause, after, opened, over=over)


def _goes_on(chunks: Chunks, after: int) -> bool:
    """ "My horse | painting": the animal only says of what kind another thing is."""
    verb = VERBS.get(chunks.lower(after))
    return verb is not None and verb.form == "ing" and not chunks.is_word(after + 1)


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
    if phrase.head in GROUP_RELATIONS and len(named) > 1 and not phrase.name:
        for name in named:
            yield from state(clause, GROUP_RELATIONS[phrase.head], name, subject=owner)
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
        told, _ = behind(chunks, phrase, place + 1)
        if told is not None and told.tense in ("present", "perfect"):
            yield from (each for each in read(told) if each.subject is phrase)
    elif word == "in" and place == after and not asserted and phrase.relation:
        for where in _places(chunks, clause, after + 1):
            if where.is_name:
                yield from state(clause, "lives_in", where, subject=phrase)


def _places(chunks: Chunks, clause: Clause, position: int) -> Iterator[Phrase]:
    """The name that begins here, without the words in small letters behind it."""
    end = position
    while end < len(chunks.tokens) and end - position < _LONGEST and chunks.tokens[end].is_capitalised:
        end += 1
    phrase = phrase_of(chunks.text, chunks.tokens[position:end]) if end > position else None
    found = (phrase,) if phrase is not None else chunks.phrases(position)[0]
    yield from names(clause, found)[:1]


def _age(chunks: Chunks, position: int) -> int:
    """The number of "(7)", "(7 years old)", ", 7," and ", aged 7"."""
    aged = chunks.lower(position) == "aged"
    word = chunks.lower(position + aged)
    closing = chunks.lower(position + aged + 1)
    number = int(word) if word.isascii() and word.isdecimal() and len(word) < 4 else 0
    closed = closing in ("", ")", ",", ".", "?", "!") or closing.startswith("year") or closing in ("yo", "y")
    return number if 0 < number < _OLDEST and (aged or closed) else 0


# ------------------------------------------------------------------------------------------------- what is mine


def _of_mine(
    chunks: Chunks, phrase: Phrase, clause: Clause, after: int, opened: int, *, over: bool
) -> Iterator[Statement]:
    owner = phrase.owner
    if owner is None or not owner.is_pronoun or owner.head not in ("i", "we"):
        return
    single = len(phrase.words) == 1
    if phrase.head in _JOBS and single and not over:
        yield from _job(chunks, clause, owner, after)
    elif phrase.head in _HOMES and not over and chunks.lower(after) in ("in", "near") and len(phrase.words) <= 2:
        for where in _places(chunks, clause, after + 1):
            yield from state(clause, "lives_in", where, subject=owner)
    elif phrase.head in _TRIPS and single and not over and chunks.lower(after) == "to" and not _is_past(chunks):
        for where in _places(chunks, clause, after + 1):
            yield from state(clause, "plans_to_visit", where, subject=owner, aspect="happens")
    elif phrase.head in ("allergy", "allergies"):
        yield from _allergies(chunks, phrase, clause, owner, after)
    elif among(phrase.words, CONDITIONS):
        yield from belonging(clause, owner, phrase)
    elif among(phrase.words, MEDICATIONS) and phrase.head != "medication":
        yield from state(clause, "takes_medication", phrase._replace(owner=None), subject=owner)
    elif phrase.name and phrase.head in personal_nouns() and phrase.name_span:
        predicate, is_text = personal_nouns()[phrase.head]
        if not is_text:
            name = Phrase(phrase.name, *phrase.name_span, tuple(phrase.name.casefold().split()), is_name=True)
            yield from state(clause, predicate, name, subject=owner)
    elif not over and _is_product(chunks, phrase, opened):
        yield from state(clause, "owns", phrase._replace(owner=None), subject=owner)


def _is_product(chunks: Chunks, phrase: Phrase, opened: int) -> bool:
    """ "My 2015 Corolla", "my MacBook Air": by make and model."""
    made = chunks.lower(opened - 1)
    dated = phrase.is_name and len(made) == 4 and made.isdecimal() and made[:2] in ("19", "20")
    return dated or any(among(phrase.words[:end], PRODUCTS) for end in range(1, len(phrase.words) + 1))


def _is_past(chunks: Chunks) -> bool:
    """Whether a sentence tells of what was: "I took that on my trip to Rome last year"."""
    lowers = [token.lower for token in chunks.tokens]
    told = (VERBS.get(lower) for lower in lowers)
    return "last" in lowers or any(verb is not None and verb.form == "past" for verb in told)


def _job(chunks: Chunks, clause: Clause, owner: Phrase, after: int) -> Iterator[Statement]:
    if chunks.lower(after) == "as":
        trade, end = chunks.phrase(after + 1)
        if trade is not None and is_trade(trade):
            yield from state(clause, "works_as", trade, subject=owner)
            after = end
    if chunks.lower(after) in ("at", "with", "for"):
        for employer in employers(clause, chunks.phrases(after + 1)[0])[:1]:
            yield from state(clause, "works_at", employer, subject=owner)


def _allergies(chunks: Chunks, phrase: Phrase, clause: Clause, owner: Phrase, after: int) -> Iterator[Statement]:
    """ "My nut allergy", "my allergy to shellfish"."""
    if len(phrase.words) > 1 and phrase.words[-2] not in ("food", "bad", "severe", "mild"):
        end = phrase.start + len(phrase.text) - len(phrase.head) - 1
        thing = Phrase(chunks.text[phrase.start : end], phrase.start, end, phrase.words[:-1])
        yield from state(clause, "allergic_to", thing, subject=owner)
    elif chunks.lower(after) == "to":
        for thing in chunks.phrases(after + 1)[0]:
            if usable(thing) and thing.owner is None:
                yield from state(clause, "allergic_to", thing, subject=owner)


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
    if phrase.lower in CONDITION_ADJECTIVES or phrase.lower in DIETS:
        predicate = "diet" if phrase.lower in DIETS else "has_condition"
        yield from state(clause, predicate, phrase)
    elif single and is_trade(phrase) and phrase.words[-2:] != ("role", "model"):
        yield from state(clause, "works_as", phrase)
