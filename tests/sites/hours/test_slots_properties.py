"""The free times equal those of the oracle around both changes of the clock, and their explanations agree with them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from whenever import Date, Instant

from sites.hours import local_days
from sites.hours.rules import BookableService, CalendarRules, OpeningHours
from tests.sites.hours.cases import SERVICE_ID, ZONES, SlotsCase, change_days, slots_cases
from tests.sites.hours.oracle import expected_starts, first_instant, offered_starts

MINUTES = 1440
MIN_FAILING_ZONES = 20


@pytest.mark.parametrize("zone", ZONES)
@settings(max_examples=4)
@given(data=st.data())
def test_offer_around_changes_matches_oracle(zone: str, data: st.DataObject) -> None:
    for change_day in change_days(zone):
        case = data.draw(slots_cases(zone, change_day))
        assert offered_starts(case) == expected_starts(case)


def _always_open(zone: str, change_day: date) -> SlotsCase:
    midnight = datetime.combine(change_day, time.min, UTC)
    return SlotsCase(
        CalendarRules(zone, notice_minutes=0),
        OpeningHours({weekday: [(0, MINUTES)] for weekday in range(7)}),
        BookableService(SERVICE_ID, 60),
        (),
        change_day - timedelta(days=1),
        3,
        midnight - timedelta(days=3),
    )


def _zones_that_differ() -> set[str]:
    cases = [_always_open(zone, day) for zone in ZONES for day in change_days(zone)]
    return {case.calendar.zone for case in cases if offered_starts(case) != expected_starts(case)}


def test_midnight_plus_minutes_differs_in_most_zones(monkeypatch: pytest.MonkeyPatch) -> None:
    assert _zones_that_differ() == set()
    # A day without a change of the clock is computed as midnight plus minutes. This computes every day so.
    monkeypatch.setattr(local_days, "_has_no_change", lambda *_: True)
    differing = _zones_that_differ()
    print(f"midnight plus minutes is wrong in {len(differing)} of {len(ZONES)} zones")
    assert len(differing) >= MIN_FAILING_ZONES


@settings(max_examples=25)
@given(data=st.data())
def test_explanation_of_any_time_agrees_with_offer(data: st.DataObject) -> None:
    zone = data.draw(st.sampled_from(ZONES))
    day = data.draw(st.sampled_from(change_days(zone)))
    case = replace(data.draw(slots_cases(zone, day)), first_day=day, days=1)
    offered = {start for start, _seats in offered_starts(case)}
    for instant in _instants(case, day):
        assert (case.explain(instant) is None) == (Instant(instant) in offered), instant
    for minute in range(0, MINUTES, 5):
        start = first_instant(zone, Date(day), minute)
        wall = datetime.combine(day, time.min) + timedelta(minutes=minute)
        assert (case.explain(wall) is None) == (start in offered), wall


def _instants(case: SlotsCase, day: date) -> Iterator[datetime]:
    """Yield every fifth minute of a local day, and the starts of its appointments."""
    noon = datetime.combine(day, time(12), UTC)
    every_five = (noon + timedelta(minutes=5 * n) for n in range(-360, 360))
    for instant in (*every_five, *(appointment.starts_at for appointment in case.appointments)):
        if instant.astimezone(ZoneInfo(case.calendar.zone)).date() == day:
            yield instant
