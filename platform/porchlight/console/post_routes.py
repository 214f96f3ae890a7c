"""A guru's posts: list, editor, autosave, publishing and scheduling."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, status

from porchlight.console.desk import AtDesk, Desk
from porchlight.console.post_schemas import (
    DeskPost,
    DeskPostAnswer,
    DeskPostRow,
    DeskPosts,
    DeskPostsAnswer,
    Revised,
    RevisionAnswer,
    SavePayload,
    WordsAnswer,
    WorkingCopyPayload,
)
from porchlight.console.schemas import DeskDone, PostCountsAnswer, WordsPayload
from sites.parts import StrictRoute
from sites.posts import actions
from sites.posts import desk as queries
from sites.posts.writing import Words, rendered
from tenants.kit import clock
from tenants.kit.ids import known_id

router = APIRouter(prefix="/api/guru/posts", tags=["guru console"], route_class=StrictRoute)


@router.get("", response_model=DeskPosts, operation_id="desk_posts", summary="My posts")
async def read_posts(
    desk: AtDesk,
    standing: Annotated[queries.Standing | None, Query(description="Only those that stand so.")] = None,
    q: Annotated[str, Query(max_length=100, description="Words of the title, or a tag.")] = "",
    cursor: Annotated[str | None, Query(max_length=64, description="`nextCursor` of the page before.")] = None,
    limit: Annotated[int, Query(ge=1, le=queries.MOST)] = queries.PAGE,
) -> DeskPosts:
    """Drafts, scheduled and published posts, the newest first, a page at a time."""
    async with desk.work() as session:
        found, following = await queries.listed(
            session, desk.tenant_id, wanted=standing, search=_text(q), after=cursor or None, limit=limit
        )
        counts = await queries.counts(session, desk.tenant_id)
    rows = [
        DeskPostRow(
            id=str(post.id),
            slug=post.slug,
            title=post.title,
            tags=post.tags,
            standing=post.standing,
            published_at=clock.wire(post.published_at) if post.published_at else None,
            saved_at=clock.wire(post.saved_at),
            changed=post.changed,
            views=post.views,
        )
        for post in found
    ]
    data = DeskPostsAnswer(posts=rows, counts=PostCountsAnswer(**counts), next_cursor=following)
    return DeskPosts(success=True, data=data)


@router.post(
    "",
    response_model=DeskPost,
    status_code=status.HTTP_201_CREATED,
    operation_id="start_post",
    summary="Begin a post",
)
async def post_post(desk: AtDesk, sent: WordsPayload) -> DeskPost:
    """Begin a draft, which only its guru sees."""
    words = _words(sent)
    made = await rendered(words)
    async with desk.work() as session:
        post_id = await actions.start_post(session, desk.tenant_id, words, made)
        return _answer(await queries.opened(session, desk.tenant_id, post_id))


@router.get("/{post_id}", response_model=DeskPost, operation_id="desk_post", summary="One of my posts")
async def read_post(desk: AtDesk, post_id: str) -> DeskPost:
    """A post with its Markdown, what was autosaved since, and the revision a save must name."""
    async with desk.work() as session:
        return _answer(await queries.opened(session, desk.tenant_id, known_id(post_id)))


@router.put("/{post_id}", response_model=DeskPost, operation_id="save_post", summary="Save, publish or schedule a post")
async def put_post(desk: AtDesk, post_id: str, sent: SavePayload) -> DeskPost:
    """Save a post as it is in its editor. 409 `changed_elsewhere` when it is no longer as of `revision`."""
    words = _words(sent)
    made = await rendered(words)
    found = known_id(post_id)
    async with desk.work() as session:
        await actions.save_post(
            session,
            desk.tenant_id,
            found,
            words,
            made,
            revision=sent.revision,
            status=sent.status,
            published_at=sent.published_at,
        )
        return _answer(await queries.opened(session, desk.tenant_id, found))


@router.delete("/{post_id}", response_model=DeskDone, operation_id="delete_post", summary="Delete a post")
async def delete_post(desk: AtDesk, post_id: str) -> DeskDone:
    """Delete a post for good."""
    async with desk.work() as session:
        await actions.delete_post(session, desk.tenant_id, known_id(post_id))
    return DeskDone(success=True, message="The post is deleted.")


@router.delete(
    "/{post_id}/publication", response_model=DeskPost, operation_id="unpublish_post", summary="Take a post back"
)
async def delete_publication(desk: AtDesk, post_id: str) -> DeskPost:
    """Make a published or scheduled post a draft again."""
    found = known_id(post_id)
    async with desk.work() as session:
        await actions.unpublish_post(session, desk.tenant_id, found)
        return _answer(await queries.opened(session, desk.tenant_id, found))


@router.put("/{post_id}/working-copy", response_model=Revised, operation_id="autosave_post", summary="Autosave a post")
async def put_working_copy(desk: AtDesk, post_id: str, sent: WorkingCopyPayload) -> Revised:
    """Keep what is in the editor, beside the post as it was saved: readers see nothing of it."""
    return await _revise(desk, post_id, sent.revision, _words(sent))


@router.delete(
    "/{post_id}/working-copy", response_model=Revised, operation_id="discard_changes", summary="Discard what changed"
)
async def delete_working_copy(desk: AtDesk, post_id: str, revision: Annotated[int, Query(ge=0, le=2**53)]) -> Revised:
    """Go back to the post as it was last saved."""
    return await _revise(desk, post_id, revision, None)


async def _revise(desk: Desk, post_id: str, revision: int, words: Words | None) -> Revised:
    found = known_id(post_id)
    async with desk.work() as session:
        if words is None:
            following = await actions.drop_working_copy(session, desk.tenant_id, found, revision=revision)
        else:
            following = await actions.keep_working_copy(session, desk.tenant_id, found, words, revision=revision)
    return Revised(success=True, data=RevisionAnswer(revision=following, saved_at=clock.wire(clock.now())))


def _text(query: str) -> str:
    """What is searched for; what no text of ours can hold is left out."""
    return "".join(character for character in query if character.isprintable()).strip()


def _words(sent: WordsPayload) -> Words:
    return Words(sent.title, sent.slug, sent.tags, sent.excerpt, sent.content)


def _written(words: Words) -> WordsAnswer:
    return WordsAnswer.model_validate(words.stored())


def _answer(post: queries.Opened) -> DeskPost:
    data = DeskPostAnswer(
        id=str(post.id),
        slug=post.slug,
        standing=post.standing,
        published_at=clock.wire(post.published_at) if post.published_at else None,
        saved_at=clock.wire(post.saved_at),
        revision=post.revision,
        views=post.views,
        saved=_written(post.saved),
        working_copy=_written(post.working_copy) if post.working_copy else None,
    )
    return DeskPost(success=True, data=data)
