"""Connections of jobs: kept for a while in the worker, because a new one costs as much as most jobs do."""

from __future__ import annotations

import select
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import psycopg
from psycopg_pool import ConnectionPool

from tenants.db.rows import Connection
from tenants.kit import timeouts

MAX_CONNECTIONS = 16  # of a role; a thread uses two at most
IDLE_SECONDS = 60.0  # until a connection that no job needs is closed

_pools: dict[str, ConnectionPool[Connection]] = {}


@contextmanager
def kept_connections(*dsns: str) -> Iterator[None]:
    """Keep the connections of `job_connection` to these roles open between jobs, until the end of the block."""
    with ExitStack() as stack:
        for dsn in dict.fromkeys(dsns):
            _pools[dsn] = stack.enter_context(_pool(dsn))
            stack.callback(_pools.pop, dsn)
        yield


@contextmanager
def job_connection(dsn: str) -> Iterator[Connection]:
    """Open a transaction with the time limits of jobs. It is committed at the end of the block, or rolled back."""
    pool = _pools.get(dsn)
    with pool.connection() if pool else psycopg.connect(dsn, options=_limits()) as conn:
        yield conn


def _pool(dsn: str) -> ConnectionPool[Connection]:
    # Nothing is prepared: a plan for all tenants would suit none, and would outlive a change of its table.
    return ConnectionPool(
        dsn,
        kwargs={"options": _limits(), "prepare_threshold": None},
        min_size=0,
        max_size=MAX_CONNECTIONS,
        max_idle=IDLE_SECONDS,
        num_workers=1,
        check=_check,
        open=True,
        name="jobs",
    )


def _check(conn: Connection) -> None:
    """Raise OperationalError if the server has closed an idle connection. It costs no round trip."""
    if select.select([conn.fileno()], [], [], 0)[0]:
        conn.close()  # otherwise the pool would offer it again
        raise psycopg.OperationalError("the server closed the connection")


def _limits() -> str:
    limits = timeouts.current
    return f"-c statement_timeout={limits.job_statement_ms} -c lock_timeout={limits.job_lock_ms}"
