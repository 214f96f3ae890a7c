"""The front page: active gurus and their newest posts, no other data."""

from __future__ import annotations

import time
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import psycopg
import pytest

from porchlight.features.front_page import queries
from tenants.kit import clock
from tests.fixtures.databases import Database
from tests.porchlight.app_client import BASE_HOST, http_client, run_app
from tests.porchlight.factories import seed_guru, seed_post


async def _get_front_page(app: Any, host: str = BASE_HOST, scheme: str = "http") -> tuple[str, dict[str, Any]]:
    async with http_client(app, host, scheme=scheme) as web:
        response = await web.get("/api/home")
    assert response.status_code == 200
    return response.text, response.json()["data"]


async def test_front_page_shows_active_gurus_and_posts(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    with psycopg.connect(database.service_url) as conn:
        seed_guru(conn, "older", posts=2)
        newest = seed_guru(conn, "newest", posts=0)
        seed_post(conn, newest, "fresh", days_ago=0.1)
        seed_post(conn, newest, "draft", days_ago=0.01, status="draft")
        seed_post(conn, newest, "tomorrow", published_at=clock.now() + timedelta(days=1))
        seed_guru(conn, "silent", posts=0)
        hidden = seed_guru(conn, "hidden", posts=2)
        conn.execute("UPDATE gurus SET status = 'suspended' WHERE id = %s", [hidden.id])
    async with run_app(database) as app:
        text, data = await _get_front_page(app)
        assert [guru["subdomain"] for guru in data["gurus"]] == ["newest", "older", "silent"]
        assert [post_row["url"] for post_row in data["posts"]] == [
            f"http://newest.{BASE_HOST}/blog/fresh",
            f"http://older.{BASE_HOST}/blog/post-older-0",
        ]
        assert set(data["gurus"][0]) == {"subdomain", "character", "category", "tagline", "url", "theme"}
        for secret in ("hidden", "mail.example", "draft", "tomorrow"):
            assert secret not in text
        _, secure = await _get_front_page(app, scheme="https")
        assert secure["gurus"][0]["url"] == f"https://newest.{BASE_HOST}/"
        _, ported = await _get_front_page(app, f"{BASE_HOST}:8000")
        assert ported["gurus"][0]["url"] == f"http://newest.{BASE_HOST}:8000/"
        # The front page is cached for a minute.
        with psycopg.connect(database.service_url) as conn:
            conn.execute("UPDATE gurus SET character = 'Renamed' WHERE label = 'newest'")
        assert (await _get_front_page(app))[1] == data
        monkeypatch.setattr(queries, "time", SimpleNamespace(monotonic=lambda: time.monotonic() + 60))
        assert (await _get_front_page(app))[1]["gurus"][0]["character"] == "Renamed"


async def test_front_page_without_gurus_is_empty(database: Database) -> None:
    with psycopg.connect(database.service_url) as conn:
        conn.execute("DELETE FROM gurus")
    async with run_app(database) as app:
        assert (await _get_front_page(app))[1] == {"gurus": [], "posts": []}


async def test_plans_match_spec_prices(database: Database) -> None:
    async with run_app(database) as app, http_client(app, BASE_HOST) as web:
        plans = (await web.get("/api/plans")).json()["data"]["plans"]
    assert [(plan["name"], plan["priceCents"], plan["yearlyPriceCents"], plan["interval"]) for plan in plans] == [
        ("Community Member", 0, 0, None),
        ("Skill Sharer", 900, 9000, "month"),
        ("Premium Angel", 1900, 19000, "month"),
    ]
    assert all(len(plan["features"]) == 5 for plan in plans)
