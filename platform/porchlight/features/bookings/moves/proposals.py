"""Another time that the guru proposes for a booking, and the person's answer.

The booking keeps its time until the person accepts, and a request is not booked before. The proposed time is not held:
it is checked again at that moment, so that a proposal never blocks the calendar, and a time that overlaps the present
one can be proposed too.
"""

from __future__ import annotations

from datetime import date, datetime
from uuid import UUID

from porchlight.console_context import ConsoleContext
from porchlight.contracts import RiskAssessor
from porchlight.features.bookings import commands, store
from porchlight.features.bookings.actions import run_for_user
from porchlight.features.bookings.errors import (
    AlreadyBooked,
    BookingChanged,
    ProposalEnded,
    ProposalsUsed,
    ProposalTooLate,
    SameTime,
    SessionFull,
    SlotGone,
    SlotTaken,
    require,
)
from porchlight.features.bookings.guru.queries import WEEK_DAYS, find_booking
from porchlight.features.bookings.moves.actions import find_new_start, is_alone, make_move
from porchlight.features.bookings.moves.answer_time import MAX_PROPOSALS, answer_until, can_propose, is_proposable
from porchlight.features.bookings.refusals import RefusalReason
from porchlight.features.bookings.starts import rejection
from porchlight.features.bookings.states import Actor
from porchlight.features.bookings.store import FactsQuery
from sites.hours.queries import starts_of_move
from tenants.db.pool import Database
from tenants.kit import clock
from tenants.kit.errors import NotFound


async def propose_move(console: ConsoleContext, booking_id: UUID, *, starts_at: datetime, reason: str) -> None:
    """Propose another start to the person of a confirmed booking or of a request, in an email.

    Raises NotFound, BookingChanged (also while a proposal is open), ProposalsUsed, ProposalTooLate, SameTime, and the
    errors of starts: SlotGone, SlotTaken, SessionFull.
    """
    context, now = console.app_context, clock.now()
    async with console.unit_of_work(acting=True) as session:
        booking = await find_booking(session, console.tenant_id, booking_id)
        if not is_proposable(booking, now) or booking.customer_token is not None:
            raise BookingChanged
        if booking.proposals >= MAX_PROPOSALS:
            raise ProposalsUsed
        if booking.starts_at == starts_at:
            raise SameTime
        if answer_until(booking, starts_at, now) is None:
            raise ProposalTooLate
        alone = await is_alone(session, booking)
    wanted = await find_new_start(context.db, booking, starts_at, is_alone=alone, has_notice=False)
    if wanted.seats < booking.party:
        refusal = RefusalReason.SESSION_FULL if wanted.is_offered else RefusalReason.STALE
        raise await rejection(context.db, booking.tenant_id, booking.service_id, starts_at, wanted, refusal)
    command = commands.Propose(starts=[(booking, starts_at)], reason=reason)
    async with console.unit_of_work(acting=True) as session:
        require((await store.run_in(session, FactsQuery(ids=[booking_id]), command)).refusal)


async def proposable_starts(console: ConsoleContext, booking_id: UUID, first_day: date) -> list[datetime]:
    """Return the starts of seven local days that the guru can propose for a booking now. Raises NotFound.

    None for a booking that the guru can't ask to move, and for a service that is closed.
    """
    now = clock.now()
    async with console.unit_of_work(acting=True) as session:
        booking = await find_booking(session, console.tenant_id, booking_id)
        if not can_propose(booking, now):
            return []
        without = [booking.appointment_id] if await is_alone(session, booking) else []
    try:
        found = await starts_of_move(
            console.app_context.db, console.tenant_id, booking.service_id, first_day, WEEK_DAYS, without=without
        )
    except NotFound:
        return []
    return [
        one.starts_at
        for one in found
        if one.seats >= booking.party
        and one.starts_at != booking.starts_at
        and answer_until(booking, one.starts_at, now) is not None
    ]


async def withdraw_proposal(console: ConsoleContext, booking_id: UUID, *, whole_series: bool) -> None:
    """Withdraw the open proposal for a booking, or those for its whole series.

    Raises NotFound, and BookingChanged without one.
    """
    command = commands.EndProposal(id=booking_id, whole_series=whole_series)
    async with console.unit_of_work(acting=True) as session:
        await find_booking(session, console.tenant_id, booking_id)
        needs = FactsQuery(ids=[booking_id], series=whole_series)
        require((await store.run_in(session, needs, command)).refusal)


async def accept_proposal(
    db: Database, risk: RiskAssessor, user_id: UUID, booking_id: UUID, *, starts_at: datetime
) -> None:
    """Move a user's booking to the start that the guru proposed. It is not one of the moves that the terms allow.

    A request is booked by that: the guru proposed the time, so they have accepted it.

    Raises NotFound, and ProposalEnded once the proposal is not open any more; also if the time has been taken, which
    ends it.
    """
    try:
        await make_move(db, risk, user_id, booking_id, starts_at, terms_digest=None)
    except (SlotGone, SlotTaken, SessionFull, AlreadyBooked):
        await run_for_user(db, user_id, booking_id, commands.EndProposal(id=booking_id, lapsed_start=starts_at))
        raise ProposalEnded("That time was just taken, so nothing has changed. We've told your guru.") from None


async def decline_proposal(
    db: Database, user_id: UUID, booking_id: UUID, *, starts_at: datetime, reason: str, whole_series: bool = False
) -> None:
    """Cancel a user's booking for free, because the guru proposed another time. Raises NotFound, ProposalEnded.

    With `whole_series`, all bookings of its series are canceled for which a proposal is open.
    """
    command = commands.Cancel(
        id=booking_id, actor=Actor.PERSON, following=whole_series, reason=reason, proposed_start=starts_at
    )
    await run_for_user(db, user_id, booking_id, command, series=whole_series)
