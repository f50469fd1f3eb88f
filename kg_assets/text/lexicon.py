"""Words that decide readings: relations, animals, occupations, verbs. Standard library only; data in `lexicon.txt`."""

from pathlib import Path
from typing import Literal, NamedTuple

Form = Literal["base", "s", "ing", "past", "participle"]


class Relation(NamedTuple):
    """What a noun of relation says. `inverted`: "my mother" is a parent of me, not I of her."""

    predicate: str
    inverted: bool
    gender: str  # f | m | ?


class Verb(NamedTuple):
    """One form of a verb: "moved" is the past of "move" (and its participle, where that has no form of its own)."""

    lemma: str
    form: Form


def bag(words: str) -> frozenset[str]:
    """A set written as one line of words."""
    return frozenset(words.split())


def _sections(text: str) -> dict[str, str]:
    found: dict[str, list[str]] = {}
    name = ""
    for line in text.splitlines():
        if line.startswith("["):
            name = line.strip("[]")
        elif line and not line.startswith("#"):
            found.setdefault(name, []).append(line)
    return {name: "\n".join(lines) for name, lines in found.items()}


_TEXT = _sections(Path(__file__).with_name("lexicon.txt").read_text(encoding="utf-8"))


def _words(section: str) -> frozenset[str]:
    return frozenset(word for part in _TEXT[section].split(",") if (word := " ".join(part.split())))


def _pairs(section: str) -> dict[str, str]:
    lines = (line.partition("=") for line in _TEXT[section].splitlines())
    return {left.strip(): right.strip() for left, _, right in lines}


def _keys(section: str) -> dict[str, str]:
    """ "car, bike = owns" as two pairs."""
    return {key: value for left, value in _pairs(section).items() for key in map(str.strip, left.split(","))}


def _relations() -> dict[str, Relation]:
    found = {}
    for noun, value in _pairs("relations").items():
        predicate, direction, gender = value.split()
        found[noun] = Relation(predicate, direction == "<", gender)
    return found


def _regular(lemma: str, ending: str) -> list[str]:
    """study + ed → studied, move + ing → moving; travel + ed gives both spellings (a form too many does no harm)."""
    after_consonant = len(lemma) > 1 and lemma[-1] == "y" and lemma[-2] not in "aeiou"
    if ending == "s":
        if after_consonant:
            return [lemma[:-1] + "ies"]
        return [lemma + ("es" if lemma.endswith(("s", "x", "z", "ch", "sh", "o")) else "s")]
    if lemma.endswith("ie") and ending == "ing":
        return [lemma[:-2] + "ying"]
    if lemma.endswith("e") and not lemma.endswith("ee"):
        return [lemma[:-1] + ending]
    if ending == "ed" and after_consonant:
        return [lemma[:-1] + "ied"]
    closed = len(lemma) > 2 and lemma[-1] in "bdgklmnprt" and lemma[-2] in "aeiou" and lemma[-3] not in "aeio"
    return [lemma + ending, lemma + lemma[-1] + ending] if closed else [lemma + ending]


def gerund(lemma: str) -> str:
    """knit → knitting, bake → baking, garden → gardening."""
    spellings = _regular(lemma, "ing")
    syllables = sum(
        letter in "aeiouy" and (not place or lemma[place - 1] not in "aeiouy") for place, letter in enumerate(lemma)
    )
    return spellings[-1] if syllables == 1 else spellings[0]


def _verbs() -> dict[str, Verb]:
    forms: dict[str, Verb] = {}
    for part in _TEXT["verbs"].replace("\n", " ").split(","):
        lemma, _, irregular = (piece.strip() for piece in part.partition("="))
        past, participle = ([word] for word in irregular.split()) if irregular else (_regular(lemma, "ed"),) * 2
        every: tuple[tuple[list[str], Form], ...] = (
            (participle, "participle"),
            (past, "past"),
            (_regular(lemma, "ing"), "ing"),
            (_regular(lemma, "s"), "s"),
            ([lemma], "past" if [lemma] == past and lemma != "read" else "base"),
        )
        for spellings, form in every:
            for spelling in spellings:
                forms[spelling] = Verb(lemma, form)
    return forms


