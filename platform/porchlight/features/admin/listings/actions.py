"""Hiding of listings by admins. Each action and its audit event are one transaction."""

from __future__ import annotations

from uuid import UUID

import psycopg

from porchlight.audit.recording import AuditEvent, Connection, record
from tenants.kit.errors import NotFound

_HIDE = """
INSERT INTO hidden_listings (owner_id, phrase_id, reason) VALUES (%s, %s, %s)
ON CONFLICT (owner_id, phrase_id) DO UPDATE SET reason = excluded.reason"""
_SHOW = """
UPDATE skill_offers o SET visible = p.is_public AND p.shows_skills AND p.registered_at IS NOT NULL
  FROM profiles p WHERE p.user_id = o.user_id AND o.user_id = %s AND o.id = %s"""


def hide_listing(service_dsn: str, actor: str, listing_id: UUID, reason: str) -> None:
    """Hide a listing from all users. Raises NotFound."""
    with psycopg.connect(service_dsn) as conn:
        owner_id, phrase_id, title = _lock_listing(conn, listing_id)
        conn.execute(_HIDE, [owner_id, phrase_id, reason])
        conn.execute("UPDATE skill_offers SET visible = false WHERE user_id = %s AND id = %s", [owner_id, listing_id])
        record(conn, AuditEvent(actor, "listing.hide", "listing", str(listing_id), {"reason": reason, "title": title}))


def show_listing(service_dsn: str, actor: str, listing_id: UUID) -> None:
    """Show a hidden listing again, if its owner's privacy settings allow it. Raises NotFound."""
    with psycopg.connect(service_dsn) as conn:
        owner_id, phrase_id, title = _lock_listing(conn, listing_id)
        conn.execute("DELETE FROM hidden_listings WHERE owner_id = %s AND phrase_id = %s", [owner_id, phrase_id])
        conn.execute(_SHOW, [owner_id, listing_id])
        record(conn, AuditEvent(actor, "listing.show", "listing", str(listing_id), {"title": title}))


def _lock_listing(conn: Connection, listing_id: UUID) -> tuple[UUID, int, str]:
    query = "SELECT user_id, phrase_id, title FROM skill_offers WHERE id = %s FOR UPDATE"
    row = conn.execute(query, [listing_id]).fetchone()
    if row is None:
        raise NotFound
    return row[0], row[1], row[2]
