"""Hiding of listings by admins. Each action and its audit event are one transaction.

The audit log has no title: it outlives the account, and titles are its owner's words.
"""

from __future__ import annotations

from uuid import UUID

import psycopg

from porchlight.audit.recording import AuditEvent, record
from porchlight.contracts import ListingModeration


def hide_listing(service_dsn: str, moderation: ListingModeration, actor: str, listing_id: UUID, reason: str) -> None:
    """Hide a listing from all users. Raises NotFound."""
    with psycopg.connect(service_dsn) as conn:
        moderation.hide_listing(conn, listing_id, reason)
        record(conn, AuditEvent(actor, "listing.hide", "listing", str(listing_id), {"reason": reason}))


def show_listing(service_dsn: str, moderation: ListingModeration, actor: str, listing_id: UUID) -> None:
    """Show a hidden listing again, if its owner's privacy settings allow it. Raises NotFound."""
    with psycopg.connect(service_dsn) as conn:
        moderation.show_listing(conn, listing_id)
        record(conn, AuditEvent(actor, "listing.show", "listing", str(listing_id)))
