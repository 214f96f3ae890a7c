"""Check that code, SQL and tests read the product's clock (`tenants.kit.clock`, `app.now()`) and zones.

PostgreSQL has a table of time zones of its own, so SQL converts a time to UTC only: local days and times are computed
by `tenants.kit.zones` and passed as instants.

Another clock would make a test depend on the hour at which it runs. A test module may read no clock at all while it is
imported: the suite sets its clock for each module. `ALLOWED` lists the files that read the machine's clock, and why.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from porchlight_dev.checks.findings import ROOT, Finding, read_text, report, tracked_files

FOLDERS = ("tenants/", "sites/", "platform/", "tests/")
ALLOWED = {
    "platform/porchlight/cli/doctor.py": "compares PostgreSQL's zones with ours",
    "platform/porchlight/db/sql/functions/now.sql": "defines the clock",
    "platform/porchlight/db/jobs.sql": "the queue's own table",
    "platform/porchlight/features/admin/overview/queries.py": "compares with the queue's own times",
    "platform/porchlight_dev/checks/flaky.py": "the days on which a test was flaky on this machine",
    "platform/porchlight_dev/checks/time_sources.py": "names what is refused",
    "platform/porchlight_dev/services/worker.py": "compares with a heartbeat of the queue",
    "platform/porchlight_dev/stripe_fake/events.py": "schedules its own retries",
    "platform/porchlight_dev/stripe_fake/webhooks.py": "signs webhooks, as Stripe does",
    "tenants/http/proof_of_work.py": "a signature with a time to live of minutes",
    "tenants/kit/clock.py": "defines the clock",
    "tenants/kit/logs.py": "log lines",
    "tests/bench/conftest.py": "a table without the product, as the floor of a ratio",
    "tests/bench/test_ledger.py": "a table without the product, as the floor of a ratio",
    "tests/dev/checks/test_time_sources.py": "examples of what is refused",
    "tests/drills/test_money_down.py": "compares with the server's own statistics",
    "tests/fixtures/identity.py": "Firebase's clock, and certificates",
    "tests/fixtures/jobs.py": "a heartbeat of the queue",
    "tests/fixtures/product.py": "the queue's own times",
    "tests/fixtures/shared_resources.py": "ages of files",
    "tests/porchlight/admin/test_overview.py": "the queue's own times",
    "tests/porchlight/auth/test_tokens.py": "Firebase's clock",
    "tests/porchlight/billing/plan_shop.py": "signs webhooks, as Stripe does",
    "tests/porchlight/leads/test_lead_digest.py": "the queue's own times",
    "tests/porchlight/contact/test_contact_flood.py": "the queue's own times",
    "tests/porchlight/payouts/test_connection.py": "signs webhooks, as Stripe does",
    "tests/porchlight/settlement/test_signatures.py": "signs webhooks, as Stripe does",
    "tests/porchlight/storage/s3_fake.py": "checks signatures, as a store does",
    "tests/porchlight/test_jobs.py": "the queue's own times",
    "tests/tenants/test_clock.py": "compares both clocks",
    "tests/tenants/test_proof_of_work.py": "a signature with a time to live of minutes",
}

# A difference to the machine's clock, which converts a time of the queue: (app.now() - now()).
_CONVERSION = re.compile(r"(?:\bclock_timestamp\(\) \+ )?\(app\.now\(\) - now\(\)\)")
_SQL_TIME = re.compile(
    r"(?<![\w.])now\(\)|\b(?:clock|statement|transaction)_timestamp\(\)"
    r"|\b(?:current_(?:date|time|timestamp)|localtimestamp)\b(?!\()",
    re.IGNORECASE,
)
_SQL_ZONE = re.compile(
    r"\bAT TIME ZONE\s+(?!'UTC')\S+|\bdate_trunc\([^()]*,[^()]*,[^()]*\)|\btimezone\(\s*(?!'UTC')", re.IGNORECASE
)
_SQL_COMMENT = re.compile(r"--.*")
_STATEMENT = re.compile(
    r"\b(?:SELECT|INSERT|UPDATE|DELETE|VALUES|WHERE|AND|SET|FROM|interval|DEFAULT)\b|^\W*[\w.]*\W*$|::"
)
# Calls by the last two names of the function.
_CALLS = {
    "datetime.now": "clock.now()",
    "datetime.utcnow": "clock.now()",
    "datetime.today": "clock.now()",
    "date.today": "clock.now().date()",
    "time.time": "clock.now().timestamp()",
    "func.now": "func.app.now()",
    "func.current_date": "app.now()::date",
    "func.current_timestamp": "func.app.now()",
}
_CLOCK = {"clock.now", "clock.machine_now", *_CALLS}
_CANDIDATE = re.compile(
    r"\b(?:now|today|utcnow|time)\(|current_date|_timestamp\b|localtimestamp|time zone|date_trunc|timezone\(",
    re.IGNORECASE,
)


def find_sql(path: str, text: str) -> Iterator[Finding]:
    """Yield the times in a SQL file that are not the product's."""
    for number, line in enumerate(text.splitlines(), start=1):
        for match in _SQL_ZONE.finditer(_SQL_COMMENT.sub("", line)):
            yield Finding(path, number, f"{match[0]}: pass an instant or a local time (tenants.kit.zones)")
        for match in _SQL_TIME.finditer(_CONVERSION.sub("", _SQL_COMMENT.sub("", line))):
            yield Finding(path, number, f"{match[0]}: write app.now()")


