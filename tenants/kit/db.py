"""The way to Postgres: pools, and reads and writes of one round trip.

Two pools a worker: `reads` for pages, `writes` for everything that waits on rows or the disk, so that a locked table
never keeps a page waiting. Reads and one-statement writes are raw psycopg in a pipeline (DESIGN 5: 236 µs against
620 µs with the ORM); work of several steps is a unit of work in `tenants.session`.
"""

from __future__ import annotations

import logging
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any
from uuid import UUID

import psycopg
from psycopg import AsyncConnection
from psycopg_pool import AsyncConnectionPool, PoolTimeout, TooManyRequests
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from tenants.kit.errors import Unavailable
from tenants.kit.patience import PatientConnection
from tenants.kit.trip import STALE, FencedConnection, Params, fenced

POOL_TIMEOUT = 0.8  # seconds a request waits for a connection; with the wait for an answer, 503 comes within 3 s
DEAD_AT_ONCE = 0.5  # seconds within which a connection that was dead before we asked says so
BLOCKED = 1.0  # seconds a read is refused at once after it met a lock, so that others find a connection
POOL_WAITING = 400  # requests that may wait for one pool at once
RECONNECT_TIMEOUT = 2.0  # seconds of back-off after which a request may ask for a connection again
CONNECT_TIMEOUT = 2  # seconds

# Postgres answered that it cannot serve this now; the request may come again.
TRANSIENT = (
    psycopg.errors.LockNotAvailable,
    psycopg.errors.QueryCanceled,
    psycopg.errors.AdminShutdown,
    psycopg.errors.CrashShutdown,
    psycopg.errors.CannotConnectNow,
    psycopg.errors.TooManyConnections,
    psycopg.errors.DeadlockDetected,
    psycopg.errors.SerializationFailure,
    psycopg.errors.DiskFull,
    psycopg.errors.ReadOnlySqlTransaction,
    psycopg.OperationalError,
    psycopg.InterfaceError,
    PoolTimeout,
    TooManyRequests,
)

logging.getLogger("psycopg.pool").setLevel(logging.ERROR)  # it repeats itself once a second while Postgres is away


def sqlalchemy_url(dsn: str) -> str:
    """A libpq URL as SQLAlchemy spells it."""
    return dsn.replace("postgresql://", "postgresql+psycopg://", 1).replace("postgres://", "postgresql+psycopg://", 1)


class Database:
    """The pools of one process for one role. Open it before use, close it after.

    More writes than reads: a write mostly waits for the disk, where many that wait together cost one flush.
    `plans_anew`: reads are planned for their parameters each time, which pays where they are few and differ by far.
    """

    def __init__(self, dsn: str, *, reads: int = 4, writes: int = 12, plans_anew: bool = False) -> None:
        self.dsn = dsn
        self._plans_anew = plans_anew
        self._blocked: dict[str, float] = {}  # reads that met a lock, by their text: until when they are refused
        self.reads = self._pool(dsn, reads, "reads")
        self.writes = self._pool(dsn, writes, "writes")
        self.engine: AsyncEngine = create_async_engine(
            sqlalchemy_url(dsn),
            pool_size=2,
            max_overflow=2,
            pool_timeout=POOL_TIMEOUT,
            pool_pre_ping=True,
            connect_args={"connect_timeout": CONNECT_TIMEOUT, "async_creator_fn": PatientConnection.connect},
        )

    @staticmethod
    def _pool(dsn: str, size: int, name: str) -> AsyncConnectionPool[FencedConnection]:
        return AsyncConnectionPool(
            dsn,
            connection_class=FencedConnection,
            min_size=1,
            max_size=size,
            max_waiting=POOL_WAITING,
            timeout=POOL_TIMEOUT,
            reconnect_timeout=RECONNECT_TIMEOUT,
            name=name,
            open=False,
            kwargs={"autocommit": True, "prepare_threshold": 2, "connect_timeout": CONNECT_TIMEOUT},
        )

    async def open(self) -> None:
        """Open the pools. Does not wait for Postgres: until it is there, requests answer 503."""
        await self.reads.open(wait=False)
        await self.writes.open(wait=False)

    async def close(self) -> None:
        """Close every connection."""
        await self.reads.close()
        await self.writes.close()
        await self.engine.dispose()

    async def __aenter__(self) -> Database:
        await self.open()
        return self

    async def __aexit__(self, *_exc: object) -> None:
        await self.close()

    async def read(self, tenant_id: UUID | None, query: str, params: Params = ()) -> list[tuple[Any, ...]]:
        """The rows of one query as the tenant sees them: one round trip, one transaction.

        Tried once more on a connection that turned out to be dead. Raises Unavailable when the database or the pool
        is out.
        """
        self._refuse_blocked(query)
        return await self._trip(self.reads, tenant_id, query, params, hasty=True)

    async def write(self, tenant_id: UUID | None, query: str, params: Params = ()) -> list[tuple[Any, ...]]:
        """Like `read`, for one statement that writes and may safely be sent twice (it carries its own key)."""
        return await self._trip(self.writes, tenant_id, query, params)

    async def _trip(
        self,
        pool: AsyncConnectionPool[FencedConnection],
        tenant_id: UUID | None,
        query: str,
        params: Params,
        *,
        hasty: bool = False,
    ) -> list[tuple[Any, ...]]:
        for attempt in (1, 2):
            began, broken = time.monotonic(), False
            try:
                async with pool.connection() as conn:
                    if hasty:
                        self._refuse_blocked(query)  # it may have met a lock while this one waited
                    began = time.monotonic()
                    try:
                        return await fenced(conn, tenant_id, query, params, hasty=hasty, planned_anew=self._plans_anew)
                    finally:
                        broken = conn.closed
            except STALE:
                if attempt == 2:
                    raise
            except TRANSIENT as fault:
                if hasty and isinstance(fault, psycopg.errors.LockNotAvailable):
                    self._blocked[query] = time.monotonic() + BLOCKED
                if attempt == 1 and broken and time.monotonic() - began < DEAD_AT_ONCE:
                    continue
                raise unavailable(fault) from fault
        raise AssertionError("unreachable")  # pragma: no cover

    def _refuse_blocked(self, query: str) -> None:
        until = self._blocked.get(query)
        if until is not None and time.monotonic() < until:
            raise Unavailable(retry_after=1)

    @asynccontextmanager
    async def borrowed(self) -> AsyncIterator[AsyncConnection[tuple[Any, ...]]]:
        """A connection of the write pool, for steps that need it raw. Raises Unavailable like `read`."""
        try:
            async with self.writes.connection() as conn:
                yield conn
        except TRANSIENT as fault:
            raise unavailable(fault) from fault


def unavailable(fault: BaseException) -> Unavailable:
    """The refusal for a transient fault: 503, with a pause that lets a restarting Postgres come back."""
    if isinstance(fault, Unavailable):
        return fault
    return Unavailable(retry_after=1 if isinstance(fault, (PoolTimeout, TooManyRequests)) else 2)
