"""The API for `make dev`: it restarts within a second or two after a change of the code.

Most of the start time is the import of third-party packages. The parent process imports them once, and each start is a
fork of it that imports only the product's own modules.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from types import FrameType

from porchlight_dev.environment import ROOT

SOURCE_FOLDERS = (ROOT / "tenants", ROOT / "sites", ROOT / "platform" / "porchlight")
# A changed template or SQL file needs a restart as well.
SOURCE_SUFFIXES = (".py", ".j2", ".sql")
PRODUCT_PACKAGES = ("tenants", "sites", "porchlight", "porchlight_dev", "__main__")
POLL_INTERVAL_SECONDS = 0.25
LIST_MODULES = "import sys, porchlight.app, porchlight.cli.main, porchlight.server; print(*sys.modules, sep='\\n')"


def third_party_modules() -> list[str]:
    """Return the modules that the product imports, without its own. Empty while the product cannot be imported."""
    done = subprocess.run([sys.executable, "-c", LIST_MODULES], cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        return []
    return [name for name in done.stdout.split() if name.partition(".")[0] not in PRODUCT_PACKAGES]


def source_snapshot(folders: Sequence[Path] = SOURCE_FOLDERS) -> dict[Path, int]:
    """Return the modification time (ns) of each source file."""
    snapshot = {}
    for folder in folders:
        for path in folder.rglob("*"):
            if path.suffix in SOURCE_SUFFIXES:
                with contextlib.suppress(FileNotFoundError):
                    snapshot[path] = path.stat().st_mtime_ns
    return snapshot


def start_server(argv: Sequence[str]) -> int:
    """Fork a server that runs `porchlight serve`; return its pid."""
    sys.stdout.flush()
    pid = os.fork()
    if pid != 0:
        return pid
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    try:
        from porchlight.cli.main import app

        app(["serve", *argv], prog_name="porchlight")
    except SystemExit as ended:
        os._exit(ended.code if isinstance(ended.code, int) else 1)
    except BaseException:
        sys.excepthook(*sys.exc_info())
        os._exit(1)
    os._exit(0)


def wait_for_change(before: dict[Path, int]) -> dict[Path, int]:
    """Return the new snapshot once a source file differs from `before`."""
    while True:
        time.sleep(POLL_INTERVAL_SECONDS)
        now = source_snapshot()
        if now != before:
            return now


def stop_server(pid: int) -> None:
    """Kill the server and wait for it. Requests in progress are lost, as a developer expects of a reload."""
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)
    with contextlib.suppress(ChildProcessError):
        os.waitpid(pid, 0)


def exit_on_sigterm(_number: int, _frame: FrameType | None) -> None:
    """End the parent; its `finally` stops the server."""
    raise SystemExit(0)


def main() -> None:
    """Serve until SIGTERM, and restart after each change."""
    parser = argparse.ArgumentParser(prog="porchlight_dev.reload")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", required=True)
    options = parser.parse_args()
    argv = ["--host", options.host, "--port", options.port]
    signal.signal(signal.SIGTERM, exit_on_sigterm)
    # Unchanged modules start from bytecode, even where PYTHONDONTWRITEBYTECODE is set.
    sys.dont_write_bytecode = False
    for name in third_party_modules():
        with contextlib.suppress(Exception):  # a module that cannot be imported alone is imported by the server
            importlib.import_module(name)
    snapshot = source_snapshot()
    while True:
        pid = start_server(argv)
        try:
            snapshot = wait_for_change(snapshot)
        finally:
            stop_server(pid)
        print("The code has changed. Restarting the API.", flush=True)  # noqa: T201 - the service's log


if __name__ == "__main__":
    main()
