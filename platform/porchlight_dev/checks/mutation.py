"""Measure how many deliberate faults the tests of four packages find, on a fixed sample.

Usage:
    python -m porchlight_dev.checks.mutation --record            measure, and write tests/data/mutation-scores.json
    python -m porchlight_dev.checks.mutation --compare           measure, and compare with the recorded scores
    python -m porchlight_dev.checks.mutation --compare FILE      compare the scores of FILE with the recorded ones
    options: --root DIR (another checkout with its own .venv), --package NAME, --sample 40, --workers 1, --output FILE,
    --list (print the sample and stop)

`tests/data/mutation-packages.json` names each package's sources and tests, in the old and in the new tree, and the
renamed functions. The sample takes the mutants with the smallest hash of their id, so adding code keeps the others in
it. A first run finds the tests that reach each function. Then each mutant is applied to a copy of the checkout, and the
tests that reach its function run until the first failure.

mutmut is not used: it runs tests in a forked process, and each worker would start its own PostgreSQL; its ids hold
module paths, so two layouts cannot be compared.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from porchlight_dev.checks.findings import ROOT, tracked_files, write_line
from porchlight_dev.checks.mutants import Mutant, add_probes, apply_mutant, covering_tests, list_mutants

PACKAGES_FILE = "tests/data/mutation-packages.json"
SCORES_FILE = "tests/data/mutation-scores.json"
SEED = "porchlight"
SAMPLE_SIZE = 40
TIMEOUT_FACTOR = 5
MIN_TIMEOUT_SECONDS = 120.0
STOP_TIMEOUT_SECONDS = 60.0
# Folders that Git ignores and the tests need. The copies link to them.
LINKED = (".venv", "node_modules", "main-web/dist", "guru-web/out", "guru-web/dist-ssr", "main-web/node_modules")
KILLED, SURVIVED, TIMED_OUT = "killed", "survived", "timeout"


class MutationError(Exception):
    """The measurement cannot run, for instance because the tests fail without a mutant."""


@dataclass(frozen=True, slots=True)
class Package:
    """One package under measurement, as found in one checkout."""

    name: str
    sources: tuple[str, ...]
    tests: tuple[str, ...]


def find_packages(root: Path, config: Mapping[str, Any]) -> list[Package]:
    """Return the packages of `config` with the files that exist in `root`. Raises MutationError for an empty one."""
    packages = []
    for name, entry in config["packages"].items():
        sources = _matching(root, entry["sources"])
        tests = _matching(root, entry["tests"])
        if not sources or not tests:
            raise MutationError(f"{name}: {PACKAGES_FILE} names no existing {'tests' if sources else 'sources'}")
        packages.append(Package(name, sources, tests))
    return packages


def _matching(root: Path, globs: Sequence[str]) -> tuple[str, ...]:
    paths = (path.relative_to(root).as_posix() for glob in globs for path in sorted(root.glob(glob)))
    return tuple(dict.fromkeys(paths))


def sample(mutants: Sequence[Mutant], size: int, wanted: Sequence[str] = ()) -> list[Mutant]:
    """Return the mutants whose ids are `wanted` and exist, filled up to `size` with those of the smallest hash."""
    by_id = {mutant.id: mutant for mutant in mutants}
    selected = [by_id[wanted_id] for wanted_id in wanted if wanted_id in by_id][:size]
    ranked = sorted((mutant for mutant in mutants if mutant not in selected), key=lambda mutant: _rank(mutant.id))
    return selected + ranked[: size - len(selected)]


def _rank(mutant_id: str) -> str:
    return hashlib.sha256(f"{SEED}:{mutant_id}".encode()).hexdigest()


@contextmanager
def checkout_copy(root: Path) -> Iterator[Path]:
    """Give a temporary copy of the tracked files of `root`, with links to its installed packages and web builds."""
    with tempfile.TemporaryDirectory(prefix="porchlight-mutation-") as folder:
        copy = Path(folder)
        copy.chmod(0o755)  # PostgreSQL may run as another user
        for path in tracked_files(root, ("",)):
            target = copy / path
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(root / path, target)
        for name in LINKED:
            if (root / name).exists() and not (copy / name).exists():
                (copy / name).symlink_to(root / name)
        subprocess.run(["git", "init", "--quiet"], cwd=copy, check=True)
        yield copy


def run_tests(python: Path, copy: Path, tests: Sequence[str], timeout_seconds: float | None) -> str:
    """Run tests until the first failure. Return SURVIVED when all pass, KILLED or TIMED_OUT otherwise."""
    argv = [str(python), "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "--no-header", *tests]
    env = os.environ | {"PYTHONPATH": f"{copy}{os.pathsep}{copy / 'platform'}", "PYTHONDONTWRITEBYTECODE": "1"}
    process = subprocess.Popen(
        argv, cwd=copy, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        return SURVIVED if process.wait(timeout_seconds) == 0 else KILLED
    except subprocess.TimeoutExpired:
        return TIMED_OUT
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGINT)  # pytest then stops its PostgreSQL
            try:
                process.wait(STOP_TIMEOUT_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def find_covering_tests(python: Path, copy: Path, package: Package) -> dict[str, list[str]]:
    """Run all tests of the package with probes, and return the tests that reach each function.

    Raises MutationError when a test fails without a mutant.
    """
    log = copy / "probes.log"
    log.touch()
    log.chmod(0o666)
    originals = {path: (copy / path).read_text(encoding="utf-8") for path in package.sources}
    for path, source in originals.items():
        (copy / path).write_text(add_probes(source, path, str(log)), encoding="utf-8")
    outcome = run_tests(python, copy, package.tests, None)
    for path, source in originals.items():
        (copy / path).write_text(source, encoding="utf-8")
    if outcome != SURVIVED:
        raise MutationError(f"{package.name}: the tests fail without a mutant: {' '.join(package.tests)}")
    return covering_tests(log.read_text(encoding="utf-8"), package.tests)


def measure(root: Path, package: Package, chosen: Sequence[Mutant], workers: int) -> dict[str, str]:
    """Return the outcome of each mutant by id. Raises MutationError when the tests fail without a mutant."""
    python = root / ".venv" / "bin" / "python"
    with ExitStack() as stack:
        copies: SimpleQueue[Path] = SimpleQueue()
        first = stack.enter_context(checkout_copy(root))
        copies.put(first)
        for _ in range(workers - 1):
            copies.put(stack.enter_context(checkout_copy(root)))
        began = time.monotonic()
        tests = find_covering_tests(python, first, package)
        seconds = time.monotonic() - began
        timeout_seconds = max(MIN_TIMEOUT_SECONDS, seconds * TIMEOUT_FACTOR)
        write_line(f"{package.name}: {len(chosen)} mutants, {seconds:.0f} s for all tests")

        def outcome_of(mutant: Mutant) -> str:
            selected = tests.get(f"{mutant.path}:{mutant.function}", [])
            if not selected:
                write_line(f"  {SURVIVED:<8} {mutant.id} ({mutant.path}:{mutant.line}), no test reaches it")
                return SURVIVED
            copy = copies.get()
            file = copy / mutant.path
            original = file.read_text(encoding="utf-8")
            try:
                file.write_text(apply_mutant(original, mutant.index), encoding="utf-8")
                outcome = run_tests(python, copy, selected, timeout_seconds)
            finally:
                file.write_text(original, encoding="utf-8")
                copies.put(copy)
            write_line(f"  {outcome:<8} {mutant.id} ({mutant.path}:{mutant.line})")
            return outcome

        with ThreadPoolExecutor(workers) as pool:
            outcomes = list(pool.map(outcome_of, chosen))
    return {mutant.id: outcome for mutant, outcome in zip(chosen, outcomes, strict=True)}


def score(outcomes: Mapping[str, str]) -> float:
    """Return the share of mutants that the tests found, between 0 and 1, with three decimals."""
    killed = sum(outcome != SURVIVED for outcome in outcomes.values())
    return round(killed / len(outcomes), 3) if outcomes else 0.0


def compare(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[str]:
    """Return one line for each package whose score is lower than before, or is missing."""
    lower = []
    for name, before in old["packages"].items():
        after = new["packages"].get(name)
        if after is None:
            lower.append(f"{name}: not measured")
            continue
        write_line(f"{name}: {before['score']:.3f} -> {after['score']:.3f}")
        lost = [
            mutant_id
            for mutant_id, outcome in after["mutants"].items()
            if outcome == SURVIVED and before["mutants"].get(mutant_id, SURVIVED) != SURVIVED
        ]
        for mutant_id in lost:
            write_line(f"  found before, not now: {mutant_id}")
        if after["score"] < before["score"]:
            lower.append(f"{name}: {after['score']:.3f} is lower than {before['score']:.3f}")
    return lower


def measure_all(options: argparse.Namespace, recorded: Mapping[str, Any]) -> dict[str, Any]:
    """Measure the chosen packages and return the scores with each mutant's outcome."""
    config = json.loads((ROOT / PACKAGES_FILE).read_bytes())
    root: Path = options.root.resolve()
    scores: dict[str, Any] = {}
    for package in find_packages(root, config):
        if options.package and package.name not in options.package:
            continue
        sources = {path: (root / path).read_text(encoding="utf-8") for path in package.sources}
        mutants = list_mutants(sources, config["renamed"])
        wanted = list(recorded.get("packages", {}).get(package.name, {}).get("mutants", {}))
        chosen = sample(mutants, options.sample, wanted)
        if options.list:
            write_line(f"{package.name}: {len(chosen)} of {len(mutants)} mutants")
            for mutant in chosen:
                write_line(f"  {mutant.id} ({mutant.path}:{mutant.line})")
            continue
        outcomes = measure(root, package, chosen, options.workers)
        scores[package.name] = {"score": score(outcomes), "mutants": outcomes}
        write_line(f"{package.name}: score {score(outcomes):.3f}")
    return {"sample": options.sample, "packages": scores}


