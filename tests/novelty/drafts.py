"""Drafts for tests: what is said, with everything else plain."""

import itertools

from kg_assets.model import Draft, Role
from kg_assets.novelty.reading import Reading, read
from kg_assets.text.instants import parse_instant
from kg_assets.text.ontology import load_ontology

SAID_AT = parse_instant("2026-06-01T12:00:00Z")
_numbers = itertools.count(1)


def draft(text: str, *, role: Role = "user", speaker: str = "Ana", said_at: int = SAID_AT) -> Draft:
    return Draft(id=f"u{next(_numbers)}", session="s", speaker=speaker, role=role, text=text, said_at=said_at)


def reading(text: str, *, role: Role = "user", speaker: str = "Ana") -> Reading:
    return read(draft(text, role=role, speaker=speaker), load_ontology(), multi_speaker=False)
