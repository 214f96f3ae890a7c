"""Connections with a read timeout: a server that hangs sends no error, so the client must stop waiting."""

from __future__ import annotations

from typing import TypeVar

from psycopg import AsyncConnection, pq
from psycopg.abc import PQGen
from psycopg.errors import error_from_result
from psycopg.generators import execute
from psycopg.pq.abc import PGconn
from psycopg.rows import TupleRow
from psycopg.waiting import wait_async

from tenants.kit import timeouts

_INTERRUPT_CHECK_SECONDS = 0.1  # psycopg's default

Result = TypeVar("Result")


def _begin(pgconn: PGconn, setup: bytes) -> PQGen[None]:
    pgconn.send_query(b"BEGIN; " + setup)
    for result in (yield from execute(pgconn)):
        if result.status not in (pq.ExecStatus.COMMAND_OK, pq.ExecStatus.TUPLES_OK):
            raise error_from_result(result)


class ReadTimeoutConnection(AsyncConnection[TupleRow]):
    """A connection whose waits end after `read_seconds` with OperationalError.

    An interrupted wait closes the connection if the server still owes a result: psycopg would send a cancel request
    first, and wait seconds for an unresponsive server.
    """

    async def wait(
        self,
        gen: PQGen[Result],
        interval: float = _INTERRUPT_CHECK_SECONDS,
        timeout: float | None = None,  # noqa: ASYNC109 - psycopg's signature
    ) -> Result:
        """Run `gen` and return its result."""
        try:
            return await wait_async(
                gen, self.pgconn.socket, interval=interval, timeout=timeout or timeouts.current.read_seconds
            )
        except BaseException:
            if self.pgconn.transaction_status == pq.TransactionStatus.ACTIVE:
                self.pgconn.finish()
            raise

    async def begin(self, setup: bytes) -> None:
        """Begin a transaction and run the statement `setup`, in one round trip. The connection must be idle.

        psycopg itself sends BEGIN and waits, before the first statement.
        """
        async with self.lock:
            await self.wait(_begin(self.pgconn, setup))
