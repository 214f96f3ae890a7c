"""Publishes again and again, killed (-9) at one step boundary after another; prints what each kill left behind.

python -m tests.onboarding.crashing APP_URL OVERSEER_URL USER_ID LABEL

A line of JSON for each kill: {"at": step, "killed": whether it was reached, "left": rows by table}. Steps are the
statements of the transaction, then its commit, then the moment after it.
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

from porchlight.onboarding import publishing
from tenants.kit.db import Database
from tenants.session import unit_of_work

TABLES = ("memberships", "services", "guru_categories")
MOST = 60  # statements a publishing may have


def _die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


async def _publish(app_url: str, user_id: UUID, label: str, at: int | str) -> None:
    db = Database(app_url)
    done = 0

    def executed(*_: Any) -> None:
        nonlocal done
        done += 1
        if done == at:
            _die()

    def committing(*_: Any) -> None:
        if at == "commit":
            _die()

    event.listen(db.engine.sync_engine, "after_cursor_execute", executed)
    event.listen(db.engine.sync_engine, "commit", committing)
    async with unit_of_work(db, user_id=user_id) as session:
        await publishing.publish(session, user_id, "somebody@example.com", label)
        if isinstance(at, int):
            os._exit(0)  # nothing left to be killed at; the connection goes, and the transaction with it
    if at == "after":
        _die()


def _left(overseer_url: str, user_id: UUID, label: str) -> dict[str, int]:
    with psycopg.connect(overseer_url) as conn:
        left = {"gurus": conn.execute("SELECT count(*) FROM gurus WHERE label = %s", [label]).fetchone()}
        for table in TABLES:
            query = f"SELECT count(*) FROM {table} t JOIN gurus g ON g.id = t.tenant_id WHERE g.label = %s"
            left[table] = conn.execute(query.encode(), [label]).fetchone()
        query = b"SELECT count(*) FROM onboardings WHERE user_id = %s AND published IS NOT NULL"
        left["published"] = conn.execute(query, [user_id]).fetchone()
    return {table: row[0] if row else -1 for table, row in left.items()}


def _steps() -> Iterator[int | str]:
    yield from range(1, MOST)
    yield from ("commit", "after")


def main(app_url: str, overseer_url: str, user: str, label: str) -> None:
    """Kill at every step."""
    user_id, over = UUID(user), False
    for at in _steps():
        if over and isinstance(at, int):
            continue
        child = os.fork()  # no connection and no event loop is open here
        if child == 0:
            asyncio.run(_publish(app_url, user_id, label, at))
            os._exit(0)
        _, status = os.waitpid(child, 0)
        killed = os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL
        over = over or not killed
        print(json.dumps({"at": at, "killed": killed, "left": _left(overseer_url, user_id, label)}), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
