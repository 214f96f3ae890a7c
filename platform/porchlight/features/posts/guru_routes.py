"""The guru's posts: list, edit, autosave, publish, schedule."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

from fastapi import Query, status

from porchlight.console_context import ConsoleContext, CurrentConsole
from porchlight.features.posts.schemas import (
    MAX_REVISION,
    ConsolePost,
    ConsolePostPage,
    ConsolePostResponse,
    ConsolePostRow,
    ConsolePostsResponse,
    PostPayload,
    PostRevision,
    PostRevisionResponse,
    PostTextResponse,
    WorkingCopyPayload,
)
from sites.posts import actions
from sites.posts import drafts as queries
from sites.posts.render import PostText, find_omissions, render_post
from sites.posts.schemas import PostCounts, PostTextPayload
from tenants.http.routes import FeatureRouter, StrictRoute
from tenants.kit import clock
from tenants.kit.ids import parse_id_or_404
from tenants.kit.schemas import ONE_LINE, MessageResponse

router = FeatureRouter(prefix="/api/guru/posts", tags=["posts"], route_class=StrictRoute)


@router.get("", response_model=ConsolePostsResponse, operation_id="list_console_posts", summary="List my posts")
async def list_posts(
    console: CurrentConsole,
    standing: Annotated[queries.PostStatus | None, Query(description="Only posts with this status.")] = None,
    q: Annotated[str, Query(max_length=100, description="Part of the title, or a tag."), ONE_LINE] = "",
    cursor: Annotated[str | None, Query(max_length=64, description="`nextCursor` of the previous page.")] = None,
    limit: Annotated[int, Query(ge=1, le=queries.MAX_PAGE_SIZE)] = queries.PAGE_SIZE,
) -> ConsolePostsResponse:
    """Return a page of drafts, scheduled and published posts, newest first."""
    search = q.strip()
    async with console.unit_of_work() as session:
        posts, next_cursor = await queries.drafts(
            session, console.tenant_id, status=standing, search=search, cursor=cursor or None, limit=limit
        )
        counts = await queries.status_counts(session, console.tenant_id)
    rows = [
        ConsolePostRow(
            id=str(post.id),
            slug=post.slug,
            title=post.title,
            tags=post.tags,
            standing=post.status,
            published_at=clock.to_iso8601(post.published_at) if post.published_at else None,
            saved_at=clock.to_iso8601(post.saved_at),
            changed=post.has_working_copy,
            views=post.views,
        )
        for post in posts
    ]
    data = ConsolePostPage(posts=rows, counts=PostCounts(**counts), next_cursor=next_cursor)
    return ConsolePostsResponse(success=True, data=data)


@router.post(
    "",
    response_model=ConsolePostResponse,
    status_code=status.HTTP_201_CREATED,
    operation_id="create_post",
    summary="Create a post",
)
async def create_post(console: CurrentConsole, payload: PostTextPayload) -> ConsolePostResponse:
    """Create a draft, which only its guru sees."""
    text = _post_text(payload)
    rendered_post = await render_post(text, console.tenant_id)
    async with console.unit_of_work() as session:
        post_id = await actions.create_post(session, console.tenant_id, text, rendered_post)
        created = await queries.draft(session, console.tenant_id, post_id)
    return await _post_response(created, console.tenant_id)


@router.get(
    "/{post_id}", response_model=ConsolePostResponse, operation_id="get_console_post", summary="Get one of my posts"
)
async def get_post(console: CurrentConsole, post_id: str) -> ConsolePostResponse:
    """Return a post with its Markdown, its working copy, and the revision that a save must name."""
    async with console.unit_of_work() as session:
        post = await queries.draft(session, console.tenant_id, parse_id_or_404(post_id))
    return await _post_response(post, console.tenant_id)


@router.put(
    "/{post_id}",
    response_model=ConsolePostResponse,
    operation_id="update_post",
    summary="Save, publish or schedule a post",
)
async def update_post(console: CurrentConsole, post_id: str, payload: PostPayload) -> ConsolePostResponse:
    """Save a post. 409 `changed_elsewhere` when `revision` is outdated."""
    text = _post_text(payload)
    rendered_post = await render_post(text, console.tenant_id)
    post_uuid = parse_id_or_404(post_id)
    async with console.unit_of_work() as session:
        await actions.update_post(
            session,
            console.tenant_id,
            post_uuid,
            text,
            rendered_post,
            revision=payload.revision,
            status=payload.status,
            published_at=payload.published_at,
        )
        post = await queries.draft(session, console.tenant_id, post_uuid)
    return await _post_response(post, console.tenant_id)


@router.delete("/{post_id}", response_model=MessageResponse, operation_id="delete_post", summary="Delete a post")
async def delete_post(console: CurrentConsole, post_id: str) -> MessageResponse:
    """Delete a post permanently."""
    async with console.unit_of_work() as session:
        await actions.delete_post(session, console.tenant_id, parse_id_or_404(post_id))
    return MessageResponse(success=True, message="Post deleted.")


@router.delete(
    "/{post_id}/publication",
    response_model=ConsolePostResponse,
    operation_id="unpublish_post",
    summary="Unpublish a post",
)
async def unpublish_post(console: CurrentConsole, post_id: str) -> ConsolePostResponse:
    """Turn a published or scheduled post back into a draft."""
    post_uuid = parse_id_or_404(post_id)
    async with console.unit_of_work() as session:
        await actions.unpublish_post(session, console.tenant_id, post_uuid)
        post = await queries.draft(session, console.tenant_id, post_uuid)
    return await _post_response(post, console.tenant_id)


@router.put(
    "/{post_id}/working-copy",
    response_model=PostRevisionResponse,
    operation_id="autosave_post",
    summary="Autosave a post",
)
async def autosave_post(console: CurrentConsole, post_id: str, payload: WorkingCopyPayload) -> PostRevisionResponse:
    """Store the editor's text as the working copy. The published post does not change."""
    return await _set_working_copy(console, post_id, payload.revision, _post_text(payload))


