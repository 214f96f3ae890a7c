"""Server-rendered <head> of pages of the main platform, because crawlers and link previews run no scripts."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from html import escape

from porchlight.web.first_texts import FirstTexts
from porchlight.web.page_parts import Span, page_parts
from porchlight.web.social_pictures import photo_path, picture_path
from sites.theme.card import HEIGHT, WIDTH

NOINDEX = '<meta name="robots" content="noindex" />'


@dataclass(frozen=True, slots=True)
class Head:
    """Title and description, as plain text, and `more`, HTML at the end of the head.

    `photo` loads the stored picture of link previews, if the page has one: it is served as JPEG at `photo_path`.
    `no_script`: the HTML that browsers without scripts show in place of the common text, "" for that one. `first`: what
    the prerendered page shows, for pages that have one.
    """

    title: str
    description: str
    more: str
    photo: Callable[[], Awaitable[bytes]] | None = None
    no_script: str = ""
    first: FirstTexts | None = None


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
    html = page.decode()
    parts = page_parts(html)
    changes: list[tuple[Span, str]] = []
    if parts.head_ends_at is not None:
        changes.append(((parts.head_ends_at, parts.head_ends_at), head.more if head else NOINDEX))
    if head is not None and parts.title_at is not None:
        changes.append((parts.title_at, f"<title>{escape(head.title)}</title>"))
    if head is not None and parts.description_at is not None:
        changes.append((parts.description_at, f'<meta name="description" content="{escape(head.description)}" />'))
    if head is not None and head.no_script and parts.no_script_at is not None:
        changes.append((parts.no_script_at, f'<div class="splash-noscript">{head.no_script}</div>'))
    for (start, end), text in sorted(changes, reverse=True):
        html = html[:start] + text + html[end:]
    return html.encode()
