"""Columns that are read by position, and types that hide it from mypy: what is found."""

from __future__ import annotations

import ast
import subprocess
from pathlib import Path

import pytest

from porchlight_dev.checks.typed_rows import find_positions, find_untyped, untyped_rows


def _positions(body: str) -> int:
    source = "async def read(conn, db, session, store, row):\n" + "".join(f"    {line}\n" for line in body.splitlines())
    return len(list(find_positions("a.py", ast.parse(source))))


@pytest.mark.parametrize(
    "body",
    [
        "name = row[0]",
        "name = guru_row[-1]",
        "name, price = row[1:3]",
        "name = conn.execute(QUERY).fetchone()[0]",
        "found = conn.execute(QUERY).fetchone()\nname = found[0] if found else ''",
        "names = [found[0] for found in conn.execute(QUERY)]",
        "names = {found[0] for found in store.db.execute(QUERY).fetchall()}",
        "for found in conn.execute(QUERY).fetchall():\n    print(found[1])",
        "found = await db.read(None, QUERY)\nname = found[0][0]",
        "found = await db.read(None, QUERY) if db else []\npage = found[:50]\nlast = page[-1][2]",
        "found = await db.read(None, QUERY)\nlast = found[-1]\nname = last[0]",
        "name = (await db.write(None, QUERY))[0][0]",
        "found = (await session.execute(QUERY)).one_or_none()\nname = found[0]",
        "if (found := conn.execute(QUERY).fetchone()) is not None:\n    print(found[0])",
        "page = fetch_all(conn, Card, QUERY)\nname = page[0][1]",
    ],
)
def test_column_by_position_is_found(body: str) -> None:
    assert _positions(body) == 1


@pytest.mark.parametrize(
    "body",
    [
        "name, price = row",
        "name = row['name']",
        "name = row.name",
        "found = await db.read(None, QUERY, row=Card)\nname = found[0].name",
        "found = await db.read(None, QUERY)\nname, *_ = found[-1]",
        "values = await db.read_values(UUID, None, QUERY)\nfirst = values[0]",
        "for name, price in conn.execute(QUERY):\n    print(name)",
        "parts = text.split(',')\nname = parts[0]",
        "def inner(found):\n    return found[0]\nfound = conn.execute(QUERY).fetchone()",
    ],
)
def test_named_column_is_no_finding(body: str) -> None:
    assert _positions(body) == 0


@pytest.mark.parametrize(
    ("code", "count"),
    [
        ("def to_item(row: tuple[Any, ...]) -> str: ...", 1),
        ("rows: list[tuple[Any, ...]] = []", 1),
        ("def write(conn: psycopg.Connection[Any]) -> None: ...", 1),
        ("Connection = psycopg.AsyncConnection[Any]", 1),
        ("def to_item(row: tuple[str, ...]) -> str: ...", 0),
        ("def to_item(row: tuple[Any, int]) -> str: ...", 0),
        ("def write(conn: psycopg.Connection[Columns]) -> None: ...", 0),
    ],
)
def test_untyped_row_is_found(code: str, count: int) -> None:
    assert len(list(find_untyped("a.py", ast.parse(code)))) == count


def test_tests_and_migrations_are_exempt(tmp_path: Path) -> None:
    subprocess.run(["git", "init", "--quiet", tmp_path], check=True)
    for folder in ("tests", "platform/porchlight/db/migrations/versions", "sites"):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "a.py").write_text("def name(row):\n    return row[0]\n", encoding="utf-8")
    assert [(finding.path, finding.line) for finding in untyped_rows(tmp_path)] == [("sites/a.py", 2)]
