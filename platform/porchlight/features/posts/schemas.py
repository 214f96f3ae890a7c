"""Request and response schemas of posts."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, AwareDatetime, BeforeValidator, Field

from sites.posts.drafts import PostStatus
from sites.posts.schemas import PostCounts, PostTextPayload
from tenants.kit import clock
from tenants.kit.schemas import ResponseModel

MAX_REVISION = 2**53
MAX_SCHEDULE = timedelta(days=2 * 366)  # rejects typos such as the year 9999
_EARLIEST_PUBLICATION = datetime.fromisoformat("1990-01-01T00:00:00Z")


def _check_publication_time(time: datetime) -> datetime:
    if not _EARLIEST_PUBLICATION <= time <= clock.now() + MAX_SCHEDULE:
        raise ValueError("must be within the next two years")
    return time


def _require_string(value: Any) -> Any:
    if not isinstance(value, str):
        raise ValueError("must include a time zone offset")
    return value


# ISO 8601 with an offset. Parsed from a string: JSON has no type for times.
PublicationTime = Annotated[
    AwareDatetime, Field(strict=False), AfterValidator(_check_publication_time), BeforeValidator(_require_string)
]
Revision = Annotated[int, Field(ge=0, le=MAX_REVISION)]


class PostPayload(PostTextPayload):
    """A post to save. `publishedAt`: null keeps the time or means now; a future time schedules the post."""

    revision: Revision
    status: Literal["draft", "published"]
    published_at: PublicationTime | None = None


class WorkingCopyPayload(PostTextPayload):
    """An autosave, which is not published."""

    revision: Revision


class PostTextResponse(ResponseModel):
    """A post's text. An empty excerpt means that the beginning of the content is shown."""

    title: str
    slug: str
    tags: list[str]
    excerpt: str
    content: str


class ConsolePost(ResponseModel):
    """A post in its editor. `workingCopy`: the text autosaved since the last save, or null.

    `omissions` has a sentence for everything in its latest text that the page does not show as typed.

    `hiddenReason`: why an admin hid the post, else "".

    `slug` is the post's current address. `saved.slug` stays empty until the post is published or its guru sets one.
    """

    id: str
    slug: str
    standing: PostStatus
    published_at: str | None
    saved_at: str
    revision: int
    views: int
    saved: PostTextResponse
    working_copy: PostTextResponse | None
    omissions: list[str]
    hidden_reason: str


class ConsolePostResponse(ResponseModel):
    """The response of routes about one post."""

    success: bool
    data: ConsolePost


class PostRevision(ResponseModel):
    """The post's revision after an autosave, and what of the text its page would not show as typed."""

    revision: int
    saved_at: str
    omissions: list[str]


class PostRevisionResponse(ResponseModel):
    """The response of an autosave."""

    success: bool
    data: PostRevision


class ConsolePostRow(ResponseModel):
    """A post in the list. `changed`: it has an unsaved working copy."""

    id: str
    slug: str
    title: str
    tags: list[str]
    standing: PostStatus
    published_at: str | None
    saved_at: str
    changed: bool
    views: int


class ConsolePostPage(ResponseModel):
    """A page of posts, newest first."""

    posts: list[ConsolePostRow]
    counts: PostCounts
    next_cursor: str | None


class ConsolePostsResponse(ResponseModel):
    """The response of GET /api/guru/posts."""

    success: bool
    data: ConsolePostPage
