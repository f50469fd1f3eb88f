"""What made-up talk is made of, from two files of data: `talk.yaml` (what turns are made of) and `statements.yaml`."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
import yaml

FOLDER = Path(__file__).parent


class Family(msgspec.Struct, frozen=True):
    """Templates of one statement: `same` wordings, `less` that each of them says too, `against` it."""

    same: tuple[str, ...]
    against: tuple[str, ...]
    less: tuple[str, ...] = ()


class Thing(msgspec.Struct, frozen=True):
    """What nouns or adjectives name: its `names`, and the kinds that it is one of, by their first name."""

    names: tuple[str, ...]
    kinds: tuple[str, ...] = ()


class Looks(msgspec.Struct, frozen=True):
    """Adjectives of one sort, each with its names, and what they are said of: person, animal, thing."""

    of: tuple[str, ...]
    names: tuple[tuple[str, ...], ...]


class Deed(msgspec.Struct, frozen=True):
    """Who does what to what. Each of `verbs` is a meaning with its names; `done_to` is "" where there is no object."""

    doer: str
    verbs: tuple[tuple[str, ...], ...]
    done_to: str


def _told(name: str) -> Any:
    return yaml.safe_load((FOLDER / name).read_text(encoding="utf-8"))


def _names(listed: str) -> tuple[tuple[str, ...], ...]:
    """ "big/large, tiny": the names of each."""
    return tuple(tuple(each.strip().split("/")) for each in listed.split(","))


def _things(lines: list[str]) -> dict[str, Thing]:
    """By first name, those that are listed under several kinds once."""
    found: dict[str, Thing] = {}
    for line in lines:
        kind, _, members = line.partition(":")
        (named,) = _names(kind)
        found.setdefault(named[0], Thing(named))
        for names in _names(members):
            had = found.get(names[0], Thing(names))
            found[names[0]] = Thing(max(had.names, names, key=len), (*had.kinds, named[0]))
    return found


def _looks(line: str) -> Looks:
    of, _, listed = line.partition(":")
    return Looks(tuple(of.split()), _names(listed))


def _deeds(lines: list[str]) -> tuple[Deed, ...]:
    parted = ([part.strip() for part in line.split("|")] for line in lines)
    return tuple(Deed(doer, _names(verbs), done_to) for doer, verbs, done_to in parted)


def _irregular(listed: str) -> dict[str, tuple[str, str]]:
    """Past and participle by verb."""
    forms = (each.split() for each in listed.split(","))
    return {verb: (past.split("/")[0], past.split("/")[-1]) for verb, past in forms}


def _opposites(lines: list[str]) -> Mapping[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for one, other in (pair.strip().split(" - ") for line in lines for pair in line.split(",")):
        found[one] = (*found.get(one, ()), other)
        found[other] = (*found.get(other, ()), one)
    return found


_TALK, _STATEMENTS = _told("talk.yaml"), _told("statements.yaml")

REACTIONS: tuple[str, ...] = tuple(_TALK["reactions"])
FILLERS: Mapping[str, tuple[str, ...]] = {name: tuple(each) for name, each in _TALK["fillers"].items()}
TELLING: tuple[str, ...] = tuple(_TALK["telling"])
SLOTS: Mapping[str, tuple[str, ...]] = {
    name: tuple(each) for name, each in {**_TALK["slots"], **_STATEMENTS["slots"]}.items()
}
FAMILIES: tuple[Family, ...] = tuple(msgspec.convert(_STATEMENTS["families"], list[Family]))
THINGS: Mapping[str, Thing] = _things(_STATEMENTS["nouns"])
LOOKS: tuple[Looks, ...] = tuple(_looks(line) for line in _STATEMENTS["adjectives"])
PLACES: tuple[tuple[str, ...], ...] = tuple(place for line in _STATEMENTS["places"] for place in _names(line))
DEEDS: tuple[Deed, ...] = (
    *_deeds(_STATEMENTS["deeds"]),
    *_deeds([f"{line} |" for line in _STATEMENTS["doings"]]),
)
OPPOSITES = _opposites(_STATEMENTS["opposites"])
IRREGULAR = _irregular(_STATEMENTS["irregular"])
