"""The virtual environment and the Python packages of the lock files, installed with uv."""

from __future__ import annotations

import ast
import contextlib
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from porchlight_dev.setup.stamps import Stamp, hash_inputs
from porchlight_dev.setup.steps import InstallSteps, SetupError

RUN_LOCK, DEV_LOCK = "requirements.lock", "requirements-dev.lock"
MIN_UV = (0, 5)
SOURCE_FOLDERS = ("tenants", "sites", "platform")
# uv does not read pip's settings, in which a machine names its mirror or its certificates.
UV_VARIABLES = {
    "index-url": "UV_DEFAULT_INDEX",
    "extra-index-url": "UV_INDEX",
    "find-links": "UV_FIND_LINKS",
    "cert": "SSL_CERT_FILE",
}


class PythonPackages:
    """The environment `venv` with the packages of the checkout `root`."""

    def __init__(self, root: Path, venv: Path, steps: InstallSteps) -> None:
        self._root = root
        self._venv = venv
        self._steps = steps

    @property
    def python(self) -> Path:
        """The environment's Python."""
        return self._venv / "bin" / "python"

    def install(self, *, dev: bool) -> None:
        """Install exactly the packages of the lock and the product itself. Raises SetupError."""
        lock = self._root / (DEV_LOCK if dev else RUN_LOCK)
        stamp = Stamp(self._venv / "porchlight.stamp")
        hashes = {name: f"{name} {hash_inputs(self._root, self._inputs(name))}" for name in (DEV_LOCK, RUN_LOCK)}
        # The development lock contains all packages of the other one.
        sufficient = {hashes[DEV_LOCK], hashes[lock.name]}
        if stamp.read() in sufficient and self._is_usable() and (self._venv / "bin" / "porchlight").exists():
            self._steps.print_up_to_date("Python packages")
            return
        stamp.clear()
        uv = find_uv(self._venv)
        if not self._is_usable():
            self._create_venv(uv)
        if uv is None:
            self._install_uv(lock)
            uv = str(self._venv / "bin" / "uv")
        target = ["--quiet", "--python", str(self.python)]
        self._steps.run(
            "Python packages",
            [
                [uv, "pip", "sync", *target, "--require-hashes", "--compile-bytecode", str(lock)],
                # Every build dependency is in the lock, so no package outside of it is downloaded.
                [uv, "pip", "install", *target, "--no-deps", "--no-build-isolation", "--editable", str(self._root)],
                # Also where PYTHONDONTWRITEBYTECODE is set: each start would compile the product again.
                [str(self.python), "-m", "compileall", "-q", *(str(self._root / name) for name in SOURCE_FOLDERS)],
            ],
            "python",
            env=uv_settings(pip_settings()),
            progress=self._progress(lock),
        )
        stamp.write(hashes[lock.name])

    def _inputs(self, lock: str) -> list[Path]:
        return [self._root / lock, self._root / "pyproject.toml"]

    def _is_usable(self) -> bool:
        """Return whether the environment has a supported Python."""
        probe = "import sys; sys.exit(sys.version_info < (3, 11))"
        with contextlib.suppress(OSError, subprocess.TimeoutExpired):
            return subprocess.run([self.python, "-c", probe], timeout=60, check=False).returncode == 0
        return False

    def _create_venv(self, uv: str | None) -> None:
        command = [sys.executable, "-m", "venv", "--clear", str(self._venv)]
        if uv is not None:
            command = [uv, "venv", "--quiet", "--clear", "--python", sys.executable, str(self._venv)]
        elif importlib.util.find_spec("ensurepip") is None:
            raise SetupError(
                f"{sys.executable} cannot create virtual environments: install its venv package "
                "(Debian: apt-get install python3-venv)."
            )
        self._steps.run("Python environment", [command], "venv")

    def _install_uv(self, lock: Path) -> None:
        """Install the locked release of uv with pip."""
        requirement = re.search(r"^uv==.*?(?=^\S|\Z)", lock.read_text(), re.MULTILINE | re.DOTALL)
        if requirement is None:
            raise SetupError(f"{lock} does not contain uv: run `make lock`.")
        if subprocess.run([self.python, "-c", "import pip"], capture_output=True, check=False).returncode != 0:
            self._create_venv(None)
        with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
            file.write(requirement[0])
            file.flush()
            pip = [str(self.python), "-m", "pip", "install", "--quiet", "--no-deps", "--require-hashes"]
            self._steps.run("Package installer", [[*pip, "-r", file.name]], "uv")

    def _progress(self, lock: Path) -> Callable[[], str]:
        total = len(re.findall(r"^[A-Za-z0-9]", lock.read_text(), re.MULTILINE))

        def progress() -> str:
            installed = len(list(self._venv.glob("lib/python*/site-packages/*.dist-info")))
            return f"{installed} of {total}" if installed else "downloading"

        return progress


def find_uv(venv: Path) -> str | None:
    """Return a recent uv: that of the environment, else one on PATH."""
    for candidate in (str(venv / "bin" / "uv"), shutil.which("uv")):
        with contextlib.suppress(OSError, subprocess.TimeoutExpired):
            if candidate is None:
                continue
            done = subprocess.run([candidate, "--version"], capture_output=True, text=True, timeout=60, check=False)
            version = re.match(r"uv (\d+)\.(\d+)", done.stdout)
            if done.returncode == 0 and version and (int(version[1]), int(version[2])) >= MIN_UV:
                return candidate
    return None


def pip_settings() -> str:
    """Return the output of `pip config list`, or "" without pip."""
    command = [sys.executable, "-m", "pip", "config", "list"]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout


def uv_settings(pip_config: str) -> dict[str, str]:
    """Translate `pip config list` into environment variables of uv. Variables that are set already win."""
    # pip takes the best file of all indexes. The hashes of the lock make that safe for uv as well.
    settings = {} if "UV_INDEX_STRATEGY" in os.environ else {"UV_INDEX_STRATEGY": "unsafe-best-match"}
    for name, value in re.findall(r"^(?:global|install|:env:)\.([\w-]+)=(.*)$", pip_config, re.MULTILINE):
        variable = UV_VARIABLES.get(name)
        if variable and variable not in os.environ:
            # pip prints the value as a Python string and separates several values by whitespace.
            settings[variable] = " ".join(str(ast.literal_eval(value)).split())
    return settings
