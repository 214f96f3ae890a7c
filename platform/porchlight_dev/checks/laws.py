"""Check the laws that keep the tests true on any machine and at any time, and the one place of timeouts.

Usage: python -m porchlight_dev.checks.laws
"""

from __future__ import annotations

import ast
import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from porchlight_dev.checks.findings import ROOT, Finding, read_text, report, tracked_files

TIMEOUTS_FILE = "tenants/kit/timeouts.py"
PRODUCT = ("tenants/", "sites/", "platform/porchlight/")
Function = ast.FunctionDef | ast.AsyncFunctionDef

# Waits in tests, by path, with the reason. A test that waits for a state uses `eventually` (tests.fixtures.product).
ALLOWED_SLEEPS = {
    "tests/fixtures/product.py": "polls",
    "tests/sites/rendering/guru_set.py": "polls",
    "tests/porchlight/app_client.py": "polls",
    "tests/porchlight/billing/plan_shop.py": "polls",
    "tests/porchlight/payouts/stripe_fake.py": "polls",
    "tests/porchlight/settlement/test_event_order.py": "polls",
    "tests/sites/rendering/test_renderer.py": "gives the engine time to become idle, or a slow page time to hang",
    "tests/tenants/test_pipeline.py": "cancels a statement at a random point",
    "tests/tenants/test_response_cache.py": "a slow app behind the cache",
    "tests/porchlight/posts/test_posts.py": "waits for the second at which a post is due",
    "tests/drills/bookers.py": "people who try again",
    "tests/drills/payers.py": "people who try again",
    "tests/drills/test_booking_faults.py": "people who try again",
    "tests/drills/test_publishing.py": "polls, and kills at a random point",
    "tests/drills/test_host_isolation.py": "aborts a request at a random point",
    "tests/bench/test_scale.py": "an idle worker is what is measured",
    "tests/bench/servers.py": "polls",
    "tests/bench/load.py": "sends at fixed times",
}
SLEEPS = {("time", "sleep"), ("asyncio", "sleep"), ("page", "wait_for_timeout")}

TIMEOUT_NAME = re.compile(r"TIMEOUTS?(_SECONDS|_MS)?$|^WAIT_SECONDS$|^RESPONSE_SECONDS$")
TIMEOUT_ARGUMENTS = {"timeout", "connect_timeout", "read_timeout", "reconnect_timeout", "pool_timeout"}
TIMEOUT_CALLS = {"timeout", "wait_for", "Timeout"}
HTTPX_CALLS = {"get", "post", "put", "patch", "delete", "head", "request", "stream", "Client", "AsyncClient"}

# Reads of a page's state at one moment, and what waits for a state.
PAGE_READS = {"count", "is_visible", "is_hidden", "is_checked", "is_enabled", "inner_text", "all_inner_texts"}
PAGE_READS |= {"text_content", "all_text_contents", "input_value", "inner_html"}
PAGE_ACTIONS = {"click", "dblclick", "fill", "press", "press_sequentially", "check", "uncheck", "select_option", "tap"}
PAGE_ACTIONS |= {"goto", "reload", "go_back", "go_forward", "set_input_files", "type"}
SETTLES = re.compile(r"_?(expect|wait|settle|until|eventually)")

# Fields whose text the product reads: search, risk levels, languages, sorting, slugs.
READ_FIELDS = {"name", "title", "bio", "tagline", "headline", "description", "message", "details", "body", "text"}
READ_FIELDS |= {"display_name", "displayName", "activity", "question", "answer", "comment", "about", "excerpt"}
RANDOM_CALLS = {"uuid4", "uuid7", "new_id", "token_hex", "token_urlsafe", "randrange", "randint", "random", "choice"}
DEMO_DATA = "platform/porchlight/demo_data/"
EMAIL = re.compile(r"[\w.]+@example\.com")
# Modules that look at every demo person, and change none.
READERS_OF_PEOPLE = {f"tests/e2e/test_{name}.py" for name in ("screens", "failing_reads", "failing_writes", "walks")}


