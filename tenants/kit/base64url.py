"""base64url without padding (RFC 4648, section 5), which each value has one spelling in."""

from __future__ import annotations

import base64
import re

_TEXT = re.compile(r"[A-Za-z0-9_-]*")


def encode_base64url(data: bytes) -> str:
    """Return bytes as base64url without padding."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def decode_base64url(text: str) -> bytes:
    """Return the bytes of a base64url text without padding. Raises ValueError for every other spelling of them."""
    # Python skips unknown characters and ignores the unused bits of the last one.
    if not _TEXT.fullmatch(text):
        raise ValueError("The text is not base64url.")
    data = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    if encode_base64url(data) != text:
        raise ValueError("The text is not the shortest base64url form.")
    return data
