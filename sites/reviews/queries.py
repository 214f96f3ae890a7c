"""Reading the reviews that a guru's site shows. Hidden ones are in no row that a visitor's transaction sees."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, NamedTuple
from uuid import UUID

from sites.reviews.ratings import MAX_STARS, rating_of
from tenants.db.pool import Database
from tenants.kit.pagination import encode_cursor, parse_cursor

PAGE_SIZE = 20
NEWEST = 3  # with words, on the home page
NO_COUNTS = [0] * MAX_STARS

# Parts of the statement of each page that shows them, as JSON objects.
TOTALS_SQL = """
(SELECT json_build_object('counts', t.histogram, 'services', t.services)
   FROM review_totals t WHERE t.tenant_id = %(tenant)s)"""
NEWEST_SQL = f"""
(SELECT coalesce(json_agg(n), '[]') FROM (
   SELECT r.id, r.service_name, r.published_at, r.stars, r.body, r.reply, r.removed_why, r.author
     FROM public_reviews r WHERE r.tenant_id = %(tenant)s AND r.body <> ''
    ORDER BY r.published_at DESC, r.id DESC LIMIT {NEWEST}) n)"""
_TOTALS = """
SELECT t.histogram, t.services,
       (SELECT coalesce(json_object_agg(s.id, s.name), '{}') FROM services s WHERE s.tenant_id = %(tenant)s) AS names
  FROM review_totals t WHERE t.tenant_id = %(tenant)s"""
_HAS_REVIEWS = "SELECT 0 < ANY (t.histogram) FROM review_totals t WHERE t.tenant_id = %(tenant)s"
_PAGE = """
SELECT r.id, r.service_name, r.published_at, r.stars, r.body, r.reply, r.removed_why, r.author
  FROM public_reviews r
 WHERE r.tenant_id = %(tenant)s
   AND (%(at)s::timestamptz IS NULL OR (r.published_at, r.id) < (%(at)s::timestamptz, %(id)s::uuid))
 ORDER BY r.published_at DESC, r.id DESC LIMIT %(most)s"""


class _Totals(NamedTuple):
    histogram: list[int]
    services: dict[str, list[int]]
    names: dict[str, str]


class _PublicReview(NamedTuple):
    id: UUID
    service_name: str
    published_at: datetime
    stars: int | None
    body: str
    reply: str
    removed_why: str
    author: str


def site_reviews(totals: dict[str, Any] | None, newest: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the values of TOTALS_SQL and NEWEST_SQL in the API's form (SiteReviews)."""
    return {
        "rating": _rating(totals["counts"] if totals else None),
        "services": {
            service: _rating(counts)
            for service, counts in (totals["services"] if totals else {}).items()
            if any(counts)
        },
        "newest": [
            _to_response(_PublicReview(**row | {"published_at": datetime.fromisoformat(row["published_at"])}))
            for row in newest
        ],
    }


NO_REVIEWS: dict[str, Any] = {"rating": None, "services": {}, "newest": []}


async def reviews(db: Database, tenant_id: UUID, cursor: str | None) -> dict[str, Any]:
    """Return {rating, counts, services, reviews, nextCursor}. Raises ValidationFailed."""
    after_at, after_id = parse_cursor(cursor or None)
    totals = next(iter(await db.read(tenant_id, _TOTALS, {"tenant": tenant_id}, row=_Totals)), None)
    values = {"tenant": tenant_id, "at": after_at, "id": after_id, "most": PAGE_SIZE + 1}
    rows = await db.read(tenant_id, _PAGE, values, row=_PublicReview)
    page = rows[:PAGE_SIZE]
    return {
        "rating": _rating(totals.histogram if totals else None),
        "counts": totals.histogram if totals else NO_COUNTS,
        "services": [
            {"serviceId": service, "name": totals.names[service], "rating": _rating(counts)}
            for service, counts in sorted(totals.services.items(), key=lambda item: (-sum(item[1]), item[0]))
            if service in totals.names and any(counts)
        ]
        if totals
        else [],
        "reviews": [_to_response(row) for row in page],
        "nextCursor": encode_cursor(page[-1].published_at, page[-1].id) if len(rows) > PAGE_SIZE else None,
    }


async def has_reviews(db: Database, tenant_id: UUID) -> bool:
    """Return whether a guru's sessions have reviews."""
    return bool(await db.read_value(bool, tenant_id, _HAS_REVIEWS, {"tenant": tenant_id}))


def _rating(histogram: list[int] | None) -> dict[str, Any] | None:
    found = rating_of(histogram)
    return found.model_dump(by_alias=True) if found else None


def _to_response(review: _PublicReview) -> dict[str, Any]:
    return {
        "id": str(review.id),
        "stars": review.stars,
        "body": review.body,
        "author": review.author,
        "service": review.service_name,
        "date": review.published_at.astimezone(UTC).date().isoformat(),
        "reply": review.reply,
        "removedWhy": review.removed_why,
    }
