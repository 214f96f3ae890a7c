"""A flood of leads to one guru: the cost of a refused lead, and of an honest one beside thousands."""

from __future__ import annotations

import statistics
import time
from concurrent.futures import ProcessPoolExecutor

import psycopg
import pytest

from sites.context import LEADS_PER_HOUR
from tenants.db import roles
from tests.bench.conftest import BASE, BenchDatabase
from tests.bench.figures import number, paired, print_figure
from tests.bench.load import Plan, pace, saturate
from tests.bench.servers import product
from tests.bench.test_leads import JSON, LEAD, age_leads, gurus_plan

pytestmark = pytest.mark.bench

FLOODED = "cooking"
CALLS = 200
SHARES = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)  # of the refusals a second that a worker manages
SECONDS_EACH = 2.0
LIMITS = {
    "per_address": LEADS_PER_HOUR.per_address,
    "per_network": LEADS_PER_HOUR.per_network,
    "flood_from": LEADS_PER_HOUR.flood_from,
    "total": LEADS_PER_HOUR.total,
}
_FLOOD = """
INSERT INTO leads (tenant_id, id, name, email, message, address_hash, network_hash, idempotency_key, digest)
SELECT %s, gen_random_uuid(), 'x', 'x@x.example', 'x', int8send(n), int8send(n), 'flood-' || n, ''
  FROM generate_series(1, %s) n"""
_CHECK = """
SELECT app.flood_limit('leads', %(tenant)s, '', '', app.now() - interval '1 hour', %(is_proven)s,
                       %(per_address)s, %(per_network)s, %(flood_from)s, %(total)s)"""


@pytest.fixture(scope="module")
def flooded(bench_database: BenchDatabase) -> BenchDatabase:
    """The database with as many leads of one guru as an hour can have."""
    with psycopg.connect(bench_database.url(roles.SERVICE_ROLE)) as conn:
        conn.execute(_FLOOD, [bench_database.tenant(FLOODED), LEADS_PER_HOUR.total - 1])
    return bench_database


def test_refused_lead_rate(flooded: BenchDatabase) -> None:
    refused_plan = Plan([(f"{FLOODED}.{BASE}", f"/api/gurus/{FLOODED}/leads")], JSON, LEAD, keyed=True)
    with product(flooded.env) as server:

        def refused() -> float:
            result = saturate(server.port, refused_plan)
            assert result.failed == result.requests
            return result.rate

        def accepted() -> float:
            age_leads(flooded)
            result = saturate(server.port, gurus_plan())
            assert result.failed == 0
            return result.rate

        refused()
        figures = paired(refused, accepted)
    # A refusal reads whether the lead is a resend, but waits for no commit.
    print_figure("(d) lead refused in a flood", *figures, "/s", least=0.8)


def test_flood_check_of_honest_visitor(flooded: BenchDatabase) -> None:
    with psycopg.connect(flooded.url(roles.SERVICE_ROLE)) as conn:

        def milliseconds(label: str) -> float:
            params = {"tenant": flooded.tenant(label), "is_proven": True, **LIMITS}
            times = []
            for _ in range(CALLS):
                began = time.perf_counter()
                row = conn.execute(_CHECK, params).fetchone()
                times.append(time.perf_counter() - began)
                assert row == ("open",)
            return statistics.median(times) * 1000

        figures = paired(lambda: milliseconds(FLOODED), lambda: milliseconds("music"))
    print_figure("(d) check of an honest lead in a flood", *figures, "ms", at_most=10, ratio=False)


def test_flood_rate_that_slows_others(flooded: BenchDatabase) -> None:
    flood = Plan([(f"{FLOODED}.{BASE}", f"/api/gurus/{FLOODED}/leads")], JSON, LEAD, keyed=True)
    others = Plan([(f"music.{BASE}", "/")])
    # The flood has a process of its own, so that the others' requests do not wait for its generator.
    with product(flooded.env) as server, ProcessPoolExecutor(1) as attacker:

        def wait_beside(rate: float) -> float:
            attack = attacker.submit(pace, server.port, flood, rate, seconds=SECONDS_EACH + 1)
            wait = saturate(server.port, others, connections=1, seconds=SECONDS_EACH).median
            assert attack.result().failed == attack.result().requests
            return wait

        attacker.submit(saturate, server.port, flood).result()
        most = attacker.submit(saturate, server.port, flood).result().rate
        calm = saturate(server.port, others, connections=1, seconds=SECONDS_EACH).median
        waits = {share: wait_beside(most * share) for share in SHARES}
    share = next((share for share in SHARES if waits[share] >= 2 * calm), 1)
    note = f"of {number(most)}/s refused at most; a page in {calm:.2f} ms, " + ", ".join(
        f"{wait:.2f} at {number(most * share)}/s" for share, wait in waits.items()
    )
    print_figure("(d) leads a second that slow others by 2x", most * share, None, "/s", least=100, note=note)
