"""(q) CPU time and wall time until `porchlight demo` is ready: on an empty state, and a second time.

With PORCHLIGHT_BASELINE=FOLDER, a built checkout of another commit starts in turns with this one. Without it, the base
is one process that imports the app: a start has three such processes, PostgreSQL, Caddy and the auth emulator.
"""

from __future__ import annotations

import contextlib
import json
import os
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from tests.bench.figures import print_figure
from tests.fixtures.ports import free_ports
from tests.fixtures.product import STOP_SECONDS, wait_while_it_lives

pytestmark = pytest.mark.bench

ROOT = Path(__file__).resolve().parents[2]
BASELINE = os.environ.get("PORCHLIGHT_BASELINE", "")
ROUNDS = 3


def cpu_seconds(process: psutil.Process) -> float:
    """Return the CPU time of a process and its descendants, ended ones included."""
    total = 0.0
    for one in [process, *process.children(recursive=True)]:
        with contextlib.suppress(psutil.NoSuchProcess):
            total += sum(one.cpu_times()[:4])
    return total


def start(checkout: Path, state: Path) -> tuple[float, float]:
    """Start the product of a checkout; return its CPU time and wall time in seconds until it is ready."""
    facts = state / "demo.json"
    argv = [str(checkout / ".venv/bin/porchlight"), "demo", "--port", str(free_ports(8)), "--state", str(state)]
    started = time.monotonic()
    with subprocess.Popen(
        argv, cwd=checkout, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
    ) as process:
        product = psutil.Process(process.pid)
        wait_while_it_lives(lambda: is_ready(facts, process))
        used, seconds = cpu_seconds(product), time.monotonic() - started
        process.send_signal(signal.SIGTERM)
        process.wait(STOP_SECONDS)
    return used, seconds


def is_ready(facts: Path, process: subprocess.Popen[bytes]) -> bool:
    """Return whether a start has written its file of facts. Raises AssertionError when the process has ended."""
    assert process.poll() is None, f"{process.args!r} ended with {process.returncode}"
    with contextlib.suppress(FileNotFoundError):
        return bool(json.loads(facts.read_text())["pid"] == process.pid)
    return False


def import_app() -> float:
    """Return the CPU time of one process that imports the app."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-c", "import porchlight.app"], check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def test_start_cpu_and_wall_time(tmp_path: Path) -> None:
    ours: list[list[tuple[float, float]]] = [[], []]
    base: list[list[tuple[float, float]]] = [[], []]
    for number in range(ROUNDS):
        for figures, checkout in ((ours, ROOT), *(((base, Path(BASELINE)),) if BASELINE else ())):
            state = tmp_path / f"{checkout.name}-{number}-{len(figures[0])}-{figures is ours}"
            for which in (0, 1):
                figures[which].append(start(checkout, state))
    imported = min(import_app() for _ in range(ROUNDS))
    for name, which, at_most in (("first start", 0, 0.45), ("second start", 1, 0.45)):
        cpu = min(used for used, _ in ours[which])
        wall = min(seconds for _, seconds in ours[which])
        if BASELINE:
            print_figure(f"(q) {name}, CPU", cpu, min(used for used, _ in base[which]), "s", at_most=at_most)
            print_figure(f"(q) {name}, wall", wall, min(seconds for _, seconds in base[which]), "s", at_most=0.5)
        else:
            print_figure(f"(q) {name}, CPU", cpu, imported, "s", note=f"{wall:.1f} s until it is ready")
