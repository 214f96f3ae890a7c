"""Idempotency keys: a request that is sent again under the same key has one effect."""

from __future__ import annotations

import hashlib
import re
from datetime import datetime

from tenants.kit.errors import ValidationFailed

MAX_KEY_LENGTH = 200  # characters
_KEY = re.compile(rf"[\x21-\x7e]{{1,{MAX_KEY_LENGTH}}}")


def check_idempotency_key(key: str | None) -> str | None:
    """Return the value of an Idempotency-Key header. Raise ValidationFailed for a malformed one."""
    if key is not None and not _KEY.fullmatch(key):
        raise ValidationFailed(fields={"Idempotency-Key": f"Use 1 to {MAX_KEY_LENGTH} printable characters."})
    return key


def content_digest(*parts: str) -> bytes:
    """Return a digest of a request's content. It distinguishes a resend from another request under the same key."""
    return hashlib.sha256("\0".join(parts).encode()).digest()[:16]


def content_key(digest: bytes, address_hash: bytes, sent_at: datetime) -> str:
    """Return a key for a request without one: the same content from the same address on the same day is a resend."""
    return "form-" + hashlib.sha256(digest + address_hash + str(sent_at.date()).encode()).hexdigest()[:40]
