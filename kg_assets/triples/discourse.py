"""Who "I", "you", "she" and "the puppy" are: the speakers of a session, and those who were mentioned in it.

Light and careful: a pronoun stands for the last person or animal that was introduced in the turns before, if its
gender fits and no other in the same sentence fits as well; otherwise for nobody.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

import msgspec

from kg_assets.model import SELF_KEY, Mention, Utterance
from kg_assets.text.chunks import SUBJECT_PRONOUNS, Chunks, Times
from kg_assets.text.lexicon import BREEDS, DURABLES, NAMES_OF_MEN, NAMES_OF_WOMEN, RELATIONS, SPECIES, VERBS, among
from kg_assets.text.names import normal_form, relation_key
from kg_assets.text.node_kinds import kind_of
from kg_assets.text.phrases import Phrase, phrase_of
from kg_assets.text.sentences import split
from kg_assets.text.times import find_times
from kg_assets.text.verb_groups import verb_group
from kg_assets.triples.alike import NUMBERS
from kg_assets.triples.answering import answers
from kg_assets.triples.reading import Turn

WINDOW = 8  # earlier turns in which a pronoun may find its person
_GENDERS = {"he": "m", "him": "m", "his": "m", "she": "f", "her": "f", "hers": "f", "it": "n", "its": "n"}
_HOMES = re.compile(
    r"\b(?:lives?|lived|living|home|flat|apartment|rent|renting|settled|based|"
    r"mov(?:e|ed|ing) (?:to|from|away|out|back))\b",
    re.IGNORECASE,
)
_TRIPS = re.compile(
    r"\b(?:holidays?|vacation|trip|visit\w*|flights?|hotel|hostel|airbnb|conference|airport|travel\w*|weekend|tour)\b",
    re.IGNORECASE,
)
_OWN = frozenset({"i", "me", "my", "we", "us", "our", "myself"})  # "mine" is another thing
_YOU = frozenset({"you", "your", "yours"})
_VAGUE = frozenset({"", "thing"})
_BEFORE_A_NAME = frozenset({"with", "met", "and", "saw", "for"})
_SPEAKING = frozenset({"talk", "talked", "talking", "speak", "spoke", "speaking", "wrote", "writing"})


class Referent(msgspec.Struct, frozen=True):
    """Someone a text introduced: the phrase, its sentence's number, and what is known of their gender."""

    phrase: Phrase
    sentence: int
    gender: str  # m | f | ?; n of a thing
    is_animal: bool


def speaker_of(utterance: Utterance, *, multi_speaker: bool) -> Mention | None:
    """Whose words these are; None for an assistant, which says nothing of itself that is worth keeping, and for a
    document, whose "I" may be anybody."""
    if utterance.role == "assistant" or utterance.is_document:
        return None
    own = utterance.role == "user" and not multi_speaker
    key = SELF_KEY if own else normal_form(utterance.speaker)
    return Mention(surface=utterance.speaker, key=key, type="person") if key else None


