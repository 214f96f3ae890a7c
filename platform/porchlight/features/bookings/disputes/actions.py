"""Answer disputes: keep the guru's words as a draft, and send them to the bank with what we know, once."""

from __future__ import annotations

from uuid import UUID

from psycopg.types.json import Jsonb
from sqlalchemy.ext.asyncio import AsyncSession

from porchlight.features.bookings.disputes.models import SessionDispute
from porchlight.features.bookings.disputes.queries import answer_evidence, find_dispute
from tenants.kit import clock
from tenants.kit.errors import Conflict, ValidationFailed

_ANSWER = "SELECT app.answer_dispute(%s, %s, %s, %s)"


class AnswerTooLate(Conflict):
    """The bank's time to answer is over."""

    code = "answer_too_late"
    message = "The time to answer is over. The bank decides with what it has."


class AnswerSent(Conflict):
    """The answer was sent before, or the bank has decided."""

    code = "answer_sent"
    message = "This was answered already. The bank takes one answer."


async def save_draft(
    session: AsyncSession, tenant_id: UUID, dispute_id: UUID, *, words: str, customer_words: str
) -> None:
    """Keep the guru's words. Raises NotFound, AnswerTooLate, AnswerSent."""
    dispute = await find_dispute(session, tenant_id, dispute_id)
    await _answer(session, dispute, words, customer_words, None)


async def send_answer(
    session: AsyncSession, tenant_id: UUID, dispute_id: UUID, *, words: str, customer_words: str
) -> None:
    """Send the guru's words and the facts to the bank. Raises NotFound, ValidationFailed, AnswerTooLate, AnswerSent."""
    dispute = await find_dispute(session, tenant_id, dispute_id)
    if not words.strip():
        raise ValidationFailed(fields={"words": "Say in your words what happened."})
    evidence = await answer_evidence(session, dispute, words.strip(), customer_words.strip())
    await _answer(session, dispute, words, customer_words, evidence)


async def _answer(
    session: AsyncSession, dispute: SessionDispute, words: str, customer_words: str, evidence: dict[str, str] | None
) -> None:
    connection = await session.connection()
    values = (dispute.id, words, customer_words, None if evidence is None else Jsonb(evidence))
    state = (await connection.exec_driver_sql(_ANSWER, values)).scalar_one()
    if state is None:
        is_late = dispute.due_by is None or dispute.due_by <= clock.now()
        raise AnswerTooLate if is_late and dispute.answer_state in ("", "failed") else AnswerSent
