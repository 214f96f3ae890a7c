"""Accounts at Firebase, through its Admin SDK. No other module imports the SDK.

The SDK blocks. Its calls run in their own threads, so that a slow response delays neither the event loop nor the shared
thread pool (docs/webs.md).
"""

from __future__ import annotations

import contextlib
import os
import secrets
from collections.abc import Callable, Iterator, Sequence
from threading import Lock
from typing import Any, TypeVar
from uuid import uuid4

import anyio.to_thread
from anyio import CapacityLimiter

from porchlight.ports import AccountStatus, IdentityEmail, IdentityOutage, SignInToken
from tenants.kit import clock, timeouts
from tenants.kit.email_addresses import wire_email

MAX_CONCURRENT_CALLS = 4
MAX_ACCOUNTS_PER_CALL = 100  # Firebase's limit
T = TypeVar("T")


@contextlib.contextmanager
def _environment(name: str, value: str) -> Iterator[None]:
    """Set an environment variable: the SDK reads the emulator's host only from there, when it creates a client."""
    previous = os.environ.pop(name, None)
    try:
        if value:
            os.environ[name] = value
        yield
    finally:
        os.environ.pop(name, None)
        if previous is not None:
            os.environ[name] = previous


class FirebaseIdentity:
    """The accounts of one Firebase project, in the cloud or in the local Auth emulator."""

    def __init__(self, project_id: str, emulator_host: str = "") -> None:
        self._project = project_id
        self._emulator_host = emulator_host
        self._client: Any = None
        self._limiter: CapacityLimiter | None = None
        self._client_lock = Lock()

    def _get_client(self) -> Any:
        # Imported on first use: the SDK takes 0.4 s to load, and most commands do not need it.
        import firebase_admin
        from firebase_admin import auth, credentials

        with self._client_lock:
            if self._client is None:
                options = {"projectId": self._project, "httpTimeout": timeouts.current.firebase_call_seconds}
                credential = None if self._emulator_host else credentials.ApplicationDefault()
                app = firebase_admin.initialize_app(credential, options, f"porchlight-{uuid4()}")
                with _environment("FIREBASE_AUTH_EMULATOR_HOST", self._emulator_host):
                    client = auth.Client(app)
                    if self._emulator_host:
                        client.create_custom_token("first")  # how tokens are signed is chosen now, and stays
                    self._client = client
        return self._client

    async def _call(self, function: Callable[[Any], T]) -> T:
        """Call the SDK in a thread. Raises IdentityOutage for every failure."""
        if self._limiter is None:
            self._limiter = CapacityLimiter(MAX_CONCURRENT_CALLS)

        def run() -> T:
            from firebase_admin.exceptions import FirebaseError
            from google.auth.exceptions import GoogleAuthError

            try:
                return function(self._get_client())
            except (FirebaseError, GoogleAuthError, OSError, ValueError) as error:
                raise IdentityOutage(type(error).__name__) from error

        return await anyio.to_thread.run_sync(run, limiter=self._limiter, abandon_on_cancel=True)

    async def account_status(self, uid: str) -> AccountStatus:
        """Return the current status of an account."""

        def get_status(client: Any) -> AccountStatus:
            from firebase_admin.auth import UserNotFoundError

            try:
                user = client.get_user(uid)
            except UserNotFoundError:
                return AccountStatus(exists=False, disabled=True, valid_after=0)
            valid_after = int(user.tokens_valid_after_timestamp or 0) // 1000
            return AccountStatus(True, bool(user.disabled), valid_after + int(clock.offset().total_seconds()))

        return await self._call(get_status)

    async def revoke(self, uid: str) -> None:
        """Revoke all tokens of an account. Does nothing if the account does not exist."""

        def revoke_tokens(client: Any) -> None:
            from firebase_admin.auth import UserNotFoundError

            with contextlib.suppress(UserNotFoundError):
                client.revoke_refresh_tokens(uid)

        await self._call(revoke_tokens)

    async def disable(self, uid: str, disabled: bool) -> None:
        """Disable or enable an account. Does nothing if the account does not exist."""

        def update(client: Any) -> None:
            from firebase_admin.auth import UserNotFoundError

            with contextlib.suppress(UserNotFoundError):
                client.update_user(uid, disabled=disabled)

        await self._call(update)

    async def addresses(self, uids: Sequence[str]) -> dict[str, IdentityEmail]:
        """Return the email addresses of the accounts that exist, by uid."""

        def get_emails(client: Any) -> dict[str, IdentityEmail]:
            from firebase_admin.auth import UidIdentifier

            emails: dict[str, IdentityEmail] = {}
            for start in range(0, len(uids), MAX_ACCOUNTS_PER_CALL):
                identifiers = [UidIdentifier(uid) for uid in uids[start : start + MAX_ACCOUNTS_PER_CALL]]
                for user in client.get_users(identifiers).users:
                    emails[user.uid] = IdentityEmail(wire_email((user.email or "").lower()), bool(user.email_verified))
            return emails

        return await self._call(get_emails)

    async def delete(self, uid: str) -> None:
        """Delete an account. Does nothing if the account does not exist."""

        def delete_user(client: Any) -> None:
            from firebase_admin.auth import UserNotFoundError

            with contextlib.suppress(UserNotFoundError):
                client.delete_user(uid)

        await self._call(delete_user)

    async def sign_in_token(self, email: str) -> SignInToken:
        """Return a token for the account of an address that its reader has proven, and create it if there is none.

        An account whose address was not verified is taken over: its password and its sign-ins end.
        """

        def create_token(client: Any) -> SignInToken:
            from firebase_admin.auth import EmailAlreadyExistsError, UserNotFoundError

            is_new = False
            try:
                user = client.get_user_by_email(email)
            except UserNotFoundError:
                try:
                    user = client.create_user(email=email, email_verified=True)
                    is_new = True
                except EmailAlreadyExistsError:  # of another request at the same moment
                    user = client.get_user_by_email(email)
            is_taken_over = not user.email_verified
            if is_taken_over:
                client.update_user(user.uid, email_verified=True, password=secrets.token_urlsafe(32))
                client.revoke_refresh_tokens(user.uid)
            return SignInToken(user.uid, client.create_custom_token(user.uid).decode(), is_new, is_taken_over)

        return await self._call(create_token)
