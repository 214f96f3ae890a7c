"""The end of an evening, at every hour and in every zone."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from porchlight.features.porch_lights.evening import MIN_DURATION, evening_end
from tenants.kit.zones import zone_names

DENVER = ZoneInfo("America/Denver")


@pytest.mark.parametrize(
    ("now", "end"),
    [
        ("2026-11-24T17:00", "2026-11-24T22:00"),
        ("2026-11-24T00:10", "2026-11-24T22:00"),
        ("2026-11-24T21:30", "2026-11-24T23:30"),
        ("2026-11-24T23:30", "2026-11-25T01:30"),
        ("2027-03-14T01:30", "2027-03-14T22:00"),  # the clocks go forward at 2 AM
    ],
)
def test_evening_end_is_ten_or_two_hours_later(now: str, end: str) -> None:
    begin = datetime.fromisoformat(now).replace(tzinfo=DENVER)
    assert evening_end(begin, DENVER).astimezone(DENVER).isoformat()[:16] == end


@given(
    st.datetimes(datetime(2024, 1, 1), datetime(2035, 1, 1)).map(lambda time: time.replace(tzinfo=UTC)),  # noqa: DTZ001
    st.sampled_from(sorted(zone_names())).map(ZoneInfo),
)
def test_evening_end_in_any_zone_is_within_a_day(now: datetime, zone: ZoneInfo) -> None:
    duration = evening_end(now, zone) - now
    # A day with a change of the clocks may be longer than 24 hours.
    assert MIN_DURATION <= duration <= timedelta(hours=25)
