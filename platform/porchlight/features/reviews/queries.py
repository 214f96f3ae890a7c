"""Reading reviews as one of the two sides. What is hidden from a side is in no row that its transaction sees."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from porchlight.contracts import REVIEW_PERIOD
from porchlight.features.reviews.actions import facts_of
from porchlight.features.reviews.errors import reason_text
from porchlight.features.reviews.rules import SessionFacts, Side, open_until, refusal
from porchlight.features.reviews.schemas import (
    DueReview,
    GuruReview,
    GuruReviews,
    NeighborReview,
    NeighborReviews,
    OwnReview,
    ReceivedReview,
    SessionReviews,
)
from porchlight.features.reviews.score import histogram_of
from sites.reviews.queries import NO_COUNTS
from sites.reviews.ratings import rating_of
from tenants.kit import clock
from tenants.kit.errors import NotFound
from tenants.kit.pagination import encode_cursor, parse_cursor

PAGE_SIZE = 20
MAX_DUE = 50
MAX_NEIGHBOR_REVIEWS = 20  # shown; the rating counts up to MAX_COUNTED
MAX_COUNTED = 500

_OF_BOOKING = text(
    "SELECT id, side, stars, body, private_note, reveals_at, reply, removed_why FROM reviews"
    " WHERE tenant_id = :tenant AND booking_id = :booking"
)
# No session lasts longer than a day.
_DUE = """
SELECT b.tenant_id, b.id, b.guru_name, b.person_name, b.service_name, b.starts_at, b.ends_at, b.zone, b.status
  FROM bookings b
 WHERE {party} AND b.starts_at > CAST(:since AS timestamptz) - interval '1 day' AND b.starts_at < :now
   AND b.ends_at <= :now AND b.ends_at > :since AND (b.customer_token IS NULL OR b.customer_email <> '')
   AND (b.status IN ('confirmed', 'completed') OR b.status = 'missed' AND {missed})
   AND NOT EXISTS (SELECT FROM reviews r
                    WHERE r.tenant_id = b.tenant_id AND r.booking_id = b.id AND r.side = '{side}')
 ORDER BY b.starts_at DESC, b.id DESC LIMIT :most"""
_DUE_OF: dict[Side, Any] = {
    "person": text(_DUE.format(party="b.person_id = :party", missed="b.checked_in_at IS NOT NULL", side="person")),
    "guru": text(_DUE.format(party="b.tenant_id = :party", missed="true", side="guru")),
}
_RECEIVED = text("""
SELECT r.id, r.booking_id, r.stars, r.body, r.private_note, r.reveals_at, r.reply, r.removed_why, b.person_name,
       r.service_name, b.starts_at, b.zone, o.stars AS own_stars, o.body AS own_body, o.reveals_at AS own_reveals_at,
       o.reply AS own_reply, o.removed_why AS own_removed_why
  FROM reviews r JOIN bookings b ON b.tenant_id = r.tenant_id AND b.id = r.booking_id
  LEFT JOIN reviews o ON o.tenant_id = r.tenant_id AND o.booking_id = r.booking_id AND o.side = 'guru'
 WHERE r.tenant_id = :tenant AND r.side = 'person' AND r.reveals_at <= app.now()
   AND (CAST(:at AS timestamptz) IS NULL OR (r.reveals_at, r.id) < (CAST(:at AS timestamptz), CAST(:id AS uuid)))
 ORDER BY r.reveals_at DESC, r.id DESC LIMIT :most""")
_HISTOGRAM = text("SELECT histogram FROM review_totals WHERE tenant_id = :tenant")
_NEIGHBOR = text("""
SELECT id, stars, body, reply, service_name, published_at, guru_name FROM neighbor_reviews
 WHERE tenant_id = :tenant AND booking_id = :booking ORDER BY published_at DESC, id DESC LIMIT :most""")
_IS_BOOKING = text("SELECT 1 FROM bookings WHERE tenant_id = :tenant AND id = :booking")


async def session_reviews(
    session: AsyncSession, tenant_id: UUID, booking_id: UUID, side: Side, facts: SessionFacts | None = None
) -> SessionReviews:
    """Return the reviews of a booking as a side sees them. Raises NotFound."""
    facts = facts or await facts_of(session, tenant_id, booking_id, side)
    rows = (await session.execute(_OF_BOOKING, {"tenant": tenant_id, "booking": booking_id})).all()
    by_side = {row.side: row for row in rows}
    own = by_side.get(side)
    received = by_side.get("guru" if side == "person" else "person")
    why = refusal(side, facts, clock.now())
    return SessionReviews(
        booking_id=str(booking_id),
        can_write=why is None,
        reason="" if own else reason_text(why, side),
        open_until=clock.to_iso8601(open_until(facts.ends_at)),
        own=_own(own) if own else None,
        received=_received(received) if received else None,
    )


async def due_reviews(session: AsyncSession, side: Side, party_id: UUID) -> list[tuple[UUID, DueReview]]:
    """Return the sessions that a person or a guru can review and has not, the latest first, each with its guru's id."""
    now = clock.now()
    values = {"party": party_id, "since": now - REVIEW_PERIOD, "now": now, "most": MAX_DUE}
    rows = (await session.execute(_DUE_OF[side], values)).all()
    return [
        (
            row.tenant_id,
            DueReview(
                booking_id=str(row.id),
                name=row.guru_name if side == "person" else row.person_name,
                service_name=row.service_name,
                starts_at=clock.to_iso8601(row.starts_at),
                zone=row.zone,
                missed=row.status == "missed",
                open_until=clock.to_iso8601(open_until(row.ends_at)),
            ),
        )
        for row in rows
    ]


