"""Another time that the guru proposes for a booking, and the person's answer.

The booking keeps its time until the person accepts. The proposed time is not held: it is checked again at that moment,
so that a proposal never blocks the calendar, and a time that overlaps the present one can be proposed too.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, func, or_, update
from sqlalchemy.ext.asyncio import AsyncSession

from porchlight.console_context import ConsoleContext
from porchlight.contracts import RiskAssessor
from porchlight.features.bookings.actions import cancel_for_user, lock_calendar, own_booking
from porchlight.features.bookings.errors import (
    AlreadyBooked,
    BookingChanged,
    ProposalEnded,
    ProposalsUsed,
    SameTime,
    SessionFull,
    SlotGone,
    SlotTaken,
)
from porchlight.features.bookings.guru.queries import find_booking
from porchlight.features.bookings.models import Booking
from porchlight.features.bookings.moves.actions import Move, find_new_start, is_alone, make_move
from porchlight.features.bookings.moves.answer_time import MAX_PROPOSALS, answer_until, is_open
from porchlight.features.bookings.starts import rejection
from tenants.db.pool import Database
from tenants.db.unit_of_work import unit_of_work

_NO_PROPOSAL: dict[str, Any] = {"proposed_start": None, "proposed_until": None, "proposed_reason": ""}


async def propose_move(console: ConsoleContext, booking_id: UUID, *, starts_at: datetime, reason: str) -> None:
    """Propose another start to the person of a confirmed booking, in an email.

    Raises NotFound, BookingChanged (also while a proposal is open), ProposalsUsed, ProposalTooLate, SameTime, and the
    errors of starts: SlotGone, SlotTaken, SessionFull.
    """
    context = console.app_context
    async with console.unit_of_work(acting=True) as session:
        booking = await find_booking(session, console.tenant_id, booking_id)
        if booking.status != "confirmed" or is_open(booking) or booking.customer_token is not None:
            raise BookingChanged
        if booking.proposals >= MAX_PROPOSALS:
            raise ProposalsUsed
        if booking.starts_at == starts_at:
            raise SameTime
        answer_until(booking, starts_at)
        alone = await is_alone(session, booking)
    wanted = await find_new_start(context.db, booking, starts_at, is_alone=alone, has_notice=False)
    if wanted.seats < booking.party:
        outcome = "session_full" if wanted.is_offered else "stale"
        raise await rejection(context.db, booking.tenant_id, booking.service_id, starts_at, wanted, outcome)
    async with console.unit_of_work(acting=True) as session:
        await lock_calendar(session)
        await _change(
            session,
            booking,
            Booking.status == "confirmed",
            Booking.starts_at == booking.starts_at,
            Booking.proposals == booking.proposals,
            or_(Booking.proposed_until.is_(None), Booking.proposed_until <= func.app.now()),
            proposed_start=starts_at,
            proposed_until=answer_until(booking, starts_at),
            proposed_reason=reason,
            proposals=Booking.proposals + 1,
        )


async def withdraw_proposal(console: ConsoleContext, booking_id: UUID, *, whole_series: bool) -> None:
    """Withdraw the open proposal for a booking, or those for its whole series.

    Raises NotFound, and BookingChanged without one.
    """
    async with console.unit_of_work(acting=True) as session:
        booking = await find_booking(session, console.tenant_id, booking_id)
        await lock_calendar(session)
        is_open = Booking.proposed_until > func.app.now()
        await _change(session, booking, is_open, **_NO_PROPOSAL)
        if whole_series and booking.series_id is not None:
            await session.execute(
                update(Booking)
                .where(Booking.tenant_id == booking.tenant_id, Booking.series_id == booking.series_id, is_open)
                .where(Booking.person_id == booking.person_id)
                .values(_NO_PROPOSAL)
                .execution_options(synchronize_session=False)
            )


async def accept_proposal(
    db: Database, risk: RiskAssessor, user_id: UUID, booking_id: UUID, *, starts_at: datetime
) -> None:
    """Move a user's booking to the start that the guru proposed. It is not one of the moves that the terms allow.

    Raises NotFound, and ProposalEnded once the proposal is not open any more; also if the time has been taken, which
    ends it.
    """
    move = Move(booking_id, starts_at, lambda booking: _check_open(booking, starts_at), is_counted=False)
    try:
        await make_move(db, risk, user_id, move)
    except (SlotGone, SlotTaken, SessionFull, AlreadyBooked):
        async with unit_of_work(db, user_id=user_id) as session:
            await own_booking(session, user_id, booking_id)
            await lock_calendar(session)
            booking = await own_booking(session, user_id, booking_id)
            _check_open(booking, starts_at)
            await _change(session, booking, **_NO_PROPOSAL)
        raise ProposalEnded("That time was just taken, so your session stays as it is. We've told your guru.") from None


async def decline_proposal(
    session: AsyncSession, user_id: UUID, booking_id: UUID, *, starts_at: datetime, reason: str
) -> None:
    """Cancel a user's booking for free, because the guru proposed another time. Raises NotFound, ProposalEnded."""
    await own_booking(session, user_id, booking_id)
    await lock_calendar(session)
    booking = await own_booking(session, user_id, booking_id)
    _check_open(booking, starts_at)
    await cancel_for_user(session, booking, reason=reason, owed_cents=0)


def _check_open(booking: Booking, starts_at: datetime) -> None:
    if not is_open(booking) or booking.proposed_start != starts_at:
        raise ProposalEnded


async def _change(session: AsyncSession, booking: Booking, *conditions: ColumnElement[bool], **values: Any) -> None:
    """Change a booking that meets the conditions. Raises BookingChanged if it does not. The calendar is locked."""
    changed = await session.scalar(
        update(Booking)
        .where(Booking.tenant_id == booking.tenant_id, Booking.id == booking.id, *conditions)
        .values(values)
        .returning(Booking.id)
        .execution_options(synchronize_session=False)
    )
    if changed is None:
        raise BookingChanged
