"""What is one's own and what one asks for, as far as it tells of a life: "my job at Siemens", "my Django app", "a hotel
in Krakow, please", "what can I take for hay fever?". Standard library only."""

from collections.abc import Iterator

from kg_assets.text.chunks import Chunks
from kg_assets.text.clauses import Clause, Statement
from kg_assets.text.frames.attributes import personal_nouns
from kg_assets.text.frames.relations import belonging
from kg_assets.text.frames.stating import is_two, names, state, usable
from kg_assets.text.frames.things import is_kept
from kg_assets.text.frames.work import employers, is_trade
from kg_assets.text.lexicon import EVENTS, NO_NAMES, PRODUCTS, TECHNOLOGIES, VERBS, ails, among, bag, heals
from kg_assets.text.phrases import Phrase, phrase_of
from kg_assets.text.verb_groups import BE

_JOBS = bag("job work role position internship apprenticeship career post")
_HOMES = bag(
    "flat apartment house home place condo bungalow cottage studio bedsit hallway kitchen garden backyard bathroom "
    "bedroom basement balcony attic allotment"
)
_TRIPS = bag("trip holiday vacation visit flight honeymoon move journey weekend")
_PROJECTS = bag("project app game startup start-up thesis dissertation podcast blog newsletter novel channel band")
_LANDS = bag("country homeland")
_TOWNS = bag("town city village hometown")
_BOOKED = bag(
    "itinerary flight flights hotel hotels hostel hostels airbnb weekend days week nights holiday trip honeymoon "
    "stopover layover vacation weeks"
)
_ASKING = bag(
    "suggest plan find book give recommend help make write create need looking want list show any cheap best good "
    "draft planning can could what where which how know"
)
_TAKING = bag("take use do eat try drink")
_LONGEST = 8  # words of a name
_GIVING = _BOOKED | _TAKING | bag("on using running upgrading upgraded updating")  # without one of them nothing is told


def given_away(chunks: Chunks, end: int, *, asks: bool) -> Iterator[Statement]:
    """What a request tells beside what is mine: where one is going, what one suffers from and works on."""
    if not chunks.tokens:
        return
    lowers = [token.lower for token in chunks.tokens[:end]]
    if _GIVING.isdisjoint(lowers):
        return
    first = next((lower for lower in lowers if lower not in ("please", "hi", "hey", "ok", "so", "and", ",")), "")
    finite = any(lower in BE or lower in VERBS for lower in lowers)  # none: "two weeks in Vietnam in November"
    requested = asks or first in _ASKING or not finite
    start = chunks.tokens[0].start
    speaker = Phrase("", start, start, ("i",), is_pronoun=True)
    clause = Clause(chunks.text, start, chunks.tokens[-1].end, speaker, "", (start, start))
    if requested and not _is_past(chunks):
        yield from _trip_asked(chunks, clause, lowers)
    if asks and "i" in lowers:
        yield from _remedy_asked(chunks, clause, lowers)
    yield from _on_systems(chunks, clause, lowers)


def _trip_asked(chunks: Chunks, clause: Clause, lowers: list[str]) -> Iterator[Statement]:
    """ "Cheap hotels in Krakow", "an itinerary for Ljubljana", "flights to Oslo"."""
    for place in range(len(lowers) - 2):
        if lowers[place] not in _BOOKED or lowers[place + 1] not in ("in", "to", "for"):
            continue
        if lowers[place + 1] == "for" and lowers[place] not in ("itinerary",):
            continue
        token = chunks.tokens[place + 2]
        if token.is_capitalised and token.lower not in NO_NAMES and not chunks.time(place + 2):
            for where in named_at(chunks, clause, place + 2):
                yield from state(clause, "plans_to_visit", where, aspect="happens")
            return


