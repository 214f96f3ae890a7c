"""Rows of the database as typed values: columns get names, and no column is read by its position.

A statement of one column gives values (`fetch_value`, `fetch_values`), one of several columns gives objects of a class
(`fetch_one`, `fetch_all`) or a row that is unpacked at once. `tenants.db.pool.Database` has the same in one round trip
(docs/decisions/0019-typed-rows.md).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from operator import itemgetter
from typing import Any, LiteralString, TypeVar, cast

import psycopg
from psycopg.rows import class_row, scalar_row

T = TypeVar("T")
Params = Sequence[Any] | Mapping[str, Any]

# A row without a class, to unpack at once: `name, price = row`. mypy rejects `row[0]`.
Columns = Iterable[Any]
Connection = psycopg.Connection[Columns]
# Chooses, by the names of the columns, how the values of each row become an object.
RowMaker = Callable[[tuple[str, ...]], Callable[[Sequence[Any]], T]]


def fetch_all(conn: Connection, row: type[T], query: LiteralString, params: Params | None = None) -> list[T]:
    """Return all rows of a query as objects of the class `row`, whose fields have the names of the columns."""
    return conn.cursor(row_factory=class_row(row)).execute(query, params).fetchall()


def fetch_one(conn: Connection, row: type[T], query: LiteralString, params: Params | None = None) -> T | None:
    """Return the first row of a query as an object of the class `row`, like `fetch_all`; None without a row."""
    return conn.cursor(row_factory=class_row(row)).execute(query, params).fetchone()


def fetch_values(conn: Connection, kind: type[T], query: LiteralString, params: Params | None = None) -> list[T]:
    """Return the first column of all rows. `kind` is the type that the column has; nothing is converted."""
    del kind
    return cast(list[T], conn.cursor(row_factory=scalar_row).execute(query, params).fetchall())


def fetch_value(conn: Connection, kind: type[T], query: LiteralString, params: Params | None = None) -> T | None:
    """Return the first column of the first row, like `fetch_values`; None without a row or for NULL."""
    del kind
    return cast(T | None, conn.cursor(row_factory=scalar_row).execute(query, params).fetchone())


def unpacked(_names: tuple[str, ...]) -> Callable[[Sequence[Any]], Columns]:
    """Make rows to unpack."""
    return tuple


def by_name(row: type[T]) -> RowMaker[T]:
    """Make objects of a class whose fields have the names of the columns. In the same order, that costs half."""

    def choose(names: tuple[str, ...]) -> Callable[[Sequence[Any]], T]:
        if names != _positional_fields(cast(Any, row)):
            return lambda values: row(**dict(zip(names, values, strict=True)))
        if (make := getattr(row, "_make", None)) is not None:
            return cast("Callable[[Sequence[Any]], T]", make)
        return lambda values: row(*values)

    return choose


@cache
def _positional_fields(row: Any) -> tuple[str, ...]:
    """Return the fields that a dataclass or a NamedTuple takes by position."""
    if dataclasses.is_dataclass(row):
        return tuple(field.name for field in dataclasses.fields(row) if field.init and not field.kw_only)
    return getattr(row, "_fields", ())


def first_column(_names: tuple[str, ...]) -> Callable[[Sequence[Any]], Any]:
    """Make the value of the first column."""
    return itemgetter(0)
