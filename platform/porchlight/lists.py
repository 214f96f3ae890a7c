"""Pages of staff's lists: keyset by UUIDv7, the newest first, so that any page costs the same on any world."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any
from uuid import UUID

from tenants.kit.errors import ValidationFailed
from tenants.kit.ids import parse_id

PAGE = 50
MANY = 1000  # matches above which walking from the newest on is quicker than sorting all of them
_STALE = {"cursor": "This link into the list is no longer valid."}


def before_of(cursor: str | None) -> UUID | None:
    """The id below which the page begins. Raises ValidationFailed for what was never a cursor."""
    if not cursor:
        return None
    found = parse_id(cursor)
    if found is None:
        raise ValidationFailed(fields=_STALE)
    return found


def likeness(search: str) -> str:
    """A pattern for ILIKE: anywhere in the text, or at its beginning when fewer than three characters are given."""
    plain = search.strip().replace("\0", "").replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
    return f"%{plain}%" if len(plain) > 2 else f"{plain}%"


def page_of(rows: Sequence[tuple[Any, ...]], shown: Callable[[tuple[Any, ...]], dict[str, Any]]) -> dict[str, Any]:
    """A page of at most PAGE rows whose first column is their id; one row more says that there is a next page."""
    more = len(rows) > PAGE
    return {"items": [shown(row) for row in rows[:PAGE]], "nextCursor": str(rows[PAGE - 1][0]) if more else None}
