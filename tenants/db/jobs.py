"""The job queue: side effects outside the database run as jobs (docs/data.md).

A job is enqueued in the transaction that decides on it. The queue's schema is not readable by requests, because a job's
arguments are data of its tenant or user.
"""

from __future__ import annotations

from typing import Any

from psycopg.types.json import Jsonb
from sqlalchemy import text
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.sql import bindparam

from tenants.db.rows import Connection, fetch_value

JOBS_SCHEMA = "jobs"

# A failed job is retried after 8 s, 64 s, 9 min, 68 min, 9 h, 3 days: a mail server may be down for a while.
MAX_ATTEMPTS = 6
RETRY_BACKOFF_BASE = 8  # seconds, to the power of the attempt


_ENQUEUE_TASK = text("SELECT app.enqueue_task(:task, :args, :once)").bindparams(bindparam("args", type_=JSONB))
_ENQUEUE = "SELECT app.enqueue(%s, %s, %s)"


async def enqueue(session: AsyncSession, task: str, *, once: bool = False, **args: Any) -> None:
    """Enqueue a job of the session's tenant or user in its transaction.

    `args` are the task's arguments. With `once`, the job is not added while one of this task waits for the same tenant
    or user. The database refuses tasks that requests may not enqueue (functions/enqueue_task.sql).
    """
    await session.execute(_ENQUEUE_TASK, {"task": task, "args": args, "once": once})


def enqueue_task_sql(task: str, args: str) -> str:
    """Return a scalar SQL expression like `enqueue`, for use in a larger statement.

    The arguments are SQL expressions, never input: the task's name and its arguments (jsonb).
    """
    return f"app.enqueue_task({task}, {args}, false)"


def enqueue_as_service(conn: Connection, task: str, *, lock: str | None = None, **args: Any) -> int | None:
    """Enqueue a job in the transaction of a connection of the service role. Return its id.

    `tenant_id` or `user_id` in `args` is the tenant or the user that the job runs as. Of waiting jobs with the same
    `lock` there is at most one; then it returns None.
    """
    return fetch_value(conn, int, _ENQUEUE, [task, Jsonb(args), lock])


def use_jobs_schema(conn: Connection) -> None:
    """Let this transaction write the queue's tables: their triggers use unqualified table names."""
    conn.execute("SELECT set_config('search_path', %s, true)", [f"public, {JOBS_SCHEMA}"])
