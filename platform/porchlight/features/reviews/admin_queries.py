"""Published reviews for admins, without names and private notes."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from porchlight.features.reviews.rules import Side
from tenants.db.pool import Database
from tenants.kit import clock
from tenants.kit.errors import NotFound
from tenants.kit.pagination import PAGE_SIZE, page_by_id, parse_id_cursor

_SELECT = """
SELECT r.id, g.label AS guru, g.character AS guru_name, r.side, r.service_name, r.stars, r.body, r.reply,
       r.published_at, r.removed_why
  FROM reviews r JOIN gurus g ON g.id = r.tenant_id WHERE r.published_at IS NOT NULL"""
_LIST = (
    _SELECT
    + """
   AND (%(guru)s = '' OR g.label = %(guru)s) AND (NOT %(removed)s OR r.removed_at IS NOT NULL)
   AND (%(before)s::uuid IS NULL OR r.id < %(before)s)
 ORDER BY r.id DESC LIMIT %(limit)s"""
)
_ONE = _SELECT + " AND r.id = %(id)s"


@dataclass(frozen=True, slots=True)
class _StaffReview:
    id: UUID
    guru: str
    guru_name: str
    side: Side
    service_name: str
    stars: int
    body: str
    reply: str
    published_at: datetime
    removed_why: str


async def reviews(service_db: Database, *, guru: str, removed: bool, cursor: str | None) -> dict[str, Any]:
    """Return a page of published reviews, the newest first: of one guru by label, or those that staff removed."""
    params = {"guru": guru, "removed": removed, "before": parse_id_cursor(cursor), "limit": PAGE_SIZE + 1}
    return page_by_id(await service_db.read(None, _LIST, params, row=_StaffReview), _to_item)


async def review(service_db: Database, review_id: UUID) -> dict[str, Any]:
    """Return a published review. Raises NotFound."""
    rows = await service_db.read(None, _ONE, {"id": review_id}, row=_StaffReview)
    if not rows:
        raise NotFound
    return _to_item(rows[0])


def _to_item(review: _StaffReview) -> dict[str, Any]:
    return {
        "id": str(review.id),
        "guru": review.guru,
        "guruName": review.guru_name,
        "side": review.side,
        "serviceName": review.service_name,
        "stars": review.stars,
        "body": review.body,
        "reply": review.reply,
        "publishedAt": clock.to_iso8601(review.published_at),
        "removedWhy": review.removed_why,
    }
