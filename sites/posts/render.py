"""Rendering of posts when they are saved."""

from __future__ import annotations

import asyncio
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Any, Self

from sites.posts.markdown import RenderedText, render_text
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


async def render_post(content: PostText, owner: Hashable = None) -> RenderedText:
    """Render a post's Markdown, in a thread: a malicious text can take long. Owners take turns.

    Raise TooManyUploads and Unavailable.
    """
    async with _rendering.turn(owner):
        return await asyncio.to_thread(render_text, content.content, content.excerpt)


async def find_omissions(markdown: str, owner: Hashable = None) -> list[str]:
    """Return a sentence for each thing in a text that its page does not show as typed. Owners take turns.

    Raise TooManyUploads and Unavailable.
    """
    async with _rendering.turn(owner):
        return await asyncio.to_thread(omissions, markdown)
