"""Hold, book and cancel. Every change of a booking locks the guru's calendar first (ARCHITECTURE 4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from sqlalchemy import Text, case, cast, func, select, text, update
from sqlalchemy.ext.asyncio import AsyncSession

from porchlight.contracts import ServiceWaiver
from porchlight.features.bookings.errors import (
    OUTCOMES,
    BookingChanged,
    HoldExpired,
    HoldsExhausted,
    PartyTooLarge,
    TermsChanged,
    TooManyHolds,
)
from porchlight.features.bookings.models import WAS_SENT, Booking
from porchlight.features.bookings.starts import MAX_ATTEMPTS, find_start, rejection
from porchlight.features.bookings.terms import CurrentTerms, current_terms
from porchlight.features.bookings.tokens import HoldToken
from sites.hours.cache import FreeStartsCache
from tenants.db.pool import Database
from tenants.db.unit_of_work import unit_of_work
from tenants.kit import clock
from tenants.kit.errors import NotFound
from tenants.kit.ids import new_id

REQUEST_HOURS = 24  # how long a guru can answer a request
REQUEST_HOURS_BEFORE_START = 2
_HOLD = text(
    "SELECT outcome, held_until FROM app.hold_seat(:id, :appointment, :service, :starts_at, :party, :token, :address,"
    " :rules_version, :max_of_visitors)"
)
_CLAIM = text("SELECT outcome, booking_id FROM app.claim_hold(:token)")
_RELEASE = text("SELECT app.release_hold(:token)")
_LOCK_CALENDAR = text("SELECT 1 FROM app.lock_calendar()")
_SET_TENANT = text("SELECT set_config('app.tenant_id', :tenant, true)")


@dataclass(frozen=True, slots=True)
class Hold:
    """A hold that was made. `overlaps`: the user has another booking at that time."""

    expires_at: datetime
    overlaps: bool


async def hold_seat(
    db: Database,
    cache: FreeStartsCache,
    token: HoldToken,
    *,
    user_id: UUID | None,
    service_id: UUID,
    starts_at: datetime,
    party: int,
    address: bytes,
) -> Hold:
    """Keep seats for ten minutes, for a user or a visitor. The same token again returns the same hold.

    Raises NotFound, SlotGone, SlotTaken, SessionFull, TooSoon, PartyTooLarge, AlreadyBooked, HoldsExhausted,
    TooManyHolds.
    """
    for attempt in range(MAX_ATTEMPTS):
        wanted = await find_start(db, cache, token.tenant_id, service_id, starts_at)
        async with unit_of_work(db, tenant_id=token.tenant_id, user_id=user_id) as session:
            parameters = {
                "id": new_id(), "appointment": new_id(), "service": service_id, "starts_at": starts_at, "party": party,
                "token": token.digest, "address": address, "max_of_visitors": max(wanted.starts_of_day // 2, 1),
                "rules_version": wanted.rules_version,
            }  # fmt: skip
            outcome, held_until = (await session.execute(_HOLD, parameters)).one()
            if outcome == "held":
                overlaps = await _has_overlap(session, user_id, token, starts_at, wanted.rules.service.minutes)
                return Hold(held_until, overlaps)
        # The first attempt ended expired holds, so the time may be free now.
        if outcome != "stale" or (not wanted.is_offered and attempt > 0):
            break
    if outcome == "limited":
        raise TooManyHolds if user_id else HoldsExhausted
    if outcome == "party_too_large":
        raise PartyTooLarge(f"You can book up to {wanted.rules.terms.party_max} spots at once.")
    raise await rejection(db, token.tenant_id, service_id, starts_at, wanted, outcome)


async def _has_overlap(
    session: AsyncSession, user_id: UUID | None, token: HoldToken, starts_at: datetime, minutes: int
) -> bool:
    if user_id is None:
        return False
    query = select(func.count()).select_from(Booking)
    query = query.where(
        Booking.person_id == user_id,
        Booking.status.in_(("held", "requested", "confirmed")),
        Booking.starts_at < starts_at + timedelta(minutes=minutes),
        Booking.ends_at > starts_at,
        Booking.hold_hash.is_distinct_from(token.digest),
    )
    return bool(await session.scalar(query))


async def release_hold(db: Database, token: HoldToken, user_id: UUID | None) -> None:
    """Give up a hold. Nothing happens if it is none any more."""
    async with unit_of_work(db, tenant_id=token.tenant_id, user_id=user_id) as session:
        await session.execute(_RELEASE, {"token": token.digest})


async def claim_hold(session: AsyncSession, token: HoldToken) -> UUID:
    """Give a hold to the transaction's user; return the booking's id. Locks the calendar.

    Raises HoldExpired, AlreadyBooked, TooManyHolds.
    """
    outcome, booking_id = (await session.execute(_CLAIM, {"token": token.digest})).one()
    if outcome == "limited":
        raise TooManyHolds
    if outcome != "claimed":
        raise OUTCOMES[outcome]
    claimed: UUID = booking_id
    return claimed


async def confirm_bookings(
    session: AsyncSession,
    tenant_id: UUID,
    booking_ids: Sequence[UUID],
    *,
    waiver: ServiceWaiver | None,
    person_name: str,
    participants: Sequence[str],
    note: str,
    key: str,
    digest: bytes,
) -> None:
    """Book holds of the transaction's user, or ask the guru for them if they decide. The calendar is locked.

    Several are a series, which has the id of its first booking. That one gets the idempotency key. Raises HoldExpired.
    """
    now = clock.now()
    first_id = booking_ids[0]
    booking = await session.get_one(Booking, (tenant_id, first_id))
    is_request = booking.approval == "request"
    answer_until = func.least(
        now + timedelta(hours=REQUEST_HOURS), Booking.starts_at - timedelta(hours=REQUEST_HOURS_BEFORE_START)
    )
    confirmed = await session.scalars(
        update(Booking)
        .where(
            Booking.tenant_id == tenant_id,
            Booking.id.in_(booking_ids),
            Booking.status == "held",
            Booking.expires_at > func.now(),
        )
        .values(
            status="requested" if is_request else "confirmed",
            expires_at=func.greatest(answer_until, now) if is_request else None,
            confirmed_at=None if is_request else now,
            waiver_level=waiver.level if waiver else "",
            waiver_id=waiver.id if waiver else None,
            waiver_until=waiver.expires_at if waiver else None,
            person_name=person_name,
            participants=list(participants),
            note=note,
            series_id=first_id if len(booking_ids) > 1 else None,
            idempotency_key=case((Booking.id == first_id, key), else_=cast(Booking.id, Text)),
            digest=digest,
        )
        .returning(Booking.id)
        .execution_options(synchronize_session=False)
    )
    if len(confirmed.all()) != len(booking_ids):
        raise HoldExpired


async def own_booking(session: AsyncSession, user_id: UUID, booking_id: UUID) -> Booking:
    """Return a user's booking, and set its guru as the transaction's tenant. Raises NotFound, also for a hold."""
    query = select(Booking).where(Booking.person_id == user_id, Booking.id == booking_id, WAS_SENT)
    booking = await session.scalar(query.execution_options(populate_existing=True))
    if booking is None:
        raise NotFound
    await set_tenant(session, booking.tenant_id)
    return booking


async def set_tenant(session: AsyncSession, tenant_id: UUID) -> None:
    """Set the transaction's tenant to the guru of one of the user's rows."""
    await session.execute(_SET_TENANT, {"tenant": str(tenant_id)})


async def lock_calendar(session: AsyncSession) -> None:
    """Lock the calendar of the transaction's tenant."""
    await session.execute(_LOCK_CALENDAR)


