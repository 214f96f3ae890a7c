"""The booked sessions that changed rules of a guru would affect. They stay as they are; the guru sees them before."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

from sqlalchemy import and_, select
from sqlalchemy.ext.asyncio import AsyncSession

from porchlight.features.bookings.guru.overview import MAX_BOOKED, next_booking
from porchlight.features.bookings.guru.schemas import BookedTimesData
from porchlight.features.bookings.models import Booking
from sites.hours.models import Appointment, WeeklyHours
from tenants.kit import clock
from tenants.kit.zones import local_time

MAX_READ = 1000  # bookings to come; the first are shown


@dataclass(frozen=True, slots=True)
class ChangedRules:
    """The rules that a guru is about to save; None for one that stays. The first three are of a service."""

    minutes: int | None = None
    party_max: int | None = None
    capacity: int | None = None
    step_minutes: int | None = None
    zone: str | None = None


def is_affected(
    booking: Booking, rules: ChangedRules, *, seats: int, is_fixed: bool, opens: Mapping[int, Sequence[tuple[int, int]]]
) -> bool:
    """Return whether a booking differs from what the changed rules offer.

    `seats` are those taken in its session, and `opens` the guru's hours by weekday in minutes, from which starts are
    counted. A session at a time that the guru set (`is_fixed`) has no grid.
    """
    if rules.minutes is not None and booking.ends_at - booking.starts_at != timedelta(minutes=rules.minutes):
        return True
    if rules.party_max is not None and booking.party > rules.party_max:
        return True
    if rules.capacity is not None and seats > rules.capacity:
        return True
    if rules.zone is not None and booking.zone != rules.zone:
        return True
    if rules.step_minutes is None or is_fixed:
        return False
    local = local_time(booking.starts_at, booking.zone)
    minute = 60 * local.hour + local.minute
    first = next((start for start, end in opens.get(local.weekday(), ()) if start <= minute < end), 0)
    return (minute - first) % rules.step_minutes != 0


async def affected_bookings(
    session: AsyncSession, tenant_id: UUID, service_id: UUID | None, rules: ChangedRules
) -> BookedTimesData:
    """Return the open bookings to come that changed rules affect, of one service or of all, the earliest first."""
    query = (
        select(Booking, Appointment.fixed)
        .join(Appointment, and_(Appointment.tenant_id == Booking.tenant_id, Appointment.id == Booking.appointment_id))
        .where(
            Booking.tenant_id == tenant_id,
            Booking.status.in_(("requested", "confirmed")),
            Booking.starts_at > clock.now(),
        )
        .order_by(Booking.starts_at, Booking.id)
        .limit(MAX_READ)
    )
    if service_id is not None:
        query = query.where(Booking.service_id == service_id)
    rows = (await session.execute(query)).all()
    opens: dict[int, list[tuple[int, int]]] = {}
    for hours in await session.scalars(select(WeeklyHours).where(WeeklyHours.tenant_id == tenant_id)):
        opens.setdefault(hours.weekday, []).append((hours.during.lower or 0, hours.during.upper or 0))
    seats = Counter[UUID]()
    for booking, _ in rows:
        seats[booking.appointment_id] += booking.party
    found = [
        booking
        for booking, is_fixed in rows
        if is_affected(booking, rules, seats=seats[booking.appointment_id], is_fixed=is_fixed, opens=opens)
    ]
    return BookedTimesData(
        bookings=[next_booking(one) for one in found[:MAX_BOOKED]],
        more=len(found) > MAX_BOOKED or len(rows) == MAX_READ,
    )
