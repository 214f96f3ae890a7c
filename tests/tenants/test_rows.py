"""Rows as typed values, from a connection and from the pipeline."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple, assert_type

import psycopg
import pytest

from tenants.db.pool import Database as Pools
from tenants.db.rows import Connection, fetch_all, fetch_one, fetch_value, fetch_values
from tests.fixtures.databases import Database

SERVICES = "SELECT name, price FROM (VALUES ('Lesson', 40), ('Repair', NULL)) v (name, price) WHERE name <> %s"
PRICES = "SELECT price, name FROM (VALUES ('Lesson', 40), ('Repair', NULL)) v (name, price) WHERE name <> %s"


class ServiceRow(NamedTuple):
    name: str
    price: int | None


@dataclass(frozen=True, slots=True)
class ServiceData:
    name: str
    price: int | None


@pytest.fixture
def conn(database: Database) -> Iterator[Connection]:
    with psycopg.connect(database.app_url) as opened:
        yield opened


@pytest.fixture
async def pools(database: Database) -> AsyncIterator[Pools]:
    async with Pools(database.app_url, reads=1, writes=1) as db:
        yield db


@pytest.mark.parametrize("query", [SERVICES, PRICES])
def test_fetch_fills_fields_by_name(conn: Connection, query: str) -> None:
    assert fetch_all(conn, ServiceRow, query, [""]) == [ServiceRow("Lesson", 40), ServiceRow("Repair", None)]
    assert fetch_one(conn, ServiceData, query, [""]) == ServiceData("Lesson", 40)
    assert fetch_one(conn, ServiceData, f"{query} AND name = 'x'", [""]) is None


def test_fetch_with_other_columns_is_an_error(conn: Connection) -> None:
    with pytest.raises(TypeError):
        fetch_one(conn, ServiceRow, "SELECT 'Lesson' AS name")


def test_fetch_values_return_first_column(conn: Connection) -> None:
    assert fetch_values(conn, str, SERVICES, [""]) == ["Lesson", "Repair"]
    assert fetch_value(conn, str, SERVICES, ["Lesson"]) == "Repair"
    assert fetch_value(conn, int, PRICES, ["Lesson"]) is None
    assert fetch_value(conn, str, "SELECT 'a' WHERE false") is None


def test_row_without_class_is_unpacked(conn: Connection) -> None:
    """The type, which mypy checks here, cannot be indexed."""
    found = assert_type(conn.execute("SELECT 1, 2").fetchone(), Iterable[Any] | None)
    assert found is not None
    one, two = found
    assert (one, two) == (1, 2)


@pytest.mark.parametrize("query", [SERVICES, PRICES])
async def test_pipeline_fills_fields_by_name(pools: Pools, query: str) -> None:
    rows = await pools.read(None, query, [""], row=ServiceRow)
    assert rows == [ServiceRow("Lesson", 40), ServiceRow("Repair", None)]
    assert all(type(row) is ServiceRow for row in rows)
    assert await pools.read(None, query, ["Repair"], row=ServiceData) == [ServiceData("Lesson", 40)]
    assert await pools.write(None, query, ["Repair"], row=ServiceData) == [ServiceData("Lesson", 40)]


async def test_pipeline_with_other_columns_is_an_error(pools: Pools) -> None:
    for query in ("SELECT 'Lesson' AS name", "SELECT 'Lesson' AS name, 1 AS price, 2 AS more"):
        with pytest.raises(TypeError):
            await pools.read(None, query, row=ServiceRow)
    assert await pools.read_value(int, None, "SELECT 1") == 1  # the connection is as before


async def test_pipeline_values_are_of_first_column(pools: Pools) -> None:
    assert await pools.read_values(str, None, SERVICES, [""]) == ["Lesson", "Repair"]
    assert await pools.read_value(int, None, PRICES, ["Lesson"]) is None
    assert await pools.read_value(str, None, "SELECT 'a' WHERE false") is None
    assert await pools.write_value(str, None, SERVICES, ["Lesson"]) == "Repair"
    assert await pools.write_value(str, None, "SELECT 'a' WHERE false") is None
    assert await pools.read(None, SERVICES, ["Lesson"]) == [("Repair", None)]


async def test_pipeline_follows_renamed_columns(pools: Pools, database: Database) -> None:
    """The names of a prepared statement's columns are remembered. Postgres ends the statement when they change."""
    query = "SELECT * FROM swapped_columns"
    with psycopg.connect(database.superuser_url, autocommit=True) as conn:
        conn.execute("CREATE TABLE swapped_columns AS SELECT 'Lesson' AS name, 40 AS price")
        conn.execute("GRANT SELECT ON swapped_columns TO porchlight_app")
        for _ in range(2):
            assert await pools.read(None, query, row=ServiceRow) == [ServiceRow("Lesson", 40)]
        conn.execute("ALTER TABLE swapped_columns RENAME name TO was_name")
        conn.execute("ALTER TABLE swapped_columns RENAME price TO name")
        conn.execute("ALTER TABLE swapped_columns RENAME was_name TO price")
        assert await pools.read_values(int, None, "SELECT name FROM swapped_columns") == [40]
        (row,) = await pools.read(None, query, row=ServiceRow)
        conn.execute("DROP TABLE swapped_columns")
    assert row._asdict() == {"name": 40, "price": "Lesson"}
