"""Handles: the public names of profiles, as in /u/ada-alvarez."""

from __future__ import annotations

import re
import secrets
import unicodedata

_LONGEST = 30
# Letters and digits that are not mistaken for one another when read aloud.
_ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"
_OTHER = re.compile(r"[^a-z0-9]+")


def handle_for(name: str, *, plain: bool) -> str:
    """A handle made from a name: "ada-alvarez", or with `plain` False "ada-alvarez-7kq2x", for when that is taken."""
    bare = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    slug = _OTHER.sub("-", bare).strip("-")[:_LONGEST].rstrip("-")
    if plain and len(slug) >= 3:
        return slug
    return f"{slug or 'neighbor'}-" + "".join(secrets.choice(_ALPHABET) for _ in range(5))
