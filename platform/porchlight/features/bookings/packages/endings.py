"""Remind people of packages that end in a week and have sessions left."""

from __future__ import annotations

from tenants.db.rows import Connection

MAX_PACKAGES = 2000  # of one run; the next run takes the others

# One that was given or bought within the last week needs no reminder yet: its first email named its last day. Customers
# without an account get no emails about packages.
_TELL = """
WITH ending AS (
  UPDATE package_grants SET end_told_at = app.now()
   WHERE (tenant_id, id) IN (
     SELECT g.tenant_id, g.id FROM package_grants g
      WHERE g.left_over > 0 AND g.end_told_at IS NULL AND NOT g.is_customer
        AND g.expires_at BETWEEN app.now() + interval '1 day' AND app.now() + interval '7 days'
        AND g.created_at < app.now() - interval '7 days'
      ORDER BY g.expires_at LIMIT %s FOR UPDATE SKIP LOCKED)
  RETURNING tenant_id, id, person_id),
told AS (
  INSERT INTO package_events (tenant_id, grant_id, number, person_id, event)
  SELECT n.tenant_id, n.id, (SELECT count(*) + 1 FROM package_events e
                              WHERE e.tenant_id = n.tenant_id AND e.grant_id = n.id), n.person_id, 'ending'
    FROM ending n RETURNING tenant_id, grant_id, number)
SELECT app.enqueue('bookings:send_package_email',
                   jsonb_build_object('tenant_id', t.tenant_id, 'grant_id', t.grant_id, 'number', t.number), NULL)
  FROM told t"""


def tell_of_endings(conn: Connection) -> int:
    """Queue the reminders that are due. Return how many."""
    return conn.execute(_TELL, [MAX_PACKAGES]).rowcount
