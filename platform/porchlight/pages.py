"""Pages of the main platform whose head says something of its own: robots and link previews run no scripts."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from html import escape

_TITLE = re.compile(rb"<title>.*?</title>", re.DOTALL)
_DESCRIPTION = re.compile(rb'<meta\s+name="description"\s+content="[^"]*"\s*/?>')
_NOBODY = b'<meta name="robots" content="noindex" /></head>'


@dataclass(frozen=True, slots=True)
class Head:
    """What the head says. `more` is HTML that stands at its end; title and description are plain text."""

    title: str
    description: str
    more: str


# Path and origin of the request to what its head says; None: there is nothing at this path.
HeadOf = Callable[[str, str], Awaitable[Head | None]]


def with_head(page: bytes, head: Head | None) -> bytes:
    """A build's page with this head; without one, with the word that nobody need remember it."""
    if head is None:
        return page.replace(b"</head>", _NOBODY, 1)
    title = f"<title>{escape(head.title)}</title>".encode()
    description = f'<meta name="description" content="{escape(head.description)}" />'.encode()
    # Functions, because what people write may look like a reference to a group.
    page = _TITLE.sub(lambda _found: title, page, count=1)
    page = _DESCRIPTION.sub(lambda _found: description, page, count=1)
    return page.replace(b"</head>", head.more.encode() + b"</head>", 1)
