"""Thousands of messages between two people while workers are killed: one order, gapless changes, right counters."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from porchlight_dev.postgres.server import LocalPostgres
from tests.drills.bookers import open_client
from tests.drills.kills import durable_postgres, kill_worker
from tests.fixtures.databases import Database
from tests.fixtures.identity import PROJECT, CertificateServer, Signer, certificates, signer
from tests.porchlight.angels.users import register_user
from tests.porchlight.messages.conversation import check_conversation, converse
from tests.porchlight.server import ServerProcess, run_server

__all__ = ["certificates", "signer"]
pytestmark = [pytest.mark.drill, pytest.mark.parts]
MESSAGES = 4_998
KILL_SECONDS = 3.0


@pytest.fixture(scope="module")
def postgres(run_directory: Path) -> Iterator[LocalPostgres]:
    """A migrated server."""
    with durable_postgres(run_directory) as server_process:
        yield server_process


@pytest.fixture(scope="module")
def server(postgres: LocalPostgres, certificates: CertificateServer) -> Iterator[ServerProcess]:
    """Three workers."""
    env = {
        "DATABASE_URL": postgres.app_url, "PORCHLIGHT_LIMITS": "off", "FIREBASE_PROJECT_ID": PROJECT,
        "PORCHLIGHT_ENV": "development", "PORCHLIGHT_FIREBASE_CERTS_URL": certificates.url,
    }  # fmt: skip
    with run_server(env, workers=3) as running:
        yield running


async def test_messages_survive_killed_workers(server: ServerProcess, postgres: LocalPostgres, signer: Signer) -> None:
    database = Database("porchlight", "", postgres.owner_url, postgres.app_url, postgres.service_url)
    async with open_client(server) as client:
        people = (
            await register_user(client, signer, database, "Zoe Drill"),
            await register_user(client, signer, database, "Theo Drill"),
        )
        talking = asyncio.create_task(converse(people, MESSAGES, seed=11))
        while not talking.done():
            await asyncio.wait([talking], timeout=KILL_SECONDS)
            if not talking.done():
                await asyncio.to_thread(kill_worker, server)
        check_conversation(await talking, MESSAGES, postgres.service_url)
