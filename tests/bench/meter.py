"""CPU time of requests to an app in this process, with that of its database server."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Callable, Coroutine
from typing import Any

import psutil
import psycopg


class Meter:
    """CPU milliseconds of this process, which runs the API, and of all processes of the database server.

    `url`: of a role that may read the server's settings.
    """

    def __init__(self, url: str) -> None:
        with psycopg.connect(url) as conn:
            (path,) = conn.execute("SELECT current_setting('data_directory')").fetchone() or ("",)
        with open(f"{path}/postmaster.pid", encoding="ascii") as file:
            self.postmaster = psutil.Process(int(file.readline()))

    def now(self) -> tuple[float, float]:
        """Return the CPU seconds so far of the API and of the database."""
        own = psutil.Process().cpu_times()
        servers = [self.postmaster, *self.postmaster.children(recursive=True)]
        return own.user + own.system, sum(sum(one.cpu_times()[:2]) for one in servers)

    async def cost(self, work: Callable[[], Coroutine[Any, Any, None]], count: int) -> tuple[float, float]:
        """Run `work`, which does something `count` times. Return what each cost the API and the database, in ms."""
        api, database = self.now()
        with contextlib.redirect_stdout(io.StringIO()):  # the app's log
            await work()
        api_after, database_after = self.now()
        return 1000 * (api_after - api) / count, 1000 * (database_after - database) / count

    async def spend(self, name: str, work: Callable[[], Coroutine[Any, Any, None]], count: int) -> None:
        """Run `work`, which does something `count` times, and print its cost each."""
        api_ms, database_ms = await self.cost(work, count)
        print(f"{name}: {api_ms + database_ms:.2f} ms CPU (API {api_ms:.2f}, PostgreSQL {database_ms:.2f})")
