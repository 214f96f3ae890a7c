"""Installation steps: commands with their output in a log, and progress on the terminal."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

POLL_INTERVAL_SECONDS = 0.25
# Without a terminal, a line about the running steps appears this often.
REPORT_INTERVAL_SECONDS = 15.0
# npm prints these lines around its actual error.
NPM_NOISE = re.compile(
    r"^npm (error|warn)( code \S+)?$|npm warn|npm error (A complete log|Lifecycle|path|command|errno)", re.IGNORECASE
)


class SetupError(Exception):
    """One sentence for the developer: what is wrong and what to do."""


class Interrupted(Exception):
    """Another step has failed, so this one was ended."""


@dataclass(slots=True)
class RunningStep:
    """A step in progress. `progress` returns how much is done, such as `120 of 800`."""

    title: str
    progress: Callable[[], str]
    started: float = field(default_factory=time.monotonic)

    def __str__(self) -> str:
        done = self.progress()
        return f"{self.title} {time.monotonic() - self.started:.0f} s" + (f" ({done})" if done else "")


class InstallSteps:
    """Runs steps, which may overlap, and shows which ones run and how long they took.

    Worker threads call `run`; the main thread calls `show_until` and `interrupt`.
    """

    def __init__(self, root: Path, logs: Path) -> None:
        self._root = root
        self._logs = logs
        self._is_terminal = sys.stdout.isatty()
        self._lock = threading.Lock()
        self._running: list[RunningStep] = []
        self._interrupted = threading.Event()

    def print_up_to_date(self, title: str) -> None:
        """Report a step whose result exists already."""
        self._print(f"{title}: up to date")

    def run(
        self,
        title: str,
        commands: Sequence[Sequence[str]],
        log_name: str,
        *,
        env: Mapping[str, str] | None = None,
        progress: Callable[[], str] = str,
    ) -> None:
        """Run `commands` one after another. Raises SetupError when one fails."""
        self._logs.mkdir(parents=True, exist_ok=True)
        log_path = self._logs / f"{log_name}.log"
        with self._shown(RunningStep(title, progress)) as step, log_path.open("wb") as log:
            for command in commands:
                if self._run_in_group(command, log, dict(env or {})) != 0:
                    raise SetupError(f"{title} failed: {error_line(log_path)} (full log: {log_path})")
        self._print(f"{title}: {time.monotonic() - step.started:.1f} s")

    def interrupt(self) -> None:
        """End all commands."""
        self._interrupted.set()

    def show_until(self, is_done: Callable[[], bool]) -> None:
        """Show the running steps until `is_done()`."""
        reported = time.monotonic()
        while not is_done():
            time.sleep(POLL_INTERVAL_SECONDS)
            with self._lock:
                status = ", ".join(map(str, self._running))
            if self._is_terminal:
                _write(f"\r\033[K{status}"[:120])
            elif status and time.monotonic() - reported > REPORT_INTERVAL_SECONDS:
                reported = time.monotonic()
                self._print(f"... {status}")
        if self._is_terminal:
            _write("\r\033[K")

    @contextlib.contextmanager
    def _shown(self, step: RunningStep) -> Iterator[RunningStep]:
        if not self._is_terminal:
            self._print(f"{step.title} ...")
        with self._lock:
            self._running.append(step)
        try:
            yield step
        finally:
            with self._lock:
                self._running.remove(step)

    def _print(self, line: str) -> None:
        with self._lock:
            _write(f"\r\033[K{line}\n" if self._is_terminal else f"{line}\n")

    def _run_in_group(self, command: Sequence[str], log: IO[bytes], env: dict[str, str]) -> int:
        """Run `command` in a process group that ends with it or with `interrupt()`."""
        environment = {
            **os.environ,
            "PIP_DISABLE_PIP_VERSION_CHECK": "1",
            "PIP_NO_INPUT": "1",
            "NEXT_TELEMETRY_DISABLED": "1",
            **env,
        }
        process = subprocess.Popen(
            command,
            cwd=self._root,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
        try:
            while not self._interrupted.is_set():
                with contextlib.suppress(subprocess.TimeoutExpired):
                    return process.wait(timeout=POLL_INTERVAL_SECONDS)
            raise Interrupted
        finally:
            if process.poll() is None:
                for order in (signal.SIGTERM, signal.SIGKILL):
                    with contextlib.suppress(ProcessLookupError):
                        os.killpg(process.pid, order)
                    with contextlib.suppress(subprocess.TimeoutExpired):
                        process.wait(10)


def _write(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()


def error_line(log_path: Path) -> str:
    """Return the line of a log that most likely names the error: the first that mentions one."""
    lines = [line.strip() for line in log_path.read_text(errors="replace").splitlines() if line.strip()]
    errors = [
        line
        for line in lines
        if re.search(r"\b(error|failed|cannot|no space)\b", line, re.IGNORECASE) and not NPM_NOISE.search(line)
    ]
    return [*errors, *lines[-1:], "the log is empty"][0][:300]
