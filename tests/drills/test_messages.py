"""Thousands of messages while workers are killed: one order, gapless changes, right counters, one email."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Iterator
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest

from porchlight_dev.postgres.server import LocalPostgres
from tests.drills.bookers import open_client
from tests.drills.kills import durable_postgres, kill_worker
from tests.fixtures.databases import Database
from tests.fixtures.identity import PROJECT, CertificateServer, Signer, certificates, signer
from tests.porchlight.angels.users import ApiUser, register_user
from tests.porchlight.messages.api import open_thread, write
from tests.porchlight.messages.conversation import Follower, check_conversation, converse
from tests.porchlight.server import ServerProcess, run_server

__all__ = ["certificates", "signer"]
pytestmark = [pytest.mark.drill, pytest.mark.parts]
MESSAGES = 4_998
KILL_SECONDS = 3.0
SENDERS = 200


def _database(postgres: LocalPostgres) -> Database:
    return Database("porchlight", "", postgres.owner_url, postgres.app_url, postgres.service_url)


@pytest.fixture(scope="module")
def postgres(run_directory: Path) -> Iterator[LocalPostgres]:
    """A migrated server."""
    with durable_postgres(run_directory) as server_process:
        yield server_process


@pytest.fixture(scope="module")
def server(postgres: LocalPostgres, certificates: CertificateServer) -> Iterator[ServerProcess]:
    """Three workers with real-time messages."""
    with psycopg.connect(postgres.service_url) as conn:
        conn.execute("INSERT INTO flag_settings (name, enabled) VALUES ('realTimeChat', true)")
    env = {
        "DATABASE_URL": postgres.app_url, "PORCHLIGHT_LIMITS": "off", "FIREBASE_PROJECT_ID": PROJECT,
        "PORCHLIGHT_ENV": "development", "PORCHLIGHT_FIREBASE_CERTS_URL": certificates.url,
    }  # fmt: skip
    with run_server(env, workers=3) as running:
        yield running


async def _while_killing(server: ServerProcess, work: Awaitable[Any], seconds: float = KILL_SECONDS) -> Any:
    """Await some work, and kill a worker every few seconds until it is done, once at least."""
    kills = 0
    working = asyncio.ensure_future(work)
    while not working.done():
        await asyncio.wait([working], timeout=seconds)
        if not working.done():
            await asyncio.to_thread(kill_worker, server)
            kills += 1
    assert kills > 0
    return await working


@pytest.mark.parametrize("streams", [False, True], ids=["polled", "streamed"])
async def test_messages_survive_killed_workers(
    server: ServerProcess, postgres: LocalPostgres, signer: Signer, streams: bool
) -> None:
    database = _database(postgres)
    async with open_client(server) as client:
        names = (f"Zoe Drill {streams}", f"Theo Drill {streams}")
        zoe, theo = [await register_user(client, signer, database, name) for name in names]
        thread = await open_thread(zoe, theo)
        followers = await _while_killing(server, converse((zoe, theo), thread, MESSAGES, seed=11, streams=streams))
        check_conversation(followers, MESSAGES, postgres.service_url)


async def test_200_senders_survive_killed_workers(
    server: ServerProcess, postgres: LocalPostgres, signer: Signer
) -> None:
    database = _database(postgres)
    async with open_client(server) as client:
        popular = await register_user(client, signer, database, "Pia Popular")
        senders = [await register_user(client, signer, database, f"Sender {number}") for number in range(SENDERS)]
        bodies = [f"Hello from {number}" for number in range(SENDERS)]
        writing = (_write(sender, body, popular) for sender, body in zip(senders, bodies, strict=True))
        sent = await _while_killing(server, asyncio.gather(*writing), seconds=0.3)
        follower = Follower(popular)
        while await follower.fetch():
            pass
    assert Counter(body for _, body in follower.seen) == Counter(bodies)
    assert follower.after == SENDERS
    assert len(set(sent)) == SENDERS  # threads
    with psycopg.connect(postgres.service_url) as conn:
        query = (
            "SELECT i.unread, (SELECT sum(m.unread) FROM thread_members m WHERE m.user_id = i.user_id)"
            " FROM inboxes i WHERE i.user_id = %s"
        )
        assert conn.execute(query, [popular.user_id]).fetchone() == (SENDERS, SENDERS)


async def _write(sender: ApiUser, body: str, to: ApiUser) -> str:
    """Send a first message until it is answered. Return the id of its thread."""
    while True:
        try:
            response = await write(sender, "profile", to.handle, body, key=sender.user_id.hex)
        except httpx.TransportError:
            continue
        if response.status_code != 503:
            assert response.status_code in (200, 201), response.text
            return str(response.json()["data"]["thread"]["id"])
