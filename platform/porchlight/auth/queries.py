"""Queries on accounts and sessions: a user's own rows, and SQL functions that find an account by a secret."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NamedTuple
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from porchlight.auth.devices import device_name
from porchlight.auth.models import Session
from porchlight.auth.schemas import OpenSession
from tenants.db.pool import Database
from tenants.kit import clock

_FIND_USER = (
    "SELECT guru_id, guru_label, guru_status, user_id, status, signed_out_at, email, email_verified, ended_sign_ins"
    " FROM app.find_user(%s)"
)
_FIND_SESSION = (
    "SELECT guru_id, guru_label, guru_status, user_id, id, firebase_uid, email, email_verified, authenticated_at,"
    " token_issued_at FROM app.find_session(%s)"
)
_FIND_DOMAIN_SESSION = _FIND_SESSION.replace("(%s)", "(%s, %s)")
_FIND_LOGIN_HANDOFF = "SELECT user_id, id FROM app.find_pass(%s, %s, %s, %s)"


@dataclass(frozen=True, slots=True)
class GuruColumns:
    """The guru that the user owns. All are None without one."""

    guru_id: UUID | None
    guru_label: str | None
    guru_status: str | None


@dataclass(frozen=True, slots=True)
class UserAccount(GuruColumns):
    """An account, found by its uid at the identity provider."""

    user_id: UUID
    status: str
    signed_out_at: datetime | None
    email: str
    email_verified: bool
    ended_sign_ins: list[datetime]

    def is_session_valid(self, auth_time: int) -> bool:
        """Return whether a sign-in at `auth_time` (epoch seconds) is still valid."""
        if self.status != "active" or (self.signed_out_at and auth_time < self.signed_out_at.timestamp()):
            return False
        return all(auth_time != int(ended.timestamp()) for ended in self.ended_sign_ins)


async def find_user(db: Database, firebase_uid: str) -> UserAccount | None:
    """Return the account with this uid, or None."""
    rows = await db.read(None, _FIND_USER, [firebase_uid], row=UserAccount)
    return rows[0] if rows else None


@dataclass(frozen=True, slots=True)
class ActiveSession(GuruColumns):
    """A valid cookie session and its user. `token_issued_at`: of the ID token that was exchanged for it."""

    user_id: UUID
    id: UUID
    firebase_uid: str
    email: str
    email_verified: bool
    authenticated_at: datetime
    token_issued_at: datetime


async def find_session(db: Database, secret_hash: bytes) -> ActiveSession | None:
    """Return the valid session of a cookie, or None."""
    rows = await db.read(None, _FIND_SESSION, [secret_hash], row=ActiveSession)
    return rows[0] if rows else None


async def find_domain_session(db: Database, secret_hash: bytes, domain: str) -> ActiveSession | None:
    """Return the valid main session that a custom domain's cookie belongs to, or None."""
    rows = await db.read(None, _FIND_DOMAIN_SESSION, [secret_hash, domain], row=ActiveSession)
    return rows[0] if rows else None


class LoginHandoff(NamedTuple):
    """A sign-in that goes on at a custom domain."""

    user_id: UUID
    id: UUID


async def find_login_handoff(
    db: Database, pass_hash: bytes, browser_hash: bytes, domain: str, ttl: timedelta
) -> LoginHandoff | None:
    """Return an unused login handoff, or None.

    It must be for this browser and this domain, and younger than `ttl`.
    """
    rows = await db.read(None, _FIND_LOGIN_HANDOFF, [pass_hash, browser_hash, domain, ttl], row=LoginHandoff)
    return rows[0] if rows else None


async def active_sessions(session: AsyncSession, user_id: UUID, current_hash: bytes) -> list[OpenSession]:
    """Return the valid cookie sessions of a user, newest first. `current_hash`: the hash of the request's cookie."""
    statement = (
        select(Session).where(Session.user_id == user_id, Session.expires_at > clock.now()).order_by(Session.id.desc())
    )
    return [
        OpenSession(
            id=str(row.id),
            device=device_name(row.user_agent),
            user_agent=row.user_agent,
            authenticated_at=clock.to_iso8601(row.authenticated_at),
            created_at=clock.to_iso8601(row.created_at),
            last_seen_at=clock.to_iso8601(row.last_seen_at),
            expires_at=clock.to_iso8601(row.expires_at),
            current=row.secret_hash == current_hash,
        )
        for row in (await session.scalars(statement)).all()
    ]
