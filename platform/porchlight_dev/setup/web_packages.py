"""The npm packages and the builds of both webs."""

from __future__ import annotations

import json
import os
import platform
import re
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from porchlight_dev.setup.stamps import Stamp, hash_inputs
from porchlight_dev.setup.steps import InstallSteps, SetupError

MIN_NODE = (20, 19)
MANIFESTS = (
    "package.json",
    "package-lock.json",
    "main-web/package.json",
    "main-web/shared/package.json",
    "guru-web/package.json",
    "infra/auth-emulator/package.json",
    "infra/empty-package/package.json",
)
# For each web: the inputs of its build, and the files whose absence means that there is no whole build. The first one's
# folder is compressed.
BUILDS = {
    "main-web": (["main-web"], ("main-web/dist/index.html",)),
    "guru-web": (["guru-web", "main-web/shared"], ("guru-web/out/index.html", "guru-web/dist-ssr/server.js")),
}
SHARED_INPUTS = ("package.json", "package-lock.json", "tsconfig.base.json", "tsconfig.json")


def check_node() -> None:
    """Raise SetupError when Node or npm is missing or too old."""
    required = ".".join(map(str, MIN_NODE))
    node = shutil.which("node")
    if node is None or shutil.which("npm") is None:
        raise SetupError(f"Porchlight needs Node {required} or newer with npm: install it and try again.")
    version = subprocess.run(
        [node, "--version"], capture_output=True, text=True, timeout=60, check=False
    ).stdout.strip()
    match = re.match(r"v(\d+)\.(\d+)", version)
    if match is None or (int(match[1]), int(match[2])) < MIN_NODE:
        raise SetupError(
            f"Porchlight needs Node {required} or newer, and {node} is {version or 'unusable'}: install a newer one."
        )


class WebPackages:
    """The npm packages and builds of the checkout `root`."""

    def __init__(self, root: Path, steps: InstallSteps) -> None:
        self._root = root
        self._steps = steps
        self._stamps = root / "node_modules" / ".cache" / "porchlight"
        # Each build keeps about one core busy.
        self._build_slots = threading.Semaphore(max(1, min(len(BUILDS), available_cores())))

    def install(self, *, dev: bool) -> None:
        """Install exactly the packages of the lock; without `dev` not those of the checks and tests."""
        stamp = Stamp(self._stamps / "npm.stamp")
        inputs = hash_inputs(self._root, [self._root / name for name in MANIFESTS])
        installed = stamp.read()
        if installed in {f"dev {inputs}", f"{'dev' if dev else 'run'} {inputs}"}:
            self._steps.print_up_to_date("Web packages")
            return
        stamp.clear()
        npm = shutil.which("npm") or "npm"
        quiet = ["--prefer-offline", "--no-audit", "--no-fund"]
        command = [npm, "ci", *quiet, *([] if dev else ["--omit=dev"])]
        if installed == f"run {inputs}":
            # The same lock: npm only adds the packages that are missing.
            command = [npm, "install", "--no-save", *quiet]
        self._steps.run("Web packages", [command], "npm", progress=self._progress(dev=dev))
        stamp.write(f"{'dev' if dev else 'run'} {inputs}")

    def build(self, web: str, before_compress: Callable[[], None]) -> None:
        """Build one web and compress its files, unless its inputs are unchanged. Raises SetupError."""
        folders, results = BUILDS[web]
        stamp = Stamp(self._stamps / f"{web}.stamp")
        inputs = hash_inputs(self._root, [self._root / name for name in (*folders, *SHARED_INPUTS)])
        title = f"Build of {web}"
        if stamp.read() == inputs and not self._missing(results):
            self._steps.print_up_to_date(title)
            return
        stamp.clear()
        npm = shutil.which("npm") or "npm"
        with self._build_slots:
            # By prefix, because `-w main-web` also selects the workspaces inside that folder.
            self._steps.run(title, [[npm, "--prefix", web, "run", "build"]], web)
        if missing := self._missing(results):
            raise SetupError(f"{title} ended without creating {missing}: see its log in artifacts/setup/{web}.log.")
        before_compress()
        porchlight = str(self._root / ".venv" / "bin" / "porchlight")
        compress = [porchlight, "precompress", str((self._root / results[0]).parent)]
        self._steps.run(f"Compression of {web}", [compress], f"{web}-compression")
        stamp.write(inputs)

    def _missing(self, results: Sequence[str]) -> str:
        """Return the first of the files that does not exist, or ""."""
        return next((result for result in results if not (self._root / result).exists()), "")

    def _progress(self, *, dev: bool) -> Callable[[], str]:
        packages: dict[str, dict[str, Any]] = json.loads((self._root / "package-lock.json").read_text())["packages"]
        expected = [
            self._root / path / "package.json"
            for path, entry in packages.items()
            if path.startswith("node_modules/") and (dev or not entry.get("dev")) and is_for_this_machine(entry)
        ]
        return lambda: f"{sum(path.exists() for path in expected)} of {len(expected)}"


def is_for_this_machine(entry: dict[str, Any]) -> bool:
    """Return whether npm installs this package of the lock on this machine."""
    machine = {"x86_64": "x64", "aarch64": "arm64"}.get(platform.machine(), platform.machine())
    return sys.platform in entry.get("os", [sys.platform]) and machine in entry.get("cpu", [machine])


def available_cores() -> int:
    """Return the number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
