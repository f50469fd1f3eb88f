"""A fact as a sentence, for people, prompts and the index."""

import re
from calendar import month_name
from collections.abc import Mapping
from datetime import UTC, datetime

from kg_assets.model import Entity, Fact, Literal, Micros, Precision
from kg_assets.text.ontology import Ontology

RULES = "2"  # raised by hand where this file gives another sentence for the same fact
FORMATS: dict[Precision, str] = {"year": "%Y", "month": "%B %Y", "day": "%-d %B %Y", "instant": "%-d %B %Y"}
DATE = re.compile(r"(?:(?P<year>[0-9]{4})-)?(?P<month>[0-9]{2})-(?P<day>[0-9]{2})")


def sentence(fact: Fact, entities: Mapping[str, Entity], ontology: Ontology) -> str:
    """ "Ana lives in Lisbon (since May 2026)." from the predicate's phrase; `entities` by id."""
    belief = fact.belief
    predicate = ontology.believed(belief.predicate)
    subject = entities[belief.subject_id].name if belief.subject_id in entities else belief.subject_key
    words = predicate.phrase.format(subject=subject, object=object_name(fact, entities))
    return f"{words}{when(fact)}."


def wording_version(ontology: Ontology) -> str:
    """Two sentences of one version differ only where the fact or a name does."""
    return f"{RULES}.{ontology.version}"


def object_name(fact: Fact, entities: Mapping[str, Entity]) -> str:
    belief = fact.belief
    if belief.value is not None:
        return literal(belief.value)
    entity = entities.get(belief.object_id or "")
    return entity.name if entity else belief.object_key


def literal(value: Literal) -> str:
    """ "5 May" for the date `05-05`, "5 May 1990" for `1990-05-05`; other values as they are."""
    text = str(value.value)
    found = DATE.fullmatch(text) if value.type == "date" else None
    if found is None:
        return text
    year, month, day_of_month = found["year"], int(found["month"]), int(found["day"])
    if not 1 <= month <= 12:
        return text
    return f"{day_of_month} {month_name[month]}{f' {year}' if year else ''}"


def when(fact: Fact) -> str:
    """The valid interval in words, as precisely as it is known; empty where nothing was said of it."""
    belief = fact.belief
    start = day(belief.valid_from, belief.precision) if belief.start_known else ""
    end = day(belief.valid_to, "day")
    if start and end:
        last = day((belief.valid_to or 0) - 1, belief.precision)  # the period that holds the last moment
        return f" ({start})" if last == start else f" ({start} to {end})"
    if start:
        return f" (since {start})"
    return f" (until {end})" if end else ""


def day(micros: Micros | None, precision: Precision) -> str:
    if micros is None or precision not in FORMATS:
        return ""
    moment = datetime.fromtimestamp(micros / 1_000_000, tz=UTC)
    return moment.strftime(FORMATS[precision])
