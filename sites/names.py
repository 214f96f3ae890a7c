"""How things are called in addresses."""

from __future__ import annotations

import re
import unicodedata

SLUG = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,118}[a-z0-9])?")
TAG = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")
_PROPOSED = 80  # characters of a slug made from a title


def plain_name(text: str, most: int) -> str:
    """Small Latin letters, digits and single hyphens of a text; "" when nothing of it is left."""
    letters = unicodedata.normalize("NFKD", text.replace("'", "").replace("’", "")).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", letters.lower()).strip("-")[:most].strip("-")


def was_made(slug: str, title: str) -> bool:
    """Whether a slug is one that we made, of the title or for want of one."""
    made = proposed_slug(title)
    return bool(re.fullmatch(r"post-[0-9a-f]{8}", slug)) or bool(made and re.fullmatch(rf"{made}(-[0-9a-f]+)?", slug))


def proposed_slug(title: str) -> str:
    """A slug for a title; "" for a title without Latin letters or digits."""
    name = plain_name(title, _PROPOSED + 20)
    return name if len(name) <= _PROPOSED else name[:_PROPOSED].rpartition("-")[0] or name[:_PROPOSED]
