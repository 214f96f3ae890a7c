"""What a guru writes, and what becomes of it before it is kept."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from sites.posts.markdown import excerpt, render, word_count


@dataclass(frozen=True, slots=True)
class Words:
    """A post as its editor has it. Without a slug it gets one from its title; without an excerpt, its beginning."""

    title: str
    slug: str
    tags: list[str]
    excerpt: str
    content: str

    def stored(self) -> dict[str, Any]:
        """As a working copy is kept."""
        return {
            "title": self.title,
            "slug": self.slug,
            "tags": self.tags,
            "excerpt": self.excerpt,
            "content": self.content,
        }

    @classmethod
    def of(cls, stored: Mapping[str, Any]) -> Self:
        """From a kept working copy."""
        return cls(stored["title"], stored["slug"], stored["tags"], stored["excerpt"], stored["content"])


@dataclass(frozen=True, slots=True)
class Rendered:
    """What readers get of the words: sanitised HTML, an excerpt in any case, and how many words there are."""

    html: str
    excerpt: str
    words: int


async def rendered(words: Words) -> Rendered:
    """Render a post's Markdown. In a thread: what somebody thinks up may take its time."""
    return await asyncio.to_thread(_render, words)


def _render(words: Words) -> Rendered:
    return Rendered(render(words.content), words.excerpt or excerpt(words.content), word_count(words.content))
