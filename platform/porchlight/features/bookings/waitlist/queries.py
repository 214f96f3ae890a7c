"""Reading a user's places on waitlists."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import Row, Select, and_, bindparam, column, func, select, table, text
from sqlalchemy.ext.asyncio import AsyncSession

from porchlight.features.bookings.models import Booking, WaitlistEntry
from porchlight.features.bookings.waitlist.lifecycle import MAX_WAITLISTS
from porchlight.features.bookings.waitlist.schemas import WaitlistEntryData, WaitlistSessionData
from tenants.kit import clock
from tenants.kit.errors import NotFound

# The sessions of the transaction's tenant that have several seats and have not started, with the user's part in them.
_SESSIONS = """
SELECT a.id, g.label AS guru_label, g.character AS guru_name, s.id AS service_id, s.name AS service_name, a.starts_at,
       a.ends_at, c.zone, t.place, s.price_cents, s.currency, least(t.party_max, a.capacity) AS party_max,
       CASE WHEN a.waiting > 0 THEN 0 ELSE a.capacity - a.taken END AS seats,
       (SELECT b.id FROM bookings b
         WHERE b.tenant_id = a.tenant_id AND b.appointment_id = a.id AND b.person_id = :user
           AND b.status IN ('requested', 'confirmed') LIMIT 1) AS booking_id,
       (SELECT w.status FROM waitlist w
         WHERE w.tenant_id = a.tenant_id AND w.appointment_id = a.id AND w.person_id = :user
         ORDER BY w.number DESC LIMIT 1) AS last_status
  FROM appointments a
  JOIN gurus g ON g.id = a.tenant_id AND g.status = 'active'
  JOIN services s ON s.tenant_id = a.tenant_id AND s.id = a.service_id
  JOIN booking_settings t ON t.tenant_id = a.tenant_id AND t.service_id = a.service_id AND t.open
  JOIN calendars c ON c.tenant_id = a.tenant_id
 WHERE a.tenant_id = app.tenant_id() AND a.live AND a.capacity > 1 AND a.starts_at > app.now()"""
_SESSION_BY_START = text(_SESSIONS + " AND a.service_id = :service AND a.starts_at = :starts_at")
_SESSION_BY_ID = text(_SESSIONS + " AND a.id = :id")
_POSITIONS = table("waitlist_positions", column("tenant_id"), column("appointment_id"), column("position"))


def _entries() -> Select[Any]:
    is_offer = and_(
        Booking.tenant_id == WaitlistEntry.tenant_id,
        Booking.appointment_id == WaitlistEntry.appointment_id,
        Booking.person_id == WaitlistEntry.person_id,
        Booking.status == "held",
        Booking.expires_at > func.app.now(),
        WaitlistEntry.status == "offered",
    )
    is_position = and_(
        _POSITIONS.c.tenant_id == WaitlistEntry.tenant_id,
        _POSITIONS.c.appointment_id == WaitlistEntry.appointment_id,
        WaitlistEntry.status == "waiting",
    )
    return (
        select(
            WaitlistEntry.appointment_id,
            WaitlistEntry.status,
            _POSITIONS.c.position,
            Booking.expires_at.label("offered_until"),
            WaitlistEntry.guru_label,
            WaitlistEntry.guru_name,
            WaitlistEntry.service_id,
            WaitlistEntry.service_name,
            WaitlistEntry.starts_at,
            WaitlistEntry.ends_at,
            WaitlistEntry.zone,
            WaitlistEntry.party,
        )
        .outerjoin(Booking, is_offer)
        .outerjoin(_POSITIONS, is_position)
        .where(
            WaitlistEntry.person_id == bindparam("user"),
            WaitlistEntry.starts_at > func.app.now(),
            (WaitlistEntry.status == "waiting") | Booking.expires_at.is_not(None),
            WaitlistEntry.status.in_(("waiting", "offered")),
        )
    )


# Built once, because that takes longer than the query.
_ENTRIES = _entries().order_by(WaitlistEntry.starts_at, WaitlistEntry.appointment_id).limit(MAX_WAITLISTS)
_ENTRY = _entries().where(WaitlistEntry.appointment_id == bindparam("id"))


async def waitlist(session: AsyncSession, user_id: UUID) -> list[WaitlistEntryData]:
    """Return the user's places on the waitlists of coming sessions, by start."""
    return [_entry_data(row) for row in await session.execute(_ENTRIES, {"user": user_id})]


async def waitlist_entry(session: AsyncSession, user_id: UUID, appointment_id: UUID) -> WaitlistEntryData:
    """Return the user's place on the waitlist of a session. Raises NotFound."""
    entry = await _own_entry(session, user_id, appointment_id)
    if entry is None:
        raise NotFound
    return entry


async def _own_entry(session: AsyncSession, user_id: UUID, appointment_id: UUID) -> WaitlistEntryData | None:
    row = (await session.execute(_ENTRY, {"user": user_id, "id": appointment_id})).one_or_none()
    return _entry_data(row) if row else None


async def session_by_start(
    session: AsyncSession, user_id: UUID, service_id: UUID, starts_at: datetime
) -> WaitlistSessionData:
    """Return the session of a service that starts at a time, with the user's part in it. Raises NotFound."""
    values = {"user": user_id, "service": service_id, "starts_at": starts_at}
    return await _session_data(session, user_id, (await session.execute(_SESSION_BY_START, values)).one_or_none())


async def session_by_id(session: AsyncSession, user_id: UUID, appointment_id: UUID) -> WaitlistSessionData:
    """Return a session, with the user's part in it. Raises NotFound."""
    row = (await session.execute(_SESSION_BY_ID, {"user": user_id, "id": appointment_id})).one_or_none()
    return await _session_data(session, user_id, row)


async def _session_data(session: AsyncSession, user_id: UUID, row: Any) -> WaitlistSessionData:
    if row is None:
        raise NotFound
    appointment_id: UUID = row.id
    entry = await _own_entry(session, user_id, appointment_id)
    return WaitlistSessionData(
        id=str(appointment_id),
        guru_label=row.guru_label,
        guru_name=row.guru_name,
        service_id=str(row.service_id),
        service_name=row.service_name,
        starts_at=clock.to_iso8601(row.starts_at),
        ends_at=clock.to_iso8601(row.ends_at),
        zone=row.zone,
        place=row.place,
        price_cents=row.price_cents,
        currency=row.currency,
        party_max=row.party_max,
        seats=row.seats,
        entry=entry,
        booking_id=str(row.booking_id) if row.booking_id else None,
        # The row of an offer whose time has just passed is settled within a minute.
        offer_ended=entry is None and row.booking_id is None and row.last_status in ("lapsed", "offered"),
    )


def _entry_data(entry: Row[Any]) -> WaitlistEntryData:
    return WaitlistEntryData(
        id=str(entry.appointment_id),
        status=entry.status,
        position=entry.position,
        offered_until=clock.to_iso8601(entry.offered_until) if entry.offered_until else None,
        guru_label=entry.guru_label,
        guru_name=entry.guru_name,
        service_id=str(entry.service_id),
        service_name=entry.service_name,
        starts_at=clock.to_iso8601(entry.starts_at),
        ends_at=clock.to_iso8601(entry.ends_at),
        zone=entry.zone,
        party=entry.party,
    )
