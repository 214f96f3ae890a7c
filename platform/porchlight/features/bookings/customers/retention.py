"""Deleting the personal data of customers for whom a guru booked: they have no account that they could delete."""

from __future__ import annotations

from datetime import timedelta

from tenants.db.rows import Connection
from tenants.kit import clock

CONTACT_TTL = timedelta(days=30)  # after the session, as for people who sign with a link
NAME_TTL = timedelta(days=365)  # after the session; until then the names are the guru's records

_FORGET_CONTACTS = """
UPDATE bookings b SET customer_email = '', person_address = ''
 WHERE b.customer_token IS NOT NULL AND b.ends_at < %s AND (b.customer_email <> '' OR b.person_address <> '')"""
# In the order of foreign keys, and each only where something is left: a run that finds nothing writes nothing.
_FORGET_NAMES = (
    # The note about a customer who still comes is kept.
    """
DELETE FROM client_notes n USING bookings b
 WHERE b.tenant_id = n.tenant_id AND b.id = n.booking_id AND b.customer_token IS NOT NULL AND b.ends_at < %(before)s
   AND NOT EXISTS (SELECT FROM bookings o
                    WHERE o.tenant_id = b.tenant_id AND o.client_id = b.client_id AND o.customer_token IS NOT NULL
                      AND o.ends_at >= %(before)s)""",
    """
UPDATE participants p SET name = '', signed_by = '' FROM bookings b
 WHERE b.tenant_id = p.tenant_id AND b.id = p.booking_id AND b.customer_token IS NOT NULL AND b.ends_at < %(before)s
   AND (p.name <> '' OR p.signed_by <> '')""",
    """
UPDATE booking_events e SET details = e.details - 'reason' FROM bookings b
 WHERE b.tenant_id = e.tenant_id AND b.id = e.booking_id AND b.customer_token IS NOT NULL AND b.ends_at < %(before)s
   AND e.actor = 'person' AND e.details ? 'reason'""",
    """
UPDATE bookings b SET person_name = '', participants = '{}', note = '', answers = '[]',
       reason = CASE WHEN b.ended_by = 'person' THEN '' ELSE b.reason END
 WHERE b.customer_token IS NOT NULL AND b.ends_at < %(before)s
   AND (b.person_name <> '' OR b.participants <> '{}' OR b.note <> '' OR b.answers <> '[]'
        OR b.ended_by = 'person' AND b.reason <> '')""",
    """
UPDATE package_grants g SET person_name = ''
 WHERE g.is_customer AND g.expires_at < %(before)s AND g.person_name <> ''""",
)


def forget_customers(conn: Connection) -> None:
    """Delete email and street addresses 30 days after the session; after a year, names and texts."""
    now = clock.now()
    conn.execute(_FORGET_CONTACTS, [now - CONTACT_TTL])
    for statement in _FORGET_NAMES:
        conn.execute(statement.encode(), {"before": now - NAME_TTL})
