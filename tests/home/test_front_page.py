"""The front page: living gurus, their newest posts, nothing else of theirs."""

from __future__ import annotations

import time
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import psycopg
import pytest

from porchlight.home import queries
from tenants.kit import clock
from tests.platform_.world import BASE, post, serving, tell, visitor
from tests.support.databases import Database


async def _front(app: Any, host: str = BASE, scheme: str = "http") -> tuple[str, dict[str, Any]]:
    async with visitor(app, host, scheme=scheme) as web:
        answer = await web.get("/api/home")
    assert answer.status_code == 200
    return answer.text, answer.json()["data"]


async def test_it_shows_the_platform_at_work(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    with psycopg.connect(database.overseer_url) as conn:
        tell(conn, "older", posts=2)
        newest = tell(conn, "newest", posts=0)
        post(conn, newest, "fresh", days_ago=0.1)
        post(conn, newest, "draft", days_ago=0.01, status="draft")
        post(conn, newest, "tomorrow", published_at=clock.now() + timedelta(days=1))
        tell(conn, "silent", posts=0)
        hidden = tell(conn, "hidden", posts=2)
        conn.execute("UPDATE gurus SET status = 'suspended' WHERE id = %s", [hidden.id])
    async with serving(database) as app:
        text, data = await _front(app)
        assert [guru["subdomain"] for guru in data["gurus"]] == ["newest", "older", "silent"]
        assert [shown["url"] for shown in data["posts"]] == [
            f"http://newest.{BASE}/blog/fresh",
            f"http://older.{BASE}/blog/post-older-0",
        ]
        assert set(data["gurus"][0]) == {"subdomain", "character", "category", "tagline", "url", "theme"}
        for secret in ("hidden", "mail.example", "draft", "tomorrow"):
            assert secret not in text
        _, secure = await _front(app, scheme="https")
        assert secure["gurus"][0]["url"] == f"https://newest.{BASE}/"
        _, ported = await _front(app, f"{BASE}:8000")
        assert ported["gurus"][0]["url"] == f"http://newest.{BASE}:8000/"
        # A minute old at most.
        with psycopg.connect(database.overseer_url) as conn:
            conn.execute("UPDATE gurus SET character = 'Renamed' WHERE label = 'newest'")
        assert (await _front(app))[1] == data
        monkeypatch.setattr(queries, "time", SimpleNamespace(monotonic=lambda: time.monotonic() + 60))
        assert (await _front(app))[1]["gurus"][0]["character"] == "Renamed"


async def test_an_empty_world_is_no_fault(database: Database) -> None:
    with psycopg.connect(database.overseer_url) as conn:
        conn.execute("DELETE FROM gurus")
    async with serving(database) as app:
        assert (await _front(app))[1] == {"gurus": [], "posts": []}


async def test_plans_are_specs(database: Database) -> None:
    async with serving(database) as app, visitor(app, BASE) as web:
        plans = (await web.get("/api/plans")).json()["data"]["plans"]
    assert [(plan["name"], plan["priceCents"], plan["interval"]) for plan in plans] == [
        ("Community Member", 0, None),
        ("Skill Sharer", 900, "month"),
        ("Premium Angel", 1900, "month"),
    ]
    assert all(len(plan["features"]) == 5 for plan in plans)
