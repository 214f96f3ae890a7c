"""Forked workers: they are replaced when they end, and end with their parent. Without a server and a database."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from tests.fixtures.product import eventually, is_running

# Each worker waits for a signal or the end of its parent, unless a file tells it how to end.
GROUP = """
import os, select, signal, sys
from pathlib import Path
from porchlight.workers import WorkerGroup
folder = Path(sys.argv[1])
def work(parent_ended):
    for name, code in (("broken", 3), ("short", 1)):
        if (folder / name).exists():
            return code
    (folder / f"worker-{os.getpid()}").touch()
    select.select([parent_ended], [], [])
    (folder / "orphan").touch()
    return 0
sys.exit(WorkerGroup(2, work).run())
"""


@pytest.fixture
def group(tmp_path: Path) -> Iterator[subprocess.Popen[bytes]]:
    process = subprocess.Popen([sys.executable, "-c", GROUP, str(tmp_path)], start_new_session=True)
    eventually("two workers run", lambda: len(workers(process, tmp_path)) == 2)
    yield process
    process.kill()
    process.wait()


def workers(group: subprocess.Popen[bytes], folder: Path) -> set[int]:
    """Return the pids of the workers that are at work."""
    pids = {child.pid for child in psutil.Process(group.pid).children() if is_running(child)}
    return {pid for pid in pids if (folder / f"worker-{pid}").exists()}


def test_killed_worker_is_replaced(group: subprocess.Popen[bytes], tmp_path: Path) -> None:
    killed, kept = sorted(workers(group, tmp_path))
    os.kill(killed, signal.SIGKILL)
    eventually("two workers run again", lambda: len(workers(group, tmp_path) - {killed}) == 2)
    assert kept in workers(group, tmp_path)


def test_stopped_worker_is_left_alone(group: subprocess.Popen[bytes], tmp_path: Path) -> None:
    """A worker that does not answer, as on a busy machine, keeps its place."""
    before = workers(group, tmp_path)
    stopped, killed = sorted(before)
    os.kill(stopped, signal.SIGSTOP)
    os.kill(killed, signal.SIGKILL)
    eventually("the killed worker is replaced", lambda: len(workers(group, tmp_path) - {killed}) == 2)
    assert stopped in workers(group, tmp_path)
    os.kill(stopped, signal.SIGCONT)


@pytest.mark.parametrize("order", [signal.SIGTERM, signal.SIGINT])
def test_signal_ends_group_with_its_workers(
    group: subprocess.Popen[bytes], tmp_path: Path, order: signal.Signals
) -> None:
    before = [psutil.Process(pid) for pid in workers(group, tmp_path)]
    group.send_signal(order)
    assert group.wait() == 0
    assert not any(is_running(worker) for worker in before)


def test_sighup_replaces_all_workers(group: subprocess.Popen[bytes], tmp_path: Path) -> None:
    before = workers(group, tmp_path)
    group.send_signal(signal.SIGHUP)
    eventually("two new workers run", lambda: len(workers(group, tmp_path) - before) == 2)
    assert group.poll() is None


def test_worker_that_cannot_start_ends_group(group: subprocess.Popen[bytes], tmp_path: Path) -> None:
    (tmp_path / "broken").touch()
    os.kill(min(workers(group, tmp_path)), signal.SIGKILL)
    assert group.wait() == 3


def test_short_lived_worker_is_started_again(group: subprocess.Popen[bytes], tmp_path: Path) -> None:
    (tmp_path / "short").touch()
    killed = min(workers(group, tmp_path))
    os.kill(killed, signal.SIGKILL)
    eventually("a worker is missing", lambda: len(workers(group, tmp_path)) == 1)
    (tmp_path / "short").unlink()
    eventually("two workers run again", lambda: len(workers(group, tmp_path) - {killed}) == 2)


def test_kill_of_parent_ends_workers(group: subprocess.Popen[bytes], tmp_path: Path) -> None:
    before = [psutil.Process(pid) for pid in workers(group, tmp_path)]
    group.kill()
    group.wait()
    eventually("the workers have ended", lambda: not any(is_running(worker) for worker in before))
    assert (tmp_path / "orphan").exists()