@router.delete(
    "/{post_id}/working-copy",
    response_model=PostRevisionResponse,
    operation_id="discard_working_copy",
    summary="Discard unsaved changes",
)
async def discard_working_copy(
    console: CurrentConsole, post_id: str, revision: Annotated[int, Query(ge=0, le=MAX_REVISION)]
) -> PostRevisionResponse:
    """Delete the working copy, so that the post is as last saved."""
    return await _set_working_copy(console, post_id, revision, None)


async def _set_working_copy(
    console: ConsoleContext, post_id: str, revision: int, text: PostText | None
) -> PostRevisionResponse:
    post_uuid = parse_id_or_404(post_id)
    async with console.unit_of_work() as session:
        if text is None:
            new_revision = await actions.delete_working_copy(session, console.tenant_id, post_uuid, revision=revision)
            text = (await queries.draft(session, console.tenant_id, post_uuid)).saved
        else:
            new_revision = await actions.save_working_copy(
                session, console.tenant_id, post_uuid, text, revision=revision
            )
    data = PostRevision(
        revision=new_revision,
        saved_at=clock.to_iso8601(clock.now()),
        omissions=await find_omissions(text.content, console.tenant_id),
    )
    return PostRevisionResponse(success=True, data=data)


def _post_text(payload: PostTextPayload) -> PostText:
    return PostText(payload.title, payload.slug, payload.tags, payload.excerpt, payload.content)


def _text_response(text: PostText) -> PostTextResponse:
    return PostTextResponse.model_validate(text.to_json())


async def _post_response(post: queries.Draft, tenant_id: UUID) -> ConsolePostResponse:
    data = ConsolePost(
        id=str(post.id),
        slug=post.slug,
        standing=post.status,
        published_at=clock.to_iso8601(post.published_at) if post.published_at else None,
        saved_at=clock.to_iso8601(post.saved_at),
        revision=post.revision,
        views=post.views,
        saved=_text_response(post.saved),
        working_copy=_text_response(post.working_copy) if post.working_copy else None,
        omissions=await find_omissions((post.working_copy or post.saved).content, tenant_id),
        hidden_reason=post.hidden_reason,
    )
    return ConsolePostResponse(success=True, data=data)
