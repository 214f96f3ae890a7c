"""The change listener: every worker learns of a tenant's change, made anywhere, about 1 ms later."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from uuid import UUID

import psycopg

from tenants.kit import timeouts
from tenants.kit.ids import parse_id

CHANNEL = "porchlight_tenants"
HEARTBEAT_SECONDS = 5.0
RETRY_DELAY_SECONDS = 0.5  # while Postgres is down

log = logging.getLogger(__name__)


class Listener:
    """Listens for changes of tenants until canceled.

    It calls `on_change(tenant_id, names)` for each change, and `on_connection_change(connected)` whenever the
    connection is opened or lost, because notifications sent meanwhile are lost.
    """

    def __init__(
        self,
        dsn: str,
        *,
        on_change: Callable[[UUID, list[str]], None],
        on_connection_change: Callable[[bool], None],
    ) -> None:
        self._dsn = dsn
        self._on_change = on_change
        self._on_connection_change = on_connection_change
        self.listening = asyncio.Event()

    async def run(self) -> None:
        """Listen until canceled. Reconnect whenever the connection is lost."""
        while True:
            try:
                await self._listen()
            except (psycopg.Error, OSError, TimeoutError) as error:
                if self.listening.is_set():
                    log.warning("change listener: connection lost: %s", type(error).__name__)
            finally:
                if self.listening.is_set():
                    self.listening.clear()
                    self._on_connection_change(False)
            await asyncio.sleep(RETRY_DELAY_SECONDS)

    async def _listen(self) -> None:
        conn = await psycopg.AsyncConnection.connect(
            self._dsn,
            autocommit=True,
            connect_timeout=timeouts.current.connect_seconds,
            application_name="porchlight-listener",
        )
        async with conn:
            await conn.execute(f"LISTEN {CHANNEL}")
            self.listening.set()
            self._on_connection_change(True)
            while True:
                async for notification in conn.notifies(timeout=HEARTBEAT_SECONDS):
                    self._handle(notification.payload)
                async with asyncio.timeout(HEARTBEAT_SECONDS):
                    await conn.execute("SELECT 1")

    def _handle(self, payload: str) -> None:
        tenant, *names = payload.split(" ")
        tenant_id = parse_id(tenant)
        if tenant_id is None:
            log.warning("change listener: malformed notification ignored")
            return
        self._on_change(tenant_id, names)
