"""POST /api/liability/risk and the review queue, on real PostgreSQL."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from typing import Any

import httpx
import orjson
import psycopg
import pytest

from porchlight.app import Porchlight
from tests.fixtures.databases import Database
from tests.porchlight.app_client import BASE_HOST, http_client, run_app
from tests.porchlight.risk.labeled_activities import ENGINE


@pytest.fixture(scope="module")
async def app(database: Database) -> AsyncIterator[Porchlight]:
    async with run_app(database) as porchlight:
        yield porchlight


@pytest.fixture(scope="module")
async def web(app: Porchlight) -> AsyncIterator[httpx.AsyncClient]:
    async with http_client(app, BASE_HOST) as client:
        yield client


@pytest.fixture
def role(database: Database) -> Iterator[psycopg.Connection[Any]]:
    with psycopg.connect(database.app_url) as conn:
        yield conn
        conn.rollback()


async def _risk(web: httpx.AsyncClient, category: str, activity: str) -> Any:
    payload = {"skillCategory": category, "activityDescription": activity}
    response = await web.post("/api/liability/risk", json=payload)
    assert response.status_code == 200, response.text
    return response.json()["data"]


def _queue(database: Database) -> list[tuple[str, str, int]]:
    with psycopg.connect(database.service_url) as conn:
        return conn.execute("SELECT category, activity, occurrences FROM risk_reviews ORDER BY id").fetchall()


async def test_risk_response_has_level_and_reasons(web: httpx.AsyncClient, database: Database) -> None:
    before = _queue(database)
    high = await _risk(web, "Electrical", "Rewire a lamp")
    assert (high["level"], high["requiresWaiver"], high["requiresContact"]) == ("high", True, True)
    assert "Electrical is a high-risk category." in high["reasons"]
    low = await _risk(web, "Language", "Spanish conversation")
    assert (low["level"], low["requiresWaiver"], low["requiresContact"], low["known"]) == ("low", False, False, True)
    extreme = await _risk(web, "Language", "Skydiving vocabulary, in the air")
    assert (extreme["level"], extreme["rating"]) == ("high", "extreme")
    assert _queue(database) == before


async def test_unknown_activity_is_queued_once(web: httpx.AsyncClient, database: Database) -> None:
    for written in ("Qvzxqing", "  qvzxqing  ", "QVZXQING"):
        risk = await _risk(web, "", written)
        assert (risk["level"], risk["known"]) == ("medium", False)
    assert [row for row in _queue(database) if row[1] == "qvzxqing"] == [("", "qvzxqing", 3)]


async def test_activity_is_high_by_its_meaning_and_queued(web: httpx.AsyncClient, database: Database) -> None:
    activity = "get grandpa off the toilet and back to the recliner"
    assert not ENGINE.assess("", activity).requires_waiver, "the lexicon knows no word of it"
    risk = await _risk(web, "", activity)
    assert (risk["level"], risk["requiresWaiver"], risk["requiresContact"], risk["known"]) == (
        "high",
        True,
        True,
        False,
    )
    assert "Until then it needs a waiver" in risk["reasons"][0]
    assert [row for row in _queue(database) if row[1] == activity] == [("", activity, 1)]


def test_app_role_cannot_read_review_queue(role: psycopg.Connection[Any]) -> None:
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        role.execute("SELECT * FROM risk_reviews")


def test_review_queue_has_size_limit(new_database: Any) -> None:
    database: Database = new_database()
    with psycopg.connect(database.owner_url, autocommit=True) as conn:
        conn.execute(
            "INSERT INTO risk_reviews (id, category, activity, digest)"
            " SELECT gen_random_uuid(), '', i::text, decode(md5(i::text), 'hex') FROM generate_series(1, 10000) i"
        )
        with psycopg.connect(database.app_url, autocommit=True) as app:
            app.execute("SELECT app.request_risk_review(gen_random_uuid(), '', 'one more', 'x', 10000, 9)")
        assert conn.execute("SELECT count(*) FROM risk_reviews").fetchone() == (10000,)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"[]",
        b"null",
        b'{"skillCategory": null, "activityDescription": "x"}',
        b'{"skillCategory": 1, "activityDescription": "x"}',
        b'{"skillCategory": "x", "activityDescription": "\\u0000"}',
        b'{"skillCategory": "x", "activityDescription": "\\ud800"}',
        b'{"skillCategory": "x", "activityDescription": NaN}',
        b'{"skillCategory": "x", "activityDescription": "x", "level": "low"}',
        b'{"skillCategory": "a\\nb", "activityDescription": "x"}',
        orjson.dumps({"skillCategory": "x" * 121, "activityDescription": "x"}),
        orjson.dumps({"skillCategory": "x", "activityDescription": "x" * 2001}),
        b'{"activityDescription": "x"}',
        b"[" * 50_000,
    ],
)
async def test_malformed_risk_payloads_are_rejected(web: httpx.AsyncClient, database: Database, body: bytes) -> None:
    before = _queue(database)
    response = await web.post("/api/liability/risk", content=body, headers={"content-type": "application/json"})
    assert 400 <= response.status_code < 500
    assert response.json()["success"] is False
    assert _queue(database) == before