def terms_of(booking: Booking) -> CurrentTerms:
    """Return the terms of a booking that apply now."""
    return current_terms(
        booking.terms,
        price_cents=booking.price_cents,
        starts_at=booking.starts_at,
        moves=booking.moves,
        now=clock.now(),
        proposed_until=booking.proposed_until,
    )


async def cancel_booking(
    session: AsyncSession, user_id: UUID, booking_id: UUID, *, terms_digest: str, reason: str
) -> None:
    """Cancel a user's booking or request. Its seats are free at once.

    Raises NotFound, BookingChanged, and TermsChanged if the user saw other terms than those that apply now.
    """
    await own_booking(session, user_id, booking_id)
    await lock_calendar(session)
    booking = await own_booking(session, user_id, booking_id)
    if booking.status not in ("requested", "confirmed") or booking.starts_at <= clock.now():
        raise BookingChanged
    terms = terms_of(booking)
    if booking.status == "confirmed" and terms.digest != terms_digest:
        raise TermsChanged
    await cancel_for_user(
        session, booking, reason=reason, owed_cents=terms.owed_cents if booking.status == "confirmed" else 0
    )


async def cancel_for_user(session: AsyncSession, booking: Booking, *, reason: str, owed_cents: int) -> None:
    """Cancel an open booking for its user. The calendar is locked."""
    values: dict[str, Any] = {
        "status": "canceled",
        "expires_at": None,
        "ended_by": "person",
        "ended_at": clock.now(),
        "reason": reason,
        "owed_cents": owed_cents,
        "sequence": Booking.sequence + 1,
    }
    await session.execute(
        update(Booking)
        .where(Booking.tenant_id == booking.tenant_id, Booking.id == booking.id, Booking.status == booking.status)
        .values(values)
        .execution_options(synchronize_session=False)
    )
