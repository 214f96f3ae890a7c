"""Requests alternate over gurus, many are broken off midway: every answer belongs to its Host."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import Iterator

import psycopg
import pytest

from tests.platform_.server import Serving, served
from tests.platform_.world import BROWSER, Told, tell
from tests.support.databases import Database

BROKEN_OFF = 0.1
AT_ONCE = 16
CHANGES_EVERY = 25  # requests between changes of content, so that answers are made anew all the time


@pytest.fixture(scope="module")
def gurus(database: Database) -> list[Told]:
    with psycopg.connect(database.overseer_url) as conn:
        return [tell(conn, f"tenant{letter}") for letter in "abcdefgh"]


@pytest.fixture(scope="module")
def server(database: Database, gurus: list[Told]) -> Iterator[Serving]:
    env = {"DATABASE_URL": database.app_url, "PORCHLIGHT_LIMITS": "off"}
    with served(env, workers=2) as made:
        yield made


def _paths(guru: Told, chance: random.Random) -> str:
    return chance.choice(
        [
            "/", "/about", "/blog", "/services", f"/blog/{guru.slugs[0]}", f"/blog/tag/{guru.tags[0]}", "/feed.xml",
            f"/api/gurus/{guru.label}/home", f"/api/gurus/{guru.label}/posts?limit={chance.randint(1, 5)}",
            f"/api/gurus/{guru.label}/posts/{guru.slugs[1]}", f"/api/gurus/{guru.label}/services",
        ]
    )  # fmt: skip


async def _one(server: Serving, guru: Told, path: str, give_up_after: float | None) -> bytes | None:
    """The whole answer, or None when the visitor hung up before it came."""
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    try:
        head = f"GET {path} HTTP/1.1\r\nHost: {guru.host}\r\nUser-Agent: {BROWSER}\r\nConnection: close\r\n\r\n"
        writer.write(head.encode())
        await writer.drain()
        if give_up_after is not None:
            await asyncio.sleep(give_up_after)
            writer.transport.abort()
            return None
        return await reader.read()
    finally:
        writer.close()


async def _load(server: Serving, gurus: list[Told], database: Database, requests: int) -> Counter[str]:
    chance = random.Random(11)
    found: Counter[str] = Counter()
    faults: list[str] = []
    marks = {guru.label: guru.mark.encode() for guru in gurus}
    left = iter(range(requests))

    async def visitor() -> None:
        for number in left:
            guru = chance.choice(gurus)
            path = _paths(guru, chance)
            gives_up = chance.random() * 0.01 if chance.random() < BROKEN_OFF else None
            answer = await _one(server, guru, path, gives_up)
            if answer is None:
                found["broken off"] += 1
            elif not answer.startswith(b"HTTP/1.1 200"):
                faults.append(f"{guru.label}{path}: {answer[:80]!r}")
            else:
                found["answered"] += 1
                strangers = [label for label, mark in marks.items() if mark in answer and label != guru.label]
                if strangers or marks[guru.label] not in answer:
                    faults.append(f"{guru.label}{path}: shows {strangers}")
            if number % CHANGES_EVERY == 0:
                await asyncio.to_thread(_change, database, guru)
                found["changes"] += 1

    await asyncio.gather(*(visitor() for _ in range(AT_ONCE)))
    assert faults == []
    return found


def _change(database: Database, guru: Told) -> None:
    with psycopg.connect(database.overseer_url) as conn:
        conn.execute("UPDATE gurus SET city = city || '.' WHERE id = %s", [guru.id])


def _said(found: Counter[str]) -> None:
    print(f"\n{dict(found)}: every answer belongs to its Host")


async def test_every_answer_belongs_to_its_host(server: Serving, gurus: list[Told], database: Database) -> None:
    found = await _load(server, gurus, database, 600)
    _said(found)
    assert found["answered"] + found["broken off"] == 600
    assert found["broken off"] > 20


@pytest.mark.drill
async def test_every_answer_belongs_to_its_host_at_length(
    server: Serving, gurus: list[Told], database: Database
) -> None:
    found = await _load(server, gurus, database, 20_000)
    _said(found)
    assert found["answered"] + found["broken off"] == 20_000
    assert found["broken off"] > 1500
