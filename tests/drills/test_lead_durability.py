"""SIGKILL of PostgreSQL and of workers during a stream of leads: each acknowledged lead is stored exactly once."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from porchlight_dev.postgres.server import LocalPostgres
from tests.drills.kills import durable_postgres, kill_postgres, kill_worker
from tests.drills.lead_sender import LeadSenders, post_lead
from tests.fixtures.product import eventually
from tests.porchlight.factories import seed_guru
from tests.porchlight.server import run_server

pytestmark = pytest.mark.parts
MAX_RECOVERY_SECONDS = 5.0  # the required maximum
LABELS = ["alpha", "beta"]
LEAD_TASKS = ["leads:notify_guru", "leads:send_receipt"]


@pytest.fixture(scope="module")
def postgres(run_directory: Path) -> Iterator[LocalPostgres]:
    """A migrated server with two gurus."""
    with durable_postgres(run_directory) as server_process:
        with psycopg.connect(server_process.service_url) as conn:
            for label in LABELS:
                seed_guru(conn, label)
        yield server_process


def _wait_for_leads(senders: LeadSenders, more: int = 20) -> None:
    target = len(senders.acknowledged) + more
    eventually(f"{more} more leads are acknowledged", lambda: len(senders.acknowledged) >= target, 60)


def _recovery_seconds(senders: LeadSenders) -> float:
    """Wait for the next acknowledged lead and return how long it took."""
    restarted = time.monotonic()
    eventually("leads are acknowledged again", lambda: senders.last_success > restarted, 30)
    return senders.last_success - restarted


def _run_with_kills(postgres: LocalPostgres, rounds: int) -> None:
    recovery_times: list[float] = []
    with run_server({"DATABASE_URL": postgres.app_url, "PORCHLIGHT_LIMITS": "off"}, workers=2) as server:
        with LeadSenders(server, LABELS, 6) as senders:
            for _ in range(rounds):
                _wait_for_leads(senders)
                kill_postgres(postgres)
                eventually("leads fail in the outage", lambda: post_lead(server, "alpha", "probe") not in (200, 201))
                postgres.start()
                recovery_times.append(_recovery_seconds(senders))
                _wait_for_leads(senders)
                kill_worker(server)
            _wait_for_leads(senders)
        assert server.ready(), "and the API was never restarted"
        assert set(senders.statuses) <= {0, 200, 201, 503}, senders.statuses
        with psycopg.connect(postgres.service_url) as conn:
            rows = conn.execute(
                "SELECT l.idempotency_key, g.label, count(*),"
                " ARRAY(SELECT j.task_name FROM jobs.procrastinate_jobs j WHERE j.args ->> 'lead_id' = min(l.id::text)"
                "        ORDER BY 1)"
                " FROM leads l JOIN gurus g ON g.id = l.tenant_id GROUP BY 1, 2"
            ).fetchall()
        stored = {key: (label, leads, jobs) for key, label, leads, jobs in rows}
        lost = [key for key, label in senders.acknowledged.items() if stored.get(key) != (label, 1, LEAD_TASKS)]
        assert lost == []
        assert all(leads == 1 for _, leads, _ in stored.values())
    print(
        f"\n{len(senders.acknowledged)} leads acknowledged, 0 lost, 0 twice;"
        f" Postgres and a worker killed {rounds} times;"
        f" first success {max(recovery_times):.2f} s after the restart at worst; statuses {dict(senders.statuses)}"
    )
    assert max(recovery_times) <= MAX_RECOVERY_SECONDS


@pytest.mark.drill
def test_acknowledged_leads_survive_kills(postgres: LocalPostgres) -> None:
    _run_with_kills(postgres, 2)


@pytest.mark.drill
def test_acknowledged_leads_survive_many_kills(postgres: LocalPostgres) -> None:
    _run_with_kills(postgres, 15)
