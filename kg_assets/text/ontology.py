"""Types and predicates: what `ontology.yaml` declares, checked at load, and what becomes of a predicate beyond it.

An exclusive `group` makes its predicates share one slot. In a functional group one statement holds at a time
(engaged_to gives way to spouse); in a multi-valued group the predicates exclude one another for the same object
(likes and dislikes).
"""

import re
import unicodedata
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec
import yaml

from kg_assets.errors import InvalidInput
from kg_assets.identity import content_hash
from kg_assets.model import SAME_AS, PolicyName
from kg_assets.text.rules import Rule, read_rules

ONTOLOGY_FILE = Path(__file__).with_name("ontology.yaml")
SECTIONS = ("types", "predicates", "families", "rules")
LITERALS = frozenset({"number", "date", "text"})
ANYTHING = "thing"

_NAME = re.compile(r"[a-z][a-z0-9_]*")
_OUTSIDE_NAMES = re.compile(r"\W+")


class Predicate(msgspec.Struct, frozen=True, kw_only=True):
    """One kind of statement, in its canonical direction.

    `aliases` read subject → object, `inverse` (and `inverse_aliases`) object → subject. `asks` are question forms
    with `{subject}` in them. `phrase` renders a fact. `forms` are sentences that state one of somebody who is named,
    `common_forms` are such sentences of things that need no name ("photography is part of my hobbies"), and
    `nouns` what the object is to the subject ("capital": "Paris is the capital of France", "my landlord is Tom").
    What an `encyclopaedic` one states is no part of a life: it holds at all times until told otherwise.
    `policy` settles its conflicts in place of the deployment's.
    """

    name: str
    phrase: str
    aliases: tuple[str, ...] = ()
    domain: str = ANYTHING
    range: str = ANYTHING
    inverse: str = ""
    inverse_aliases: tuple[str, ...] = ()
    symmetric: bool = False
    transitive: bool = False
    functional: bool = False
    group: str = ""
    asks: tuple[str, ...] = ()
    forms: tuple[str, ...] = ()
    common_forms: tuple[str, ...] = ()
    nouns: tuple[str, ...] = ()
    encyclopaedic: bool = False
    provisional: bool = False
    policy: PolicyName | None = None


class Ontology(msgspec.Struct, frozen=True, kw_only=True):
    """Look-ups over the declared predicates. `version` is the hash of what is declared, not of the file's layout.

    `rules` are no part of it: what follows is computed at read, and nothing that is stored depends on them. `extra` is
    the text of what a deployment declared beside what ships (`text.extra_ontology`), for workers to load the same.
    """

    version: str
    types: dict[str, str]  # type → its parent, "" at the top
    predicates: dict[str, Predicate]
    families: dict[str, Predicate]  # prefix → template with {rest} ("favourite_" → favourite_colour …)
    names: dict[str, tuple[str, bool]]  # name or alias → (canonical name or family prefix, inverted)
    synonyms: dict[str, tuple[str, ...]] = {}  # canonical name → every name of it that is in `names`
    slots: dict[str, tuple[str, ...]] = {}  # slot name → the declared predicates that share it, sorted
    rules: tuple[Rule, ...] = ()
    extra: str = ""

    def predicate(self, name: str) -> Predicate | None:
        """The declared predicate with this canonical name, or None."""
        return self.predicates.get(name) or self._of_family(name)

    def canonical(self, name: str) -> tuple[Predicate, bool]:
        """The predicate that a name, alias or inverse stands for, and whether subject and object change places.

        A name that nobody declared gives a provisional, multi-valued predicate. Raises `InvalidInput` where the name
        holds no letter or digit.
        """
        wanted = predicate_name(name)
        if wanted in self.names:
            canonical, inverted = self.names[wanted]
            return self.predicates[canonical], inverted
        if (member := self._of_family(wanted)) is not None:
            return member, False
        return _provisional(wanted), False

    def believed(self, name: str) -> Predicate:
        """The predicate under which a fact stands. One that stands under an alias was provisional when it was derived,
        and is so until a rebuild."""
        return self.predicate(name) or _provisional(name)

    def slot_name(self, predicate: Predicate | str) -> str:
        """The exclusive group of a predicate, or its canonical name: the last part of a slot."""
        declared = self.canonical(predicate)[0] if isinstance(predicate, str) else predicate
        return declared.group or declared.name

    def group_members(self, group: str) -> tuple[str, ...]:
        """The predicates that share this slot name, sorted."""
        return self.slots.get(group, ())

    def is_a(self, kind: str, ancestor: str) -> bool:
        """True where a type is `ancestor` or stands below it. An undeclared type is only a `thing`."""
        while kind:
            if kind == ancestor:
                return True
            kind = self.types.get(kind, "")
        return ancestor == ANYTHING

    def _of_family(self, name: str) -> Predicate | None:
        for alias, (prefix, _) in self.names.items():
            if alias.endswith("_") and name.startswith(alias) and len(name) > len(alias):
                template, rest = self.families[prefix], name[len(alias) :]
                phrase = template.phrase.replace("{rest}", rest.replace("_", " "))
                asks = tuple(ask.replace("{rest}", rest.replace("_", " ")) for ask in template.asks)
                return msgspec.structs.replace(template, name=prefix + rest, phrase=phrase, asks=asks, aliases=())
        return None


