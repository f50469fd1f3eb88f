"""What a deployment declares beside the ontology that ships: a file of its own, merged and checked with it at load.

It holds the same sections. A new name is declared as in `ontology.yaml`; a name that ships can be given more aliases
and question forms and nothing else, so that what ships keeps its meaning. The version is the hash of both together.
"""

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec

from kg_assets.errors import InvalidInput
from kg_assets.text.ontology import (
    ONTOLOGY_FILE,
    SECTIONS,
    Ontology,
    build_ontology,
    load_ontology,
    mapping,
    parsed,
    read_file,
)

ADDED = ("aliases", "inverse_aliases", "asks")  # lists of a predicate that ships to which a deployment may add
_SHIPPED_ONLY = ("forms", "common_forms", "nouns")  # patterns that also run where no ontology can be loaded


def ontology_with(extra: Path | None) -> Ontology:
    """The ontology that ships, with what this file adds. Raises `InvalidInput` naming file, predicate and remedy."""
    return load_ontology() if extra is None else extended(read_file(extra), str(extra))


@lru_cache(maxsize=8)
def extended(extra: str, where: str = "the extra ontology") -> Ontology:
    """The same from the text of such a file; of an empty one, the ontology that ships."""
    if not extra.strip():
        return load_ontology()
    shipped = parsed(read_file(ONTOLOGY_FILE), ONTOLOGY_FILE.name)
    merged = _merged(shipped, parsed(extra, where), where)
    return msgspec.structs.replace(build_ontology(merged, where=where), extra=extra)


def _merged(shipped: Mapping[str, Any], extra: Any, where: str) -> dict[str, Any]:
    sections = mapping(extra, where)
    if unknown := sorted(set(sections) - set(SECTIONS)):
        raise InvalidInput(f"unknown section {unknown[0]!r}; use {', '.join(SECTIONS)}", where=where)
    merged = dict(shipped)
    for section in SECTIONS:
        declared = dict(mapping(shipped.get(section), section))
        for name, fields in mapping(sections.get(section), f"{where}: {section}").items():
            place = f"{where}: {section} {name!r}"
            _check(section, fields, place)
            declared[name] = _added(declared[name], fields, section, place) if name in declared else fields
        merged[section] = declared
    return merged


def _check(section: str, fields: Any, place: str) -> None:
    if section == "predicates" and (wrong := sorted(set(mapping(fields, place)) & set(_SHIPPED_ONLY))):
        raise InvalidInput(
            f"`{wrong[0]}` are sentence patterns, which only the shipped file declares; remove it", where=place
        )


def _added(shipped: Any, fields: Any, section: str, place: str) -> dict[str, Any]:
    """The shipped declaration with more of the lists that may grow."""
    if section != "predicates":
        raise InvalidInput("it is declared by Palimpsest already; choose another name", where=place)
    given = mapping(fields, place)
    if other := sorted(set(given) - set(ADDED)):
        raise InvalidInput(
            f"Palimpsest declares this predicate; only {', '.join(ADDED)} can be added, not {other[0]!r}", where=place
        )
    known = dict(mapping(shipped, place))
    for field, values in given.items():
        if not isinstance(values, list):
            raise InvalidInput(f"`{field}` is a list, such as [name, another name]", where=place)
        known[field] = [*known.get(field, []), *values]
    return known
