"""Reading a user's places on waitlists."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from sqlalchemy import Select, and_, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from porchlight.features.bookings.models import Booking, WaitlistEntry
from porchlight.features.bookings.waitlist.schemas import WaitlistEntryData
from tenants.kit import clock
from tenants.kit.errors import NotFound

MAX_ENTRIES = 20  # app.join_waitlist allows no more


async def waitlist(session: AsyncSession, user_id: UUID) -> list[WaitlistEntryData]:
    """Return the user's places on the waitlists of coming sessions, by start."""
    query = _entries(user_id).order_by(WaitlistEntry.starts_at, WaitlistEntry.appointment_id).limit(MAX_ENTRIES)
    return [_entry_data(row) for row in await session.execute(query)]


async def waitlist_entry(session: AsyncSession, user_id: UUID, appointment_id: UUID) -> WaitlistEntryData:
    """Return the user's place on the waitlist of a session. Raises NotFound."""
    row = (await session.execute(_entries(user_id).where(WaitlistEntry.appointment_id == appointment_id))).one_or_none()
    if row is None:
        raise NotFound
    return _entry_data(row)


def _entries(user_id: UUID) -> Select[Any]:
    is_offer = and_(
        Booking.tenant_id == WaitlistEntry.tenant_id,
        Booking.appointment_id == WaitlistEntry.appointment_id,
        Booking.person_id == WaitlistEntry.person_id,
        Booking.status == "held",
        Booking.expires_at > func.now(),
        WaitlistEntry.status == "offered",
    )
    position = func.app.waitlist_position(WaitlistEntry.tenant_id, WaitlistEntry.appointment_id)
    return (
        select(WaitlistEntry, position, Booking.expires_at)
        .outerjoin(Booking, is_offer)
        .where(
            WaitlistEntry.person_id == user_id,
            WaitlistEntry.starts_at > func.now(),
            (WaitlistEntry.status == "waiting") | Booking.expires_at.is_not(None),
            WaitlistEntry.status.in_(("waiting", "offered")),
        )
    )


def _entry_data(row: Any) -> WaitlistEntryData:
    entry, position, offered_until = row
    return WaitlistEntryData(
        id=str(entry.appointment_id),
        status=entry.status,
        position=position,
        offered_until=clock.to_iso8601(offered_until) if offered_until else None,
        guru_label=entry.guru_label,
        guru_name=entry.guru_name,
        service_id=str(entry.service_id),
        service_name=entry.service_name,
        starts_at=clock.to_iso8601(entry.starts_at),
        ends_at=clock.to_iso8601(entry.ends_at),
        zone=entry.zone,
        party=entry.party,
    )
