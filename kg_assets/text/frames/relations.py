"""People and animals: who is whose, and what they are called."""

import re
from collections.abc import Iterator

from kg_assets.text.clauses import Clause, Statement, Value
from kg_assets.text.frames.stating import as_text, singulars, state, usable
from kg_assets.text.lexicon import (
    BREEDS,
    CONDITION_ADJECTIVES,
    DIETS,
    FEATURES,
    GROUP_RELATIONS,
    GROUPS,
    HOBBIES,
    NAMED_GROUPS,
    NATIONALITIES,
    PLURAL_SPECIES,
    RELATIONS,
    RELIGIONS,
    SPECIES,
    ails,
    among,
    bag,
)
from kg_assets.text.phrases import Phrase

SAME_AS = "same_as"  # as in kg_assets.model, which brings msgspec with it
_UNTIL_DEATH = frozenset({"has_pet", "spouse", "engaged_to", "partner"})  # kin remain kin
_PARTING = frozenset({"bury", "buried", "sell", "rehome", "rehomed", "euthanise", "euthanised", "euthanized"})
_PARTING_WITH = frozenset({("put", "down"), ("give", "away")})


def introductions(clause: Clause) -> Iterator[Statement]:
    """What "my sister Anna" or "our dog Max" says wherever it stands."""
    seen = set()
    for phrase in clause.phrases():
        denied = bool(clause.negation) and not phrase.name  # "he's not my brother"
        stated = clause.verb == "be" and phrase in clause.objects and (clause.subject.is_name or denied)
        if phrase.owner is None or phrase.span in seen or _is_you(phrase.owner) or stated:
            continue  # "Tom is my cousin" is read as what it states
        seen.add(phrase.span)
        bare = clause._replace(negation="", times=(), tense="present", instead=None)
        for each in belonging(bare, phrase.owner, phrase):
            if each.predicate not in _UNTIL_DEATH:
                yield each
            elif not is_lost(clause, phrase):
                yield _ended(clause, phrase, each)
        if phrase.name and phrase.head in NAMED_GROUPS:  # "my flatmates, Joao and Priya": one of them
            yield from state(bare, NAMED_GROUPS[phrase.head], _name_of(phrase), subject=phrase.owner)
        elif phrase.name:
            yield from called(bare, phrase._replace(name="", name_span=None), _name_of(phrase), named=False)
        if phrase.age:
            age = Value(phrase.age, "number", str(phrase.age), phrase.start, phrase.start)
            yield from state(bare, "age", age, subject=phrase)
        for text, start, end in phrase.qualities:
            yield from qualified(bare._replace(subject=phrase), Phrase(text, start, end, (text.casefold(),)))


def qualified(clause: Clause, quality: Phrase) -> Iterator[Statement]:
    """What a word says of somebody: "vegan", "diabetic", "Catholic", "Finnish"."""
    for listed, predicate in _QUALITIES:
        if (run := among(quality.words, listed)) and _DEGREES.issuperset(quality.words[: -len(run.split())]):
            start = quality.end - len(run) if quality.text.casefold().endswith(run) else quality.start
            said = clause.text[start : quality.end]
            yield from state(clause, predicate, quality._replace(text=said, start=start, words=tuple(run.split())))
            return


_DEGREES = bag("strict strictly total totally full proud lifelong devout practicing practising mostly now raw still")
_QUALITIES = (
    (DIETS, "diet"),
    (CONDITION_ADJECTIVES, "has_condition"),
    (NATIONALITIES, "nationality"),
    (RELIGIONS, "religion"),
)


def _ended(clause: Clause, phrase: Phrase, stated: Statement) -> Statement:
    """ "My dog died yesterday", "my late husband": who is gone is had no longer, from then on."""
    if is_gone(clause, phrase):
        return stated._replace(polarity="denied", aspect="ends", times=clause.times)
    late = clause.text[max(0, phrase.start - 5) : phrase.start].casefold() == "late "
    return stated._replace(polarity="denied", aspect="ends") if late else stated


def is_gone(clause: Clause, phrase: Phrase) -> bool:
    """Whether a clause says that someone has died, or that an animal was parted with."""
    if clause.negation:
        return False
    done = clause.tense in ("past", "perfect") and not clause.progressive
    if phrase == clause.subject:
        died = clause.verb == "die" or (clause.verb == "pass" and clause.particle == "away")
        dead = clause.verb == "be" and any(each.lower in ("dead", "gone") for each in clause.objects)
        return (done and (died or (clause.passive and _parts(clause)))) or (dead and clause.tense == "present")
    return done and not clause.passive and phrase in clause.objects and _parts(clause)


