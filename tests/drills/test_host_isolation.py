"""Requests alternate between gurus and many are aborted: every response must belong to its Host."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import Iterator

import psycopg
import pytest

from tests.fixtures.databases import Database
from tests.porchlight.app_client import USER_AGENT
from tests.porchlight.factories import SeededGuru, seed_guru
from tests.porchlight.server import ServerProcess, run_server

ABORT_SHARE = 0.1
CONCURRENCY = 16
REQUESTS_PER_CHANGE = 25  # so that pages are rendered again all the time


@pytest.fixture(scope="module")
def gurus(database: Database) -> list[SeededGuru]:
    with psycopg.connect(database.service_url) as conn:
        return [seed_guru(conn, f"tenant{letter}") for letter in "abcdefgh"]


@pytest.fixture(scope="module")
def server(database: Database, gurus: list[SeededGuru]) -> Iterator[ServerProcess]:
    env = {"DATABASE_URL": database.app_url, "PORCHLIGHT_LIMITS": "off"}
    with run_server(env, workers=2) as server:
        yield server


def _random_path(guru: SeededGuru, rng: random.Random) -> str:
    return rng.choice(
        [
            "/", "/about", "/blog", "/services", f"/blog/{guru.slugs[0]}", f"/blog/tag/{guru.tags[0]}", "/feed.xml",
            f"/api/gurus/{guru.label}/home", f"/api/gurus/{guru.label}/posts?limit={rng.randint(1, 5)}",
            f"/api/gurus/{guru.label}/posts/{guru.slugs[1]}", f"/api/gurus/{guru.label}/services",
        ]
    )  # fmt: skip


async def _fetch(server: ServerProcess, guru: SeededGuru, path: str, abort_after: float | None) -> bytes | None:
    """Return the response, or None if the visitor aborted before."""
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    try:
        head = f"GET {path} HTTP/1.1\r\nHost: {guru.host}\r\nUser-Agent: {USER_AGENT}\r\nConnection: close\r\n\r\n"
        writer.write(head.encode())
        await writer.drain()
        if abort_after is not None:
            await asyncio.sleep(abort_after)
            writer.transport.abort()
            return None
        return await reader.read()
    finally:
        writer.close()


async def _load(server: ServerProcess, gurus: list[SeededGuru], database: Database, requests: int) -> Counter[str]:
    rng = random.Random(11)
    counts: Counter[str] = Counter()
    errors: list[str] = []
    marks = {guru.label: guru.mark.encode() for guru in gurus}
    numbers = iter(range(requests))

    async def visitor() -> None:
        for number in numbers:
            guru = rng.choice(gurus)
            path = _random_path(guru, rng)
            abort_after = rng.random() * 0.01 if rng.random() < ABORT_SHARE else None
            response = await _fetch(server, guru, path, abort_after)
            if response is None:
                counts["broken off"] += 1
            elif not response.startswith(b"HTTP/1.1 200"):
                errors.append(f"{guru.label}{path}: {response[:80]!r}")
            else:
                counts["answered"] += 1
                foreign = [label for label, mark in marks.items() if mark in response and label != guru.label]
                if foreign or marks[guru.label] not in response:
                    errors.append(f"{guru.label}{path}: shows {foreign}")
            if number % REQUESTS_PER_CHANGE == 0:
                await asyncio.to_thread(_change, database, guru)
                counts["changes"] += 1

    await asyncio.gather(*(visitor() for _ in range(CONCURRENCY)))
    assert errors == []
    return counts


def _change(database: Database, guru: SeededGuru) -> None:
    with psycopg.connect(database.service_url) as conn:
        conn.execute("UPDATE gurus SET city = city || '.' WHERE id = %s", [guru.id])


def _print_counts(counts: Counter[str]) -> None:
    print(f"\n{dict(counts)}: every answer belongs to its Host")


async def test_mixed_requests_return_own_host_only(
    server: ServerProcess, gurus: list[SeededGuru], database: Database
) -> None:
    counts = await _load(server, gurus, database, 600)
    _print_counts(counts)
    assert counts["answered"] + counts["broken off"] == 600
    assert counts["broken off"] > 20


@pytest.mark.drill
async def test_mixed_requests_at_length_return_own_host_only(
    server: ServerProcess, gurus: list[SeededGuru], database: Database
) -> None:
    counts = await _load(server, gurus, database, 20_000)
    _print_counts(counts)
    assert counts["answered"] + counts["broken off"] == 20_000
    assert counts["broken off"] > 1500
