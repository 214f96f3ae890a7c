"""Each rule of the free times."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfoNotFoundError

import pytest

from sites.hours.local_days import MinuteRange
from sites.hours.rules import BookableService
from sites.hours.slots import full_starts
from tests.sites.hours.cases import SERVICE_ID, SlotsCase
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


def clocks(case: SlotsCase) -> list[str]:
    """Return the wall times of the offered starts."""
    return [f"{start.starts_at.astimezone(ZONE):%-H:%M}" for start in case.offered()]


def full_clocks(case: SlotsCase) -> list[str]:
    """Return the wall times of the full sessions that people can wait for."""
    starts = (start.astimezone(ZONE) for start in full_starts(case.free(), case.calendar, case.now))
    return [f"{start.hour}:{start:%M}" for start in starts]


# --- hours ----------------------------------------------------------------------------------------------------------


def test_starts_within_hours_follow_steps() -> None:
    assert clocks(open_case(NINE_TO_ELEVEN)) == ["9:00", "9:30", "10:00"]


def test_starts_are_aware_utc_datetimes() -> None:
    starts = open_case(NINE_TO_ELEVEN).offered()
    assert starts[0].starts_at == datetime(2027, 6, 1, 13, tzinfo=UTC)
    assert {start.starts_at.tzinfo for start in starts} == {UTC}


def test_steps_of_each_range_begin_with_range() -> None:
    assert clocks(open_case((545, 605), (660, 720))) == ["9:05", "11:00"]


def test_touching_ranges_of_one_day_are_joined() -> None:
    hourly = replace(CALENDAR, step_minutes=60)
    assert clocks(open_case((550, 600), (600, 670), calendar=hourly)) == ["9:10", "10:10"]


def test_overlapping_ranges_of_one_day_are_joined() -> None:
    assert clocks(open_case((540, 660), (550, 600))) == ["9:00", "9:30", "10:00"]


def test_ranges_at_midnight_are_joined_for_ends() -> None:
    case = open_case((0, 120), (1320, 1440), days=2)
    starts = ["0:00", "0:30", "1:00", "22:00", "22:30", "23:00", "23:30"]
    assert clocks(case) == starts + starts


def test_ranges_at_midnight_keep_their_own_steps() -> None:
    hourly = replace(CALENDAR, step_minutes=60)
    case = open_case((0, 120), (1330, 1440), calendar=hourly, days=2)
    assert clocks(case) == ["0:00", "1:00", "22:10", "23:10"] * 2


def test_session_at_midnight_before_closed_day_is_missing() -> None:
    wednesday = TUESDAY + timedelta(days=1)
    assert clocks(open_case((1320, 1440), dates={wednesday: []}))[-1] == "23:00"
    assert clocks(open_case((1320, 1440), dates={wednesday: [(5, 60)]}))[-1] == "23:00"


def test_date_hours_replace_weekday() -> None:
    wednesday = TUESDAY + timedelta(days=1)
    case = open_case(NINE_TO_ELEVEN, dates={TUESDAY: [(720, 780)], wednesday: []}, days=3)
    assert clocks(case) == ["12:00", "9:00", "9:30", "10:00"]
    assert [day.date for day in case.free().days if not day.starts] == [wednesday]


# --- changes of the clock -------------------------------------------------------------------------------------------


def test_wall_times_that_clock_skips_are_missing() -> None:
    half_hours = BookableService(SERVICE_ID, 30)
    assert clocks(open_case((60, 240), day=FORWARD, service=half_hours)) == ["1:00", "1:30", "3:00", "3:30"]


def test_wall_time_that_occurs_twice_is_first_instant() -> None:
    case = open_case((60, 180), day=BACK)
    assert [start.starts_at for start in case.offered()] == [
        local("1:00", BACK),
        local("1:30", BACK),
        local("2:00", BACK),
    ]
    assert local("2:00", BACK) - local("1:30", BACK) == timedelta(minutes=90)


def test_duration_over_change_is_elapsed_time() -> None:
    three_hours = BookableService(SERVICE_ID, 180)
    assert clocks(open_case((60, 240), day=FORWARD, service=three_hours)) == []
    assert clocks(open_case((60, 240), day=BACK, service=three_hours)) == ["1:00", "1:30"]


def test_end_of_hours_in_skipped_time_uses_offset_before() -> None:
    # 2:30 with the offset before the change is 3:30 after it.
    assert clocks(open_case((60, 150), day=FORWARD)) == ["1:00", "1:30"]


def test_last_hours_of_day_that_repeats_one_are_longer() -> None:
    # At 24:00, the clock of Beirut goes back to 23:00.
    calendar = replace(CALENDAR, zone="Asia/Beirut")
    saturday = date(2027, 10, 30)
    closed: dict[date, list[MinuteRange]] = {saturday + timedelta(days=1): []}
    two_hours = BookableService(SERVICE_ID, 120)
    case = open_case((1320, 1440), day=saturday, dates=closed, calendar=calendar, service=two_hours)
    first = datetime(2027, 10, 30, 19, tzinfo=UTC)
    assert [start.starts_at - first for start in case.offered()] == [timedelta(minutes=n) for n in (0, 30, 60)]


# --- appointments ---------------------------------------------------------------------------------------------------


def test_start_within_appointment_is_missing() -> None:
    case = open_case((540, 780), appointments=[appointment("10:00")])
    assert clocks(case) == ["9:00", "11:00", "11:30", "12:00"]


def test_setup_and_cleanup_of_adjacent_sessions_add_up() -> None:
    service = BookableService(SERVICE_ID, 30, setup_minutes=15, cleanup_minutes=10)
    calendar = replace(CALENDAR, step_minutes=5)
    other = appointment("11:00", before=20, after=15)  # blocks 10:40 to 12:15
    case = open_case((595, 785), appointments=[other], service=service, calendar=calendar)
    assert clocks(case) == ["9:55", "10:00", "12:30", "12:35"]


def test_long_block_hides_starts_behind_short_ones() -> None:
    block = replace(appointment("9:00", 240), service_id=None)
    assert clocks(open_case((540, 840), appointments=[appointment("10:00", 15), block, appointment("9:30", 15)])) == [
        "13:00"
    ]


def test_live_session_of_service_offers_seats_left() -> None:
    case = open_case(NINE_TO_ELEVEN, appointments=[session("9:00", capacity=5, taken=2)], service=SERVICE)
    assert [(start.starts_at, start.seats) for start in case.offered()] == [(local("9:00"), 3), (local("10:00"), 1)]


def test_full_session_of_service_is_missing() -> None:
    case = open_case(NINE_TO_ELEVEN, appointments=[session("9:00", capacity=2, taken=2)])
    assert clocks(case) == ["10:00"]


def test_full_session_of_several_is_listed_as_full() -> None:
    full, outside = session("9:30", capacity=3, taken=3), session("20:00", capacity=2, taken=2)
    open_one, single = session("10:30", capacity=3, taken=2), session("12:00", taken=1)
    case = open_case(NINE_TO_ELEVEN, appointments=(outside, single, open_one, full))
    assert full_clocks(case) == ["9:30", "20:00"]  # also outside the hours, which may have changed
    assert full_clocks(replace(case, now=local("9:00"))) == ["9:30", "20:00"]
    assert full_clocks(replace(case, now=local("9:31"))) == ["20:00"]
    assert full_clocks(replace(case, calendar=replace(CALENDAR, horizon_days=10))) == []
    assert full_clocks(replace(case, calendar=replace(CALENDAR, day_max=1))) == ["9:30", "20:00"]


def test_full_session_of_fixed_service_is_listed() -> None:
    fixed = replace(SERVICE, starts="fixed", capacity=2)
    sessions = (session("14:00", capacity=2, taken=2, fixed=True), session("15:00", capacity=2, taken=2))
    assert full_clocks(open_case(service=fixed, appointments=sessions)) == ["14:00"]


def test_new_session_offers_capacity_of_service() -> None:
    group = replace(SERVICE, capacity=7)
    assert {start.seats for start in open_case(NINE_TO_ELEVEN, service=group).offered()} == {7}


def test_fixed_service_offers_fixed_sessions_only() -> None:
    case = open_case(
        appointments=[
            session("18:07", capacity=9, taken=4, fixed=True),
            session("7:00", capacity=3, taken=0, fixed=True),
            session("9:00", capacity=3, taken=3, fixed=True),
            session("10:00", capacity=3, taken=1),
            session("31:00", taken=0, fixed=True),
            appointment("12:00", capacity=3),
        ],
        service=replace(SERVICE, starts="fixed"),
    )
    assert [(start.starts_at, start.seats) for start in case.offered()] == [(local("7:00"), 3), (local("18:07"), 5)]


def test_fixed_sessions_are_in_order_of_start() -> None:
    later = replace(appointment("12:00", before=240), service_id=SERVICE_ID, taken=0, fixed=True)
    sessions = [later, session("9:00", taken=0, fixed=True)]
    assert clocks(open_case(appointments=sessions, service=replace(SERVICE, starts="fixed"))) == ["9:00", "12:00"]


# --- limits ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("days", [0, 63])
def test_free_starts_of_wrong_number_of_days_fail(days: int) -> None:
    with pytest.raises(ValueError, match="1 to 62 days"):
        open_case(days=days).free()


def test_free_starts_in_unknown_zone_fail() -> None:
    with pytest.raises(ZoneInfoNotFoundError):
        open_case(calendar=replace(CALENDAR, zone="Mars/Olympus")).free()


def test_more_than_max_starts_end_with_whole_day() -> None:
    case = open_case(ALL_DAY, calendar=replace(CALENDAR, step_minutes=5), days=62)
    free = case.free()
    assert len(free.days) == 10
    assert len(case.offered()) == 2880


def test_start_exactly_after_notice_is_offered() -> None:
    calendar = replace(CALENDAR, notice_minutes=90)
    assert clocks(open_case(NINE_TO_ELEVEN, calendar=calendar, now=local("8:00"))) == ["9:30", "10:00"]


def test_starts_after_last_day_of_horizon_are_missing() -> None:
    calendar = replace(CALENDAR, horizon_days=2)
    case = open_case(NINE_TO_ELEVEN, calendar=calendar, days=5, now=local("8:00"))
    assert {start.starts_at.date() for start in case.offered()} == {date(2027, 6, day) for day in (1, 2, 3)}


def test_horizon_in_evening_counts_from_local_day() -> None:
    calendar = replace(CALENDAR, horizon_days=1)
    case = open_case(NINE_TO_ELEVEN, calendar=calendar, days=5, now=local("22:00"))  # 2:00 of the next day in UTC
    assert {start.starts_at.date() for start in case.offered()} == {date(2027, 6, 2)}


def test_evening_session_counts_for_local_day() -> None:
    calendar = replace(CALENDAR, day_max=1)
    case = open_case(NINE_TO_ELEVEN, calendar=calendar, appointments=[appointment("22:00")], days=2)
    assert [start.starts_at for start in case.offered()] == [local(clock) for clock in ("33:00", "33:30", "34:00")]


def test_day_with_max_sessions_offers_live_ones_only() -> None:
    calendar = replace(CALENDAR, day_max=2)
    live = [session("9:00", capacity=3), appointment("12:00")]
    block = replace(appointment("14:00"), service_id=None)
    assert clocks(open_case(NINE_TO_ELEVEN, calendar=calendar, appointments=live, days=2)) == [
        "9:00", "9:00", "9:30", "10:00"
    ]  # fmt: skip
    assert clocks(open_case(NINE_TO_ELEVEN, calendar=calendar, appointments=[live[0], block])) == ["9:00", "10:00"]


def test_paused_calendar_offers_starts_after_pause() -> None:
    calendar = replace(CALENDAR, paused_until=local("8:00"))
    assert clocks(open_case(NINE_TO_ELEVEN, calendar=calendar, now=local("7:59"))) == []
    assert len(clocks(open_case(NINE_TO_ELEVEN, calendar=calendar, now=local("8:00")))) == 3
