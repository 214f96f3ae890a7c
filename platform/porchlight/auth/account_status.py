"""Cached account statuses from the identity provider.

An ID token is valid for an hour. A disabled, deleted or revoked account is rejected within STATUS_TTL_SECONDS, because
a cached status is not used for longer.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict

from porchlight.ports import AccountStatus, Identity, IdentityOutage
from tenants.kit import timeouts
from tenants.kit.errors import Unauthenticated, Unavailable
from tenants.kit.logs import log

STATUS_TTL_SECONDS = 30.0  # a disabled account must be rejected within 60
OUTAGE_PAUSE_SECONDS = 5.0  # without calls, after one failed
_MAX_CACHED_STATUSES = 20_000


class AccountStatusCache:
    """Asks the identity provider for statuses: per account at most one call at a time and per STATUS_TTL_SECONDS."""

    def __init__(self, identity: Identity | None) -> None:
        self._identity = identity
        self._cached: OrderedDict[str, tuple[float, AccountStatus]] = OrderedDict()
        self._pending: dict[str, asyncio.Task[AccountStatus]] = {}
        self._paused_until = 0.0

    async def check(self, uid: str, issued_at: float, *, strict: bool = False) -> None:
        """Raise Unauthenticated if the account is deleted or disabled, or tokens issued at `issued_at` are revoked.

        During an outage of the provider, a verified token is accepted, as in Firebase's SDKs by default. With `strict`,
        for roles and money, ask the provider now and raise Unavailable during an outage.
        """
        status = await self._status(uid, fresh=strict)
        if status is None:
            if strict:
                raise Unavailable(retry_after=5)
            cached = self._cached.get(uid)  # of any age
            if cached is None:
                return
            status = cached[1]
        if not status.exists or status.disabled or int(issued_at) < status.valid_after:
            raise Unauthenticated

    def invalidate(self, uid: str) -> None:
        """Forget the cached status of an account that we changed."""
        self._cached.pop(uid, None)

    async def _status(self, uid: str, *, fresh: bool) -> AccountStatus | None:
        """Return the status, or None if it is not available. `fresh`: do not use the cache."""
        if self._identity is None:
            return None
        now = time.monotonic()
        cached = self._cached.get(uid)
        if cached is not None and not fresh and now < cached[0] + STATUS_TTL_SECONDS:
            return cached[1]
        if now < self._paused_until:
            return None
        task = self._pending.get(uid)
        if task is None:
            task = self._pending[uid] = asyncio.create_task(self._fetch(uid, self._identity))
            task.add_done_callback(lambda done: self._on_fetched(uid, done))
        try:
            async with asyncio.timeout(timeouts.current.account_status_seconds):
                return await asyncio.shield(task)
        except (IdentityOutage, TimeoutError) as error:
            self._paused_until = time.monotonic() + OUTAGE_PAUSE_SECONDS
            log.warning("identity_provider_unavailable", kind=str(error) or type(error).__name__)
            return None

    def _on_fetched(self, uid: str, task: asyncio.Task[AccountStatus]) -> None:
        self._pending.pop(uid, None)
        if not task.cancelled():
            task.exception()  # retrieved here, because all waiting requests may have timed out

    async def _fetch(self, uid: str, identity: Identity) -> AccountStatus:
        started_at = time.monotonic()
        status = await identity.account_status(uid)
        self._cached[uid] = (started_at, status)
        self._cached.move_to_end(uid)
        while len(self._cached) > _MAX_CACHED_STATUSES:
            self._cached.popitem(last=False)
        return status
