"""The listening connection: what changes in one worker, or by SQL, is known in all of them about 1 ms later."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from uuid import UUID

import psycopg

from tenants.kit.db import CONNECT_TIMEOUT
from tenants.kit.ids import parse_id

CHANNEL = "porchlight_tenants"
HEARTBEAT = 5.0  # seconds between looks whether the connection still lives
RETRY = 0.5  # seconds between attempts while Postgres is away

log = logging.getLogger(__name__)


class Listener:
    """Listens for changes of tenants until cancelled.

    `changed(tenant_id, names)` is called for each; `heard(listening)` whenever the connection comes up or goes down,
    because notifications of the time between are lost.
    """

    def __init__(self, dsn: str, *, changed: Callable[[UUID, list[str]], None], heard: Callable[[bool], None]) -> None:
        self._dsn = dsn
        self._changed = changed
        self._heard = heard
        self.listening = asyncio.Event()

    async def run(self) -> None:
        """Listen for ever, connecting again whenever the connection is lost."""
        while True:
            try:
                await self._listen()
            except (psycopg.Error, OSError, TimeoutError) as fault:
                if self.listening.is_set():
                    log.warning("listening connection lost: %s", type(fault).__name__)
            finally:
                if self.listening.is_set():
                    self.listening.clear()
                    self._heard(False)
            await asyncio.sleep(RETRY)

    async def _listen(self) -> None:
        conn = await psycopg.AsyncConnection.connect(
            self._dsn, autocommit=True, connect_timeout=CONNECT_TIMEOUT, application_name="porchlight-listener"
        )
        async with conn:
            await conn.execute(f"LISTEN {CHANNEL}")
            self.listening.set()
            self._heard(True)
            while True:
                async for notice in conn.notifies(timeout=HEARTBEAT):
                    self._told(notice.payload)
                async with asyncio.timeout(HEARTBEAT):
                    await conn.execute("SELECT 1")

    def _told(self, payload: str) -> None:
        tenant, *names = payload.split(" ")
        tenant_id = parse_id(tenant)
        if tenant_id is None:
            log.warning("a notification of another shape was ignored")
            return
        self._changed(tenant_id, names)
