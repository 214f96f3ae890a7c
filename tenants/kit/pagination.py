"""Pages of lists by keyset: a cursor names the last row of the page before. And patterns for searching lists."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, Protocol, TypeVar
from uuid import UUID

from tenants.kit.errors import ValidationFailed
from tenants.kit.ids import parse_id

PAGE_SIZE = 50  # rows of a page of the staff's lists
MIN_TRIGRAM_LENGTH = 3  # of a search that looks at more than beginnings
_INVALID_CURSOR = {"cursor": "This link to the list is no longer valid."}
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


# Cursors of a time and an id.


def encode_cursor(at: datetime, row_id: UUID) -> str:
    """Return the cursor after a row, safe in a URL path."""
    micros = (at - _EPOCH) // timedelta(microseconds=1)
    return base64.urlsafe_b64encode(micros.to_bytes(8, "big", signed=True) + row_id.bytes).decode().rstrip("=")


def decode_cursor(cursor: str) -> tuple[datetime, UUID] | None:
    """Return the time and id of a cursor, or None for an invalid one."""
    if len(cursor) != 32:
        return None
    try:
        raw = base64.b64decode(cursor, altchars=b"-_", validate=True)
        return _EPOCH + timedelta(microseconds=int.from_bytes(raw[:8], "big", signed=True)), UUID(bytes=raw[8:])
    except (binascii.Error, ValueError, OverflowError):
        return None


def parse_cursor(cursor: str | None) -> tuple[datetime | None, UUID | None]:
    """Return the time and id of a request's cursor; (None, None) without one. Raise ValidationFailed."""
    if cursor is None:
        return None, None
    position = decode_cursor(cursor)
    if position is None:
        raise ValidationFailed(fields=_INVALID_CURSOR)
    return position


# Cursors of an id: lists in the order of their UUIDv7, the newest first.


def parse_id_cursor(cursor: str | None) -> UUID | None:
    """Return the id after which a page begins; None without a cursor. Raise ValidationFailed."""
    if not cursor:
        return None
    last_id = parse_id(cursor)
    if last_id is None:
        raise ValidationFailed(fields=_INVALID_CURSOR)
    return last_id


class HasId(Protocol):
    """A row with an id."""

    @property
    def id(self) -> UUID | str:
        """The id that a cursor names."""


R = TypeVar("R", bound=HasId)


def page_by_id(rows: Sequence[R], to_item: Callable[[R], dict[str, Any]]) -> dict[str, Any]:
    """Return {items, nextCursor} of at most PAGE_SIZE rows in the order of their ids. Fetch one row more than that."""
    has_next = len(rows) > PAGE_SIZE
    return {
        "items": [to_item(row) for row in rows[:PAGE_SIZE]],
        "nextCursor": str(rows[PAGE_SIZE - 1].id) if has_next else None,
    }


def plain_search(search: str) -> str:
    """Return the text of a search field, without what a column cannot hold."""
    return search.strip().replace("\0", "")


def is_prefix_search(search: str) -> bool:
    """Return whether a search is too short for trigrams, so that it looks at beginnings only."""
    return len(plain_search(search)) < MIN_TRIGRAM_LENGTH


def contains_pattern(text: str) -> str:
    """Return an ILIKE pattern of the texts that contain this one."""
    return "%" + text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_") + "%"


def ilike_pattern(search: str) -> str:
    """Return an ILIKE pattern: a match anywhere in the text, or at its beginning for fewer than three characters."""
    plain = plain_search(search)
    return contains_pattern(plain)[1:] if is_prefix_search(search) else contains_pattern(plain)
