"""Slugs of posts and tags in URLs."""

from __future__ import annotations

import re

from tenants.kit.text import slugify

SLUG = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,118}[a-z0-9])?")
TAG = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")
_MAX_PROPOSED_LENGTH = 80


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
