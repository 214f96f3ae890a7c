"""The guru's own waiver text in the console: versions, limits, two gurus, impersonation."""

from __future__ import annotations

import asyncio
from typing import Any

import psycopg
import pytest

from porchlight.features.waivers.guru_texts import MAX_VERSIONS_PER_DAY
from tests.fixtures.databases import Database
from tests.fixtures.refusals import UNPRINTABLE
from tests.porchlight.factories import SeededGuru
from tests.porchlight.owner import GuruOwner


def versions(database: Database, guru: SeededGuru) -> list[tuple[int, str]]:
    with psycopg.connect(database.service_url) as conn:
        query = "SELECT version, body FROM guru_waiver_texts WHERE tenant_id = %s ORDER BY 1"
        return [(version, body) for version, body in conn.execute(query, [guru.id]).fetchall()]


@pytest.fixture(autouse=True)
def no_texts(database: Database, rosa: GuruOwner, theo: GuruOwner) -> None:
    """Remove the texts of both gurus before each test."""
    with psycopg.connect(database.service_url) as conn:
        conn.execute("DELETE FROM guru_waiver_texts WHERE tenant_id = ANY(%s)", [[rosa.guru.id, theo.guru.id]])


async def save(owner: GuruOwner, body: str, revision: int, *, expect: int = 200) -> dict[str, Any]:
    saved: dict[str, Any] = await owner.call("PUT", "/waiver-text", {"body": body, "revision": revision}, expect=expect)
    return saved


async def test_each_change_of_text_adds_a_version(rosa: GuruOwner, theo: GuruOwner, database: Database) -> None:
    empty = await rosa.call("GET", "/waiver-text")
    assert (empty["revision"], empty["body"], empty["updatedAt"]) == (0, "", None)
    first = await save(rosa, "  Bring gloves.\r\nAnd goggles. ", 0)
    assert (first["revision"], first["body"]) == (1, "Bring gloves.\nAnd goggles.")
    assert await save(rosa, "Bring gloves.\nAnd goggles.", 1) == first
    await save(rosa, "", 1)
    assert versions(database, rosa.guru) == [(1, "Bring gloves.\nAnd goggles."), (2, "")]
    assert (await theo.call("GET", "/waiver-text"))["revision"] == 0
    await save(theo, "Mine.", 0)
    assert versions(database, theo.guru) == [(1, "Mine.")]
    assert (await rosa.call("GET", "/waiver-text"))["body"] == ""


async def test_outdated_revision_of_text_is_rejected(rosa: GuruOwner, database: Database) -> None:
    await save(rosa, "One.", 0)
    assert (await save(rosa, "Two.", 0, expect=409))["code"] == "changed_elsewhere"
    body = {"body": "Three.", "revision": 1}
    statuses = [
        response.status_code
        for response in await asyncio.gather(
            *(rosa.web.put("/api/guru/waiver-text", json=body | {"body": f"Three {n}."}) for n in range(4))
        )
    ]
    assert sorted(statuses) == [200, 409, 409, 409]
    assert len(versions(database, rosa.guru)) == 2


async def test_text_of_1000_characters_is_saved(rosa: GuruOwner) -> None:
    assert (await save(rosa, "x" * 1000, 0))["body"] == "x" * 1000


@pytest.mark.parametrize(("body", "message"), [("x" * 1001, "Use 1000 characters or fewer."), ("\x00", UNPRINTABLE)])
async def test_text_beyond_its_limits_is_refused(rosa: GuruOwner, body: str, message: str) -> None:
    assert (await save(rosa, body, 0, expect=422))["fields"] == {"body": message}


async def test_versions_of_text_are_limited_per_day(rosa: GuruOwner) -> None:
    for revision in range(MAX_VERSIONS_PER_DAY):
        await save(rosa, f"Version {revision}", revision)
    assert (await save(rosa, "Once more", MAX_VERSIONS_PER_DAY, expect=409))["code"] == "too_many_versions"
