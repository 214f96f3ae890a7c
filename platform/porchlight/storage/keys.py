"""Keys of stored files, and the chunk size in which they are read."""

from __future__ import annotations

import re

CHUNK_BYTES = 256 * 1024
_KEY = re.compile(r"[A-Za-z0-9_-]+(?:/[A-Za-z0-9_-]+)*")


def check_key(key: str) -> str:
    """Return the key. Raises ValueError for a key that could be another path."""
    if not _KEY.fullmatch(key):
        raise ValueError("the key of a file may contain letters, digits, -, _ and / only")
    return key
