"""Parsing of availability."""

from __future__ import annotations

import pytest

from porchlight.features.listings.availability import ALL_TIMES, format_times, parse_availability


def _times(*times: str) -> set[str]:
    return set(times)


@pytest.mark.parametrize(
    ("text", "times"),
    [
        ("Tuesday and Thursday afternoons", _times("Tuesday afternoon", "Thursday afternoon")),
        ("Sat mornings", _times("Saturday morning")),
        ("Monday to Wednesday evenings", _times("Monday evening", "Tuesday evening", "Wednesday evening")),
        ("After six on Mondays", _times("Monday evening")),
        (
            "Weekends",
            {f"{day} {part}" for day in ("Saturday", "Sunday") for part in ("morning", "afternoon", "evening")},
        ),
        ("Monday mornings, Friday nights", _times("Monday morning", "Friday evening")),
        ("", set()),
        ("CreateUser by, the light is on", set()),
        ("Any day but never on time", set()),
    ],
)
def test_parse_availability_reads_days_and_parts(text: str, times: set[str]) -> None:
    assert set(format_times(parse_availability(text))) == times


def test_parse_availability_without_days_means_every_day() -> None:
    assert len(format_times(parse_availability("Mornings until noon"))) == 7
    assert parse_availability("anytime") == ALL_TIMES