def is_lost(clause: Clause, phrase: Phrase) -> bool:
    """ "We lost our dog", "our cat ran away": dead or only missing, nobody can tell."""
    if clause.tense not in ("past", "perfect") or clause.negation:
        return False
    return (clause.verb == "lose" and phrase in clause.objects) or (
        clause.verb == "run" and _is_away(clause) and phrase == clause.subject
    )


def _is_away(clause: Clause) -> bool:
    """ "Ran away": a parser may take the particle for an adverb."""
    after = clause.verb_span[1]
    return clause.particle == "away" or clause.text[after : after + 5].lower() == " away"


def _parts(clause: Clause) -> bool:
    return clause.verb in _PARTING or (clause.verb, clause.particle) in _PARTING_WITH


def belonging(clause: Clause, owner: Phrase, phrase: Phrase, **kept: object) -> Iterator[Statement]:
    """The relation of an owner to their sister, friend or dog; nothing for what is no such thing."""
    relation = RELATIONS.get(phrase.head) if phrase.relation else None
    if relation is not None:
        first, second = (phrase, owner) if relation.inverted else (owner, phrase)
        yield from state(clause, relation.predicate, second, subject=first, **kept)  # type: ignore[arg-type]
    elif phrase.relation and phrase.head in GROUP_RELATIONS and not phrase.name and phrase.determiner != "our":
        yield from state(clause, GROUP_RELATIONS[phrase.head], phrase, subject=owner, **kept)  # type: ignore[arg-type]
    elif species := among(phrase.words, SPECIES) or among(phrase.words, BREEDS):
        yield from state(clause, "has_pet", phrase, subject=owner, **kept)  # type: ignore[arg-type]
        if not clause.negation:  # "we had a dog": a dog it remains
            yield from kind_of_animal(clause._replace(tense="present", used_to=False, times=()), phrase, species)
    elif among(phrase.words, PLURAL_SPECIES):
        yield from state(clause, "has_pet", phrase, subject=owner, **kept)  # type: ignore[arg-type]
    elif phrase.head in ("partner", "buddy", "mate") and len(phrase.words) == 2 and phrase.words[0] in HOBBIES:
        yield from state(clause, "friend", phrase, subject=owner, **kept)  # type: ignore[arg-type]
        hobby = Phrase(
            phrase.text[: len(phrase.words[0])], phrase.start, phrase.start + len(phrase.words[0]), phrase.words[:1]
        )
        yield from state(clause, "hobby", hobby, subject=owner, **kept)  # type: ignore[arg-type]
    elif phrase.head in _TEAMS and owner.relation and not owner.is_pronoun and len(phrase.words) > 1:
        yield from state(
            clause, "member_of", phrase._replace(owner=None), subject=owner
        )  # "my daughter's football team"
    elif _is_feature(phrase) and not clause.negation:  # "my red hair"
        yield from state(clause, "appearance", phrase._replace(owner=None), subject=owner)
    elif ails(phrase.words) and not clause.negation:  # "my migraines are back"
        yield from state(clause, "has_condition", phrase._replace(owner=None), subject=owner)


_TEAMS = bag("team choir band orchestra club troop squad quartet ensemble troupe")


def _is_feature(phrase: Phrase) -> bool:
    told = len(phrase.words) > 1 or phrase.head in _NOT_EVERYBODYS
    return bool(among(phrase.words, FEATURES)) and told and phrase.words[0] not in _NO_LOOK


_NOT_EVERYBODYS = bag(
    "beard moustache mustache freckles tattoo tattoos dimples piercings braces dreadlocks stutter accent"
)
_NO_LOOK = bag("contact sun reading safety old new whole wine favorite favourite")


def kind_of_animal(clause: Clause, phrase: Phrase, word: str, subject: Phrase | None = None) -> Iterator[Statement]:
    """Species or breed in "my golden retriever Max" and "Max is a golden retriever"."""
    start = phrase.end - len(word)
    if word in BREEDS:
        breed = Phrase(clause.text[start : phrase.end], start, phrase.end, tuple(word.split()))
        yield from state(clause, "breed", breed, subject=subject or phrase)
    elif SPECIES[word] != "pet":
        species = Phrase(SPECIES[word], start, phrase.end, tuple(SPECIES[word].split()))
        yield from state(clause, "species", species, subject=subject or phrase)


