"""How accounts stand with the identity service, asked rarely and felt soon.

A token is good for an hour by itself. That its account was disabled, deleted or signed out everywhere meanwhile is felt
within `TTL`, because no answer about an account is used longer.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict

from porchlight.logs import log
from porchlight.ports import Identity, IdentityOutage, Standing
from tenants.kit.errors import Unauthenticated, Unavailable

TTL = 30.0  # seconds an answer is used; the issue asks for 60
PAUSE = 5.0  # seconds the service is left alone after it was out
PATIENCE = 2.5  # seconds a request waits for an answer
_MOST = 20_000  # accounts remembered


class Standings:
    """Asks the identity service about accounts, at most once in TTL seconds each, never twice at a time for one."""

    def __init__(self, identity: Identity | None) -> None:
        self._identity = identity
        self._known: OrderedDict[str, tuple[float, Standing]] = OrderedDict()
        self._asking: dict[str, asyncio.Task[Standing]] = {}
        self._out_until = 0.0

    async def check(self, uid: str, issued_at: float, *, strict: bool = False) -> None:
        """Raise Unauthenticated when the account is gone or disabled, or its tokens of `issued_at` were revoked.

        While the service is out a verified token is believed, as Firebase's own SDKs do without being asked;
        `strict`, for roles and money, raises Unavailable then.
        """
        standing = await self._standing(uid, fresh=strict)
        if standing is None:
            if strict:
                raise Unavailable(retry_after=5)
            known = self._known.get(uid)  # what we heard last, however old
            if known is None:
                return
            standing = known[1]
        if not standing.exists or standing.disabled or int(issued_at) < standing.valid_after:
            raise Unauthenticated

    def forget(self, uid: str) -> None:
        """The account was just changed by us: ask again."""
        self._known.pop(uid, None)

    async def _standing(self, uid: str, *, fresh: bool) -> Standing | None:
        if self._identity is None:
            return None
        now = time.monotonic()
        known = self._known.get(uid)
        if known is not None and not fresh and now < known[0] + TTL:
            return known[1]
        if now < self._out_until:
            return None
        task = self._asking.get(uid)
        if task is None:
            task = self._asking[uid] = asyncio.create_task(self._ask(uid, self._identity))
            task.add_done_callback(lambda done: self._answered(uid, done))
        try:
            async with asyncio.timeout(PATIENCE):
                return await asyncio.shield(task)
        except (IdentityOutage, TimeoutError) as fault:
            self._out_until = time.monotonic() + PAUSE
            log.warning("identity_service_out", kind=str(fault) or type(fault).__name__)
            return None

    def _answered(self, uid: str, done: asyncio.Task[Standing]) -> None:
        self._asking.pop(uid, None)
        if not done.cancelled():
            done.exception()  # whoever waited has seen it; nobody may have waited so long

    async def _ask(self, uid: str, identity: Identity) -> Standing:
        asked = time.monotonic()
        standing = await identity.standing(uid)
        self._known[uid] = (asked, standing)
        self._known.move_to_end(uid)
        while len(self._known) > _MOST:
            self._known.popitem(last=False)
        return standing
