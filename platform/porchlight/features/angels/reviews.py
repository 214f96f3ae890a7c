"""Read the reviews of angels: neighbors rate a completed need, in words too (`needs/actions.py`)."""

from __future__ import annotations

from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from porchlight.features.angels import rules
from porchlight.features.angels.queries import average_rating, to_review
from tenants.db.pool import Database
from tenants.kit.errors import NotFound
from tenants.kit.pagination import encode_cursor, parse_cursor

PAGE_SIZE = 10

_WORK = "SELECT services, answer_minutes FROM app.angel_work_of(%s, %s, %s, %s)"
_REVIEWS = "SELECT reviewed_at, need_id, card FROM app.reviews_of(%s, %s, %s, %s)"


class _Work(NamedTuple):
    services: list[dict[str, Any]]
    answer_minutes: int | None


class _ReviewRow(NamedTuple):
    reviewed_at: datetime
    need_id: UUID
    card: dict[str, Any]


async def reviews_of(db: Database, handle: str, cursor: str | None) -> dict[str, Any]:
    """Return a user's services and answer time, and a page of the reviews. Raises NotFound, ValidationFailed."""
    after_at, after_id = parse_cursor(cursor or None)
    params = [handle, rules.ANSWER_DAYS, rules.MIN_ANSWERS, rules.OPEN_AFTER]
    work = next(iter(await db.read(None, _WORK, params, row=_Work)), None)
    if work is None:
        raise NotFound
    rows = await db.read(None, _REVIEWS, [handle, after_at, after_id, PAGE_SIZE + 1], row=_ReviewRow)
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
        "reviews": [to_review(row.card) for row in page],
        "nextCursor": encode_cursor(page[-1].reviewed_at, page[-1].need_id) if len(rows) > PAGE_SIZE else None,
    }
