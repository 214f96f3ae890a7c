"""The app with a name server of its own, and two gurus without domains."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from typing import Any

import psycopg
import pytest

from porchlight.app import Porchlight
from tests.fixtures.databases import Database
from tests.fixtures.dns_server import DnsServer, run_dns_server
from tests.fixtures.identity import PROJECT, Emulator
from tests.porchlight.app_client import run_app
from tests.porchlight.owner import GuruOwner, create_owner
from tests.porchlight.plans.grants import grant_plan


@pytest.fixture(scope="module")
def dns_server() -> Iterator[DnsServer]:
    """A running name server."""
    with run_dns_server() as server:
        yield server


@pytest.fixture
def dns(dns_server: DnsServer) -> DnsServer:
    """The name server, without records."""
    dns_server.zone.clear()
    dns_server.is_silent = False
    return dns_server


@pytest.fixture(scope="module")
async def app(database: Database, emulator: Emulator, dns_server: DnsServer) -> AsyncIterator[Porchlight]:
    """The app, which asks the name server of the tests."""
    settings = {"firebase_project_id": PROJECT, "firebase_emulator_host": emulator.host}
    async with run_app(database, dns_servers=dns_server.address, **settings) as created:
        yield created


@pytest.fixture(scope="module")
async def both(app: Porchlight, emulator: Emulator, database: Database) -> AsyncIterator[list[GuruOwner]]:
    """The owners of `alpha` and `beta`."""
    with psycopg.connect(database.service_url, autocommit=True) as conn:
        owners = [await create_owner(app, emulator, conn, label) for label in ("alpha", "beta")]
    for owner in owners:
        grant_plan(database, owner.guru.owner)
    yield owners
    for owner in owners:
        await owner.web.aclose()


@pytest.fixture
def rosa(both: list[GuruOwner], service_db: psycopg.Connection[Any]) -> GuruOwner:
    """The owner of `alpha`. No guru has a domain."""
    service_db.execute("DELETE FROM domains")
    service_db.execute("DELETE FROM domain_checks")
    return both[0]


@pytest.fixture
def theo(both: list[GuruOwner]) -> GuruOwner:
    """The owner of `beta`."""
    return both[1]
