"""Starts that can be booked, and why another one cannot."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from sqlalchemy import ARRAY, BigInteger, DateTime, Uuid, bindparam

from porchlight.features.bookings.errors import OUTCOMES, TooSoon
from sites.hours import queries as hours
from sites.hours.cache import FreeStartsCache
from sites.hours.queries import ServiceRules
from tenants.db.pool import Database
from tenants.kit import clock
from tenants.kit.errors import ProductError
from tenants.kit.zones import local_time

# The parameters of the SQL functions that book or move several sessions: an element of each array per session.
SEVERAL_STARTS = (
    bindparam("ids", type_=ARRAY(Uuid)),
    bindparam("appointments", type_=ARRAY(Uuid)),
    bindparam("starts", type_=ARRAY(DateTime(timezone=True))),
    bindparam("rules_versions", type_=ARRAY(BigInteger)),
    bindparam("local_starts", type_=ARRAY(DateTime())),
)
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
        """The version of the rules by which the start is offered, -1 if it is not: the form of the SQL functions."""
        return self.rules.rules_version if self.is_offered else -1

    def local(self, starts_at: datetime) -> datetime:
        """Return a start by the clocks of the calendar's zone: the form of the SQL functions."""
        return local_time(starts_at, self.rules.calendar.zone)


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
    rules, start, starts = await hours.find_start(
        db, tenant_id, service_id, starts_at, without=without, has_notice=has_notice
    )
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
    db: Database, tenant_id: UUID, service_id: UUID, starts_at: datetime, wanted: WantedStart, outcome: str
) -> ProductError:
    """Return the error for the outcome of a SQL function that did not take a start."""
    if not wanted.is_offered and outcome == "stale":
        outcome = await _taken_by(db, tenant_id, service_id, starts_at)
    if outcome == "session_full" and wanted.rules.service.capacity == 1:
        outcome = "slot_taken"
    return OUTCOMES[outcome]()


async def _taken_by(db: Database, tenant_id: UUID, service_id: UUID, starts_at: datetime) -> str:
    """Return the outcome for a time that is not offered: a session of the service is full, or the guru is busy."""
    statement = (
        "SELECT service_id = %s AND starts_at = %s FROM appointments"
        " WHERE tenant_id = %s AND live AND blocked @> %s::timestamptz LIMIT 1"
    )
    is_same = await db.read_values(bool, tenant_id, statement, [service_id, starts_at, tenant_id, starts_at])
    if not is_same:
        return "slot_gone"
    return "session_full" if is_same[0] else "slot_taken"


def _duration(minutes: int) -> str:
    count, unit = (minutes // 60, "hour") if minutes % 60 == 0 else (minutes, "minute")
    return f"{count} {unit}" if count == 1 else f"{count} {unit}s"
