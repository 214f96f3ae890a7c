"""Join and leave waitlists, and open the hold of a free seat. `offers` decides who gets one."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from sqlalchemy import bindparam, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from porchlight.features.bookings import commands, store
from porchlight.features.bookings.actions import set_tenant
from porchlight.features.bookings.errors import (
    ERRORS,
    HoldExpired,
    PartyTooLarge,
    SessionHasSpots,
    SlotGone,
    TooSoon,
)
from porchlight.features.bookings.models import Booking, WaitlistEntry
from porchlight.features.bookings.refusals import RefusalReason
from porchlight.features.bookings.starts import find_start
from porchlight.features.bookings.store import FactsQuery
from porchlight.features.bookings.tokens import HoldToken, offer_token
from porchlight.features.bookings.waitlist.queries import session_by_id, waitlist_entry
from porchlight.features.bookings.waitlist.schemas import WaitlistEntryData, WaitlistSessionData
from tenants.db.pool import Database
from tenants.db.unit_of_work import unit_of_work
from tenants.kit.errors import NotFound

_LAPSED = "The time to take this spot has passed. You can join the waitlist again."
_WAITS_FOR = select(func.count()).where(
    WaitlistEntry.person_id == bindparam("user"),
    WaitlistEntry.status.in_(("waiting", "offered")),
    WaitlistEntry.starts_at > func.app.now(),
)


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
    needs = FactsQuery(service=service_id, starts=[starts_at])
    async with unit_of_work(db, tenant_id=tenant_id, user_id=user_id) as session:
        facts = await store.read_facts(session, needs)
        waits_for = await session.scalar(_WAITS_FOR, {"user": user_id}) or 0
        command = commands.JoinWaitlist(service_id=service_id, starts_at=starts_at, party=party, waits_for=waits_for)
        decision = await store.apply(session, needs, facts, command)
        if decision.booking_id is not None:
            return await waitlist_entry(session, user_id, decision.booking_id)
    if decision.refusal is RefusalReason.SLOT_GONE and await _is_offered(db, tenant_id, service_id, starts_at):
        raise SessionHasSpots
    if decision.refusal is RefusalReason.PARTY_TOO_LARGE:
        raise PartyTooLarge("That's more spots than one booking can have.")
    raise ERRORS[decision.refusal or RefusalReason.STALE]


async def _is_offered(db: Database, tenant_id: UUID, service_id: UUID, starts_at: datetime) -> bool:
    try:
        return (await find_start(db, tenant_id, service_id, starts_at)).is_offered
    except (NotFound, TooSoon):
        raise SlotGone from None


async def leave_waitlist(session: AsyncSession, user_id: UUID, appointment_id: UUID) -> None:
    """Take a user off a waitlist, and release what was offered to them. Raises NotFound."""
    await _own_entry(session, user_id, appointment_id)
    command = commands.LeaveWaitlist(session_id=appointment_id)
    await store.run_in(session, FactsQuery(appointment=appointment_id), command)


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
    command = commands.OpenOffer(session_id=appointment_id, token=token.digest)
    decision = await store.run_in(session, FactsQuery(appointment=appointment_id), command)
    if decision.held_until is None:
        raise HoldExpired(_LAPSED)
    return token, decision.held_until


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
