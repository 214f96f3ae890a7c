"""Things that are made once for all workers of one test run."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import shutil
import tempfile
import time
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psutil

PREFIX = "porchlight-tests-"
# A folder this old whose run is over was left by a killed run.
STALE_SECONDS = 600

Facts = dict[str, Any]
Stop = Callable[[], None]


@contextlib.contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold the lock file at `path` exclusively; waits for other processes."""
    with path.open("a") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


@contextlib.contextmanager
def run_folder() -> Iterator[Path]:
    """A folder every worker of this run sees, removed by the last one that leaves.

    Other accounts may pass through it: PostgreSQL runs as one of them when the tests run as root.
    """
    sweep_stale_folders()
    run = os.environ.get("PYTEST_XDIST_TESTRUNUID") or uuid.uuid4().hex
    folder = Path(tempfile.gettempdir()) / f"{PREFIX}{run}"
    folder.mkdir(mode=0o711, exist_ok=True)
    folder.chmod(0o711)
    with (folder / "users").open("a") as users:
        fcntl.flock(users, fcntl.LOCK_SH)
        yield folder
        with contextlib.suppress(BlockingIOError):
            fcntl.flock(users, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(folder, ignore_errors=True)


def sweep_stale_folders() -> None:
    """Remove what killed runs left in the temporary folder."""
    for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        with contextlib.suppress(OSError):
            if time.time() - folder.stat().st_mtime < STALE_SECONDS:
                continue
            with (folder / "users").open("a") as users:
                fcntl.flock(users, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(folder, ignore_errors=True)


@contextlib.contextmanager
def shared(folder: Path, name: str, start: Callable[[], tuple[Facts, Stop]]) -> Iterator[Facts]:
    """One running thing for all workers: whoever comes first starts it, and stops it when the others have left.

    `start` returns what the others need to know (JSON) and how to stop the thing. It runs in the first worker, in
    the calling thread. A thing whose worker died is started anew by the next who asks.
    """
    facts_file = folder / f"{name}.json"
    stop: Stop | None = None
    with (folder / f"{name}.users").open("a") as users:
        with locked(folder / f"{name}.gate"):
            fcntl.flock(users, fcntl.LOCK_SH)
            facts = _kept(facts_file)
            if facts is None:
                facts, stop = start()
                fresh = facts_file.with_suffix(".new")
                fresh.write_text(json.dumps({"starter": os.getpid(), "facts": facts}))
                fresh.rename(facts_file)
        try:
            yield facts
        finally:
            if stop is not None:
                fcntl.flock(users, fcntl.LOCK_EX)
                facts_file.unlink(missing_ok=True)
                stop()


def _kept(facts_file: Path) -> Facts | None:
    with contextlib.suppress(FileNotFoundError):
        kept: Facts = json.loads(facts_file.read_text())
        if psutil.pid_exists(kept["starter"]):
            facts: Facts = kept["facts"]
            return facts
    return None