def _remedy_asked(chunks: Chunks, clause: Clause, lowers: list[str]) -> Iterator[Statement]:
    """ "What can I take for hay fever?": who asks so has it."""
    for place in range(2, len(lowers) - 1):
        if lowers[place] in ("for", "against") and "i" in lowers[max(0, place - 4) : place]:
            if not _TAKING & set(lowers[max(0, place - 3) : place]):
                continue
            phrase, _ = chunks.phrase(place + 1)
            if phrase is not None and phrase.owner is None and ails(phrase.words):
                yield from state(clause, "has_condition", phrase)
                return
        if lowers[place] == "with" and lowers[place - 1] in _CLASHING:
            phrase, _ = chunks.phrase(place + 1)
            if phrase is not None and heals(phrase.words):
                yield from state(clause, "takes_medication", phrase._replace(owner=None))


_CLASHING = bag("clash interact interfere mix interacts clashes okay ok safe fine")


def dated_event(chunks: Chunks, phrase: Phrase, clause: Clause, after: int) -> Iterator[Statement]:
    """ "My interview on Thursday", "my daughter's recital next week": it is then, whatever else is said of it."""
    place = after
    if chunks.lower(place) in ("in", "at") and chunks.is_word(place + 1) and chunks.tokens[place + 1].is_capitalised:
        place += 2  # "my wedding in Split | in August"
    place += chunks.lower(place) in ("on", "in", "at", "this", "next") and chunks.time(place) is None
    timed = chunks.time(place)
    if phrase.owner is None or timed is None or not timed[1] or not among(phrase.words, EVENTS):
        return
    dated = clause._replace(times=(timed[0],), end=max(clause.end, timed[0][1]))
    for each in state(dated, "has_event", phrase._replace(owner=None), subject=phrase.owner, aspect="happens"):
        yield each._replace(forward=not _is_past(chunks))


def _on_systems(chunks: Chunks, clause: Clause, lowers: list[str]) -> Iterator[Statement]:
    """ "On Ubuntu 22.04, how do I …", "after upgrading to python 3.13": a system at the front, or one just taken up."""
    for place in range(len(lowers) - 1):
        opening = place == 0 and lowers[0] in ("on", "using", "running")
        taken = lowers[place] == "to" and lowers[place - 1 : place] in (["upgrading"], ["upgraded"], ["updating"])
        if opening or taken:
            words = lowers[place + 1 : place + 4]
            size = next((end for end in (3, 2, 1) if " ".join(words[:end]) in TECHNOLOGIES), 0)
            if size:
                following = chunks.tokens[place + 1 + size : place + 2 + size]
                size += bool(following) and following[0].text[0].isdigit()
                tokens = chunks.tokens[place + 1 : place + 1 + size]
                text = chunks.text[tokens[0].start : tokens[-1].end]
                thing = Phrase(text, tokens[0].start, tokens[-1].end, tuple(token.lower for token in tokens))
                yield from state(clause, "uses_tool", thing)


def named_at(chunks: Chunks, clause: Clause, position: int) -> Iterator[Phrase]:
    """The name that begins here, without the words in small letters behind it."""
    end = position
    while end < len(chunks.tokens) and end - position < _LONGEST and chunks.tokens[end].is_capitalised:
        end += 1
    phrase = phrase_of(chunks.text, chunks.tokens[position:end]) if end > position else None
    found = (phrase,) if phrase is not None else chunks.phrases(position)[0]
    yield from names(clause, found)[:1]


