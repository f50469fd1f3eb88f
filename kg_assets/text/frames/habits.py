"""Habits and looks: what people eat, drink, watch and read, what they look like, what they can do and fear."""

from collections.abc import Iterator

from kg_assets.text.clauses import Clause, Statement
from kg_assets.text.frames.doings import is_always
from kg_assets.text.frames.pastimes import doing
from kg_assets.text.frames.stating import is_own, state, usable
from kg_assets.text.frames.tastes import is_taste, with_its_whole
from kg_assets.text.lexicon import DIETS, FEATURES, LOOKS, MARITAL, OCCUPATIONS, WORKING_STATES, among, bag
from kg_assets.text.phrases import Phrase

_HABITS = {"eat": "eats", "drink": "drinks", "watch": "watches", "read": "reads", "collect": "collects"}
_HABITS |= {"listen": "listens_to", "cook": "cooks", "bake": "cooks", "wear": "wears"}
_MEALS = bag("breakfast lunch dinner supper out healthy healthily well more less food foods meals meal drink tv work")


_UNITS = bag("feet foot ft m cm metres meters months weeks")  # "six feet tall" is a height


def habit(clause: Clause) -> Iterator[Statement]:
    """As in "I eat meat", "I don't drink coffee", "she listens to jazz": at any time, not at this moment."""
    dated = bool(clause.times) and clause.negation != "ended"  # "I stopped eating gluten in January"
    if clause.tense != "present" or clause.passive or dated:
        return
    objects = clause.after("to") if clause.verb == "listen" else clause.objects
    for phrase in objects:
        now = (
            clause.progressive and not (clause.verb in ("read", "watch") and phrase.is_name) and not is_always(clause)
        )  # "I'm reading Emma"
        if (
            clause.verb in ("cook", "bake", "eat", "drink", "wear")
            and phrase.owner is not None
            and is_own(phrase.owner)
        ):
            phrase = phrase._replace(owner=None, determiner="")  # "all our bread"
        worn = clause.verb == "wear" and usable(phrase) and phrase.owner is None and phrase.determiner in ("", "a")
        if (worn or is_taste(clause.text, phrase, at_times=True)) and phrase.lower not in _MEALS and not now:
            yield from state(clause, _HABITS[clause.verb], with_its_whole(clause, phrase))


HABITS = tuple(_HABITS)


def looking(clause: Clause, phrase: Phrase) -> Iterator[Statement]:
    """Adjectives of a person behind a copula: "I'm tall", "she is single", "he's unemployed"."""
    if phrase.owner is not None or clause.subject.head in ("it", "this", "that"):
        return
    if clause.tense != "present" and not (clause.tense == "perfect" and clause.times):
        return  # "I've been single since 2020", but not "I've been tall"
    if phrase.lower in MARITAL:
        yield from state(clause, "marital_status", phrase)
    elif phrase.lower in WORKING_STATES:
        yield from state(clause, "job_status", phrase)
    elif among(phrase.words, LOOKS) and not (phrase.number or phrase.words[0] in _UNITS):
        yield from state(clause, "looks", phrase)


def featuring(clause: Clause) -> Iterator[Statement]:
    """As in "I have brown hair", "he has a beard", "I'm tall with green eyes"."""
    if clause.tense not in ("present", "perfect"):
        return
    for phrase in clause.after("with") if clause.verb == "be" else clause.objects:
        plain = usable(phrase) and phrase.owner is None and phrase.determiner != "the"
        if (
            plain
            and among(phrase.words, FEATURES)
            and (len(phrase.words) > 1 or phrase.determiner == "a" or phrase.head in _WORN)
        ):
            yield from state(clause, "appearance", phrase)


_WORN = bag("tattoos piercings freckles dreadlocks dimples braces braids scars glasses")


def able(clause: Clause, preposition: str, predicate: str) -> Iterator[Statement]:
    """As in "I'm good at chess", "I'm afraid of spiders", "she's bad at cooking"."""
    for phrase in clause.after(preposition):
        if is_taste(clause.text, phrase):
            yield from state(clause, predicate, phrase)
    if clause.inner is not None and (deed := doing(clause.inner)):
        yield from state(clause, predicate, deed)


def turning_vegan(clause: Clause) -> Iterator[Statement]:
    """As in "I recently became a vegan", "I went vegetarian": how one eats from then on."""
    if clause.tense in ("past", "perfect") and not clause.negation:
        for phrase in clause.objects:
            if phrase.lower in DIETS and phrase.owner is None:
                yield from state(clause, "diet", phrase, aspect="begins")


def becoming(clause: Clause) -> Iterator[Statement]:
    """As in "I'm training to be a nurse": a wish that is acted upon."""
    inner = clause.inner
    if (
        inner is None
        or inner.verb not in ("be", "become")
        or clause.negation
        or clause.tense not in ("present", "perfect")
    ):
        return
    for phrase in inner.objects:
        if usable(phrase) and among(phrase.words, OCCUPATIONS):
            yield from state(clause, "wants_to_be", phrase)
