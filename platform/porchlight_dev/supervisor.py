"""Starts services in order, restarts those that end, and stops them in reverse order."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import psutil

from porchlight_dev.errors import DevError
from porchlight_dev.processes import MARKER_VARIABLE, Account, end_group, end_processes, service_processes, spawn

MAX_LOG_BYTES = 10_000_000
# The supervisor gives up a service after this many failed starts in a row.
MAX_FAILED_STARTS = 5
MIN_RESTART_DELAY_SECONDS = 0.1
MAX_RESTART_DELAY_SECONDS = 5.0
# After this time in operation, the restart delay of a service starts over.
STABLE_SECONDS = 10.0
PROBE_INTERVAL_SECONDS = 0.1
# While a service starts again, a line about it appears this often.
REPORT_INTERVAL_SECONDS = 15.0


async def always_ready() -> bool:
    """Probe of a service that is ready as soon as it runs."""
    return True


async def do_nothing() -> None:
    """Preparation of a service that needs none."""


@dataclass(frozen=True, slots=True)
class DevService:
    """One process of the product and how to run it.

    Each start calls `prepare`, then `argv`, then `ready` until it returns True, then `after_ready`. The process gets
    `death_signal` when the supervisor is killed.
    """

    name: str
    argv: Callable[[], Sequence[str]]
    env: Mapping[str, str]
    ready: Callable[[], Awaitable[bool]] = always_ready
    prepare: Callable[[], Awaitable[None]] = do_nothing
    after_ready: Callable[[], Awaitable[None]] = do_nothing
    stop_signal: signal.Signals = signal.SIGTERM
    death_signal: signal.Signals = signal.SIGTERM
    account: Callable[[], Account | None] = lambda: None
    cwd: Path | None = None
    stop_seconds: float = 10.0


@dataclass(slots=True)
class RunningService:
    """A service and its current process."""

    service: DevService
    process: subprocess.Popen[bytes]
    monitor: asyncio.Task[None] | None = None
    ready_at: float = field(default=0.0)


class Supervisor:
    """Runs services with their logs in `logs`; `marker` identifies their processes.

    A service that starts slowly has as long as it needs: only the end of its process is a failed start.

    `print_line` receives a line when a service ends or is running again. `wait()` raises when a service is given up.
    """

    def __init__(self, marker: str, logs: Path, print_line: Callable[[str], None]) -> None:
        self.marker = marker
        self.logs = logs
        self._print_line = print_line
        self._running: list[RunningService] = []
        self._done: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    async def start(self, service: DevService) -> None:
        """Start `service` and return when it is ready. Raises DevError when it ends before."""
        running = RunningService(service, await self._launch(service))
        self._running.append(running)
        if not await self._wait_until_ready(running):
            raise DevError(self._failure(running))
        running.monitor = asyncio.create_task(self._restart_when_ended(running), name=f"monitor {service.name}")

    async def wait(self) -> None:
        """Wait until a service is given up, then raise its DevError."""
        await asyncio.shield(self._done)

    async def stop(self) -> None:
        """Stop all services, the last started first. None of their processes survives."""
        while self._running:
            running = self._running.pop()
            if running.monitor is not None:
                running.monitor.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await running.monitor
            await self._end(running)
        # A service may have started processes in groups of their own.
        end_processes(service_processes(self.marker))

    def log_path(self, service: DevService) -> Path:
        """Return the path of the service's log."""
        return self.logs / f"{service.name}.log"

    async def _launch(self, service: DevService) -> subprocess.Popen[bytes]:
        await service.prepare()
        path = self.log_path(service)
        with contextlib.suppress(FileNotFoundError):
            if path.stat().st_size > MAX_LOG_BYTES:
                path.replace(path.with_suffix(".log.1"))
        # Spawned from the loop's own thread, because a child ends with the thread that spawned it.
        with path.open("ab") as log:
            try:
                return spawn(
                    service.argv(),
                    env={**service.env, MARKER_VARIABLE: self.marker},
                    log=log,
                    death_signal=service.death_signal,
                    account=service.account(),
                    cwd=service.cwd,
                )
            except OSError as error:
                raise DevError(f"{service.name} cannot be started: {error}.") from error

    async def _wait_until_ready(self, running: RunningService) -> bool:
        """Probe until the service is ready (True), or until it ends (False)."""
        service = running.service
        while running.process.poll() is None:
            if await service.ready():
                await service.after_ready()
                running.ready_at = time.monotonic()
                return True
            await asyncio.sleep(PROBE_INTERVAL_SECONDS)
        return False

    async def _restart_when_ended(self, running: RunningService) -> None:
        name = running.service.name
        failed_starts = 0
        delay = MIN_RESTART_DELAY_SECONDS
        while True:
            await wait_for_end(running.process)
            code = running.process.returncode
            if time.monotonic() - running.ready_at > STABLE_SECONDS:
                delay = MIN_RESTART_DELAY_SECONDS
            self._print_line(f"{name} ended ({exit_reason(code)}). Restarting it.")
            await asyncio.sleep(delay)
            delay = min(delay * 2, MAX_RESTART_DELAY_SECONDS)
            try:
                await asyncio.to_thread(end_group, running.process.pid)
                running.process = await self._launch(running.service)
                reports = asyncio.create_task(self._report_start(name))
                try:
                    is_ready = await self._wait_until_ready(running)
                finally:
                    reports.cancel()
                failure = "" if is_ready else self._failure(running)
            except Exception as error:
                # This task must survive every error, because it is the one that tries again.
                is_ready, failure = False, f"{name} cannot be started: {error}"
            if is_ready:
                failed_starts = 0
                self._print_line(f"{name} is running again.")
                continue
            failed_starts += 1
            if failed_starts >= MAX_FAILED_STARTS:
                if not self._done.done():
                    self._done.set_exception(DevError(failure))
                return
            if running.process.poll() is None:
                await self._end(running)

    async def _report_start(self, name: str) -> None:
        started = time.monotonic()
        while True:
            await asyncio.sleep(REPORT_INTERVAL_SECONDS)
            self._print_line(f"{name} is still starting ({time.monotonic() - started:.0f} s).")

    async def _end(self, running: RunningService) -> None:
        process = running.process
        if process.poll() is None:
            for order, timeout in ((running.service.stop_signal, running.service.stop_seconds), (signal.SIGKILL, 10.0)):
                with contextlib.suppress(ProcessLookupError):
                    process.send_signal(order)
                try:
                    await asyncio.wait_for(wait_for_end(process), timeout)
                    break
                except TimeoutError:
                    continue
        await asyncio.to_thread(end_group, process.pid)

    def _failure(self, running: RunningService) -> str:
        """Return one sentence about a service that ended before it was ready."""
        reason = exit_reason(running.process.wait())
        path = self.log_path(running.service)
        return f"{running.service.name} ended while starting ({reason}); its log {path} ends with: {last_lines(path)}"


