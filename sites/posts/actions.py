"""Actions on posts. Each runs in the unit of work of the tenant."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal
from uuid import UUID, uuid4

from sqlalchemy import ColumnElement, DateTime, Insert, Update, and_, case, delete, func, literal, select, text, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession

from sites.posts.drafts import draft
from sites.posts.markdown import RenderedText
from sites.posts.models import Post, PostEdit
from sites.posts.render import PostText
from sites.slugs import proposed_slug, tag_slug
from tenants.db.counted_limits import lock_count
from tenants.kit import clock
from tenants.kit.errors import Conflict, NotFound, ValidationFailed
from tenants.kit.ids import new_id

MAX_POSTS = 5_000  # per guru
# In SQL, because the feature does not import the images feature. The lock keeps the image until the post is written.
_EXISTING_IMAGE = text("SELECT id FROM site_images WHERE tenant_id = :tenant AND id = :image FOR KEY SHARE")
# Only the post that had a slug last redirects from it: when a published post gives up its slug, the others forget it.
_FORGET_SLUG = text("""
UPDATE posts o SET old_slugs = array_remove(o.old_slugs, p.slug) FROM posts p
 WHERE p.tenant_id = :tenant AND p.id = :post AND p.slug <> :slug AND p.published_at <= :now
   AND o.tenant_id = :tenant AND o.id <> p.id AND o.old_slugs <> '{}' AND o.old_slugs @> ARRAY[p.slug]""")
# Before any row is locked: a save also changes the posts that had its slug, so two that swap slugs would deadlock.
_LOCK_SLUGS = text("SELECT pg_advisory_xact_lock(hashtextextended('slugs ' || :tenant, 0))")
MAX_OLD_SLUGS = 50  # per post; the oldest is forgotten first
_MAX_SLUG_NUMBER = 50  # tried for a slug that is taken, before a random suffix

StoredStatus = Literal["draft", "published"]


class SlugTaken(Conflict):
    """The guru has another post with that slug."""

    code = "slug_taken"
    message = "Another post already uses this address. Please choose a different one."


class PostHidden(Conflict):
    """An admin hid the post. Its guru can change or delete it, and only an admin shows it again."""

    code = "post_hidden"
    message = "Our team hid this post, so it can't be published. You can save changes. Write to us when it's fixed."


class PostConflict(Conflict):
    """The post was saved in another tab or on another device since this editor was opened."""

    code = "changed_elsewhere"
    message = "This post was changed in another tab or on another device. Your changes aren't lost."


async def create_post(session: AsyncSession, tenant_id: UUID, content: PostText, rendered: RenderedText) -> UUID:
    """Create a draft and return its id. Raise Conflict above MAX_POSTS, SlugTaken for a chosen slug that is taken."""
    await lock_count(session, "posts", tenant_id)
    count = await session.scalar(select(func.count()).select_from(Post).where(Post.tenant_id == tenant_id))
    if (count or 0) >= MAX_POSTS:
        raise Conflict(f"A site can have up to {MAX_POSTS:,} posts. Please delete some first.")
    post_id = new_id()
    columns = await _columns(session, tenant_id, content, rendered)
    values = {"id": post_id, "tenant_id": tenant_id, "status": "draft", **columns}
    await _write(session, tenant_id, post_id, content, insert(Post).values(values))
    await session.execute(insert(PostEdit).values(tenant_id=tenant_id, post_id=post_id, revision=1))
    return post_id


async def update_post(
    session: AsyncSession,
    tenant_id: UUID,
    post_id: UUID,
    content: PostText,
    rendered: RenderedText,
    *,
    revision: int,
    status: StoredStatus,
    published_at: datetime | None,
) -> int:
    """Save a post and return its new revision. A published post needs a title and content.

    `published_at` None keeps the time of an earlier publication, or is now. A future time schedules the post. Raise
    NotFound, PostConflict, SlugTaken, ValidationFailed, and PostHidden for the publication of a hidden post. A hidden
    post that is saved as a draft stays hidden.
    """
    if status == "published":
        _check_publishable(content)
    await session.execute(_LOCK_SLUGS, {"tenant": str(tenant_id)})
    next_revision = await _advance_revision(session, tenant_id, post_id, revision)
    is_hidden = await _is_hidden(session, tenant_id, post_id)
    if is_hidden and status == "published":
        raise PostHidden
    values = await _columns(session, tenant_id, content, rendered)
    values |= {"updated_at": clock.now()} | ({} if is_hidden else {"status": status})
    if published_at is not None:
        values["published_at"] = published_at
    elif status == "published":
        now = clock.now()
        values["published_at"] = func.coalesce(_past_publication(now, now), now)
    await _write(session, tenant_id, post_id, content, update(Post).where(*_is(tenant_id, post_id)).values(values))
    return next_revision


async def save_working_copy(
    session: AsyncSession, tenant_id: UUID, post_id: UUID, content: PostText, *, revision: int
) -> int:
    """Autosave a post without changing the site. Return the new revision. Raise NotFound, PostConflict.

    A text that equals the saved one is no edit.
    """
    if content == (await draft(session, tenant_id, post_id)).saved:
        return await _advance_revision(session, tenant_id, post_id, revision)
    return await _advance_revision(session, tenant_id, post_id, revision, content)


async def delete_working_copy(session: AsyncSession, tenant_id: UUID, post_id: UUID, *, revision: int) -> int:
    """Revert to the post as last saved. Return the new revision. Raise NotFound, PostConflict."""
    return await _advance_revision(session, tenant_id, post_id, revision)


async def unpublish_post(session: AsyncSession, tenant_id: UUID, post_id: UUID) -> None:
    """Make a post a draft again. It keeps its publication time. Raise NotFound, and PostHidden for a hidden post."""
    now = clock.now()
    if await _is_hidden(session, tenant_id, post_id):
        raise PostHidden
    updated = await session.scalar(
        update(Post)
        .where(*_is(tenant_id, post_id))
        # A future time is removed: publishing the post again should take effect at once.
        .values(status="draft", updated_at=now, published_at=_past_publication(now, None))
        .returning(Post.id)
    )
    if updated is None:
        raise NotFound
    await session.execute(
        insert(PostEdit)
        .values(tenant_id=tenant_id, post_id=post_id, revision=1)
        .on_conflict_do_update(
            index_elements=[PostEdit.tenant_id, PostEdit.post_id], set_={"revision": PostEdit.revision + 1}
        )
    )


async def delete_post(session: AsyncSession, tenant_id: UUID, post_id: UUID) -> None:
    """Delete a post with its views. Raise NotFound."""
    deleted = await session.scalar(delete(Post).where(*_is(tenant_id, post_id)).returning(Post.id))
    if deleted is None:
        raise NotFound


async def _is_hidden(session: AsyncSession, tenant_id: UUID, post_id: UUID) -> bool:
    # Locks the row: an admin may hide the post at this moment.
    query = select(Post.status).where(*_is(tenant_id, post_id)).with_for_update(key_share=True)
    return await session.scalar(query) == "hidden"


async def _advance_revision(
    session: AsyncSession, tenant_id: UUID, post_id: UUID, revision: int, working_copy: PostText | None = None
) -> int:
    # Serializes concurrent saves. Counting a view does not wait for this lock.
    locked = await session.scalar(select(Post.id).where(*_is(tenant_id, post_id)).with_for_update(key_share=True))
    if locked is None:
        raise NotFound
    current = await session.scalar(
        select(PostEdit.revision).where(PostEdit.tenant_id == tenant_id, PostEdit.post_id == post_id)
    )
    if revision != (current or 0):
        raise PostConflict
    values = {
        "revision": revision + 1,
        "working_copy": working_copy.to_json() if working_copy else None,
        "saved_at": clock.now(),
    }
    await session.execute(
        insert(PostEdit)
        .values(tenant_id=tenant_id, post_id=post_id, **values)
        .on_conflict_do_update(index_elements=[PostEdit.tenant_id, PostEdit.post_id], set_=values)
    )
    return revision + 1


def _is(tenant_id: UUID, post_id: UUID) -> tuple[ColumnElement[bool], ColumnElement[bool]]:
    return Post.tenant_id == tenant_id, Post.id == post_id


def _past_publication(now: datetime, default: datetime | None) -> ColumnElement[datetime | None]:
    """Return when a post was published; `default` for a time in the future."""
    return case((Post.published_at > now, literal(default, DateTime(timezone=True))), else_=Post.published_at)


def _check_publishable(content: PostText) -> None:
    errors = {}
    if not content.title:
        errors["title"] = "Add a title before you publish."
    if not content.content.strip():
        errors["content"] = "Add some content before you publish."
    if errors:
        raise ValidationFailed(fields=errors)


async def _columns(session: AsyncSession, tenant_id: UUID, content: PostText, rendered: RenderedText) -> dict[str, Any]:
    cover_id, cover_alt = rendered.cover or (None, "")
    if cover_id is not None:
        cover_id = await session.scalar(_EXISTING_IMAGE, {"tenant": tenant_id, "image": cover_id})
    return {
        "cover_id": cover_id,
        "cover_alt": cover_alt,
        "title": content.title,
        "tags": [tag_slug(name) for name in content.tags],
        "tag_names": content.tags,
        "excerpt": rendered.excerpt,
        "content_markdown": content.content,
        "content_html": rendered.html,
        "words": rendered.word_count,
    }


async def _write(
    session: AsyncSession, tenant_id: UUID, post_id: UUID, content: PostText, statement: Insert | Update
) -> None:
    slug = content.slug or await _free_slug(session, tenant_id, post_id, content.title)
    if isinstance(statement, Update):
        statement = statement.values(old_slugs=_old_slugs(slug))
        await session.execute(_FORGET_SLUG, {"tenant": tenant_id, "post": post_id, "slug": slug, "now": clock.now()})
    try:
        async with session.begin_nested():
            await session.execute(statement.values(slug=slug))
    except IntegrityError as error:
        if "slug" not in str(error.orig):
            raise
        raise SlugTaken(fields={"slug": SlugTaken.message}) from error


def _old_slugs(new: str) -> ColumnElement[list[str]]:
    """Return the old slugs of a post that gets a new one, with its present one if the post was public under it."""
    without_oldest = Post.old_slugs[2:MAX_OLD_SLUGS]  # SQLAlchemy writes a slice without an end as NULL
    kept = case((func.cardinality(Post.old_slugs) >= MAX_OLD_SLUGS, without_oldest), else_=Post.old_slugs)
    was_public = and_(Post.slug != new, Post.published_at <= clock.now())
    old = case((was_public, func.array_append(kept, Post.slug)), else_=Post.old_slugs)
    return func.array_remove(old, new)


async def _free_slug(session: AsyncSession, tenant_id: UUID, post_id: UUID, title: str) -> str:
    """Return a slug from the title, with a number if it is taken."""
    proposed = proposed_slug(title)
    if not proposed:
        return f"post-{uuid4().hex[:8]}"
    candidates = [proposed, *(f"{proposed}-{number}" for number in range(2, _MAX_SLUG_NUMBER))]
    taken = set(
        await session.scalars(
            select(Post.slug).where(Post.tenant_id == tenant_id, Post.id != post_id, Post.slug.in_(candidates))
        )
    )
    return next((slug for slug in candidates if slug not in taken), f"{proposed}-{uuid4().hex[:8]}")
