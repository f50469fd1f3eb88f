"""From statements in the words of a text to readings: whose, about whom, when, and with which authority."""

from collections.abc import Iterable, Iterator

import msgspec

from kg_assets.model import SAME_AS, Authority, Literal, Mention
from kg_assets.text.clauses import Statement, Value
from kg_assets.text.frames.places import STAYS_IN
from kg_assets.text.lexicon import SPECIES, among
from kg_assets.text.names import is_relational
from kg_assets.text.ontology import LITERALS, Ontology, Predicate
from kg_assets.text.phrases import Phrase
from kg_assets.triples.discourse import Scene
from kg_assets.triples.reading import Interval, Reading
from kg_assets.triples.validity import Clock

_DATED = frozenset({"did", "has_event"})  # worth nothing without the date that is given
_SAME = Predicate(name=SAME_AS, phrase="{subject} is {object}", symmetric=True)


class Ground:
    """What one turn's statements stand on."""

    def __init__(self, scene: Scene, ontology: Ontology) -> None:
        self.scene, self.ontology = scene, ontology
        utterance = scene.turn.utterance
        self.clock = Clock(scene.text, utterance.said_at, unbounded=utterance.is_document)

    def readings(self, statements: Iterable[Statement], extractor: str) -> list[Reading]:
        """One reading of each statement whose mentions can be told; a name given in the same turn is used at once."""
        found: dict[tuple[str, str, str, str], Reading] = {}
        for statement in statements:
            for reading in self._reading(statement, extractor):
                found.setdefault(reading.statement, reading)
        return list(with_names(found.values()))

    def _reading(self, statement: Statement, extractor: str) -> Iterator[Reading]:
        name, thing = statement.predicate, statement.object
        guessed = name == STAYS_IN
        if guessed:
            if not self.scene.is_of_homes:
                return
            name = "lives_in"
        if isinstance(thing, Value) and thing.kind == "date":
            dated = self.clock.date(thing, name)
            if dated is None:
                return
            name, value = dated
            thing = thing._replace(value=value)
        predicate, inverted = (_SAME, False) if name == SAME_AS else self.ontology.canonical(name)
        if not _is_somebody(statement.subject) and statement.aspect != "timeless":
            return
        subject = self.scene.mention(statement.subject, "person" if predicate.domain == "agent" else predicate.domain)
        target = self._object(thing, predicate, subject.type if subject and name == SAME_AS else predicate.range)
        if subject is None or target is None or (isinstance(target, Mention) and target.key == subject.key):
            return
        if subject.type == "animal" and not self.ontology.is_a("animal", predicate.domain):
            return  # "it teaches your kids": no dog
        when = self.clock.interval(statement)
        if (
            predicate.name in _DATED
            and statement.polarity == "affirmed"
            and (not when.start_known or when.precision == "unknown")
            and (predicate.name != "did" or statement.times)
        ):
            return
        planned = statement.forward and statement.aspect == "happens"
        if planned and when.valid_to is not None and when.valid_to <= self.scene.turn.utterance.said_at:
            return  # "I'll remember our trip last year"
        if inverted and isinstance(target, Mention):
            subject, target = target, subject
        reading = Reading(
            subject=subject,
            predicate=predicate.name,
            object=target,
            polarity=statement.polarity,
            when=when,
            authority=self._authority(subject, target),
            span=statement.span,
            extractor=extractor,
            is_carried=guessed,
            by_pronoun=statement.subject.is_pronoun and statement.subject.head in ("he", "she", "it"),
        )
        yield reading
        if reading.predicate == "died_on":
            yield from self._left(reading)
        if statement.aspect in ("held", "holds") and statement.polarity == "affirmed":
            yield from over(reading)

    def _left(self, died: Reading) -> Iterator[Reading]:
        """ "Max died yesterday", whom the session knows as my dog: whoever had Max has him no longer."""
        owner = self.scene.owner_of(died.subject.key)
        if owner is not None:
            had = msgspec.structs.replace(died, subject=owner, predicate="has_pet", object=died.subject)
            yield msgspec.structs.replace(had, polarity="denied", authority=self._authority(owner, died.subject))

    def _object(self, thing: Phrase | Value, predicate: Predicate, kind: str) -> Mention | Literal | None:
        if isinstance(thing, Value):
            return Literal(value=thing.value, type=thing.kind)
        if predicate.range in LITERALS:
            return Literal(value=thing.text, type=predicate.range)
        return self.scene.mention(thing, kind)

    def _authority(self, subject: Mention, target: Mention | Literal) -> Authority:
        """What a speaker says of themselves is the user's word, what they say of others a document's."""
        if self.scene.turn.utterance.role == "assistant":
            return "model"
        if self.scene.turn.utterance.is_document:
            return "document"
        own = self.scene.speaker.key if self.scene.speaker else ""
        about = {subject.key, target.key} if isinstance(target, Mention) else {subject.key}
        return "user" if own in about else "document"


def over(reading: Reading) -> Iterator[Reading]:
    """ "I used to live in Porto" also says that it is so no longer, from its end on, and "I work there until May" that
    it will be so no longer. "I lived there in 2015" does not: it may have gone on."""
    when = reading.when
    if not when.start_known and when.valid_to is not None:
        after = Interval(when.valid_to, None, start_known=when.precision != "unknown", precision=when.precision)
        yield msgspec.structs.replace(reading, polarity="denied", when=after)


def _is_somebody(phrase: Phrase) -> bool:
    """Someone or something that can be told from others: not "the younger kids"."""
    if phrase.owner is not None:
        return _is_somebody(phrase.owner)
    return phrase.is_pronoun or phrase.is_name or bool(phrase.name) or bool(among(phrase.words, SPECIES))


def with_names(readings: Iterable[Reading]) -> Iterator[Reading]:
    """As in "We adopted a puppy, her name is Lena": the puppy of this turn is Lena in every reading of it."""
    known = list(readings)
    names: dict[str, set[Mention]] = {}
    for each in known:
        if each.predicate == SAME_AS and each.polarity == "affirmed" and is_relational(each.subject.key):
            assert isinstance(each.object, Mention)
            names.setdefault(each.subject.key, set()).add(each.object)
    single = {key: min(found, key=lambda each: each.key) for key, found in names.items() if len(found) == 1}
    for each in known:
        if each.predicate == SAME_AS:
            yield each
            continue
        subject = _named(each.subject, single)
        target = _named(each.object, single) if isinstance(each.object, Mention) else each.object
        yield msgspec.structs.replace(each, subject=subject, object=target)


def _named(mention: Mention, names: dict[str, Mention]) -> Mention:
    name = names.get(mention.key)
    return msgspec.structs.replace(name, type=mention.type) if name else mention
