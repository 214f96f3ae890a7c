"""`make check`, `make test`, `make bench`, `make drill`: one command each that runs everything and says what to do.

Nothing stops at the first failure: a person sees all that is wrong at once.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
BIN = ROOT / ".venv" / "bin"
API_TYPES = ROOT / "main-web" / "shared" / "api.gen.ts"
MAKE_API_TYPES = "run `make api-types` and commit main-web/shared/api.gen.ts"
# How many checks run beside each other, and how many workers run tests.
LANES = 2
SHOWN_LINES = 80

Outcome = tuple[bool, str]


def write(text: str) -> None:
    """Show `text` at once."""
    sys.stdout.write(text)
    sys.stdout.flush()


def program(name: str) -> str:
    """A program of the virtual environment."""
    return str(BIN / name)


def run(argv: Sequence[str]) -> Outcome:
    """Run a command to its end: whether it went well, and what it said."""
    done = subprocess.run(
        argv, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False
    )
    return done.returncode == 0, done.stdout.decode(errors="replace")


# make check


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that must hold, and what to do when it does not."""

    name: str
    holds: Callable[[], Outcome]
    remedy: str


def command(*argv: str) -> Callable[[], Outcome]:
    """A check that is one command."""
    return lambda: run(argv)


def make_api_types(target: Path) -> Outcome:
    """Generate the web's API types from the API into `target`."""
    with tempfile.TemporaryDirectory() as folder:
        document = Path(folder) / "openapi.json"
        done = subprocess.run([program("porchlight"), "openapi"], cwd=ROOT, capture_output=True, check=False)
        if done.returncode != 0:
            return False, done.stderr.decode(errors="replace")
        document.write_bytes(done.stdout)
        generator = ROOT / "node_modules" / ".bin" / "openapi-typescript"
        return run([str(generator), str(document), "--output", str(target)])


def api_types_are_fresh() -> Outcome:
    """Whether the committed API types are those of the API as it is."""
    with tempfile.TemporaryDirectory() as folder:
        fresh = Path(folder) / "api.gen.ts"
        made, said = make_api_types(fresh)
        if not made:
            return False, said
        if not API_TYPES.exists():
            return False, f"{API_TYPES} is not there."
        if fresh.read_bytes() != API_TYPES.read_bytes():
            return run(["diff", "-u", "--label", "committed", str(API_TYPES), "--label", "the API now", str(fresh)])
    return True, ""


UNIT = "not parts and not e2e and not tls and not drill and not bench"
CHECKS = (
    Check("format of Python", command(program("ruff"), "format", "--check"), "run `.venv/bin/ruff format`"),
    Check(
        "lint of Python",
        command(program("ruff"), "check"),
        "run `.venv/bin/ruff check --fix`, and mend by hand what is left",
    ),
    Check("types of Python", command(program("mypy")), "mend the types where mypy points"),
    Check(
        "contracts between rooms",
        command(program("lint-imports")),
        "move the code to the room it belongs to: tenants <- sites <- porchlight, and no feature imports a sibling",
    ),
    Check("lint of the webs", command("npm", "run", "--silent", "lint"), "run `npm run lint -- --fix`"),
    Check("types of the webs", command("npm", "run", "--silent", "types"), "mend the types where tsc points"),
    Check("API types are fresh", api_types_are_fresh, MAKE_API_TYPES),
    Check(
        "migrations, models and fences agree",
        command(program("pytest"), "-q", "tests/tenants/test_catalogue.py"),
        'write a migration for what the models say, and give every tenant table its `fence("table")`',
    ),
    Check(
        "unit tests",
        command(program("pytest"), "-q", "-m", UNIT),
        "mend what the test names; run it alone with `.venv/bin/pytest <file>::<test>`",
    ),
)


def check_all(checks: Sequence[Check]) -> int:
    """Run every check, some beside each other; the exit code."""
    failures: list[tuple[Check, str]] = []

    def timed(check: Check) -> tuple[Outcome, float]:
        began = time.monotonic()
        return check.holds(), time.monotonic() - began

    with ThreadPoolExecutor(LANES) as lanes:
        runs: list[tuple[Check, Future[tuple[Outcome, float]]]] = [
            (check, lanes.submit(timed, check)) for check in checks
        ]
        for check, future in runs:
            (holds, said), seconds = future.result()
            write(f"{'ok    ' if holds else 'FAILED'} {check.name} ({seconds:.1f} s)\n")
            if not holds:
                failures.append((check, said))
    for check, said in failures:
        lines = said.strip().splitlines()
        left_out = max(0, len(lines) - SHOWN_LINES)
        write(f"\n--- {check.name}\n")
        write(f"(... {left_out} lines before)\n" if left_out else "")
        write("\n".join(lines[-SHOWN_LINES:]) + f"\n--> {check.remedy}.\n")
    write(f"\n{len(checks) - len(failures)} of {len(checks)} checks passed.\n")
    return 1 if failures else 0


