"""Free time as neighbours write it."""

from __future__ import annotations

import pytest

from porchlight.listings.availability import ALWAYS, free_bits, shared_times


def _times(*named: str) -> set[str]:
    return set(named)


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
        ("Come by, the light is on", set()),
        ("Any day but never on time", set()),
    ],
)
def test_free_time_is_read(text: str, times: set[str]) -> None:
    assert set(shared_times(free_bits(text))) == times


def test_parts_of_every_day() -> None:
    assert len(shared_times(free_bits("Mornings until noon"))) == 7
    assert free_bits("anytime") == ALWAYS
