"""Posts in the guru's console: published, scheduled and drafts, with working copies."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any, Literal
from uuid import UUID

from sqlalchemy import BindParameter, ColumnElement, DateTime, Select, and_, bindparam, func, or_, select, tuple_
from sqlalchemy.ext.asyncio import AsyncSession

from sites.posts.markdown import excerpt
from sites.posts.models import Post, PostEdit, PostViews
from sites.posts.render import PostText
from sites.slugs import is_generated_slug, tag_slug
from tenants.db.cursors import LAST_ROW
from tenants.kit import clock
from tenants.kit.errors import NotFound
from tenants.kit.pagination import contains_pattern, encode_cursor, parse_cursor

PAGE_SIZE = 20
MAX_PAGE_SIZE = 100

PostStatus = Literal["draft", "scheduled", "published", "hidden"]


def post_status(stored: str, published_at: datetime | None) -> PostStatus:
    """Return the current status of a post, from its stored status and publication time."""
    if stored == "hidden":
        return "hidden"
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
    title. `hidden_reason` is why an admin hid the post, else "".
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
    hidden_reason: str


def _select_posts(*columns: Any) -> Select[Any]:
    edit = and_(PostEdit.tenant_id == Post.tenant_id, PostEdit.post_id == Post.id)
    views = and_(PostViews.tenant_id == Post.tenant_id, PostViews.post_id == Post.id)
    query = select(*columns, PostEdit.revision, PostEdit.working_copy, PostEdit.saved_at, PostViews.views)
    query = query.select_from(Post).outerjoin(PostEdit, edit).outerjoin(PostViews, views)
    return query.where(Post.tenant_id == bindparam("tenant_id"))


def _has_status(status: PostStatus) -> ColumnElement[bool]:
    if status in ("draft", "hidden"):
        return Post.status == status
    now: BindParameter[datetime] = bindparam("now", type_=DateTime(timezone=True))
    due = Post.published_at > now if status == "scheduled" else Post.published_at <= now
    return and_(Post.status == "published", due)


# Statements are built once, because that takes longer than to run them.
_TITLE = func.coalesce(PostEdit.working_copy["title"].astext, Post.title)


@cache
def _select_page(status: PostStatus | None, *, is_first: bool, is_search: bool) -> Select[Any]:
    tags = (Post.tags, Post.tag_names)
    columns = (Post.id, Post.slug, _TITLE.label("title"), *tags, Post.status, Post.published_at, Post.updated_at)
    query = _select_posts(*columns, Post.created_at)
    if status is not None:
        query = query.where(_has_status(status))
    if not is_first:
        query = query.where(tuple_(Post.created_at, Post.id) < LAST_ROW)
    if is_search:
        query = query.where(or_(_TITLE.ilike(bindparam("pattern")), Post.tags.contains(bindparam("tags"))))
    return query.order_by(Post.created_at.desc(), Post.id.desc()).limit(bindparam("rows"))


_DRAFT = _select_posts(
    Post.id, Post.slug, Post.title, Post.tags, Post.tag_names, Post.excerpt, Post.content_markdown, Post.status,
    Post.published_at, Post.updated_at, Post.hidden_reason,
).where(Post.id == bindparam("post_id"))  # fmt: skip
_STATUS_COUNTS = select(
    func.count().filter(_has_status("draft")),
    func.count().filter(_has_status("scheduled")),
    func.count().filter(_has_status("published")),
    func.count().filter(_has_status("hidden")),
).where(Post.tenant_id == bindparam("tenant_id"))


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
    last_at, last_id = parse_cursor(cursor)
    query = _select_page(status, is_first=last_at is None, is_search=bool(search))
    values: dict[str, Any] = {"tenant_id": tenant_id, "now": clock.now(), "rows": limit + 1}
    if search:
        values |= {"pattern": contains_pattern(search), "tags": [tag_slug(search)]}
    if last_at is not None:
        values |= {"last_at": last_at, "last_id": last_id}
    rows = (await session.execute(query, values)).all()
    next_cursor = encode_cursor(rows[limit - 1].created_at, rows[limit - 1].id) if len(rows) > limit else None
    return [_draft_row(row) for row in rows[:limit]], next_cursor


def _tag_names(row: Any) -> list[str]:
    """Return the names of a post's tags. The release before wrote none."""
    names: list[str] = row.tag_names if len(row.tag_names) == len(row.tags) else row.tags
    return names


def _draft_row(row: Any) -> DraftRow:
    return DraftRow(
        row.id,
        row.slug,
        row.title,
        _tag_names(row),
        post_status(row.status, row.published_at),
        row.published_at,
        max(row.updated_at, row.saved_at or row.updated_at),
        row.working_copy is not None,
        row.views or 0,
    )


async def draft(session: AsyncSession, tenant_id: UUID, post_id: UUID) -> Draft:
    """Return a post with the content that its editor needs. Raise NotFound."""
    row = (await session.execute(_DRAFT, {"tenant_id": tenant_id, "post_id": post_id})).one_or_none()
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
        PostText(row.title, chosen_slug, _tag_names(row), own_excerpt, row.content_markdown),
        PostText.from_json(row.working_copy) if row.working_copy is not None else None,
        row.hidden_reason,
    )


async def status_counts(session: AsyncSession, tenant_id: UUID) -> dict[PostStatus, int]:
    """Return the number of posts per status."""
    rows = await session.execute(_STATUS_COUNTS, {"tenant_id": tenant_id, "now": clock.now()})
    drafts, scheduled, published, hidden = rows.one()
    return {"draft": drafts, "scheduled": scheduled, "published": published, "hidden": hidden}
