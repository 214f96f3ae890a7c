"""Deleting personal data in reviews of customers for whom a guru booked: they have no account to delete."""

from __future__ import annotations

from datetime import datetime

from tenants.db.rows import Connection

# What the customer wrote for everyone stays without a name; what the two wrote to or about each other goes.
_FORGET_NOTES = """
UPDATE reviews r SET private_note = '', address_hash = NULL FROM bookings b
 WHERE b.tenant_id = r.tenant_id AND b.id = r.booking_id AND b.customer_token IS NOT NULL AND b.ends_at < %s
   AND r.side = 'person' AND (r.private_note <> '' OR r.address_hash IS NOT NULL)"""
_DELETE_REVIEWS_OF_CUSTOMERS = """
DELETE FROM reviews r USING bookings b
 WHERE b.tenant_id = r.tenant_id AND b.id = r.booking_id AND b.customer_token IS NOT NULL AND b.ends_at < %s
   AND r.side = 'guru'"""


def forget_customer_reviews(conn: Connection, before: datetime) -> None:
    """Delete private notes and gurus' words about customers, of sessions that ended before a time."""
    conn.execute(_FORGET_NOTES, [before])
    conn.execute(_DELETE_REVIEWS_OF_CUSTOMERS, [before])
