"""Posts as their guru sees them at their desk: drafts, scheduled ones and working copies too."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from sqlalchemy import ColumnElement, Select, and_, func, or_, select, tuple_
from sqlalchemy.ext.asyncio import AsyncSession

from sites import cursor
from sites.names import was_made
from sites.posts.markdown import excerpt
from sites.posts.models import Post, PostEdit, PostViews
from sites.posts.writing import Words
from tenants.kit import clock
from tenants.kit.errors import NotFound

PAGE = 20
MOST = 100

Standing = Literal["draft", "scheduled", "published"]


def standing(status: str, published_at: datetime | None) -> Standing:
    """How a post stands now."""
    if status == "draft" or published_at is None:
        return "draft"
    return "scheduled" if published_at > clock.now() else "published"


@dataclass(frozen=True, slots=True)
class Listed:
    """A post in the list. `title` is the newest there is, `changed` says that a working copy waits to be saved."""

    id: UUID
    slug: str
    title: str
    tags: list[str]
    standing: Standing
    published_at: datetime | None
    saved_at: datetime
    changed: bool
    views: int


@dataclass(frozen=True, slots=True)
class Opened:
    """A post in its editor. `revision` is what the next save must name, `slug` the address it has now.

    The words of a post that never came out have no slug unless its guru chose one: it follows the title until then.
    """

    id: UUID
    slug: str
    standing: Standing
    published_at: datetime | None
    saved_at: datetime
    revision: int
    views: int
    saved: Words
    working_copy: Words | None


def _joined(tenant_id: UUID, *columns: Any) -> Select[Any]:
    edit = and_(PostEdit.tenant_id == Post.tenant_id, PostEdit.post_id == Post.id)
    seen = and_(PostViews.tenant_id == Post.tenant_id, PostViews.post_id == Post.id)
    query = select(*columns, PostEdit.revision, PostEdit.working_copy, PostEdit.saved_at, PostViews.views)
    return (
        query.select_from(Post).outerjoin(PostEdit, edit).outerjoin(PostViews, seen).where(Post.tenant_id == tenant_id)
    )


def _standing_is(wanted: Standing) -> ColumnElement[bool]:
    if wanted == "draft":
        return Post.status == "draft"
    due = Post.published_at > clock.now() if wanted == "scheduled" else Post.published_at <= clock.now()
    return and_(Post.status == "published", due)


async def listed(
    session: AsyncSession,
    tenant_id: UUID,
    *,
    wanted: Standing | None,
    search: str,
    after: str | None,
    limit: int = PAGE,
) -> tuple[list[Listed], str | None]:
    """A guru's posts, the newest first, and the cursor to the next page. Raises ValidationFailed for a bad cursor."""
    before, before_id = cursor.after(after)
    title = func.coalesce(PostEdit.working_copy["title"].astext, Post.title)
    columns = (Post.id, Post.slug, title.label("title"), Post.tags, Post.status, Post.published_at, Post.updated_at)
    query = _joined(tenant_id, *columns, Post.created_at)
    if wanted is not None:
        query = query.where(_standing_is(wanted))
    if search:
        query = query.where(or_(title.icontains(search, autoescape=True), Post.tags.contains([search.lower()])))
    if before is not None:
        query = query.where(tuple_(Post.created_at, Post.id) < (before, before_id))
    rows = (await session.execute(query.order_by(Post.created_at.desc(), Post.id.desc()).limit(limit + 1))).all()
    following = cursor.encode(rows[limit - 1].created_at, rows[limit - 1].id) if len(rows) > limit else None
    return [_listed(row) for row in rows[:limit]], following


def _listed(row: Any) -> Listed:
    return Listed(
        row.id,
        row.slug,
        row.title,
        row.tags,
        standing(row.status, row.published_at),
        row.published_at,
        max(row.updated_at, row.saved_at or row.updated_at),
        row.working_copy is not None,
        row.views or 0,
    )


async def opened(session: AsyncSession, tenant_id: UUID, post_id: UUID) -> Opened:
    """A post with what is needed to go on writing. Raises NotFound."""
    columns: Sequence[Any] = (
        Post.id, Post.slug, Post.title, Post.tags, Post.excerpt, Post.content_markdown, Post.status, Post.published_at,
        Post.updated_at,
    )  # fmt: skip
    row = (await session.execute(_joined(tenant_id, *columns).where(Post.id == post_id))).one_or_none()
    if row is None:
        raise NotFound
    # An excerpt that is only the content's beginning was made, not written.
    own = "" if row.excerpt == excerpt(row.content_markdown) else row.excerpt
    chosen = "" if row.published_at is None and was_made(row.slug, row.title) else row.slug
    return Opened(
        row.id,
        row.slug,
        standing(row.status, row.published_at),
        row.published_at,
        max(row.updated_at, row.saved_at or row.updated_at),
        row.revision or 0,
        row.views or 0,
        Words(row.title, chosen, row.tags, own, row.content_markdown),
        Words.of(row.working_copy) if row.working_copy is not None else None,
    )


async def counts(session: AsyncSession, tenant_id: UUID) -> dict[Standing, int]:
    """How many posts stand how."""
    query = select(
        func.count().filter(_standing_is("draft")),
        func.count().filter(_standing_is("scheduled")),
        func.count().filter(_standing_is("published")),
    ).where(Post.tenant_id == tenant_id)
    drafts, scheduled, published = (await session.execute(query)).one()
    return {"draft": drafts, "scheduled": scheduled, "published": published}
