"""The lock files: whole, and without anybody's address in them."""

from __future__ import annotations

import ast
import json
import re
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]


def named(requirements: list[str]) -> set[str]:
    """Normalised names of requirements."""
    return {re.sub(r"[-_.]+", "-", re.split(r"[\[<>=;! ~]", line)[0]).lower() for line in requirements}


def locked(name: str) -> set[str]:
    return named([line for line in (ROOT / name).read_text().splitlines() if re.match(r"^[A-Za-z0-9]", line)])


def npm_packages() -> dict[str, dict[str, Any]]:
    packages: dict[str, dict[str, Any]] = json.loads((ROOT / "package-lock.json").read_text())["packages"]
    return packages


@pytest.mark.parametrize(
    ("lock", "extras"), [("requirements.lock", ["local"]), ("requirements-dev.lock", ["local", "dev"])]
)
def test_the_python_locks_hold_what_the_project_asks_for(lock: str, extras: list[str]) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    asked = named(project["dependencies"])
    for extra in extras:
        asked |= named(project["optional-dependencies"][extra])
    assert asked - locked(lock) == set()


@pytest.mark.parametrize("lock", ["requirements.lock", "requirements-dev.lock"])
def test_the_python_locks_have_hashes_and_no_addresses(lock: str) -> None:
    text = (ROOT / lock).read_text()
    assert "://" not in text
    assert not re.search(r"^\s*(-i|-f|--index-url|--extra-index-url|--find-links)", text, re.MULTILINE)
    # Each requirement: one version, and what its files must hash to.
    for requirement in re.split(r"\n(?=[A-Za-z0-9])", text.strip()):
        assert re.match(r"^[A-Za-z0-9][\w.\[\]-]*==\S+", requirement), requirement
        assert "--hash=sha256:" in requirement, requirement


def test_what_development_and_the_product_share_is_the_same_version() -> None:
    def versions(lock: str) -> dict[str, str]:
        return dict(re.findall(r"^([A-Za-z0-9][\w.-]*)==([^\s;\\]+)", (ROOT / lock).read_text(), re.MULTILINE))

    product, development = versions("requirements.lock"), versions("requirements-dev.lock")
    assert {name: development.get(name) for name in product} == product


def test_the_web_lock_has_no_addresses() -> None:
    addressed = {
        name: entry["resolved"]
        for name, entry in npm_packages().items()
        if "resolved" in entry and not entry.get("link")
    }
    assert addressed == {}


def imported(folder: Path) -> dict[str, str]:
    """Top-level modules imported anywhere in `folder`, each with a file that does."""
    found: dict[str, str] = {}
    for path in folder.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
                names = [node.module]
            else:
                continue
            found |= {name.split(".")[0]: str(path.relative_to(ROOT)) for name in names}
    return found


def test_everything_the_product_imports_is_in_its_lock() -> None:
    """A package that only happens to be installed here is missing on every other machine."""
    ours = {"tenants", "sites", "porchlight"}
    held = locked("requirements.lock")
    distributions = packages_distributions()
    missing = {
        module: path
        for room in ("tenants", "sites", "platform/porchlight")
        for module, path in imported(ROOT / room).items()
        if module not in ours and module not in sys.stdlib_module_names
        if not held & named(distributions.get(module, [module]))
    }
    assert missing == {}
