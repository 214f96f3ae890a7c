"""Identify the user of a request by an ID token or a cookie (docs/sign-in.md)."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from porchlight.auth.account_status import AccountStatusCache
from porchlight.auth.actions import get_or_create_account
from porchlight.auth.cookies import SECRET_LENGTH, hash_secret
from porchlight.auth.errors import EmailUnverified
from porchlight.auth.queries import ActiveSession, GuruColumns, find_domain_session, find_session, find_user
from porchlight.contracts import UserProfiles
from porchlight.dependencies import AuthenticatedUser, OwnedGuru
from porchlight.ports import TokenReader
from tenants.db.pool import Database
from tenants.kit import clock
from tenants.kit.errors import Forbidden, Unauthenticated

MAX_SIGN_IN_AGE = timedelta(minutes=15)  # for actions that need a recent sign-in


class AccountDisabled(Unauthenticated):
    """An admin suspended the account (SPEC 8.1, user-disabled)."""

    code = "user_disabled"
    message = "This account has been disabled. Please contact support."


class ReauthenticationRequired(Forbidden):
    """The action needs a recent sign-in."""

    code = "sign_in_again"
    message = "Please sign in again to do this."


def require_verified_email(user: AuthenticatedUser) -> None:
    """Raise EmailUnverified if the user's address is not verified."""
    if not user.email_verified:
        raise EmailUnverified


def require_recent_sign_in(user: AuthenticatedUser) -> None:
    """Raise ReauthenticationRequired if the user's sign-in is older than MAX_SIGN_IN_AGE."""
    if user.authenticated_at < clock.now() - MAX_SIGN_IN_AGE:
        raise ReauthenticationRequired


def _owned_guru(account: GuruColumns) -> OwnedGuru | None:
    if account.guru_id is None or account.guru_label is None or account.guru_status is None:
        return None
    return OwnedGuru(account.guru_id, account.guru_label, account.guru_status)


class Authenticator:
    """Identifies users. `tokens` None: no identity provider is configured; every request is anonymous."""

    def __init__(
        self, db: Database, tokens: TokenReader | None, statuses: AccountStatusCache, profiles: UserProfiles
    ) -> None:
        self._db = db
        self._tokens = tokens
        self._statuses = statuses
        self._profiles = profiles

    async def by_token(self, token: str, *, strict: bool = False) -> AuthenticatedUser:
        """Return the user of an ID token. A new user gets an account.

        Raises Unauthenticated for an invalid, expired or revoked token and for a suspended or deleted account;
        Unavailable without the database or the provider's keys, and with `strict` without the identity provider.
        """
        if self._tokens is None:
            raise Unauthenticated
        claims = await self._tokens.read(token)
        account = await find_user(self._db, claims.uid)
        if account is not None and account.status == "suspended":
            raise AccountDisabled
        if account is not None and not account.is_session_valid(claims.auth_time):
            raise Unauthenticated
        await self._statuses.check(claims.uid, claims.issued_at, strict=strict)
        if account is None:
            user_id = await get_or_create_account(self._db, claims, self._profiles)
        else:
            user_id = account.user_id
        return AuthenticatedUser(
            user_id=user_id,
            firebase_uid=claims.uid,
            email=claims.email,
            email_verified=claims.email_verified,
            name=claims.name,
            picture=claims.picture,
            authenticated_at=datetime.fromtimestamp(claims.auth_time, UTC),
            token_issued_at=datetime.fromtimestamp(claims.issued_at, UTC),
            auth_method="bearer",
            session_id=None,
            owned_guru=_owned_guru(account) if account else None,
        )

    async def by_cookie(self, secret: str) -> AuthenticatedUser | None:
        """Return the user of a valid session cookie, or None."""
        if not self._may_be_secret(secret):
            return None
        return await self._user_of(await find_session(self._db, hash_secret(secret)))

    async def by_domain_cookie(self, secret: str, domain: str) -> AuthenticatedUser | None:
        """Return the user of a valid session cookie of a custom domain, or None."""
        if not self._may_be_secret(secret):
            return None
        return await self._user_of(await find_domain_session(self._db, hash_secret(secret), domain))

    def invalidate(self, firebase_uid: str) -> None:
        """Forget the cached status of an account that we changed."""
        self._statuses.invalidate(firebase_uid)

    def _may_be_secret(self, text: str) -> bool:
        return self._tokens is not None and len(text) == SECRET_LENGTH and text.isascii()

    async def _user_of(self, session: ActiveSession | None) -> AuthenticatedUser | None:
        if session is None:
            return None
        try:
            await self._statuses.check(session.firebase_uid, session.token_issued_at.timestamp())
        except Unauthenticated:
            return None
        return AuthenticatedUser(
            user_id=session.user_id,
            firebase_uid=session.firebase_uid,
            email=session.email,
            email_verified=session.email_verified,
            name="",
            picture="",
            authenticated_at=session.authenticated_at,
            token_issued_at=session.token_issued_at,
            auth_method="cookie",
            session_id=session.id,
            owned_guru=_owned_guru(session),
        )
