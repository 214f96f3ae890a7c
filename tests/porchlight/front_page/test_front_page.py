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
from tenants.kit.ids import new_id
from tests.fixtures.databases import Database
from tests.porchlight.app_client import BASE_HOST, http_client, run_app
from tests.porchlight.factories import insert_row, seed_guru, seed_post, seed_user


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
        assert set(data["gurus"][0]) == {
            "subdomain", "character", "category", "tagline", "url", "photoUrl", "next", "theme",
        }  # fmt: skip
        for secret in ("hidden", "mail.example", "draft", "tomorrow", str(newest.id)):
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
        assert (await _get_front_page(app))[1] == {"gurus": [], "posts": [], "needs": []}


async def test_front_page_cards_have_face_price_and_time(database: Database) -> None:
    with psycopg.connect(database.service_url) as conn:
        conn.execute("DELETE FROM gurus")
        guru = seed_guru(conn, "baker", posts=0)
        seed_guru(conn, "closed", posts=0)
        conn.execute("UPDATE gurus SET photo_url = '/api/photos/face.webp' WHERE id = %s", [guru.id])
        conn.execute("UPDATE booking_settings SET open = false WHERE tenant_id <> %s", [guru.id])
        (cover,) = conn.execute("SELECT id FROM site_images WHERE tenant_id = %s LIMIT 1", [guru.id]).fetchall()[0]
        seed_post(conn, guru, "with-cover", cover_id=cover)
    async with run_app(database) as app:
        _, data = await _get_front_page(app)
        async with http_client(app, guru.host) as site:
            starts = (await site.get("/api/gurus/baker/next-starts")).json()
    cards = {card["subdomain"]: card for card in data["gurus"]}
    shown = cards["baker"]["next"]
    first = next(service for service in starts["services"] if service["serviceId"] == str(guru.services[0]))
    assert (shown["startsAt"], shown["zone"]) == (first["startsAt"], starts["zone"])
    assert (shown["priceCents"], shown["currency"]) == (7500, "USD")
    assert cards["baker"]["photoUrl"] == "/api/photos/face.webp"
    assert (cards["closed"]["next"], cards["closed"]["photoUrl"]) == (None, None)
    assert data["posts"][0]["coverUrl"] == f"http://{guru.host}/images/{cover}-640.webp"


async def test_front_page_counts_needs_without_words(database: Database) -> None:
    today = clock.now().date()
    with psycopg.connect(database.service_url) as conn:
        conn.execute("DELETE FROM needs")
        people = [seed_user(conn) for _ in range(3)]
        service, title = conn.execute("SELECT id, title FROM angel_services ORDER BY position LIMIT 1").fetchall()[0]
        need: dict[str, Any] = {
            "service_id": service, "title": "Secret words", "description": "Secret words", "hours": 2,
            "city": "Denver", "region": "Colorado", "latitude": 39.7, "longitude": -105.0,
            "wanted_until": today + timedelta(days=9), "expires_at": clock.now() + timedelta(days=9),
        }  # fmt: skip
        others: tuple[dict[str, Any], ...] = (
            {}, {"city": "Boulder"}, {"wanted_from": today + timedelta(days=1)}, {"status": "withdrawn"},
            {"asked_user_id": people[1]}, {"expires_at": clock.now() - timedelta(minutes=1)},
        )  # fmt: skip
        for number, changes in enumerate(others):
            row = need | {"wanted_from": today + timedelta(days=3)} | changes
            insert_row(conn, "needs", row | {"user_id": people[0], "id": new_id(), "idempotency_key": f"n{number}"})
    async with run_app(database) as app:
        text, data = await _get_front_page(app)
    card = {"serviceId": service, "service": title}
    assert data["needs"] == [
        card | {"city": "Denver", "needs": 2, "wantedFrom": (today + timedelta(days=1)).isoformat()},
        card | {"city": "Boulder", "needs": 1, "wantedFrom": (today + timedelta(days=3)).isoformat()},
    ]
    assert "Secret" not in text


async def test_plans_match_spec_prices(database: Database) -> None:
    async with run_app(database) as app, http_client(app, BASE_HOST) as web:
        plans = (await web.get("/api/plans")).json()["data"]["plans"]
    assert [(plan["name"], plan["priceCents"], plan["yearlyPriceCents"], plan["interval"]) for plan in plans] == [
        ("Community Member", 0, 0, None),
        ("Skill Sharer", 900, 9000, "month"),
        ("Premium Angel", 1900, 19000, "month"),
    ]
    assert all(len(plan["features"]) == 5 for plan in plans)