RELATIONS = _relations()
GROUPS = _words("groups")
# Whom a group is of: "my kids" are those I am a parent of.
GROUP_RELATIONS = {
    **dict.fromkeys(bag("kids children daughters sons girls boys twins triplets teenagers toddlers"), "parent_of"),
    **dict.fromkeys(bag("sisters brothers siblings"), "sibling"),
    **dict.fromkeys(bag("grandkids grandchildren"), "grandparent_of"),
    **dict.fromkeys(bag("nieces nephews"), "aunt_or_uncle_of"),
    "cousins": "cousin",
}
# Groups of whom only those who are named are told.
NAMED_GROUPS = GROUP_RELATIONS | {
    **dict.fromkeys(bag("flatmates roommates housemates"), "roommate"),
    **dict.fromkeys(bag("colleagues coworkers"), "colleague"),
    "friends": "friend",
    "cousins": "cousin",
    "neighbours": "neighbour",
    "neighbors": "neighbour",
}
SPECIES = _pairs("species")
PLURAL_SPECIES = _pairs("plural species")
BREEDS = _words("breeds")
OCCUPATIONS = _words("occupations")
WORKPLACES = _words("workplaces")
STUDY_PLACES = _words("study places")
INSTRUMENTS = _words("instruments")
SPORTS = _words("sports")
LANGUAGES = _words("languages")
NATIONALITIES = _words("nationalities")
RELIGIONS = _words("religions")
DIETS = _words("diets")
CONDITION_ADJECTIVES = _words("condition adjectives")
CONDITIONS = _words("conditions")
MEDICATIONS = _words("medications")
DURABLES = _words("durables")
VEHICLES = _words("vehicles")
BELONGINGS = _words("belongings")
EVENTS = _words("events")
CLUBS = _words("clubs")
PRODUCTS = _words("products")
TECHNOLOGIES = _words("technologies")
PLACES = _words("places")
NOTE_KEYS = _keys("note keys")
HOBBIES = _words("hobbies")
PASTIMES = _words("pastimes")
DOINGS = _words("doings")
HABITUAL = PASTIMES | DOINGS | {"play", "speak", "cook", "read", "drive", "whistle", "type"}
LOOKS = _words("looks")
FEATURES = _words("features")
KINDS_OF_PEOPLE = _words("kinds of people")
MARITAL = _words("marital")
BODY = bag(
    "back knee hip shoulder neck wrist ankle elbow foot leg arm hand finger toe head stomach tooth ear eye heel "
    "hamstring achilles jaw spine tailbone rib chest throat calf groin thumb gums skin"
)
WORKING_STATES = _words("working states")
SCENERY = _words("scenery")
FIELDS = _words("fields")
NO_NAMES = _words("no names")
NAMES_OF_WOMEN = _words("names of women")
NAMES_OF_MEN = _words("names of men")
VERBS = _verbs()


def among(words: tuple[str, ...], listed: frozenset[str] | dict[str, str]) -> str:
    """The longest run at the end of some lower-case words that is listed ("senior data analyst" → "analyst"), or ""."""
    for start in range(len(words)):
        if (run := " ".join(words[start:])) in listed:
            return run
    return ""


# Endings by which an illness or a medicine is known that no list has.
_AILING = tuple(
    sorted(
        bag(
            "itis osis algia aemia emia plegia phobia sclerosis thyroidism glycemia penia uria dystrophy "
            "neuropathy myopathy retinopathy apnea apnoea lexia praxia"
        )
    )
)
_NOT_AILING = bag(
    "diagnosis prognosis hypnosis metamorphosis osmosis symbiosis synthesis photosynthesis academia bohemia premia "
    "psychoanalysis mitosis apotheosis"
)
_AILMENTS = bag("disease syndrome disorder cancer infection deficiency tumour tumor ulcer ulcers hernia concussion")
_DRUGS = tuple(
    sorted(
        bag(
            "zepine tiapine zapine pril sartan statin prazole conazole cillin mycin olol oxetine traline azepam "
            "azolam opram gliptin gliflozin glutide formin gabalin gabapentin triptan profen thyroxine thiazide "
            "semide piprazole peridone phylline idone setron tidine mab vir cycline floxacin trigine azine "
            "iramate faxine zodone"
        )
    )
)
_NOT_DRUGS = bag("magazine mab vir april pril statin")


def ails(words: tuple[str, ...]) -> str:
    """The illness at the end of some lower-case words, listed or known by its form; or ""."""
    if listed := among(words, CONDITIONS):
        return listed
    head = words[-1]
    formed = len(head) > 6 and head.endswith(_AILING) and head not in _NOT_AILING
    return " ".join(words) if formed or (head in _AILMENTS and len(words) > 1) else ""


def heals(words: tuple[str, ...]) -> str:
    """The medicine at the end of some lower-case words, listed or known by its form; or ""."""
    if listed := among(words, MEDICATIONS):
        return listed
    head = words[-1]
    return head if len(head) > 6 and head.endswith(_DRUGS) and head not in _NOT_DRUGS else ""
