"""Hiding of posts by admins. Each action and its audit event are one transaction.

The audit log has no title: it outlives the account, and titles are the guru's words.
"""

from __future__ import annotations

from uuid import UUID

from porchlight.audit.recording import AuditEvent, record
from sites.posts import moderation
from tenants.db.rows import Connection


def hide_post(conn: Connection, actor: str, post_id: UUID, reason: str) -> None:
    """Take a published or scheduled post off its site. The guru reads the reason in the console.

    Raises NotFound, and PostNotPublished for a draft.
    """
    label = moderation.hide_post(conn, post_id, reason)
    record(conn, AuditEvent(actor, "post.hide", "post", str(post_id), {"site": label, "reason": reason}))


def show_post(conn: Connection, actor: str, post_id: UUID) -> None:
    """Publish a hidden post again, at its old time. A post that is not hidden stays as it is. Raises NotFound."""
    label = moderation.show_post(conn, post_id)
    if label is not None:
        record(conn, AuditEvent(actor, "post.show", "post", str(post_id), {"site": label}))
