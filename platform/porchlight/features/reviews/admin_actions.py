"""Removal of reviews by staff, with a reason that everyone reads."""

from __future__ import annotations

from uuid import UUID

from porchlight.audit.recording import AuditEvent, record
from porchlight.features.reviews.publishing import recount
from tenants.db.rows import Connection
from tenants.kit.errors import AlreadyDecided, NotFound

_FIND = """
SELECT r.tenant_id, g.label FROM reviews r JOIN gurus g ON g.id = r.tenant_id
 WHERE r.id = %s AND r.published_at IS NOT NULL"""
_REMOVE = """
UPDATE reviews SET removed_at = app.now(), removed_why = %s WHERE tenant_id = %s AND id = %s AND removed_at IS NULL"""


def remove_review(conn: Connection, actor: str, review_id: UUID, reason: str) -> None:
    """Take a published review out of pages and numbers. Its place shows the reason; the audit log keeps it.

    Raises NotFound, and AlreadyDecided if another admin removed it first.
    """
    row = conn.execute(_FIND, [review_id]).fetchone()
    if row is None:
        raise NotFound
    tenant_id, label = row
    if not conn.execute(_REMOVE, [reason, tenant_id, review_id]).rowcount:
        raise AlreadyDecided("This review was already removed. Please reload to see why.")
    recount(conn, tenant_id)
    record(conn, AuditEvent(actor, "review.remove", "review", str(review_id), {"site": label, "reason": reason}))