def sleeps(path: str, tree: ast.Module) -> Iterator[Finding]:
    """Yield a finding for each wait of a fixed time in a test."""
    if path in ALLOWED_SLEEPS:
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            owner = node.func.value.id if isinstance(node.func.value, ast.Name) else ""
            is_zero = bool(node.args) and isinstance(node.args[0], ast.Constant) and node.args[0].value == 0
            if (node.func.attr == "wait_for_timeout" or (owner, node.func.attr) in SLEEPS) and not is_zero:
                message = "no sleep in tests: wait for the state, with `eventually` or `expect`"
                yield Finding(path, node.lineno, message)


def timeouts_elsewhere(path: str, tree: ast.Module) -> Iterator[Finding]:
    """Yield a finding for each timeout of the product that is not in `tenants.kit.timeouts`."""
    for node in ast.walk(tree):
        line = 0
        if isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names = [target.id for target in targets if isinstance(target, ast.Name)]
            line = node.lineno if any(TIMEOUT_NAME.search(name) for name in names) else 0
        elif isinstance(node, ast.Call):
            numbers = [keyword.value for keyword in node.keywords if keyword.arg in TIMEOUT_ARGUMENTS]
            if _called(node) in TIMEOUT_CALLS:
                numbers += node.args
            line = node.lineno if any(_is_number(number) for number in numbers) else 0
        if line:
            yield Finding(path, line, f"a timeout outside of {TIMEOUTS_FILE}: add a field there")


def default_timeouts(path: str, tree: ast.Module) -> Iterator[Finding]:
    """Yield a finding for each HTTP call of a test with its library's timeout, 5 or 10 s: too few on a busy machine."""
    for node in ast.walk(tree):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
            continue
        owner = node.func.value.id if isinstance(node.func.value, ast.Name) else ""
        waits = (owner == "httpx" and node.func.attr in HTTPX_CALLS) or node.func.attr == "from_url"
        if waits and not {"timeout", "transport"} & {str(keyword.arg) for keyword in node.keywords}:
            yield Finding(path, node.lineno, "state the timeout: the library's own is too short on a busy machine")


def _is_number(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, int | float) and not isinstance(node.value, bool)


def _called(node: ast.Call) -> str:
    return getattr(node.func, "attr", getattr(node.func, "id", ""))


def unsettled_reads(path: str, tree: ast.Module) -> Iterator[Finding]:
    """Yield a finding for each assertion on the page that no `expect` precedes since the last action."""
    for function in _functions(tree):
        settled = False
        early: set[str] = set()  # names of what was read before an `expect`
        for node in sorted(_own_nodes(function), key=lambda node: (node.lineno, node.col_offset)):
            if isinstance(node, ast.Assign):
                if not settled and _reads_page(node.value):
                    early.update(target.id for target in node.targets if isinstance(target, ast.Name))
            elif isinstance(node, ast.Call):
                name = _called(node)
                if SETTLES.match(name):
                    settled = True
                elif name in PAGE_ACTIONS:
                    settled = False
            elif (not settled and _reads_page(node.test)) or not early.isdisjoint(_names(node.test)):
                message = f"{function.name}: this reads the page at one moment; `expect` a state before it"
                yield Finding(path, node.lineno, message)


def _functions(tree: ast.Module) -> Iterator[Function]:
    return (node for node in ast.walk(tree) if isinstance(node, Function))


def _own_nodes(function: Function) -> list[ast.Call | ast.Assert | ast.Assign]:
    return [node for node in ast.walk(function) if isinstance(node, ast.Call | ast.Assert | ast.Assign)]


def _names(expression: ast.expr) -> set[str]:
    return {node.id for node in ast.walk(expression) if isinstance(node, ast.Name)}


def _reads_page(expression: ast.expr) -> bool:
    awaited = [node.value for node in ast.walk(expression) if isinstance(node, ast.Await)]
    return any(isinstance(call, ast.Call) and _called(call) in PAGE_READS for call in awaited)


