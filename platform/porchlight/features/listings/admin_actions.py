"""Hiding of listings by admins. Each action and its audit event are one transaction.

The audit log has no title: it outlives the account, and titles are its owner's words.
"""

from __future__ import annotations

from typing import NamedTuple
from uuid import UUID

from porchlight.audit.recording import AuditEvent, record
from tenants.db.rows import Connection, fetch_one
from tenants.kit.errors import NotFound

_ADD_HIDING = """
INSERT INTO hidden_listings (owner_id, phrase_id, reason) VALUES (%s, %s, %s)
ON CONFLICT (owner_id, phrase_id) DO UPDATE SET reason = excluded.reason"""
_HIDE_OFFER = "UPDATE skill_offers SET visible = false WHERE user_id = %s AND id = %s"
_SHOW_OFFER = """
UPDATE skill_offers o SET visible = p.is_public AND p.shows_skills AND p.registered_at IS NOT NULL
  FROM profiles p WHERE p.user_id = o.user_id AND o.user_id = %s AND o.id = %s"""
_REMOVE_HIDING = "DELETE FROM hidden_listings WHERE owner_id = %s AND phrase_id = %s"


def hide_listing(conn: Connection, actor: str, listing_id: UUID, reason: str) -> None:
    """Hide a listing from all users. Raises NotFound."""
    owner_id, phrase_id = _lock_listing(conn, listing_id)
    conn.execute(_ADD_HIDING, [owner_id, phrase_id, reason])
    conn.execute(_HIDE_OFFER, [owner_id, listing_id])
    record(conn, AuditEvent(actor, "listing.hide", "listing", str(listing_id), {"reason": reason}))


def show_listing(conn: Connection, actor: str, listing_id: UUID) -> None:
    """Show a hidden listing again, if its owner's privacy settings allow it. Raises NotFound."""
    owner_id, phrase_id = _lock_listing(conn, listing_id)
    conn.execute(_REMOVE_HIDING, [owner_id, phrase_id])
    conn.execute(_SHOW_OFFER, [owner_id, listing_id])
    record(conn, AuditEvent(actor, "listing.show", "listing", str(listing_id)))


class _LockedListing(NamedTuple):
    user_id: UUID
    phrase_id: int


def _lock_listing(conn: Connection, listing_id: UUID) -> _LockedListing:
    query = "SELECT user_id, phrase_id FROM skill_offers WHERE id = %s FOR UPDATE"
    locked = fetch_one(conn, _LockedListing, query, [listing_id])
    if locked is None:
        raise NotFound
    return locked
