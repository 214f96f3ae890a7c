"""Answering a lead by mail: the answer, the lead's status and the job that mails it, in one transaction."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

from sqlalchemy import func, select, text
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from sites.leads.inbox import hold_lead, set_status
from sites.leads.models import LeadAnswer
from tenants.kit import clock
from tenants.kit.errors import Conflict, Limited
from tenants.kit.ids import new_id

ANSWER_TASK = "send_lead_answer"
_ENQUEUE = text("SELECT app.enqueue(:task, jsonb_build_object('answer_id', CAST(:answer AS text)), NULL)")


@dataclass(frozen=True, slots=True)
class AnswerLimits:
    """Mails a guru may send: to all leads within an hour, and to one lead ever. Anybody's address may be in a lead."""

    an_hour: int = 60
    per_lead: int = 30


async def answer_lead(
    session: AsyncSession, tenant_id: UUID, lead_id: UUID, body: str, *, key: str, limits: AnswerLimits | None
) -> bool:
    """Answer a lead and have it mailed. True when it is new, False for a resend under the same key.

    Raises NotFound, Limited, and Conflict when the key was used for other words. `limits` None: any number.
    """
    await hold_lead(session, tenant_id, lead_id)
    same = await session.scalar(
        select(LeadAnswer).where(LeadAnswer.tenant_id == tenant_id, LeadAnswer.idempotency_key == key)
    )
    if same is not None:
        if same.body != body or same.lead_id != lead_id:
            raise Conflict("This Idempotency-Key was already used for another message.")
        return False
    if limits is not None:
        await _refuse_too_many(session, tenant_id, lead_id, limits)
    answer_id = new_id()
    made = await session.scalar(
        insert(LeadAnswer)
        .values(
            tenant_id=tenant_id,
            id=answer_id,
            lead_id=lead_id,
            body=body,
            idempotency_key=key,
            created_at=clock.now(),
        )
        # The same key for another lead, at this very moment.
        .on_conflict_do_nothing(index_elements=[LeadAnswer.tenant_id, LeadAnswer.idempotency_key])
        .returning(LeadAnswer.id)
    )
    if made is None:
        raise Conflict("This Idempotency-Key was already used for another message.")
    await set_status(session, tenant_id, lead_id, "answered")
    await session.execute(_ENQUEUE, {"task": ANSWER_TASK, "answer": str(answer_id)})
    return True


async def _refuse_too_many(session: AsyncSession, tenant_id: UUID, lead_id: UUID, limits: AnswerLimits) -> None:
    recent, to_this_one = (
        await session.execute(
            select(
                func.count().filter(LeadAnswer.created_at > clock.now() - timedelta(hours=1)),
                func.count().filter(LeadAnswer.lead_id == lead_id),
            ).where(LeadAnswer.tenant_id == tenant_id)
        )
    ).one()
    if recent >= limits.an_hour or to_this_one >= limits.per_lead:
        raise Limited(retry_after=600)