def random_texts(path: str, tree: ast.Module) -> Iterator[Finding]:
    """Yield a finding for each random text in a field that the product reads: `tests.fixtures.seeded` has texts."""
    for function in _functions(tree):
        random_names = {
            target.id
            for node in ast.walk(function)
            if isinstance(node, ast.Assign) and _is_random(node.value, frozenset())
            for target in node.targets
            if isinstance(target, ast.Name)
        }
        for node in ast.walk(function):
            for field, value in _fields(node):
                if field in READ_FIELDS and _is_random(value, frozenset(random_names)):
                    message = f'random text in "{field}", which the product reads: use tests/fixtures/seeded.py'
                    yield Finding(path, value.lineno, message)


def _fields(node: ast.AST) -> Iterator[tuple[str, ast.expr]]:
    if isinstance(node, ast.Call):
        if not _called(node).startswith("get_by_"):  # the name of a button is no field
            yield from ((keyword.arg, keyword.value) for keyword in node.keywords if keyword.arg)
        if _called(node) == "fill":
            yield from (("text", argument) for argument in node.args[-1:])
    elif isinstance(node, ast.Dict):
        for key, value in zip(node.keys, node.values, strict=True):
            if isinstance(key, ast.Constant) and isinstance(key.value, str):
                yield key.value, value


def _is_random(value: ast.expr, random_names: frozenset[str]) -> bool:
    """Return whether a text holds a random part. Ids and addresses may."""
    if isinstance(value, ast.Dict | ast.DictComp | ast.Lambda):
        return False
    nodes = list(ast.walk(value))
    if any(isinstance(node, ast.Constant) and "@" in str(node.value) for node in nodes):
        return False
    # An id of a row is not a text: only its letters in a text are.
    is_text = isinstance(value, ast.JoinedStr | ast.BinOp) or any(
        isinstance(node, ast.Attribute) and node.attr == "hex" for node in nodes
    )
    calls = any(isinstance(node, ast.Call) and _called(node) in RANDOM_CALLS for node in nodes)
    names = any(isinstance(node, ast.Name) and node.id in random_names for node in nodes)
    return (calls and is_text) or names


def shared_people(sources: Mapping[str, str], demo_emails: Iterable[str]) -> Iterator[Finding]:
    """Yield a finding for each demo person whom more than one browser module uses: each has its own."""
    users: defaultdict[str, list[str]] = defaultdict(list)
    known = set(demo_emails)
    for path, source in sorted(sources.items()):
        for email in sorted(known.intersection(EMAIL.findall(source))):
            users[email].append(path)
    for email, paths in sorted(users.items()):
        for path in paths[1:]:
            message = f"{email} belongs to {paths[0]}: what one module changes, the other sees"
            yield Finding(path, 0, message)


def broken_laws(root: Path) -> Iterator[Finding]:
    """Yield all findings in the tests and in the product."""
    browser: dict[str, str] = {}
    for path in tracked_files(root, (".py",)):
        source = read_text(root, path)
        if path.startswith("tests/"):
            if "sleep(" in source or "wait_for_timeout" in source:
                yield from sleeps(path, ast.parse(source))
            if "httpx." in source or ".from_url(" in source:
                yield from default_timeouts(path, ast.parse(source))
            if path.startswith(("tests/e2e/", "tests/infra/")):
                yield from unsettled_reads(path, ast.parse(source))
            if any(name in source for name in RANDOM_CALLS):
                yield from random_texts(path, ast.parse(source))
            if path.startswith("tests/e2e/test_") and path not in READERS_OF_PEOPLE:
                browser[path] = source
        elif path.startswith(PRODUCT) and path != TIMEOUTS_FILE and re.search(r"timeout|wait", source, re.IGNORECASE):
            yield from timeouts_elsewhere(path, ast.parse(source))
    demo = [path for path in tracked_files(root, (".toml", ".py")) if path.startswith(DEMO_DATA)]
    yield from shared_people(browser, [email for path in demo for email in EMAIL.findall(read_text(root, path))])


def main() -> int:
    """Print the findings and return the exit code."""
    return report(list(broken_laws(ROOT)), "broken laws")


if __name__ == "__main__":
    sys.exit(main())
