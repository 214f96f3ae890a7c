"""Posts on the wire (SPEC 3)."""

from __future__ import annotations

from tenants.kit.schemas import Answer


class PostCard(Answer):
    """A post in a list. `readTime` and the excerpt's fallback follow SPEC 5."""

    id: str
    slug: str
    title: str
    tags: list[str]
    excerpt: str
    published_at: str
    views: int
    read_time: str


class PostAnswer(PostCard):
    """A whole post. `content` is sanitised HTML."""

    content: str


class TagCount(Answer):
    """A tag and how many published posts carry it."""

    name: str
    count: int


class PostsAnswer(Answer):
    """A page of posts, newest first. `nextCursor` is null on the last page."""

    success: bool
    posts: list[PostAnswer]
    tags: list[TagCount]
    next_cursor: str | None
    message: str


class PostPageAnswer(Answer):
    """One post and what to read next."""

    success: bool
    post: PostAnswer
    related: list[PostCard]
    message: str
