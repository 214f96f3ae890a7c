"""Cancel the rest of a series, for both sides, and propose other times for it, for the guru."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID
from zoneinfo import ZoneInfo

from sqlalchemy import func, or_, update
from sqlalchemy.ext.asyncio import AsyncSession

from porchlight.console_context import ConsoleContext
from porchlight.features.bookings.actions import cancel_for_user, lock_calendar, own_booking
from porchlight.features.bookings.errors import BookingChanged, ProposalTooLate, SeriesPartlyGone, TermsChanged
from porchlight.features.bookings.following.moves import REASONS, proposed_starts
from porchlight.features.bookings.following.plan import (
    PlannedMove,
    alone_sessions,
    digest_of,
    following_data,
    following_of,
    owed_for,
    planned_moves,
    shifted,
)
from porchlight.features.bookings.following.schemas import FollowingData
from porchlight.features.bookings.guru.actions import end_for_guru
from porchlight.features.bookings.guru.queries import find_booking
from porchlight.features.bookings.models import Booking
from porchlight.features.bookings.moves.answer_time import answer_until, can_propose
from tenants.kit import clock
from tenants.kit.errors import NotFound


async def cancel_following(
    session: AsyncSession, user_id: UUID, booking_id: UUID, *, terms_digest: str, reason: str
) -> None:
    """Cancel a user's booking and those of its series after it. Each costs what its own terms say.

    Raises NotFound, BookingChanged, and TermsChanged if the user saw other sessions or terms than those of now.
    """
    await own_booking(session, user_id, booking_id)
    await lock_calendar(session)
    bookings = await following_of(session, await own_booking(session, user_id, booking_id))
    if digest_of(bookings) != terms_digest:
        raise TermsChanged
    for booking in bookings:
        await cancel_for_user(session, booking, reason=reason, owed_cents=owed_for(booking))


async def decline_proposals(
    session: AsyncSession, user_id: UUID, booking_id: UUID, *, starts_at: datetime, reason: str
) -> None:
    """Cancel all bookings of a user's series for free for which the guru's proposals of other times are open.

    Raises NotFound, ProposalEnded.
    """
    await own_booking(session, user_id, booking_id)
    await lock_calendar(session)
    booking = await own_booking(session, user_id, booking_id)
    for one, _ in await proposed_starts(session, booking, starts_at):
        await cancel_for_user(session, one, reason=reason, owed_cents=0)


async def cancel_following_for_guru(session: AsyncSession, tenant_id: UUID, booking_id: UUID, *, reason: str) -> None:
    """Cancel a booking of the guru and those of its series after it; requests are declined. Nothing is owed.

    Raises NotFound, BookingChanged.
    """
    await find_booking(session, tenant_id, booking_id)
    await lock_calendar(session)
    bookings = await following_of(session, await find_booking(session, tenant_id, booking_id))
    await end_for_guru(session, tenant_id, [one.id for one in bookings], reason=reason)


async def guru_following(console: ConsoleContext, booking_id: UUID, starts_at: datetime | None) -> FollowingData:
    """Return the rest of a series from a booking on; with a new start for it, where the others would move.

    Raises NotFound, BookingChanged.
    """
    async with console.unit_of_work(acting=True) as session:
        first = await find_booking(session, console.tenant_id, booking_id)
        bookings = await following_of(session, first)
        if starts_at is None:
            return following_data(bookings)
        alone = await alone_sessions(session, bookings)
    moves = await _planned(console, bookings, first, starts_at, alone)
    return following_data(bookings, moves)


async def propose_following(
    console: ConsoleContext, booking_id: UUID, *, starts_at: datetime, chosen_ids: Sequence[str], reason: str
) -> None:
    """Propose to the person to move the chosen bookings of the rest of a series, in one email.

    Raises NotFound, BookingChanged, and SeriesPartlyGone with the reason for each new start that is not possible.
    """
    async with console.unit_of_work(acting=True) as session:
        first = await find_booking(session, console.tenant_id, booking_id)
        bookings = await following_of(session, first)
        if not {str(one.id) for one in bookings} >= set(chosen_ids):
            raise NotFound
        alone = await alone_sessions(session, bookings)
    planned = await _planned(console, bookings, first, starts_at, alone)
    moves = [move for move in planned if str(move.booking.id) in chosen_ids]
    if gone := {clock.to_iso8601(move.new_start): REASONS[move.fit] for move in moves if move.fit != "free"}:
        raise SeriesPartlyGone(fields=gone)
    async with console.unit_of_work(acting=True) as session:
        await lock_calendar(session)
        for move in moves:
            await _propose(session, move, reason)


async def _planned(
    console: ConsoleContext, bookings: Sequence[Booking], first: Booking, starts_at: datetime, alone: Sequence[UUID]
) -> list[PlannedMove]:
    starts = shifted([one.starts_at for one in bookings], first.starts_at, starts_at, ZoneInfo(first.zone))
    _, moves = await planned_moves(
        console.app_context.db, bookings, starts, without=alone, has_notice=False, can_move=_can_propose
    )
    return moves


def _can_propose(booking: Booking, new_start: datetime) -> bool:
    """Return whether the guru can propose a start for a booking now, so that the person has time to answer."""
    if not can_propose(booking) or booking.starts_at == new_start:
        return False
    try:
        answer_until(booking, new_start)
    except ProposalTooLate:
        return False
    return True


async def _propose(session: AsyncSession, move: PlannedMove, reason: str) -> None:
    """Propose a start for a booking that has not changed. Raises BookingChanged if it has. The calendar is locked."""
    booking = move.booking
    changed = await session.scalar(
        update(Booking)
        .where(
            Booking.tenant_id == booking.tenant_id,
            Booking.id == booking.id,
            Booking.status == "confirmed",
            Booking.starts_at == booking.starts_at,
            Booking.proposals == booking.proposals,
            or_(Booking.proposed_until.is_(None), Booking.proposed_until <= func.app.now()),
        )
        .values(
            proposed_start=move.new_start,
            proposed_until=answer_until(booking, move.new_start),
            proposed_reason=reason,
            proposals=Booking.proposals + 1,
        )
        .returning(Booking.id)
        .execution_options(synchronize_session=False)
    )
    if changed is None:
        raise BookingChanged
