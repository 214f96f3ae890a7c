"""Collect the ids of all tests: pytest, vitest and Node."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

VITEST_CONFIGS = ("vitest.config.ts", "vitest.workspace.ts", "vite.config.ts")
WEB_FOLDERS = ("main-web", "main-web/shared", "guru-web")
NODE_TESTS = "infra/auth-emulator"
NODE_TEST = re.compile(r"""^\s*(?:test|it)\(\s*(["'`])(.+?)\1""", re.MULTILINE)


class CollectionError(Exception):
    """A test runner could not list its tests."""


def _output(argv: Sequence[str], folder: Path) -> str:
    done = subprocess.run(argv, cwd=folder, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
    if done.returncode != 0:
        raise CollectionError(f"{' '.join(argv)} failed:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return done.stdout


def without_parameters(test_id: str) -> str:
    """Return a pytest id without its parameters: `a.py::test_b[1-x]` becomes `a.py::test_b`."""
    return test_id.split("[", 1)[0]


def pytest_ids(root: Path, marks: str = "") -> list[str]:
    """Return the ids of the Python tests that `marks` select, one per function, in the order of collection."""
    argv = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider", "-p", "no:randomly"]
    output = _output([*argv, "-m", marks] if marks else argv, root)
    return list(dict.fromkeys(without_parameters(line) for line in output.splitlines() if "::" in line))


def vitest_ids(root: Path) -> list[str]:
    """Return the ids of the web tests as `file::suite > test`, from the root's vitest workspace if there is one."""
    has_workspace = any((root / name).exists() for name in VITEST_CONFIGS)
    folders = ("",) if has_workspace else WEB_FOLDERS
    ids: list[str] = []
    for folder in folders:
        # npx prints notices before the list.
        output = _output(["npx", "--no-install", "vitest", "list", "--json"], root / folder)
        for test in json.loads(output[output.index("[\n") :]):
            path = Path(test["file"]).resolve().relative_to(root.resolve()).as_posix()
            ids.append(f"{path}::{test['name']}")
    return ids


def node_ids(root: Path) -> list[str]:
    """Return the ids of the tests that `node --test` runs, read from their source: Node cannot list them."""
    ids: list[str] = []
    for path in sorted((root / NODE_TESTS).glob("*.test.js")):
        names = [match[2] for match in NODE_TEST.finditer(path.read_text(encoding="utf-8"))]
        ids += [f"{NODE_TESTS}/{path.name}::{name}" for name in names]
    return ids


def all_ids(root: Path) -> list[str]:
    """Return the ids of all tests of the checkout at `root`, sorted. Its packages must be installed."""
    return sorted({*pytest_ids(root), *vitest_ids(root), *node_ids(root)})
