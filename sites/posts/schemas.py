"""The schemas of posts (SPEC 3)."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, Field, StringConstraints

from sites.slugs import SLUG, unique_tags
from tenants.kit.schemas import ONE_LINE, PRINTABLE, Payload, ResponseModel

MAX_TITLE_LENGTH = 200
MAX_EXCERPT_LENGTH = 400
MAX_CONTENT_LENGTH = 40_000
MAX_TAGS = 12
MAX_RAW_TAG_LENGTH = 80  # before normalization


def _check_slug(text: str) -> str:
    if text and not SLUG.fullmatch(text):
        raise ValueError("can only have lowercase letters, numbers and hyphens")
    return text


class PostTextPayload(Payload):
    """A post's text. An empty slug is derived from the title, an empty excerpt from the content."""

    title: Annotated[str, StringConstraints(max_length=MAX_TITLE_LENGTH), ONE_LINE]
    slug: Annotated[str, AfterValidator(_check_slug)] = ""
    tags: Annotated[
        list[Annotated[str, StringConstraints(max_length=MAX_RAW_TAG_LENGTH), ONE_LINE]],
        Field(max_length=MAX_TAGS),
        AfterValidator(unique_tags),
    ] = Field(default_factory=list)
    excerpt: Annotated[str, StringConstraints(max_length=MAX_EXCERPT_LENGTH), ONE_LINE] = ""
    content: Annotated[str, StringConstraints(max_length=MAX_CONTENT_LENGTH, strip_whitespace=False), PRINTABLE]


class PostCounts(ResponseModel):
    """The number of posts by status."""

    draft: int
    scheduled: int
    published: int
    hidden: int


class CoverResponse(ResponseModel):
    """The picture of a post: its path on the guru's host, one scaled down for cards, and its description.

    `srcset`, `preview`: see PictureResponse.
    """

    path: str
    thumbnail: str
    srcset: str
    alt: str
    preview: str


class TagResponse(ResponseModel):
    """A tag: its name, and its slug in the URL of its page."""

    slug: str
    name: str


class PostCard(ResponseModel):
    """A post in a list. `readTime` and a generated excerpt follow SPEC 5. `cover`: its first uploaded picture."""

    id: str
    slug: str
    title: str
    tags: list[TagResponse]
    excerpt: str
    published_at: str
    views: int
    read_time: str
    cover: CoverResponse | None


class PostResponse(PostCard):
    """A whole post. `content` is sanitized HTML."""

    content: str
    updated_at: str


class TagCount(TagResponse):
    """A tag and how many published posts carry it."""

    count: int


class PostsResponse(ResponseModel):
    """A page of posts, newest first. `nextCursor` is null on the last page."""

    success: bool
    posts: list[PostResponse]
    tags: list[TagCount]
    next_cursor: str | None
    message: str


class PostPageResponse(ResponseModel):
    """One post and what to read next."""

    success: bool
    post: PostResponse
    related: list[PostCard]
    message: str
