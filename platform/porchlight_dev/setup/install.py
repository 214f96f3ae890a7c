"""From Python and Node to a built product: `make setup` and the first part of `make run`.

Run by bootstrap.py with the system's Python, so it uses the standard library alone. Python and npm packages are
installed at the same time, and so are both webs built. Work whose inputs are unchanged is not repeated.
"""

from __future__ import annotations

import argparse
import contextlib
import fcntl
import os
import shutil
import signal
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_EXCEPTION, Future, ThreadPoolExecutor, wait
from pathlib import Path
from types import FrameType

from porchlight_dev.setup.python_packages import PythonPackages
from porchlight_dev.setup.steps import InstallSteps, Interrupted, SetupError
from porchlight_dev.setup.web_packages import BUILDS, WebPackages, check_node

ROOT = Path(__file__).resolve().parents[3]
LOGS = ROOT / "artifacts" / "setup"
# The packages and builds of a first setup, with a reserve.
FIRST_SETUP_BYTES = 2_500_000_000
LATER_SETUP_BYTES = 500_000_000


def check_disk(root: Path) -> None:
    """Raise SetupError when the disk is too full for the setup."""
    is_first = not ((root / ".venv").exists() and (root / "node_modules").exists())
    required = FIRST_SETUP_BYTES if is_first else LATER_SETUP_BYTES
    free = shutil.disk_usage(root).free
    if free < required:
        raise SetupError(
            f"The disk of {root} is nearly full ({free // 1_000_000} MB free, {required // 1_000_000} MB needed): "
            "free some space and try again."
        )


@contextlib.contextmanager
def exclusive() -> Iterator[None]:
    """Lock the checkout for this setup. A second setup waits."""
    try:
        LOGS.mkdir(parents=True, exist_ok=True)
        lock = (LOGS / "lock").open("a")
    except OSError as error:
        raise SetupError(
            f"{LOGS} cannot be written ({error.strerror}): fix the permissions of the checkout."
        ) from error
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            print("Waiting for another setup of this checkout.", flush=True)  # noqa: T201
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def setup(*, dev: bool) -> None:
    """Install and build everything that the product needs, with `dev` also the tools of checks and tests."""
    check_node()
    check_disk(ROOT)
    with exclusive():
        steps = InstallSteps(ROOT, LOGS)
        python = PythonPackages(ROOT, ROOT / ".venv", steps)
        web = WebPackages(ROOT, steps)
        with ThreadPoolExecutor() as threads:
            python_done = threads.submit(python.install, dev=dev)
            web_done = threads.submit(web.install, dev=dev)

            def build(name: str) -> None:
                web_done.result()
                web.build(name, before_compress=python_done.result)

            builds = [threads.submit(build, name) for name in BUILDS]
            wait_for_all([python_done, web_done, *builds], steps)


def wait_for_all(futures: Sequence[Future[None]], steps: InstallSteps) -> None:
    """Show progress until all futures are done. The first error ends the others and is raised."""

    def is_finished() -> bool:
        done, pending = wait(futures, timeout=0, return_when=FIRST_EXCEPTION)
        return not pending or any(future.exception() for future in done)

    try:
        steps.show_until(is_finished)
    finally:
        steps.interrupt()
    errors = [error for future in futures if (error := future.exception()) is not None]
    for error in sorted(errors, key=lambda error: isinstance(error, Interrupted)):
        raise error


def clean_state(state: Path) -> None:
    """Delete a state folder and the database data that it keeps elsewhere. Raises SetupError."""
    if not state.exists():
        return
    if not (state / "porchlight.json").exists():
        raise SetupError(f"{state} is not a state folder of Porchlight: delete it yourself if you want to.")
    for name in ("lock", "postgres/lock"):
        with contextlib.suppress(FileNotFoundError), (state / name).open("r+") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise SetupError(f"Porchlight is running from {state}: stop it first.") from None
    with contextlib.suppress(FileNotFoundError):
        data = Path((state / "postgres" / "location").read_text().strip())
        shutil.rmtree(data, ignore_errors=True)
        data.with_suffix(".owner").unlink(missing_ok=True)
    shutil.rmtree(state)
    print(f"Deleted {state}.", flush=True)  # noqa: T201


def exit_on_sigterm(number: int, _frame: FrameType | None) -> None:
    """End the setup and its commands as Ctrl-C does."""
    raise SystemExit(128 + number)


def demo_command(options: argparse.Namespace) -> list[str]:
    """Return the command that starts the product after the setup."""
    common = ["--port", options.port, "--state", str(options.state.absolute())]
    common += ["--no-seed"] if options.no_seed else []
    if options.command == "dev":
        return [str(ROOT / ".venv" / "bin" / "python"), "-m", "porchlight_dev.demo", *common]
    common += ["--tls-port", options.tls_port] if options.tls_port else []
    return [str(ROOT / ".venv" / "bin" / "porchlight"), "demo", *common]


def main() -> int:
    """Run the command line; return the exit code."""
    parser = argparse.ArgumentParser(prog="bootstrap.py", description="Set up Porchlight and start it.")
    commands = parser.add_subparsers(dest="command", required=True)
    for name in ("setup", "run", "dev"):
        command = commands.add_parser(name)
        command.add_argument("--dev", action="store_true", help="include the tools of checks and tests")
        add_start_options(command)
    commands.add_parser("clean-state").add_argument("--state", type=Path, default=ROOT / ".state")
    options = parser.parse_args()

    signal.signal(signal.SIGTERM, exit_on_sigterm)
    try:
        if options.command == "clean-state":
            clean_state(options.state.absolute())
            return 0
        setup(dev=options.dev)
    except SetupError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    except KeyboardInterrupt:
        sys.stderr.write("\nStopped.\n")
        return 130
    if options.command in ("run", "dev"):
        command_line = demo_command(options)
        os.execv(command_line[0], command_line)  # noqa: S606 - the product replaces this process
    return 0


def add_start_options(command: argparse.ArgumentParser) -> None:
    """Add the options of the commands that start the product."""
    command.add_argument("--port", default="8000")
    command.add_argument("--tls-port")
    command.add_argument("--no-seed", action="store_true")
    command.add_argument("--state", type=Path, default=ROOT / ".state")
