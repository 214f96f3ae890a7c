"""What a guru does with posts. Each works inside the unit of work of their tenant."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal
from uuid import UUID, uuid4

from sqlalchemy import ColumnElement, DateTime, Insert, Update, case, delete, func, literal, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession

from sites.names import proposed_slug
from sites.posts.models import Post, PostEdit
from sites.posts.writing import Rendered, Words
from tenants.kit import clock
from tenants.kit.errors import Conflict, NotFound, ValidationFailed
from tenants.kit.ids import new_id

POSTS = 5_000  # a guru may have
_SLUGS_TRIED = 50  # numbers behind a slug that is taken, before chance decides

Status = Literal["draft", "published"]


class SlugTaken(Conflict):
    """The guru has another post at that address."""

    code = "slug_taken"
    message = "You have another post at this address. Please choose another."


class ChangedElsewhere(Conflict):
    """Somebody saved from another tab or device since this editor was opened."""

    code = "changed_elsewhere"
    message = "This post was changed in another tab or on another device. Nothing you wrote here is lost."


async def start_post(session: AsyncSession, tenant_id: UUID, words: Words, made: Rendered) -> UUID:
    """Begin a draft. Raises Conflict past POSTS, SlugTaken for a slug that was asked for."""
    count = await session.scalar(select(func.count()).select_from(Post).where(Post.tenant_id == tenant_id))
    if (count or 0) >= POSTS:
        raise Conflict(f"A site holds {POSTS:,} posts at most. Please delete some first.")
    post_id = new_id()
    values = {"id": post_id, "tenant_id": tenant_id, "status": "draft", **_columns(words, made)}
    await _write(session, tenant_id, post_id, words, insert(Post).values(values))
    await session.execute(insert(PostEdit).values(tenant_id=tenant_id, post_id=post_id, revision=1))
    return post_id


async def save_post(
    session: AsyncSession,
    tenant_id: UUID,
    post_id: UUID,
    words: Words,
    made: Rendered,
    *,
    revision: int,
    status: Status,
    published_at: datetime | None,
) -> int:
    """Write a post as its editor has it; the new revision. What is published needs a title and words.

    `published_at` None: when it was published before, or now. A time to come schedules the post. Raises NotFound,
    ChangedElsewhere, SlugTaken, ValidationFailed.
    """
    if status == "published":
        _refuse_unfinished(words)
    following = await _take_turn(session, tenant_id, post_id, revision)
    values: dict[str, Any] = _columns(words, made) | {"status": status, "updated_at": clock.now()}
    if published_at is not None:
        values["published_at"] = published_at
    elif status == "published":
        now = clock.now()
        values["published_at"] = func.coalesce(_unless_to_come(now, now), now)
    await _write(session, tenant_id, post_id, words, update(Post).where(*_is(tenant_id, post_id)).values(values))
    return following


async def keep_working_copy(
    session: AsyncSession, tenant_id: UUID, post_id: UUID, words: Words, *, revision: int
) -> int:
    """Autosave: readers see nothing of it. The new revision. Raises NotFound, ChangedElsewhere."""
    return await _take_turn(session, tenant_id, post_id, revision, words)


async def drop_working_copy(session: AsyncSession, tenant_id: UUID, post_id: UUID, *, revision: int) -> int:
    """Go back to the post as it was last saved; the new revision. Raises NotFound, ChangedElsewhere."""
    return await _take_turn(session, tenant_id, post_id, revision)


async def unpublish_post(session: AsyncSession, tenant_id: UUID, post_id: UUID) -> None:
    """Make a post a draft again; it remembers when it came out. Raises NotFound."""
    now = clock.now()
    found = await session.scalar(
        update(Post)
        .where(*_is(tenant_id, post_id))
        # A time to come is forgotten: published again, it should come out at once.
        .values(status="draft", updated_at=now, published_at=_unless_to_come(now, None))
        .returning(Post.id)
    )
    if found is None:
        raise NotFound
    await session.execute(
        insert(PostEdit)
        .values(tenant_id=tenant_id, post_id=post_id, revision=1)
        .on_conflict_do_update(
            index_elements=[PostEdit.tenant_id, PostEdit.post_id], set_={"revision": PostEdit.revision + 1}
        )
    )


async def delete_post(session: AsyncSession, tenant_id: UUID, post_id: UUID) -> None:
    """Delete a post with its views. Raises NotFound."""
    found = await session.scalar(delete(Post).where(*_is(tenant_id, post_id)).returning(Post.id))
    if found is None:
        raise NotFound


async def _take_turn(
    session: AsyncSession, tenant_id: UUID, post_id: UUID, revision: int, working_copy: Words | None = None
) -> int:
    # Two who save at once wait for one another here; counting a view does not wait.
    there = await session.scalar(select(Post.id).where(*_is(tenant_id, post_id)).with_for_update(key_share=True))
    if there is None:
        raise NotFound
    now = await session.scalar(
        select(PostEdit.revision).where(PostEdit.tenant_id == tenant_id, PostEdit.post_id == post_id)
    )
    if revision != (now or 0):
        raise ChangedElsewhere
    values = {
        "revision": revision + 1,
        "working_copy": working_copy.stored() if working_copy else None,
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


def _unless_to_come(now: datetime, instead: datetime | None) -> ColumnElement[datetime | None]:
    """When a post was published; `instead` for a time to come."""
    return case((Post.published_at > now, literal(instead, DateTime(timezone=True))), else_=Post.published_at)


def _refuse_unfinished(words: Words) -> None:
    faults = {}
    if not words.title:
        faults["title"] = "A post needs a title before it can be published."
    if not words.content.strip():
        faults["content"] = "There is nothing to read yet."
    if faults:
        raise ValidationFailed(fields=faults)


def _columns(words: Words, made: Rendered) -> dict[str, Any]:
    return {
        "title": words.title,
        "tags": words.tags,
        "excerpt": made.excerpt,
        "content_markdown": words.content,
        "content_html": made.html,
        "words": made.words,
    }


async def _write(
    session: AsyncSession, tenant_id: UUID, post_id: UUID, words: Words, statement: Insert | Update
) -> None:
    slug = words.slug or await _free_slug(session, tenant_id, post_id, words.title)
    try:
        async with session.begin_nested():
            await session.execute(statement.values(slug=slug))
    except IntegrityError as fault:
        if "slug" not in str(fault.orig):
            raise
        raise SlugTaken(fields={"slug": SlugTaken.message}) from fault


async def _free_slug(session: AsyncSession, tenant_id: UUID, post_id: UUID, title: str) -> str:
    """A slug made from the title; of one that is taken, with a number behind it."""
    wanted = proposed_slug(title)
    if not wanted:
        return f"post-{uuid4().hex[:8]}"
    names = [wanted, *(f"{wanted}-{number}" for number in range(2, _SLUGS_TRIED))]
    taken = set(
        await session.scalars(
            select(Post.slug).where(Post.tenant_id == tenant_id, Post.id != post_id, Post.slug.in_(names))
        )
    )
    return next((name for name in names if name not in taken), f"{wanted}-{uuid4().hex[:8]}")
