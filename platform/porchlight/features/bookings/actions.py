"""Hold, book and cancel. Every change of a booking locks the guru's calendar first (ARCHITECTURE 4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from sqlalchemy import func, select, text, update
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
    TooSoon,
)
from porchlight.features.bookings.models import Booking
from porchlight.features.bookings.terms import CurrentTerms, current_terms
from porchlight.features.bookings.tokens import HoldToken
from sites.hours import queries as hours
from sites.hours.cache import FreeStartsCache
from tenants.db.pool import Database
from tenants.db.unit_of_work import unit_of_work
from tenants.kit import clock
from tenants.kit.errors import NotFound
from tenants.kit.ids import new_id

REQUEST_HOURS = 24  # how long a guru can answer a request
REQUEST_HOURS_BEFORE_START = 2
MAX_ATTEMPTS = 3  # to hold a time whose rules change meanwhile
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
        rules, start, starts = await hours.find_start(db, cache, token.tenant_id, service_id, starts_at)
        notice = timedelta(minutes=rules.calendar.notice_minutes)
        if start is None and clock.now() < starts_at < clock.now() + notice:
            raise TooSoon(f"Please choose a time at least {_duration(rules.calendar.notice_minutes)} from now.")
        async with unit_of_work(db, tenant_id=token.tenant_id, user_id=user_id) as session:
            parameters = {
                "id": new_id(), "appointment": new_id(), "service": service_id, "starts_at": starts_at, "party": party,
                "token": token.digest, "address": address, "max_of_visitors": max(starts // 2, 1),
                "rules_version": rules.rules_version if start else -1,
            }  # fmt: skip
            outcome, held_until = (await session.execute(_HOLD, parameters)).one()
            if outcome == "held":
                overlaps = await _has_overlap(session, user_id, token, starts_at, rules.service.minutes)
                return Hold(held_until, overlaps)
        # The first attempt ended expired holds, so the time may be free now.
        if outcome != "stale" or (start is None and attempt > 0):
            break
    if outcome == "limited":
        raise TooManyHolds if user_id else HoldsExhausted
    if outcome == "party_too_large":
        raise PartyTooLarge(f"You can book up to {rules.party_max} spots at once.")
    if start is None and outcome == "stale":
        outcome = await _taken_by(db, token.tenant_id, service_id, starts_at)
    if outcome == "session_full" and rules.service.capacity == 1:
        outcome = "slot_taken"
    raise OUTCOMES[outcome]


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


async def _taken_by(db: Database, tenant_id: UUID, service_id: UUID, starts_at: datetime) -> str:
    """Return the outcome for a time that is not offered: a session of the service is full, or the guru is busy."""
    statement = (
        "SELECT service_id = %s AND starts_at = %s FROM appointments"
        " WHERE tenant_id = %s AND live AND blocked @> %s::timestamptz LIMIT 1"
    )
    rows = await db.read(tenant_id, statement, [service_id, starts_at, tenant_id, starts_at])
    if not rows:
        return "slot_gone"
    return "session_full" if rows[0][0] else "slot_taken"


def _duration(minutes: int) -> str:
    count, unit = (minutes // 60, "hour") if minutes % 60 == 0 else (minutes, "minute")
    return f"{count} {unit}" if count == 1 else f"{count} {unit}s"


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


async def confirm_booking(
    session: AsyncSession,
    tenant_id: UUID,
    booking_id: UUID,
    *,
    waiver: ServiceWaiver | None,
    person_name: str,
    participants: Sequence[str],
    note: str,
    key: str,
    digest: bytes,
) -> None:
    """Book a hold of the transaction's user, or ask the guru for it if they decide. The calendar is locked.

    Raises HoldExpired.
    """
    now = clock.now()
    booking = await session.get_one(Booking, (tenant_id, booking_id))
    is_request = booking.approval == "request"
    answer_until = min(
        now + timedelta(hours=REQUEST_HOURS), booking.starts_at - timedelta(hours=REQUEST_HOURS_BEFORE_START)
    )
    confirmed = await session.scalar(
        update(Booking)
        .where(
            Booking.tenant_id == tenant_id,
            Booking.id == booking_id,
            Booking.status == "held",
            Booking.expires_at > func.now(),
        )
        .values(
            status="requested" if is_request else "confirmed",
            expires_at=max(answer_until, now) if is_request else None,
            confirmed_at=None if is_request else now,
            waiver_level=waiver.level if waiver else "",
            waiver_id=waiver.id if waiver else None,
            waiver_until=waiver.expires_at if waiver else None,
            person_name=person_name,
            participants=list(participants),
            note=note,
            idempotency_key=key,
            digest=digest,
        )
        .returning(Booking.id)
        .execution_options(synchronize_session=False)
    )
    if confirmed is None:
        raise HoldExpired


async def own_booking(session: AsyncSession, user_id: UUID, booking_id: UUID) -> Booking:
    """Return a user's booking, and set its guru as the transaction's tenant. Raises NotFound."""
    query = select(Booking).where(Booking.person_id == user_id, Booking.id == booking_id)
    booking = await session.scalar(query.execution_options(populate_existing=True))
    if booking is None or booking.status in ("held", "expired"):
        raise NotFound
    await session.execute(_SET_TENANT, {"tenant": str(booking.tenant_id)})
    return booking


def terms_of(booking: Booking) -> CurrentTerms:
    """Return the terms of a booking that apply now."""
    return current_terms(
        booking.terms,
        price_cents=booking.price_cents,
        starts_at=booking.starts_at,
        moves=booking.moves,
        now=clock.now(),
    )


async def cancel_booking(
    session: AsyncSession, user_id: UUID, booking_id: UUID, *, terms_digest: str, reason: str
) -> None:
    """Cancel a user's booking or request. Its seats are free at once.

    Raises NotFound, BookingChanged, and TermsChanged if the user saw other terms than those that apply now.
    """
    booking = await own_booking(session, user_id, booking_id)
    await session.execute(_LOCK_CALENDAR)
    booking = await own_booking(session, user_id, booking_id)
    if booking.status not in ("requested", "confirmed") or booking.starts_at <= clock.now():
        raise BookingChanged
    terms = terms_of(booking)
    if booking.status == "confirmed" and terms.digest != terms_digest:
        raise TermsChanged
    values: dict[str, Any] = {
        "status": "canceled",
        "expires_at": None,
        "ended_by": "person",
        "ended_at": clock.now(),
        "reason": reason,
        "owed_cents": terms.owed_cents if booking.status == "confirmed" else 0,
        "sequence": Booking.sequence + 1,
    }
    await session.execute(
        update(Booking)
        .where(Booking.tenant_id == booking.tenant_id, Booking.id == booking_id, Booking.status == booking.status)
        .values(values)
        .execution_options(synchronize_session=False)
    )
