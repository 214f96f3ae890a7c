"""Hiding of posts by admins. Each action and its audit event are one transaction.

The audit log has no title: it outlives the account, and titles are the guru's words.
"""

from __future__ import annotations

from uuid import UUID

from porchlight.audit.recording import AuditEvent, record
from tenants.db.rows import Connection, fetch_value
from tenants.kit.errors import Conflict, NotFound

_HIDE = """
UPDATE posts p SET status = 'hidden', hidden_reason = %s, updated_at = app.now() FROM gurus g
 WHERE p.id = %s AND g.id = p.tenant_id AND p.status IN ('published', 'hidden') RETURNING g.label"""
_SHOW = """
UPDATE posts p SET status = 'published', hidden_reason = '', updated_at = app.now() FROM gurus g
 WHERE p.id = %s AND g.id = p.tenant_id AND p.status = 'hidden' RETURNING g.label"""
_EXISTS = "SELECT true FROM posts WHERE id = %s"


class PostNotPublished(Conflict):
    """The post is a draft, which only its guru sees."""

    code = "post_not_published"
    message = "This post isn't published, so only its guru sees it."


def hide_post(conn: Connection, actor: str, post_id: UUID, reason: str) -> None:
    """Take a published or scheduled post off its site. The guru reads the reason in the console.

    Raises NotFound, and PostNotPublished for a draft.
    """
    label = fetch_value(conn, str, _HIDE, [reason, post_id])
    if label is None:
        if fetch_value(conn, bool, _EXISTS, [post_id]) is None:
            raise NotFound
        raise PostNotPublished
    record(conn, AuditEvent(actor, "post.hide", "post", str(post_id), {"site": label, "reason": reason}))


def show_post(conn: Connection, actor: str, post_id: UUID) -> None:
    """Publish a hidden post again, at its old time. A post that is not hidden stays as it is. Raises NotFound."""
    label = fetch_value(conn, str, _SHOW, [post_id])
    if label is not None:
        record(conn, AuditEvent(actor, "post.show", "post", str(post_id), {"site": label}))
    elif fetch_value(conn, bool, _EXISTS, [post_id]) is None:
        raise NotFound
