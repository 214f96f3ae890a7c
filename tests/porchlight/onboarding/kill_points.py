"""Publish a site repeatedly, with a SIGKILL at each statement; print the rows that remain after each kill.

python -m tests.porchlight.onboarding.kill_points APP_URL OVERSEER_URL USER_ID LABEL

Prints a line of JSON per kill: {"at": step, "killed": whether the step was reached, "left": rows by table}. Steps are
the statements of the transaction, its commit, and the time after it.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from collections.abc import Iterator
from typing import Any
from uuid import UUID

import psycopg
from sqlalchemy import event

from porchlight.features.onboarding import publishing
from tenants.db.pool import Database
from tenants.db.unit_of_work import unit_of_work

TABLES = ("memberships", "services", "guru_categories")
MAX_STATEMENTS = 60  # of the transaction


def _kill_self() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


async def _publish(app_url: str, user_id: UUID, label: str, at: int | str) -> None:
    db = Database(app_url)
    executed_count = 0

    def on_execute(*_: Any) -> None:
        nonlocal executed_count
        executed_count += 1
        if executed_count == at:
            _kill_self()

    def on_commit(*_: Any) -> None:
        if at == "commit":
            _kill_self()

    event.listen(db.engine.sync_engine, "after_cursor_execute", on_execute)
    event.listen(db.engine.sync_engine, "commit", on_commit)
    async with unit_of_work(db, user_id=user_id) as session:
        await publishing.publish(session, user_id, "guru@example.com", label)
        if isinstance(at, int):
            os._exit(0)  # no such statement: end the process, which rolls back the transaction
    if at == "after":
        _kill_self()


def _remaining_rows(service_url: str, user_id: UUID, label: str) -> dict[str, int]:
    with psycopg.connect(service_url) as conn:
        rows = {"gurus": conn.execute("SELECT count(*) FROM gurus WHERE label = %s", [label]).fetchone()}
        for table in TABLES:
            query = f"SELECT count(*) FROM {table} t JOIN gurus g ON g.id = t.tenant_id WHERE g.label = %s"
            rows[table] = conn.execute(query.encode(), [label]).fetchone()
        published = "SELECT count(*) FROM onboardings WHERE user_id = %s AND published IS NOT NULL"
        rows["published"] = conn.execute(published, [user_id]).fetchone()
    return {table: row[0] if row else -1 for table, row in rows.items()}


def _steps() -> Iterator[int | str]:
    yield from range(1, MAX_STATEMENTS)
    yield from ("commit", "after")


def main(app_url: str, service_url: str, user: str, label: str) -> None:
    """Kill at every step."""
    user_id, finished = UUID(user), False
    for at in _steps():
        if finished and isinstance(at, int):
            continue
        child = os.fork()  # no connection and no event loop is open here
        if child == 0:
            asyncio.run(_publish(app_url, user_id, label, at))
            os._exit(0)
        _, status = os.waitpid(child, 0)
        killed = os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL
        finished = finished or not killed
        print(
            json.dumps({"at": at, "killed": killed, "left": _remaining_rows(service_url, user_id, label)}), flush=True
        )


if __name__ == "__main__":
    main(*sys.argv[1:])
