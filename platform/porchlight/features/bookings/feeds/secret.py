"""The secret in the address of a feed."""

from __future__ import annotations

import re
import secrets
from hashlib import sha256

_SECRET = re.compile(r"[A-Za-z0-9_-]{43}", re.ASCII)  # 256 bits in base64url


def new_secret() -> str:
    """Return a new secret of 256 random bits."""
    return secrets.token_urlsafe(32)


def secret_digest(secret: str) -> bytes | None:
    """Return the digest that the database has, or None for a text that is no secret."""
    return sha256(secret.encode()).digest() if _SECRET.fullmatch(secret) else None


def feed_url(main_origin: str, secret: str) -> str:
    """Return the address of a feed."""
    return f"{main_origin}/calendar/{secret}.ics"
