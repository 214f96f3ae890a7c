"""The first free starts of several gurus, each for one service, read in one statement."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import islice
from typing import Literal
from uuid import UUID
from zoneinfo import ZoneInfo

from sites.hours.queries import ServiceRules, Times, to_service_rules, to_times
from sites.hours.session_schedule import MAX_DAYS, SessionSchedule
from sites.hours.slots import first_bookable_starts
from tenants.db.pool import Database
from tenants.db.rows import Columns

# Of app.teaching_times, in the order that `parse_open_times` expects.
COLUMNS = """
t.name, t.price_cents, t.currency, t.version, t.rules_version, t.zone, t.step_minutes, t.notice_minutes,
t.horizon_days, t.day_max, t.paused_until, t.service_id, t.duration_minutes, t.setup_minutes, t.cleanup_minutes,
t.capacity, t.starts, t.party_max, t.approval, t.place, t.free_until_minutes, t.late_percent, t.weekly, t.dates,
t.appointments, t.busy"""
_FROM_TIMES = " FROM app.teaching_times(%(gurus)s::uuid[], NULL, %(now)s, %(days)s, %(most)s) t"
_OPEN_TIMES = "SELECT t.guru_id, " + COLUMNS + _FROM_TIMES
_FIRST_STEP_DAYS = 7  # most gurus have a free time on several days of a week


@dataclass(frozen=True, slots=True)
class OpenService:
    """A service that can be booked. The price is in cents."""

    id: UUID
    name: str
    price_cents: int
    currency: str
    place: Literal["guru", "person", "online", "agreed"]


@dataclass(frozen=True, slots=True)
class OpenTimes:
    """A service that can be booked, its rules, and the guru's hours and live appointments of the next MAX_DAYS days."""

    service: OpenService
    rules: ServiceRules
    times: Times


@dataclass(frozen=True, slots=True)
class NextTime:
    """The main service of a guru, and its first free start in UTC, None without one."""

    service: OpenService
    zone: str
    starts_at: datetime | None


async def next_times(db: Database, gurus: Sequence[UUID], now: datetime) -> dict[UUID, NextTime]:
    """Return the next time of each of these gurus who takes bookings, by the guru's id. One round trip."""
    parameters = {"gurus": list(gurus), "now": now, "days": MAX_DAYS, "most": len(gurus)}
    found = {guru: parse_open_times(columns) for guru, *columns in await db.read(None, _OPEN_TIMES, parameters)}
    return {
        guru: NextTime(times.service, times.rules.calendar.zone, next(iter(first_starts(times, now, 1)), None))
        for guru, times in found.items()
        if times is not None
    }


def parse_open_times(columns: Columns) -> OpenTimes | None:
    """Return the times of the values of COLUMNS, or None for a guru who takes no bookings."""
    name, price_cents, currency, *rule_columns, weekly, dates, appointments, busy = columns
    if name is None:
        return None
    rules = to_service_rules(*rule_columns)
    service = OpenService(rules.service.id, name, price_cents, currency, rules.terms.place)
    return OpenTimes(service, rules, to_times(rules.version, weekly, dates, appointments, busy))


def first_starts(found: OpenTimes, now: datetime, days: int) -> list[datetime]:
    """Return the first start of each of the first `days` local days that have one, from now on, within MAX_DAYS days.

    The starts are in UTC. Days are prepared in growing steps until enough of them have a start.
    """
    rules, times = found.rules, found.times
    day = now.astimezone(ZoneInfo(rules.calendar.zone)).date()
    last_day = day + timedelta(days=min(rules.calendar.horizon_days, MAX_DAYS - 1))
    step = _FIRST_STEP_DAYS
    firsts: list[datetime] = []
    while day <= last_day and len(firsts) < days:
        asked = min(step, (last_day - day).days + 1)
        schedule = SessionSchedule(
            rules.calendar, times.hours, rules.service, times.appointments, day, asked, busy=times.busy
        )
        firsts += islice(first_bookable_starts(schedule, rules.calendar, now), days - len(firsts))
        day += timedelta(days=asked)
        step *= 2
    return firsts