def _provisional(name: str) -> Predicate:
    return Predicate(name=name, phrase=f"{{subject}} {name.replace('_', ' ')} {{object}}", provisional=True)


def predicate_name(name: str) -> str:
    """Lower case, words joined by underscores: "Lives in" → lives_in."""
    folded = unicodedata.normalize("NFKC", name).casefold()
    wanted = _OUTSIDE_NAMES.sub("_", folded).strip("_")
    if not wanted:
        raise InvalidInput(f"the predicate {name!r} holds no letter or digit; name it with a word such as 'likes'")
    return wanted


@lru_cache(maxsize=8)
def load_ontology(path: Path = ONTOLOGY_FILE) -> Ontology:
    """Read and check a file of types and predicates. Raises `InvalidInput` naming file, predicate and remedy."""
    return build_ontology(parsed(read_file(path), str(path)), where=path.name)


def read_file(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError as ex:
        raise InvalidInput("there is no such ontology file; give the path of a YAML file", where=str(path)) from ex
    except UnicodeDecodeError as ex:
        raise InvalidInput(f"this is no readable YAML: {ex}", where=str(path)) from ex
    except OSError as ex:
        raise InvalidInput(f"cannot be read ({ex.strerror}); check the path and the rights", where=str(path)) from ex


def parsed(text: str, where: str) -> Any:
    try:
        return yaml.load(text, Loader=_UniqueKeys)
    except yaml.YAMLError as ex:
        raise InvalidInput(f"this is no readable YAML: {ex}", where=where) from ex


def build_ontology(declared: Any, *, where: str) -> Ontology:
    """Check what was declared ({types, predicates, families, rules}) and index it by every name."""
    sections = mapping(declared, where)
    if unknown := sorted(set(sections) - set(SECTIONS)):
        raise InvalidInput(f"unknown section {unknown[0]!r}; use {', '.join(SECTIONS)}", where=where)
    types = _types(mapping(sections.get("types"), f"{where}: types"), where)
    predicates = dict(_predicates(sections, "predicates", types, where))
    families = dict(_predicates(sections, "families", types, where))
    _check_groups(predicates, where)
    _check_readings(predicates, where)
    names = _names(predicates, families, where)
    synonyms: dict[str, list[str]] = {}
    for name, (canonical, _) in names.items():
        synonyms.setdefault(canonical, []).append(name)
    ontology = Ontology(
        version=content_hash(sorted(types.items()), _sorted(predicates), _sorted(families))[:16],
        types=types,
        predicates=predicates,
        families=families,
        names=names,
        synonyms={canonical: tuple(found) for canonical, found in synonyms.items()},
        slots=_slots(predicates),
    )
    rules = read_rules(mapping(sections.get("rules"), f"{where}: rules"), ontology, where)
    return msgspec.structs.replace(ontology, rules=rules)


class _UniqueKeys(yaml.CSafeLoader if yaml.__with_libyaml__ else yaml.SafeLoader):  # type: ignore[misc]
    """YAML in which naming a key twice is an error: the second would silently replace the first."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        seen = set()
        for key_node, _ in node.value:
            if key_node.value in seen:
                raise yaml.YAMLError(f"{key_node.value!r} is declared twice (line {key_node.start_mark.line + 1})")
            seen.add(key_node.value)
        found: dict[Any, Any] = super().construct_mapping(node, deep)
        return found


def mapping(value: Any, where: str) -> Mapping[str, Any]:
    if value is None:
        return {}
    if not isinstance(value, dict) or not all(isinstance(key, str) for key in value):
        raise InvalidInput("expected names with a value each (name: …)", where=where)
    return value


def _types(declared: Mapping[str, Any], where: str) -> dict[str, str]:
    types = {ANYTHING: "", **{name: str(parent or ANYTHING) for name, parent in declared.items()}}
    for name, parent in types.items():
        if name in LITERALS:
            raise InvalidInput(
                f"{name!r} is a literal type and needs no declaration; remove it", where=f"{where}: types"
            )
        if parent and parent not in types:
            raise InvalidInput(f"its parent {parent!r} is not declared; declare it", where=f"{where}: type {name!r}")
        seen = {name}
        while parent:
            if parent in seen:
                raise InvalidInput("it is its own ancestor; give it another parent", where=f"{where}: type {name!r}")
            seen.add(parent)
            parent = types[parent]
    return types


def _predicates(
    sections: Mapping[str, Any], section: str, types: Mapping[str, str], where: str
) -> Iterator[tuple[str, Predicate]]:
    for name, fields in mapping(sections.get(section), f"{where}: {section}").items():
        place = f"{where}: predicate {name!r}"
        if not _NAME.fullmatch(name) or (section == "families") != name.endswith("_"):
            raise InvalidInput("use lower-case words joined by underscores; a family ends in one", where=place)
        given = {"phrase": f"{{subject}} {name.replace('_', ' ')} {{object}}", **mapping(fields, place), "name": name}
        if unknown := sorted(set(given) - set(Predicate.__struct_fields__) | set(given) & {"provisional"}):
            raise InvalidInput(f"unknown field {unknown[0]!r}; remove it or correct its spelling", where=place)
        try:
            predicate = msgspec.convert(given, Predicate)
        except msgspec.ValidationError as ex:
            raise InvalidInput(f"{ex}; correct this field", where=place) from ex
        _check(predicate, types, place)
        yield name, predicate


def _check(predicate: Predicate, types: Mapping[str, str], place: str) -> None:
    if predicate.domain not in types:
        raise InvalidInput(f"its domain {predicate.domain!r} is no declared type; declare it", where=place)
    if predicate.range not in types and predicate.range not in LITERALS:
        raise InvalidInput(f"its range {predicate.range!r} is no declared type or literal; declare it", where=place)
    for slot in ("{subject}", "{object}"):
        if predicate.phrase.count(slot) != 1:
            raise InvalidInput(f"its phrase must hold {slot} exactly once", where=place)
    said = (predicate.phrase, *predicate.asks)
    if odd := [each for each in said if _BRACES.search(_slots_taken(each, predicate.name))]:
        raise InvalidInput(f"{odd[0]!r} holds a brace that opens no {{subject}} or {{object}}; remove it", where=place)
    if any(ask.count("{subject}") != 1 for ask in predicate.asks):
        raise InvalidInput("each of its asks must hold {subject} once", where=place)
    if predicate.symmetric and (predicate.inverse or predicate.inverse_aliases):
        raise InvalidInput("a symmetric predicate is its own inverse; remove `inverse` or `symmetric`", where=place)
    if (predicate.symmetric or predicate.transitive or predicate.inverse) and predicate.range in LITERALS:
        raise InvalidInput("a literal cannot be a subject; remove symmetric, transitive and inverse", where=place)


_BRACES = re.compile(r"[{}]")


def _slots_taken(phrase: str, name: str) -> str:
    """A phrase without the places that are filled in when it is rendered."""
    places = ("{subject}", "{object}", "{rest}") if name.endswith("_") else ("{subject}", "{object}")
    for each in places:
        phrase = phrase.replace(each, "")
    return phrase


_SLOTS = re.compile(r"\{(?:subject|object)\}")
_BETWEEN = re.compile(r"(?: [a-z][a-z' ]*| ?'s [a-z' ]*) ?")


def _check_readings(predicates: Mapping[str, Predicate], where: str) -> None:
    """A form or noun leads to one predicate, and a form has words between its slots."""
    owners: dict[tuple[str, bool], str] = {}  # a date and a place may be told in one form ("was founded in …")
    for predicate in predicates.values():
        place = f"{where}: predicate {predicate.name!r}"
        for form in (*predicate.forms, *predicate.common_forms):
            parts = _SLOTS.split(form)
            whole = all(form.count(slot) == 1 for slot in ("{subject}", "{object}"))
            if not whole or not _BETWEEN.fullmatch(parts[1]):
                raise InvalidInput(
                    f"its form {form!r} must hold {{subject}} and {{object}} once, with words between them", where=place
                )
        for reading in (*predicate.forms, *predicate.common_forms, *predicate.nouns):
            first = owners.setdefault((reading, predicate.range == "date"), predicate.name)
            if first != predicate.name:
                raise InvalidInput(f"{reading!r} already states {first!r}; remove it from one of them", where=place)


def _check_groups(predicates: Mapping[str, Predicate], where: str) -> None:
    functional: dict[str, Predicate] = {}
    for predicate in predicates.values():
        if not predicate.group:
            continue
        place = f"{where}: predicate {predicate.name!r}"
        if predicate.group in predicates:
            raise InvalidInput(f"its group {predicate.group!r} is the name of a predicate; rename it", where=place)
        first = functional.setdefault(predicate.group, predicate)
        for field in ("functional", "policy"):
            if getattr(first, field) != getattr(predicate, field):
                raise InvalidInput(
                    f"in the group {predicate.group!r} {first.name!r} and this one differ in `{field}`; make it equal",
                    where=place,
                )


def _names(
    predicates: Mapping[str, Predicate], families: Mapping[str, Predicate], where: str
) -> dict[str, tuple[str, bool]]:
    names: dict[str, tuple[str, bool]] = {}
    for predicate in [*predicates.values(), *families.values()]:
        inverse = (predicate.inverse,) if predicate.inverse else ()
        for inverted, group in (
            (False, (predicate.name, *predicate.aliases)),
            (True, (*inverse, *predicate.inverse_aliases)),
        ):
            for alias in group:
                wanted = alias if alias.endswith("_") else predicate_name(alias)
                place = f"{where}: predicate {predicate.name!r}"
                if wanted == SAME_AS:
                    raise InvalidInput(f"{alias!r} joins two names of one entity; choose another name", where=place)
                if predicate.name.endswith("_") and not wanted.endswith("_"):
                    raise InvalidInput(f"{alias!r} must end in an underscore, as every name of a family", where=place)
                if wanted in names:
                    raise InvalidInput(
                        f"{alias!r} already names {names[wanted][0]!r}; remove it from one of them",
                        where=place,
                    )
                names[wanted] = (predicate.name, inverted)
    return names


def _slots(predicates: Mapping[str, Predicate]) -> dict[str, tuple[str, ...]]:
    """Looked up for every slot that is derived: a scan of all predicates each time was a fifth of that work."""
    found: dict[str, list[str]] = {}
    for name in sorted(predicates):
        found.setdefault(predicates[name].group or name, []).append(name)
    return {slot: tuple(names) for slot, names in found.items()}


def _sorted(predicates: Mapping[str, Predicate]) -> list[Any]:
    return [msgspec.to_builtins(predicates[name]) for name in sorted(predicates)]
