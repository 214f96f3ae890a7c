"""The front page: gurus whose sites live, and the newest of what they wrote."""

from __future__ import annotations

import asyncio
import time
from typing import Any

import orjson

from sites.posts.markdown import read_time
from tenants.kit.db import Database
from tenants.kit.errors import Unavailable

TTL = 60.0  # seconds
PAUSE = 2.0  # seconds until the database is asked again after it was out
GURUS = 8
POSTS = 6
_ORIGINS = 16  # origins whose bytes are kept: the main host by http, https, with ports
_FRONT = "SELECT app.front_page(%s, %s)"


class FrontPage:
    """The front page as ready bytes, asked for anew once a minute. Gurus' addresses follow the asking origin."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self._rows: dict[str, Any] | None = None
        self._fresh_until = 0.0
        self._bytes: dict[str, bytes] = {}
        self._asking = asyncio.Lock()

    async def body(self, scheme: str, host: str) -> bytes:
        """The answer's JSON for pages at `scheme`://`host` (base host with port).

        While the database is out, the last front page serves on; without one, raises Unavailable.
        """
        if time.monotonic() >= self._fresh_until:
            async with self._asking:
                if time.monotonic() >= self._fresh_until:
                    await self._ask()
        origin = f"{scheme}://{host}"
        made = self._bytes.get(origin)
        if made is None:
            made = orjson.dumps(_shape(self._rows or {"gurus": [], "posts": []}, scheme, host))
            if len(self._bytes) < _ORIGINS:
                self._bytes[origin] = made
        return made

    async def _ask(self) -> None:
        try:
            rows = await self._db.read(None, _FRONT, [GURUS, POSTS])
        except Unavailable:
            if self._rows is None:
                raise
            self._fresh_until = time.monotonic() + PAUSE
            return
        self._rows = rows[0][0]
        self._fresh_until = time.monotonic() + TTL
        self._bytes.clear()


def _shape(rows: dict[str, Any], scheme: str, host: str) -> dict[str, Any]:
    return {
        "success": True,
        "data": {
            "gurus": [_guru(row, scheme, host) for row in rows["gurus"]],
            "posts": [_post(row, scheme, host) for row in rows["posts"]],
        },
    }


def _guru(row: dict[str, Any], scheme: str, host: str) -> dict[str, Any]:
    return {
        "subdomain": row["label"],
        "character": row["character"],
        "category": row["category"],
        "tagline": row["tagline"],
        "url": f"{scheme}://{row['label']}.{host}/",
        "theme": {
            "primaryColor": row["primary_color"],
            "secondaryColor": row["secondary_color"],
            "icon": row["icon"],
            "emoji": row["emoji"],
        },
    }


def _post(row: dict[str, Any], scheme: str, host: str) -> dict[str, Any]:
    return {
        "title": row["title"],
        "excerpt": row["excerpt"],
        "url": f"{scheme}://{row['label']}.{host}/blog/{row['slug']}",
        "guru": {"character": row["character"], "subdomain": row["label"]},
        "publishedAt": row["published_at"],
        "readTime": read_time(row["words"]),
    }
