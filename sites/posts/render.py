"""Rendering of posts when they are saved."""

from __future__ import annotations

import asyncio
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Any, Self
from uuid import UUID

from sites.posts.markdown import excerpt, first_upload, render, word_count
from sites.posts.omissions import omissions
from tenants.kit.fair_queue import FairQueue

# One text at a time: rendering takes at most one thread of the pool that requests share.
_rendering = FairQueue(1)


@dataclass(frozen=True, slots=True)
class PostText:
    """A post in its editor. A missing slug is generated from the title, a missing excerpt from the content.

    `tags` are names.
    """

    title: str
    slug: str
    tags: list[str]
    excerpt: str
    content: str

    def to_json(self) -> dict[str, Any]:
        """Return the JSON of a working copy."""
        return {
            "title": self.title,
            "slug": self.slug,
            "tags": self.tags,
            "excerpt": self.excerpt,
            "content": self.content,
        }

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Self:
        """Create from the JSON of a working copy."""
        return cls(stored["title"], stored["slug"], stored["tags"], stored["excerpt"], stored["content"])


@dataclass(frozen=True, slots=True)
class RenderedPost:
    """A post prepared for readers: sanitized HTML, an excerpt (never missing), the number of words and the cover.

    The cover is the first picture that the guru uploaded: its id and text alternative.
    """

    html: str
    excerpt: str
    word_count: int
    cover: tuple[UUID, str] | None


async def render_post(content: PostText, owner: Hashable = None) -> RenderedPost:
    """Render a post's Markdown, in a thread: a malicious text can take long. Owners take turns.

    Raise TooManyUploads and Unavailable.
    """
    async with _rendering.turn(owner):
        return await asyncio.to_thread(_render, content)


async def find_omissions(content: PostText, owner: Hashable = None) -> list[str]:
    """Return a sentence for each thing in a post that its page does not show as typed. Owners take turns.

    Raise TooManyUploads and Unavailable.
    """
    async with _rendering.turn(owner):
        return await asyncio.to_thread(omissions, content.content)


def _render(content: PostText) -> RenderedPost:
    text = content.content
    return RenderedPost(render(text), content.excerpt or excerpt(text), word_count(text), first_upload(text))