def of_mine(
    chunks: Chunks, phrase: Phrase, clause: Clause, after: int, opened: int, *, over: bool
) -> Iterator[Statement]:
    owner = phrase.owner
    if owner is None or not owner.is_pronoun or owner.head not in ("i", "we"):
        return
    single = len(phrase.words) == 1
    if phrase.head in _JOBS and single and not over:
        yield from _job(chunks, clause, owner, after)
    elif phrase.head in _HOMES and not over and chunks.lower(after) in ("in", "near") and len(phrase.words) <= 2:
        for where in named_at(chunks, clause, after + 1):
            yield from state(clause, "lives_in", where, subject=owner)
    elif phrase.head in _TRIPS and single and not over and chunks.lower(after) == "to" and not _is_past(chunks):
        for where in named_at(chunks, clause, after + 1):
            yield from state(clause, "plans_to_visit", where, subject=owner, aspect="happens")
    elif phrase.head in ("allergy", "allergies"):
        yield from _allergies(chunks, phrase, clause, owner, after)
    elif ails(phrase.words):
        yield from belonging(clause, owner, phrase)
    elif heals(phrase.words) and phrase.head != "medication":
        yield from state(clause, "takes_medication", phrase._replace(owner=None), subject=owner)
    elif phrase.name and phrase.head in personal_nouns() and phrase.name_span:
        predicate, is_text = personal_nouns()[phrase.head]
        if not is_text:
            name = Phrase(phrase.name, *phrase.name_span, tuple(phrase.name.casefold().split()), is_name=True)
            yield from state(clause, predicate, name, subject=owner)
    elif is_two(phrase):
        return
    elif phrase.head in _PROJECTS or phrase.head in _LANDS or phrase.head in _TOWNS:
        yield from _called(chunks, phrase, clause, owner, after, over=over)
    elif not over and _is_product(chunks, phrase, opened):
        yield from state(clause, "owns", phrase._replace(owner=None), subject=owner)
    elif not over and owner.head == "i" and phrase.lower not in _EVERYBODYS and _is_kept(chunks, phrase, after, opened):
        predicate = "dwelling" if phrase.head in _DWELLINGS else "owns"
        yield from state(clause, predicate, phrase._replace(owner=None), subject=owner)
    elif len(phrase.words) > 1:
        yield from _made_with(phrase, clause, owner)


_EVERYBODYS = bag("house phone watch")  # so that one has them says nothing
_DWELLINGS = bag("flat apartment house condo bungalow cottage cabin mansion farmhouse villa")


def _is_kept(chunks: Chunks, phrase: Phrase, after: int, opened: int) -> bool:
    """ "My black car", "my glasses": one thing that lasts, of which nothing else follows ("my car insurance")."""
    following = chunks.lower(after)
    return (
        is_kept(phrase.words) and not phrase.is_name and following not in ("'s", "of") and not _is_lent(chunks, opened)
    )


def _is_lent(chunks: Chunks, opened: int) -> bool:
    return not _PARTED.isdisjoint(token.lower for token in chunks.tokens[max(0, opened - 4) : opened])


_PARTED = bag("sell selling buy buying get getting want need fix lose return returning rent renting")


def _called(
    chunks: Chunks, phrase: Phrase, clause: Clause, owner: Phrase, after: int, *, over: bool
) -> Iterator[Statement]:
    """ "My side project, a birdwatching app called Plover", "my Django app", "in my country, Georgia,"."""
    predicate = "works_on" if phrase.head in _PROJECTS else "comes_from" if phrase.head in _LANDS else "lives_in"
    if phrase.name and phrase.name_span and phrase.head in _PROJECTS:
        name = Phrase(phrase.name, *phrase.name_span, tuple(phrase.name.casefold().split()), is_name=True)
        yield from state(clause, predicate, name, subject=owner)
    elif chunks.lower(after) == "," and not over:
        other, end = chunks.phrase(after + 1)
        apart = other is not None and (not chunks.is_word(end) or end >= len(chunks.tokens))
        if other is not None and other.name and other.name_span and phrase.head in _PROJECTS:
            name = Phrase(other.name, *other.name_span, tuple(other.name.casefold().split()), is_name=True)
            yield from state(clause, predicate, name, subject=owner)
        elif other is not None and other.is_cut and phrase.head in _PROJECTS:  # "a birdwatching app called Plover"
            yield from state(clause, predicate, other._replace(determiner=""), subject=owner)
        elif other is not None and apart and other.is_name and other.owner is None and phrase.head not in _PROJECTS:
            yield from state(clause, predicate, other, subject=owner)
    yield from _made_with(phrase, clause, owner)


def _made_with(phrase: Phrase, clause: Clause, owner: Phrase) -> Iterator[Statement]:
    """ "My Django app", "our Rails monolith"."""
    for end in range(min(3, len(phrase.words) - 1), 0, -1):
        if " ".join(phrase.words[:end]) in TECHNOLOGIES and phrase.words[0] not in ("go", "linear", "swift", "lambda"):
            size = len(" ".join(phrase.words[:end]))
            text = phrase.text[:size]
            tool = Phrase(text, phrase.start, phrase.start + size, phrase.words[:end])
            yield from state(clause, "uses_tool", tool, subject=owner)
            return


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
