"""Demo reviews: revealed ones with a reply, hidden ones that wait for the other side, and one that staff removed."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import psycopg

from porchlight.contracts import REVIEW_PERIOD
from porchlight.demo_data.gurus import demo_id
from porchlight.demo_data.neighbors import neighbor_id
from porchlight.features.reviews.publishing import recount
from tenants.db.rows import Connection

CONTENT_FILE = Path(__file__).parent / "reviews.toml"

# Both sides wrote a day after the session. With one side alone, the review is revealed at the end of the period.
_INSERT = """
INSERT INTO reviews (tenant_id, id, booking_id, person_id, side, service_id, service_name, stars, body, private_note,
                     created_at, updated_at, reveals_at, published_at, reply, replied_at, removed_at, removed_why)
SELECT b.tenant_id, %(id)s, b.id, b.person_id, %(side)s, b.service_id, b.service_name, %(stars)s, %(body)s, %(note)s,
       d.written_at, d.written_at, d.reveals_at, CASE WHEN d.reveals_at <= app.now() THEN d.reveals_at END, %(reply)s,
       CASE WHEN %(reply)s <> '' THEN d.reveals_at END, CASE WHEN %(removed)s <> '' THEN d.reveals_at END, %(removed)s
  FROM bookings b,
       LATERAL (SELECT b.ends_at + interval '1 day' AS written_at,
                       CASE WHEN %(both)s THEN b.ends_at + interval '1 day' ELSE b.ends_at + %(period)s END
                         AS reveals_at) d
 WHERE b.tenant_id = %(tenant)s AND b.status = 'completed'
   AND (b.person_id = %(person)s OR b.customer_token IS NOT NULL AND b.person_name = %(customer)s)
 ORDER BY b.starts_at LIMIT 1 ON CONFLICT DO NOTHING"""


@dataclass(frozen=True, slots=True)
class DemoReview:
    """The reviews of a session, as in reviews.toml. `customer`: the name of someone without an account."""

    site: str
    person: str = ""
    customer: str = ""
    stars: int = 0
    body: str = ""
    note: str = ""
    reply: str = ""
    guru_stars: int = 0
    guru_body: str = ""
    removed: str = ""


def load(conn: Connection, review: DemoReview) -> None:
    """Create the reviews of both sides. Does nothing if they exist."""
    _insert(conn, review, "person")
    _insert(conn, review, "guru")


def _insert(conn: Connection, review: DemoReview, side: Literal["person", "guru"]) -> None:
    is_person = side == "person"
    stars = review.stars if is_person else review.guru_stars
    if not stars:
        return
    values = {
        "tenant": demo_id(review.site),
        "id": demo_id("review", review.site, review.person or review.customer, side),
        "person": neighbor_id(review.person),
        "customer": review.customer,
        "side": side,
        "stars": stars,
        "body": review.body if is_person else review.guru_body,
        "note": review.note if is_person else "",
        "reply": review.reply if is_person else "",
        "removed": review.removed if is_person else "",
        "both": bool(review.stars and review.guru_stars),
        "period": REVIEW_PERIOD,
    }
    conn.execute(_INSERT, values)


def load_all(service_dsn: str) -> int:
    """Load all reviews in one transaction, and count them. Return the number of sessions."""
    with psycopg.connect(service_dsn) as conn:
        reviews = [DemoReview(**entry) for entry in tomllib.loads(CONTENT_FILE.read_text(encoding="utf-8"))["reviews"]]
        for review in reviews:
            load(conn, review)
        for site in sorted({review.site for review in reviews}):
            recount(conn, demo_id(site))
    return len(reviews)
