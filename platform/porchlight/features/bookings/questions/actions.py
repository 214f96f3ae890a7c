"""Answer the guru's questions again, until the session starts."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from porchlight.features.bookings import commands, store
from porchlight.features.bookings.actions import own_booking
from porchlight.features.bookings.errors import require
from porchlight.features.bookings.models import Booking, BookingEvent
from porchlight.features.bookings.questions.lifecycle import ANSWERS_CHANGED
from porchlight.features.bookings.store import FactsQuery
from sites.hours.questions import QuestionAnswer, kept_answers, to_questions


async def change_answers(
    session: AsyncSession, user_id: UUID, booking_id: UUID, answers: Sequence[QuestionAnswer]
) -> None:
    """Replace the answers of a user's booking or request, to the questions that were asked then.

    A customer for whom the guru booked was not asked, so they may leave questions open. Raises NotFound,
    ValidationFailed with what is wrong with each answer, and BookingChanged once the session has started or ended.
    """
    await own_booking(session, user_id, booking_id)
    needs = FactsQuery(ids=[booking_id])
    facts = await store.read_facts(session, needs)
    booking = await own_booking(session, user_id, booking_id)
    kept = kept_answers(to_questions(booking.questions), answers, is_optional=booking.customer_token is not None)
    if [(one.question, one.answer) for one in kept] == [(one["question"], one["answer"]) for one in booking.answers]:
        return
    command = commands.ChangeAnswers(id=booking_id, answers=kept, changes=await _changes(session, booking))
    require((await store.apply(session, needs, facts, command)).refusal)


async def _changes(session: AsyncSession, booking: Booking) -> int:
    """Return how often the history says that the answers of a booking were changed."""
    query = select(func.count()).where(
        BookingEvent.tenant_id == booking.tenant_id,
        BookingEvent.booking_id == booking.id,
        BookingEvent.event == ANSWERS_CHANGED,
    )
    return await session.scalar(query) or 0
