"""The front page: active gurus with their next free times, their newest posts, and what neighbors need."""

from __future__ import annotations

import asyncio
import time
from typing import Any
from uuid import UUID

import orjson

from sites.hours.first_starts import NextTime, next_times
from sites.image_paths import thumbnail_path
from sites.posts.markdown import read_time
from tenants.db.pool import Database
from tenants.kit import clock
from tenants.kit.errors import Unavailable

TTL_SECONDS = 60.0
RETRY_DELAY_SECONDS = 2.0  # after a database outage
MAX_GURUS = 8
MAX_POSTS = 6
MAX_GURUS_READ = 3 * MAX_GURUS  # the newest, of which those with recent posts come first
_MAX_ORIGINS = 16  # cached bodies: the main host by http, https and ports
_NOTHING: dict[str, Any] = {"gurus": [], "posts": [], "needs": [], "times": {}}
_SELECT_FRONT_PAGE = "SELECT app.front_page(%s, %s, %s)"


class FrontPage:
    """Caches the front page's JSON for a minute, one body per origin, because the gurus' URLs depend on it."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self._rows: dict[str, Any] | None = None
        self._fresh_until = 0.0
        self._bodies: dict[str, bytes] = {}
        self._lock = asyncio.Lock()

    async def body(self, scheme: str, host: str) -> bytes:
        """Return the JSON for `scheme`://`host` (base host with port).

        During a database outage, return the last front page. Raises Unavailable if there is none.
        """
        if time.monotonic() >= self._fresh_until:
            async with self._lock:
                if time.monotonic() >= self._fresh_until:
                    await self._refresh()
        origin = f"{scheme}://{host}"
        body = self._bodies.get(origin)
        if body is None:
            body = orjson.dumps(_front_page(self._rows or _NOTHING, scheme, host))
            if len(self._bodies) < _MAX_ORIGINS:
                self._bodies[origin] = body
        return body

    async def _refresh(self) -> None:
        try:
            found = await self._db.read_value(
                dict[str, Any], None, _SELECT_FRONT_PAGE, [MAX_GURUS, MAX_POSTS, MAX_GURUS_READ]
            )
        except Unavailable:
            if self._rows is None:
                raise
            self._fresh_until = time.monotonic() + RETRY_DELAY_SECONDS
            return
        rows = found or _NOTHING
        gurus = [UUID(guru["id"]) for guru in rows["gurus"]]
        try:
            times = await next_times(self._db, gurus, clock.now())
        except Unavailable:
            times = {}  # a card without a time is better than none
        self._rows = rows | {"times": times}
        self._fresh_until = time.monotonic() + TTL_SECONDS
        self._bodies.clear()


def _front_page(rows: dict[str, Any], scheme: str, host: str) -> dict[str, Any]:
    return {
        "success": True,
        "data": {
            "gurus": [_guru(row, rows["times"].get(UUID(row["id"])), scheme, host) for row in rows["gurus"]],
            "posts": [_post(row, scheme, host) for row in rows["posts"]],
            "needs": [_need(row) for row in rows["needs"]],
        },
    }


def _guru(row: dict[str, Any], next_time: NextTime | None, scheme: str, host: str) -> dict[str, Any]:
    return {
        "subdomain": row["label"],
        "character": row["character"],
        "category": row["category"],
        "tagline": row["tagline"],
        "url": f"{scheme}://{row['label']}.{host}/",
        "photoUrl": row["photo_url"] or None,
        "next": _next_time(next_time) if next_time else None,
        "theme": {
            "primaryColor": row["primary_color"],
            "secondaryColor": row["secondary_color"],
            "icon": row["icon"],
            "emoji": row["emoji"],
        },
    }


def _next_time(next_time: NextTime) -> dict[str, Any]:
    service, starts_at = next_time.service, next_time.starts_at
    return {
        "service": service.name,
        "priceCents": service.price_cents,
        "currency": service.currency,
        "zone": next_time.zone,
        "startsAt": clock.to_iso8601(starts_at) if starts_at else None,
    }


def _need(row: dict[str, Any]) -> dict[str, Any]:
    return {
        "serviceId": row["service_id"],
        "service": row["service"],
        "city": row["city"],
        "needs": row["needs"],
        "wantedFrom": row["wanted_from"],
    }


def _post(row: dict[str, Any], scheme: str, host: str) -> dict[str, Any]:
    cover = row["cover_id"]
    return {
        "title": row["title"],
        "excerpt": row["excerpt"],
        "url": f"{scheme}://{row['label']}.{host}/blog/{row['slug']}",
        "guru": {"character": row["character"], "subdomain": row["label"]},
        "coverUrl": f"{scheme}://{row['label']}.{host}{thumbnail_path(UUID(cover))}" if cover else None,
        "publishedAt": row["published_at"],
        "readTime": read_time(row["words"]),
    }
