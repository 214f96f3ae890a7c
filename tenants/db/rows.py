"""Rows of the database as typed values: columns get names, and no column is read by its position.

A statement of one column gives values (`fetch_value`, `fetch_values`), one of several columns gives objects of a class
(`fetch_one`, `fetch_all`) or rows to unpack. docs/decisions/0019-typed-rows.md has the reasons and the figures.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, LiteralString, TypeVar, cast

import psycopg
from psycopg.rows import class_row, scalar_row

T = TypeVar("T")
Params = Sequence[Any] | Mapping[str, Any]

# A row without a class is unpacked at once: `name, price = row`. mypy rejects `row[0]`.
Columns = Iterable[Any]
Connection = psycopg.Connection[Columns]


def fetch_all(conn: Connection, row: type[T], query: str, params: Params | None = None) -> list[T]:
    """Return all rows of a query as objects of the class `row`, whose fields have the names of the columns."""
    return conn.cursor(row_factory=class_row(row)).execute(cast(LiteralString, query), params).fetchall()


def fetch_one(conn: Connection, row: type[T], query: str, params: Params | None = None) -> T | None:
    """Return the first row of a query as an object of the class `row`, like `fetch_all`; None without a row."""
    return conn.cursor(row_factory=class_row(row)).execute(cast(LiteralString, query), params).fetchone()


def fetch_values(conn: Connection, kind: type[T], query: str, params: Params | None = None) -> list[T]:
    """Return the first column of all rows. Its type is `kind`, which only the type checker reads."""
    del kind
    return cast(list[T], conn.cursor(row_factory=scalar_row).execute(cast(LiteralString, query), params).fetchall())


def fetch_value(conn: Connection, kind: type[T], query: str, params: Params | None = None) -> T | None:
    """Return the first column of the first row, like `fetch_values`; None without a row or for NULL."""
    del kind
    return cast(T | None, conn.cursor(row_factory=scalar_row).execute(cast(LiteralString, query), params).fetchone())
