"""Posts in the guru's console: published, scheduled and drafts, with working copies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from sqlalchemy import ColumnElement, Select, and_, func, or_, select, tuple_
from sqlalchemy.ext.asyncio import AsyncSession

from sites.posts.markdown import excerpt
from sites.posts.models import Post, PostEdit, PostViews
from sites.posts.render import PostText
from sites.slugs import is_generated_slug
from tenants.kit import clock
from tenants.kit.errors import NotFound
from tenants.kit.pagination import encode_cursor, parse_cursor

PAGE_SIZE = 20
MAX_PAGE_SIZE = 100

PostStatus = Literal["draft", "scheduled", "published"]


def post_status(stored: str, published_at: datetime | None) -> PostStatus:
    """Return the current status of a post, from its stored status and publication time."""
    if stored == "draft" or published_at is None:
        return "draft"
    return "scheduled" if published_at > clock.now() else "published"


@dataclass(frozen=True, slots=True)
class DraftRow:
    """A post in the list. `title` is that of the working copy, if there is one; `has_working_copy` says so."""

    id: UUID
    slug: str
    title: str
    tags: list[str]
    status: PostStatus
    published_at: datetime | None
    saved_at: datetime
    has_working_copy: bool
    views: int


@dataclass(frozen=True, slots=True)
class Draft:
    """A post in its editor. The next save must name `revision`; `slug` is the current one.

    The content of a post that was never published has a slug only if the guru chose one: until then it follows the
    title.
    """

    id: UUID
    slug: str
    status: PostStatus
    published_at: datetime | None
    saved_at: datetime
    revision: int
    views: int
    saved: PostText
    working_copy: PostText | None


def _select_posts(tenant_id: UUID, *columns: Any) -> Select[Any]:
    edit = and_(PostEdit.tenant_id == Post.tenant_id, PostEdit.post_id == Post.id)
    views = and_(PostViews.tenant_id == Post.tenant_id, PostViews.post_id == Post.id)
    query = select(*columns, PostEdit.revision, PostEdit.working_copy, PostEdit.saved_at, PostViews.views)
    return (
        query.select_from(Post).outerjoin(PostEdit, edit).outerjoin(PostViews, views).where(Post.tenant_id == tenant_id)
    )


def _has_status(status: PostStatus) -> ColumnElement[bool]:
    if status == "draft":
        return Post.status == "draft"
    due = Post.published_at > clock.now() if status == "scheduled" else Post.published_at <= clock.now()
    return and_(Post.status == "published", due)


async def drafts(
    session: AsyncSession,
    tenant_id: UUID,
    *,
    status: PostStatus | None,
    search: str,
    cursor: str | None,
    limit: int = PAGE_SIZE,
) -> tuple[list[DraftRow], str | None]:
    """Return a guru's posts, the newest first, and the cursor of the next page. Raise ValidationFailed."""
    before, before_id = parse_cursor(cursor)
    title = func.coalesce(PostEdit.working_copy["title"].astext, Post.title)
    columns = (Post.id, Post.slug, title.label("title"), Post.tags, Post.status, Post.published_at, Post.updated_at)
    query = _select_posts(tenant_id, *columns, Post.created_at)
    if status is not None:
        query = query.where(_has_status(status))
    if search:
        query = query.where(or_(title.icontains(search, autoescape=True), Post.tags.contains([search.lower()])))
    if before is not None:
        query = query.where(tuple_(Post.created_at, Post.id) < (before, before_id))
    rows = (await session.execute(query.order_by(Post.created_at.desc(), Post.id.desc()).limit(limit + 1))).all()
    next_cursor = encode_cursor(rows[limit - 1].created_at, rows[limit - 1].id) if len(rows) > limit else None
    return [_draft_row(row) for row in rows[:limit]], next_cursor


def _draft_row(row: Any) -> DraftRow:
    return DraftRow(
        row.id,
        row.slug,
        row.title,
        row.tags,
        post_status(row.status, row.published_at),
        row.published_at,
        max(row.updated_at, row.saved_at or row.updated_at),
        row.working_copy is not None,
        row.views or 0,
    )


async def draft(session: AsyncSession, tenant_id: UUID, post_id: UUID) -> Draft:
    """Return a post with the content that its editor needs. Raise NotFound."""
    columns: Sequence[Any] = (
        Post.id, Post.slug, Post.title, Post.tags, Post.excerpt, Post.content_markdown, Post.status, Post.published_at,
        Post.updated_at,
    )  # fmt: skip
    row = (await session.execute(_select_posts(tenant_id, *columns).where(Post.id == post_id))).one_or_none()
    if row is None:
        raise NotFound
    # An excerpt that equals the beginning of the content was generated.
    own_excerpt = "" if row.excerpt == excerpt(row.content_markdown) else row.excerpt
    chosen_slug = "" if row.published_at is None and is_generated_slug(row.slug, row.title) else row.slug
    return Draft(
        row.id,
        row.slug,
        post_status(row.status, row.published_at),
        row.published_at,
        max(row.updated_at, row.saved_at or row.updated_at),
        row.revision or 0,
        row.views or 0,
        PostText(row.title, chosen_slug, row.tags, own_excerpt, row.content_markdown),
        PostText.from_json(row.working_copy) if row.working_copy is not None else None,
    )


async def status_counts(session: AsyncSession, tenant_id: UUID) -> dict[PostStatus, int]:
    """Return the number of posts per status."""
    query = select(
        func.count().filter(_has_status("draft")),
        func.count().filter(_has_status("scheduled")),
        func.count().filter(_has_status("published")),
    ).where(Post.tenant_id == tenant_id)
    drafts, scheduled, published = (await session.execute(query)).one()
    return {"draft": drafts, "scheduled": scheduled, "published": published}
