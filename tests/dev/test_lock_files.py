"""The lock files: complete, and without addresses of package indexes."""

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


def normalized_names(requirements: list[str]) -> set[str]:
    """Return the normalized names of requirements."""
    return {re.sub(r"[-_.]+", "-", re.split(r"[\[<>=;! ~]", line)[0]).lower() for line in requirements}


def locked_names(name: str) -> set[str]:
    return normalized_names(
        [line for line in (ROOT / name).read_text().splitlines() if re.match(r"^[A-Za-z0-9]", line)]
    )


def npm_packages() -> dict[str, dict[str, Any]]:
    packages: dict[str, dict[str, Any]] = json.loads((ROOT / "package-lock.json").read_text())["packages"]
    return packages


@pytest.mark.parametrize(
    ("lock", "extras"), [("requirements.lock", ["local"]), ("requirements-dev.lock", ["local", "dev"])]
)
def test_python_locks_contain_all_requirements(lock: str, extras: list[str]) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    required = normalized_names(project["dependencies"])
    for extra in extras:
        required |= normalized_names(project["optional-dependencies"][extra])
    assert required - locked_names(lock) == set()


@pytest.mark.parametrize("lock", ["requirements.lock", "requirements-dev.lock"])
def test_python_locks_have_hashes_and_no_urls(lock: str) -> None:
    text = (ROOT / lock).read_text()
    assert "://" not in text
    assert not re.search(r"^\s*(-i|-f|--index-url|--extra-index-url|--find-links)", text, re.MULTILINE)
    # Each requirement has one version and the hashes of its files.
    for requirement in re.split(r"\n(?=[A-Za-z0-9])", text.strip()):
        assert re.match(r"^[A-Za-z0-9][\w.\[\]-]*==\S+", requirement), requirement
        assert "--hash=sha256:" in requirement, requirement


def test_python_locks_agree_on_versions() -> None:
    def versions(lock: str) -> dict[str, str]:
        return dict(re.findall(r"^([A-Za-z0-9][\w.-]*)==([^\s;\\]+)", (ROOT / lock).read_text(), re.MULTILINE))

    product, development = versions("requirements.lock"), versions("requirements-dev.lock")
    assert {name: development.get(name) for name in product} == product


def test_npm_lock_has_no_urls() -> None:
    with_url = {
        name: entry["resolved"]
        for name, entry in npm_packages().items()
        if "resolved" in entry and not entry.get("link")
    }
    assert with_url == {}


def imported(folder: Path) -> dict[str, str]:
    """Return the top-level modules that `folder` imports, each with a file that imports it."""
    modules: dict[str, str] = {}
    for path in folder.rglob("*.py"):
        if path.parent.name == "training":
            continue  # needs torch, which is in no lock file
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
                names = [node.module]
            else:
                continue
            modules |= {name.split(".")[0]: str(path.relative_to(ROOT)) for name in names}
    return modules


def test_run_lock_contains_all_imported_packages() -> None:
    """Check the imports, because a package outside of the lock is missing on every other machine."""
    own = {"tenants", "sites", "porchlight", "porchlight_dev"}
    in_lock = locked_names("requirements.lock")
    distributions = packages_distributions()
    missing = {
        module: path
        for package in ("tenants", "sites", "platform/porchlight", "platform/porchlight_dev")
        for module, path in imported(ROOT / package).items()
        if module not in own and module not in sys.stdlib_module_names
        if not in_lock & normalized_names(distributions.get(module, [module]))
    }
    assert missing == {}
