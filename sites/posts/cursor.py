"""Where a list of posts goes on: the last post shown, by time and id."""

from __future__ import annotations

import base64
import binascii
from datetime import UTC, datetime, timedelta
from uuid import UUID

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def encode(published_at: datetime, post_id: UUID) -> str:
    """The cursor after a post, safe in a path."""
    micros = (published_at - _EPOCH) // timedelta(microseconds=1)
    return base64.urlsafe_b64encode(micros.to_bytes(8, "big", signed=True) + post_id.bytes).decode().rstrip("=")


def decode(text: str) -> tuple[datetime, UUID] | None:
    """The time and id that a cursor names, or None for anything that is none."""
    if len(text) != 32:
        return None
    try:
        raw = base64.b64decode(text, altchars=b"-_", validate=True)
        return _EPOCH + timedelta(microseconds=int.from_bytes(raw[:8], "big", signed=True)), UUID(bytes=raw[8:])
    except (binascii.Error, ValueError, OverflowError):
        return None
