"""The job that gathers what public pages of gurus and Angel's List say, so that search finds them (a minute later)."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import psycopg

from porchlight.grid import cell_of, tile_of
from porchlight.ports import Geocoder, Place

GATHER_TASK = "gather_pages"
GURUS_A_RUN = 200

Connection = psycopg.AsyncConnection[Any]

_CHANGED = """
SELECT g.id, g.content_version FROM gurus g
  LEFT JOIN search_entries e ON e.kind = 'guru' AND e.item = g.id::text
 WHERE g.status = 'active' AND g.published AND e.version IS DISTINCT FROM g.content_version
 ORDER BY g.updated_at LIMIT %s
"""
_GONE = """
DELETE FROM search_entries e WHERE e.kind IN ('guru', 'post')
   AND NOT EXISTS (SELECT FROM gurus g WHERE g.id = e.owner_id AND g.status = 'active' AND g.published)
"""
_GURU = """
SELECT g.id, g.label, g.character, g.category, g.primary_skills, g.tagline, g.city,
       (SELECT min(s.price_cents) FROM services s WHERE s.tenant_id = g.id)
  FROM gurus g WHERE g.id = %s FOR SHARE
"""
_POSTS = """
SELECT p.id, p.slug, p.title, p.excerpt, p.tags FROM posts p
 WHERE p.tenant_id = %s AND p.status = 'published' AND p.published_at <= now()
 ORDER BY p.published_at DESC LIMIT 100
"""
_SERVICES = "SELECT id, title, description, avg_price_cents, city, keywords FROM angel_services ORDER BY position"
_ENTRY = """
INSERT INTO search_entries (kind, item, owner_id, version, title, summary, label, slug, price_cents, city, tile,
                            cell_lat, cell_lon)
VALUES (%(kind)s, %(item)s, %(owner)s, %(version)s, %(title)s, %(summary)s, %(label)s, %(slug)s, %(cents)s, %(city)s,
        %(tile)s, %(lat)s, %(lon)s)
ON CONFLICT (kind, item) DO UPDATE SET version = excluded.version, title = excluded.title, summary = excluded.summary,
  label = excluded.label, slug = excluded.slug, price_cents = excluded.price_cents, city = excluded.city,
  tile = excluded.tile, cell_lat = excluded.cell_lat, cell_lon = excluded.cell_lon
"""
_PHRASES = """
INSERT INTO search_entry_phrases (phrase_id, kind, item, weight)
SELECT app.phrase(s.words, true), %(kind)s, %(item)s, s.weight FROM unnest(%(words)s::text[], %(weights)s::real[])
       AS s (words, weight)
ON CONFLICT (phrase_id, kind, item) DO UPDATE SET weight = greatest(search_entry_phrases.weight, excluded.weight)
"""


class Gatherer:
    """Reads public pages into entries."""

    def __init__(self, conn: Connection, geocoder: Geocoder) -> None:
        self._conn = conn
        self._geocoder = geocoder
        self._places: dict[str, Place | None] = {}

    async def gather(self) -> int:
        """Bring the entries in line with the pages; how many gurus were read."""
        await self._conn.execute(_GONE)
        changed = await (await self._conn.execute(_CHANGED, [GURUS_A_RUN])).fetchall()
        for guru_id, version in changed:
            await self._guru(guru_id, version)
        await self._services()
        return len(changed)

    async def _guru(self, guru_id: UUID, version: int) -> None:
        row = await (await self._conn.execute(_GURU, [guru_id])).fetchone()
        if row is None:
            return
        _id, label, character, category, skills, tagline, city, cents = row
        spot = await self._spot(city) | {"owner": guru_id, "version": version, "label": label, "cents": cents}
        # Posts that went, and phrases that are said no longer, go with the entries they stood for.
        await self._conn.execute("DELETE FROM search_entries WHERE owner_id = %s", [guru_id])
        said = dict.fromkeys(skills, 1.0) | {category: 0.8, tagline: 0.7}
        await self._entry("guru", str(guru_id), spot | {"title": character, "summary": tagline, "slug": ""}, said)
        for post_id, slug, title, excerpt, tags in await (await self._conn.execute(_POSTS, [guru_id])).fetchall():
            told = spot | {"title": title, "summary": excerpt, "slug": slug, "cents": None}
            await self._entry("post", str(post_id), told, {title: 0.9} | {tag.replace("-", " "): 0.75 for tag in tags})

    async def _services(self) -> None:
        rows = await (await self._conn.execute(_SERVICES)).fetchall()
        await self._conn.execute(
            "DELETE FROM search_entries WHERE kind = 'angel' AND item <> ALL (%s)", [[row[0] for row in rows]]
        )
        for service_id, title, description, cents, city, keywords in rows:
            told = {"title": title, "summary": description, "label": "", "slug": service_id, "cents": cents}
            spot = await self._spot(city) | {"owner": None, "version": 0}
            await self._entry("angel", service_id, spot | told, {title: 1.0} | dict.fromkeys(keywords, 0.85))

    async def _entry(self, kind: str, item: str, told: dict[str, Any], said: dict[str, float]) -> None:
        await self._conn.execute(_ENTRY, told | {"kind": kind, "item": item})
        words = {text: weight for text, weight in said.items() if text.strip()}
        await self._conn.execute(
            _PHRASES, {"kind": kind, "item": item, "words": list(words), "weights": list(words.values())}
        )

    async def _spot(self, city: str) -> dict[str, Any]:
        if city not in self._places:
            found = await self._geocoder.search(city, 1) if city.strip() else []
            self._places[city] = found[0] if found else None
        place = self._places[city]
        if place is None:
            return {"city": city, "tile": -1, "lat": -1, "lon": -1}
        lat, lon = cell_of(place.latitude, place.longitude)
        return {"city": city, "tile": tile_of(lat, lon), "lat": lat, "lon": lon}


async def gather_pages(dsn: str, geocoder: Geocoder) -> int:
    """Gather what has changed, in one transaction."""
    async with await psycopg.AsyncConnection.connect(dsn) as conn:
        return await Gatherer(conn, geocoder).gather()
