"""A delivery compared with a plain write of the same person, and what open streams cost at rest."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Iterator

import httpx
import psutil
import psycopg
import pytest

from tests.bench.figures import print_figure
from tests.bench.meter import Meter
from tests.fixtures.databases import Database
from tests.fixtures.identity import PROJECT, CertificateServer, Signer, certificates, signer
from tests.porchlight.angels.users import register_user
from tests.porchlight.app_client import BASE_HOST, USER_AGENT, http_client, run_app
from tests.porchlight.messages.api import open_thread, send
from tests.porchlight.server import ServerProcess, run_server

__all__ = ["certificates", "signer"]
pytestmark = pytest.mark.bench

WINDOW, WINDOWS = 100, 4  # deliveries and writes in turn
STREAMS = 1_000
PEOPLE = STREAMS // 5
SEEN = 200


async def test_message_delivery_costs_cpu(database: Database, certificates: CertificateServer, signer: Signer) -> None:
    async with (
        run_app(database, firebase_project_id=PROJECT, firebase_certs_url=certificates.url) as app,
        http_client(app, BASE_HOST) as web,
    ):
        zoe, theo = [await register_user(web, signer, database, name) for name in ("Zoe Bench", "Theo Bench")]
        thread = await open_thread(zoe, theo)
        meter = Meter(database.superuser_url)

        async def deliver() -> None:
            for number in range(WINDOW):
                await send(zoe, thread, f"Message {number}")

        async def write() -> None:
            for number in range(WINDOW):
                hours = {"zone": "America/Denver", "quietFrom": 22, "quietUntil": 6 + number % 2, "digestAt": 8}
                response = await zoe.request("PUT", "/api/notification-hours", json=hours)
                assert response.status_code == 200, response.text

        costs: dict[str, list[float]] = {"delivery": [], "write": []}
        for _ in range(WINDOWS + 1):  # the first one fills caches
            for name, work in (("delivery", deliver), ("write", write)):
                costs[name].append(sum(await meter.cost(work, WINDOW)))
    delivery, plain = (min(costs[name][1:]) for name in ("delivery", "write"))
    print_figure("message: delivery, to a plain signed-in write", delivery, plain, "ms CPU", at_most=1.5)


@pytest.fixture(scope="module")
def serving(database: Database, certificates: CertificateServer) -> Iterator[ServerProcess]:
    """One worker with real-time messages."""
    with psycopg.connect(database.service_url) as conn:
        conn.execute("INSERT INTO flag_settings (name, enabled) VALUES ('realTimeChat', true) ON CONFLICT DO NOTHING")
    env = {
        "DATABASE_URL": database.app_url, "PORCHLIGHT_ENV": "development", "FIREBASE_PROJECT_ID": PROJECT,
        "PORCHLIGHT_FIREBASE_CERTS_URL": certificates.url, "PORCHLIGHT_LIMITS": "off",
    }  # fmt: skip
    with run_server(env, workers=1) as running:
        yield running


@pytest.fixture
async def web(serving: ServerProcess) -> AsyncIterator[httpx.AsyncClient]:
    """A client with as many connections as it needs."""
    limits = httpx.Limits(max_connections=None, max_keepalive_connections=20)
    headers = {"user-agent": USER_AGENT, "host": BASE_HOST}
    async with httpx.AsyncClient(
        base_url=f"http://127.0.0.1:{serving.port}", headers=headers, timeout=120, limits=limits
    ) as client:
        yield client


async def test_open_streams_cost(
    serving: ServerProcess, web: httpx.AsyncClient, signer: Signer, database: Database
) -> None:
    people = [await register_user(web, signer, database, f"Neighbor {n}") for n in range(PEOPLE)]
    thread = await open_thread(people[0], people[1])
    worker = psutil.Process(serving.workers()[0].pid)
    before = worker.memory_full_info().uss
    async with contextlib.AsyncExitStack() as stack:
        lines: list[AsyncIterator[str]] = []
        for number in range(STREAMS):
            user = people[number % PEOPLE]
            headers = {"authorization": f"Bearer {user.token}"}
            response = await stack.enter_async_context(web.stream("GET", "/api/messages/stream", headers=headers))
            lines.append(response.aiter_lines())
            await _next_event(lines[-1])
        memory = (worker.memory_full_info().uss - before) / 1e6
        cpu, began = sum(worker.cpu_times()[:2]), time.monotonic()
        await _heartbeats(lines[0], 2)
        share = (sum(worker.cpu_times()[:2]) - cpu) / (time.monotonic() - began)
        milliseconds = []
        for number in range(SEEN):
            sent_at = time.perf_counter()
            sending = asyncio.create_task(send(people[0], thread, f"Seen {number}"))
            await _next_event(lines[1])
            milliseconds.append(1000 * (time.perf_counter() - sent_at))
            await sending
    print_figure(f"messages: memory of {STREAMS} open streams", memory, None, "MB", at_most=25)
    print_figure(f"messages: {STREAMS} open streams at rest", 100 * share, None, "% of a core", at_most=3)
    print_figure("messages: sent to seen, p99", sorted(milliseconds)[int(0.99 * SEEN)], None, "ms", at_most=300)


async def _next_event(lines: AsyncIterator[str]) -> None:
    async for line in lines:
        if line.startswith("data: "):
            return
    raise AssertionError("the stream ended")


async def _heartbeats(lines: AsyncIterator[str], count: int) -> None:
    async for line in lines:
        count -= line.startswith(":")
        if count == 0:
            return
