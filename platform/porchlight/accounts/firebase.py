"""Firebase's side of an account, by its own SDK: the only file that knows it.

The SDK blocks. Its calls run in threads of their own, so that a slow Google holds up neither the event loop nor the
threads that others share (DESIGN 5).
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator, Sequence
from threading import Lock
from typing import Any, TypeVar
from uuid import uuid4

import anyio.to_thread
from anyio import CapacityLimiter

from porchlight.ports import Address, IdentityOutage, Standing

CALLS = 4  # at once
TIMEOUT = 2.0  # seconds a call may take
AT_ONCE = 100  # accounts in a call, as the service allows
T = TypeVar("T")


@contextlib.contextmanager
def _environment(name: str, value: str) -> Iterator[None]:
    """The SDK takes the emulator's address from the environment alone, when it makes a client."""
    before = os.environ.pop(name, None)
    try:
        if value:
            os.environ[name] = value
        yield
    finally:
        os.environ.pop(name, None)
        if before is not None:
            os.environ[name] = before


class FirebaseIdentity:
    """The accounts of one Firebase project, in the cloud or in the local Auth emulator."""

    def __init__(self, project_id: str, emulator_host: str = "") -> None:
        self._project = project_id
        self._emulator_host = emulator_host
        self._client: Any = None
        self._limiter: CapacityLimiter | None = None
        self._opening = Lock()

    def _auth(self) -> Any:
        # Imported on first use: the SDK takes 0.4 s, and most commands never need it.
        import firebase_admin
        from firebase_admin import auth, credentials

        with self._opening:
            if self._client is None:
                options = {"projectId": self._project, "httpTimeout": TIMEOUT}
                credential = None if self._emulator_host else credentials.ApplicationDefault()
                app = firebase_admin.initialize_app(credential, options, f"porchlight-{uuid4()}")
                with _environment("FIREBASE_AUTH_EMULATOR_HOST", self._emulator_host):
                    self._client = auth.Client(app)
        return self._client

    async def _call(self, work: Callable[[Any], T]) -> T:
        """Run a call of the SDK. Whatever keeps it from answering is an IdentityOutage."""
        if self._limiter is None:
            self._limiter = CapacityLimiter(CALLS)

        def run() -> T:
            from firebase_admin.exceptions import FirebaseError
            from google.auth.exceptions import GoogleAuthError

            try:
                return work(self._auth())
            except (FirebaseError, GoogleAuthError, OSError, ValueError) as fault:
                raise IdentityOutage(type(fault).__name__) from fault

        return await anyio.to_thread.run_sync(run, limiter=self._limiter, abandon_on_cancel=True)

    async def standing(self, uid: str) -> Standing:
        """How the account stands now. An account that is not there is no account."""

        def look(auth: Any) -> Standing:
            from firebase_admin.auth import UserNotFoundError

            try:
                user = auth.get_user(uid)
            except UserNotFoundError:
                return Standing(exists=False, disabled=True, valid_after=0)
            return Standing(True, bool(user.disabled), int(user.tokens_valid_after_timestamp or 0) // 1000)

        return await self._call(look)

    async def revoke(self, uid: str) -> None:
        """End every sign-in of the account."""

        def end(auth: Any) -> None:
            from firebase_admin.auth import UserNotFoundError

            try:
                auth.revoke_refresh_tokens(uid)
            except UserNotFoundError:
                return

        await self._call(end)

    async def disable(self, uid: str, disabled: bool) -> None:
        """Let nobody sign in to the account, or let them again. Nothing happens when it is gone."""

        def change(auth: Any) -> None:
            from firebase_admin.auth import UserNotFoundError

            try:
                auth.update_user(uid, disabled=disabled)
            except UserNotFoundError:
                return

        await self._call(change)

    async def addresses(self, uids: Sequence[str]) -> dict[str, Address]:
        """The addresses of accounts by uid; those that are gone are left out."""

        def look(auth: Any) -> dict[str, Address]:
            from firebase_admin.auth import UidIdentifier

            found: dict[str, Address] = {}
            for start in range(0, len(uids), AT_ONCE):
                wanted = [UidIdentifier(uid) for uid in uids[start : start + AT_ONCE]]
                for user in auth.get_users(wanted).users:
                    found[user.uid] = Address((user.email or "").lower(), bool(user.email_verified))
            return found

        return await self._call(look)

    async def delete(self, uid: str) -> None:
        """Delete the account. Nothing happens when it is gone already."""

        def erase(auth: Any) -> None:
            from firebase_admin.auth import UserNotFoundError

            try:
                auth.delete_user(uid)
            except UserNotFoundError:
                return

        await self._call(erase)
