"""Why a start is not offered: each reason and what it names."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, datetime, time, timedelta

import pytest

from sites.hours.rules import BookableService, CalendarRules
from sites.hours.session_schedule import NotOffered
from tests.sites.hours.cases import SERVICE_ID
from tests.sites.hours.examples import (
    ALL_DAY,
    BACK,
    CALENDAR,
    FORWARD,
    NINE_TO_ELEVEN,
    SERVICE,
    TUESDAY,
    ZONE,
    appointment,
    local,
    open_case,
    session,
)

BUSY = appointment("10:00")
FULL = session("14:00", capacity=2, taken=2)
EXPLAINED = open_case(
    (540, 780), (840, 960), dates={date(2027, 6, 2): []}, appointments=[appointment("7:00"), BUSY, FULL]
)


@pytest.mark.parametrize(
    ("clock", "reason"),
    [
        ("9:00", None),
        ("8:30", NotOffered.OUTSIDE_HOURS),
        ("13:00", NotOffered.OUTSIDE_HOURS),
        ("9:10", NotOffered.OFF_GRID),
        ("12:30", NotOffered.ENDS_AFTER_HOURS),
        ("9:30", NotOffered.BUSY),
        ("14:00", NotOffered.FULL),
    ],
)
def test_explanation_of_wall_time_and_instant_are_equal(clock: str, reason: NotOffered | None) -> None:
    instant = local(clock)
    wall = instant.astimezone(ZONE).replace(tzinfo=None)
    explanation = EXPLAINED.explain(wall)
    assert (explanation and explanation.reason) == reason
    assert EXPLAINED.explain(instant) == explanation


def test_explanation_names_hours_of_day() -> None:
    explanation = EXPLAINED.explain(local("8:30"))
    assert explanation is not None
    assert explanation.wall == datetime.combine(TUESDAY, time(8, 30))
    assert explanation.ranges == ((540, 780), (840, 960))


def test_explanation_names_appointment_that_is_in_way() -> None:
    busy, full = EXPLAINED.explain(local("9:30")), EXPLAINED.explain(local("14:00"))
    assert busy is not None
    assert busy.appointment == BUSY
    assert full is not None
    assert full.appointment == FULL


def test_explanation_names_end_of_hours() -> None:
    explanation = EXPLAINED.explain(local("12:30"))
    assert explanation is not None
    assert explanation.limit == local("13:00")


def test_explanation_of_closed_day_says_closed() -> None:
    explanation = EXPLAINED.explain(local("9:00", date(2027, 6, 2)))
    assert explanation is not None
    assert explanation.reason is NotOffered.CLOSED
    assert explanation.ranges == ()


def test_explanation_of_seconds_says_off_grid() -> None:
    explanation = EXPLAINED.explain(local("9:00") + timedelta(seconds=1))
    assert explanation is not None
    assert explanation.reason is NotOffered.OFF_GRID


def test_explanation_of_skipped_wall_time_says_skipped() -> None:
    wall = datetime.combine(FORWARD, time(2, 30))
    for starts in ("hours", "fixed"):
        service = BookableService(SERVICE_ID, 60, starts="fixed" if starts == "fixed" else "hours")
        explanation = open_case(ALL_DAY, day=FORWARD, service=service).explain(wall)
        assert explanation is not None
        assert explanation.reason is NotOffered.SKIPPED_TIME


def test_explanation_of_second_instant_says_repeated() -> None:
    case = open_case(ALL_DAY, day=BACK)
    assert case.explain(local("1:30", BACK)) is None
    explanation = case.explain(local("1:30", BACK, fold=1))
    assert explanation is not None
    assert explanation.reason is NotOffered.REPEATED_TIME


def test_explanation_of_fixed_service_says_no_session() -> None:
    fixed = replace(SERVICE, starts="fixed")
    case = open_case(NINE_TO_ELEVEN, service=fixed, appointments=[session("9:00", taken=0, fixed=True)])
    assert case.explain(local("9:00")) is None
    explanation = case.explain(local("9:30"))
    assert explanation is not None
    assert explanation.reason is NotOffered.NO_SESSION


@pytest.mark.parametrize(
    ("calendar", "reason"),
    [
        (replace(CALENDAR, notice_minutes=120), NotOffered.TOO_SOON),
        (replace(CALENDAR, horizon_days=1), NotOffered.BEYOND_HORIZON),
        (replace(CALENDAR, day_max=1), NotOffered.DAY_MAX),
        (replace(CALENDAR, paused_until=local("12:00")), NotOffered.PAUSED),
    ],
)
def test_explanation_of_free_start_names_limit(calendar: CalendarRules, reason: NotOffered) -> None:
    now = local("8:00") - timedelta(days=2 if reason is NotOffered.BEYOND_HORIZON else 0)
    case = open_case(NINE_TO_ELEVEN, calendar=calendar, appointments=[appointment("12:00")], now=now)
    explanation = case.explain(local("9:00"))
    assert explanation is not None
    assert explanation.reason is reason
    assert explanation.limit == (local("10:00") if reason is NotOffered.TOO_SOON else None)