def called(clause: Clause, subject: Phrase, name: Phrase, *, named: bool = True) -> Iterator[Statement]:
    """A name that is given: the form by relation and the name are one; the name itself as text where it is said so."""
    if (not name.is_name and not name.text[:1].isupper()) or subject.head in GROUPS:
        return
    if named:
        yield from state(clause, "name", as_text(name), subject=subject, aspect="holds")
    if subject.relation or subject.owner is not None or subject.is_pronoun:
        yield from state(clause, SAME_AS, name, subject=subject, aspect="holds")


def naming(clause: Clause) -> Iterator[Statement]:
    """As in "We named the puppy Max", "she is called Mia", "call me Ben"."""
    if clause.tense == "future":
        return
    subject = clause.subject
    somebody = subject.is_pronoun or subject.owner is not None or among(subject.words, SPECIES)
    if clause.passive and subject.owner is not None and subject.head in NAMED_GROUPS:
        for name in clause.objects if all(_is_plain_name(each) for each in clause.objects) else ():
            yield from state(clause, NAMED_GROUPS[subject.head], name, subject=subject.owner, aspect="holds")
    elif clause.passive and len(clause.objects) == 1 and somebody:
        yield from called(clause, subject, clause.objects[0])
    elif clause.objects and clause.second is not None and clause.second.is_name:
        yield from called(clause, clause.objects[0], clause.second)


def having(clause: Clause) -> Iterator[Statement]:
    """As in "I have a sister called Anna", "we have two cats", "she has three kids"."""
    if clause.tense == "future" or clause.after("with"):
        return
    for phrase in clause.objects:
        if not usable(phrase) and phrase.determiner not in ("any", "no"):
            continue
        if clause.tense in ("past", "perfect") and phrase.lower in _BORN and phrase.determiner in ("a", ""):
            yield from state(clause, "parent_of", phrase._replace(owner=clause.subject), aspect="begins")
            continue
        if phrase.head in ("kids", "children", "child", "kid") and not phrase.name:
            count = phrase.number or (1 if phrase.determiner in ("a", "one") else 0)
            if count and not clause.negation:
                yield from state(clause, "child_count", Value(count, "number", phrase.text, *phrase.span))
            continue
        yield from _had(clause._replace(negation="not") if phrase.determiner == "no" else clause, phrase)
    yield from _had_by_name(clause)


def _is_food(phrase: Phrase) -> bool:
    """ "I have chicken and rice": no animal that one keeps."""
    return bool(among(phrase.words, SPECIES))


def _is_herd(phrase: Phrase) -> bool:
    """ "Two huskies", "tropical fish": animals that are kept, and no food."""
    several = any(among((*phrase.words[:-1], each), BREEDS) for each in singulars(phrase.head))
    return (several and phrase.number > 1) or (phrase.head == "fish" and phrase.words[0] in _KEPT_FISH)


_KEPT_FISH = bag("exotic tropical pet beta betta koi gold aquarium saltwater")
_BORN = frozenset({"baby", "baby boy", "baby girl", "twins", "son", "daughter"})


def _had(clause: Clause, phrase: Phrase) -> Iterator[Statement]:
    owned = phrase._replace(owner=clause.subject)
    plural = among(phrase.words, PLURAL_SPECIES) or _is_kept_beside(clause, phrase)
    if phrase.determiner in ("the", "this", "that") or phrase.owner is not None:
        return
    herd = _is_herd(phrase)
    if herd or (plural and not any(each.is_name for each in clause.objects)):
        yield from state(clause, "has_pet", owned)
    elif phrase.head in GROUP_RELATIONS or (
        phrase.number <= 1
        and (phrase.determiner or phrase.number or phrase.name or phrase.relation or not _is_food(phrase))
    ):
        born = phrase.head == "baby" and clause.tense in ("past", "perfect")  # "she had a baby": and has it still
        yield from belonging(clause, clause.subject, owned, **({"aspect": "begins"} if born else {}))
        if phrase.name and not clause.negation:
            yield from called(clause, owned._replace(name="", name_span=None), _name_of(phrase), named=False)


def _is_kept_beside(clause: Clause, phrase: Phrase) -> bool:
    """ "A lurcher and three | axolotls": some more of one list with an animal, whatever they are."""
    if phrase.number <= 1 or phrase.is_name or not phrase.head.endswith("s") or phrase.head in GROUPS:
        return False
    animals = (SPECIES, BREEDS, PLURAL_SPECIES)
    return any(each is not phrase and any(among(each.words, listed) for listed in animals) for each in clause.objects)


