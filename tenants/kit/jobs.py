"""Side effects outside the database are jobs, enqueued in the transaction that decides on them (DESIGN 4)."""

from __future__ import annotations

from typing import Any

import psycopg

# The queue of jobs lives in a schema of its own, which requests cannot read: a job carries data of its tenant.
SCHEMA = "jobs"

# A scalar SQL expression that enqueues one job and answers its id. Its three arguments, in order: the task's name, its
# arguments (jsonb, with the tenant in `tenant_id`), and a queueing lock (two waiting jobs never share one) or NULL.
ENQUEUE = "app.enqueue"

# A job that fails is tried again after 8 s, 64 s, 9 min, 68 min, 9 h, 3 days: a mail server may be away for a while.
ATTEMPTS = 6
PATIENCE = 8  # to the power of the attempts, in seconds


def see_queue(conn: psycopg.Connection[Any]) -> None:
    """Let this transaction change the queue's tables: their triggers name other tables without the schema."""
    conn.execute("SELECT set_config('search_path', %s, true)", [f"public, {SCHEMA}"])
