"""Posts that the platform's staff hides: off the site, for a reason that the guru reads."""

from __future__ import annotations

from uuid import UUID

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


def hide_post(conn: Connection, post_id: UUID, reason: str) -> str:
    """Take a published or scheduled post off its site, as the service role. Return the site's label.

    Raises NotFound, and PostNotPublished for a draft.
    """
    label = fetch_value(conn, str, _HIDE, [reason, post_id])
    if label is None:
        _require_post(conn, post_id)
        raise PostNotPublished
    return label


def show_post(conn: Connection, post_id: UUID) -> str | None:
    """Publish a hidden post again, at its old time. Return the site's label, None if the post is not hidden.

    Raises NotFound.
    """
    label = fetch_value(conn, str, _SHOW, [post_id])
    if label is None:
        _require_post(conn, post_id)
    return label


def _require_post(conn: Connection, post_id: UUID) -> None:
    if fetch_value(conn, bool, _EXISTS, [post_id]) is None:
        raise NotFound
