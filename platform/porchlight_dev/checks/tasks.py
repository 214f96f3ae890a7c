"""The tasks of each command. Tasks start in their order, as soon as enough slots are free."""

from __future__ import annotations

import dataclasses
import sys

from porchlight_dev.checks.runner import WORKERS, Task
from porchlight_dev.environment import BIN

PYTEST_SUMMARY = r"^=+ .*(passed|failed|error|no tests ran).* =+$"
VITEST_SUMMARY = r"^\s*(Test Files|Tests)\s"
NODE_SUMMARY = r"^# (pass|fail) "

REGULAR = "not drill and not bench"
# All tests that are marked e2e or tls are here. Collecting the others would take seconds in each worker.
BROWSER_FOLDERS = ("tests/e2e", "tests/infra")
WORKER_OPTIONS = ("-n", str(WORKERS), "--dist", "loadfile")
RERUN = "fix what the test names; run it alone with `.venv/bin/pytest <file>::<test>`"


def program(name: str) -> str:
    """Return the path of a program in the virtual environment."""
    return str(BIN / name)


def pytest_task(name: str, markers: str, *options: str) -> Task:
    """Return a live run of the Python tests that match `markers`."""
    argv = [program("pytest"), "-m", markers, "--durations=25", *options]
    return Task(name, argv, RERUN, PYTEST_SUMMARY, live=True, slots=WORKERS)


def long_pytest_task(name: str, markers: str, *options: str) -> Task:
    """Return a live run of the Python tests that match `markers`, without a time limit."""
    task = pytest_task(name, markers, "-o", "faulthandler_timeout=0", *options)
    return dataclasses.replace(task, timeout_seconds=None)


def npm_test(name: str, folder: str, summary: str) -> Task:
    """Return a live run of the tests of a folder's package."""
    return Task(name, ["npm", "--prefix", folder, "test"], summary=summary, live=True, env={"CI": "1"})


STATIC_CHECKS = (
    Task("types of Python", [program("mypy")], "fix the types at the named lines"),
    Task("lint of the webs", ["npm", "run", "--silent", "lint"], "run `npm run lint -- --fix`"),
    Task("types of the webs", ["npm", "run", "--silent", "types"], "fix the types at the named lines"),
    Task(
        "API types are current",
        [sys.executable, "-m", "porchlight_dev.checks.api_types", "--check"],
        "run `make api-types` and commit main-web/shared/api.gen.ts",
    ),
    Task(
        "import contracts",
        [program("lint-imports")],
        "move the code to the package it belongs to: tenants <- sites <- porchlight, and no feature imports another",
    ),
    Task(
        "lint of Python",
        [program("ruff"), "check"],
        "run `.venv/bin/ruff check --fix`, and fix the rest by hand",
    ),
    Task("format of Python", [program("ruff"), "format", "--check"], "run `.venv/bin/ruff format`"),
    Task("format of the webs", ["npm", "run", "--silent", "format:check"], "run `npm run format`"),
    Task("spelling", [program("codespell")], "correct the spelling, or add the word to pyproject.toml with its reason"),
    Task("language", [sys.executable, "-m", "porchlight_dev.checks.prose"], "use the proposed words"),
    Task(
        "names",
        [sys.executable, "-m", "porchlight_dev.checks.names"],
        "rename as proposed, or add an exception with its reason",
    ),
    Task(
        "map of tests",
        [sys.executable, "-m", "porchlight_dev.checks.test_map"],
        "name the moved test's new id in tests/MOVED.csv, and let one suite run each test",
    ),
    Task(
        "refusals in tests",
        [sys.executable, "-m", "porchlight_dev.checks.status_only"],
        "assert the refused fields or the error's code (tests/fixtures/refusals.py)",
    ),
    Task("citations", [sys.executable, "-m", "porchlight_dev.checks.citations"], "cite an existing heading of docs/"),
)
# The tests without a server, and the RLS catalog. `make test` and `make ci` run them as part of their suites.
FAST_TESTS = (
    Task(
        "unit tests",
        [program("pytest"), "-q", "-m", f"not parts and not e2e and not tls and {REGULAR}"],
        RERUN,
    ),
    Task(
        "RLS catalog, models and migrations",
        [program("pytest"), "-q", "tests/tenants/test_rls_catalog.py"],
        "write a migration for the changed models, and enable row-level security on each tenant table",
    ),
)
SUITES = (
    # An idle worker takes tests of the other one. Each worker has its own database for each module.
    pytest_task("pytest", f"not e2e and not tls and {REGULAR}", "-n", str(WORKERS), "--dist", "worksteal"),
    # In the order of the files, the slow ones first. The output names each test when it starts.
    pytest_task(
        "pytest, browser and TLS",
        f"(e2e or tls) and {REGULAR}",
        *WORKER_OPTIONS,
        "--no-loadscope-reorder",
        "-v",
        *BROWSER_FOLDERS,
    ),
    # All web packages in one run, which starts once.
    npm_test("vitest", ".", VITEST_SUMMARY),
    npm_test("node, auth emulator", "infra/auth-emulator", NODE_SUMMARY),
)
# Figures need an idle machine: these take all slots.
BENCHMARKS = (long_pytest_task("benchmarks", "bench", "-s"),)
DRILLS = (
    long_pytest_task("drills", "drill", "-s"),
    # With more examples than in `make test`, and new ones in each run.
    long_pytest_task("property tests", f"hypothesis and {REGULAR}", "--hypothesis-profile=deep"),
)

COMMANDS = {
    "check": (*FAST_TESTS, *STATIC_CHECKS),
    "test": SUITES,
    # `SUITES` contain the fast tests: nothing runs twice. The static checks run one by one beside pytest.
    "ci": (SUITES[0], *STATIC_CHECKS, *SUITES[1:]),
    "bench": BENCHMARKS,
    "drill": DRILLS,
}
NEED_BROWSER = {"test", "ci", "drill"}
