"""Rows of a search, for tests that need no database."""

from __future__ import annotations

from typing import Any

from porchlight.features.search.relevance import FoundItem

_EMPTY = FoundItem(
    kind="offer",
    item="",
    title="",
    summary=None,
    label="",
    slug="",
    who="",
    handle="",
    photo_id=None,
    photo_url="",
    price_cents=None,
    terms=None,
    formats=None,
    city="",
    cell_lat=None,
    cell_lon=None,
    km=None,
    probability=0.0,
    words=None,
)


def found_item(**values: Any) -> FoundItem:
    """Return a row of a search with these values."""
    return _EMPTY._replace(**values)
