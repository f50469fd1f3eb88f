"""What the last word of a phrase says a thing is, where no predicate says it: "the billing migration" is a project."""

from collections.abc import Sequence

from kg_assets.text.lexicon import bag

_KINDS = {
    "project": bag(
        "project projects migration rewrite refactoring redesign rollout initiative prototype thesis dissertation"
    ),
    "event": bag(
        "meeting meetings party wedding concert conference launch kickoff festival marathon workshop ceremony birthday "
        "anniversary offsite webinar hackathon meetup graduation funeral parade deadline"
    ),
    "category": bag("category categories genre genres hobbies interests"),
    "topic": bag("topic topics subject subjects theory"),
}
_KIND_OF = {word: kind for kind, words in _KINDS.items() for word in words}


def kind_of(words: Sequence[str]) -> str:
    """A type of the ontology, or "" where the last word tells none."""
    return _KIND_OF.get(words[-1], "") if words else ""
