"""Reconciliation in CPU time of the database server and of the worker, through Stripe's SDK."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Awaitable, Callable
from datetime import timedelta
from pathlib import Path

import psutil
import psycopg
import pytest

from porchlight.settlement.reconcile.run import Comparison, reconcile
from porchlight_dev.postgres.server import SUPERUSER, LocalPostgres
from tenants.db import roles
from tenants.kit import clock
from tests.bench.conftest import create_bench_database
from tests.bench.figures import print_figure
from tests.fixtures.databases import Database
from tests.porchlight.payouts.stripe_fake import StripeFake
from tests.porchlight.settlement.both_sides import BothSides
from tests.porchlight.settlement.many_payments import pay_plans

pytestmark = pytest.mark.bench

LINES = int(os.environ.get("PORCHLIGHT_BENCH_LINES", "20000"))
LEAST_LINES = 5000  # for each second


def server_seconds(postmaster: psutil.Process) -> float:
    """Return the CPU time of a database server with all its processes, those that have ended too."""
    alive = 0.0
    for process in postmaster.children():
        with contextlib.suppress(psutil.NoSuchProcess):  # it ended just now, and is counted below
            alive += sum(process.cpu_times()[:2])
    return alive + float(sum(postmaster.cpu_times()[:4]))


async def test_reconcile_lines_for_each_cpu_second(durable_postgres: LocalPostgres, tmp_path: Path) -> None:
    made = create_bench_database(durable_postgres, "bench_reconcile")
    database = Database(
        made.name, *(made.url(role) for role in (SUPERUSER, roles.OWNER_ROLE, roles.APP_ROLE, roles.SERVICE_ROLE))
    )
    with psycopg.connect(database.superuser_url) as conn, StripeFake(tmp_path) as fake:
        postmaster = psutil.Process(conn.info.backend_pid).parent()
        assert postmaster is not None
        sides = BothSides(database, fake)

        async def measured(run: Callable[[], Awaitable[Comparison]]) -> tuple[Comparison, float, float]:
            server, worker = server_seconds(postmaster), time.process_time()
            report = await run()
            return report, server_seconds(postmaster) - server, time.process_time() - worker

        await reconcile(database.service_url, sides.api, [])  # imports the modules of the SDK
        pay_plans(sides, LINES)
        until = clock.now() + timedelta(hours=3)
        for name, new in (("reconcile new lines", LINES), ("reconcile the same lines again", 0)):
            report, server, worker = await measured(lambda: reconcile(database.service_url, sides.api, [], until=until))
            assert (report.lines, report.findings) == (new, [])
            note = f"{server / LINES * 1e6:.0f} µs of the server and {worker / LINES * 1e6:.0f} µs of the worker a line"
            print_figure(name, LINES / (server + worker), None, "/s", least=LEAST_LINES, note=note)
        await sides.api.close()
