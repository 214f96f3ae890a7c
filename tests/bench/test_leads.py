"""(d) A durable lead with limits, idempotency and notification, compared with FastAPI and one durable INSERT."""

from __future__ import annotations

import json

import psycopg
import pytest

from tenants.db import roles
from tests.bench.conftest import BASE, GURUS, BenchDatabase
from tests.bench.figures import paired, print_figure
from tests.bench.load import Plan, saturate
from tests.bench.servers import plain_api, product

pytestmark = pytest.mark.bench

LEAD = json.dumps(
    {
        "name": "Ada Alvarez",
        "email": "ada@example.com",
        "message": "Could you teach my daughter to bake bread? We live two streets away.",
        "consent": True,
    }
)
JSON = {"Content-Type": "application/json"}


def gurus_plan() -> Plan:
    """Return leads to all generated gurus in turn."""
    gurus = [f"guru-{number:06d}" for number in range(GURUS)]
    return Plan([(f"{label}.{BASE}", f"/api/gurus/{label}/leads") for label in gurus], JSON, LEAD, keyed=True)


def age_leads(database: BenchDatabase) -> None:
    """Move the leads of earlier rounds out of this hour. Otherwise they would count as a flood."""
    with psycopg.connect(database.url(roles.SERVICE_ROLE)) as conn:
        conn.execute(
            "UPDATE leads SET created_at = created_at - interval '2 hours'"
            " WHERE idempotency_key LIKE 'bench-%' AND created_at > app.now() - interval '1 hour'"
        )


def test_durable_lead_rate(bench_database: BenchDatabase) -> None:
    ours_plan = gurus_plan()
    baseline_plan = Plan([("baseline", "/leads")], JSON, LEAD)
    acknowledged = 0
    with product(bench_database.env) as ours, plain_api(bench_database.url(roles.APP_ROLE)) as baseline:

        def lead() -> float:
            nonlocal acknowledged
            age_leads(bench_database)
            result = saturate(ours.port, ours_plan)
            assert result.failed == 0
            acknowledged += result.requests
            return result.rate

        def plain() -> float:
            result = saturate(baseline.port, baseline_plan)
            assert result.failed == 0
            return result.rate

        lead()
        plain()
        figures = paired(lead, plain)
    with psycopg.connect(bench_database.url(roles.SERVICE_ROLE)) as conn:
        row = conn.execute(
            "SELECT current_setting('synchronous_commit'), current_setting('fsync'),"
            " (SELECT count(*) FROM leads WHERE idempotency_key LIKE 'bench-%%'),"
            " (SELECT count(*) FROM jobs.procrastinate_jobs WHERE task_name = 'leads:notify_guru')"
        ).fetchone()
    assert row is not None
    commit, fsync, stored, jobs = row
    assert (commit, fsync) == ("on", "on")
    assert stored == jobs >= acknowledged
    print_figure("(d) durable lead", *figures, "/s", least=0.5, note=f"{stored:,} leads, a job each")
