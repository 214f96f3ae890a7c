"""The classes of rows: each has the columns of its statement, also where no test runs the statement."""

from __future__ import annotations

import ast
import dataclasses
import importlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
from psycopg import pq

from porchlight_dev.checks.findings import ROOT
from tenants.db.list_search import Search
from tenants.db.pipeline import _number_placeholders
from tests.fixtures.databases import Database

PACKAGES = ("tenants", "sites", "platform/porchlight")
# Calls whose class or statement is an argument of their function, or is chosen from several.
PASSED_ON = {
    "platform/porchlight/cli/domains.py",
    "platform/porchlight/features/billing/actions.py",
    "platform/porchlight/features/money/card_payments/admin_queries.py",
    "platform/porchlight/features/money/overview/admin_queries.py",
    "platform/porchlight/features/payouts/settlement/payout.py",
    "platform/porchlight/features/reports/subjects.py",
    "platform/porchlight/settlement/reconcile/matching.py",
    "tenants/db/list_search.py",
}
Call = tuple[ast.expr, ast.expr]  # the class and the statement


def _call(node: ast.AST) -> Call | None:
    """Return the class and the statement of a call that reads rows of a class."""
    if not isinstance(node, ast.Call):
        return None
    name = getattr(node.func, "attr", getattr(node.func, "id", ""))
    row = next((keyword.value for keyword in node.keywords if keyword.arg == "row"), None)
    match name, node.args:
        case (("read" | "write"), [_, statement, *_]) if row is not None:
            return row, statement
        case (("fetch_one" | "fetch_all"), [_, kind, statement, *_]):
            return kind, statement
        case "search_rows", [_, search, _, _, kind]:
            return kind, search
    return None


def _values(node: ast.expr, function: ast.AST, names: dict[str, Any]) -> list[Any]:
    """Return the values that an expression of a function can have, as far as they are known without running it."""
    if isinstance(node, ast.IfExp):
        return [*_values(node.body, function, names), *_values(node.orelse, function, names)]
    if isinstance(node, ast.Name) and node.id not in names:
        assigned = [
            each.value
            for each in ast.walk(function)
            if isinstance(each, ast.Assign) and ast.unparse(each.targets[0]) == node.id
        ]
        return [value for each in assigned for value in _values(each, function, names)]
    try:
        return [eval(ast.unparse(node), names)]  # noqa: S307
    except NameError:
        return []


def _statements(value: Any) -> list[str]:
    if isinstance(value, Search):
        return [text for each in (value.anywhere, value.beginning) for text in (each.recent, each.rows, each.scan)]
    return [value]


def _reads(path: Path) -> Iterator[tuple[Any, list[str]]]:
    """Yield the class of each call in a module, and the statements that it can run; none for an unknown one."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    names: dict[str, Any] = {}
    for function in ast.walk(tree):
        if not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        for row, statement in filter(None, map(_call, ast.walk(function))):
            module = ".".join(path.relative_to(ROOT).with_suffix("").parts).removeprefix("platform.")
            names = names or dict(vars(importlib.import_module(module.removesuffix(".__init__"))))
            kinds = _values(row, function, names)
            values = _values(statement, function, names) if kinds else []
            yield (kinds or [None])[0], [text for value in values for text in _statements(value)]


def _columns(conn: psycopg.Connection[Any], statement: str) -> list[str]:
    text, _names = _number_placeholders(statement)
    prepared = conn.pgconn.prepare(b"", text)
    assert prepared.status == pq.ExecStatus.COMMAND_OK, (statement, prepared.error_message)
    described = conn.pgconn.describe_prepared(b"")
    return [(described.fname(number) or b"").decode() for number in range(described.nfields)]


def _fields(kind: Any) -> tuple[set[str], set[str]]:
    """Return all fields of a class, and those without a default."""
    if not dataclasses.is_dataclass(kind):
        return set(kind._fields), set(kind._fields) - set(kind._field_defaults)
    fields = [field for field in dataclasses.fields(kind) if field.init]
    missing = dataclasses.MISSING
    required = {each.name for each in fields if each.default is missing and each.default_factory is missing}
    return {each.name for each in fields}, required


def test_row_class_has_columns_of_statement(database: Database) -> None:
    passed_on: set[str] = set()
    checked = 0
    with psycopg.connect(database.superuser_url, autocommit=True) as conn:
        for path in sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*.py")):
            for kind, statements in _reads(path) if "migrations/versions" not in str(path) else ():
                if not statements:
                    passed_on.add(str(path.relative_to(ROOT)))
                for statement in statements:
                    columns = _columns(conn, statement)
                    every, required = _fields(kind)
                    assert len(columns) == len(set(columns)), (path, kind, columns)
                    assert required <= set(columns) <= every, (path, kind, set(columns) ^ every)
                    checked += 1
    assert passed_on == PASSED_ON
    assert checked > 100
