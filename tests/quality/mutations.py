"""Ways to alter a memory behind the program's back, each at a place that chance picks, with what `verify` has to name.

A flipped bit that changes no value is no change: another one is taken (`1e-5` for `1E-5`, the last digit of a number
that no double tells apart). Left alone are the columns that the journal does not tell of: see the threat model.
"""

import json
import random
import struct
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from kg_assets.journal import header_hash, payload_hash
from resources.rows import HEADER, entry_of

Row = dict[str, Any]
KEYS: dict[str, tuple[str, ...]] = {
    "journal": ("seq",),
    "journal_payloads": ("seq",),
    "utterances": ("seq",),
    "novelty": ("seq",),
    "assertions": ("id",),
    "mentions": ("key", "surface", "type"),
    "decisions": ("id",),
    "entity_states": ("generation", "id", "opened_by"),
    "entity_names": ("generation", "key", "id"),
    "flips": ("journal_seq",),
    "facts": ("version_id",),
    "support": ("utterance_id", "version_id"),
    "slots": ("generation", "slot"),
    "items": ("id",),
    "state": ("memory_id",),
}
# What no entry tells of. Of the row that says where the memory stands: its end alone.
NOT_TOLD = {"scored", "revision", "journal_seq of slots", "slot of slots", "generation of slots", "memory_id"}
END = {"seq", "journal_seq", "journal_hash", "recorded_at", "generation"}
TRUTHS = {"start_known", "provisional", "retired"}
LISTS = {"tags", "conflicts", "losers", "aliases", "assertions", "utterances"}
JSON = {*LISTS, "metadata", "parts", "features", "body", "value"}


class Raw(NamedTuple):
    """Bytes that stand in a column of text, and may be no UTF-8."""

    octets: bytes


class Tables(Protocol):
    """The tables of one memory, as who holds the database sees them; `raw`: text may hold any bytes."""

    raw: bool

    def rows(self, table: str) -> list[Row]: ...
    def change(self, table: str, row: Row, column: str, value: object) -> None: ...
    def remove(self, table: str, row: Row) -> None: ...
    def add(self, table: str, row: Row) -> None: ...
    def end_at(self, journal_seq: int, journal_hash: str, recorded_at: int) -> None:
        """Let the memory's own head tell of another end of the journal."""
        ...


class Mutation(NamedTuple):
    """`names`: at least one of these has to stand in what is said of it."""

    kind: str
    what: str
    names: tuple[str, ...]


class Unchanged(Exception):
    """This place cannot be altered so; try another."""


def mutate(kind: str, tables: Tables, chance: random.Random) -> Mutation:
    """Alter one thing of this kind."""
    while True:
        try:
            what, names = KINDS[kind](tables, chance)
            return Mutation(kind, what, names)
        except Unchanged:
            continue


# ---------------------------------------------------------------------------------------------------- rows


def flip_in(table: str) -> Callable[[Tables, random.Random], tuple[str, tuple[str, ...]]]:
    def flip(tables: Tables, chance: random.Random) -> tuple[str, tuple[str, ...]]:
        row = chance.choice(tables.rows(table))
        column = chance.choice([name for name in row if told(table, name) and row[name] is not None])
        names = named(tables, table, row)
        tables.change(table, row, column, flipped(row[column], column, chance, raw=tables.raw))
        return f"{table}.{column} of {key_of(table, row)}", names

    return flip


def removal_from(table: str) -> Callable[[Tables, random.Random], tuple[str, tuple[str, ...]]]:
    def remove(tables: Tables, chance: random.Random) -> tuple[str, tuple[str, ...]]:
        row = chance.choice([each for each in tables.rows(table) if table != "slots" or each["hash"]])
        names = named(tables, table, row)
        tables.remove(table, row)
        return f"{table} without {key_of(table, row)}", names

    return remove


def forgery_in(table: str, **other: Any) -> Callable[[Tables, random.Random], tuple[str, tuple[str, ...]]]:
    """A row like another one under a key of its own."""

    def forge(tables: Tables, chance: random.Random) -> tuple[str, tuple[str, ...]]:
        row = dict(chance.choice([each for each in tables.rows(table) if table != "slots" or each["hash"]]))
        names = named(tables, table, row)
        for column, value in other.items():
            row[column] = value(row) if callable(value) else value
        tables.add(table, row)
        return f"{table} with a forged {key_of(table, row)}", (*names, *named(tables, table, row), *FORGED)

    return forge


FORGED = ("names it, and", "index items are stored", "assertions are stored", "no journal entry tells of it")


def told(table: str, column: str) -> bool:
    if table == "state":
        return column in END
    return column not in NOT_TOLD and f"{column} of {table}" not in NOT_TOLD


def key_of(table: str, row: Row) -> str:
    return " ".join(str(row[name]) for name in KEYS[table])


