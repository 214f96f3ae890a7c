"""Posts of the console on the wire."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, AwareDatetime, BeforeValidator, Field

from porchlight.console.schemas import PostCountsAnswer, WordsPayload
from sites.posts.desk import Standing
from tenants.kit import clock
from tenants.kit.schemas import Answer

FAR = timedelta(days=2 * 366)  # ahead; a post scheduled for the year 9999 is a slip
_EARLIEST = datetime.fromisoformat("1990-01-01T00:00:00Z")


def _sensible(moment: datetime) -> datetime:
    if not _EARLIEST <= moment <= clock.now() + FAR:
        raise ValueError("must be within the next two years")
    return moment


def _text(sent: Any) -> Any:
    if not isinstance(sent, str):
        raise ValueError("must be a time with its offset")
    return sent


# ISO 8601 with an offset. Read from text: JSON has no times.
Moment = Annotated[AwareDatetime, Field(strict=False), AfterValidator(_sensible), BeforeValidator(_text)]
Revision = Annotated[int, Field(ge=0, le=2**53)]


class SavePayload(WordsPayload):
    """A post to save. `publishedAt` null: as it was, or now; a time to come schedules it."""

    revision: Revision
    status: Literal["draft", "published"]
    published_at: Moment | None = None


class WorkingCopyPayload(WordsPayload):
    """An autosave, which readers see nothing of."""

    revision: Revision


class WordsAnswer(Answer):
    """A post's words. An empty excerpt means: the content's beginning."""

    title: str
    slug: str
    tags: list[str]
    excerpt: str
    content: str


class DeskPostAnswer(Answer):
    """A post in its editor. `workingCopy` is what was autosaved since the last save, or null.

    `slug` is its address; in the words of a post that never came out it is empty unless its guru chose one.
    """

    id: str
    slug: str
    standing: Standing
    published_at: str | None
    saved_at: str
    revision: int
    views: int
    saved: WordsAnswer
    working_copy: WordsAnswer | None


class DeskPost(Answer):
    """The answer of calls about one post."""

    success: bool
    data: DeskPostAnswer


class RevisionAnswer(Answer):
    """Which revision the post has now, and since when."""

    revision: int
    saved_at: str


class Revised(Answer):
    """The answer of an autosave."""

    success: bool
    data: RevisionAnswer


class DeskPostRow(Answer):
    """A post in the list. `changed`: a working copy waits to be saved."""

    id: str
    slug: str
    title: str
    tags: list[str]
    standing: Standing
    published_at: str | None
    saved_at: str
    changed: bool
    views: int


class DeskPostsAnswer(Answer):
    """A page of posts, the newest first."""

    posts: list[DeskPostRow]
    counts: PostCountsAnswer
    next_cursor: str | None


class DeskPosts(Answer):
    """The answer of GET /api/guru/posts."""

    success: bool
    data: DeskPostsAnswer


class ImageAnswer(Answer):
    """A picture. `path` is for posts (on the guru's host), `address` for anywhere."""

    id: str
    path: str
    address: str
    width: int
    height: int
    size: int
    created_at: str


class ImageMade(Answer):
    """The answer of POST /api/guru/images."""

    success: bool
    data: ImageAnswer


class ImagesAnswer(Answer):
    """A page of pictures, the newest first."""

    images: list[ImageAnswer]
    next_cursor: str | None


class Images(Answer):
    """The answer of GET /api/guru/images."""

    success: bool
    data: ImagesAnswer
