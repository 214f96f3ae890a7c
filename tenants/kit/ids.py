"""Identifiers: UUIDv7, made in the app so that Postgres 15 serves as well as 18."""

from __future__ import annotations

from uuid import UUID

import uuid_utils

from tenants.kit.errors import NotFound


def new_id() -> UUID:
    """A new UUIDv7: rows made later sort later."""
    return UUID(int=uuid_utils.uuid7().int)


def parse_id(text: str) -> UUID | None:
    """The UUID that `text` spells in its canonical form, or None."""
    if len(text) != 36:
        return None
    try:
        found = UUID(text)
    except ValueError:
        return None
    return found if str(found) == text.lower() else None


def known_id(text: str) -> UUID:
    """The UUID in an address. Raises NotFound for what is none: it answers like an id that nobody has (DESIGN 10)."""
    found = parse_id(text)
    if found is None:
        raise NotFound
    return found