def _had_by_name(clause: Clause) -> Iterator[Statement]:
    """As in "I have two cats, Max and Bella", "we have two daughters, Mia and Zoe"."""
    kind, *named = clause.objects or (clause.subject,)
    named = named[: kind.number] or list(_names_behind(clause, kind))  # "two brothers, | Ade and Tunde, | and a sister"
    species = PLURAL_SPECIES.get(among(kind.words, PLURAL_SPECIES), "")
    relation = RELATIONS.get(kind.head.removesuffix("s")) if kind.head in GROUPS else None
    if clause.negation or not (kind.number == len(named) and all(_is_plain_name(each) for each in named)):
        return
    for name in named:
        if species:
            yield from state(clause, "has_pet", name)
            if species != "pet":
                start = kind.start
                yield from state(clause, "species", Phrase(species, start, kind.end, (species,)), subject=name)
        elif relation and not relation.inverted:
            yield from state(clause, relation.predicate, name)


_LISTED = re.compile(
    r"\s*[(,:–-]\s?(?P<names>[A-ZÀ-Þ][\w'’-]+(?:(?:,| and| &|, and| n) [A-ZÀ-Þ][\w'’-]+){1,5})"
    r"(?=[).,;!\n]|$| and | who )"
)
_APART = re.compile(r", and |,? and | & | n |, ")


def _names_behind(clause: Clause, kind: Phrase) -> Iterator[Phrase]:
    """The names of "two rabbits (Crouton and Gravy)", "three kids: Al, Bo and Cy"."""
    found = _LISTED.match(clause.text, kind.end) if kind.number > 1 else None
    place = found.start("names") if found else 0
    for name in _APART.split(found["names"]) if found else ():
        start = clause.text.index(name, place)
        place = start + len(name)
        yield Phrase(name, start, place, (name.casefold(),), is_name=True)


def adopting(clause: Clause) -> Iterator[Statement]:
    """As in "We adopted a puppy yesterday", "I got a cat named Tom"."""
    if clause.negation or clause.tense not in ("past", "perfect"):
        return
    for phrase in clause.objects:
        animal = among(phrase.words, SPECIES) or among(phrase.words, BREEDS) or among(phrase.words, PLURAL_SPECIES)
        if animal and usable(phrase) and phrase.owner is None and phrase.determiner != "the":
            owned = phrase._replace(owner=clause.subject)
            yield from state(clause, "has_pet", owned, aspect="begins")
            if animal not in PLURAL_SPECIES:
                yield from kind_of_animal(clause._replace(times=(), tense="present"), owned, animal)
            if phrase.name:
                yield from called(clause, owned._replace(name="", name_span=None), _name_of(phrase), named=False)


def meeting(clause: Clause) -> Iterator[Statement]:
    if clause.negation or clause.tense not in ("past", "perfect"):
        return
    for other in clause.objects:
        if other.is_name and usable(other) and other.owner is None:
            yield from state(clause, "knows", other, aspect="begins")


def is_related(clause: Clause) -> Iterator[Statement]:
    """As in "Anna is my sister", "my sister is Anna"."""
    if clause.tense not in ("present", "perfect") or len(clause.objects) != 1:
        return
    subject, other = clause.subject, clause.objects[0]
    if other.owner is not None and other.relation and not other.name and not _is_you(other.owner):
        relation = RELATIONS.get(other.head)
        if relation and (subject.is_name or subject.is_pronoun) and not _is_you(subject):
            first, second = (subject, other.owner) if relation.inverted else (other.owner, subject)
            yield from state(clause, relation.predicate, second, subject=first)
            if subject.is_name and not clause.negation:
                yield from state(clause, SAME_AS, subject, subject=other)
    elif subject.owner is not None and subject.relation and not subject.name and _is_plain_name(other):
        yield from called(clause, subject, other, named=False)


def _is_plain_name(phrase: Phrase) -> bool:
    return phrase.is_name and len(phrase.words) <= 3 and not phrase.determiner and phrase.owner is None


def _name_of(phrase: Phrase) -> Phrase:
    assert phrase.name_span is not None
    return Phrase(phrase.name, *phrase.name_span, tuple(phrase.name.casefold().split()), is_name=True)


def _is_you(phrase: Phrase) -> bool:
    return phrase.is_pronoun and phrase.head == "you"
