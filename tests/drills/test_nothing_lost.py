"""kill -9 of Postgres and of workers during a stream of leads: whoever was thanked is there, once."""

from __future__ import annotations

import contextlib
import random
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import psycopg
import pytest

from porchlight import migrations
from porchlight.local.postgres import LocalPostgres
from tests.drills.sender import Crowd, leave
from tests.platform_.server import Serving, served
from tests.platform_.world import tell
from tests.support.ports import free_ports
from tests.support.product import eventually

pytestmark = pytest.mark.parts
BACK_WITHIN = 5.0  # seconds: the promise
LABELS = ["alpha", "beta"]


@pytest.fixture(scope="module")
def postgres(run_directory: Path) -> Iterator[LocalPostgres]:
    """A server that forces every commit to the disk, as in production."""
    made = LocalPostgres(run_directory / f"durable-{free_ports()}", free_ports(), durable=True)
    made.start()
    try:
        migrations.upgrade(made.owner_url)
        with psycopg.connect(made.overseer_url) as conn:
            for label in LABELS:
                tell(conn, label)
        yield made
    finally:
        made.stop()


def _kill_postgres(postgres: LocalPostgres) -> None:
    main = postgres._process
    assert main is not None
    for process in [*psutil.Process(main.pid).children(), main]:
        with contextlib.suppress(psutil.NoSuchProcess):
            process.kill()
    main.wait(10)
    postgres.release()


def _kill_worker(server: Serving) -> None:
    victim = random.choice(server.workers())
    victim.kill()
    eventually(
        "a new worker takes the place of the killed one",
        lambda: victim.pid not in [worker.pid for worker in server.workers()] and len(server.workers()) == 2,
    )


def _flows(crowd: Crowd, more: int = 20) -> None:
    target = len(crowd.acknowledged) + more
    eventually(f"{more} more leads are acknowledged", lambda: len(crowd.acknowledged) >= target, 60)


def _drill(postgres: LocalPostgres, rounds: int) -> None:
    waited: list[float] = []
    with served({"DATABASE_URL": postgres.app_url, "PORCHLIGHT_LIMITS": "off"}, workers=2) as server:
        with Crowd(server, LABELS, 6) as crowd:
            for _ in range(rounds):
                _flows(crowd)
                _kill_postgres(postgres)
                eventually("the outage is felt", lambda: leave(server, "alpha", "probe") not in (200, 201))
                postgres.start()
                back = time.monotonic()
                eventually("leads are taken again", lambda since=back: crowd.last_success > since, 30)
                waited.append(crowd.last_success - back)
                _flows(crowd)
                _kill_worker(server)
            _flows(crowd)
        assert server.ready(), "and the API was never restarted"
        assert set(crowd.statuses) <= {0, 200, 201, 503}, crowd.statuses
        with psycopg.connect(postgres.overseer_url) as conn:
            rows = conn.execute(
                "SELECT l.idempotency_key, g.label, count(*),"
                " (SELECT count(*) FROM jobs.procrastinate_jobs j WHERE j.args ->> 'lead_id' = min(l.id::text))"
                " FROM leads l JOIN gurus g ON g.id = l.tenant_id GROUP BY 1, 2"
            ).fetchall()
        kept = {key: (label, leads, told) for key, label, leads, told in rows}
        lost = [key for key, label in crowd.acknowledged.items() if kept.get(key) != (label, 1, 1)]
        assert lost == []
        assert all(leads == 1 for _, leads, _ in kept.values())
    print(
        f"\n{len(crowd.acknowledged)} leads acknowledged, 0 lost, 0 twice; Postgres and a worker killed {rounds} times;"
        f" first success {max(waited):.2f} s after Postgres was back at worst; answers {dict(crowd.statuses)}"
    )
    assert max(waited) <= BACK_WITHIN


def test_nothing_is_lost(postgres: LocalPostgres) -> None:
    _drill(postgres, 2)


@pytest.mark.drill
def test_nothing_is_lost_at_length(postgres: LocalPostgres) -> None:
    _drill(postgres, 15)
