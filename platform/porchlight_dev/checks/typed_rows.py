"""Check that product code reads columns by name: no `row[0]` of a fetched row, no `tuple[Any, ...]` as its type.

mypy rejects `row[0]` of the rows of `Database.read` and of a `tenants.db.rows.Connection`. This check finds what mypy
cannot: rows of other connections, of SQLAlchemy and of SQLite, whose columns are Any, and rows that are passed on.
Tests are exempt, because they compare whole rows.

Usage: python -m porchlight_dev.checks.typed_rows
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from porchlight_dev.checks.findings import ROOT, Finding, read_text, report, tracked_files

FOLDERS = ("tenants/", "sites/", "platform/")
MIGRATIONS = "platform/porchlight/db/migrations/versions/"  # they ran on databases and never change

_ONE_ROW = {"fetchone", "one", "one_or_none", "first", "fetch_one"}
_MANY_ROWS = {"fetchall", "fetchmany", "all", "execute", "fetch_all", "search_rows"}
_AWAITED_ROWS = {"read", "write", "stream"}
_ROW_NAME = re.compile(r"(^|_)row$")
_CONNECTIONS = {"Connection", "AsyncConnection"}
BY_POSITION = "a column by its position: give the row a class, or unpack it (tenants.db.rows)"
UNTYPED = "tuple[Any, ...] as a type: use a NamedTuple or a dataclass, or tenants.db.rows.Columns for a row to unpack"
OWN_CONNECTION = "psycopg's connection with rows of Any: import Connection from tenants.db.rows, or name Columns"


def find_untyped(path: str, tree: ast.Module) -> Iterator[Finding]:
    """Yield a finding for each type of a row that mypy lets through: tuple[Any, ...] and connections of Any."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Subscript):
            continue
        match node.slice:
            case ast.Tuple(elts=[ast.Name(id="Any"), ast.Constant(value=value)]) if (
                value is Ellipsis and _name(node.value) == "tuple"
            ):
                yield Finding(path, node.lineno, UNTYPED)
            case ast.Name(id="Any") if _name(node.value) in _CONNECTIONS:
                yield Finding(path, node.lineno, OWN_CONNECTION)


def find_positions(path: str, tree: ast.Module) -> Iterator[Finding]:
    """Yield a finding for each column of a fetched row that is read by its position."""
    scopes = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    for scope in (tree, *scopes):
        nodes = list(_own_nodes(scope))
        reads = [node for node in nodes if isinstance(node, ast.Subscript) and _is_position(node.slice)]
        names = _Names(nodes if reads else [])
        yield from (Finding(path, node.lineno, BY_POSITION) for node in reads if names.is_row(node.value))


class _Names:
    """The names of a function that hold a fetched row, or several of them."""

    def __init__(self, nodes: Sequence[ast.AST]) -> None:
        self._row: set[str] = set()
        self._rows: set[str] = set()
        for _ in range(3):  # a name can come from a name that is bound further below, as in loops
            for node in nodes:
                self._bind(node)

    def is_row(self, node: ast.expr) -> bool:
        """Return whether an expression is one fetched row."""
        match node:
            case ast.Await(value=value) | ast.NamedExpr(value=value):
                return self.is_row(value)
            case ast.Name(id=name):
                return name in self._row or _ROW_NAME.search(name) is not None
            case ast.Call():
                return _name(node.func) in _ONE_ROW
            case ast.Subscript(value=value, slice=index):
                return not isinstance(index, ast.Slice) and self.is_rows(value)
            case ast.IfExp(body=one, orelse=other):
                return self.is_row(one) or self.is_row(other)
            case ast.BoolOp(values=values):
                return any(self.is_row(value) for value in values)
        return False

    def is_rows(self, node: ast.expr) -> bool:
        """Return whether an expression is several fetched rows."""
        match node:
            case ast.Await(value=ast.Call(func=function)) if _name(function) in _AWAITED_ROWS:
                return True
            case ast.Await(value=value) | ast.NamedExpr(value=value):
                return self.is_rows(value)
            case ast.Name(id=name):
                return name in self._rows
            case ast.Call(func=function, args=[first, *_]) if _name(function) in ("list", "tuple", "enumerate"):
                return self.is_rows(first)
            case ast.Call(func=function):
                return _name(function) in _MANY_ROWS
            case ast.Subscript(value=value, slice=ast.Slice()):
                return self.is_rows(value)
            case ast.IfExp(body=one, orelse=other):
                return self.is_rows(one) or self.is_rows(other)
            case ast.BoolOp(values=values):
                return any(self.is_rows(value) for value in values)
        return False

    def _bind(self, node: ast.AST) -> None:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                self._add(name, value)
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                self._add(name, value)
            case ast.NamedExpr(target=ast.Name(id=name), value=value):
                self._add(name, value)
            case (
                ast.For(target=ast.Name(id=name), iter=source)
                | ast.AsyncFor(target=ast.Name(id=name), iter=source)
                | ast.comprehension(target=ast.Name(id=name), iter=source)
            ) if self.is_rows(source):
                self._row.add(name)

    def _add(self, name: str, value: ast.expr) -> None:
        if self.is_rows(value):
            self._rows.add(name)
        elif self.is_row(value):
            self._row.add(name)


def _own_nodes(scope: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes of a function without those of the functions inside."""
    for child in ast.iter_child_nodes(scope):
        if not isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield child
            yield from _own_nodes(child)


def _is_position(index: ast.expr) -> bool:
    match index:
        case ast.Slice():
            return True
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return _is_position(operand)
        case ast.Constant(value=value):
            return isinstance(value, int)
    return False


def _name(function: ast.expr) -> str:
    return getattr(function, "attr", getattr(function, "id", ""))


def untyped_rows(root: Path) -> Iterator[Finding]:
    """Yield the findings in the product and in its local services."""
    for path in tracked_files(root, (".py",)):
        if path.startswith(FOLDERS) and not path.startswith(MIGRATIONS):
            tree = ast.parse(read_text(root, path))
            yield from find_untyped(path, tree)
            yield from find_positions(path, tree)


def main() -> int:
    """Print the findings and return the exit code."""
    return report(untyped_rows(ROOT), "untyped rows")


if __name__ == "__main__":
    sys.exit(main())
