"""Where a list goes on: the last thing shown, by time and id."""

from __future__ import annotations

import base64
import binascii
from datetime import UTC, datetime, timedelta
from uuid import UUID

from tenants.kit.errors import ValidationFailed

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def encode(at: datetime, thing: UUID) -> str:
    """The cursor after a thing, safe in a path."""
    micros = (at - _EPOCH) // timedelta(microseconds=1)
    return base64.urlsafe_b64encode(micros.to_bytes(8, "big", signed=True) + thing.bytes).decode().rstrip("=")


def decode(text: str) -> tuple[datetime, UUID] | None:
    """The time and id that a cursor names, or None for anything that is none."""
    if len(text) != 32:
        return None
    try:
        raw = base64.b64decode(text, altchars=b"-_", validate=True)
        return _EPOCH + timedelta(microseconds=int.from_bytes(raw[:8], "big", signed=True)), UUID(bytes=raw[8:])
    except (binascii.Error, ValueError, OverflowError):
        return None


def after(text: str | None) -> tuple[datetime | None, UUID | None]:
    """Where a list begins that a cursor was given for; (None, None) without one. Raises ValidationFailed."""
    if text is None:
        return None, None
    found = decode(text)
    if found is None:
        raise ValidationFailed(fields={"cursor": "This link into the list is no longer valid."})
    return found
