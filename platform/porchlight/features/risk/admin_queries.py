"""Queries on risk reviews: activities that the risk engine does not know, waiting or decided."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from porchlight.contracts import MAX_ACTIVITY_CHARACTERS, OfferRisk, RiskAssessor
from tenants.db.pool import Database
from tenants.kit import clock, pagination
from tenants.kit.errors import NotFound, ValidationFailed
from tenants.kit.ids import parse_id, parse_id_or_404
from tenants.kit.pagination import PAGE_SIZE, ilike_pattern

_MAX_COUNTED_LISTINGS = 1000
_CURSOR = re.compile(r"(\d{1,9})\.([0-9a-f-]{36})", re.ASCII)

# The risk of a listing depends on its title, without a category. Only visible listings have an index on the title.
_SELECT = """
SELECT r.id, r.category, r.activity, r.level, r.occurrences, r.first_seen_at, r.last_seen_at, r.decided_at,
       (SELECT count(*) FROM (SELECT FROM risk_review_requests q
                               WHERE q.digest = r.digest AND q.answered_at IS NULL LIMIT %(many)s) open) AS asking,
       CASE WHEN r.category = '' THEN (
         SELECT count(*) FROM (SELECT FROM skill_offers o JOIN phrases p ON p.id = o.phrase_id
                                WHERE p.words = app.normalize_text(r.activity) AND o.visible LIMIT %(many)s) counted)
            ELSE 0 END AS listings"""
_WAITING = """
WITH page AS MATERIALIZED (
  SELECT * FROM risk_reviews
   WHERE level IS NULL AND (%(like)s::text IS NULL OR activity ILIKE %(like)s)
     AND (%(seen)s::integer IS NULL OR occurrences < %(seen)s OR (occurrences = %(seen)s AND id > %(id)s))
   ORDER BY occurrences DESC, id LIMIT %(limit)s
)"""
_DECIDED = """
WITH page AS MATERIALIZED (
  SELECT * FROM risk_reviews
   WHERE level IS NOT NULL AND (%(like)s::text IS NULL OR activity ILIKE %(like)s)
     AND (%(at)s::timestamptz IS NULL OR (decided_at, id) < (%(at)s, %(id)s))
   ORDER BY decided_at DESC, id DESC LIMIT %(limit)s
)"""
_WAITING_PAGE = _WAITING + _SELECT + " FROM page r ORDER BY r.occurrences DESC, r.id"
_DECIDED_PAGE = _DECIDED + _SELECT + " FROM page r ORDER BY r.decided_at DESC, r.id DESC"
_BY_ID = _SELECT + ", r.note, r.decided_by FROM risk_reviews r WHERE r.id = %(id)s"
_EXAMPLES = """
SELECT o.id, o.title, o.details FROM skill_offers o JOIN phrases p ON p.id = o.phrase_id
 WHERE p.words = app.normalize_text(%(activity)s) AND o.visible ORDER BY o.details = '', o.id LIMIT 3"""

_REQUESTS = """
SELECT q.id, q.service, g.character AS guru, g.label, q.sentence, q.asked_at, q.answered_at
  FROM risk_reviews r JOIN risk_review_requests q ON q.digest = r.digest JOIN gurus g ON g.id = q.guru_id
 WHERE r.id = %(id)s ORDER BY q.answered_at IS NOT NULL, q.asked_at DESC LIMIT 20"""


@dataclass(frozen=True, slots=True)
class _Request:
    id: UUID
    service: str
    guru: str
    label: str
    sentence: str
    asked_at: datetime
    answered_at: datetime | None


@dataclass(frozen=True, slots=True)
class _RiskReview:
    id: UUID
    category: str
    activity: str
    level: str | None
    occurrences: int
    first_seen_at: datetime
    last_seen_at: datetime
    decided_at: datetime | None
    asking: int
    listings: int

    @property
    def rated(self) -> tuple[str, str, str | None]:
        return self.category, self.activity, self.level


@dataclass(frozen=True, slots=True)
class _ReviewDetails(_RiskReview):
    note: str
    decided_by: str


def _to_review(review: _RiskReview, risk: OfferRisk) -> dict[str, Any]:
    return {
        "id": str(review.id),
        "category": review.category,
        "activity": review.activity,
        "level": review.level,
        "risk": risk,
        "listings": review.listings,
        "gurusAsking": review.asking,
        "seen": review.occurrences,
        "firstSeenAt": clock.to_iso8601(review.first_seen_at),
        "lastSeenAt": clock.to_iso8601(review.last_seen_at),
        "decidedAt": clock.to_iso8601(review.decided_at) if review.decided_at else None,
    }


def _to_request(request: _Request) -> dict[str, Any]:
    return {
        "id": str(request.id),
        "service": request.service,
        "guru": request.guru,
        "subdomain": request.label,
        "sentence": request.sentence,
        "askedAt": clock.to_iso8601(request.asked_at),
        "answeredAt": clock.to_iso8601(request.answered_at) if request.answered_at else None,
    }


def _parse_waiting_cursor(cursor: str | None) -> tuple[int | None, UUID | None]:
    """Return the occurrences and the id of the last review on the previous page. Raises ValidationFailed."""
    if not cursor:
        return None, None
    match = _CURSOR.fullmatch(cursor)
    review_id = parse_id(match[2]) if match else None
    if match is None or review_id is None:
        raise ValidationFailed(fields={"cursor": "This link to the list is no longer valid."})
    return int(match[1]), review_id


def _cursor(last: _RiskReview) -> str:
    if last.decided_at is not None:
        return pagination.encode_cursor(last.decided_at, last.id)
    return f"{last.occurrences}.{last.id}"


async def reviews(
    service_db: Database, risk: RiskAssessor, *, decided: bool, search: str, after: str | None
) -> dict[str, Any]:
    """Return a page of reviews: waiting ones by occurrences, then oldest first; decided ones newest first."""
    params: dict[str, Any] = {
        "like": ilike_pattern(search) if search.strip() else None,
        "limit": PAGE_SIZE + 1,
        "many": _MAX_COUNTED_LISTINGS,
    }
    if decided:
        decided_at, last_id = pagination.parse_cursor(after or None)
        rows = await service_db.read(None, _DECIDED_PAGE, params | {"at": decided_at, "id": last_id}, row=_RiskReview)
    else:
        occurrences, last_id = _parse_waiting_cursor(after)
        values = params | {"seen": occurrences, "id": last_id}
        rows = await service_db.read(None, _WAITING_PAGE, values, row=_RiskReview)
    page = rows[:PAGE_SIZE]
    risks = await risk.assess_reviews([row.rated for row in page])
    return {
        "items": [_to_review(row, of_row) for row, of_row in zip(page, risks, strict=True)],
        "nextCursor": _cursor(rows[PAGE_SIZE - 1]) if len(rows) > PAGE_SIZE else None,
    }


async def review(service_db: Database, risk: RiskAssessor, review_id: str) -> dict[str, Any]:
    """Return a review with all details and examples of listings with this title. Raises NotFound."""
    params = {"id": parse_id_or_404(review_id), "many": _MAX_COUNTED_LISTINGS}
    rows = await service_db.read(None, _BY_ID, params, row=_ReviewDetails)
    if not rows:
        raise NotFound
    (found,) = rows
    (of_review,) = await risk.assess_reviews([found.rated])
    data = _to_review(found, of_review)
    examples = await service_db.read(None, _EXAMPLES, {"activity": data["activity"]}) if data["listings"] else []
    requests = await service_db.read(None, _REQUESTS, {"id": found.id}, row=_Request)
    return data | {
        "requests": [_to_request(request) for request in requests],
        "cut": len(data["activity"]) >= MAX_ACTIVITY_CHARACTERS,
        "examples": [{"id": str(offer), "title": title, "details": details} for offer, title, details in examples],
        "note": found.note,
        "decidedBy": found.decided_by,
    }
