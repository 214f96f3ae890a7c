"""Hold, book and cancel. Every change of a booking locks the guru's calendar first (docs/bookings.md)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from sqlalchemy import select, text, update
from sqlalchemy.ext.asyncio import AsyncSession

from porchlight.contracts import RiskAssessor, Waivers
from porchlight.features.bookings.errors import (
    OUTCOMES,
    BookingChanged,
    HoldsExhausted,
    NetworkHolds,
    PartyTooLarge,
    TermsChanged,
    TooManyHolds,
    UnverifiedHolds,
    UnverifiedNetworkHolds,
    WaiverRequired,
)
from porchlight.features.bookings.holds import BOOKING_COLUMNS, FoundHold, booking_of, find_hold
from porchlight.features.bookings.models import WAS_SENT, Booking
from porchlight.features.bookings.participants.people import NO_COVERAGE, Coverage, coverage, people_of
from porchlight.features.bookings.schemas import BookingPayload
from porchlight.features.bookings.starts import MAX_ATTEMPTS, find_start, rejection
from porchlight.features.bookings.terms import CurrentTerms, current_terms
from porchlight.features.bookings.tokens import HoldToken
from porchlight.features.bookings.waivers import rate_need
from tenants.db.pool import Database
from tenants.db.unit_of_work import unit_of_work
from tenants.http.idempotency import content_digest
from tenants.kit import clock
from tenants.kit.errors import NotFound, ProductError, ValidationFailed
from tenants.kit.ids import new_id

# The query for other bookings of the user does not see the new hold: its snapshot is older.
_HOLD = """
SELECT f.outcome, f.held_until,
       EXISTS (SELECT FROM bookings b WHERE b.person_id = %(user)s AND b.status IN ('held', 'requested', 'confirmed')
                                        AND b.starts_at < %(ends_at)s AND b.ends_at > %(starts_at)s
                                        AND b.hold_hash IS DISTINCT FROM %(token)s)
  FROM app.hold_seat(%(id)s, %(appointment)s, %(service)s, %(starts_at)s, %(party)s, %(token)s, %(address)s,
                     %(rules_version)s, %(max_of_visitors)s, %(local_start)s) f"""
_BOOK = f"""
SELECT f.outcome, {", ".join(f"(f.booking).{name}" for name in BOOKING_COLUMNS)}
  FROM app.book_party(%(token)s, %(policy)s, %(rules_version)s, %(needs_waiver)s, %(waiver)s, %(level)s, %(people)s,
                      %(name)s, %(participants)s, %(note)s, %(key)s, %(digest)s) f"""  # noqa: S608 - constants only
ONE_SPOT = "You chose one spot. Choose more spots to bring others."
NO_ADDRESS = "Enter the address where you'd like to meet."
# By the limit that a hold exceeds, for a visitor and for a user. A verified user has the first one only.
_LIMITS: dict[str, tuple[type[ProductError], type[ProductError]]] = {
    "own_limit": (TooManyHolds, TooManyHolds),
    "address_limit": (NetworkHolds, UnverifiedNetworkHolds),
    "visitor_limit": (HoldsExhausted, UnverifiedHolds),
}
_RELEASE = "SELECT app.release_hold(%(token)s)"
_LOCK_CALENDAR = text("SELECT 1 FROM app.lock_calendar()")
_SET_TENANT = text("SELECT set_config('app.tenant_id', :tenant, true)")


@dataclass(frozen=True, slots=True)
class Hold:
    """A hold that was made. `overlaps`: the user has another booking at that time."""

    expires_at: datetime
    overlaps: bool


async def hold_seat(
    db: Database,
    token: HoldToken,
    *,
    user_id: UUID | None,
    service_id: UUID,
    starts_at: datetime,
    party: int,
    address: bytes,
) -> Hold:
    """Keep seats for ten minutes, for a user or a visitor. The same token again returns the same hold.

    Raises NotFound, SlotGone, SlotTaken, SessionFull, TooSoon, PartyTooLarge, AlreadyBooked, TooManyHolds,
    NetworkHolds, UnverifiedNetworkHolds, HoldsExhausted, UnverifiedHolds.
    """
    for attempt in range(MAX_ATTEMPTS):
        wanted = await find_start(db, token.tenant_id, service_id, starts_at)
        parameters = {
            "id": new_id(), "appointment": new_id(), "user": user_id, "service": service_id, "starts_at": starts_at,
            "ends_at": starts_at + timedelta(minutes=wanted.rules.service.minutes), "party": party,
            "token": token.digest, "address": address, "max_of_visitors": max(wanted.starts_of_day // 2, 1),
            "rules_version": wanted.rules_version, "local_start": wanted.local(starts_at),
        }  # fmt: skip
        ((outcome, held_until, overlaps),) = await db.write(token.tenant_id, _HOLD, parameters, user_id=user_id)
        if outcome == "held":
            return Hold(held_until, overlaps)
        # The first attempt ended expired holds, so the time may be free now.
        if outcome != "stale" or (not wanted.is_offered and attempt > 0):
            break
    if outcome in _LIMITS:
        of_visitor, of_user = _LIMITS[outcome]
        raise of_user() if user_id else of_visitor()
    if outcome == "party_too_large":
        raise PartyTooLarge(f"You can book up to {wanted.rules.terms.party_max} spots at once.")
    raise await rejection(db, token.tenant_id, service_id, starts_at, wanted, outcome)


async def release_hold(db: Database, token: HoldToken, user_id: UUID | None) -> None:
    """Give up a hold. Nothing happens if it is none any more."""
    await db.write(token.tenant_id, _RELEASE, {"token": token.digest}, user_id=user_id)


async def create_booking(
    db: Database,
    risk: RiskAssessor,
    waivers: Waivers,
    user_id: UUID,
    token: HoldToken,
    payload: BookingPayload,
    *,
    key: str,
) -> Booking:
    """Book a hold, or ask the guru for it if they decide. The same request under the same key changes nothing.

    The user and their minors need waivers; others sign with links later. Raises HoldExpired, PolicyChanged,
    WaiverRequired, WaiverExpired, AlreadyBooked, TooManyHolds, BookingChanged if the guru keeps changing the rules,
    RequestReused for another request under the key, and ValidationFailed without the address of a session at the
    person's place, with more names than spots, or if someone is not named.
    """
    for _ in range(MAX_ATTEMPTS):
        hold = await find_hold(db, token, user_id)
        check_participants(hold, payload.participants)
        address = needed_address(hold, payload.address)
        zone = payload.known_zone if hold and not hold.is_booked else ""  # a resend keeps both as they are
        level, covered = await _find_coverage(db, risk, waivers, user_id, hold, payload)
        parameters = {
            "token": token.digest, "policy": payload.policy_digest, "rules_version": hold.rules_version if hold else -1,
            "needs_waiver": bool(covered.waivers or covered.missing),
            "waiver": covered.waiver.id if covered.waiver and not covered.missing else None,
            "level": level, "people": covered.json, "name": payload.name, "participants": payload.participants,
            "note": payload.note, "key": key,
            "digest": content_digest(payload.model_dump_json()),
        }  # fmt: skip
        outcome, booking = await _book(db, token.tenant_id, user_id, parameters, address, zone)
        if outcome == "booked":
            return booking
        if outcome != "stale":  # the guru changed the rules meanwhile
            break
    if outcome == "stale":  # the hold is still the user's
        raise BookingChanged
    raise (covered.missing or WaiverRequired()) if outcome == "waiver_required" else OUTCOMES[outcome]()


def check_participants(hold: FoundHold | None, names: Sequence[str]) -> None:
    """Raise ValidationFailed for more names than the hold has spots. The names may have the user's, or not."""
    if hold is None or hold.is_booked or len(names) <= hold.booking.party:
        return
    spots = hold.booking.party
    message = f"You chose {spots} spots. Enter up to {spots} names." if spots > 1 else ONE_SPOT
    raise ValidationFailed(fields={"participants": message})


