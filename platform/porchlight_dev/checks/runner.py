"""Runs tasks in parallel, each as soon as its slots are free."""

from __future__ import annotations

import os
import subprocess
import threading
import time
from collections.abc import Collection, Sequence
from concurrent.futures import ThreadPoolExecutor

from porchlight_dev.checks.output import OutputReader, write
from porchlight_dev.checks.report import report
from porchlight_dev.checks.rerun import run_with_second_try
from porchlight_dev.checks.task import Result, Task
from porchlight_dev.environment import BIN, ROOT

# Test runners use this many worker processes. Tests wait a lot for servers: three workers keep two cores busy, two
# used 40 % of them.
WORKERS = 3
# A static check or a small suite runs beside each runner of tests.
SLOTS = WORKERS + 1
# How long the rest of the output of an ended task is read. A process that it left behind keeps the pipe open.
REST_OF_OUTPUT_SECONDS = 10
POLL_SECONDS = 1.0


def run_task(task: Task) -> Result:
    """Run one task to its end, a suite of tests with a second try."""
    result = run_once(task) if task.framework is None else run_with_second_try(task, run_once)
    write(f"{result}\n")
    return result


def run_once(task: Task) -> Result:
    """Run the command of a task."""
    started = time.monotonic()
    if task.live:
        write(f"[{task.name}] $ {' '.join(task.argv).replace(f'{ROOT}/', '')}\n")
    path = f"{BIN}{os.pathsep}{os.environ.get('PATH', os.defpath)}"
    process = subprocess.Popen(
        task.argv,
        cwd=task.folder,
        env={**os.environ, "PATH": path, "NO_COLOR": "1", "PYTHONUNBUFFERED": "1", **task.env},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    if process.stdout is None:
        raise RuntimeError("Popen did not open the pipe")
    reader = OutputReader(process.stdout, lambda line: write(f"[{task.name}] {line}\n") if task.live else None)
    passed = _wait(task, process, reader)
    reader.finish(REST_OF_OUTPUT_SECONDS)
    return Result(task, passed, list(reader.lines), time.monotonic() - started)


def _wait(task: Task, process: subprocess.Popen[bytes], reader: OutputReader) -> bool:
    """Wait for the end; kill the process when it has printed nothing for too long. Return whether it succeeded."""
    while True:
        try:
            return process.wait(POLL_SECONDS) == 0
        except subprocess.TimeoutExpired:
            if task.silence_seconds is not None and reader.silent_seconds > task.silence_seconds:
                write(f"[{task.name}] printed nothing for {task.silence_seconds:g} s and was stopped\n")
                process.kill()
                process.wait()
                return False


class Schedule:
    """Tasks that wait for slots. The first one that fits is next, so that short ones run beside a long one."""

    def __init__(self, tasks: Sequence[Task], slots: int) -> None:
        self._waiting = list(tasks)
        self._slots = slots
        self._free = slots
        self._changed = threading.Condition()

    def next(self) -> tuple[Task, int] | None:
        """Wait for a task that fits; return it with the slots that it takes, or None after the last one."""
        with self._changed:
            while self._waiting:
                for index, task in enumerate(self._waiting):
                    count = min(task.slots, self._slots)
                    if count <= self._free:
                        self._free -= count
                        return self._waiting.pop(index), count
                self._changed.wait()
        return None

    def release(self, count: int) -> None:
        """Return the slots of a task that has ended."""
        with self._changed:
            self._free += count
            self._changed.notify_all()


def run_tasks(tasks: Sequence[Task], *, gate: Collection[Task] | None = None) -> int:
    """Run all tasks and report them; return the exit code.

    With `gate`, the report ends with the failures of the other tasks that none of these showed.
    """
    started = time.monotonic()
    schedule = Schedule(tasks, SLOTS)
    results: list[Result] = []

    def run(task: Task, taken: int) -> None:
        try:
            results.append(run_task(task))
        finally:
            schedule.release(taken)

    with ThreadPoolExecutor(SLOTS) as threads:
        futures = []
        while entry := schedule.next():
            futures.append(threads.submit(run, *entry))
    for future in futures:
        future.result()
    order = list(tasks)
    results.sort(key=lambda result: order.index(result.task))
    report(results, time.monotonic() - started, gate)
    return 0 if all(result.passed for result in results) else 1
