"""The job that looks for what is new in searches that neighbours keep."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

import psycopg

from porchlight.ports import Geocoder
from porchlight.search.queries import FIND, here_of, hit, params
from porchlight.search.schemas import Filters, HitAnswer
from tenants.kit import clock

ALERT_TASK = "alert_searches"
LEAST_FIT = 50  # percent: a mail should be worth opening
AT_ONCE = 500  # searches a run, those looked at longest ago first
SHOWN = 5

_KEPT = """
SELECT s.user_id, s.id, s.words, s.filters, s.seen_at, u.email, p.display_name, p.handle FROM saved_searches s
  JOIN users u ON u.user_id = s.user_id AND u.status = 'active' JOIN profiles p ON p.user_id = s.user_id
 ORDER BY s.seen_at LIMIT %s FOR UPDATE OF s SKIP LOCKED
"""


@dataclass(frozen=True, slots=True)
class Alert:
    """New hits of one search, for the mail about them. `key` is the same for every attempt."""

    key: str
    email: str
    name: str
    words: str
    hits: list[HitAnswer]


async def new_alerts(dsn: str, geocoder: Geocoder) -> list[Alert]:
    """What is new in each search since it was last told, but for one's own offers; it is told once."""
    made: list[Alert] = []
    async with await psycopg.AsyncConnection.connect(dsn) as conn:
        now = clock.now()
        for user_id, search_id, words, filters, seen_at, email, name, handle in await (
            await conn.execute(_KEPT, [AT_ONCE])
        ).fetchall():
            found = await _new(conn, geocoder, words, Filters.model_validate(filters), seen_at)
            await conn.execute(
                "UPDATE saved_searches SET seen_at = %s WHERE user_id = %s AND id = %s", [now, user_id, search_id]
            )
            hits = [one for one in found if one.fit >= LEAST_FIT and one.handle != handle]
            if hits and email:
                made.append(Alert(_key(search_id, now), email, name, words, hits[:SHOWN]))
    return made


def _key(search_id: UUID, now: datetime) -> str:
    return f"search-{search_id}-{now:%Y%m%d%H%M}"


async def _new(
    conn: psycopg.AsyncConnection[Any], geocoder: Geocoder, words: str, filters: Filters, since: datetime
) -> list[HitAnswer]:
    asked = await (await conn.execute("SELECT * FROM app.ask_phrase(%s)", [words])).fetchone()
    here = await here_of(geocoder, filters.near)
    rows = await (await conn.execute(FIND, params(asked[0] if asked else None, words, filters, here, since))).fetchall()
    return [hit(row) for row in rows]
