"""Connections that give up a server which says nothing: a machine that hangs refuses nobody, it only keeps waiting."""

from __future__ import annotations

from typing import Any, TypeVar

from psycopg import AsyncConnection, pq
from psycopg.abc import PQGen
from psycopg.waiting import wait_async

# Longer than the server lets any statement of a request take (tenants.roles): only a silent server meets it.
SILENCE = 2.7  # seconds
_INTERVAL = 0.1  # seconds between looks for interruptions, as psycopg has it

Answer = TypeVar("Answer")


class PatientConnection(AsyncConnection[tuple[Any, ...]]):
    """A connection whose every wait ends after SILENCE with OperationalError.

    Whatever breaks a wait off while the server still owes an answer ends the connection too: psycopg would first ask
    the server to cancel, and wait seconds for one that is silent.
    """

    async def wait(
        self,
        gen: PQGen[Answer],
        interval: float = _INTERVAL,
        timeout: float | None = None,  # noqa: ASYNC109 - psycopg's own signature
    ) -> Answer:
        """What `gen` answers."""
        try:
            return await wait_async(gen, self.pgconn.socket, interval=interval, timeout=timeout or SILENCE)
        except BaseException:
            if self.pgconn.transaction_status == pq.TransactionStatus.ACTIVE:
                self.pgconn.finish()
            raise
