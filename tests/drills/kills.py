"""SIGKILL of PostgreSQL and of workers."""

from __future__ import annotations

import contextlib
import os
import random
import subprocess
from collections.abc import Iterator
from pathlib import Path

import psutil

from porchlight.db import migrations
from porchlight_dev.postgres.server import LocalPostgres
from tests.fixtures.databases import Database
from tests.fixtures.ports import free_ports
from tests.fixtures.product import PROGRAM, eventually
from tests.porchlight.server import ServerProcess


@contextlib.contextmanager
def durable_postgres(run_directory: Path) -> Iterator[LocalPostgres]:
    """Run a migrated server that syncs every commit to disk, as in production."""
    postgres = LocalPostgres(run_directory / f"durable-{free_ports()}", free_ports(), durable=True)
    postgres.start()
    try:
        migrations.upgrade(postgres.owner_url)
        yield postgres
    finally:
        postgres.stop()


def kill_postgres(postgres: LocalPostgres) -> None:
    """Kill the server with its processes."""
    postmaster = postgres._process
    assert postmaster is not None
    for child in psutil.Process(postmaster.pid).children():
        with contextlib.suppress(psutil.NoSuchProcess):
            child.kill()
    postmaster.kill()
    postmaster.wait(10)
    postgres.release()


def kill_worker(server: ServerProcess) -> None:
    """Kill one worker and wait for its successor."""
    workers = server.workers()
    victim = random.choice(workers)
    victim.kill()
    eventually(
        "a new worker takes the place of the killed one",
        lambda: victim.pid not in [worker.pid for worker in server.workers()] and len(server.workers()) == len(workers),
    )


def start_worker(database: Database) -> subprocess.Popen[bytes]:
    """Start a worker of jobs, which the caller kills."""
    environment = os.environ | {
        "DATABASE_URL": database.app_url,
        "PORCHLIGHT_OVERSEER_DATABASE_URL": database.service_url,
        "PORCHLIGHT_EMBEDDINGS_URL": "off",
    }
    return subprocess.Popen([PROGRAM, "worker"], env=environment, stdout=subprocess.DEVNULL)
