"""Measure how many deliberate faults in the decisions on bookings the tests without a database find (`make mutation`).

mutmut changes one operator, value or argument at a time in a copy of the sources. It has an environment of its own
beside the product's packages, because the gate does not run it. Exit 1 for a score below MIN_SCORE.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import venv
from collections.abc import Mapping
from pathlib import Path

from porchlight_dev.checks.findings import ROOT, write_line

MUTMUT = "mutmut==3.8.1"
MIN_SCORE = 0.9
FOLDER = ROOT / "artifacts/mutation"
BOOKINGS = "porchlight/features/bookings"
SOURCES = (
    "lifecycle.py", "hold_and_book.py", "moves/lifecycle.py", "passes/lifecycle.py", "waitlist/offers.py",
    "emails/routing.py", "draft.py", "seats.py", "limits.py", "expiry.py",
)  # fmt: skip
TESTS = (
    "__init__.py", "states.py", "test_lifecycle.py", "test_lifecycle_of_series.py", "test_check_in_decisions.py",
    "test_hold_and_book.py", "test_offers.py", "test_whole_changes.py",
)  # fmt: skip
# mutmut's exit codes of a mutant that no test finds, and of one that no test reaches.
UNFOUND = (0, 5, 33)


def main() -> int:
    """Lay out the copy, run mutmut in it, and print the score of each file."""
    _lay_out()
    _install()
    command = [str(FOLDER / "venv/bin/mutmut"), "run", *sys.argv[1:]]
    subprocess.run(command, cwd=FOLDER, check=True)
    scores = {source: score(json.loads(_results_of(source).read_text())["exit_code_by_key"]) for source in SOURCES}
    for source, (found, total) in scores.items():
        write_line(f"{source}: {found} of {total} ({found / total:.0%})")
    found, total = (sum(column) for column in zip(*scores.values(), strict=True))
    write_line(f"all: {found} of {total} ({found / total:.0%}, at least {MIN_SCORE:.0%})")
    return 0 if found >= MIN_SCORE * total else 1


def score(exit_codes: Mapping[str, int | None]) -> tuple[int, int]:
    """Return how many mutants the tests found, and how many there were, by mutmut's exit code of each."""
    return sum(code not in UNFOUND for code in exit_codes.values()), len(exit_codes)


def _results_of(source: str) -> Path:
    return FOLDER / "mutants" / BOOKINGS / f"{source}.meta"


def _lay_out() -> None:
    """Copy the packages, the tests without their database, and mutmut's settings. Results of earlier runs are gone."""
    for name in ("porchlight", "tenants", "sites", "tests", "mutants"):
        shutil.rmtree(FOLDER / name, ignore_errors=True)
    for folder in ("platform/porchlight", "tenants", "sites"):
        shutil.copytree(ROOT / folder, FOLDER / Path(folder).name)
    tests = FOLDER / "tests/porchlight/bookings"
    tests.mkdir(parents=True)
    for package in (FOLDER / "tests", FOLDER / "tests/porchlight"):
        (package / "__init__.py").touch()
    for name in TESTS:
        shutil.copy(ROOT / "tests/porchlight/bookings" / name, tests / name)
    sources = "".join(f"\n    {BOOKINGS}/{source}" for source in SOURCES)
    (FOLDER / "setup.cfg").write_text(
        f"[mutmut]\nsource_paths={sources}\nalso_copy=\n    porchlight\n    tenants\n    sites\n    tests\n"
        "pytest_add_cli_args_test_selection=tests/porchlight/bookings\n"
    )


def _install() -> None:
    environment = FOLDER / "venv"
    venv.create(environment, with_pip=False)
    (packages,) = environment.glob("lib/python*/site-packages")
    (own,) = (ROOT / ".venv").glob("lib/python*/site-packages")
    (packages / "product.pth").write_text(f"{own}\n")
    uv = ROOT / ".venv/bin/uv"
    subprocess.run([uv, "pip", "install", "--quiet", "--python", environment / "bin/python", MUTMUT], check=True)


if __name__ == "__main__":
    sys.exit(main())
