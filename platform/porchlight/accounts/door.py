"""Who is asking: an ID token or a cookie, held against our accounts and the identity service's."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime

from porchlight.accounts.actions import meet
from porchlight.accounts.queries import FoundSession, found_domain_session, found_session, found_user
from porchlight.accounts.standing import Standings
from porchlight.parts import Person
from porchlight.ports import TokenReader
from tenants.kit.db import Database
from tenants.kit.errors import Unauthenticated

SECRET_LENGTH = 43  # 32 random bytes in URL-safe base64


def secret_hash(secret: str) -> bytes:
    """What the database keeps of a cookie. The secret is random, so a plain hash cannot be turned back."""
    return hashlib.sha256(secret.encode()).digest()


class AccountDisabled(Unauthenticated):
    """SPEC 8.1, user-disabled: staff suspended the account."""

    code = "user_disabled"
    message = "This account has been disabled. Please contact support."


class FrontDoor:
    """Tells who is asking. `tokens` None: no identity service is configured, so nobody is anybody (offline mode)."""

    def __init__(self, db: Database, tokens: TokenReader | None, standings: Standings) -> None:
        self._db = db
        self._tokens = tokens
        self._standings = standings

    async def by_token(self, token: str, *, strict: bool = False) -> Person:
        """The person an ID token names; somebody seen for the first time gets an account.

        Raises Unauthenticated for a bad, old or revoked token and for a disabled or erased account; Unavailable when
        the database or the keys cannot be had, and with `strict` when the identity service cannot be asked.
        """
        if self._tokens is None:
            raise Unauthenticated
        claims = await self._tokens.read(token)
        found = await found_user(self._db, claims.uid)
        if found is not None and found.status == "suspended":
            raise AccountDisabled
        if found is not None and not found.lets_in(claims.auth_time):
            raise Unauthenticated
        await self._standings.check(claims.uid, claims.issued_at, strict=strict)
        user_id = await meet(self._db, claims) if found is None else found.user_id
        return Person(
            user_id=user_id,
            firebase_uid=claims.uid,
            email=claims.email,
            email_verified=claims.email_verified,
            name=claims.name,
            picture=claims.picture,
            authenticated_at=datetime.fromtimestamp(claims.auth_time, UTC),
            token_issued_at=datetime.fromtimestamp(claims.issued_at, UTC),
            by="bearer",
            session_id=None,
        )

    async def by_cookie(self, secret: str) -> Person | None:
        """The person of a living session, or None."""
        if self._tokens is None or len(secret) != SECRET_LENGTH or not secret.isascii():
            return None
        return await self._of(await found_session(self._db, secret_hash(secret)))

    async def _of(self, found: FoundSession | None) -> Person | None:
        if found is None:
            return None
        try:
            await self._standings.check(found.firebase_uid, found.token_issued_at.timestamp())
        except Unauthenticated:
            return None
        return Person(
            user_id=found.user_id,
            firebase_uid=found.firebase_uid,
            email=found.email,
            email_verified=found.email_verified,
            name="",
            picture="",
            authenticated_at=found.authenticated_at,
            token_issued_at=found.token_issued_at,
            by="cookie",
            session_id=found.id,
        )

    async def by_domain_cookie(self, secret: str, domain: str) -> Person | None:
        """The person of a living session of a guru's own domain, or None."""
        if self._tokens is None or len(secret) != SECRET_LENGTH or not secret.isascii():
            return None
        return await self._of(await found_domain_session(self._db, secret_hash(secret), domain))

    def changed(self, firebase_uid: str) -> None:
        """An account was changed by us: what is known of it is old."""
        self._standings.forget(firebase_uid)
