"""The schemas of posts (SPEC 3)."""

from __future__ import annotations

from tenants.kit.schemas import ResponseModel


class CoverResponse(ResponseModel):
    """The picture of a post: its path on the guru's host, one scaled down for cards, and its description."""

    path: str
    thumbnail: str
    alt: str


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
