"""Statements of many texts as plain values: what a subinterpreter can read, where msgspec and numpy do not load.

Nothing that is imported here, or by that, is outside of the standard library; `tests/text/test_apart.py` holds it.
"""

from kg_assets.text.clauses import Statement
from kg_assets.text.declared import Declared, declare
from kg_assets.text.statements import statements

Plain = tuple[str, str, str, str, str, int, int]  # subject, predicate, object, polarity, aspect, span
Task = tuple[tuple[Declared, ...], tuple[str, ...]]  # of the ontology, and the texts


def statements_of(task: Task) -> tuple[tuple[Plain, ...], ...]:
    """Of each text, in order."""
    predicates, texts = task
    declare(predicates)
    return tuple(tuple(map(plain, statements(text))) for text in texts)


def plain(said: Statement) -> Plain:
    subject, target = said.subject.text, said.object.text
    return (subject, said.predicate, target, said.polarity, said.aspect, *said.span)