def write_scores(path: Path, scores: Mapping[str, Any], *, keep_others: bool) -> None:
    """Write the scores as JSON. `keep_others` keeps the packages that were not measured this time."""
    if keep_others and path.exists():
        others = json.loads(path.read_bytes())["packages"]
        scores = {**scores, "packages": others | scores["packages"]}
    path.write_text(json.dumps(scores, indent=1) + "\n", encoding="utf-8")


def parse_arguments() -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(prog="mutation", description="Measure mutation scores on a fixed sample.")
    mode = parser.add_mutually_exclusive_group(required=True)
    mode.add_argument("--record", action="store_true", help=f"measure and write {SCORES_FILE}")
    mode.add_argument("--compare", nargs="?", const="", metavar="FILE", help="measure (or read FILE) and compare")
    mode.add_argument("--list", action="store_true", help="print the sample")
    parser.add_argument("--root", type=Path, default=ROOT, help="the checkout to measure; default: this one")
    parser.add_argument("--package", action="append", help="measure only this package; may be repeated")
    parser.add_argument("--sample", type=int, default=SAMPLE_SIZE, help="mutants per package")
    parser.add_argument("--workers", type=int, default=1, help="copies that run tests at the same time")
    parser.add_argument("--output", type=Path, help=f"where to write the scores; default: {SCORES_FILE} with --record")
    return parser.parse_args()


def main() -> int:
    """Run the command line and return the exit code."""
    # A background shell ignores SIGINT for its children; the copies are removed on both signals.
    for interrupt in (signal.SIGINT, signal.SIGTERM):
        signal.signal(interrupt, signal.default_int_handler)
    options = parse_arguments()
    recorded_path = ROOT / SCORES_FILE
    recorded = json.loads(recorded_path.read_bytes()) if recorded_path.exists() else {}
    if options.list:
        measure_all(options, recorded)
        return 0
    if options.record:
        write_scores(options.output or recorded_path, measure_all(options, {}), keep_others=bool(options.package))
        return 0
    if not recorded:
        write_line(f"{SCORES_FILE} does not exist: measure the old tree with --record first")
        return 1
    new = json.loads(Path(options.compare).read_bytes()) if options.compare else measure_all(options, recorded)
    if options.output:
        write_scores(options.output, new, keep_others=bool(options.package))
    if options.package:
        recorded = {**recorded, "packages": {name: recorded["packages"][name] for name in options.package}}
    lower = compare(recorded, new)
    for line in lower:
        write_line(line)
    write_line(f"{len(lower)} scores lower" if lower else "no score lower")
    return 1 if lower else 0


if __name__ == "__main__":
    sys.exit(main())
