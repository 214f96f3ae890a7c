"""The rest of a series: its sessions, where they would move, and whether they fit there."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

from sqlalchemy import ARRAY, Uuid, bindparam, select, text
from sqlalchemy.ext.asyncio import AsyncSession

from porchlight.features.bookings.errors import BookingChanged
from porchlight.features.bookings.following.rest import digest_of, owed_for
from porchlight.features.bookings.following.schemas import Fit, FollowingData, FollowingSessionData
from porchlight.features.bookings.models import Booking
from porchlight.features.bookings.payments.models import Payment
from porchlight.features.bookings.payments.queries import charge_now, refund_now
from porchlight.features.bookings.series.schemas import MAX_SESSIONS
from sites.hours.queries import CheckedStart, ServiceRules, check_starts
from sites.hours.session_schedule import NotOffered
from tenants.db.pool import Database
from tenants.kit import clock
from tenants.kit.errors import NotFound
from tenants.kit.zones import local_time, to_instant

OPEN = ("requested", "confirmed")
NO_PAYMENTS: Mapping[UUID, Payment] = MappingProxyType({})
_FITS: dict[NotOffered, Fit] = {
    NotOffered.BUSY: "taken",
    NotOffered.BUSY_ELSEWHERE: "taken",
    NotOffered.DAY_MAX: "taken",
    NotOffered.FULL: "full",
    NotOffered.TOO_SOON: "too_soon",
    NotOffered.BEYOND_HORIZON: "not_open_yet",
}
# Sessions that end when their booking leaves them, so that their time is free for the others.
_ALONE = text(
    "SELECT a.id FROM appointments a JOIN bookings b ON b.tenant_id = a.tenant_id AND b.appointment_id = a.id"
    " WHERE b.tenant_id = :tenant AND b.id = ANY (:ids) AND a.taken = b.party AND NOT a.fixed AND a.waiting = 0"
).bindparams(bindparam("ids", type_=ARRAY(Uuid)))


@dataclass(frozen=True, slots=True)
class PlannedMove:
    """A booking of the rest, and its new start. `fit` tells whether it can move there."""

    booking: Booking
    new_start: datetime
    fit: Fit


def shifted(starts: Sequence[datetime], first: datetime, new_first: datetime, zone: ZoneInfo) -> list[datetime]:
    """Return starts that move by as many local days as the first one, to its new time of day."""
    old, new = local_time(first, zone.key), local_time(new_first, zone.key)
    days = new.date() - old.date()
    return [
        to_instant(datetime.combine(local_time(start, zone.key).date() + days, new.time()), zone) for start in starts
    ]


def fit_of(checked: CheckedStart, party: int, capacity: int) -> Fit:
    """Return whether a party fits into a start of a service. For one person at a time, a full session is taken."""
    fit = _FITS.get(checked.reason, "not_offered") if checked.reason else "free"
    if fit == "free" and checked.seats < party:
        fit = "full"
    return "taken" if fit == "full" and capacity == 1 else fit


async def following_of(session: AsyncSession, first: Booking) -> list[Booking]:
    """Return the open bookings of a series from one on, as the database has them now; that one is the first.

    Raises NotFound for a booking without a series, and BookingChanged for one that is not open, also if it was closed
    after `first` was read.
    """
    if first.series_id is None:
        raise NotFound
    now = clock.now()
    if first.status not in OPEN or first.starts_at <= now:
        raise BookingChanged
    query = (
        select(Booking)
        .where(
            Booking.tenant_id == first.tenant_id,
            Booking.person_id == first.person_id,
            Booking.series_id == first.series_id,
            Booking.status.in_(OPEN),
            Booking.starts_at >= first.starts_at,
        )
        .order_by(Booking.starts_at, Booking.id)
        .limit(MAX_SESSIONS)
    )
    found = list((await session.scalars(query.execution_options(populate_existing=True))).all())
    if first.id not in [one.id for one in found]:
        raise BookingChanged
    return found


async def alone_sessions(session: AsyncSession, bookings: Sequence[Booking]) -> list[UUID]:
    """Return the sessions that end when these bookings leave them."""
    ids = [one.id for one in bookings]
    found = await session.scalars(_ALONE, {"tenant": bookings[0].tenant_id, "ids": ids})
    return list(found.all())


async def planned_moves(
    db: Database,
    bookings: Sequence[Booking],
    starts: Sequence[datetime],
    *,
    without: Sequence[UUID],
    has_notice: bool,
    can_move: Callable[[Booking, datetime], bool],
) -> tuple[ServiceRules | None, list[PlannedMove]]:
    """Return the service's rules, None once it is closed, and where each booking would move.

    `starts` are the new ones, in order; `without` are the sessions that end with the move. `can_move` tells whether a
    booking can move at all.
    """
    first = bookings[0]
    try:
        rules, checked = await check_starts(
            db, first.tenant_id, first.service_id, starts, without=without, has_notice=has_notice
        )
    except NotFound:
        return None, [PlannedMove(one, start, "not_offered") for one, start in zip(bookings, starts, strict=True)]
    return rules, [
        PlannedMove(
            one,
            found.starts_at,
            fit_of(found, one.party, rules.service.capacity) if can_move(one, found.starts_at) else "fixed",
        )
        for one, found in zip(bookings, checked, strict=True)
    ]


def following_data(
    bookings: Sequence[Booking], moves: Sequence[PlannedMove] = (), payments: Mapping[UUID, Payment] = NO_PAYMENTS
) -> FollowingData:
    """Return the rest of a series in the form of the API, for its person with their payments."""
    now = clock.now()
    planned: dict[UUID, dict[str, Any]] = {
        move.booking.id: {"new_start": clock.to_iso8601(move.new_start), "fit": move.fit} for move in moves
    }
    return FollowingData(
        sessions=[
            FollowingSessionData(
                id=str(one.id),
                status=one.status,
                starts_at=clock.to_iso8601(one.starts_at),
                ends_at=clock.to_iso8601(one.ends_at),
                owed_cents=owed_for(one, now),
                **_card_cents(one, payments.get(one.id), now),
                **planned.get(one.id, {"new_start": None, "fit": None}),
            )
            for one in bookings
        ],
        owed_cents=sum(owed_for(one, now) for one in bookings),
        currency=bookings[0].currency,
        zone=bookings[0].zone,
        digest=digest_of(bookings, now),
    )


def _card_cents(booking: Booking, payment: Payment | None, now: datetime) -> dict[str, int | None]:
    """Return what comes back to the person's card if they cancel now, what stays and what is owed beyond it.

    Of a kept card, return what it is charged.
    """
    is_kept = payment is not None and payment.mode == "hold"
    if payment is None or is_kept:
        charge = charge_now(booking, payment, now) if payment is not None else None
        return {"refund_cents": None, "stays_cents": None, "rest_cents": None, "charge_cents": charge}
    refund = refund_now(booking, payment, now)
    stays = payment.snapshot.kept_cents - refund
    # What the guru gave back before is not owed again.
    rest = max(owed_for(booking, now) - payment.amount_cents, 0)
    return {"refund_cents": refund, "stays_cents": stays, "rest_cents": rest, "charge_cents": None}


async def open_proposals(session: AsyncSession, booking: Booking) -> list[Booking]:
    """Return the bookings of a booking's series for which a proposal of the guru is open, the earliest first."""
    query = (
        select(Booking)
        .where(
            Booking.tenant_id == booking.tenant_id,
            Booking.person_id == booking.person_id,
            Booking.series_id == booking.series_id,
            Booking.proposed_until > clock.now(),
        )
        .order_by(Booking.starts_at, Booking.id)
        .limit(MAX_SESSIONS)
    )
    return list((await session.scalars(query.execution_options(populate_existing=True))).all())
