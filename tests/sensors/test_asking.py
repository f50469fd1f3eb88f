"""When a run of a shard is asked for."""

import pytest

from kg_assets.model import Micros, Route, ShardWork
from kg_assets.text.instants import parse_instant
from sensors.asking import Asked, Request, decide, delay, from_cursor, left_over, to_cursor

NOW = parse_instant("2026-05-30T12:00:00Z")
SECOND = 1_000_000


def work(shard: str = "shard-07", head: int = 5, waiting: int = 1, oldest: Micros = NOW) -> ShardWork:
    routes: dict[Route, int] = {"immediate": waiting}
    return ShardWork(shard=shard, memories=("m",), head=head, waiting=routes, oldest=oldest)


def test_one_run_is_asked_for_each_shard_that_waits() -> None:
    requests, asked = decide([work("shard-01"), work("shard-02", head=9)], [], {}, now=NOW)
    assert requests == [Request("shard-01", "shard-01:5:1"), Request("shard-02", "shard-02:9:1")]
    assert asked == {"shard-01": Asked(5, 1, NOW), "shard-02": Asked(9, 1, NOW)}


def test_a_shard_that_runs_is_left_alone_and_remembered() -> None:
    before = {"shard-07": Asked(4, 2, NOW - SECOND)}
    assert decide([work()], ["shard-07"], before, now=NOW) == ([], before)
    assert decide([work()], ["shard-07"], {}, now=NOW) == ([], {})


def test_what_came_meanwhile_is_asked_for_at_once_when_the_run_has_ended() -> None:
    requests, _ = decide([work(head=6)], [], {"shard-07": Asked(5, 1, NOW - SECOND)}, now=NOW)
    assert requests == [Request("shard-07", "shard-07:6:1")]


def test_the_same_head_again_means_that_a_run_failed_and_is_asked_for_later_each_time() -> None:
    asked: dict[str, Asked] = {}
    now, keys, times = NOW, [], []
    while len(keys) < 4:
        requests, asked = decide([work()], [], asked, now=now)
        if requests:
            keys.append(requests[0].run_key)
            times.append((now - NOW) // SECOND)
        now += SECOND
    assert keys == [f"shard-07:5:{attempt}" for attempt in (1, 2, 3, 4)]
    assert times == [0, 10, 30, 70]


def test_the_pause_after_failures_never_exceeds_half_an_hour() -> None:
    assert [delay(attempt) for attempt in (1, 2, 8, 9, 500)] == [10, 20, 1280, 1800, 1800]


def test_a_short_queue_is_left_for_the_hour() -> None:
    assert decide([work(waiting=199)], [], {}, now=NOW, at_least=200) == ([], {})
    assert len(decide([work(waiting=200)], [], {}, now=NOW, at_least=200)[0]) == 1


def test_a_shard_without_work_is_forgotten() -> None:
    assert decide([], [], {"shard-07": Asked(5, 3, NOW)}, now=NOW) == ([], {})


def test_the_cursor_comes_back_as_it_was_written() -> None:
    asked = {"shard-07": Asked(5, 3, NOW), "shard-01": Asked(1, 1, 0)}
    assert from_cursor(to_cursor(asked)) == asked


@pytest.mark.parametrize("cursor", [None, "", "no json", '{"shard-07": [1]}', "[]"])
def test_a_cursor_that_cannot_be_read_counts_as_empty(cursor: str | None) -> None:
    assert from_cursor(cursor) == {}


@pytest.mark.parametrize(
    ("now", "oldest", "asked_for"),
    [
        ("2026-05-30T12:00:00Z", "2026-05-30T02:29:59Z", True),
        ("2026-05-30T12:00:00Z", "2026-05-30T02:30:00Z", False),
        ("2026-05-30T02:45:00Z", "2026-05-30T01:00:00Z", False),  # the night has half an hour to begin
        ("2026-05-30T02:45:00Z", "2026-05-29T01:00:00Z", True),
        ("2026-05-30T03:00:00Z", "2026-05-30T01:00:00Z", True),
        ("2026-01-01T00:10:00Z", "2025-12-31T02:00:00Z", True),
    ],
)
def test_what_the_last_night_should_have_taken_is_asked_for_again(now: str, oldest: str, asked_for: bool) -> None:
    assert bool(left_over([work(oldest=parse_instant(oldest))], now=parse_instant(now))) is asked_for
