"""Identifiers: UUIDv7 generated in the app, because Postgres has no function for them before version 18."""

from __future__ import annotations

from uuid import UUID

import uuid_utils

from tenants.kit.errors import NotFound


def new_id() -> UUID:
    """Return a new UUIDv7. Rows created later sort later."""
    return UUID(int=uuid_utils.uuid7().int)


def parse_id(text: str) -> UUID | None:
    """Return the UUID of a text in canonical form, or None."""
    if len(text) != 36:
        return None
    try:
        parsed = UUID(text)
    except ValueError:
        return None
    return parsed if str(parsed) == text.lower() else None


def parse_id_or_404(text: str) -> UUID:
    """Return the UUID in a URL. Raise NotFound for an invalid one, as for an unknown id (docs/api.md)."""
    parsed = parse_id(text)
    if parsed is None:
        raise NotFound
    return parsed
