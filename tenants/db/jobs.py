"""The job queue: side effects outside the database run as jobs (ARCHITECTURE 4).

A job is enqueued in the transaction that decides on it. The queue's schema is not readable by requests, because a job's
arguments are data of its tenant or user.
"""

from __future__ import annotations

from typing import Any

import psycopg
from psycopg.types.json import Jsonb
from sqlalchemy import text
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.sql import bindparam

JOBS_SCHEMA = "jobs"

# A failed job is retried after 8 s, 64 s, 9 min, 68 min, 9 h, 3 days: a mail server may be down for a while.
MAX_ATTEMPTS = 6
RETRY_BACKOFF_BASE = 8  # seconds, to the power of the attempt


def enqueue_sql(task: str, args: str, lock: str = "NULL") -> str:
    """Return a scalar SQL expression that enqueues a job and returns its id, for use in a larger statement.

    The arguments are SQL expressions, never input: the task's name, its arguments (jsonb) and the queueing lock.
    """
    return f"app.enqueue({task}, {args}, {lock})"


_ENQUEUE = "SELECT " + enqueue_sql("%s", "%s", "%s")
_ENQUEUE_ORM = text("SELECT " + enqueue_sql(":task", ":args", ":lock")).bindparams(bindparam("args", type_=JSONB))


async def enqueue(session: AsyncSession, task: str, *, lock: str | None = None, **args: Any) -> None:
    """Enqueue a job in the session's transaction.

    `args` are the task's arguments; the database adds the tenant of the session as `tenant_id`. Of waiting jobs with
    the same `lock` there is at most one.
    """
    await session.execute(_ENQUEUE_ORM, {"task": task, "args": args, "lock": lock})


def enqueue_sync(conn: psycopg.Connection[Any], task: str, *, lock: str | None = None, **args: Any) -> None:
    """Enqueue a job in the connection's transaction, like `enqueue`."""
    conn.execute(_ENQUEUE, [task, Jsonb(args), lock])


def use_jobs_schema(conn: psycopg.Connection[Any]) -> None:
    """Let this transaction write the queue's tables: their triggers use unqualified table names."""
    conn.execute("SELECT set_config('search_path', %s, true)", [f"public, {JOBS_SCHEMA}"])
