"""Worker processes, forked from a parent that has imported the product once.

A worker that dies is replaced. Nothing asks a worker whether it still answers: one that is busy is left in peace.
"""

from __future__ import annotations

import os
import select
import signal
import sys
import time
from collections.abc import Callable
from types import FrameType

STARTUP_FAILURE = 3  # the exit code of a worker that would fail again: it ends the whole group
MIN_LIFE_SECONDS = 1.0  # a worker that lives shorter is replaced after a delay, which doubles
MIN_DELAY_SECONDS = 0.1
MAX_DELAY_SECONDS = 5.0
_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGCHLD)


def _ignore(_number: int, _frame: FrameType | None) -> None:
    """Leave the signal to the wakeup descriptor."""


class WorkerGroup:
    """Keeps `count` forks running. SIGTERM and SIGINT stop them; SIGHUP replaces them.

    `work` runs in each fork, with a descriptor that reaches its end when the parent has ended, and returns the exit
    code. Call `run` in a process that has one thread.
    """

    def __init__(self, count: int, work: Callable[[int], int]) -> None:
        self._count = count
        self._work = work
        self._started_at: dict[int, float] = {}  # by pid
        self._is_stopping = False
        self._exit_code = 0
        self._delay = 0.0
        self._next_start = 0.0
        self._wakeup_reader, self._wakeup_writer = os.pipe()
        os.set_blocking(self._wakeup_writer, False)
        self._parent_ended, self._parent_lives = os.pipe()

    def run(self) -> int:
        """Run workers until a signal, or until one reports STARTUP_FAILURE; return the exit code."""
        for number in _SIGNALS:
            signal.signal(number, _ignore)
        signal.set_wakeup_fd(self._wakeup_writer, warn_on_full_buffer=False)
        while True:
            self._reap()
            if self._is_stopping and not self._started_at:
                return self._exit_code
            timeout = self._start_missing()
            if select.select([self._wakeup_reader], [], [], timeout)[0]:
                for received in os.read(self._wakeup_reader, 4096):
                    self._on_signal(received)

    def _on_signal(self, number: int) -> None:
        if number in (signal.SIGINT, signal.SIGTERM):
            self._is_stopping = True
        if number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            self._terminate()

    def _terminate(self) -> None:
        """Have the workers finish their requests and end."""
        for pid in self._started_at:
            os.kill(pid, signal.SIGTERM)  # an unreaped pid cannot belong to another process

    def _reap(self) -> None:
        """Forget workers that have ended."""
        for pid, started_at in list(self._started_at.items()):
            ended, status = os.waitpid(pid, os.WNOHANG)
            if not ended:
                continue
            del self._started_at[pid]
            code = os.waitstatus_to_exitcode(status)
            if code == STARTUP_FAILURE and not self._is_stopping:
                self._is_stopping, self._exit_code = True, code
                self._terminate()
            is_short = time.monotonic() - started_at < MIN_LIFE_SECONDS
            self._delay = min(max(self._delay * 2, MIN_DELAY_SECONDS), MAX_DELAY_SECONDS) if is_short else 0.0
            self._next_start = time.monotonic() + self._delay
            if not self._is_stopping:
                sys.stderr.write(f"Worker {pid} ended ({code}). Starting another one.\n")

    def _start_missing(self) -> float | None:
        """Start missing workers unless it is too early; return the seconds until then."""
        if self._is_stopping or len(self._started_at) >= self._count:
            return None
        early = self._next_start - time.monotonic()
        if early > 0:
            return early
        while len(self._started_at) < self._count:
            self._start()
        return None

    def _start(self) -> None:
        sys.stdout.flush()
        sys.stderr.flush()
        # Until the worker has its own handlers, a signal waits.
        signal.pthread_sigmask(signal.SIG_BLOCK, _SIGNALS)
        try:
            pid = os.fork()
            if pid == 0:
                self._run_worker()
        finally:
            signal.pthread_sigmask(signal.SIG_UNBLOCK, _SIGNALS)
        self._started_at[pid] = time.monotonic()

    def _run_worker(self) -> None:
        """Do the work in the fork, and end it."""
        code = 1
        try:
            signal.set_wakeup_fd(-1)
            for number in _SIGNALS:
                signal.signal(number, signal.SIG_DFL)
            for descriptor in (self._wakeup_reader, self._wakeup_writer, self._parent_lives):
                os.close(descriptor)
            signal.pthread_sigmask(signal.SIG_UNBLOCK, _SIGNALS)
            code = self._work(self._parent_ended)
        except SystemExit as ended:
            code = ended.code if isinstance(ended.code, int) else 1
        except BaseException:
            sys.excepthook(*sys.exc_info())
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(code)
