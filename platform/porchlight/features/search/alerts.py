"""The job that finds new results of saved searches."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

import psycopg

from porchlight.features.search.queries import SEARCH, search_hit, search_origin, search_params
from porchlight.features.search.schemas import Filters, SearchHit
from porchlight.ports import Geocoder
from tenants.kit import clock

ALERT_TASK = "search:send_alerts"
MIN_PROBABILITY_PERCENT = 50
BATCH_SIZE = 500  # searches per run, those checked longest ago first
MAX_HITS_PER_EMAIL = 5

_SAVED_SEARCHES = """
SELECT s.user_id, s.id, s.words, s.filters, s.seen_at, u.email, p.display_name, p.handle FROM saved_searches s
  JOIN users u ON u.user_id = s.user_id AND u.status = 'active' JOIN profiles p ON p.user_id = s.user_id
 ORDER BY s.seen_at LIMIT %s FOR UPDATE OF s SKIP LOCKED
"""


@dataclass(frozen=True, slots=True)
class Alert:
    """The new results of a saved search, for one email. `key` identifies the email in retries."""

    key: str
    email: str
    name: str
    words: str
    hits: list[SearchHit]


async def new_alerts(dsn: str, geocoder: Geocoder) -> list[Alert]:
    """Return the new results of each saved search since its last check, without the user's own offers.

    Marks the searches as checked, so each result is returned once.
    """
    alerts: list[Alert] = []
    async with await psycopg.AsyncConnection.connect(dsn) as conn:
        now = clock.now()
        for user_id, search_id, words, filters, seen_at, email, name, handle in await (
            await conn.execute(_SAVED_SEARCHES, [BATCH_SIZE])
        ).fetchall():
            results = await _new_hits(conn, geocoder, words, Filters.model_validate(filters), seen_at)
            await conn.execute(
                "UPDATE saved_searches SET seen_at = %s WHERE user_id = %s AND id = %s", [now, user_id, search_id]
            )
            hits = [hit for hit in results if hit.fit >= MIN_PROBABILITY_PERCENT and hit.handle != handle]
            if hits and email:
                alerts.append(Alert(_key(search_id, now), email, name, words, hits[:MAX_HITS_PER_EMAIL]))
    return alerts


def _key(search_id: UUID, now: datetime) -> str:
    return f"search-{search_id}-{now:%Y%m%d%H%M}"


async def _new_hits(
    conn: psycopg.AsyncConnection[Any], geocoder: Geocoder, words: str, filters: Filters, since: datetime
) -> list[SearchHit]:
    phrase = await (await conn.execute("SELECT * FROM app.lookup_phrase(%s)", [words])).fetchone()
    origin = await search_origin(geocoder, filters.near)
    params = search_params(phrase[0] if phrase else None, words, filters, origin, since)
    rows = await (await conn.execute(SEARCH, params)).fetchall()
    return [search_hit(row) for row in rows]