class Scene:
    """Resolves phrases of one turn to mentions."""

    def __init__(self, turn: Turn) -> None:
        self.turn = turn
        self.text = turn.utterance.text
        self.speaker = speaker_of(turn.utterance, multi_speaker=turn.multi_speaker)
        labels = {normal_form(each.speaker): each for each in (*turn.before, turn.utterance)}
        others = [each for label, each in labels.items() if label != normal_form(turn.utterance.speaker)]
        self.addressee = (
            speaker_of(others[0], multi_speaker=turn.multi_speaker) if len(labels) == 2 and len(others) == 1 else None
        )
        self._labels = frozenset(labels)

    def mention(self, phrase: Phrase, kind: str = "thing") -> Mention | None:
        """The mention that a phrase stands for, None where nobody can tell."""
        if phrase.is_pronoun:
            return self._of_pronoun(phrase)
        if phrase.name and phrase.name_span:
            return Mention(
                surface=phrase.name, key=normal_form(phrase.name), type=type_of(phrase, kind), span=phrase.name_span
            )
        if phrase.owner is not None:
            owner = self.mention(phrase.owner, "person")
            if owner is None:
                return None
            noun = phrase.relation or phrase.text
            return Mention(
                surface=" ".join(filter(None, (f"{owner.surface}'s", phrase.counted, noun))),
                key=relation_key(owner.key, noun),
                type=type_of(phrase, kind),
                span=phrase.span,
            )
        if phrase.determiner == "the" and among(phrase.words, SPECIES):
            return self._known_animal(phrase)
        key = normal_form(phrase.text)
        kind = "person" if key in self._labels else type_of(phrase, kind)
        return Mention(surface=phrase.text, key=key, type=kind, span=phrase.span) if key else None

    @property
    def is_of_homes(self) -> bool:
        """Whether this turn, or what was said just before it, is about where people live and not about a trip."""
        said = " ".join(each.text[:READ_FOR_REFERENTS] for each in (*self.turn.before[-2:], self.turn.utterance))
        return _HOMES.search(said) is not None and _TRIPS.search(said) is None

    def owner_of(self, key: str) -> Mention | None:
        """Whose animal bears this name, as far as the turns before tell."""
        for turn in self._earlier():
            for each in referents(turn.utterance.text):
                if each.is_animal and each.phrase.owner and each.phrase.name and normal_form(each.phrase.name) == key:
                    return Scene(turn).mention(each.phrase.owner, "person")
        return None

    def _of_pronoun(self, phrase: Phrase) -> Mention | None:
        word = phrase.head
        if word in _OWN or word in _YOU:
            person = self.speaker if word in _OWN else self.addressee
            return msgspec.structs.replace(person, span=phrase.span) if person else None
        gender = _GENDERS.get(word)
        found = self._antecedent(phrase.start, gender) if gender else None
        return msgspec.structs.replace(found, span=phrase.span) if found else None

    def _antecedent(self, place: int, gender: str) -> Mention | None:
        own = [each for each in referents(self.text) if each.phrase.end <= place]
        if own:
            found, unsure = self._last(own, gender)
            if found or unsure:
                return self.mention(found.phrase, "person") if found else None
        for turn in self._earlier():
            for text in (turn.utterance.text, *(each.text for each in answers(turn))):
                found, unsure = self._last(referents(text), gender)
                if found or unsure:
                    return self._told_before(found.phrase, turn) if found else None
        return None

    def _told_before(self, phrase: Phrase, turn: Turn) -> Mention | None:
        """Someone of an earlier turn; another's "your daughter" is this speaker's own."""
        owner = phrase.owner
        if owner is not None and owner.head == "you" and turn.utterance.speaker != self.turn.utterance.speaker:
            return self.mention(phrase._replace(owner=owner._replace(words=("i",))), "person")
        return Scene(turn).mention(phrase, "person")

    def _last(self, found: Sequence[Referent], gender: str) -> tuple[Referent | None, bool]:
        """The last that fits; (None, True) where two fit in one sentence."""
        fitting = [each for each in found if _fits(each, gender) and normal_form(each.phrase.text) not in self._labels]
        if not fitting:
            return None, False
        last = fitting[-1]
        rivals = {_identity(each) for each in fitting if each.sentence == last.sentence}
        certain = [each for each in fitting if each.sentence == last.sentence and each.gender == gender]
        if len(rivals) > 1:
            return (certain[0], False) if len({_identity(each) for each in certain}) == 1 else (None, True)
        return last, False

    def _known_animal(self, phrase: Phrase) -> Mention | None:
        """Whom "the puppy" means: the last animal of this kind."""
        wanted = SPECIES[among(phrase.words, SPECIES)]
        for turn in (self.turn, *self._earlier()):
            for each in reversed(referents(turn.utterance.text)):
                kind = SPECIES.get(among(each.phrase.words, SPECIES), "")
                if kind == wanted and (turn is not self.turn or each.phrase.start < phrase.start):
                    found = Scene(turn).mention(each.phrase, "animal")
                    return msgspec.structs.replace(found, span=phrase.span) if found else None
        return None

    def _earlier(self) -> Iterator[Turn]:
        """The turns before this one, latest first, as far as a pronoun reaches."""
        before = self.turn.before
        for index in range(len(before) - 1, max(-1, len(before) - 1 - WINDOW), -1):
            yield Turn(before[index], before[:index], self.turn.multi_speaker)


def type_of(phrase: Phrase, kind: str) -> str:
    """An entity's type, from the phrase itself or from what the predicate asks for; else by its last word."""
    if phrase.relation:
        return "person"
    if phrase.owner is not None and (among(phrase.words, SPECIES) or among(phrase.words, BREEDS)):
        return "animal"
    return kind if kind not in _VAGUE else kind_of(phrase.words) or kind


