"""The job that indexes the public pages of gurus and Angel's List for search. It runs every minute.

It works as the service role, because it reads the pages of all gurus. Only the worker imports this module.
"""

from __future__ import annotations

from typing import Any
from uuid import UUID

import psycopg
from procrastinate import Blueprint, JobContext

from porchlight.embeddings.named_things import named_things
from porchlight.geo.grid import NOWHERE, cell_of, tile_of
from porchlight.ports import Geocoder, Place
from tenants.db.rows import Columns

NAMESPACE = "search"
LIST_SIZE = 10_000  # changed gurus per look
BATCH_SIZE = 200  # gurus per transaction

Connection = psycopg.AsyncConnection[Columns]

_CHANGED = """
SELECT g.id FROM gurus g LEFT JOIN search_entries e ON e.kind = 'guru' AND e.item = g.id::text
 WHERE g.status = 'active' AND g.published AND e.version IS DISTINCT FROM g.content_version
 ORDER BY g.updated_at LIMIT %s
"""
# The rows stay locked, so that the entries and their version are of the same state.
_LOCK = "SELECT id, city FROM gurus WHERE id = ANY (%s) AND status = 'active' AND published ORDER BY id FOR SHARE"
_DELETE_HIDDEN = """
DELETE FROM search_entries WHERE kind IN ('guru', 'post') AND owner_id IN (
  SELECT e.owner_id FROM search_entries e LEFT JOIN gurus g ON g.id = e.owner_id
   WHERE e.kind = 'guru' AND (g.id IS NULL OR g.status <> 'active' OR NOT g.published))
"""
# A release can change which skills belong to a category whose documents are not approved, and no guru changes then.
_OUTDATE_HIDING = """
UPDATE search_entries e SET version = e.version - 1
 WHERE e.kind = 'guru'
   AND EXISTS (SELECT FROM guru_categories c WHERE c.tenant_id = e.owner_id AND c.needs_documents AND NOT c.listed)
"""
_PAGE_ENTRIES = """
WITH pages AS (
  SELECT g.id, g.content_version, g.label, g.character, g.tagline, g.city, p.tile, p.lat, p.lon
    FROM gurus g JOIN unnest(%(cities)s::text[], %(tiles)s::integer[], %(lats)s::smallint[], %(lons)s::smallint[])
      AS p (city, tile, lat, lon) ON p.city = g.city
   WHERE g.id = ANY (%(gurus)s)
)
INSERT INTO search_entries (kind, item, owner_id, version, title, summary, label, slug, price_cents, city, tile,
                            cell_lat, cell_lon)
SELECT 'guru', g.id::text, g.id, g.content_version, g.character, g.tagline, g.label, '',
       (SELECT min(s.price_cents) FROM services s WHERE s.tenant_id = g.id), g.city, g.tile, g.lat, g.lon FROM pages g
 UNION ALL
SELECT 'post', p.id::text, g.id, g.content_version, p.title, p.excerpt, g.label, p.slug, NULL, g.city, g.tile, g.lat,
       g.lon
  FROM pages g CROSS JOIN LATERAL (
    SELECT p.id, p.title, p.excerpt, p.slug FROM posts p
     WHERE p.tenant_id = g.id AND p.status = 'published' AND p.published_at <= app.now()
     ORDER BY p.published_at DESC LIMIT 100) p
"""
# A guru is found by what the services and posts teach too, below the named skills. app.teaching_gurus counts weights
# from 0.8 on. A phrase is looked up once for all entries that have it.
_PAGE_PHRASES = """
WITH post_phrases AS MATERIALIZED (
  SELECT e.owner_id, e.item, n.words, n.weight FROM search_entries e
    JOIN posts p ON p.tenant_id = e.owner_id AND p.id::text = e.item CROSS JOIN LATERAL (
    SELECT p.title, 0.9 UNION ALL
    SELECT replace(coalesce(t.name, t.slug), '-', ' '), 0.75 FROM unnest(p.tags, p.tag_names) t (slug, name)) n (words,
           weight)
   WHERE e.kind = 'post' AND e.owner_id = ANY (%(gurus)s)
), named AS MATERIALIZED (
  SELECT 'guru' AS kind, g.id::text AS item, n.words, n.weight FROM gurus g CROSS JOIN LATERAL (
    SELECT unnest(app.shown_skills(g.id, g.primary_skills)), 1.0 UNION ALL VALUES (g.category, 0.8), (g.tagline, 0.7)
     UNION ALL SELECT s.name, 0.75 FROM services s WHERE s.tenant_id = g.id) n (words, weight)
   WHERE g.id = ANY (%(gurus)s)
   UNION ALL SELECT 'guru', p.owner_id::text, p.words, 0.6 * p.weight FROM post_phrases p
   UNION ALL SELECT 'post', p.item, p.words, p.weight FROM post_phrases p
), phrase_ids AS MATERIALIZED (
  SELECT d.words, app.get_or_create_phrase(d.words, true) AS phrase_id
    FROM (SELECT DISTINCT n.words FROM named n WHERE btrim(n.words) <> '' ORDER BY 1) d
)
INSERT INTO search_entry_phrases (phrase_id, kind, item, weight, tile)
SELECT i.phrase_id, n.kind, n.item, max(n.weight), e.tile FROM named n JOIN phrase_ids i ON i.words = n.words
  JOIN search_entries e ON e.kind = n.kind AND e.item = n.item GROUP BY 1, 2, 3, 5
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
INSERT INTO search_entry_phrases (phrase_id, kind, item, weight, tile)
SELECT app.get_or_create_phrase(s.words, true), %(kind)s, %(item)s, s.weight, %(tile)s
  FROM unnest(%(words)s::text[], %(weights)s::real[])
       AS s (words, weight)
ON CONFLICT (phrase_id, kind, item) DO UPDATE SET weight = greatest(search_entry_phrases.weight, excluded.weight)
"""


