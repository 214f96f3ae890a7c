"""Actions on accounts and sessions. Each runs inside its caller's unit of work, except `get_or_create_account`."""

from __future__ import annotations

from datetime import datetime, timedelta
from uuid import UUID

from sqlalchemy import bindparam, delete, func, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from porchlight.auth.models import Session, User
from porchlight.auth.queries import find_user
from porchlight.contracts import UserProfiles
from porchlight.ports import Claims
from tenants.db.jobs import enqueue
from tenants.db.pool import Database
from tenants.db.unit_of_work import unit_of_work
from tenants.kit import clock
from tenants.kit.email_addresses import InvalidEmail, normalize_email
from tenants.kit.errors import NotFound, Unauthenticated, ValidationFailed
from tenants.kit.ids import new_id

SESSION_TTL = timedelta(days=14)
MAX_SESSIONS_PER_USER = 30  # beyond that, the oldest is deleted
MAX_ENDED_SIGN_INS = 100
LAST_SEEN_INTERVAL = timedelta(minutes=5)  # precision of a session's `last_seen_at`
DELETE_IDENTITY_TASK = "auth:delete_identity"
REVOKE_TOKENS_TASK = "auth:revoke_tokens"
# Built once: every page asks for the session, and building the statement takes longer than running it.
_RECORD_USE = (
    update(Session)
    .where(
        Session.user_id == bindparam("user"),
        Session.secret_hash == bindparam("hash"),
        Session.last_seen_at < bindparam("before"),
    )
    .values(last_seen_at=bindparam("now"))
    .execution_options(synchronize_session=False)
)


class EmailUnusable(ValidationFailed):
    """A sign-up with an address that email cannot reach."""

    code = "email_unusable"


async def get_or_create_account(db: Database, claims: Claims, profiles: UserProfiles) -> UUID:
    """Return the user id for the claims of an ID token. The first token creates an account with an empty profile.

    Concurrent requests create one account. Raises Unauthenticated for an account that is deleted or suspended, and
    EmailUnusable for an address that email cannot reach: the account could never be confirmed.
    """
    try:
        if claims.email:
            normalize_email(claims.email)
    except InvalidEmail as error:
        raise EmailUnusable(str(error), fields={"email": str(error)}) from error
    user_id = new_id()
    async with unit_of_work(db, user_id=user_id) as session:
        created_id = await session.scalar(
            insert(User)
            .values(user_id=user_id, firebase_uid=claims.uid, email=claims.email, email_verified=claims.email_verified)
            .on_conflict_do_nothing(index_elements=[User.firebase_uid])
            .returning(User.user_id)
        )
        if created_id is not None:
            await profiles.create_empty(session, user_id, claims.name)
            return user_id
    account = await find_user(db, claims.uid)
    if account is None or account.status != "active":
        raise Unauthenticated
    return account.user_id


async def update_email(session: AsyncSession, user_id: UUID, email: str, verified: bool) -> None:
    """Store the email address of a user who signs in, if it differs."""
    await session.execute(
        update(User)
        .where(User.user_id == user_id, (User.email != email) | (User.email_verified != verified))
        .values(email=email, email_verified=verified, updated_at=clock.now())
    )


async def record_email_change_request(session: AsyncSession, user_id: UUID) -> None:
    """Record that the user is about to change their email address: the job `auth:sync_emails` checks the account."""
    await session.execute(update(User).where(User.user_id == user_id).values(email_change_asked_at=clock.now()))


