"""Join and leave waitlists, and open the hold of a free seat. Seats are offered in the database, in strict order."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from sqlalchemy import select, text
from sqlalchemy.ext.asyncio import AsyncSession

from porchlight.features.bookings.actions import set_tenant
from porchlight.features.bookings.errors import (
    OUTCOMES,
    HoldExpired,
    PartyTooLarge,
    SessionHasSpots,
    SlotGone,
    TooManyWaitlists,
    TooSoon,
    WaitlistFull,
)
from porchlight.features.bookings.models import Booking, WaitlistEntry
from porchlight.features.bookings.starts import find_start
from porchlight.features.bookings.tokens import HoldToken, offer_token
from porchlight.features.bookings.waitlist.queries import session_by_id, waitlist_entry
from porchlight.features.bookings.waitlist.schemas import WaitlistEntryData, WaitlistSessionData
from tenants.db.pool import Database
from tenants.db.unit_of_work import unit_of_work
from tenants.kit.errors import NotFound

_JOIN = text("SELECT outcome, appointment_id FROM app.join_waitlist(:service, :starts_at, :party)")
_LEAVE = text("SELECT app.leave_waitlist(:appointment)")
_LAPSED = "The time to take this spot has passed. You can join the waitlist again."
_OPEN = text("SELECT app.open_offer(:appointment, :token)")


async def join_waitlist(
    db: Database,
    tenant_id: UUID,
    user_id: UUID,
    *,
    service_id: UUID,
    starts_at: datetime,
    party: int,
) -> WaitlistEntryData:
    """Add a user to the waitlist of a full session. Someone who waits already keeps their place.

    Raises SessionHasSpots, SlotGone, SlotTaken (a session for one party), AlreadyBooked, PartyTooLarge, WaitlistFull,
    TooManyWaitlists.
    """
    async with unit_of_work(db, tenant_id=tenant_id, user_id=user_id) as session:
        parameters = {"service": service_id, "starts_at": starts_at, "party": party}
        outcome, appointment_id = (await session.execute(_JOIN, parameters)).one()
        if outcome == "joined":
            return await waitlist_entry(session, user_id, appointment_id)
    if outcome == "slot_gone" and await _is_offered(db, tenant_id, service_id, starts_at):
        raise SessionHasSpots
    if outcome == "party_too_large":
        raise PartyTooLarge("That's more spots than one booking can have.")
    errors = {"session_has_spots": SessionHasSpots, "waitlist_full": WaitlistFull, "limited": TooManyWaitlists}
    raise (OUTCOMES | errors)[outcome]


async def _is_offered(db: Database, tenant_id: UUID, service_id: UUID, starts_at: datetime) -> bool:
    try:
        return (await find_start(db, tenant_id, service_id, starts_at)).is_offered
    except (NotFound, TooSoon):
        raise SlotGone from None


async def leave_waitlist(session: AsyncSession, user_id: UUID, appointment_id: UUID) -> None:
    """Take a user off a waitlist, and release what was offered to them. Raises NotFound."""
    await _own_entry(session, user_id, appointment_id)
    await session.execute(_LEAVE, {"appointment": appointment_id})


async def open_offer(
    session: AsyncSession, user_id: UUID, appointment_id: UUID, secret: bytes
) -> tuple[HoldToken, datetime]:
    """Return the token of the hold that was offered to a user, the same each time, and when it ends.

    Raises NotFound, and HoldExpired if it has ended.
    """
    tenant_id = await _own_entry(session, user_id, appointment_id)
    query = select(Booking.id).where(
        Booking.tenant_id == tenant_id,
        Booking.appointment_id == appointment_id,
        Booking.person_id == user_id,
        Booking.status == "held",
    )
    booking_id = await session.scalar(query)
    if booking_id is None:
        raise HoldExpired(_LAPSED)
    token = offer_token(tenant_id, secret, booking_id)
    held_until: datetime | None = await session.scalar(_OPEN, {"appointment": appointment_id, "token": token.digest})
    if held_until is None:
        raise HoldExpired(_LAPSED)
    return token, held_until


async def waited_session(session: AsyncSession, user_id: UUID, appointment_id: UUID) -> WaitlistSessionData:
    """Return a session for which a user waits or waited. Raises NotFound, also once it is canceled or has started."""
    await _own_entry(session, user_id, appointment_id)
    return await session_by_id(session, user_id, appointment_id)


async def _own_entry(session: AsyncSession, user_id: UUID, appointment_id: UUID) -> UUID:
    """Return the guru of a user's place on a waitlist, and set it as the transaction's tenant. Raises NotFound."""
    query = select(WaitlistEntry.tenant_id).where(
        WaitlistEntry.person_id == user_id, WaitlistEntry.appointment_id == appointment_id
    )
    tenant_id = await session.scalar(query.limit(1))
    if tenant_id is None:
        raise NotFound
    await set_tenant(session, tenant_id)
    return tenant_id