def needed_address(hold: FoundHold | None, given: str) -> str:
    """Return the address to keep with a booking: "" unless the session is at the person's place.

    Raises ValidationFailed if it is missing.
    """
    if hold is None or hold.is_booked or hold.booking.place != "person":
        return ""
    if not given:
        raise ValidationFailed(fields={"address": NO_ADDRESS})
    return given


async def _book(
    db: Database, tenant_id: UUID, user_id: UUID, parameters: dict[str, Any], address: str, zone: str
) -> tuple[str, Booking]:
    """Book a hold, and keep the address and the user's zone with it. Return the outcome and the booking."""
    if not address and not zone:
        ((outcome, *values),) = await db.write(tenant_id, _BOOK, parameters, user_id=user_id)
        return outcome, booking_of(values)
    async with unit_of_work(db, tenant_id=tenant_id, user_id=user_id) as session:
        found = await (await session.connection()).exec_driver_sql(_BOOK, parameters)
        outcome, *values = found.one()
        booking = booking_of(values)
        if outcome == "booked":
            await store_address_and_zone(session, user_id, [booking.id], address, zone)
            booking.person_address = address
    return outcome, booking


async def store_address_and_zone(
    session: AsyncSession, user_id: UUID, booking_ids: Sequence[UUID], address: str, zone: str
) -> None:
    """Store with new bookings of a user the address where to meet, and the zone in which they saw the times."""
    await session.execute(
        update(Booking)
        .where(Booking.person_id == user_id, Booking.id.in_(booking_ids))
        .values(person_address=address, person_zone=zone)
        .execution_options(synchronize_session=False)
    )


async def _find_coverage(
    db: Database,
    risk: RiskAssessor,
    waivers: Waivers,
    user_id: UUID,
    hold: FoundHold | None,
    payload: BookingPayload,
) -> tuple[str, Coverage]:
    """Return the level of the waiver that a hold needs, "" for none, and how those who take part are covered."""
    if hold is None or hold.booking.status != "held":
        return "", NO_COVERAGE
    need = await rate_need(risk, hold.waiver_rules, hold.booking.service_name)
    if not need.required:
        return "", NO_COVERAGE
    people = people_of(payload, hold.booking.party)
    async with unit_of_work(db, user_id=user_id) as session:
        return need.level, await coverage(session, waivers, user_id, hold.booking, need, people)


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
        late_since=booking.late_since,
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