async def create_session(
    session: AsyncSession,
    user_id: UUID,
    *,
    secret_hash: bytes,
    authenticated_at: datetime,
    token_issued_at: datetime,
    user_agent: str,
    renewed_id: UUID | None = None,
) -> None:
    """Create a cookie session for SESSION_TTL. Beyond MAX_SESSIONS_PER_USER, delete the user's oldest sessions.

    `renewed_id`: this browser's current session of the same user. It continues with the new secret, and so do the
    sessions on custom domains that belong to it; the old secret becomes invalid.
    """
    now = clock.now()
    values = {
        "secret_hash": secret_hash,
        "authenticated_at": authenticated_at,
        "token_issued_at": token_issued_at,
        "user_agent": user_agent,
        "expires_at": now + SESSION_TTL,
    }
    if renewed_id is not None:
        renewal = (
            update(Session)
            .where(Session.user_id == user_id, Session.id == renewed_id)
            .values(values | {"last_seen_at": now})
            .returning(Session.id)
        )
        if await session.scalar(renewal) is not None:
            return
    await session.execute(insert(Session).values(values | {"user_id": user_id, "id": new_id(), "created_at": now}))
    newest = (
        select(Session.id).where(Session.user_id == user_id).order_by(Session.id.desc()).limit(MAX_SESSIONS_PER_USER)
    )
    await session.execute(
        delete(Session).where(
            Session.user_id == user_id, (Session.expires_at < now) | Session.id.not_in(newest.scalar_subquery())
        )
    )


async def record_session_use(session: AsyncSession, user_id: UUID, secret_hash: bytes) -> None:
    """Update `last_seen_at` of the user's session with this cookie, if there is one."""
    now = clock.now()
    values = {"user": user_id, "hash": secret_hash, "now": now, "before": now - LAST_SEEN_INTERVAL}
    await session.execute(_RECORD_USE, values)


async def delete_session(session: AsyncSession, user_id: UUID, session_id: UUID) -> None:
    """Delete one of the user's sessions. Raises NotFound."""
    deleted_id = await session.scalar(
        delete(Session).where(Session.user_id == user_id, Session.id == session_id).returning(Session.id)
    )
    if deleted_id is None:
        raise NotFound


async def end_sign_in(session: AsyncSession, user_id: UUID, session_id: UUID, current_sign_in: datetime) -> None:
    """Delete a session and end its sign-in, so that its browser cannot create another session from a token.

    The sign-in of the request (`current_sign_in`) stays valid. Raises NotFound.
    """
    sign_in = await session.scalar(
        delete(Session).where(Session.user_id == user_id, Session.id == session_id).returning(Session.authenticated_at)
    )
    if sign_in is None:
        raise NotFound
    if sign_in != current_sign_in:
        ended = func.array_prepend(sign_in, User.ended_sign_ins)
        # The list is bounded, because every token is compared with it.
        latest = func.trim_array(ended, func.greatest(0, func.cardinality(ended) - MAX_ENDED_SIGN_INS))
        await session.execute(update(User).where(User.user_id == user_id).values(ended_sign_ins=latest))


async def end_all_sign_ins(session: AsyncSession, user_id: UUID) -> datetime:
    """End all sign-ins of the user, tokens and cookies. Return the time from which new sign-ins are valid.

    Tokens have their sign-in time in whole seconds, so that time is the start of the next second: a sign-in in the
    current second ends too.
    """
    valid_from = clock.now().replace(microsecond=0) + timedelta(seconds=1)
    await session.execute(
        update(User).where(User.user_id == user_id).values(signed_out_at=valid_from, ended_sign_ins=[])
    )
    await session.execute(delete(Session).where(Session.user_id == user_id))
    return valid_from


async def delete_user(session: AsyncSession, user_id: UUID) -> None:
    """Delete the user's sessions and email address, and enqueue the deletion at the identity provider.

    The row stays without personal data, so that an ID token that is still valid cannot create the account again.
    """
    await session.execute(delete(Session).where(Session.user_id == user_id))
    now = clock.now()
    await session.execute(
        update(User)
        .where(User.user_id == user_id)
        .values(
            status="erased",
            email="",
            email_verified=False,
            email_change_asked_at=None,
            suspended_reason="",
            signed_out_at=now,
            updated_at=now,
        )
    )
    await enqueue(session, DELETE_IDENTITY_TASK)
