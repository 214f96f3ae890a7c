"""Activities that the risk engine does not know, as staff see them: what waits, what is decided, and one of them."""

from __future__ import annotations

import re
from typing import Any
from uuid import UUID

from porchlight.cards import RiskJudge
from porchlight.lists import PAGE, likeness
from sites import cursor
from tenants.kit import clock
from tenants.kit.db import Database
from tenants.kit.errors import NotFound, ValidationFailed
from tenants.kit.ids import known_id, parse_id

KEPT = 300  # characters of a description that the queue keeps
_MANY = 1000  # listings that are counted
_CURSOR = re.compile(r"(\d{1,9})\.([0-9a-f-]{36})", re.ASCII)

# Listings are judged by what they are called, in no category; only those that anybody sees have an index by it.
_SELECT = """
SELECT r.id, r.category, r.activity, r.level, r.seen, r.first_seen_at, r.last_seen_at, r.decided_at,
       CASE WHEN r.category = '' THEN (
         SELECT count(*) FROM (SELECT FROM skill_offers o JOIN phrases p ON p.id = o.phrase_id
                                WHERE p.words = app.folded(r.activity) AND o.visible LIMIT %(many)s) counted)
            ELSE 0 END"""
_WAITING = """
WITH page AS MATERIALIZED (
  SELECT * FROM risk_reviews
   WHERE level IS NULL AND (%(like)s::text IS NULL OR activity ILIKE %(like)s)
     AND (%(seen)s::integer IS NULL OR seen < %(seen)s OR (seen = %(seen)s AND id > %(id)s))
   ORDER BY seen DESC, id LIMIT %(limit)s
)"""
_DECIDED = """
WITH page AS MATERIALIZED (
  SELECT * FROM risk_reviews
   WHERE level IS NOT NULL AND (%(like)s::text IS NULL OR activity ILIKE %(like)s)
     AND (%(at)s::timestamptz IS NULL OR (decided_at, id) < (%(at)s, %(id)s))
   ORDER BY decided_at DESC, id DESC LIMIT %(limit)s
)"""
_WAITING_PAGE = _WAITING + _SELECT + " FROM page r ORDER BY r.seen DESC, r.id"
_DECIDED_PAGE = _DECIDED + _SELECT + " FROM page r ORDER BY r.decided_at DESC, r.id DESC"
_ONE = _SELECT + ", r.note, r.decided_by FROM risk_reviews r WHERE r.id = %(id)s"
_EXAMPLES = """
SELECT o.id, o.title, o.details FROM skill_offers o JOIN phrases p ON p.id = o.phrase_id
 WHERE p.words = app.folded(%(activity)s) AND o.visible ORDER BY o.details = '', o.id LIMIT 3"""


def _row(found: tuple[Any, ...], judge: RiskJudge) -> dict[str, Any]:
    review_id, category, activity, level, seen, first_seen_at, last_seen_at, decided_at, listings = found[:9]
    return {
        "id": str(review_id),
        "category": category,
        "activity": activity,
        "level": level,
        "risk": judge.of_review(category, activity, level),
        "listings": listings,
        "seen": seen,
        "firstSeenAt": clock.wire(first_seen_at),
        "lastSeenAt": clock.wire(last_seen_at),
        "decidedAt": clock.wire(decided_at) if decided_at else None,
    }


def _after(text: str | None) -> tuple[int | None, UUID | None]:
    """Where a page of what waits begins: how often the last one was asked about, and its id."""
    if not text:
        return None, None
    match = _CURSOR.fullmatch(text)
    found = parse_id(match[2]) if match else None
    if match is None or found is None:
        raise ValidationFailed(fields={"cursor": "This link into the list is no longer valid."})
    return int(match[1]), found


async def reviews(
    overseer: Database, judge: RiskJudge, *, decided: bool, search: str, after: str | None
) -> dict[str, Any]:
    """A page: of what waits, the most asked about first, then the oldest; of what is decided, the newest first."""
    params: dict[str, Any] = {"like": likeness(search) if search.strip() else None, "limit": PAGE + 1, "many": _MANY}
    if decided:
        at, last = cursor.after(after or None)
        rows = await overseer.read(None, _DECIDED_PAGE, params | {"at": at, "id": last})
    else:
        seen, last = _after(after)
        rows = await overseer.read(None, _WAITING_PAGE, params | {"seen": seen, "id": last})
    end = rows[PAGE - 1] if len(rows) > PAGE else None
    return {
        "items": [_row(row, judge) for row in rows[:PAGE]],
        "nextCursor": end and (cursor.encode(end[7], end[0]) if decided else f"{end[4]}.{end[0]}"),
    }


async def review(overseer: Database, judge: RiskJudge, wanted: str) -> dict[str, Any]:
    """Everything about one of them, with listings that are called so. Raises NotFound."""
    rows = await overseer.read(None, _ONE, {"id": known_id(wanted), "many": _MANY})
    if not rows:
        raise NotFound
    row = _row(rows[0], judge)
    note, decided_by = rows[0][9:]
    examples = await overseer.read(None, _EXAMPLES, {"activity": row["activity"]}) if row["listings"] else []
    return row | {
        "cut": len(row["activity"]) >= KEPT,
        "examples": [{"id": str(offer), "title": title, "details": details} for offer, title, details in examples],
        "note": note,
        "decidedBy": decided_by,
    }
