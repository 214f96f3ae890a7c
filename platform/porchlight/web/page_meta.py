"""Server-rendered <head> of pages of the main platform, because crawlers and link previews run no scripts."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from html import escape

from porchlight.web.social_pictures import photo_path, picture_path
from sites.theme.card import HEIGHT, WIDTH

_TITLE = re.compile(rb"<title>.*?</title>", re.DOTALL)
_DESCRIPTION = re.compile(rb'<meta\s+name="description"\s+content="[^"]*"\s*/?>')
_NOINDEX = b'<meta name="robots" content="noindex" /></head>'


@dataclass(frozen=True, slots=True)
class Head:
    """Title and description, as plain text, and `more`, HTML at the end of the head.

    `photo` loads the stored picture of link previews, if the page has one: it is served as JPEG at `photo_path`.
    """

    title: str
    description: str
    more: str
    photo: Callable[[], Awaitable[bytes]] | None = None


def preview_tags(
    origin: str, path: str, title: str, description: str, image: Mapping[str, str | int] | None = None
) -> str:
    """Return the tags of a page's address and of its link preview.

    `image`: the properties of og:image by their names after it: "" is the URL, then ":width", ":alt" and so on. By
    default, the picture shows the title.
    """
    url = origin + path
    texts = {"og:url": url, "og:title": title, "og:description": description}
    properties = image or {"": origin + picture_path(path), ":width": WIDTH, ":height": HEIGHT, ":alt": title}
    texts |= {f"og:image{name}": str(value) for name, value in properties.items()}
    return (
        f'<link rel="canonical" href="{escape(url)}" />'
        + "".join(f'<meta property="{name}" content="{escape(text)}" />' for name, text in texts.items())
        + '<meta name="twitter:card" content="summary_large_image" />'
    )


def photo_properties(origin: str, path: str, width: int, height: int, alt: str) -> dict[str, str | int]:
    """Return the properties of a photo as the picture of a page's link preview, for `preview_tags`."""
    return {
        "": origin + photo_path(path),
        ":type": "image/jpeg",
        ":width": width,
        ":height": height,
        ":alt": alt,
    }


# Returns the head of a path on an origin, or None for an unknown path.
HeadOf = Callable[[str, str], Awaitable[Head | None]]


def with_head(page: bytes, head: Head | None) -> bytes:
    """Return the page with this head; without one, with robots `noindex`."""
    if head is None:
        return page.replace(b"</head>", _NOINDEX, 1)
    title = f"<title>{escape(head.title)}</title>".encode()
    description = f'<meta name="description" content="{escape(head.description)}" />'.encode()
    # Functions, because a user's text may contain a group reference such as \1.
    page = _TITLE.sub(lambda _match: title, page, count=1)
    page = _DESCRIPTION.sub(lambda _match: description, page, count=1)
    return page.replace(b"</head>", head.more.encode() + b"</head>", 1)
