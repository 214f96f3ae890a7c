"""Searching the long lists of staff: the first rows of the list, then an index."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeVar
from uuid import UUID

from tenants.db.pool import Database
from tenants.kit.pagination import PAGE_SIZE, ilike_pattern, is_prefix_search, plain_search

T = TypeVar("T")

MAX_SORTED_MATCHES = 20_000  # above it, walking the index from the first row is faster than sorting all matches
RECENT_ROWS = 500  # a frequent text fills a page from so many of the first rows


@dataclass(frozen=True, slots=True)
class SearchQueries:
    """The queries of one list, each with the same parameters. All but `matches` have the columns of the list.

    `recent` looks through the first RECENT_ROWS rows only. `matches` finds the ids of the page in an index, or
    NULL if there are too many matches to sort (`many`); `rows` returns the rows with these `ids`. `scan` looks through
    all rows from the first on.
    """

    recent: str
    matches: str
    rows: str
    scan: str


@dataclass(frozen=True, slots=True)
class Search:
    """The queries for texts that a trigram index finds, and for beginnings of one or two characters."""

    anywhere: SearchQueries
    beginning: SearchQueries


def begins_with(column: str) -> str:
    """Return an SQL condition: a column begins with %(prefix)s, one or two characters. An index has its left side."""
    start = f"lower(left({column}, 2))"
    return f"({start} >= lower(%(prefix)s::text) AND {start} < lower(%(prefix)s::text) || chr(1114111))"


def contains(column: str) -> str:
    """Return an SQL condition: a column has the searched text, at its beginning if that has at most two characters."""
    return f"{column} ILIKE %(like)s"


async def search_rows(
    service_db: Database, search: Search, text: str, params: Mapping[str, Any], row: type[T]
) -> list[T]:
    """Return the rows of a page, and one more if there is a next page. `limit` of the queries is that number.

    `row`: their class, as in `Database.read`.
    """
    values = {
        **params, "like": ilike_pattern(text), "prefix": plain_search(text), "many": MAX_SORTED_MATCHES,
        "recent": RECENT_ROWS, "limit": PAGE_SIZE + 1,
    }  # fmt: skip
    queries = search.beginning if is_prefix_search(text) else search.anywhere
    rows = await service_db.read(None, queries.recent, values, row=row)
    if len(rows) > PAGE_SIZE:
        return rows
    ids = await service_db.read_value(list[UUID], None, queries.matches, values)
    if ids is None:
        return await service_db.read(None, queries.scan, values, row=row)
    return await service_db.read(None, queries.rows, {**values, "ids": ids}, row=row) if ids else []
