"""How the open voter names a predicate: by the ontology where a verb says plainly what one of its predicates says,
otherwise in the third person ("bank with" → banks_with), under a name that supersedes nothing."""

from functools import lru_cache
from typing import NamedTuple

from kg_assets.text.lexicon import (
    BREEDS,
    CLUBS,
    CONDITIONS,
    DIETS,
    DURABLES,
    FEATURES,
    GROUPS,
    MARITAL,
    MEDICATIONS,
    OCCUPATIONS,
    PLURAL_SPECIES,
    RELATIONS,
    SPECIES,
    STUDY_PLACES,
    VEHICLES,
    WORKPLACES,
    among,
    bag,
)
from kg_assets.text.ontology import Ontology
from kg_assets.text.phrases import Phrase
from kg_assets.triples.parsed import Word
from kg_assets.triples.verb_lemmas import is_noun, is_verb, lemma_of

LIKING = bag("like love enjoy adore prefer")
DISLIKING = bag("hate dislike despise detest loathe")
# Verbs that say what a predicate of the ontology says, whatever their object is.
_PLAIN = {
    **dict.fromkeys(LIKING, "likes"),
    **dict.fromkeys(DISLIKING, "dislikes"),
    "have": "owns",
    "own": "owns",
    "eat": "eats",
    "drink": "drinks",
    "watch": "watches",
    "read": "reads",
    "listen to": "listens_to",
    "wear": "wears",
    "cook": "cooks",
    "collect": "collects",
    "fear": "fears",
    "be afraid of": "fears",
    "be scared of": "fears",
    "be terrified of": "fears",
    "bake": "cooks",
    "play": "plays",
    "be obsessed with": "likes",
    "be crazy about": "likes",
    "be fond of": "likes",
    "be passionate about": "likes",
    "be interested in": "interested_in",
    "be into": "interested_in",
    "be good at": "has_ability",
    "be great at": "has_ability",
    "be bad at": "has_weakness",
    "be terrible at": "has_weakness",
    "be allergic to": "allergic_to",
    "have passion for": "likes",
    "have thing for": "likes",
    "have love for": "likes",
    "have love of": "likes",
    "have obsession with": "likes",
    "have weakness for": "likes",
    "have hatred of": "dislikes",
    "have fear of": "fears",
    "have phobia of": "fears",
    "have interest in": "interested_in",
    "have talent for": "has_ability",
    "have knack for": "has_ability",
    "have allergy to": "allergic_to",
    "have degree in": "has_degree_in",
    "be in love with": "likes",
    "fall in love with": "likes",
    "be to": "visited",
    **dict.fromkeys(("have job at", "have job with", "get job at", "get job with"), "work_at"),
    "live on": "live_in",
    "live at": "live_in",
    "believe in": "believes_in",
    "major in": "studies",
    **dict.fromkeys(("graduate", "graduate from", "graduate at"), "graduated_from"),
    **dict.fromkeys(
        (
            *(f"{verb} to {be}" for verb in ("want", "hope", "study", "train", "aspire") for be in ("be", "become")),
            "dream of being",
            "dream of becoming",
        ),
        "wants_to_be",
    ),
}
LIGHT = bag("be have get do take make feel fall")  # with their noun they say what other verbs say alone
_HAVING = bag("have own get keep")
_GETTING = bag("get buy purchase acquire adopt")
_WORKING = frozenset(f"work {word}" for word in ("at", "for", "in"))
_STUDYING = frozenset({"attend", "go to", "study at", "be at", "be in"})
_ANIMALS = bag(
    "animal animals pet pets critter critters cow cows pig pigs sheep duck ducks goose geese llama llamas "
    "alpaca alpacas mule koi skunk skunks raccoon hedgehog hedgehogs spider spiders tarantula frog frogs toad newt "
    "mouse mice guppy python doberman dobermans rottweiler rottweilers dachshund dachshunds"
)
_BELONGING = CLUBS - bag("party class board network community forum group")
_JOINED = frozenset({"be in", "be on", "play in", "sing in", "belong to"})
DOING = bag("go spend start begin keep continue practice")  # "goes shopping", "spends hours gardening": does so
_ROLES = bag(
    "worker dealer employee trainer instructor operator technician salesman saleswoman salesperson seller owner clerk "
    "supervisor specialist consultant contractor entrepreneur freelancer intern apprentice"
)
_PREPOSITIONS = bag("to in on at with for of by from about like as into out up down off over")
_ONE = ("a", "an")
_TAKEN = {"be": "is", "do": "does", "have": "has"}
# What is "my" or "our" and no thing that one has: what belongs to everyone, and what is said of somebody.
_NO_THINGS = bag(
    "age birthday name surname nickname number rent salary pay income bill bills mind heart soul head opinion view way "
    "time life day days week weekend morning evening night year job work career boss landlord landlady ex therapist "
    "physio dentist doctor teacher coach client clients patient patients customer customers colour color language "
    "degree major thing things place side part turn fault favorite favourite favorites favourites best liking taste "
    "opinion point idea plan plans goal goals dream dreams hope hopes problem problems luck bad pleasure fear fears "
    "health mood diet weight height size lunch dinner breakfast supper meal sleep shift appointment flight trip "
    "vacation holiday own self past future youth childhood school class classes course"
)