def flipped(value: Any, column: str, chance: random.Random, *, raw: bool) -> Any:
    """The value with one bit the other way round."""
    if column in TRUTHS:
        return not value if isinstance(value, bool) else 1 - value
    if isinstance(value, int):
        return value ^ (1 << chance.randrange(0, 31))
    if isinstance(value, float):
        (bits,) = struct.unpack("<Q", struct.pack("<d", value))
        (other,) = struct.unpack("<d", struct.pack("<Q", bits ^ (1 << chance.randrange(0, 64))))
        if other != other or other in (float("inf"), float("-inf")):
            raise Unchanged
        return other
    if isinstance(value, list):
        if not value:
            raise Unchanged
        place = chance.randrange(len(value))
        return [flipped(each, "", chance, raw=False) if at == place else each for at, each in enumerate(value)]
    octets = value if isinstance(value, bytes) else value.encode()
    if not octets:
        raise Unchanged
    place = chance.randrange(len(octets))
    octets = octets[:place] + bytes([octets[place] ^ (1 << chance.randrange(8))]) + octets[place + 1 :]
    if isinstance(value, bytes):
        return octets
    try:
        text = octets.decode()
    except UnicodeDecodeError:
        if raw:
            return Raw(octets)
        raise Unchanged from None
    if not raw and "\0" in text:
        raise Unchanged
    if column in JSON and same_json(value, text, raw=raw):
        raise Unchanged
    return text


def same_json(before: str, after: str, *, raw: bool) -> bool:
    """Whether both say the same; what is no JSON can only be written where any text can."""
    try:
        return bool(json.loads(before) == json.loads(after))
    except ValueError:
        return not raw


# ------------------------------------------------------------------------------------------------- journal


def swap_entries(tables: Tables, chance: random.Random) -> tuple[str, tuple[str, ...]]:
    one, other = sorted(chance.sample([row["seq"] for row in tables.rows("journal")], 2))
    for table in ("journal", "journal_payloads"):
        rows = {row["seq"]: row for row in tables.rows(table)}
        for row in (rows[one], rows[other]):
            tables.remove(table, row)
        tables.add(table, {**rows[one], "seq": other})
        tables.add(table, {**rows[other], "seq": one})
    return f"entries {one} and {other} swapped", (entry(one),)


def remove_entry(tables: Tables, chance: random.Random) -> tuple[str, tuple[str, ...]]:
    seq = chance.choice([row["seq"] for row in tables.rows("journal")])
    for table in ("journal_payloads", "journal"):
        tables.remove(table, {"seq": seq})
    return f"entry {seq} removed", (entry(seq), entry(seq + 1))


def remove_entry_and_close_the_gap(tables: Tables, chance: random.Random) -> tuple[str, tuple[str, ...]]:
    rows = tables.rows("journal")
    seq = chance.choice([row["seq"] for row in rows[:-1]])
    moved = {
        table: [row for row in tables.rows(table) if row["seq"] > seq] for table in ("journal_payloads", "journal")
    }
    for table, later in moved.items():
        for row in ({"seq": seq}, *later):
            tables.remove(table, row)
    for row in moved["journal"]:
        tables.add("journal", {**row, "seq": row["seq"] - 1})
    for row in moved["journal_payloads"]:
        tables.add("journal_payloads", {**row, "seq": row["seq"] - 1})
    tables.end_at(len(rows) - 1, rows[-1]["hash"], rows[-1]["recorded_at"])
    return f"entry {seq} removed, those after it moved up", (entry(seq),)


def duplicate_entry(tables: Tables, chance: random.Random) -> tuple[str, tuple[str, ...]]:
    rows = tables.rows("journal")
    twin, end = chance.choice(rows), len(rows) + 1
    seq = twin["seq"]
    for table in ("journal", "journal_payloads"):
        tables.add(table, {**next(row for row in tables.rows(table) if row["seq"] == seq), "seq": end})
    tables.end_at(end, twin["hash"], twin["recorded_at"])
    return f"entry {seq} once more at the end", (entry(end),)


def cut_tail(tables: Tables, chance: random.Random) -> tuple[str, tuple[str, ...]]:
    """With the head, so that only who noted it elsewhere can tell."""
    rows = tables.rows("journal")
    last = chance.randrange(len(rows) - 1)
    for table in ("journal_payloads", "journal"):
        for row in rows[last + 1 :]:
            tables.remove(table, row)
    tables.end_at(rows[last]["seq"], rows[last]["hash"], rows[last]["recorded_at"])
    return f"cut after entry {last + 1}", (entry(last + 2),)


