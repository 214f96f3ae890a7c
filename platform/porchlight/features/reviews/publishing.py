"""Publish revealed reviews: count them, show them to everyone and tell who was reviewed. As the service role.

The numbers need the reviews of all people of a guru, and whose accounts are new or linked, which no request may see.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from porchlight.features.reviews.score import CountedReview, category_mean, histogram_of, score
from sites.reviews.totals import store_totals
from tenants.db.rows import Connection, fetch_all, fetch_value, fetch_values

MAX_TENANTS = 500  # of one run; the next run takes the others

# Two runs count the same guru one after the other. Not by a lock of the guru's row: replies lock the review first.
_LOCK = "SELECT pg_advisory_xact_lock(hashtextextended('reviews:' || %s, 0))"
_DUE = "SELECT DISTINCT tenant_id FROM reviews WHERE published_at IS NULL AND reveals_at <= app.now() LIMIT %s"
# Who was reviewed hears of it once.
_PUBLISH = """
WITH published AS (
  UPDATE reviews SET published_at = app.now()
   WHERE tenant_id = %(tenant)s AND published_at IS NULL AND reveals_at <= app.now()
  RETURNING booking_id, CASE side WHEN 'person' THEN 'guru' ELSE 'person' END AS reader
)
SELECT app.queue_review_email(%(tenant)s, p.booking_id, 'review_out', p.reader, interval '0') FROM published p"""
_COUNTED = """
SELECT r.person_id, r.service_id, r.stars, r.created_at, r.address_hash, b.address_hash AS hold_hash,
       b.checked_in_at IS NOT NULL AS is_checked_in, u.created_at AS account_since
  FROM reviews r JOIN bookings b ON b.tenant_id = r.tenant_id AND b.id = r.booking_id
  LEFT JOIN users u ON u.user_id = r.person_id AND u.status <> 'erased'
 WHERE r.tenant_id = %s AND r.side = 'person' AND r.published_at IS NOT NULL AND r.removed_at IS NULL"""
_OF_CATEGORY = """
SELECT ARRAY[coalesce(sum(t.histogram[1]), 0), coalesce(sum(t.histogram[2]), 0), coalesce(sum(t.histogram[3]), 0),
             coalesce(sum(t.histogram[4]), 0), coalesce(sum(t.histogram[5]), 0)]::integer[] AS histogram
  FROM gurus o JOIN gurus g ON g.category = o.category AND g.id <> o.id JOIN review_totals t ON t.tenant_id = g.id
 WHERE o.id = %s"""
_COUNTED_TENANTS = "SELECT tenant_id FROM review_totals ORDER BY tenant_id"


@dataclass(frozen=True, slots=True)
class _Counted:
    person_id: UUID
    service_id: UUID
    stars: int
    created_at: datetime
    address_hash: bytes | None
    hold_hash: bytes | None
    is_checked_in: bool
    account_since: datetime | None


def due_tenants(conn: Connection) -> list[UUID]:
    """Return the gurus of whom revealed reviews are not published."""
    return list(fetch_values(conn, UUID, _DUE, [MAX_TENANTS]))


def counted_tenants(conn: Connection) -> list[UUID]:
    """Return the gurus who have numbers."""
    return list(fetch_values(conn, UUID, _COUNTED_TENANTS))


def publish(conn: Connection, tenant_id: UUID) -> None:
    """Publish a guru's revealed reviews with their numbers, in one transaction. A second run changes nothing."""
    conn.execute(_LOCK, [str(tenant_id)])
    conn.execute(_PUBLISH, {"tenant": tenant_id})
    recount(conn, tenant_id)


def recount(conn: Connection, tenant_id: UUID) -> None:
    """Count a guru's published reviews again. Pages are rendered again if a number has changed."""
    conn.execute(_LOCK, [str(tenant_id)])
    counted = fetch_all(conn, _Counted, _COUNTED, [tenant_id])
    mean = category_mean(fetch_value(conn, list, _OF_CATEGORY, [tenant_id]) or [])
    by_service: dict[str, list[int]] = defaultdict(list)
    for review in counted:
        by_service[str(review.service_id)].append(review.stars)
    store_totals(
        conn,
        tenant_id,
        histogram_of(review.stars for review in counted),
        {service: histogram_of(stars) for service, stars in sorted(by_service.items())},
        score([_to_counted(review) for review in counted], mean),
    )


def _to_counted(review: _Counted) -> CountedReview:
    links = [
        kind + value
        for kind, value in ((b"review ", review.address_hash), (b"hold ", review.hold_hash))
        if value is not None
    ]
    return CountedReview(
        review.person_id,
        review.stars,
        review.created_at,
        review.is_checked_in,
        review.account_since,
        frozenset(links),
    )
