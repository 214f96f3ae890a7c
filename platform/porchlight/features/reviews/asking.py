"""Ask the persons of ended sessions for a review. As the service role: it looks at the sessions of all gurus."""

from __future__ import annotations

from tenants.db.rows import Connection

MAX_EMAILS = 2000  # of one run; the next run takes the others

# From two hours after the end of the session on, and once more two days before reviews close, unless the person has
# written. Who comes often is asked once in a while. A customer without an account cannot turn these emails off, so one
# address is asked once. No session lasts longer than a day.
_ASK = """
SELECT app.queue_review_email(b.tenant_id, b.id, r.kind, 'person', interval '20 days')
  FROM (VALUES ('review_open', interval '2 hours', interval '26 hours'),
               ('review_last', interval '12 days', interval '13 days')) AS r (kind, due, late)
  JOIN bookings b ON b.starts_at <= app.now() - r.due AND b.starts_at > app.now() - r.late - interval '1 day'
                 AND b.ends_at <= app.now() - r.due AND b.ends_at > app.now() - r.late
 WHERE b.status IN ('confirmed', 'completed')
   AND (b.customer_token IS NULL
        OR r.kind = 'review_open' AND b.customer_email <> '' AND NOT EXISTS (
             SELECT FROM bookings o JOIN booking_emails e ON e.tenant_id = o.tenant_id AND e.booking_id = o.id
              WHERE o.tenant_id = b.tenant_id AND o.customer_email = b.customer_email
                AND o.starts_at > app.now() - interval '90 days' AND e.kind = 'review_open'))
   AND coalesce((SELECT f.enabled FROM guru_flags f WHERE f.tenant_id = b.tenant_id AND f.name = 'reviews'),
                (SELECT f.enabled FROM flag_settings f WHERE f.name = 'reviews'), true)
   AND NOT EXISTS (SELECT FROM reviews w
                    WHERE w.tenant_id = b.tenant_id AND w.person_id = b.person_id AND w.side = 'person'
                      AND (w.booking_id = b.id OR w.created_at > app.now() - interval '60 days'))
   AND NOT EXISTS (SELECT FROM booking_emails e
                    WHERE e.tenant_id = b.tenant_id AND e.person_id = b.person_id AND e.side = 'person'
                      AND e.kind = r.kind AND (e.booking_id = b.id OR e.created_at > app.now() - interval '20 days'))
 LIMIT %s"""


def ask_for_reviews(conn: Connection) -> None:
    """Queue the emails that are due."""
    conn.execute(_ASK, [MAX_EMAILS])
