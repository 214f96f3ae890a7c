"""Handles: the public names of profiles, as in /u/ada-alvarez."""

from __future__ import annotations

import re
import secrets
import unicodedata

_MAX_SLUG_LENGTH = 30
_SUFFIX_LENGTH = 5
# Letters and digits that are not easily confused.
_SUFFIX_ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"
_SEPARATORS = re.compile(r"[^a-z0-9]+")


def create_handle(name: str, *, plain: bool) -> str:
    """Return a handle made from a name: "ada-alvarez", or with `plain` False "ada-alvarez-7kq2x" with a random suffix.

    A name with too few letters gets the suffix too.
    """
    ascii_name = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    slug = _SEPARATORS.sub("-", ascii_name).strip("-")[:_MAX_SLUG_LENGTH].rstrip("-")
    if plain and len(slug) >= 3:
        return slug
    return f"{slug or 'neighbor'}-" + "".join(secrets.choice(_SUFFIX_ALPHABET) for _ in range(_SUFFIX_LENGTH))
