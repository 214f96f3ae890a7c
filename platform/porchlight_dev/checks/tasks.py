"""The tasks of each command. Tasks start in their order, as soon as enough slots are free: long ones come first."""

from __future__ import annotations

import dataclasses
import sys

from porchlight_dev.checks.clocks import CLOCK_FOLDERS, INSTANTS, clock_env
from porchlight_dev.checks.runner import WORKERS
from porchlight_dev.checks.task import Task
from porchlight_dev.environment import BIN, ROOT

PYTEST_SUMMARY = r"^=+ .*(passed|failed|error|no tests ran).* =+$"
VITEST_SUMMARY = r"^\s*(Test Files|Tests)\s"
NODE_SUMMARY = r"^# (pass|fail) "

# The tests that decide. Each other test belongs to one of these markers.
GATE = "not sweep and not drill and not bench"
SWEEP = "sweep and not drill and not bench"
# All tests that are marked e2e or tls are here. Collecting the others would take seconds in each worker.
BROWSER_FOLDERS = ("tests/e2e", "tests/infra")
# An idle worker takes tests of the other one. Each worker has its own database for each module.
PYTHON_WORKERS = ("-n", str(WORKERS), "--dist", "worksteal")
# In the order of the files, the slow ones first. The output names each test when it starts.
BROWSER_WORKERS = ("-n", str(WORKERS), "--dist", "loadfile", "--no-loadscope-reorder", "-v", *BROWSER_FOLDERS)
FIX = "fix what the test names; run it alone with `.venv/bin/pytest <file>::<test>`"


def program(name: str) -> str:
    """Return the path of a program in the virtual environment."""
    return str(BIN / name)


def pytest_task(name: str, markers: str, *options: str) -> Task:
    """Return a live run of the Python tests that match `markers`."""
    argv = [program("pytest"), "-m", markers, "--durations=25", *options]
    return Task(name, argv, FIX, PYTEST_SUMMARY, live=True, slots=WORKERS, framework="pytest")


def long_pytest_task(name: str, markers: str, *options: str) -> Task:
    """Return a live run of the Python tests that match `markers`, without a time limit or a second try."""
    task = pytest_task(name, markers, "-o", "faulthandler_timeout=0", *options)
    return dataclasses.replace(task, silence_seconds=None, reruns=False)


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
        "refusals in tests",
        [sys.executable, "-m", "porchlight_dev.checks.status_only"],
        "assert the refused fields or the error's code (tests/fixtures/refusals.py)",
    ),
    Task(
        "laws of tests and timeouts",
        [sys.executable, "-m", "porchlight_dev.checks.laws"],
        "keep the law that the line names (CONTRIBUTING, Tests)",
    ),
    Task(
        "typed rows",
        [sys.executable, "-m", "porchlight_dev.checks.typed_rows"],
        "give the row a class, or unpack it (docs/decisions/0019-typed-rows.md)",
    ),
    Task(
        "time sources",
        [sys.executable, "-m", "porchlight_dev.checks.time_sources"],
        "read the time with clock.now() or app.now(), or add the file to ALLOWED with its reason",
    ),
    Task(
        "structure",
        [sys.executable, "-m", "porchlight_dev.checks.structure"],
        "decide in Python, or lower the ceiling in porchlight_dev/checks/structure.py",
    ),
    Task(
        "installed packages",
        [program("uv"), "pip", "check", "--python", sys.executable],
        "run `make lock`: the lock file has packages that exclude each other, and is installed without that check",
    ),
    Task("citations", [sys.executable, "-m", "porchlight_dev.checks.citations"], "cite an existing heading of docs/"),
)
# Checks that need a connection. They are not in the gate, which must not turn red without a change of the code.
RELEASE_CHECKS = (
    Task(
        "newest time zones",
        [sys.executable, "-m", "porchlight_dev.checks.newest_zones"],
        "run `make lock LOCK_FLAGS='--upgrade-package tzdata'` and `make zones`",
    ),
)
# The tests without a server, and the RLS catalog. `make test` runs them as part of its suites.
FAST_TESTS = (
    Task(
        "unit tests",
        [program("pytest"), "-m", f"not parts and not e2e and not tls and {GATE}"],
        FIX,
        PYTEST_SUMMARY,
        framework="pytest",
    ),
    Task(
        "RLS catalog, models and migrations",
        [program("pytest"), "-q", "tests/tenants/test_rls_catalog.py"],
        "write a migration for the changed models, and enable row-level security on each tenant table",
    ),
)
SUITES = (
    pytest_task("pytest", f"not e2e and not tls and {GATE}", *PYTHON_WORKERS),
    pytest_task("pytest, browser and TLS", f"(e2e or tls) and {GATE}", *BROWSER_WORKERS),
)
WEB_SUITES = (
    # All web packages in one run, which starts once.
    Task(
        "vitest",
        [str(ROOT / "node_modules/.bin/vitest"), "run", "--reporter=default", "--reporter=json"],
        summary=VITEST_SUMMARY,
        live=True,
        env={"CI": "1"},
        framework="vitest",
    ),
    Task(
        "node, auth emulator",
        ["npm", "--prefix", "infra/auth-emulator", "test"],
        summary=NODE_SUMMARY,
        live=True,
        env={"CI": "1"},
    ),
)
# Figures need an idle machine: these take all slots.
BENCHMARKS = (long_pytest_task("benchmarks", "bench", "-s"),)
DRILLS = (
    long_pytest_task("drills", "drill", "-s"),
    # With more examples than in `make test`, and new ones in each run.
    long_pytest_task("property tests", f"hypothesis and {GATE}", "--hypothesis-profile=deep"),
)
SWEEPS = (
    pytest_task("sweeps", f"not e2e and not tls and {SWEEP}", *PYTHON_WORKERS),
    pytest_task("sweeps, browser and TLS", f"(e2e or tls) and {SWEEP}", *BROWSER_WORKERS),
)
CLOCKS = tuple(
    dataclasses.replace(
        pytest_task(f"clock, {name}", f"not e2e and not tls and {GATE}", *PYTHON_WORKERS, *CLOCK_FOLDERS),
        env=clock_env(instant),
    )
    for name, instant in INSTANTS.items()
)

# Static checks and web suites run beside the Python suites. Nothing runs twice: `SUITES` contain the fast tests.
GATE_TASKS = (*SUITES, *WEB_SUITES, *STATIC_CHECKS)
COMMANDS = {
    "check": (*STATIC_CHECKS, *FAST_TESTS),
    "test": GATE_TASKS,
    "test-all": (*GATE_TASKS, *RELEASE_CHECKS, *SWEEPS, *CLOCKS, *DRILLS),
    "bench": BENCHMARKS,
    "drill": DRILLS,
}
NEED_BROWSER = {"test", "test-all", "drill"}


def tasks_at(clock: str) -> tuple[Task, ...]:
    """Return the tasks of `make test-all` at one instant (ISO format), without the runs at the other instants."""
    tasks = [task for task in COMMANDS["test-all"] if task not in CLOCKS]
    return tuple(dataclasses.replace(task, env={**task.env, **clock_env(clock)}) for task in tasks)