def find_python(path: str, text: str) -> Iterator[Finding]:
    """Yield the calls and SQL texts of a Python file that read another clock than the product's."""
    tree = ast.parse(text)
    documentation = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and (instead := _CALLS.get(_name(node.func))):
            yield Finding(path, node.lineno, f"{_name(node.func)}(): write {instead}")
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in documentation:
            for match in () if path.startswith("tests/") else _SQL_ZONE.finditer(node.value):
                yield Finding(path, node.lineno, f"{match[0]} in SQL: pass an instant (tenants.kit.zones)")
            for match in _SQL_TIME.finditer(_CONVERSION.sub("", node.value)):
                if _STATEMENT.search(node.value):
                    yield Finding(path, node.lineno, f"{match[0]} in SQL: write app.now()")


def find_imported(path: str, text: str) -> Iterator[Finding]:
    """Yield the calls of a clock that run when a test module is imported."""
    for node in _at_import(ast.parse(text)):
        if isinstance(node, ast.Call) and _name(node.func) in _CLOCK:
            yield Finding(
                path, node.lineno, f"{_name(node.func)}() at import: read the clock in a fixture or a function"
            )


def _at_import(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes that run when the module does: no bodies of functions, but their decorators and defaults."""
    yield node
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
        children: list[ast.AST] = [*node.args.defaults, *(each for each in node.args.kw_defaults if each is not None)]
        children += [] if isinstance(node, ast.Lambda) else node.decorator_list
    else:
        children = list(ast.iter_child_nodes(node))
    for child in children:
        yield from _at_import(child)


def _name(function: ast.expr) -> str:
    """Return the last two names of a called function: `datetime.now` for `dt.datetime.now`."""
    if not isinstance(function, ast.Attribute):
        return ""
    owner = function.value
    last = owner.attr if isinstance(owner, ast.Attribute) else owner.id if isinstance(owner, ast.Name) else ""
    return f"{last}.{function.attr}"


def check(root: Path = ROOT) -> Iterator[Finding]:
    """Yield the findings of all files, and the entries of `ALLOWED` that nothing needs."""
    unused = set(ALLOWED)
    for path in tracked_files(root, (".py", ".sql")):
        if not path.startswith(FOLDERS) or "/migrations/versions/" in path:
            continue
        text = read_text(root, path)
        if not _CANDIDATE.search(text):
            continue
        if path.startswith("tests/") and path not in ALLOWED:
            yield from find_imported(path, text)
        found = list(find_sql(path, text) if path.endswith(".sql") else find_python(path, text))
        if path in ALLOWED:
            unused -= {path} if found else set()
        else:
            yield from found
    for path in unused:
        yield Finding(path, 0, "needs no exception: remove it from ALLOWED")


if __name__ == "__main__":
    sys.exit(report(check(), "times that are not the product's"))
