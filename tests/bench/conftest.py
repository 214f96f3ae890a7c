"""A durable PostgreSQL server for the benchmarks, with the stories told and a small world of gurus."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from uuid import UUID

import psycopg
import pytest

from porchlight import migrations
from porchlight.local.postgres import LocalPostgres
from porchlight.seeds import stories, world
from tenants import roles
from tests.support.ports import free_ports

BASE = "porchlight.localhost"
GURUS = 500  # of the small world


@dataclass(frozen=True, slots=True)
class Stage:
    """A database of the durable server, with its addresses by role."""

    postgres: LocalPostgres
    name: str

    def url(self, role: str) -> str:
        """The address for a role."""
        return self.postgres.url(role, self.name)

    @property
    def env(self) -> dict[str, str]:
        """What a worker of the product needs to know of it."""
        return {
            "DATABASE_URL": self.url(roles.APP),
            "PORCHLIGHT_OVERSEER_DATABASE_URL": self.url(roles.OVERSEER),
            "PORCHLIGHT_OWNER_DATABASE_URL": self.url(roles.OWNER),
        }

    def tenant(self, label: str) -> UUID:
        """A guru's tenant."""
        with psycopg.connect(self.url(roles.OVERSEER)) as conn:
            row = conn.execute("SELECT id FROM gurus WHERE label = %s", [label]).fetchone()
        if row is None:
            raise LookupError(label)
        found: UUID = row[0]
        return found


def make_stage(postgres: LocalPostgres, name: str) -> Stage:
    """A migrated database without rows."""
    roles.provision(postgres.superuser_url, database=name, passwords=postgres.passwords)
    stage = Stage(postgres, name)
    migrations.upgrade(stage.url(roles.OWNER))
    return stage


@pytest.fixture(scope="session")
def durable_postgres(run_directory: Path) -> Iterator[LocalPostgres]:
    """A server that forces every commit to the disk, as in production."""
    postgres = LocalPostgres(run_directory / "bench-postgres", free_ports(), durable=True)
    postgres.start()
    try:
        yield postgres
    finally:
        postgres.stop()


@pytest.fixture(scope="session")
def stage(durable_postgres: LocalPostgres) -> Stage:
    """The stories, 500 gurus with 20 posts each, and the table of the plain lead."""
    made = make_stage(durable_postgres, "bench")
    stories.tell_all(made.url(roles.OVERSEER))
    world.build(made.url(roles.OVERSEER), GURUS)
    with psycopg.connect(made.url(roles.OWNER)) as owner:
        owner.execute(
            "CREATE TABLE plain_leads (id uuid PRIMARY KEY, name text NOT NULL, email text NOT NULL,"
            " message text NOT NULL, created_at timestamptz NOT NULL DEFAULT now())"
        )
        owner.execute(f"GRANT INSERT ON plain_leads TO {roles.APP}")
    return made
