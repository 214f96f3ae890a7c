"""Move a booking to another start of its service, as its person chooses or as the guru proposed."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from porchlight.contracts import RiskAssessor
from porchlight.features.bookings import commands, store
from porchlight.features.bookings.actions import own_booking
from porchlight.features.bookings.errors import MovesUsed, ProposalEnded, SlotGone, require
from porchlight.features.bookings.models import Booking
from porchlight.features.bookings.moves.answer_time import is_open
from porchlight.features.bookings.moves.lifecycle import move_refusal
from porchlight.features.bookings.participants.people import ADD_PARTICIPANTS, people_before
from porchlight.features.bookings.refusals import RefusalReason
from porchlight.features.bookings.starts import MAX_ATTEMPTS, WantedStart, find_start, rejection
from porchlight.features.bookings.store import FactsQuery
from porchlight.features.bookings.waivers import waiver_need
from tenants.db.pool import Database
from tenants.db.unit_of_work import unit_of_work
from tenants.kit import clock
from tenants.kit.errors import NotFound

_IS_ALONE = text(
    "SELECT taken = :party AND NOT fixed AND waiting = 0 FROM appointments"
    " WHERE tenant_id = :tenant AND id = :appointment"
)
_TIMES = {1: "once", 2: "twice"}
# The reasons that are not about the new start.
_OF_BOOKING = frozenset(
    {
        RefusalReason.BOOKING_CHANGED,
        RefusalReason.TERMS_CHANGED,
        RefusalReason.MOVES_USED,
        RefusalReason.MOVE_TOO_LATE,
        RefusalReason.PROPOSAL_ENDED,
    }
)


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
    await make_move(db, risk, user_id, booking_id, starts_at, terms_digest=terms_digest)


async def make_move(
    db: Database,
    risk: RiskAssessor,
    user_id: UUID,
    booking_id: UUID,
    starts_at: datetime,
    *,
    terms_digest: str | None,
) -> None:
    """Move a user's booking on the terms that they saw, or without them, to the start that the guru proposed.

    A proposed start needs no notice, and is not one of the moves that the terms allow. If a waiver expires before the
    new start, or the risk has risen, a new one is due by then. Raises the errors of `move_booking`, and ProposalEnded.
    """
    is_counted = terms_digest is not None
    for _ in range(MAX_ATTEMPTS):
        async with unit_of_work(db, user_id=user_id) as session:
            booking = await own_booking(session, user_id, booking_id)
            if _is_moved(booking, starts_at):
                return
            _require_movable(booking, starts_at, terms_digest)
            alone = await is_alone(session, booking)
        wanted = await find_new_start(db, booking, starts_at, is_alone=alone, has_notice=is_counted)
        command = commands.Move(
            first_id=booking_id,
            wanted={booking_id: wanted.seats_at(starts_at)},
            terms_digest=terms_digest or "",
            is_counted=is_counted,
        )
        needs = FactsQuery(ids=[booking_id], service=booking.service_id, starts=[starts_at])
        async with unit_of_work(db, user_id=user_id) as session:
            await own_booking(session, user_id, booking_id)
            facts = await store.read_facts(session, needs)
            booking = await own_booking(session, user_id, booking_id)
            if _is_moved(booking, starts_at):
                return
            decision = await store.apply(session, needs, facts, command)
            if decision.refusal is None:
                await renew_waivers(session, risk, booking)
                return
        # What was due has ended, so the time may be free now.
        if decision.refusal is not RefusalReason.STALE or not (wanted.is_offered or decision.change):
            break
    refusal = decision.refusal or RefusalReason.STALE
    _require_allowed(booking, refusal)
    raise await rejection(db, booking.tenant_id, booking.service_id, starts_at, wanted, refusal)


def _is_moved(booking: Booking, starts_at: datetime) -> bool:
    return booking.status == "confirmed" and booking.starts_at == starts_at


def _require_movable(booking: Booking, starts_at: datetime, terms_digest: str | None) -> None:
    """Raise the reason why the user may not move the booking now."""
    if terms_digest is not None:
        _require_allowed(booking, move_refusal(booking, clock.now(), terms_digest))
    elif not is_open(booking, clock.now()) or booking.proposed_start != starts_at:
        raise ProposalEnded


def _require_allowed(booking: Booking, refusal: RefusalReason | None) -> None:
    """Raise the error of a refusal that is not about the new start."""
    if refusal is RefusalReason.MOVES_USED and booking.moves:
        raise MovesUsed(f"This session was moved {_TIMES.get(booking.moves, f'{booking.moves} times')} already.")
    if refusal in _OF_BOOKING:
        require(refusal)


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


async def renew_waivers(session: AsyncSession, risk: RiskAssessor, booking: Booking) -> None:
    """Give the participants of a moved booking their waivers for the current level; a missing one is due."""
    need = await waiver_need(session, risk, booking)
    if need.required:
        people = people_before(booking)
        await session.execute(ADD_PARTICIPANTS, {"ids": [booking.id], "level": need.level, "people": people})
