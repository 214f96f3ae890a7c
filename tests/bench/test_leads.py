"""(d) A durable lead with its limits, idempotency and notification, beside FastAPI with one durable INSERT."""

from __future__ import annotations

import json

import psycopg
import pytest

from tenants import roles
from tests.bench.conftest import BASE, GURUS, Stage
from tests.bench.figures import paired, show
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


def test_durable_lead(stage: Stage) -> None:
    gurus = [f"guru-{number:06d}" for number in range(GURUS)]
    ours_plan = Plan([(f"{label}.{BASE}", f"/api/gurus/{label}/leads") for label in gurus], JSON, LEAD, keyed=True)
    floor_plan = Plan([("floor", "/leads")], JSON, LEAD)
    acknowledged = 0
    with product(stage.env) as ours, plain_api(stage.url(roles.APP)) as floor:

        def lead() -> float:
            nonlocal acknowledged
            result = saturate(ours.port, ours_plan)
            assert result.failed == 0
            acknowledged += result.requests
            return result.rate

        def plain() -> float:
            result = saturate(floor.port, floor_plan)
            assert result.failed == 0
            return result.rate

        lead()
        plain()
        figures = paired(lead, plain)
    with psycopg.connect(stage.url(roles.OVERSEER)) as conn:
        row = conn.execute(
            "SELECT current_setting('synchronous_commit'), current_setting('fsync'),"
            " (SELECT count(*) FROM leads WHERE idempotency_key LIKE 'bench-%%'),"
            " (SELECT count(*) FROM jobs.procrastinate_jobs WHERE task_name = 'tell_guru_of_lead')"
        ).fetchone()
    assert row is not None
    commit, force, kept, jobs = row
    assert (commit, force) == ("on", "on")
    assert kept == jobs >= acknowledged
    show("(d) durable lead", *figures, "/s", least=0.5, note=f"{kept:,} leads, a job each")