async def wait_for_end(process: subprocess.Popen[bytes]) -> None:
    """Wait for a child; on Linux without a thread."""
    if not hasattr(os, "pidfd_open"):
        await asyncio.to_thread(process.wait)
        return
    try:
        descriptor = os.pidfd_open(process.pid)
    except ProcessLookupError:  # it has ended and was reaped
        process.wait()
        return
    loop = asyncio.get_running_loop()
    ended = asyncio.Event()
    loop.add_reader(descriptor, ended.set)
    try:
        await ended.wait()
    finally:
        loop.remove_reader(descriptor)
        os.close(descriptor)
    process.wait()


def exit_reason(code: int) -> str:
    """Return `exit code 1` or the name of a signal, such as `SIGKILL`."""
    if code >= 0:
        return f"exit code {code}"
    try:
        return signal.Signals(-code).name
    except ValueError:
        return f"signal {-code}"


def last_lines(path: Path, lines: int = 5) -> str:
    """Return the last lines of a log."""
    with contextlib.suppress(OSError):
        with path.open("rb") as log:
            log.seek(max(0, path.stat().st_size - 20_000))
            log_lines = [line.strip() for line in log.read().decode(errors="replace").splitlines() if line.strip()]
        if log_lines:
            return "\n  " + "\n  ".join(log_lines[-lines:])
    return "(the log is empty)"


async def run_command(
    name: str,
    argv: Sequence[str],
    *,
    env: Mapping[str, str],
    marker: str,
    log_path: Path,
    account: Account | None = None,
) -> None:
    """Run a command until it finishes. Raises DevError when it fails; stops the command when this task is canceled."""
    with log_path.open("ab") as log:
        process = spawn(argv, env={**env, MARKER_VARIABLE: marker}, log=log, account=account)
    try:
        await wait_for_end(process)
    finally:
        if process.poll() is None:
            end_processes([psutil.Process(process.pid)])
            process.wait()
    if process.returncode != 0:
        reason = exit_reason(process.returncode)
        raise DevError(f"{name} failed ({reason}); its log {log_path} ends with: {last_lines(log_path)}")