def rewrite(tables: Tables, chance: random.Random) -> tuple[str, tuple[str, ...]]:
    """An entry is altered, and it and all after it are chained anew: only a witness can tell."""
    rows = tables.rows("journal")
    payloads = {row["seq"]: row for row in tables.rows("journal_payloads")}
    start = chance.randrange(len(rows))
    previous = rows[start]["prev_hash"]
    for place in range(start, len(rows)):
        row = rows[place]
        altered = {**row, "prev_hash": previous, **({"actor": "somebody"} if place == start else {})}
        payload = payloads[row["seq"]]
        values = [*(altered[name] for name in HEADER.split(", ")), payload["payload"], payload["salt"]]
        altered["payload_hash"] = payload_hash(payload["salt"], payload["payload"])
        previous = altered["hash"] = header_hash(entry_of(tuple(values)))
        for column in ("actor", "prev_hash", "hash"):
            tables.change("journal", row, column, altered[column])
    tables.end_at(rows[-1]["seq"], previous, rows[-1]["recorded_at"])
    return f"chained anew from entry {start + 1}", (entry(rows[-1]["seq"]), entry(start + 1))


def entry(seq: int) -> str:
    return f"journal entry {seq}:"


# -------------------------------------------------------------------------------------------- what is named


def named(tables: Tables, table: str, row: Row) -> tuple[str, ...]:
    return NAMED[table](tables, row)


def entries_telling(tables: Tables, *words: str) -> tuple[str, ...]:
    """The entries whose payload holds one of these words."""
    return tuple(
        entry(each["seq"])
        for each in tables.rows("journal_payloads")
        if any(word.encode() in bytes(each["payload"]) for word in words)
    )


def of_utterance(tables: Tables, row: Row) -> tuple[str, ...]:
    seq = row["seq"]
    return (*entries_telling(tables, f'"seq":{seq}}}', f'"seq":{seq},'), f"utterance {seq} ", f"utterance {seq}:")


def of_item(_: Tables, row: Row) -> tuple[str, ...]:
    return (f"the index item of fact version {row['id']}", f"the index item of utterance {row['seq']} ", row["id"])


def of_fact(_: Tables, row: Row) -> tuple[str, ...]:
    return (row["version_id"], entry(row["opened_by"]), entry(row["closed_by"] or 0), "(facts)")


NAMED: Mapping[str, Callable[[Tables, Row], tuple[str, ...]]] = {
    "journal": lambda _, row: (entry(row["seq"]), entry(row["seq"] + 1)),
    "journal_payloads": lambda _, row: (entry(row["seq"]),),
    "utterances": of_utterance,
    "novelty": of_utterance,
    "assertions": lambda tables, row: (row["id"], *entries_telling(tables, row["id"])),
    "mentions": lambda *_: ("mention",),
    "decisions": lambda _, row: (f"the decisions about slot {row['slot']}", row["id"], "(decisions)"),
    "entity_states": lambda *_: ("entity ", "the names of entities", "(entity)", "(entity_states)"),
    "entity_names": lambda *_: ("the names of entities", "entity_names"),
    "flips": lambda *_: ("which generation served when", "another generation than the last flip"),
    "facts": of_fact,
    "support": lambda *_: ("the facts that utterance", "(support"),
    "slots": lambda *_: ("the stored hashes of slots", "(slots)"),
    "items": of_item,
    "state": lambda *_: (
        "the memory's head tells",
        "no journal entry tells of it",
        "(state)",
        "another generation than",
    ),
}

KINDS: dict[str, Callable[[Tables, random.Random], tuple[str, tuple[str, ...]]]] = {
    **{f"a flipped bit in {table}": flip_in(table) for table in KEYS},
    **{f"a row of {table} removed": removal_from(table) for table in KEYS if table not in ("journal", "state")},
    "a forged utterance": forgery_in("utterances", seq=lambda row: 10_000 + row["seq"], id=lambda row: row["id"] + "x"),
    "an utterance forged before all": forgery_in("utterances", seq=lambda row: -row["seq"], id="x"),
    "a forged assertion": forgery_in("assertions", id=lambda row: row["id"][::-1]),
    "a forged mention": forgery_in("mentions", key=lambda row: row["key"] + "x"),
    "a forged decision": forgery_in("decisions", id=lambda row: row["id"][::-1]),
    "a forged entity": forgery_in("entity_states", id=lambda row: row["id"][::-1]),
    "a forged fact": forgery_in("facts", version_id=lambda row: row["version_id"][::-1]),
    "a forged support": forgery_in("support", utterance_id=lambda row: f"turn {1 + (row['utterance_id'] == 'turn 1')}"),
    "a forged slot": forgery_in("slots", slot=lambda row: row["slot"] + "x"),
    "a forged item": forgery_in("items", id=lambda row: row["id"] + "x"),
    "two entries swapped": swap_entries,
    "an entry removed": remove_entry,
    "an entry removed and the gap closed": remove_entry_and_close_the_gap,
    "an entry doubled": duplicate_entry,
    "the tail cut with the head": cut_tail,
    "the chain rewritten and hashed anew": rewrite,
}  # fmt: skip


def kinds(journal_weight: int) -> Sequence[str]:
    """All kinds, those of the journal's own rows `journal_weight` times."""
    often = ("journal", "entries", "entry", "tail", "chain")
    return [kind for kind in KINDS for _ in range(journal_weight if any(word in kind for word in often) else 1)]
