from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from kg_assets.errors import InvalidInput
from kg_assets.text.instants import EARLIEST, LATEST, format_instant, parse_instant


@pytest.mark.parametrize(
    ("text", "micros"),
    [
        ("1970-01-01T00:00:00Z", 0),
        ("1970-01-01t00:00:00z", 0),
        ("1970-01-01 01:00:00+01:00", 0),
        ("1969-12-31T23:59:59.999999Z", -1),
        ("2026-05-30T18:04:00-00:00", 1_780_164_240_000_000),
        ("2026-05-30T18:04:00.5Z", 1_780_164_240_500_000),
        ("2026-05-30T18:04:00.123456789Z", 1_780_164_240_123_456),
        ("2024-02-29T00:00:00+05:45", 1_709_144_100_000_000),
        ("0001-01-01T00:00:00Z", EARLIEST),
        ("9999-12-31T23:59:59.999999Z", LATEST),
    ],
)
def test_a_time_with_an_offset_is_read_to_the_microsecond(text: str, micros: int) -> None:
    assert parse_instant(text) == micros


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("2026-13-01T00:00:00Z", "month"),
        ("2026-02-30T00:00:00Z", "day"),
        ("2023-02-29T00:00:00Z", "day"),
        ("2026-05-30T24:00:00Z", "hour"),
        ("2026-05-30T18:60:00Z", "minute"),
        ("2026-05-30T18:04:60Z", "second"),
        ("0000-01-01T00:00:00Z", "year"),
        ("2026-05-30T18:04:00", "no offset"),
        ("2026-05-30T18:04:00+24:00", "impossible offset"),
        ("2026-05-30T18:04:00+01:60", "impossible offset"),
        ("0001-01-01T00:00:00+00:01", "outside the years"),
        ("9999-12-31T23:59:59-00:01", "outside the years"),
        ("2026-05-30", "RFC 3339"),
        ("yesterday", "RFC 3339"),
        ("", "RFC 3339"),
        ("2026-05-30T18:04:00Z\n", "RFC 3339"),
        ("٢٠٢٦-05-30T18:04:00Z", "RFC 3339"),
        ("2026-05-30T18:04:00.Z", "RFC 3339"),
    ],
)
def test_an_impossible_time_is_refused_with_its_reason(text: str, why: str) -> None:
    with pytest.raises(InvalidInput, match=why):
        parse_instant(text)


@given(st.integers(EARLIEST, LATEST))
def test_writing_and_reading_gives_the_same_instant_in_every_year(micros: int) -> None:
    text = format_instant(micros)
    assert parse_instant(text) == micros
    assert text.endswith("Z")
    assert ("." in text) == (micros % 1_000_000 != 0)


@given(st.datetimes(timezones=st.just(UTC)), st.integers(-1439, 1439))
def test_an_offset_moves_the_instant_the_other_way(moment: datetime, minutes: int) -> None:
    sign, ahead = ("-" if minutes < 0 else "+"), abs(minutes)
    expected = (moment - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(microseconds=1) - minutes * 60_000_000
    assume(EARLIEST <= expected <= LATEST)
    text = moment.isoformat().removesuffix("+00:00") + f"{sign}{ahead // 60:02d}:{ahead % 60:02d}"
    assert parse_instant(text) == expected


@pytest.mark.parametrize("micros", [EARLIEST - 1, LATEST + 1])
def test_an_instant_outside_the_calendar_is_not_written(micros: int) -> None:
    with pytest.raises(InvalidInput, match="years 1 to 9999"):
        format_instant(micros)