class Group(NamedTuple):
    """A verb as a predicate: its name in lemmas ("work at"), and how it is said."""

    verb: Word
    name: str
    negated: bool
    aspect: str


def predicate_of(name: str, thing: Phrase, ontology: Ontology) -> str:
    """The predicate's name for the words of a verb and its object; empty where none would be safe."""
    if classed := _by_object(name, thing):
        return classed
    first, *rest = name.split(" ")
    if any(is_verb(word) and word not in _PREPOSITIONS for word in rest):  # who loves running in snow likes snow
        liked = "likes" if first in LIKING else "dislikes" if first in DISLIKING else ""
        if liked:
            return liked
    return _PLAIN.get(name) or _worded(name, ontology)


def is_thing(phrase: Phrase) -> bool:
    """Whether what is "mine" is something to have."""
    return phrase.head not in _NO_THINGS


def _by_object(name: str, thing: Phrase) -> str:
    """Where the object decides what a verb says: getting a car is owning it, going to college is studying there."""
    if name in _HAVING and (had := _had(thing)):
        return had
    if name in _GETTING:
        lasting = among(thing.words, DURABLES | VEHICLES) or (name != "get" and thing.determiner in _ONE)
        return "has_pet" if _is_animal(thing) else "owns" if lasting else ""
    if name == "be":
        return _being(thing)
    if name in _JOINED and among(thing.words, _BELONGING):
        return "member_of"
    if name in _WORKING:
        return "works_at" if among(thing.words, WORKPLACES) else ""
    if name in _STUDYING:
        return "studies_at" if among(thing.words, STUDY_PLACES) else ""
    if name == "take" and among(thing.words, MEDICATIONS):
        return "takes_medication"
    return ""


def _being(thing: Phrase) -> str:
    if thing.head in _ROLES or among(thing.words, OCCUPATIONS):
        return "works_as"
    if among(thing.words, MARITAL):
        return "marital_status"
    return "diet" if among(thing.words, DIETS) else ""


def _had(phrase: Phrase) -> str:
    """The predicate that what someone has asks for; empty for any other thing."""
    relation = RELATIONS.get(phrase.head) or RELATIONS.get(phrase.head.removesuffix("s"))
    if relation is not None and not relation.inverted:
        return relation.predicate
    if relation is not None or phrase.head in GROUPS:
        return "related_to"
    if _is_animal(phrase):
        return "has_pet"
    if among(phrase.words, CONDITIONS):
        return "has_condition"
    if phrase.owner is not None and among(phrase.words, _BELONGING):
        return "member_of"
    return "appearance" if among(phrase.words, FEATURES) else ""


def _is_animal(phrase: Phrase) -> bool:
    listed = among(phrase.words, SPECIES) or among(phrase.words, PLURAL_SPECIES) or among(phrase.words, BREEDS)
    return bool(listed) or phrase.head in _ANIMALS or phrase.head.removesuffix("s") in SPECIES or _is_named(phrase)


def _is_named(phrase: Phrase) -> bool:
    """As in "my dog tigger", also in small letters, and "a pet skunk"."""
    words = phrase.words
    named = len(words) > 1 and words[-2] in SPECIES and not is_noun(words[-1])
    return named or "pet" in words[:-1]


def _worded(name: str, ontology: Ontology) -> str:
    """A name that bears no predicate of which one value holds at a time, that is said the other way round or of the
    world: so that nothing is superseded or turned by a guess ("coach" is no word for "my coach")."""
    first, *rest = name.split(" ")
    for form in (third_person(first), first):
        wanted = "_".join([form, *rest])
        canonical, inverted = ontology.names.get(wanted, ("", False))
        declared = ontology.predicates.get(canonical)
        if declared is None or not (inverted or declared.functional or declared.encyclopaedic):
            return wanted
    return ""


@lru_cache(maxsize=1024)
def third_person(lemma: str) -> str:
    if lemma in _TAKEN:
        return _TAKEN[lemma]
    if lemma.endswith("y") and lemma[-2:-1] not in ("a", "e", "i", "o", "u", ""):
        return f"{lemma[:-1]}ies"
    return f"{lemma}{'es' if lemma.endswith(('s', 'x', 'z', 'ch', 'sh', 'o')) else 's'}"


_LEMMAS = dict.fromkeys(("am", "'m", "m", "is", "'s", "are", "'re", "was", "were", "been", "being"), "be")


def lemma(verb: Word) -> str:
    return _LEMMAS.get(verb.lower) or lemma_of(verb.lower)
