"""Read the reviews of angels: neighbors rate a completed need, in words too (`needs/actions.py`)."""

from __future__ import annotations

from datetime import UTC, datetime
from decimal import Decimal
from typing import Any, NamedTuple
from uuid import UUID

from porchlight.features.angels import rules
from porchlight.features.angels.queries import average_rating
from tenants.db.pool import Database
from tenants.kit.errors import NotFound
from tenants.kit.pagination import encode_cursor, parse_cursor

PAGE_SIZE = 10

_WORK = "SELECT services, answer_minutes FROM app.angel_work_of(%s, %s, %s, %s)"
_REVIEWS = """
SELECT id, service, hours, rating, words, author, reviewed_at FROM angel_reviews
 WHERE handle = %(handle)s
   AND (%(at)s::timestamptz IS NULL OR (reviewed_at, id) < (%(at)s::timestamptz, %(id)s::uuid))
 ORDER BY reviewed_at DESC, id DESC LIMIT %(most)s"""


class _Work(NamedTuple):
    services: list[dict[str, Any]]
    answer_minutes: int | None


class _Review(NamedTuple):
    id: UUID
    service: str
    hours: Decimal
    rating: int
    words: str
    author: str
    reviewed_at: datetime


async def reviews_of(db: Database, handle: str, cursor: str | None) -> dict[str, Any]:
    """Return a user's services and answer time, and a page of the reviews. Raises NotFound, ValidationFailed."""
    after_at, after_id = parse_cursor(cursor or None)
    params = [handle, rules.ANSWER_DAYS, rules.MIN_ANSWERS, rules.OPEN_AFTER]
    work = next(iter(await db.read(None, _WORK, params, row=_Work)), None)
    if work is None:
        raise NotFound
    values = {"handle": handle, "at": after_at, "id": after_id, "most": PAGE_SIZE + 1}
    rows = await db.read(None, _REVIEWS, values, row=_Review)
    page = rows[:PAGE_SIZE]
    return {
        "services": [
            {
                "serviceId": service["id"],
                "title": service["title"],
                "rateCents": service["rate_cents"],
                "jobs": service["jobs"],
                "rating": average_rating(service["ratings"], service["rating_sum"]),
                "ratings": service["ratings"],
            }
            for service in work.services
        ],
        "answerMinutes": work.answer_minutes,
        "reviews": [_to_response(row) for row in page],
        "nextCursor": encode_cursor(page[-1].reviewed_at, page[-1].id) if len(rows) > PAGE_SIZE else None,
    }


def _to_response(review: _Review) -> dict[str, Any]:
    return {
        "id": str(review.id),
        "service": review.service,
        "hours": float(review.hours),
        "rating": review.rating,
        "words": review.words,
        "date": review.reviewed_at.astimezone(UTC).date().isoformat(),
        "author": review.author,
    }
