"""(f) Whether cost grows with the number of gurus: the same requests and migrations in a small and in a large world."""

from __future__ import annotations

import contextlib
import os
import random
import statistics
import time
from dataclasses import dataclass

import psycopg
import pytest

from porchlight.local.postgres import LocalPostgres
from porchlight.seeds import stories, world
from tenants import roles
from tests.bench.conftest import BASE, Stage, make_stage
from tests.bench.figures import paired, show
from tests.bench.load import Plan, Result, saturate
from tests.bench.servers import Running, product

pytestmark = pytest.mark.bench

SMALL = 100
LARGE = int(os.environ.get("PORCHLIGHT_BENCH_GURUS", "20000"))  # 100,000 in a drill
POSTS_EACH = 3
VISITED = 2000
ROUNDS = 15
MIGRATION = """
ALTER TABLE posts ADD COLUMN bench text NOT NULL DEFAULT '';
CREATE TABLE bench (tenant_id uuid REFERENCES gurus (id) ON DELETE CASCADE, id uuid, PRIMARY KEY (tenant_id, id));
ALTER TABLE bench ENABLE ROW LEVEL SECURITY;
ALTER TABLE bench FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON bench TO porchlight_app USING (tenant_id = app.tid()) WITH CHECK (tenant_id = app.tid());
DROP POLICY tenant ON leads;
CREATE POLICY tenant ON leads TO porchlight_app USING (tenant_id = app.tid()) WITH CHECK (tenant_id = app.tid());
"""


@dataclass(frozen=True, slots=True)
class World:
    """A database with so many gurus, and a worker on it."""

    gurus: int
    stage: Stage
    worker: Running

    def plan(self, count: int = VISITED) -> Plan:
        """Homes of gurus from all over the world, none of them from a cache of pages."""
        chosen = random.Random(7).sample(range(self.gurus), min(count, self.gurus))
        labels = [world.label_of(number) for number in chosen]
        return Plan([(f"{label}.{BASE}", f"/api/gurus/{label}/home") for label in labels])

    def visit(self, seconds: float = 2) -> Result:
        """One burst of visits, from the plan's beginning."""
        result = saturate(self.worker.port, self.plan(), connections=4, seconds=seconds)
        assert result.failed == 0
        return result

    def get_known(self) -> None:
        """Visit everybody of the plan: both worlds are measured as running ones, neither as one just started."""
        seconds = 4.0
        while self.visit(seconds).requests < VISITED:
            seconds *= 2

    def migrate(self) -> float:
        """Milliseconds of a migration such as releases bring; undone at once."""
        with psycopg.connect(self.stage.url(roles.OWNER)) as owner:
            began = time.perf_counter()
            owner.execute(MIGRATION)
            took = time.perf_counter() - began
            owner.rollback()
        return took * 1e3


def test_many_gurus(durable_postgres: LocalPostgres) -> None:
    with contextlib.ExitStack() as stack:
        worlds = []
        for name, gurus in (("small", SMALL), ("large", LARGE)):
            stage = make_stage(durable_postgres, f"bench_{name}")
            world.build(stage.url(roles.OVERSEER), gurus, posts_each=POSTS_EACH)
            worker = stack.enter_context(product(stage.env, PORCHLIGHT_PAGE_CACHE="off"))
            worlds.append(World(gurus, stage, worker))
        small, large = worlds
        before = large.worker.memory[0]
        touched = min(LARGE, 10_000)
        saturate(large.worker.port, large.plan(touched), connections=8, seconds=max(2.0, touched / 700))
        after = large.worker.memory[0]
        small.get_known()
        large.get_known()
        pairs = [(large.visit(), small.visit()) for _ in range(ROUNDS)]
        for what in ("median", "p99"):
            ours, floor = (statistics.median(getattr(pair[side], what) for pair in pairs) for side in (0, 1))
            show(f"(f) {LARGE:,} gurus beside {SMALL}, {what}", ours, floor, "ms", most=1.1)
        migrated = paired(large.migrate, small.migrate, rounds=25)
        show(f"(f) {LARGE:,} gurus beside {SMALL}, migration", *migrated, "ms", most=1.1)
        idle = (after - before) * 1e6 / touched
        show("(f) memory of an idle guru", idle, None, "bytes", most=2000, note=f"{touched:,} visited once")


def test_worker_memory(stage: Stage) -> None:
    labels = [world.label_of(number) for number in range(400)]
    paths = ("/", "/about", "/blog", "/services", "/contact", "/feed.xml", "/api/gurus/{label}/home")
    targets = [(f"{label}.{BASE}", path.format(label=label)) for label in labels for path in paths]
    with product(stage.env) as worker:
        saturate(worker.port, Plan(targets, {"Accept-Encoding": "br"}), connections=8, seconds=20)
        busy = worker.memory[1]
        time.sleep(2)  # nobody waits for a page: it gives back what the engine held
        resident, proportional = worker.memory
    # What it shares with other workers, the engine's code above all, counts by its share.
    show(
        "(f) a worker, warm",
        proportional,
        None,
        "MB",
        most=200,
        note=f"PSS of one alone at rest, {busy:.0f} MB while busy; RSS {resident:.0f} MB",
    )


def test_seed_speed(durable_postgres: LocalPostgres) -> None:
    stage = make_stage(durable_postgres, "bench_seed")
    stories.tell_all(stage.url(roles.OVERSEER))
    began = time.perf_counter()
    world.build(stage.url(roles.OVERSEER), 10_000)
    took = time.perf_counter() - began
    with psycopg.connect(stage.url(roles.OVERSEER)) as conn:
        row = conn.execute("SELECT count(*) FROM posts p JOIN gurus g ON g.id = p.tenant_id AND g.label ~ '^guru-'")
        assert row.fetchone() == (200_000,)
    show("    seed --gurus 10000, 200,000 posts", took, None, "s", most=60)
