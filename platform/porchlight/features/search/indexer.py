"""The job that indexes the public pages of gurus and Angel's List for search. It runs every minute.

It works as the service role, because it reads the pages of all gurus. Only the worker imports this module.
"""

from __future__ import annotations

from typing import Any
from uuid import UUID

import psycopg
from procrastinate import Blueprint, JobContext

from porchlight.geo.grid import NOWHERE, cell_of, tile_of
from porchlight.ports import Geocoder, Place

NAMESPACE = "search"
MAX_GURUS_PER_RUN = 200

Connection = psycopg.AsyncConnection[Any]

_CHANGED = """
SELECT g.id, g.content_version FROM gurus g
  LEFT JOIN search_entries e ON e.kind = 'guru' AND e.item = g.id::text
 WHERE g.status = 'active' AND g.published AND e.version IS DISTINCT FROM g.content_version
 ORDER BY g.updated_at LIMIT %s
"""
_DELETE_HIDDEN = """
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
SELECT app.get_or_create_phrase(s.words, true), %(kind)s, %(item)s, s.weight
  FROM unnest(%(words)s::text[], %(weights)s::real[])
       AS s (words, weight)
ON CONFLICT (phrase_id, kind, item) DO UPDATE SET weight = greatest(search_entry_phrases.weight, excluded.weight)
"""


def indexer_blueprint(service_dsn: str, geocoder: Geocoder) -> Blueprint:
    """Return the task search:reindex."""
    blueprint = Blueprint()

    @blueprint.periodic(cron="* * * * *")
    @blueprint.task(name="reindex", pass_context=True, queueing_lock=f"{NAMESPACE}:reindex")
    async def reindex_pages(_context: JobContext, timestamp: int) -> None:
        await reindex(service_dsn, geocoder)

    return blueprint


class SearchIndexer:
    """Writes the index entries of public pages."""

    def __init__(self, conn: Connection, geocoder: Geocoder) -> None:
        self._conn = conn
        self._geocoder = geocoder
        self._places: dict[str, Place | None] = {}

    async def index(self) -> int:
        """Make the entries match the public pages and return the number of indexed gurus."""
        await self._conn.execute(_DELETE_HIDDEN)
        changed = await (await self._conn.execute(_CHANGED, [MAX_GURUS_PER_RUN])).fetchall()
        for guru_id, version in changed:
            await self._index_guru(guru_id, version)
        await self._index_angel_services()
        return len(changed)

    async def _index_guru(self, guru_id: UUID, version: int) -> None:
        row = await (await self._conn.execute(_GURU, [guru_id])).fetchone()
        if row is None:
            return
        _id, label, character, category, skills, tagline, city, cents = row
        common = await self._location(city) | {"owner": guru_id, "version": version, "label": label, "cents": cents}
        # Deletes the entries of deleted posts, and with the entries the phrases that the pages no longer have.
        await self._conn.execute("DELETE FROM search_entries WHERE owner_id = %s", [guru_id])
        phrases = dict.fromkeys(skills, 1.0) | {category: 0.8, tagline: 0.7}
        fields = common | {"title": character, "summary": tagline, "slug": ""}
        await self._write_entry("guru", str(guru_id), fields, phrases)
        for post_id, slug, title, excerpt, tags in await (await self._conn.execute(_POSTS, [guru_id])).fetchall():
            fields = common | {"title": title, "summary": excerpt, "slug": slug, "cents": None}
            phrases = {title: 0.9} | {tag.replace("-", " "): 0.75 for tag in tags}
            await self._write_entry("post", str(post_id), fields, phrases)

    async def _index_angel_services(self) -> None:
        rows = await (await self._conn.execute(_SERVICES)).fetchall()
        await self._conn.execute(
            "DELETE FROM search_entries WHERE kind = 'angel' AND item <> ALL (%s)", [[row[0] for row in rows]]
        )
        for service_id, title, description, cents, city, keywords in rows:
            fields = await self._location(city) | {"owner": None, "version": 0, "label": "", "slug": service_id}
            fields |= {"title": title, "summary": description, "cents": cents}
            await self._write_entry("angel", service_id, fields, {title: 1.0} | dict.fromkeys(keywords, 0.85))

    async def _write_entry(self, kind: str, item: str, fields: dict[str, Any], phrases: dict[str, float]) -> None:
        await self._conn.execute(_ENTRY, fields | {"kind": kind, "item": item})
        weights = {phrase: weight for phrase, weight in phrases.items() if phrase.strip()}
        await self._conn.execute(
            _PHRASES, {"kind": kind, "item": item, "words": list(weights), "weights": list(weights.values())}
        )

    async def _location(self, city: str) -> dict[str, Any]:
        if city not in self._places:
            places = await self._geocoder.search(city, 1) if city.strip() else []
            self._places[city] = places[0] if places else None
        place = self._places[city]
        if place is None:
            return {"city": city, "tile": NOWHERE, "lat": NOWHERE, "lon": NOWHERE}
        lat, lon = cell_of(place.latitude, place.longitude)
        return {"city": city, "tile": tile_of(lat, lon), "lat": lat, "lon": lon}


async def reindex(service_dsn: str, geocoder: Geocoder) -> int:
    """Index all changed pages in one transaction and return the number of gurus."""
    async with await psycopg.AsyncConnection.connect(service_dsn) as conn:
        return await SearchIndexer(conn, geocoder).index()
