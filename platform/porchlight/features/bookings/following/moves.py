"""Move several bookings of a series at once, all or none, under one lock of the calendar."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime
from uuid import UUID
from zoneinfo import ZoneInfo

from sqlalchemy.ext.asyncio import AsyncSession

from porchlight.contracts import RiskAssessor
from porchlight.features.bookings import commands, store
from porchlight.features.bookings.actions import own_booking
from porchlight.features.bookings.errors import (
    ERRORS,
    MovesUsed,
    ProposalEnded,
    SeriesPartlyGone,
    SlotGone,
    TermsChanged,
    require,
)
from porchlight.features.bookings.following.plan import (
    PlannedMove,
    alone_sessions,
    following_data,
    following_of,
    open_proposals,
    planned_moves,
    shifted,
)
from porchlight.features.bookings.following.rest import digest_of
from porchlight.features.bookings.following.schemas import Fit, FollowingData
from porchlight.features.bookings.lifecycle import Decision
from porchlight.features.bookings.models import Booking
from porchlight.features.bookings.moves.actions import renew_waivers
from porchlight.features.bookings.moves.lifecycle import can_move
from porchlight.features.bookings.payments.queries import payments_of
from porchlight.features.bookings.refusals import RefusalReason
from porchlight.features.bookings.starts import MAX_ATTEMPTS, wanted_seats
from porchlight.features.bookings.store import FactsQuery
from tenants.db.pool import Database
from tenants.db.unit_of_work import unit_of_work
from tenants.kit import clock
from tenants.kit.errors import NotFound

REASONS: dict[Fit, str] = {
    "taken": "That time is taken.",
    "full": "That session is full.",
    "too_soon": "That's too soon.",
    "not_open_yet": "That day isn't open for booking yet.",
    "not_offered": "That time isn't offered.",
    "fixed": "This session can't be moved.",
}
Chosen = list[tuple[Booking, datetime]]
Choose = Callable[[AsyncSession], Awaitable[Chosen]]


async def following(db: Database, user_id: UUID, booking_id: UUID, starts_at: datetime | None) -> FollowingData:
    """Return the rest of a user's series from a booking on; with a new start for it, where the others would move.

    Raises NotFound, BookingChanged.
    """
    async with unit_of_work(db, user_id=user_id) as session:
        first = await own_booking(session, user_id, booking_id)
        bookings = await following_of(session, first)
        payments = await payments_of(session, bookings)
        if starts_at is None:
            return following_data(bookings, payments=payments)
        alone = await alone_sessions(session, bookings)
    starts = _new_starts(bookings, first, starts_at)
    _, moves = await planned_moves(
        db, bookings, starts, without=alone, has_notice=True, can_move=lambda one, _: can_move(one, clock.now())
    )
    return following_data(bookings, moves, payments)


async def move_following(
    db: Database,
    risk: RiskAssessor,
    user_id: UUID,
    booking_id: UUID,
    *,
    starts_at: datetime,
    chosen_ids: Sequence[str],
    terms_digest: str,
) -> None:
    """Move the chosen bookings of the rest of a user's series: all by as many days, to the same time of day.

    Each keeps its price, its terms and what a late cancellation costs. Moves that were made stay as they are. Raises
    NotFound, BookingChanged, TermsChanged, MovesUsed, and SeriesPartlyGone with the reason for each new start.
    """

    async def choose(session: AsyncSession) -> Chosen:
        first = await own_booking(session, user_id, booking_id)
        if first.starts_at == starts_at and str(first.id) in chosen_ids:
            return []  # sent again
        bookings = await following_of(session, first)
        starts = dict(zip([str(one.id) for one in bookings], _new_starts(bookings, first, starts_at), strict=True))
        if digest_of(bookings, clock.now()) != terms_digest:
            raise TermsChanged
        if not starts.keys() >= set(chosen_ids):
            raise NotFound
        chosen = [(one, starts[str(one.id)]) for one in bookings if str(one.id) in chosen_ids]
        if not all(can_move(one, clock.now()) for one, _ in chosen):
            raise MovesUsed
        return chosen

    await _move_together(db, risk, user_id, booking_id, choose, terms_digest=terms_digest)


async def accept_proposals(
    db: Database, risk: RiskAssessor, user_id: UUID, booking_id: UUID, *, starts_at: datetime
) -> None:
    """Move all bookings of a user's series to the starts that the guru proposed and that are open.

    `starts_at` is the proposed start of the one booking. Raises NotFound, ProposalEnded, and SeriesPartlyGone: the
    proposals stay open then, so that the person can answer each one.
    """

    async def choose(session: AsyncSession) -> Chosen:
        booking = await own_booking(session, user_id, booking_id)
        return await proposed_starts(session, booking, starts_at)

    await _move_together(db, risk, user_id, booking_id, choose, terms_digest=None)


async def proposed_starts(session: AsyncSession, booking: Booking, starts_at: datetime) -> Chosen:
    """Return the bookings of a series with open proposals, and the proposed starts. Raises ProposalEnded."""
    found = await open_proposals(session, booking) if booking.series_id else []
    if not any(one.id == booking.id and one.proposed_start == starts_at for one in found):
        raise ProposalEnded
    return [(one, one.proposed_start) for one in found if one.proposed_start is not None]


async def _move_together(
    db: Database, risk: RiskAssessor, user_id: UUID, booking_id: UUID, choose: Choose, *, terms_digest: str | None
) -> None:
    """Move the bookings that `choose` returns to their starts, on the terms that the person saw.

    Without them, the starts are those that the guru proposed, which need no notice.
    """
    is_counted = terms_digest is not None
    for attempt in range(MAX_ATTEMPTS):
        async with unit_of_work(db, user_id=user_id) as session:
            chosen = await choose(session)
            if not chosen:
                return
            alone = await alone_sessions(session, [one for one, _ in chosen])
        bookings, starts = [one for one, _ in chosen], [start for _, start in chosen]
        rules, moves = await planned_moves(
            db, bookings, starts, without=alone, has_notice=is_counted, can_move=lambda _one, _start: True
        )
        if rules is None:
            raise SlotGone
        ordered = _ordered(moves)
        command = commands.Move(
            first_id=booking_id,
            wanted={
                move.booking.id: wanted_seats(rules, move.new_start, is_offered=move.fit == "free") for move in ordered
            },
            following=True,
            terms_digest=terms_digest or "",
            is_counted=is_counted,
        )
        needs = FactsQuery(
            ids=[one.id for one in bookings],
            series=True,
            service=rules.service.id,
            starts=starts,
        )
        async with unit_of_work(db, user_id=user_id) as session:
            await own_booking(session, user_id, bookings[0].id)
            facts = await store.read_facts(session, needs)
            if not await choose(session):
                return  # sent again
            decision = await store.apply(session, needs, facts, command)
            if decision.refusal is None:
                for booking in bookings:
                    await renew_waivers(session, risk, booking)
                return
        if decision.refusal is not RefusalReason.PARTLY_GONE:
            require(decision.refusal)
        is_stale = any(
            decision.reasons.get(move.new_start) is RefusalReason.STALE and (move.fit == "free" or attempt == 0)
            for move in ordered
        )
        if not is_stale:
            break
    raise SeriesPartlyGone(fields=_reasons(ordered, decision))


def _new_starts(bookings: Sequence[Booking], first: Booking, starts_at: datetime) -> list[datetime]:
    return shifted([one.starts_at for one in bookings], first.starts_at, starts_at, ZoneInfo(first.zone))


def _ordered(moves: Sequence[PlannedMove]) -> list[PlannedMove]:
    """Return moves in an order in which each one frees the time that the next one takes."""
    is_later = moves[0].new_start > moves[0].booking.starts_at
    return sorted(moves, key=lambda move: move.booking.starts_at, reverse=is_later)


def _reasons(moves: Sequence[PlannedMove], decision: Decision) -> dict[str, str]:
    """Return why each booking that cannot move stays, by its new start."""
    return {
        clock.to_iso8601(move.new_start): REASONS.get(move.fit) or ERRORS[decision.reasons[move.new_start]].message
        for move in sorted(moves, key=lambda one: one.new_start)
        if move.new_start in decision.reasons
    }
