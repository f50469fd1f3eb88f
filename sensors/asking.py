"""When to ask for a run of a shard: decided from what waits, what runs, and what was asked before. Pure."""

import json
from collections.abc import Collection, Mapping, Sequence
from datetime import UTC, datetime, timedelta

import msgspec

from kg_assets.model import Micros, ShardWork

FIRST_DELAY = 10  # seconds; the lease of a killed run has run out by then
LONGEST_DELAY = 1800
NIGHT = (2, 30)  # hour and minute of the nightly pass, UTC
NIGHT_GRACE = 1800  # seconds


class Asked(msgspec.Struct, frozen=True, array_like=True):
    """The last run that was asked for a shard: at which head, which attempt, and when."""

    head: int
    attempt: int
    at: Micros


class Request(msgspec.Struct, frozen=True):
    """One run of one shard. Dagster never runs a key twice, not even after a failure: so the attempt is in it."""

    shard: str
    run_key: str


def decide(
    work: Sequence[ShardWork], running: Collection[str], asked: Mapping[str, Asked], *, now: Micros, at_least: int = 1
) -> tuple[list[Request], dict[str, Asked]]:
    """One request per shard with work, and what to remember of it.

    A shard that runs is left alone: its run takes what came in the meantime, or leaves a new head. The same head again
    means that the last run failed or could not take all: it is asked for again, later each time.
    `at_least`: how much must wait in a shard.
    """
    requests, remembered = [], {}
    for each in work:
        if sum(each.waiting.values()) < at_least:
            continue
        before = asked.get(each.shard)
        if each.shard in running:
            if before:
                remembered[each.shard] = before
            continue
        again = before is not None and before.head == each.head
        if before and again and now < before.at + delay(before.attempt) * 1_000_000:
            remembered[each.shard] = before
            continue
        attempt = before.attempt + 1 if before and again else 1
        remembered[each.shard] = Asked(each.head, attempt, now)
        requests.append(Request(each.shard, f"{each.shard}:{each.head}:{attempt}"))
    return requests, remembered


def left_over(work: Sequence[ShardWork], *, now: Micros) -> list[ShardWork]:
    """Of what waits for the night, that which the last night should have taken: its run failed, or another held the
    memory. A night has half an hour to begin."""
    began = datetime.fromtimestamp((now - NIGHT_GRACE * 1_000_000) / 1_000_000, tz=UTC)
    night = began.replace(hour=NIGHT[0], minute=NIGHT[1], second=0, microsecond=0)
    if night > began:
        night -= timedelta(days=1)
    return [each for each in work if each.oldest < night.timestamp() * 1_000_000]


def delay(attempt: int) -> int:
    """Seconds to wait after this attempt: doubled each time, up to half an hour."""
    return int(min(FIRST_DELAY * 2 ** min(attempt - 1, 20), LONGEST_DELAY))


def to_cursor(asked: Mapping[str, Asked]) -> str:
    return json.dumps({shard: msgspec.to_builtins(each) for shard, each in asked.items()})


def from_cursor(cursor: str | None) -> dict[str, Asked]:
    """One that cannot be read counts as empty: then a run too many is asked for, which is harmless."""
    try:
        return msgspec.json.decode(cursor or "{}", type=dict[str, Asked])
    except msgspec.DecodeError:
        return {}
