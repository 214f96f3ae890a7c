"""PostgreSQL as a service."""

from __future__ import annotations

import asyncio
import signal

from porchlight_dev.environment import DevEnvironment
from porchlight_dev.supervisor import DevService


def postgres_service(environment: DevEnvironment) -> DevService:
    """Return the database server."""
    postgres = environment.postgres
    return DevService(
        name="postgres",
        argv=postgres.argv,
        env=postgres.env(),
        prepare=lambda: asyncio.to_thread(postgres.prepare),
        ready=lambda: asyncio.to_thread(postgres.is_ready),
        after_ready=lambda: asyncio.to_thread(postgres.provision),
        # A fast shutdown: PostgreSQL disconnects its clients and keeps every committed row.
        stop_signal=signal.SIGINT,
        death_signal=signal.SIGINT,
        account=lambda: postgres.account,
        stop_seconds=30,
    )
