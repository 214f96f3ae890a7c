"""Time to compute and to serve the free times of 60 days with 600 appointments."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from uuid import UUID
from zoneinfo import ZoneInfo

import pytest

from sites.hours.cache import FreeStartsCache, FreeStartsKey
from sites.hours.rules import BookableService, CalendarRules, LiveAppointment, OpeningHours
from sites.hours.session_schedule import SessionSchedule
from sites.hours.slots import Start, bookable_starts, free_starts
from tenants.kit.heap import freeze_gc
from tests.bench.figures import print_figure

pytestmark = pytest.mark.bench

DAYS = 60
APPOINTMENTS = 600
RUNS = 400
FIRST_DAY = date(2027, 10, 1)
NOW = datetime(2027, 9, 30, 12, tzinfo=UTC)
SERVICE = BookableService(UUID(int=1), 60, 10, 15, capacity=4)
OTHER_SERVICE_ID = UUID(int=2)
HOURS = OpeningHours(dict.fromkeys(range(7), ((480, 720), (780, 1320))))


def _appointments() -> list[LiveAppointment]:
    """Return ten appointments a day, two thirds of them for the service."""
    rng = random.Random(1)
    appointments: list[LiveAppointment] = []
    for number in range(APPOINTMENTS):
        day = datetime(2027, 10, 1, 12, tzinfo=UTC) + timedelta(days=number % DAYS)
        start = day + timedelta(minutes=30 * rng.randrange(28))
        end = start + timedelta(minutes=25)
        service_id = SERVICE.id if number % 3 else OTHER_SERVICE_ID
        appointments.append(LiveAppointment(service_id, start, end, start, end, 4, number % 5))
    return appointments


def _busy_times() -> list[tuple[float, float]]:
    """Return five times a day, in seconds since 1970."""
    rng = random.Random(2)
    first = datetime(2027, 10, 1, 14, tzinfo=UTC).timestamp()
    starts = sorted(first + 86_400 * day + 1_800 * rng.randrange(26) for day in range(DAYS) for _ in range(5))
    return [(start, start + 1_500) for start in starts]


def _measure(ours: Callable[[], object], floor: Callable[[], object]) -> tuple[list[float], list[float]]:
    """Return the sorted CPU times of both in milliseconds, taken alternately.

    Without CPU time that other processes take, this is the latency on an idle machine.
    """
    times: tuple[list[float], list[float]] = ([], [])
    for _ in range(RUNS):
        for run, taken in zip((ours, floor), times, strict=True):
            began = time.thread_time()
            run()
            taken.append(1000 * (time.thread_time() - began))
    return sorted(times[0]), sorted(times[1])


def _print_times(
    name: str, ours: list[float], floor: list[float], *, median: float | None = None, p99: float | None = None
) -> None:
    for label, index, target in (("p50", RUNS // 2, median), ("p99", RUNS * 99 // 100, p99)):
        print_figure(
            f"{name}: {label}", ours[index], floor[index], "ms", at_most=target, ratio=False,
            note=f"ratio {ours[index] / floor[index]:.2f}",
        )  # fmt: skip


@pytest.mark.parametrize("step_minutes", [30, 15])
def test_free_times_of_60_days_speed(step_minutes: int) -> None:
    calendar = CalendarRules("America/Denver", step_minutes)
    zone = ZoneInfo(calendar.zone)
    appointments = _appointments()
    walls = [
        datetime.combine(FIRST_DAY + timedelta(days=day), datetime.min.time(), zone) + timedelta(minutes=minute)
        for day in range(DAYS)
        for start, end in HOURS.weekly[0]
        for minute in range(start, end, step_minutes)
    ]
    free = free_starts(SessionSchedule(calendar, HOURS, SERVICE, appointments, FIRST_DAY, DAYS))
    cache = FreeStartsCache()
    key: FreeStartsKey = UUID(int=3), SERVICE.id, 1, FIRST_DAY, DAYS
    cache.put(key, free)
    instants = [start for day in free.days for start in day.starts]

    def miss() -> None:
        free_starts(SessionSchedule(calendar, HOURS, SERVICE, appointments, FIRST_DAY, DAYS))

    def hit() -> list[Start]:
        cached = cache.get(key)
        assert cached is not None
        return bookable_starts(cached, calendar, NOW)

    # The floors: one look at the zone for each candidate and at each appointment; the answer's datetimes.
    def read_inputs() -> None:
        for wall in walls:
            wall.timestamp()
        sorted(appointment.blocked_from.timestamp() for appointment in appointments)

    def make_datetimes() -> None:
        for instant in instants:
            datetime.fromtimestamp(instant, UTC)

    # Five connected calendars, whose times the database has joined: on average five a day.
    busy = _busy_times()

    def miss_with_calendars() -> None:
        free_starts(SessionSchedule(calendar, HOURS, SERVICE, appointments, FIRST_DAY, DAYS, busy=busy))

    name = f"free times, {len(walls):,} candidates, {len(hit())} starts"
    freeze_gc()  # as a worker of the product does
    _print_times(f"{name}: miss", *_measure(miss, read_inputs), p99=5)
    with_calendars, without = _measure(miss_with_calendars, miss)
    for label, index in (("p50", RUNS // 2), ("p99", RUNS * 99 // 100)):
        print_figure(
            f"free times with 5 connected calendars: {label}", with_calendars[index], without[index], "ms", at_most=1.1
        )
    _print_times(f"{name}: hit", *_measure(hit, make_datetimes), median=1)
