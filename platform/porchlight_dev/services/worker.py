"""The job worker as a service."""

from __future__ import annotations

import asyncio
import datetime as dt
import signal

import psycopg

from porchlight_dev.environment import ROOT, DevEnvironment, program
from porchlight_dev.supervisor import DevService
from tenants.db.rows import fetch_value


def worker_service(environment: DevEnvironment) -> DevService:
    """Return the worker, which is ready when its heartbeat is in the database."""
    started_at = dt.datetime.now(dt.UTC)

    async def prepare() -> None:
        nonlocal started_at
        started_at = dt.datetime.now(dt.UTC)

    def has_heartbeat() -> bool:
        with psycopg.connect(environment.superuser_url, connect_timeout=3) as connection:
            query = "SELECT EXISTS (SELECT FROM jobs.procrastinate_workers WHERE last_heartbeat >= %s)"
            return bool(fetch_value(connection, bool, query, [started_at]))

    async def ready() -> bool:
        try:
            return await asyncio.to_thread(has_heartbeat)
        except psycopg.Error:
            return False

    argv = [program("porchlight"), "worker"]
    return DevService(
        name="worker",
        argv=lambda: argv,
        env=environment.env,
        prepare=prepare,
        ready=ready,
        # A graceful stop would write to the database, which dies with the same supervisor.
        death_signal=signal.SIGKILL,
        cwd=ROOT,
    )
