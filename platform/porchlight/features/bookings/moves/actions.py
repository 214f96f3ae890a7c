"""Move a booking to another start of its service. The new seats come first, in the same transaction."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy import text, update
from sqlalchemy.ext.asyncio import AsyncSession

from porchlight.contracts import RiskAssessor
from porchlight.features.bookings.actions import lock_calendar, own_booking, terms_of
from porchlight.features.bookings.errors import (
    BookingChanged,
    MovesUsed,
    MoveTooLate,
    SlotGone,
    TermsChanged,
)
from porchlight.features.bookings.models import Booking
from porchlight.features.bookings.participants.people import ADD_PARTICIPANTS, people_before
from porchlight.features.bookings.starts import MAX_ATTEMPTS, WantedStart, find_start, rejection
from porchlight.features.bookings.waivers import waiver_need
from tenants.db.pool import Database
from tenants.db.unit_of_work import unit_of_work
from tenants.kit import clock
from tenants.kit.errors import NotFound
from tenants.kit.ids import new_id

_MOVE = text("SELECT app.move_booking(:booking, :appointment, :starts_at, :rules_version, :is_counted, :local_start)")
_IS_ALONE = text(
    "SELECT taken = :party AND NOT fixed AND waiting = 0 FROM appointments"
    " WHERE tenant_id = :tenant AND id = :appointment"
)
_TIMES = {1: "once", 2: "twice"}


async def move_booking(
    db: Database,
    risk: RiskAssessor,
    user_id: UUID,
    booking_id: UUID,
    *,
    starts_at: datetime,
    terms_digest: str,
) -> None:
    """Move a user's booking; it keeps its price and its terms. A booking that has the start already stays as it is.

    Raises NotFound, BookingChanged, TermsChanged, MovesUsed, MoveTooLate, and the errors of starts: SlotGone,
    SlotTaken, SessionFull, TooSoon, AlreadyBooked.
    """
    wanted = Move(booking_id, starts_at, lambda booking: _check_terms(booking, terms_digest), then=keep_fee)
    await make_move(db, risk, user_id, wanted)


@dataclass(frozen=True, slots=True)
class Move:
    """A move that a user makes. `check` raises the reason why it is not possible now.

    A move that the guru proposed is not counted (`is_counted`) as one that the terms allow, and needs no notice. `then`
    runs after the move, in its transaction, and gets the booking as it was before.
    """

    booking_id: UUID
    starts_at: datetime
    check: Callable[[Booking], None]
    is_counted: bool = True
    then: Callable[[AsyncSession, Booking], Awaitable[None]] | None = None


async def make_move(db: Database, risk: RiskAssessor, user_id: UUID, move: Move) -> None:
    """Move a user's booking. One that has the start already stays as it is.

    If a waiver expires before the new start, or the risk has risen, a new one is due by then.

    Raises NotFound, BookingChanged, the errors of `move.check` and of starts.
    """
    for attempt in range(MAX_ATTEMPTS):
        async with unit_of_work(db, user_id=user_id) as session:
            booking = await own_booking(session, user_id, move.booking_id)
            if _is_moved(booking, move.starts_at):
                return
            move.check(booking)
            alone = await is_alone(session, booking)
        wanted = await find_new_start(db, booking, move.starts_at, is_alone=alone, has_notice=move.is_counted)
        async with unit_of_work(db, user_id=user_id) as session:
            await own_booking(session, user_id, move.booking_id)
            await lock_calendar(session)
            booking = await own_booking(session, user_id, move.booking_id)
            if _is_moved(booking, move.starts_at):
                return
            move.check(booking)
            outcome = await session.scalar(_MOVE, {
                "booking": move.booking_id, "appointment": new_id(), "starts_at": move.starts_at,
                "rules_version": wanted.rules_version, "is_counted": move.is_counted,
                "local_start": wanted.local(move.starts_at),
            })  # fmt: skip
            if outcome == "moved":
                if move.then is not None:
                    await move.then(session, booking)
                await renew_waivers(session, risk, booking)
                return
        # The first attempt ended expired holds, so the time may be free now.
        if outcome != "stale" or (not wanted.is_offered and attempt > 0):
            break
    raise await rejection(db, booking.tenant_id, booking.service_id, move.starts_at, wanted, outcome)


def _is_moved(booking: Booking, starts_at: datetime) -> bool:
    return booking.status == "confirmed" and booking.starts_at == starts_at


def _check_terms(booking: Booking, terms_digest: str) -> None:
    """Raise the reason why the user may not move the booking now."""
    if booking.status != "confirmed" or booking.starts_at <= clock.now():
        raise BookingChanged
    terms = terms_of(booking)
    if terms.digest != terms_digest:
        raise TermsChanged
    if terms.moves_left == 0:
        if booking.moves == 0:
            raise MovesUsed
        raise MovesUsed(f"This session was moved {_TIMES.get(booking.moves, f'{booking.moves} times')} already.")
    if terms.move_until is None:
        raise MoveTooLate


async def is_alone(session: AsyncSession, booking: Booking) -> bool:
    """Return whether the session ends when the booking leaves it, so that its time is free for the booking."""
    parameters = {"party": booking.party, "tenant": booking.tenant_id, "appointment": booking.appointment_id}
    return bool(await session.scalar(_IS_ALONE, parameters))


async def find_new_start(
    db: Database, booking: Booking, starts_at: datetime, *, is_alone: bool, has_notice: bool
) -> WantedStart:
    """Return whether a booking's service offers another start. Raises SlotGone for a closed service, and TooSoon."""
    without = booking.appointment_id if is_alone else None
    try:
        return await find_start(
            db, booking.tenant_id, booking.service_id, starts_at, without=without, has_notice=has_notice
        )
    except NotFound:  # the service is closed
        raise SlotGone from None


async def keep_fee(session: AsyncSession, booking: Booking) -> None:
    """Let a late cancellation cost the same after a move as before it. `booking` is as it was before the move."""
    if booking.late_since is not None or terms_of(booking).owed_cents == 0:
        return
    await session.execute(
        update(Booking)
        .where(Booking.tenant_id == booking.tenant_id, Booking.id == booking.id)
        .values(late_since=clock.now())
        .execution_options(synchronize_session=False)
    )


async def renew_waivers(session: AsyncSession, risk: RiskAssessor, booking: Booking) -> None:
    """Give the participants of a moved booking their waivers for the current level; a missing one is due."""
    need = await waiver_need(session, risk, booking)
    if need.required:
        people = people_before(booking)
        await session.execute(ADD_PARTICIPANTS, {"ids": [booking.id], "level": need.level, "people": people})
