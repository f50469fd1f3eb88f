"""What the real extractor reads from one line, as (subject, predicate, object, negated)."""

from kg_assets.triples.extraction import METHODS, build_extractor
from kg_assets.triples.preview import read_lines

Row = tuple[object, str, object, bool]
SAID = 1_767_225_600_000_000  # 1 January 2026


def read(text: str, methods: tuple[str, ...] = METHODS) -> set[Row]:
    rows = read_lines([text], build_extractor(methods), said_at=SAID, speaker="Ana")
    return {(row["subject"], row["predicate"], row["object"], row["negated"]) for row in rows}


def dated(text: str) -> set[tuple[str, object, bool, str | None, str | None]]:
    """(predicate, object, negated, first day, day of the end) of what is read from one line."""
    rows = read_lines([text], build_extractor(), said_at=SAID, speaker="Ana")
    return {
        (row["predicate"], row["object"], row["negated"], day(row["valid_from"]), day(row["valid_to"])) for row in rows
    }


def day(instant: str | None) -> str | None:
    return None if instant is None else instant[:10]
