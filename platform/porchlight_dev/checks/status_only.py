"""Find tests of a refusal that assert its status only, so that a refusal for another reason passes them.

Usage: python -m porchlight_dev.checks.status_only

`tests.fixtures.refusals` returns the code and the refused fields. Where one answer must not differ from another, a test
compares the bodies.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from porchlight_dev.checks.findings import ROOT, Finding, read_text, report, tracked_files

TESTS = ("tests/dev/", "tests/e2e/", "tests/infra/", "tests/porchlight/", "tests/sites/", "tests/tenants/")
STATUS_ATTRIBUTES = ("status_code", "status")
REFUSALS = range(400, 500)
# What may stand beside a status: values, comparisons, and all statuses of several responses.
PLAIN = (
    ast.Compare, ast.cmpop, ast.Constant, ast.Name, ast.expr_context, ast.Tuple, ast.List, ast.Set, ast.BinOp,
    ast.operator, ast.BoolOp, ast.boolop, ast.IfExp, ast.UnaryOp, ast.unaryop, ast.GeneratorExp, ast.ListComp,
    ast.SetComp,
)  # fmt: skip
COMPREHENSIONS = (ast.GeneratorExp, ast.ListComp, ast.SetComp)
COLLECTIONS = ("sorted", "set", "list", "all", "any")
# Helpers that assert: check_response, assert_unchanged, _expect_text.
ASSERTING_HELPER = re.compile(r"_?(check|assert|expect)(_|$)")

# Tests that the rule does not fit, by path and name, with the reason.
ALLOWED = {
    ("tests/infra/test_caddy.py", "test_body_above_limit_is_413"): "Caddy may cut the API's body short",
    ("tests/infra/test_caddy.py", "test_headers_above_limit_are_431"): "Caddy answers, without a body",
    ("tests/porchlight/busy_sources/test_caldav.py", "test_answer_that_is_none_of_caldav_fails"): "another server's",
    ("tests/porchlight/inbound_mail/test_received_email.py", "test_read_email_of_any_bytes_raises_nothing"): "a size",
    ("tests/porchlight/notifications/test_web_push.py", "test_push_service_that_refuses_raises"): "another server's",
    ("tests/tenants/test_response_cache.py", "test_purged_response_is_not_served_as_stale"): "the inner app's statuses",
}


def check_source(path: str, source: str) -> Iterator[Finding]:
    """Yield a finding for each test of a refusal whose assertions are all about the status."""
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) or not node.name.startswith("test_"):
            continue
        if (path, node.name) not in ALLOWED and _is_status_only(node):
            yield Finding(path, node.lineno, f"{node.name}: assert the refused fields or the error's code too")


def _is_status_only(test: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    asserted = [node.test for node in ast.walk(test) if isinstance(node, ast.Assert)]
    expected = [call for node in ast.walk(test) if isinstance(node, ast.Expr) for call in _expecting_calls(node)]
    if any(isinstance(node, ast.Call) and ASSERTING_HELPER.match(_name(node.func)) for node in ast.walk(test)):
        return False
    values = [node for part in (*asserted, *test.decorator_list) for node in ast.walk(part)]
    is_refused = bool(expected) or any(isinstance(node, ast.Constant) and node.value in REFUSALS for node in values)
    return is_refused and all(_compares_status(expression) for expression in asserted)


def _name(function: ast.expr) -> str:
    return getattr(function, "attr", getattr(function, "id", ""))


def _expecting_calls(statement: ast.Expr) -> Iterator[ast.Call]:
    """Yield the call of a statement such as `await send(..., expect=422)`, whose result is not used."""
    call = statement.value.value if isinstance(statement.value, ast.Await) else statement.value
    if isinstance(call, ast.Call):
        for keyword in call.keywords:
            if keyword.arg == "expect" and isinstance(keyword.value, ast.Constant) and keyword.value.value in REFUSALS:
                yield call


def _compares_status(expression: ast.expr) -> bool:
    """Return whether an expression compares statuses, and nothing else of a response."""
    pending: list[ast.AST] = [expression]
    statuses = 0
    while pending:
        node = pending.pop()
        if isinstance(node, ast.Attribute) and node.attr in STATUS_ATTRIBUTES:
            statuses += 1
        elif isinstance(node, ast.comprehension):  # what is iterated over, does not matter
            continue
        elif (
            isinstance(node, ast.Call) and _name(node.func) in COLLECTIONS and isinstance(node.args[0], COMPREHENSIONS)
        ):
            pending += node.args
        elif isinstance(node, PLAIN):
            pending += ast.iter_child_nodes(node)
        else:
            return False
    return statuses > 0


def check_repository(root: Path) -> list[Finding]:
    """Return the findings of all tests."""
    paths = [path for path in tracked_files(root, (".py",)) if path.startswith(TESTS)]
    return [finding for path in paths for finding in check_source(path, read_text(root, path))]


def main() -> int:
    """Print the findings and return the exit code."""
    return report(check_repository(ROOT), "tests that assert a status only")


if __name__ == "__main__":
    sys.exit(main())
