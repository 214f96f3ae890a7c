"""Slugs of posts and tags in URLs."""

from __future__ import annotations

import re
import unicodedata

from tenants.kit.text import slugify, to_plain_letters

SLUG = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,118}[a-z0-9])?")
MAX_TAG_LENGTH = 40
_MAX_PROPOSED_LENGTH = 80
# Signs that names differ by, such as C, C++ and C#.
_SIGNS = {"+": "plus", "#": "sharp", "&": "and", "@": "at", "%": "percent", "*": "star", "$": "dollar", "€": "euro"}
_LEADING_DOT = re.compile(r"(?<!\w)\.(?=\w)")  # .NET


def is_generated_slug(slug: str, title: str) -> bool:
    """Whether a slug was generated, from the title or at random, rather than chosen by the guru."""
    proposed = proposed_slug(title)
    return bool(re.fullmatch(r"post-[0-9a-f]{8}", slug)) or bool(
        proposed and re.fullmatch(rf"{proposed}(-[0-9a-f]+)?", slug)
    )


def proposed_slug(title: str) -> str:
    """Return a slug for a title; "" for a title without Latin letters or digits."""
    slug = slugify(title, _MAX_PROPOSED_LENGTH + 20)
    if len(slug) <= _MAX_PROPOSED_LENGTH:
        return slug
    return slug[:_MAX_PROPOSED_LENGTH].rpartition("-")[0] or slug[:_MAX_PROPOSED_LENGTH]


def tag_slug(name: str) -> str:
    """Return the slug of a tag: lower-case letters of any script, digits and single hyphens.

    Names are one tag if they differ only in case, accents of Latin letters, spaces and punctuation. "C++", "C#" and
    "C" are three. A name of signs alone, such as an emoji, has a slug of their code points.
    """
    signed = "".join(f" {_SIGNS[sign]} " if sign in _SIGNS else sign for sign in to_plain_letters(name))
    letters = ""
    for character in unicodedata.normalize("NFKD", _LEADING_DOT.sub(" dot ", signed)).casefold():
        kind = unicodedata.category(character)[0]
        if kind == "M":
            # Part of the letter in other scripts; an accent of a Latin one.
            letters += "" if letters[-1:].isascii() else character
        else:
            letters += character if kind in "LN" else "-"
    slug = re.sub("-+", "-", unicodedata.normalize("NFC", letters)).strip("-")
    if not slug:
        slug = "-".join(f"u{ord(sign):x}" for sign in name if not sign.isspace() and unicodedata.category(sign) == "So")
    return slug[:MAX_TAG_LENGTH].strip("-")


def is_tag_slug(text: str) -> bool:
    """Return whether a text from a URL may be the slug of a tag."""
    return 0 < len(text) <= MAX_TAG_LENGTH and tag_slug(text) == text


def unique_tags(names: list[str]) -> list[str]:
    """Return the names of different tags, the first of each. A "#" before a name is left out."""
    tags: dict[str, str] = {}
    for name in names:
        shown = " ".join(name.strip().removeprefix("#").split())[:MAX_TAG_LENGTH].strip()
        if slug := tag_slug(shown):
            tags.setdefault(slug, shown)
    return list(tags.values())
