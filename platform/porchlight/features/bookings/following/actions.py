"""Cancel the rest of a series, for both sides, and propose other times for it, for the guru."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID
from zoneinfo import ZoneInfo

from sqlalchemy.ext.asyncio import AsyncSession

from porchlight.console_context import ConsoleContext
from porchlight.features.bookings import commands, store
from porchlight.features.bookings.actions import own_booking, run_for_user
from porchlight.features.bookings.errors import SeriesPartlyGone, require
from porchlight.features.bookings.following.moves import REASONS
from porchlight.features.bookings.following.plan import (
    PlannedMove,
    alone_sessions,
    following_data,
    following_of,
    planned_moves,
    shifted,
)
from porchlight.features.bookings.following.schemas import FollowingData
from porchlight.features.bookings.guru.queries import find_booking
from porchlight.features.bookings.models import Booking
from porchlight.features.bookings.moves.answer_time import answer_until, can_propose
from porchlight.features.bookings.states import Actor
from porchlight.features.bookings.store import FactsQuery
from tenants.db.pool import Database
from tenants.db.unit_of_work import unit_of_work
from tenants.kit import clock
from tenants.kit.errors import NotFound


async def cancel_following(db: Database, user_id: UUID, booking_id: UUID, *, terms_digest: str, reason: str) -> None:
    """Cancel a user's booking and those of its series after it. Each costs what its own terms say.

    Raises NotFound, BookingChanged, and TermsChanged if the user saw other sessions or terms than those of now.
    """
    async with unit_of_work(db, user_id=user_id) as session:
        await following_of(session, await own_booking(session, user_id, booking_id))
    command = commands.Cancel(
        id=booking_id, actor=Actor.PERSON, following=True, reason=reason, terms_digest=terms_digest
    )
    await run_for_user(db, user_id, booking_id, command, series=True)


async def cancel_following_for_guru(session: AsyncSession, tenant_id: UUID, booking_id: UUID, *, reason: str) -> None:
    """Cancel a booking of the guru and those of its series after it; requests are declined. Nothing is owed.

    Raises NotFound, BookingChanged.
    """
    await following_of(session, await find_booking(session, tenant_id, booking_id))
    command = commands.Cancel(id=booking_id, actor=Actor.GURU, following=True, reason=reason)
    require((await store.run_in(session, FactsQuery(ids=[booking_id], series=True), command)).refusal)


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
    command = commands.Propose(starts=[(move.booking, move.new_start) for move in moves], reason=reason)
    async with console.unit_of_work(acting=True) as session:
        needs = FactsQuery(ids=[move.booking.id for move in moves])
        require((await store.run_in(session, needs, command)).refusal)


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
    now = clock.now()
    if not can_propose(booking, now) or booking.starts_at == new_start:
        return False
    return answer_until(booking, new_start, now) is not None
