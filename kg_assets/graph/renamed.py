"""What an assertion states under the names of today: a predicate that was provisional when it was read may be declared
since, under another name or the other way round. So a rebuild takes up what was told before."""

from collections.abc import Iterable

from kg_assets.model import SAME_AS, Assertion, Literal, Mention
from kg_assets.text.ontology import LITERALS, Ontology

Said = tuple[Mention, str, Mention | Literal]


def as_of_today(ontology: Ontology, assertion: Assertion) -> Said | None:
    """Subject, predicate and object; None for `SAME_AS`, and for a value that would have to be a subject."""
    if assertion.predicate == SAME_AS:
        return None
    name, inverted = ontology.names.get(assertion.predicate, (assertion.predicate, False))
    if name == assertion.predicate:
        return assertion.subject, name, assertion.object
    if inverted:
        return (assertion.object, name, assertion.subject) if isinstance(assertion.object, Mention) else None
    kind = ontology.predicates[name].range
    if kind in LITERALS and isinstance(assertion.object, Mention):
        return assertion.subject, name, Literal(value=assertion.object.surface, type="text")
    return assertion.subject, name, assertion.object


def told_under(ontology: Ontology, predicates: Iterable[str]) -> list[str]:
    """The names under which assertions may state one of these."""
    return sorted({name for each in predicates for name in (each, *ontology.synonyms.get(each, ()))})


def turned(ontology: Ontology, names: Iterable[str]) -> list[str]:
    """Of these names, those under which the object of an assertion can be the subject of what it states."""
    found = []
    for name in names:
        canonical, inverted = ontology.names.get(name, (name, False))
        declared = ontology.predicates.get(canonical)
        if inverted or (declared is not None and declared.symmetric):
            found.append(name)
    return found


def statement_of_today(ontology: Ontology, subject: str, predicate: str, target: str) -> tuple[str, str, str]:
    """A believed statement, by the keys of its ends, under the names of today."""
    name, inverted = ontology.names.get(predicate, (predicate, False))
    return (target, name, subject) if inverted else (subject, name, target)