def indexer_blueprint(service_dsn: str, geocoder: Geocoder) -> Blueprint:
    """Return the task search:reindex."""
    blueprint = Blueprint()
    is_first = True  # of this process, which may be of a new release

    @blueprint.periodic(cron="* * * * *")
    @blueprint.task(name="reindex", pass_context=True, queueing_lock=f"{NAMESPACE}:reindex")
    async def reindex_pages(_context: JobContext, timestamp: int) -> None:
        nonlocal is_first
        await reindex(service_dsn, geocoder, is_new_release=is_first)
        is_first = False

    return blueprint


class SearchIndexer:
    """Writes the index entries of public pages."""

    def __init__(self, conn: Connection, geocoder: Geocoder) -> None:
        self._conn = conn
        self._geocoder = geocoder
        self._places: dict[str, Place | None] = {}

    async def index(self) -> int:
        """Make the entries match the public pages and return the number of indexed gurus. Each batch is committed."""
        async with self._conn.transaction():
            await self._conn.execute(_DELETE_HIDDEN)
            await self._index_angel_services()
        total = 0
        while changed := await (await self._conn.execute(_CHANGED, [LIST_SIZE])).fetchall():
            ids = [guru_id for (guru_id,) in changed]
            for start in range(0, len(ids), BATCH_SIZE):
                total += await self._index_gurus(ids[start : start + BATCH_SIZE])
        return total

    async def _index_gurus(self, ids: list[UUID]) -> int:
        """Index those of the gurus that are public, in one transaction, and return their number."""
        async with self._conn.transaction():
            gurus = await (await self._conn.execute(_LOCK, [ids])).fetchall()
            places = {city: await self._location(city) for _guru_id, city in gurus}
            values = {
                "gurus": [guru_id for guru_id, _city in gurus],
                "cities": list(places),
                "tiles": [place["tile"] for place in places.values()],
                "lats": [place["lat"] for place in places.values()],
                "lons": [place["lon"] for place in places.values()],
            }
            # With the entries of deleted posts go the phrases that the pages no longer have.
            await self._conn.execute("DELETE FROM search_entries WHERE owner_id = ANY (%(gurus)s)", values)
            await self._conn.execute(_PAGE_ENTRIES, values)
            await self._conn.execute(_PAGE_PHRASES, values)
        return len(gurus)

    async def _index_angel_services(self) -> None:
        rows = await (await self._conn.execute(_SERVICES)).fetchall()
        await self._conn.execute(
            "DELETE FROM search_entries WHERE kind = 'angel' AND item <> ALL (%s)",
            [[service_id for service_id, *_ in rows]],
        )
        for service_id, title, description, cents, city, keywords in rows:
            fields = await self._location(city) | {"owner": None, "version": 0, "label": "", "slug": service_id}
            fields |= {"title": title, "summary": description, "cents": cents}
            # A keyword such as "piano" would make movers an answer to "piano teacher".
            phrases = [keyword for keyword in keywords if not named_things().names(keyword)]
            await self._write_entry("angel", service_id, fields, {title: 1.0} | dict.fromkeys(phrases, 0.85))

    async def _write_entry(self, kind: str, item: str, fields: dict[str, Any], phrases: dict[str, float]) -> None:
        await self._conn.execute(_ENTRY, fields | {"kind": kind, "item": item})
        weights = {phrase: weight for phrase, weight in phrases.items() if phrase.strip()}
        phrase_fields = {"kind": kind, "item": item, "words": list(weights), "weights": list(weights.values())}
        await self._conn.execute(_PHRASES, phrase_fields | {"tile": fields["tile"]})

    async def _location(self, city: str) -> dict[str, Any]:
        if city not in self._places:
            self._places[city] = (await self._geocoder.match(city)).place
        place = self._places[city]
        if place is None:
            return {"city": city, "tile": NOWHERE, "lat": NOWHERE, "lon": NOWHERE}
        lat, lon = cell_of(place.latitude, place.longitude)
        return {"city": city, "tile": tile_of(lat, lon), "lat": lat, "lon": lon}


async def reindex(service_dsn: str, geocoder: Geocoder, *, is_new_release: bool = False) -> int:
    """Index all changed pages and return the number of gurus. `is_new_release`: also those with hidden skills."""
    async with await psycopg.AsyncConnection.connect(service_dsn, autocommit=True) as conn:
        if is_new_release:
            await conn.execute(_OUTDATE_HIDING)
        return await SearchIndexer(conn, geocoder).index()
