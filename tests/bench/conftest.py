"""A durable PostgreSQL server for the benchmarks, with the demo data and 500 generated gurus."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from uuid import UUID

import psycopg
import pytest

from porchlight.db import migrations
from porchlight.demo_data import bulk_data, gurus
from porchlight_dev.postgres.server import LocalPostgres
from tenants.db import roles
from tenants.db.clock_offset import set_clock
from tests.fixtures.ports import free_ports
from tests.fixtures.timeouts import default_timeouts

BASE = "porchlight.localhost"
GURUS = 500  # generated gurus


@dataclass(frozen=True, slots=True)
class BenchDatabase:
    """A database of the durable server, with its URLs by role."""

    postgres: LocalPostgres
    name: str

    def url(self, role: str) -> str:
        """Return the URL for a role."""
        return self.postgres.url(role, self.name)

    @property
    def env(self) -> dict[str, str]:
        """The environment of a worker of the product."""
        return {
            "DATABASE_URL": self.url(roles.APP_ROLE),
            "PORCHLIGHT_OVERSEER_DATABASE_URL": self.url(roles.SERVICE_ROLE),
            "PORCHLIGHT_OWNER_DATABASE_URL": self.url(roles.OWNER_ROLE),
        }

    def tenant(self, label: str) -> UUID:
        """Return a guru's tenant id."""
        with psycopg.connect(self.url(roles.SERVICE_ROLE)) as conn:
            row = conn.execute("SELECT id FROM gurus WHERE label = %s", [label]).fetchone()
        if row is None:
            raise LookupError(label)
        tenant_id: UUID = row[0]
        return tenant_id


def create_bench_database(postgres: LocalPostgres, name: str) -> BenchDatabase:
    """Create a migrated database without rows."""
    with default_timeouts():
        roles.provision(postgres.superuser_url, database=name, passwords=postgres.passwords)
    bench_database = BenchDatabase(postgres, name)
    migrations.upgrade(bench_database.url(roles.OWNER_ROLE))
    with psycopg.connect(postgres.superuser_url, autocommit=True) as conn:
        set_clock(conn, name)
    return bench_database


@pytest.fixture(scope="session")
def durable_postgres(run_directory: Path) -> Iterator[LocalPostgres]:
    """A server that syncs every commit to disk, as in production."""
    postgres = LocalPostgres(run_directory / "bench-postgres", free_ports(), durable=True)
    postgres.start()
    try:
        yield postgres
    finally:
        postgres.stop()


@pytest.fixture(scope="session")
def bench_database(durable_postgres: LocalPostgres) -> BenchDatabase:
    """The demo data, 500 gurus with 20 posts each, and the table for the baseline of leads."""
    bench_database = create_bench_database(durable_postgres, "bench")
    gurus.load_all(bench_database.url(roles.SERVICE_ROLE))
    bulk_data.build(bench_database.url(roles.SERVICE_ROLE), GURUS)
    with psycopg.connect(bench_database.url(roles.OWNER_ROLE)) as owner:
        owner.execute(
            "CREATE TABLE plain_leads (id uuid PRIMARY KEY, name text NOT NULL, email text NOT NULL,"
            " message text NOT NULL, created_at timestamptz NOT NULL DEFAULT now())"
        )
        owner.execute(f"GRANT INSERT ON plain_leads TO {roles.APP_ROLE}")
    return bench_database
