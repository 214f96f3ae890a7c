"""The stream of changes on a real server of two workers: seen, cut, repaired, limited, and ended at a stop."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import httpx
import psycopg
import pytest

from porchlight.features.messages.delivery.actions import Wake
from porchlight.features.messages.stream.channel import CHANNEL, notification
from porchlight.features.messages.stream.hub import MAX_STREAMS, Stream
from tenants.kit.ids import new_id
from tests.drills.kills import kill_worker
from tests.fixtures.databases import Database
from tests.fixtures.identity import PROJECT, CertificateServer, Signer
from tests.porchlight.angels.users import ApiUser, register_user
from tests.porchlight.app_client import BASE_HOST, USER_AGENT
from tests.porchlight.messages.api import open_thread, send, texts
from tests.porchlight.messages.conversation import check_conversation, converse
from tests.porchlight.server import ServerProcess, run_server

SECONDS = 60
STREAMED = 60


def environment(database: Database, certificates: CertificateServer) -> dict[str, str]:
    """Return the settings of a server that accepts the tokens of the test's signer."""
    return {
        "DATABASE_URL": database.app_url, "PORCHLIGHT_ENV": "development", "FIREBASE_PROJECT_ID": PROJECT,
        "PORCHLIGHT_FIREBASE_CERTS_URL": certificates.url, "PORCHLIGHT_LIMITS": "off",
    }  # fmt: skip


@pytest.fixture(scope="module")
def serving(database: Database, certificates: CertificateServer) -> Iterator[ServerProcess]:
    """The product with two workers and real-time messages."""
    with psycopg.connect(database.service_url) as conn:
        conn.execute("INSERT INTO flag_settings (name, enabled) VALUES ('realTimeChat', true)")
    with run_server(environment(database, certificates), workers=2) as running:
        yield running


@dataclass
class People:
    """Two people with a thread. Each request has a connection of its own, so both workers serve them."""

    zoe: ApiUser
    theo: ApiUser
    thread: str


@pytest.fixture
async def people(serving: ServerProcess, signer: Signer, database: Database) -> AsyncIterator[People]:
    limits = httpx.Limits(max_keepalive_connections=0)
    headers = {"user-agent": USER_AGENT, "host": BASE_HOST}
    base = f"http://127.0.0.1:{serving.port}"
    async with httpx.AsyncClient(base_url=base, headers=headers, timeout=SECONDS, limits=limits) as web:
        zoe, theo = [await register_user(web, signer, database, name) for name in ("Zoe Streams", "Theo Streams")]
        thread = await open_thread(zoe, theo, "0")
        yield People(zoe, theo, thread)


@contextlib.asynccontextmanager
async def stream(user: ApiUser) -> AsyncIterator[AsyncIterator[dict[str, Any]]]:
    """Open a stream and yield its events."""
    headers = {"authorization": f"Bearer {user.token}"}
    async with asyncio.timeout(SECONDS), user.web.stream("GET", "/api/messages/stream", headers=headers) as response:
        assert response.status_code == 200
        assert response.headers["content-type"] == "text/event-stream; charset=utf-8"
        assert "no-transform" in response.headers["cache-control"]
        yield _events(response)


async def _events(response: httpx.Response) -> AsyncIterator[dict[str, Any]]:
    async for line in response.aiter_lines():
        if line.startswith("data: "):
            yield json.loads(line.removeprefix("data: "))


async def test_message_is_seen_by_streams_of_both_workers(people: People) -> None:
    async with contextlib.AsyncExitStack() as stack:
        opened = [await stack.enter_async_context(stream(people.theo)) for _ in range(4)]
        firsts = [await anext(events) for events in opened]
        assert {first["unread"] for first in firsts} == {1}
        await send(people.zoe, people.thread, "1")
        for events, first in zip(opened, firsts, strict=True):
            seen = await anext(events)
            assert (seen["change"], seen["unread"]) == (first["change"] + 1, 2)


async def test_cut_stream_is_resumed_by_changes(people: People) -> None:
    async with stream(people.theo) as events:
        known = (await anext(events))["change"]
    for number in range(1, 4):
        await send(people.zoe, people.thread, str(number))
    async with stream(people.theo) as events:
        assert (await anext(events))["change"] == known + 3
    found = await people.theo.get("/api/messages/changes", after=known)
    assert [message["body"] for message in found["messages"]] == ["1", "2", "3"]
    assert await texts(people.theo, people.thread) == ["0", "1", "2", "3"]


async def test_clients_follow_streams_past_a_killed_worker(
    serving: ServerProcess, signer: Signer, database: Database
) -> None:
    headers = {"user-agent": USER_AGENT, "host": BASE_HOST}
    base = f"http://127.0.0.1:{serving.port}"
    async with httpx.AsyncClient(base_url=base, headers=headers, timeout=SECONDS) as web:
        zoe, theo = [await register_user(web, signer, database, name) for name in ("Zoe Killed", "Theo Killed")]
        thread = await open_thread(zoe, theo)
        talking = asyncio.create_task(converse((zoe, theo), thread, STREAMED, seed=3, streams=True))
        await asyncio.to_thread(kill_worker, serving)
        check_conversation(await talking, STREAMED, database.service_url)


async def test_server_ends_streams_when_it_stops(
    database: Database, certificates: CertificateServer, signer: Signer
) -> None:
    with run_server(environment(database, certificates), workers=1) as running:
        headers = {"user-agent": USER_AGENT, "host": BASE_HOST}
        async with httpx.AsyncClient(
            base_url=f"http://127.0.0.1:{running.port}", headers=headers, timeout=SECONDS
        ) as web:
            user = await register_user(web, signer, database, "Sam Stops")
            async with stream(user) as events:
                await anext(events)
                (worker,) = running.workers()
                worker.terminate()
                assert [event async for event in events] == []  # it ends, and is not cut: that would raise


def test_stream_notes_newer_numbers_only() -> None:
    one = Stream(new_id(), 5, 1)
    one.tell(4, 9)
    assert (one.change, one.unread, one.news.is_set()) == (5, 1, False)
    one.tell(7, 2)
    assert (one.change, one.unread, one.news.is_set()) == (7, 2, True)


async def test_oldest_stream_over_the_limit_is_closed(app: Any) -> None:
    user_id = new_id()
    hub = app.message_hub
    streams = [hub.open(user_id, 0, 0) for _ in range(MAX_STREAMS + 1)]
    assert [one.is_closed for one in streams] == [True] + [False] * MAX_STREAMS
    for one in streams:
        hub.drop(one)
    assert hub.count == 0


async def test_notification_of_other_process_reaches_stream(app: Any, database: Database) -> None:
    hub, user_id = app.message_hub, UUID(int=7)
    one = hub.open(user_id, 0, 0)
    try:
        await asyncio.wait_for(hub.listening.wait(), SECONDS)
        with psycopg.connect(database.app_url, autocommit=True) as conn:
            conn.execute("SELECT pg_notify(%s, %s)", [CHANNEL, "nonsense"])
            conn.execute(
                "SELECT pg_notify(%s, %s)", [CHANNEL, notification([Wake(new_id(), 1, 1), Wake(user_id, 3, 2)])]
            )
        await asyncio.wait_for(one.news.wait(), SECONDS)
        assert (one.change, one.unread) == (3, 2)
    finally:
        hub.drop(one)
