"""What the ontology's nouns ask of a person: "my shoe size is 42", "Tom's landlord is Mr Reis"."""

from collections.abc import Iterator
from functools import lru_cache

from kg_assets.text.clauses import Clause, Statement, Value
from kg_assets.text.frames.stating import state, usable
from kg_assets.text.phrases import Phrase

_LONGEST = 80  # characters of a value


@lru_cache(maxsize=1)
def personal_nouns() -> dict[str, tuple[str, bool]]:
    """Noun → (predicate, whether its object is text), of the predicates that belong to a life."""
    from kg_assets.text.ontology import load_ontology

    return {
        noun: (each.name, each.range == "text")
        for each in load_ontology().predicates.values()
        if not each.encyclopaedic
        for noun in each.nouns
    }


def attribute(clause: Clause) -> Iterator[Statement]:
    """A noun of the ontology behind its owner, then what it is."""
    subject = clause.subject
    if subject.owner is None or subject.lower not in personal_nouns() or clause.tense != "present":
        return
    predicate, is_text = personal_nouns()[subject.lower]
    for phrase in clause.objects[:1]:
        if is_text:
            yield from state(clause, predicate, _value(clause.text, phrase), subject=subject.owner)
        elif usable(phrase) and phrase.owner is None:
            yield from state(clause, predicate, phrase, subject=subject.owner)


def _value(text: str, phrase: Phrase) -> Value:
    """The words of a value up to the next space: numbers, signs and addresses stay whole."""
    start, end = phrase.start, phrase.end
    while end < len(text) and end - start < _LONGEST and not text[end].isspace():
        end += 1
    while start and not text[start - 1].isspace() and phrase.start - start < _LONGEST:
        start -= 1
    said = text[start:end].rstrip(".,!?;)")
    return Value(said, "text", said, start, start + len(said))