async def guru_reviews(session: AsyncSession, tenant_id: UUID, cursor: str | None) -> GuruReviews:
    """Return a page of the revealed reviews about a guru, the latest first. Raises ValidationFailed."""
    after_at, after_id = parse_cursor(cursor or None)
    values = {"tenant": tenant_id, "at": after_at, "id": after_id, "most": PAGE_SIZE + 1}
    rows = (await session.execute(_RECEIVED, values)).all()
    page = rows[:PAGE_SIZE]
    histogram = await session.scalar(_HISTOGRAM, {"tenant": tenant_id})
    return GuruReviews(
        rating=rating_of(histogram),
        counts=histogram or NO_COUNTS,
        reviews=[
            GuruReview(
                **_received(row).model_dump(),
                booking_id=str(row.booking_id),
                author=row.person_name,
                service_name=row.service_name,
                starts_at=clock.to_iso8601(row.starts_at),
                zone=row.zone,
                own=_own_beside(row) if row.own_stars is not None else None,
            )
            for row in page
        ],
        next_cursor=encode_cursor(page[-1].reveals_at, page[-1].id) if len(rows) > PAGE_SIZE else None,
    )


async def neighbor_reviews(session: AsyncSession, tenant_id: UUID, booking_id: UUID) -> NeighborReviews:
    """Return what gurus wrote about the person of an open booking; of an ended one, nothing. Raises NotFound."""
    values = {"tenant": tenant_id, "booking": booking_id}
    if await session.scalar(_IS_BOOKING, values) is None:
        raise NotFound
    rows = (await session.execute(_NEIGHBOR, values | {"most": MAX_COUNTED})).all()
    return NeighborReviews(
        rating=rating_of(histogram_of(row.stars for row in rows)),
        reviews=[
            NeighborReview(
                id=str(row.id),
                stars=row.stars,
                body=row.body,
                guru_name=row.guru_name,
                service_name=row.service_name,
                date=row.published_at.astimezone(UTC).date().isoformat(),
                reply=row.reply,
            )
            for row in rows[:MAX_NEIGHBOR_REVIEWS]
        ],
    )


def _own(row: Any) -> OwnReview:
    return _own_review(row.stars, row.body, row.private_note, row.reveals_at, row.reply, row.removed_why)


def _own_beside(row: Any) -> OwnReview:
    return _own_review(row.own_stars, row.own_body, "", row.own_reveals_at, row.own_reply, row.own_removed_why)


def _own_review(stars: int, body: str, note: str, reveals_at: datetime, reply: str, removed_why: str) -> OwnReview:
    return OwnReview(
        stars=stars,
        body=body,
        private_note=note,
        hidden=reveals_at > clock.now(),
        reveals_at=clock.to_iso8601(reveals_at),
        reply=reply,
        removed_why=removed_why,
    )


def _received(row: Any) -> ReceivedReview:
    return ReceivedReview(
        id=str(row.id),
        stars=row.stars,
        body=row.body,
        private_note=row.private_note,
        revealed_at=clock.to_iso8601(row.reveals_at),
        reply=row.reply,
        removed_why=row.removed_why,
    )
