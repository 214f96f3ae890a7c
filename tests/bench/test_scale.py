"""(f) Cost of requests and migrations with few and with many gurus."""

from __future__ import annotations

import contextlib
import os
import random
import statistics
import time
from dataclasses import dataclass

import psycopg
import pytest

from porchlight.demo_data import bulk_data
from porchlight.demo_data import gurus as demo_gurus
from porchlight_dev.postgres.server import LocalPostgres
from tenants.db import roles
from tests.bench.conftest import BASE, BenchDatabase, create_bench_database
from tests.bench.figures import paired, print_figure
from tests.bench.load import Plan, Result, saturate
from tests.bench.servers import Running, product

pytestmark = pytest.mark.bench

SMALL_COUNT = 100
LARGE_COUNT = int(os.environ.get("PORCHLIGHT_BENCH_GURUS", "20000"))  # 100,000 for a soak test
POSTS_EACH = 3
VISITED_GURUS = 2000
ROUNDS = 15
MIGRATION = """
ALTER TABLE posts ADD COLUMN bench text NOT NULL DEFAULT '';
CREATE TABLE bench (tenant_id uuid REFERENCES gurus (id) ON DELETE CASCADE, id uuid, PRIMARY KEY (tenant_id, id));
ALTER TABLE bench ENABLE ROW LEVEL SECURITY;
ALTER TABLE bench FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON bench TO porchlight_app USING (tenant_id = app.tenant_id())
  WITH CHECK (tenant_id = app.tenant_id());
DROP POLICY tenant ON leads;
CREATE POLICY tenant ON leads TO porchlight_app USING (tenant_id = app.tenant_id())
  WITH CHECK (tenant_id = app.tenant_id());
"""


@dataclass(frozen=True, slots=True)
class GuruPopulation:
    """A database with a number of gurus, and a worker."""

    gurus: int
    bench_database: BenchDatabase
    worker: Running

    def plan(self, count: int = VISITED_GURUS) -> Plan:
        """Return requests for the home pages of random gurus."""
        chosen = random.Random(7).sample(range(self.gurus), min(count, self.gurus))
        labels = [bulk_data.bulk_label(number) for number in chosen]
        return Plan([(f"{label}.{BASE}", f"/api/gurus/{label}/home") for label in labels])

    def visit(self, seconds: float = 2) -> Result:
        """Run one burst of requests, from the start of the plan."""
        result = saturate(self.worker.port, self.plan(), connections=4, seconds=seconds)
        assert result.failed == 0
        return result

    def warm_up(self) -> None:
        """Visit every guru of the plan, so that both workers are warm."""
        seconds = 4.0
        while self.visit(seconds).requests < VISITED_GURUS:
            seconds *= 2

    def migrate(self) -> float:
        """Return the milliseconds of a typical migration, which is rolled back."""
        with psycopg.connect(self.bench_database.url(roles.OWNER_ROLE)) as owner:
            began = time.perf_counter()
            owner.execute(MIGRATION)
            seconds = time.perf_counter() - began
            owner.rollback()
        return seconds * 1e3


def test_many_gurus_request_cost(durable_postgres: LocalPostgres) -> None:
    with contextlib.ExitStack() as stack:
        populations = []
        for name, gurus in (("small", SMALL_COUNT), ("large", LARGE_COUNT)):
            bench_database = create_bench_database(durable_postgres, f"bench_{name}")
            bulk_data.build(bench_database.url(roles.SERVICE_ROLE), gurus, posts_per_guru=POSTS_EACH)
            worker = stack.enter_context(product(bench_database.env, PORCHLIGHT_PAGE_CACHE="off"))
            populations.append(GuruPopulation(gurus, bench_database, worker))
        small, large = populations
        before = large.worker.memory[0]
        visited_count = min(LARGE_COUNT, 10_000)
        saturate(large.worker.port, large.plan(visited_count), connections=8, seconds=max(2.0, visited_count / 700))
        after = large.worker.memory[0]
        small.warm_up()
        large.warm_up()
        pairs = [(large.visit(), small.visit()) for _ in range(ROUNDS)]
        for what in ("median", "p99"):
            ours, baseline = (statistics.median(getattr(pair[side], what) for pair in pairs) for side in (0, 1))
            print_figure(f"(f) {LARGE_COUNT:,} gurus beside {SMALL_COUNT}, {what}", ours, baseline, "ms", at_most=1.1)
        migrated = paired(large.migrate, small.migrate, rounds=25)
        print_figure(f"(f) {LARGE_COUNT:,} gurus beside {SMALL_COUNT}, migration", *migrated, "ms", at_most=1.1)
        idle = (after - before) * 1e6 / visited_count
        print_figure(
            "(f) memory of an idle guru", idle, None, "bytes", at_most=2000, note=f"{visited_count:,} visited once"
        )


def test_worker_memory_with_many_gurus(bench_database: BenchDatabase) -> None:
    labels = [bulk_data.bulk_label(number) for number in range(400)]
    paths = ("/", "/about", "/blog", "/services", "/contact", "/feed.xml", "/api/gurus/{label}/home")
    targets = [(f"{label}.{BASE}", path.format(label=label)) for label in labels for path in paths]
    with product(bench_database.env) as worker:
        saturate(worker.port, Plan(targets, {"Accept-Encoding": "br"}), connections=8, seconds=20)
        busy = worker.memory[1]
        time.sleep(2)  # the idle worker releases the render engine's memory
        resident, proportional = worker.memory
    # Memory shared with other workers, mostly the engine's code, counts proportionally.
    print_figure(
        "(f) a worker, warm",
        proportional,
        None,
        "MB",
        at_most=200,
        note=f"PSS of one alone at rest, {busy:.0f} MB while busy; RSS {resident:.0f} MB",
    )


def test_seed_load_time(durable_postgres: LocalPostgres) -> None:
    bench_database = create_bench_database(durable_postgres, "bench_seed")
    demo_gurus.load_all(bench_database.url(roles.SERVICE_ROLE))
    began = time.perf_counter()
    bulk_data.build(bench_database.url(roles.SERVICE_ROLE), 10_000)
    seconds = time.perf_counter() - began
    with psycopg.connect(bench_database.url(roles.SERVICE_ROLE)) as conn:
        row = conn.execute("SELECT count(*) FROM posts p JOIN gurus g ON g.id = p.tenant_id AND g.label ~ '^guru-'")
        assert row.fetchone() == (200_000,)
    print_figure("    seed --gurus 10000, 200,000 posts", seconds, None, "s", at_most=60)
