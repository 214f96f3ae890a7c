"""Runs tasks in parallel and reports every failure at the end."""

from __future__ import annotations

import itertools
import os
import re
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from porchlight_dev.environment import BIN, ROOT

# Test runners use this many worker processes. Tests wait a lot for servers: three workers keep two cores busy, two
# used 40 % of them.
WORKERS = 3
# A static check runs beside each runner of tests.
SLOTS = WORKERS + 1
MAX_FAILURE_LINES = 80
# How long the rest of the output of an ended task is read. A process that it left behind keeps the pipe open.
REST_OF_OUTPUT_SECONDS = 10
# The line with which pytest or vitest names a failed test at its end. It is repeated with the lines after it, because a
# CI log may keep only its last lines, and a failed browser test prints its whole page there.
FAILED_TEST = re.compile(r"(?:FAILED|ERROR) \S+\.py\b| *FAIL  ")
MAX_REPEATED_TESTS = 10
LINES_OF_TEST = 7
MAX_LINE_CHARACTERS = 300
# Many times what the slowest suite takes.
TIMEOUT_SECONDS = 3000.0

_print_lock = threading.Lock()


@dataclass(frozen=True, slots=True)
class Task:
    """One command of a run.

    `fix` says what to do when it fails. `summary` matches the output lines that are repeated at the end. A `live` task
    shows its output while it runs; others only when they fail. A task occupies `slots` of SLOTS. After
    `timeout_seconds`, it is killed, so that the run ends with its report; None means no limit.
    """

    name: str
    argv: Sequence[str]
    fix: str = ""
    summary: str | None = None
    live: bool = False
    slots: int = 1
    timeout_seconds: float | None = TIMEOUT_SECONDS
    env: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Result:
    """The end of a task."""

    task: Task
    passed: bool
    output: list[str]
    seconds: float

    @property
    def summary(self) -> str:
        """The summary lines of the test runner as one line."""
        pattern = self.task.summary
        if pattern is None:
            return ""
        summary_lines = [line.strip().strip("= ") for line in self.output if re.match(pattern, line)]
        return ": " + ("; ".join(summary_lines) or "no summary, it did not finish")

    @property
    def failed_tests(self) -> list[str]:
        """The lines that name the failed tests and say how they failed."""
        if self.passed or self.task.summary is None:
            return []
        starts = [index for index, line in enumerate(self.output) if FAILED_TEST.match(line)]
        lines: list[str] = []
        for start, end in itertools.zip_longest(starts, starts[1:]):
            lines += self.output[start : min(end or len(self.output), start + LINES_OF_TEST)]
        return [line.strip()[:MAX_LINE_CHARACTERS] for line in lines[: MAX_REPEATED_TESTS * LINES_OF_TEST]]

    def __str__(self) -> str:
        return f"{'ok    ' if self.passed else 'FAILED'} {self.task.name} ({self.seconds:.1f} s){self.summary}"


def write(text: str) -> None:
    """Print `text` at once. Lines of parallel tasks do not mix."""
    with _print_lock:
        sys.stdout.write(text)
        sys.stdout.flush()


def run_task(task: Task) -> Result:
    """Run one task to its end."""
    started = time.monotonic()
    if task.live:
        write(f"[{task.name}] $ {' '.join(task.argv).replace(f'{ROOT}/', '')}\n")
    path = f"{BIN}{os.pathsep}{os.environ.get('PATH', os.defpath)}"
    process = subprocess.Popen(
        task.argv,
        cwd=ROOT,
        env={**os.environ, "PATH": path, "NO_COLOR": "1", "PYTHONUNBUFFERED": "1", **task.env},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
    )
    output: list[str] = []

    def read_output() -> None:
        if process.stdout is None:
            raise RuntimeError("Popen did not open the pipe")
        with process.stdout as lines:
            for line in lines:
                output.append(line.rstrip("\n"))
                if task.live:
                    write(f"[{task.name}] {line}")

    reader = threading.Thread(target=read_output, daemon=True)
    reader.start()
    try:
        passed = process.wait(task.timeout_seconds) == 0
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
        passed = False
    reader.join(REST_OF_OUTPUT_SECONDS)
    result = Result(task, passed, list(output), time.monotonic() - started)
    write(f"{result}\n")
    return result


class Slots:
    """A semaphore from which a task takes several slots at once, in the order of `acquire` calls."""

    def __init__(self, total: int) -> None:
        self._free = total
        self._total = total
        self._condition = threading.Condition()

    def acquire(self, count: int) -> int:
        """Wait for `count` slots (at most all of them); return how many were taken."""
        count = min(count, self._total)
        with self._condition:
            self._condition.wait_for(lambda: self._free >= count)
            self._free -= count
        return count

    def release(self, count: int) -> None:
        """Return `count` slots."""
        with self._condition:
            self._free += count
            self._condition.notify_all()


def run_tasks(tasks: Sequence[Task]) -> int:
    """Run all tasks, started in their order, and report them; return the exit code."""
    started = time.monotonic()
    slots = Slots(SLOTS)
    results: list[Result] = []

    def run(task: Task, taken: int) -> None:
        try:
            results.append(run_task(task))
        finally:
            slots.release(taken)

    waiting = list(tasks)
    with ThreadPoolExecutor(SLOTS) as threads:
        futures = []
        while waiting:
            task = waiting.pop(0)
            futures.append(threads.submit(run, task, slots.acquire(task.slots)))
    for future in futures:
        future.result()
    results.sort(key=lambda result: list(tasks).index(result.task))
    report(results, time.monotonic() - started)
    return 0 if all(result.passed for result in results) else 1


def report(results: Sequence[Result], seconds: float) -> None:
    """Print the output of failed tasks, one line per task, and the totals."""
    failed = [result for result in results if not result.passed]
    for result in failed:
        visible_lines = [] if result.task.live else result.output[-MAX_FAILURE_LINES:]
        left_out = 0 if result.task.live else len(result.output) - len(visible_lines)
        write(f"\n--- {result.task.name}\n")
        write(f"({left_out} earlier lines left out)\n" if left_out else "")
        write("".join(f"{line}\n" for line in visible_lines))
        write(f"--> {result.task.fix}.\n" if result.task.fix else "")
    write("\n=== closing lines\n")
    for result in results:
        write(f"{result}\n")
        write("".join(f"    {line}\n" for line in result.failed_tests))
    minutes, rest = divmod(int(seconds), 60)
    write(f"Finished in {minutes} min {rest} s.\n")
    write(f"{len(results) - len(failed)} of {len(results)} checks passed.\n")
