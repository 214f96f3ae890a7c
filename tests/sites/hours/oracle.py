"""A second implementation of the free times, minute by minute, with the library `whenever` instead of zoneinfo."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import whenever
from whenever import Date, Instant, RepeatedTime, SkippedTime, Time

from sites.hours.rules import LiveAppointment
from tests.sites.hours.cases import SlotsCase

# Two implementations, one set of rules.
whenever.reset_tzpath(())
whenever.clear_tzcache()

MINUTES = 1440


def first_instant(zone: str, day: Date, minute: int) -> Instant | None:
    """Return the first instant of a wall time, or None if the clock skips it."""
    wall = day.at(Time(minute // 60, minute % 60))
    try:
        return wall.assume_tz(zone, disambiguation="raise").to_instant()
    except RepeatedTime:
        return wall.assume_tz(zone, disambiguation="earlier").to_instant()
    except SkippedTime:
        return None


def offered_starts(case: SlotsCase) -> list[tuple[Instant, int]]:
    """Return the starts that the product offers, with their seats."""
    return [(Instant(start.starts_at), start.seats) for start in case.offered()]


def expected_starts(case: SlotsCase) -> list[tuple[Instant, int]]:
    """Return the starts that can be booked, with their seats."""
    zone = case.calendar.zone
    now = Instant(case.now)
    paused_until = case.calendar.paused_until
    if paused_until is not None and now < Instant(paused_until):
        return []
    last_day = now.to_tz(zone).date().add(days=case.calendar.horizon_days)
    sessions = Counter(
        Instant(appointment.starts_at).to_tz(zone).date()
        for appointment in case.appointments
        if appointment.service_id is not None
    )
    found = _fixed(case) if case.service.starts == "fixed" else _by_hours(case)
    expected = []
    for start, seats, is_live in found:
        day = start.to_tz(zone).date()
        is_day_full = not is_live and case.calendar.day_max is not None and sessions[day] >= case.calendar.day_max
        if start.subtract(minutes=case.calendar.notice_minutes) >= now and day <= last_day and not is_day_full:
            expected.append((start, seats))
    return sorted(expected)


def _fixed(case: SlotsCase) -> Iterator[tuple[Instant, int, bool]]:
    days = {_day(case, offset) for offset in range(case.days)}
    for session in case.appointments:
        start = Instant(session.starts_at)
        seats = session.capacity - session.taken
        is_fixed = session.fixed and _is_of_service(case, session)
        if is_fixed and seats > 0 and start.to_tz(case.calendar.zone).date() in days:
            yield start, seats, True


def _by_hours(case: SlotsCase) -> Iterator[tuple[Instant, int, bool]]:
    # All minutes of the days and of the day after, and for each the next minute that is not open.
    is_open = [minute in day for day in _open_minutes(case) for minute in range(MINUTES)]
    closes = [len(is_open)] * (len(is_open) + 1)
    for index in range(len(is_open) - 1, -1, -1):
        closes[index] = closes[index + 1] if is_open[index] else index
    for offset in range(case.days):
        opened = None  # the first minute of the current range
        for minute in range(MINUTES):
            index = offset * MINUTES + minute
            if not is_open[index]:
                opened = None
                continue
            opened = minute if opened is None else opened
            start = first_instant(case.calendar.zone, _day(case, offset), minute)
            if (minute - opened) % case.calendar.step_minutes == 0 and start is not None:
                seats, is_live = _seats(case, start, _end_of_hours(case, closes[index]))
                if seats:
                    yield start, seats, is_live


def _seats(case: SlotsCase, start: Instant, end_of_hours: Instant) -> tuple[int, bool]:
    """Return the seats of a start, 0 if it is not free, and whether it has a live session."""
    service = case.service
    end = start.add(minutes=service.minutes)
    if end > end_of_hours:
        return 0, False
    for session in case.appointments:
        if _is_of_service(case, session) and Instant(session.starts_at) == start:
            return session.capacity - session.taken, True
    blocked_from = start.subtract(minutes=service.setup_minutes)
    blocked_until = end.add(minutes=service.cleanup_minutes)
    is_busy = any(
        Instant(other.blocked_from) < blocked_until and blocked_from < Instant(other.blocked_until)
        for other in case.appointments
    )
    return 0 if is_busy else service.capacity, False


def _open_minutes(case: SlotsCase) -> Iterator[set[int]]:
    for offset in range(case.days + 1):
        day = _day(case, offset)
        weekly = case.hours.weekly.get(day.day_of_week().value - 1, ())
        ranges = case.hours.dates.get(day.to_stdlib(), weekly)
        yield {minute for start, end in ranges for minute in range(start, end)}


def _end_of_hours(case: SlotsCase, index: int) -> Instant:
    """Return the instant of the minute `index` since the first midnight. A skipped one has the offset before."""
    wall = _day(case, index // MINUTES).at(Time(index % MINUTES // 60, index % 60))
    return wall.assume_tz(case.calendar.zone, disambiguation="compatible").to_instant()


def _is_of_service(case: SlotsCase, appointment: LiveAppointment) -> bool:
    return appointment.service_id == case.service.id


def _day(case: SlotsCase, offset: int) -> Date:
    return Date(case.first_day).add(days=offset)
