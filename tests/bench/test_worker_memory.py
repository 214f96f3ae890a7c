"""(p) Memory of an idle job worker: as it starts, and after its first periodic tasks."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import LiteralString

import psutil
import psycopg
import pytest

from tenants.db import roles
from tests.bench.conftest import BenchDatabase
from tests.bench.figures import print_figure
from tests.fixtures.product import eventually

pytestmark = pytest.mark.bench
PERIODIC_SECONDS = 90  # most periodic tasks run each minute


def test_job_worker_memory_when_idle(bench_database: BenchDatabase) -> None:
    service_dsn = bench_database.url(roles.SERVICE_ROLE)

    def counted(statement: LiteralString) -> int:
        with psycopg.connect(service_dsn) as conn:
            return len(conn.execute(statement).fetchall())

    connected = "SELECT FROM pg_stat_activity WHERE application_name = 'porchlight-worker'"
    done = "SELECT FROM jobs.procrastinate_jobs WHERE status = 'succeeded'"
    argv = [str(Path(sys.executable).with_name("porchlight")), "worker"]
    with subprocess.Popen(argv, env=os.environ | dict(bench_database.env), stdout=subprocess.DEVNULL) as process:
        worker = psutil.Process(process.pid)
        try:
            eventually("the worker is connected", lambda: counted(connected) > 0)
            first = worker.memory_full_info().uss / 1e6
            before = counted(done)
            eventually("periodic tasks have run", lambda: counted(done) >= before + 5, PERIODIC_SECONDS)
            later = worker.memory_full_info()
        finally:
            process.terminate()
    print_figure("(p) job worker, started", first, None, "MB", at_most=100, note="memory of its own")
    print_figure(
        "(p) job worker, after periodic tasks",
        later.uss / 1e6,
        None,
        "MB",
        at_most=100,
        note=f"RSS {later.rss / 1e6:.0f} MB",
    )
