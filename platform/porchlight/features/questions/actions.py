"""Asking a neighbor a question."""

from __future__ import annotations

from datetime import timedelta
from uuid import UUID

from sqlalchemy import func, select, text
from sqlalchemy.ext.asyncio import AsyncSession

from porchlight.auth.models import User
from porchlight.features.questions.models import Question
from tenants.db.jobs import enqueue
from tenants.kit import clock
from tenants.kit.errors import Conflict, KeyReused, NotFound, ValidationFailed
from tenants.kit.ids import new_id

NOTIFY_RECIPIENT_TASK = "questions:notify_recipient"
MAX_QUESTIONS_A_DAY = 10
MAX_QUESTIONS_A_DAY_TO_ONE = 3

_RECIPIENT = text("SELECT user_id FROM public_profiles WHERE handle = :handle")


class QuestionsLimited(Conflict):
    """The asker reached the day's limit."""

    code = "quota_exceeded"
    message = "You've reached today's limit for questions. Please try again tomorrow."


async def create_question(session: AsyncSession, user_id: UUID, handle: str, body: str, *, key: str) -> bool:
    """Store a question and enqueue its email. Return False for a resend under the same key.

    Raises NotFound for an unknown or hidden profile, ValidationFailed for one's own, QuestionsLimited, and KeyReused
    when the key was used for another question.
    """
    # The questions of one user are counted one after the other.
    await session.execute(select(User.user_id).where(User.user_id == user_id).with_for_update(key_share=True))
    recipient_id = await session.scalar(_RECIPIENT, {"handle": handle})
    earlier = await session.scalar(select(Question).where(Question.user_id == user_id, Question.idempotency_key == key))
    if earlier is not None:
        if earlier.body != body or earlier.recipient_id != recipient_id:
            raise KeyReused
        return False
    if recipient_id is None:
        raise NotFound
    if recipient_id == user_id:
        raise ValidationFailed(fields={"body": "This is your own profile."})
    today = select(func.count(), func.count().filter(Question.recipient_id == recipient_id)).where(
        Question.user_id == user_id, Question.created_at > clock.now() - timedelta(days=1)
    )
    count, count_to_one = (await session.execute(today)).one()
    if count >= MAX_QUESTIONS_A_DAY or count_to_one >= MAX_QUESTIONS_A_DAY_TO_ONE:
        raise QuestionsLimited
    question = Question(user_id=user_id, id=new_id(), recipient_id=recipient_id, body=body, idempotency_key=key)
    session.add(question)
    await session.flush()
    await enqueue(session, NOTIFY_RECIPIENT_TASK, question_id=str(question.id))
    return True