# make test, bench, drill


@dataclass(frozen=True, slots=True)
class Suite:
    """One test runner's run; its closing lines match `closing`."""

    name: str
    argv: Sequence[str]
    closing: str
    env: dict[str, str] = field(default_factory=dict)


PYTEST_CLOSING = r"^=+ .*(passed|failed|error|no tests ran).* =+$"
VITEST_CLOSING = r"^\s*(Test Files|Tests)\s"
NODE_CLOSING = r"^# (pass|fail) "


def pytest_suite(name: str, marks: str, *words: str) -> Suite:
    """A run of the Python tests that carry `marks`."""
    return Suite(name, [program("pytest"), "-m", marks, *words], PYTEST_CLOSING)


TESTS = (
    # A module's tests share a database, so they stay together.
    pytest_suite("pytest", "not e2e and not tls and not drill and not bench", "-n", str(LANES), "--dist", "loadfile"),
    # Both lanes visit one product. In the order of the files: the longest come early.
    pytest_suite(
        "pytest, browser and TLS",
        "(e2e or tls) and not drill and not bench",
        "-n",
        str(LANES),
        "--dist",
        "loadfile",
        "--no-loadscope-reorder",
    ),
    Suite("vitest, main-web", ["npm", "test", "-w", "main-web"], VITEST_CLOSING, {"CI": "1"}),
    Suite("node, auth emulator", ["npm", "test", "-w", "@porchlight/auth-emulator"], NODE_CLOSING),
    Suite("vitest, guru-web", ["npm", "test", "-w", "guru-web"], VITEST_CLOSING, {"CI": "1"}),
)
BENCHMARKS = (pytest_suite("benchmarks", "bench", "-s"),)
DRILLS = (pytest_suite("drills", "drill", "-s"),)


def run_suite(suite: Suite) -> tuple[bool, list[str]]:
    """Run one suite with its output shown as it comes; whether it passed, and its closing lines."""
    write(f"\n=== {suite.name}: {' '.join(Path(word).name if '/' in word else word for word in suite.argv)}\n")
    closing: list[str] = []
    process = subprocess.Popen(
        suite.argv,
        cwd=ROOT,
        env=os.environ | suite.env | {"NO_COLOR": "1", "PYTHONUNBUFFERED": "1"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
    )
    if process.stdout is None:
        raise RuntimeError("a pipe was asked for")
    with process.stdout as lines:
        for line in lines:
            write(line)
            if re.match(suite.closing, line):
                closing.append(line.strip().strip("= "))
    return process.wait() == 0, closing


def run_suites(suites: Sequence[Suite]) -> int:
    """Run every suite, repeat their closing lines, and return the exit code."""
    began = time.monotonic()
    results = [(suite, *run_suite(suite)) for suite in suites]
    write("\n=== closing lines\n")
    for suite, passed, closing in results:
        write(f"{'ok    ' if passed else 'FAILED'} {suite.name}: {'; '.join(closing) or 'it did not get to its end'}\n")
    minutes, seconds = divmod(int(time.monotonic() - began), 60)
    failed = sum(not passed for _, passed, _ in results)
    write(f"{len(results) - failed} of {len(results)} runs passed in {minutes} min {seconds} s.\n")
    return 1 if failed else 0


def browser_is_there() -> bool:
    """Whether a Chromium can be found; when not, one line says how to get it."""
    named = os.environ.get("PORCHLIGHT_CHROMIUM")
    names = [named] if named else ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]
    if any(shutil.which(name) for name in names):
        return True
    write(
        "No Chromium for the browser tests: install it (`apt-get install chromium`) or set "
        "PORCHLIGHT_CHROMIUM=/path/to/chromium.\n"
    )
    return False


def main() -> int:
    """The command line; the exit code."""
    os.environ["PATH"] = f"{BIN}{os.pathsep}{os.environ.get('PATH', os.defpath)}"
    match sys.argv[1:]:
        case ["check"]:
            return check_all(CHECKS)
        case ["test"]:
            return run_suites(TESTS) if browser_is_there() else 1
        case ["bench"]:
            return run_suites(BENCHMARKS)
        case ["drill"]:
            return run_suites(DRILLS) if browser_is_there() else 1
        case ["api-types"]:
            made, said = make_api_types(API_TYPES)
            write(said)
            return 0 if made else 1
    write("usage: python -m porchlight.local.verify check|test|bench|drill|api-types\n")
    return 2


if __name__ == "__main__":
    sys.exit(main())
