"""Connection pools, and reads and writes in one round trip.

Each worker has two pools: `reads` for pages, `writes` for statements that wait for rows or the disk, so that a locked
table never delays a page. Reads and single-statement writes run in a raw psycopg pipeline (docs/data.md: 236 µs, with
the ORM 620 µs); work of several steps runs in `tenants.db.unit_of_work`.
"""

from __future__ import annotations

import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from typing import TypeVar, overload
from uuid import UUID

import psycopg
from psycopg import AsyncConnection, pq
from psycopg_pool import AsyncConnectionPool, PoolTimeout, TooManyRequests
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from tenants.db.pipeline import (
    STALE_PLAN_ERRORS,
    Statement,
    TenantConnection,
    begin_for_tenant,
    commit_with,
    execute_all_for_tenant,
    execute_for_tenant,
    roll_back,
)
from tenants.db.read_timeout import ReadTimeoutConnection
from tenants.db.rows import Columns, Params, RowMaker, by_name, first_column, unpacked
from tenants.kit import timeouts
from tenants.kit.errors import Unavailable

T = TypeVar("T")

BLOCKED_SECONDS = 1.0  # a read that met a lock is rejected for so long, so that other reads find a connection
MAX_WAITING_REQUESTS = 400  # per pool

# Errors of a server or a pool that cannot serve the request now. The client can retry.
TRANSIENT_ERRORS = (
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

logging.getLogger("psycopg.pool").setLevel(logging.ERROR)  # it logs a warning per second while Postgres is down


def sqlalchemy_url(dsn: str) -> str:
    """Convert a libpq URL to SQLAlchemy's form."""
    return dsn.replace("postgresql://", "postgresql+psycopg://", 1).replace("postgres://", "postgresql+psycopg://", 1)


class Database:
    """The pools of one process for one role. Open it before use, and close it.

    The pool for writes is larger: a write mostly waits for the disk, and concurrent commits share one flush.
    `force_custom_plan` plans each read for its parameters: worthwhile for few reads whose parameters differ a lot.
    """

    def __init__(self, dsn: str, *, reads: int = 4, writes: int = 12, force_custom_plan: bool = False) -> None:
        self.dsn = dsn
        self._force_custom_plan = force_custom_plan
        self._blocked_until: dict[str, float] = {}  # by the text of reads that met a lock
        self.reads = self._pool(dsn, reads, "reads")
        self.writes = self._pool(dsn, writes, "writes")
        self.engine: AsyncEngine = create_async_engine(
            sqlalchemy_url(dsn),
            pool_size=2,
            max_overflow=2,
            pool_timeout=timeouts.current.pool_seconds,
            connect_args={
                "connect_timeout": timeouts.current.connect_seconds,
                "async_creator_fn": ReadTimeoutConnection.connect,
            },
        )

    @staticmethod
    def _pool(dsn: str, size: int, name: str) -> AsyncConnectionPool[TenantConnection]:
        return AsyncConnectionPool(
            dsn,
            connection_class=TenantConnection,
            min_size=1,
            max_size=size,
            max_waiting=MAX_WAITING_REQUESTS,
            timeout=timeouts.current.pool_seconds,
            reconnect_timeout=timeouts.current.reconnect_seconds,
            name=name,
            open=False,
            kwargs={"autocommit": True, "prepare_threshold": 2, "connect_timeout": timeouts.current.connect_seconds},
        )

    async def open(self) -> None:
        """Open the pools without waiting for Postgres: until it is up, requests get a 503."""
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

    @overload
    async def read(
        self, tenant_id: UUID | None, query: str, params: Params = (), *, user_id: UUID | None = None
    ) -> list[Columns]: ...

    @overload
    async def read(
        self, tenant_id: UUID | None, query: str, params: Params = (), *, row: type[T], user_id: UUID | None = None
    ) -> list[T]: ...

    async def read(
        self,
        tenant_id: UUID | None,
        query: str,
        params: Params = (),
        *,
        row: type[T] | None = None,
        user_id: UUID | None = None,
    ) -> list[T] | list[Columns]:
        """Return the rows of one query that the tenant or the user can see: one round trip, one transaction.

        They are objects of the class `row`, whose fields have the names of the columns, or rows to unpack.

        A query on a dead connection is sent again on the next one: after a restart of the database, all that were idle
        are dead. Raise Unavailable when the database is down or the pool is exhausted.
        """
        if row is None:
            return await self._read(tenant_id, query, params, unpacked, user_id)
        return await self._read(tenant_id, query, params, by_name(row), user_id)

    async def read_values(
        self, kind: type[T], tenant_id: UUID | None, query: str, params: Params = (), *, user_id: UUID | None = None
    ) -> list[T]:
        """Return the first column of the rows, like `read`. `kind` is the type that the column has."""
        del kind
        return await self._read(tenant_id, query, params, first_column, user_id)

    async def read_value(
        self, kind: type[T], tenant_id: UUID | None, query: str, params: Params = (), *, user_id: UUID | None = None
    ) -> T | None:
        """Return the first column of the first row, like `read_values`; None without a row or for NULL."""
        return next(iter(await self.read_values(kind, tenant_id, query, params, user_id=user_id)), None)

    async def _read(
        self, tenant_id: UUID | None, query: str, params: Params, make_rows: RowMaker[T], user_id: UUID | None
    ) -> list[T]:
        self._check_blocked(query)
        return await self._execute(self.reads, tenant_id, query, params, make_rows, user_id=user_id, fail_fast=True)

    @overload
    async def write(
        self, tenant_id: UUID | None, query: str, params: Params = (), *, user_id: UUID | None = None
    ) -> list[Columns]: ...

    @overload
    async def write(
        self, tenant_id: UUID | None, query: str, params: Params = (), *, row: type[T], user_id: UUID | None = None
    ) -> list[T]: ...

    async def write(
        self,
        tenant_id: UUID | None,
        query: str,
        params: Params = (),
        *,
        row: type[T] | None = None,
        user_id: UUID | None = None,
    ) -> list[T] | list[Columns]:
        """Run one statement that writes, like `read`. It can be sent more than once, so it must be idempotent."""
        if row is None:
            return await self._execute(self.writes, tenant_id, query, params, unpacked, user_id=user_id)
        return await self._execute(self.writes, tenant_id, query, params, by_name(row), user_id=user_id)

    async def write_value(
        self, kind: type[T], tenant_id: UUID | None, query: str, params: Params = (), *, user_id: UUID | None = None
    ) -> T | None:
        """Run one statement like `write`. Return the first column of its first row, like `read_value`."""
        del kind
        values: list[T] = await self._execute(self.writes, tenant_id, query, params, first_column, user_id=user_id)
        return next(iter(values), None)

    async def read_together(
        self, tenant_id: UUID | None, statements: Sequence[Statement], *, user_id: UUID | None = None
    ) -> list[list[Columns]]:
        """Return the rows of several queries, like `read`, in one round trip. Each query sees its own moment."""
        for query, _ in statements:
            self._check_blocked(query)

        async def run(conn: TenantConnection) -> list[list[Columns]]:
            return await execute_all_for_tenant(conn, tenant_id, statements, unpacked, user_id=user_id, fail_fast=True)

        return await self._run(self.reads, run, fail_fast=statements[0][0])

    async def write_once(
        self, tenant_id: UUID | None, statement: Statement, *, user_id: UUID | None = None
    ) -> list[Columns]:
        """Run one statement that writes, like `write`, but never send it again."""

        async def run(conn: TenantConnection) -> list[Columns]:
            query, params = statement
            return await execute_for_tenant(conn, tenant_id, query, params, unpacked, user_id=user_id)

        return await self._run(self.writes, run, is_resendable=lambda: False)

    async def decide(
        self,
        tenant_id: UUID | None,
        lock: Statement | None,
        read: Statement,
        decide: Callable[[Sequence[Columns]], Statement | None],
        *,
        user_id: UUID | None = None,
    ) -> list[Columns]:
        """Lock, read, decide and write in one transaction of two round trips. Return the rows of the write.

        Without `lock`, the read locks what it has to.

        `decide` gets the rows of `read`, and returns the statement that writes, or None for nothing to write. It runs
        while the lock is held, so it only computes. A read on a dead connection is sent again, a write is not.

        Raise Unavailable like `read`.
        """
        is_deciding = False

        async def run(conn: TenantConnection) -> list[Columns]:
            nonlocal is_deciding
            is_deciding = False
            try:
                rows = await begin_for_tenant(
                    conn, tenant_id, [lock, read] if lock else [read], unpacked, user_id=user_id
                )
                is_deciding = True
                write = decide(rows)
                if write is not None:
                    return await commit_with(conn, write, unpacked)
                return []
            finally:
                if not conn.closed and conn.info.transaction_status != pq.TransactionStatus.IDLE:
                    await roll_back(conn)

        return await self._run(self.writes, run, is_resendable=lambda: not is_deciding)

    async def _execute(
        self,
        pool: AsyncConnectionPool[TenantConnection],
        tenant_id: UUID | None,
        query: str,
        params: Params,
        make_rows: RowMaker[T],
        *,
        user_id: UUID | None,
        fail_fast: bool = False,
    ) -> list[T]:
        async def run(conn: TenantConnection) -> list[T]:
            return await execute_for_tenant(
                conn,
                tenant_id,
                query,
                params,
                make_rows,
                user_id=user_id,
                fail_fast=fail_fast,
                force_custom_plan=self._force_custom_plan,
            )

        return await self._run(pool, run, fail_fast=query if fail_fast else "")

    async def _run(
        self,
        pool: AsyncConnectionPool[TenantConnection],
        run: Callable[[TenantConnection], Awaitable[T]],
        *,
        fail_fast: str = "",
        is_resendable: Callable[[], bool] = lambda: True,
    ) -> T:
        """Run statements on a connection of a pool, and again on the next one if it is dead.

        `fail_fast` is the text of a read that fails for a second after it met a lock.
        """
        for attempt in range(1, pool.max_size + 2):
            started_at, is_broken = time.monotonic(), False
            try:
                async with pool.connection() as conn:
                    if fail_fast:
                        self._check_blocked(fail_fast)  # it may have met a lock while this request waited
                    started_at = time.monotonic()
                    try:
                        return await run(conn)
                    finally:
                        is_broken = conn.closed
            except STALE_PLAN_ERRORS:
                if attempt > pool.max_size:  # each connection has plans of its own
                    raise
            except TRANSIENT_ERRORS as error:
                if fail_fast and isinstance(error, psycopg.errors.LockNotAvailable):
                    self._blocked_until[fail_fast] = time.monotonic() + BLOCKED_SECONDS
                is_dead = is_broken and time.monotonic() - started_at < timeouts.current.dead_connection_seconds
                if attempt <= pool.max_size and is_dead and is_resendable():
                    continue
                raise unavailable(error) from error
        raise AssertionError("unreachable")  # pragma: no cover

    def _check_blocked(self, query: str) -> None:
        until = self._blocked_until.get(query)
        if until is not None and time.monotonic() < until:
            raise Unavailable(retry_after=1)

    @asynccontextmanager
    async def raw_connection(self) -> AsyncIterator[AsyncConnection[Columns]]:
        """Yield a raw connection of the write pool. Raise Unavailable like `read`."""
        try:
            async with self.writes.connection() as conn:
                yield conn
        except TRANSIENT_ERRORS as error:
            raise unavailable(error) from error


def unavailable(error: BaseException) -> Unavailable:
    """Convert a transient error to a 503, with a retry delay in which a restarting Postgres can come up."""
    if isinstance(error, Unavailable):
        return error
    return Unavailable(retry_after=1 if isinstance(error, (PoolTimeout, TooManyRequests)) else 2)