@lru_cache(maxsize=4096)
def referents(text: str) -> tuple[Referent, ...]:
    """Those a text introduces, in order: "my sister (Anna)", "a puppy", a name that does something."""
    found: list[Referent] = []
    text = text[:READ_FOR_REFERENTS]
    times = Times(find_times(text, 0))
    for number, sentence in enumerate(split(text)):
        found += _introduced(Chunks(text, sentence.tokens, times), number)
    return tuple(found)


READ_FOR_REFERENTS = 2_000  # characters of one turn


def _introduced(chunks: Chunks, number: int) -> Iterator[Referent]:
    position = 0
    while position < len(chunks.tokens):
        word, phrase, after = chunks.lower(position), None, position + 1
        if word in ("my", "our", "your") or (word in ("a", "an", "one") and _is_gained(chunks.lower(position - 1))):
            named = word in ("a", "an", "one")  # "a dog | named Max"
            phrase, after = chunks.phrase(position + (word == "one")) if named else chunks.subject(position)
            if not named and (phrase is None or _referent(phrase, number) is None):
                phrase, after = _kin(chunks, position), position + 1  # "taking my mum | out for dinner"
        elif chunks.tokens[position].is_capitalised and word not in SUBJECT_PRONOUNS:
            phrase, after = chunks.subject(position)
            acts = phrase is not None and phrase.is_name and verb_group(chunks.tokens, after) is not None
            named = chunks.lower(position - 1) in _BEFORE_A_NAME or (
                chunks.lower(position - 1) == "to" and chunks.lower(position - 2) in _SPEAKING
            )
            counts = phrase is not None and phrase.words[0] in NUMBERS  # "Nine is a good age"
            phrase = phrase if (acts and not counts) or (named and phrase is not None and phrase.is_name) else None
        if phrase is not None and (each := _referent(phrase, number)) is not None:
            yield each
        position = max(after, position + 1)


def _kin(chunks: Chunks, position: int) -> Phrase | None:
    """The one whom "my" opens, up to what they are to somebody: "my older sister | round to dinner"."""
    for end in range(position + 1, min(position + 4, len(chunks.tokens))):
        if chunks.lower(end) in RELATIONS or chunks.lower(end) in SPECIES:
            return phrase_of(chunks.text, chunks.tokens[position : end + 1])
    return None


def _is_gained(word: str) -> bool:
    """Whether a verb in front of "a puppy" brings it into the conversation."""
    return word in VERBS and VERBS[word].lemma in ("have", "get", "adopt", "rescue", "buy", "own", "meet")


def _referent(phrase: Phrase, number: int) -> Referent | None:
    if among(phrase.words, DURABLES) and phrase.determiner in ("a", "an"):
        return Referent(phrase._replace(owner=None), number, "n", is_animal=False)  # "a Trek bike"
    if phrase.is_name and phrase.owner is None:
        first = phrase.words[0]
        gender = "f" if first in NAMES_OF_WOMEN else "m" if first in NAMES_OF_MEN else "?"
        return Referent(phrase, number, gender, is_animal=False)
    animal = among(phrase.words, SPECIES) or among(phrase.words, BREEDS)
    if animal:
        speaker = Phrase("", phrase.start, phrase.start, ("i",), is_pronoun=True)
        return Referent(phrase if phrase.owner else phrase._replace(owner=speaker), number, "?", is_animal=True)
    if phrase.relation in RELATIONS or (phrase.relation and phrase.words[-1] in RELATIONS):
        speaker = Phrase("", phrase.start, phrase.start, ("i",), is_pronoun=True)
        owned = phrase if phrase.owner else phrase._replace(owner=speaker)
        return Referent(owned, number, RELATIONS[phrase.words[-1]].gender, is_animal=False)
    if among(phrase.words, DURABLES):
        return Referent(phrase._replace(owner=None), number, "n", is_animal=False)
    return None


def _fits(referent: Referent, gender: str) -> bool:
    if gender == "n":
        return referent.is_animal or referent.gender == "n"
    return referent.gender in (gender, "?")


def _identity(referent: Referent) -> str:
    return normal_form(referent.phrase.name or referent.phrase.text)
