"""Login handoffs: single-use tokens that carry a sign-in from the main platform to a custom domain."""

from __future__ import annotations

from datetime import timedelta
from uuid import UUID

from sqlalchemy import delete, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession

from porchlight.auth.models import DomainSession
from tenants.kit import clock
from tenants.kit.errors import Unauthenticated
from tenants.kit.ids import new_id

HANDOFF_TTL = timedelta(seconds=60)
MAX_DOMAIN_SESSIONS = 20  # per main session; beyond that, the oldest is deleted


async def create_login_handoff(
    session: AsyncSession, user_id: UUID, session_id: UUID, domain: str, *, pass_hash: bytes, browser_hash: bytes
) -> None:
    """Create a login handoff for one browser to a custom domain. Raises Unauthenticated if the session has ended."""
    own = (DomainSession.user_id == user_id, DomainSession.session_id == session_id)
    latest = select(DomainSession.id).where(*own).order_by(DomainSession.id.desc()).limit(MAX_DOMAIN_SESSIONS - 1)
    expired = DomainSession.pass_hash.is_not(None) & (DomainSession.created_at < clock.now() - HANDOFF_TTL)
    await session.execute(
        delete(DomainSession).where(*own, expired | DomainSession.id.not_in(latest.scalar_subquery()))
    )
    statement = insert(DomainSession).values(
        user_id=user_id,
        id=new_id(),
        session_id=session_id,
        domain=domain,
        pass_hash=pass_hash,
        browser_hash=browser_hash,
    )
    try:
        async with session.begin_nested():
            await session.execute(statement)
    except IntegrityError as error:
        raise Unauthenticated from error


async def redeem_login_handoff(session: AsyncSession, user_id: UUID, handoff_id: UUID, secret_hash: bytes) -> bool:
    """Turn a login handoff into a session of its domain. Return False if another request redeemed it first."""
    redeemed_id = await session.scalar(
        update(DomainSession)
        .where(DomainSession.user_id == user_id, DomainSession.id == handoff_id, DomainSession.pass_hash.is_not(None))
        .values(pass_hash=None, secret_hash=secret_hash)
        .returning(DomainSession.id)
    )
    return redeemed_id is not None
