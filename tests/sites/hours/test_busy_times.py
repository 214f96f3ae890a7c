"""Busy times of connected calendars in the free times of a service."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from sites.hours.rules import BookableService, LiveAppointment
from sites.hours.session_schedule import NotOffered, SessionSchedule
from sites.hours.slots import explain_start, free_starts
from tests.sites.hours.examples import CALENDAR, NOW, SERVICE, TUESDAY, appointment, local, open_case, session

CASE = open_case((540, 780))
BUSY = [(local("10:00").timestamp(), local("11:00").timestamp())]


def offered(
    service: BookableService = SERVICE, appointments: tuple[LiveAppointment, ...] = (), *, is_busy: bool = True
) -> list[str]:
    """Return the free starts of the Tuesday from 9 AM to 1 PM, as clocks in the zone."""
    busy = BUSY if is_busy else []
    schedule = SessionSchedule(CALENDAR, CASE.hours, service, appointments, TUESDAY, 1, busy=busy)
    starts = [datetime.fromtimestamp(start, UTC) for day in free_starts(schedule).days for start in day.starts]
    clocks = {local(f"{hour}:{minute:02}"): f"{hour}:{minute:02}" for hour in range(9, 13) for minute in (0, 30)}
    return [clocks[start] for start in starts]


def test_start_that_overlaps_a_busy_time_is_not_free() -> None:
    assert offered(is_busy=False) == ["9:00", "9:30", "10:00", "10:30", "11:00", "11:30", "12:00"]
    assert offered() == ["9:00", "11:00", "11:30", "12:00"]


def test_setup_and_cleanup_keep_away_from_a_busy_time() -> None:
    assert offered(replace(SERVICE, setup_minutes=15, cleanup_minutes=15)) == ["11:30", "12:00"]


@pytest.mark.parametrize("service", [SERVICE, replace(SERVICE, starts="fixed")])
def test_session_with_seats_left_stays_free(service: BookableService) -> None:
    live = replace(session("10:00", capacity=3, taken=1), fixed=service.starts == "fixed")
    assert "10:00" in offered(service, (live,))


def test_busy_time_is_explained_after_own_ones() -> None:
    own = appointment("10:30")
    asked = local("10:00")
    for appointments, reason in (((), NotOffered.BUSY_ELSEWHERE), ((own,), NotOffered.BUSY)):
        found = explain_start(CALENDAR, CASE.hours, SERVICE, appointments, asked, NOW, busy=BUSY)
        assert found is not None
        assert found.reason is reason
        assert found.appointment == (appointments[0] if appointments else None)
        assert found.blocked == (None if appointments else (local("10:00"), local("11:00")))
