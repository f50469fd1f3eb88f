"""What patterns need of the ontology, as plain values that a subinterpreter can be given. Standard library only."""

from functools import lru_cache

# name, range, whether it is of an encyclopaedia, its sentences with {subject} and {object}, its nouns, and those of its
# sentences whose ends may be common nouns
Declared = tuple[str, str, bool, tuple[str, ...], tuple[str, ...], tuple[str, ...]]

_given: tuple[Declared, ...] = ()


def declare(predicates: tuple[Declared, ...]) -> None:
    """Give what `declared` returned elsewhere, before any text is read, where the ontology cannot be loaded."""
    global _given
    _given = predicates


def declared() -> tuple[Declared, ...]:
    """Of each predicate, in the ontology's order."""
    return _given or _of_the_ontology()


@lru_cache(maxsize=1)
def _of_the_ontology() -> tuple[Declared, ...]:
    from kg_assets.text.ontology import load_ontology

    return tuple(
        (each.name, each.range, each.encyclopaedic, tuple(each.forms), tuple(each.nouns), tuple(each.common_forms))
        for each in load_ontology().predicates.values()
    )
