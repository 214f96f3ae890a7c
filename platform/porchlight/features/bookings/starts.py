"""Starts that can be booked, and why another one cannot."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID
from zoneinfo import ZoneInfo

from porchlight.features.bookings.commands import WantedSeats
from porchlight.features.bookings.errors import ERRORS, TooSoon
from porchlight.features.bookings.refusals import RefusalReason
from sites.hours import queries as hours
from sites.hours.cache import FreeStartsCache
from sites.hours.queries import ServiceRules
from tenants.db.pool import Database
from tenants.db.rows import Columns
from tenants.kit import clock
from tenants.kit.errors import ProductError
from tenants.kit.zones import day_bounds, local_time

MAX_ATTEMPTS = 3  # to take a time whose rules change meanwhile


@dataclass(frozen=True, slots=True)
class WantedStart:
    """A start that someone wants. `seats`: those that are left; `starts_of_day`: how many starts its day offers."""

    rules: ServiceRules
    seats: int
    starts_of_day: int

    @property
    def is_offered(self) -> bool:
        """Whether the start can be booked."""
        return self.seats > 0

    @property
    def rules_version(self) -> int:
        """The version of the rules by which the start is offered, -1 if it is not."""
        return self.rules.rules_version if self.is_offered else -1

    def seats_at(self, starts_at: datetime) -> WantedSeats:
        """Return the start in the form of the commands."""
        return wanted_seats(self.rules, starts_at, is_offered=self.is_offered)


def wanted_seats(rules: ServiceRules, starts_at: datetime, *, is_offered: bool) -> WantedSeats:
    """Return seats of a service at a start in the form of the commands."""
    zone = rules.calendar.zone
    local_start = local_time(starts_at, zone)
    return WantedSeats(
        service_id=rules.service.id,
        starts_at=starts_at,
        local_start=local_start,
        day=day_bounds(ZoneInfo(zone), local_start.date()),
        rules_version=rules.rules_version if is_offered else -1,
    )


async def find_start(
    db: Database,
    tenant_id: UUID,
    service_id: UUID,
    starts_at: datetime,
    *,
    without: UUID | None = None,
    has_notice: bool = True,
) -> WantedStart:
    """Return whether a service offers a start; the time of the appointment `without` counts as free.

    Without `has_notice`, it may be nearer than the guru's notice: the guru chose it. Raises NotFound for a service that
    cannot be booked, and TooSoon.
    """
    query, parameters = hours.start_statement(tenant_id, service_id, starts_at=starts_at, without=without)
    return to_wanted_start(await db.read(tenant_id, query, parameters), starts_at, has_notice=has_notice)


def to_wanted_start(rows: Sequence[Columns], starts_at: datetime, *, has_notice: bool = True) -> WantedStart:
    """Return the start of the rows of `hours.start_statement`. Raises NotFound and TooSoon, like `find_start`."""
    rules, start, starts = hours.to_start(rows, starts_at, has_notice=has_notice)
    notice = timedelta(minutes=rules.calendar.notice_minutes if has_notice else 0)
    if start is None and clock.now() < starts_at < clock.now() + notice:
        raise TooSoon(f"Please choose a time at least {_duration(rules.calendar.notice_minutes)} from now.")
    return WantedStart(rules, start.seats if start else 0, starts)


async def find_starts(
    db: Database, cache: FreeStartsCache, tenant_id: UUID, service_id: UUID, starts: Sequence[datetime]
) -> list[WantedStart]:
    """Return whether a service offers each of several starts. Raises NotFound for a service that cannot be booked."""
    found = await hours.find_starts(db, cache, tenant_id, service_id, starts)
    return [WantedStart(rules, start is not None, count) for rules, start, count in found]


async def rejection(
    db: Database, tenant_id: UUID, service_id: UUID, starts_at: datetime, wanted: WantedStart, refusal: RefusalReason
) -> ProductError:
    """Return the error for a start that was refused."""
    if not wanted.is_offered and refusal is RefusalReason.STALE:
        refusal = await _taken_by(db, tenant_id, service_id, starts_at)
    if refusal is RefusalReason.SESSION_FULL and wanted.rules.service.capacity == 1:
        refusal = RefusalReason.SLOT_TAKEN
    return ERRORS[refusal]()


async def _taken_by(db: Database, tenant_id: UUID, service_id: UUID, starts_at: datetime) -> RefusalReason:
    """Return why a time is not offered: a session of the service is full, the guru is busy, or it never was."""
    statement = (
        "SELECT service_id = %s AND starts_at = %s FROM appointments"
        " WHERE tenant_id = %s AND live AND blocked @> %s::timestamptz LIMIT 1"
    )
    is_same = await db.read_values(bool, tenant_id, statement, [service_id, starts_at, tenant_id, starts_at])
    if not is_same:
        busy = "SELECT true FROM busy_times WHERE tenant_id = %s AND during @> %s::timestamptz LIMIT 1"
        is_busy = await db.read_values(bool, tenant_id, busy, [tenant_id, starts_at])
        return RefusalReason.SLOT_TAKEN if is_busy else RefusalReason.SLOT_GONE
    return RefusalReason.SESSION_FULL if is_same[0] else RefusalReason.SLOT_TAKEN


def _duration(minutes: int) -> str:
    count, unit = (minutes // 60, "hour") if minutes % 60 == 0 else (minutes, "minute")
    return f"{count} {unit}" if count == 1 else f"{count} {unit}s"
