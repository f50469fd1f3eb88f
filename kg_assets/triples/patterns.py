"""The first voter: statements read without a parser."""

from kg_assets.text.statements import statements
from kg_assets.triples.grounding import Ground
from kg_assets.triples.reading import RULES, Reading


def read(ground: Ground, text: str) -> list[Reading]:
    """What the cheap patterns of `text/statements` find, grounded in the turn."""
    return ground.readings(statements(text), RULES)
