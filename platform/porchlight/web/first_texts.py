"""The first heading, text and picture of a page whose address names its subject, before the app has its data.

main-web/prerendering.ts makes the page, with the placeholders of main-web/src/lib/first-texts.ts and a name.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from html import escape

_PICTURE = re.compile(r"<picture[^>]*>.*?\{\{picture\}\}.*?</picture>", re.DOTALL)
_ANY_NAME = "name-of-this-page"
_PLACEHOLDER = re.compile(r"\{\{(heading|lead|picture|picture-width|picture-height)\}\}|" + _ANY_NAME)
_NAME = re.compile(r"[A-Za-z0-9_-]+")


@dataclass(frozen=True, slots=True)
class FirstPicture:
    """A picture: its path, and its size in pixels."""

    path: str
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class FirstTexts:
    """The first texts of a page, plain, as the app shows them when it has the data."""

    heading: str
    lead: str
    picture: FirstPicture | None = None


def can_be_filled_in(name: str) -> bool:
    """Return whether a name, the last part of an address, is the same text in a path and in HTML."""
    return _NAME.fullmatch(name) is not None


def with_first_texts(page: bytes, texts: FirstTexts, name: str) -> bytes:
    """Return the prerendered page with these texts and this name; without a picture, its place is left out.

    The head is left as it is: its texts may look like placeholders.
    """
    head, end, body = page.decode().partition("</head>")
    picture = texts.picture
    if picture is None:
        body = _PICTURE.sub("", body)
    values = {"heading": texts.heading, "lead": texts.lead}
    if picture is not None:
        sizes = {"picture-width": str(picture.width), "picture-height": str(picture.height)}
        values |= {"picture": picture.path} | sizes
    # In one pass: a text may look like a placeholder.
    body = _PLACEHOLDER.sub(lambda found: escape(values[found[1]] if found[1] else name), body)
    return (head + end + body).encode()
