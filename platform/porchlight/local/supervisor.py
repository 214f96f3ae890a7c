"""Keeps the parts of the product running: starts them in order, brings back what dies, stops them in reverse order."""

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

from porchlight.local.errors import LocalError
from porchlight.local.processes import PART_OF, Account, end_group, end_processes, parts_of, spawn

LOG_LIMIT = 10_000_000
# A part that never answers in this many starts in a row is given up.
STARTS_BEFORE_GIVING_UP = 5
FIRST_PAUSE = 0.1
LONGEST_PAUSE = 5.0
# Having answered for this long, a part has shown that it works: its next death is a new story.
PROVEN_SECONDS = 10.0
PROBE_SECONDS = 0.1


async def at_once() -> bool:
    """The probe of a part that is ready as soon as it runs."""
    return True


async def nothing_to_do() -> None:
    """What a part without preparation prepares."""


@dataclass(frozen=True, slots=True)
class Part:
    """One process of the product and how to treat it.

    `argv` is asked for at every start, after `prepare`. `ready` answers whether the part does its work now.
    `after_ready` runs once after each start. `death_signal` is what it gets when the supervisor is killed. Times are in
    seconds.
    """

    name: str
    argv: Callable[[], Sequence[str]]
    env: Mapping[str, str]
    ready: Callable[[], Awaitable[bool]] = at_once
    prepare: Callable[[], Awaitable[None]] = nothing_to_do
    after_ready: Callable[[], Awaitable[None]] = nothing_to_do
    stop_signal: signal.Signals = signal.SIGTERM
    death_signal: signal.Signals = signal.SIGTERM
    account: Callable[[], Account | None] = lambda: None
    cwd: Path | None = None
    ready_seconds: float = 120.0
    stop_seconds: float = 10.0


@dataclass(slots=True)
class Running:
    """A part and what is known of its life."""

    part: Part
    process: subprocess.Popen[bytes]
    guard: asyncio.Task[None] | None = None
    ready_at: float = field(default=0.0)


class Supervisor:
    """Runs parts whose logs go to `logs` and whose processes are marked as belonging to `marker`.

    `say` receives a line whenever a part fails or comes back. A part that keeps failing sets `failure`, which ends
    `wait()`.
    """

    def __init__(self, marker: str, logs: Path, say: Callable[[str], None]) -> None:
        self.marker = marker
        self.logs = logs
        self._say = say
        self._running: list[Running] = []
        self._stopping = False
        self._over: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    async def start(self, part: Part) -> None:
        """Start `part` and return once it answers. Raises LocalError when it does not get there."""
        running = Running(part, await self._launch(part))
        self._running.append(running)
        if not await self._until_ready(running):
            raise LocalError(self._epitaph(running))
        running.guard = asyncio.create_task(self._keep(running), name=f"keep {part.name}")

    async def wait(self) -> None:
        """Return when asked to stop; raise LocalError when a part is given up."""
        await asyncio.shield(self._over)

    def ask_to_stop(self) -> None:
        """End `wait()`. Safe to call from a signal handler of the loop, any number of times."""
        if not self._over.done():
            self._over.set_result(None)

    async def stop(self) -> None:
        """Stop every part, the last started first. Nothing of them is left afterwards."""
        self._stopping = True
        while self._running:
            running = self._running.pop()
            if running.guard is not None:
                running.guard.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await running.guard
            await self._end(running)
        # Whatever a part started in a group of its own.
        end_processes(parts_of(self.marker))

    def log_path(self, part: Part) -> Path:
        """Where the part's output goes."""
        return self.logs / f"{part.name}.log"

    async def _launch(self, part: Part) -> subprocess.Popen[bytes]:
        await part.prepare()
        path = self.log_path(part)
        with contextlib.suppress(FileNotFoundError):
            if path.stat().st_size > LOG_LIMIT:
                path.replace(path.with_suffix(".log.1"))
        # Started from this thread, the loop's: a child ends with the thread that started it.
        with path.open("ab") as log:
            try:
                return spawn(
                    part.argv(),
                    env={**part.env, PART_OF: self.marker},
                    log=log,
                    death_signal=part.death_signal,
                    account=part.account(),
                    cwd=part.cwd,
                )
            except OSError as error:
                raise LocalError(f"{part.name} cannot be started: {error}.") from error

    async def _until_ready(self, running: Running) -> bool:
        """Probe until the part answers (True), or has ended or taken too long (False)."""
        part = running.part
        deadline = time.monotonic() + part.ready_seconds
        while running.process.poll() is None and time.monotonic() < deadline:
            if await part.ready():
                await part.after_ready()
                running.ready_at = time.monotonic()
                return True
            await asyncio.sleep(PROBE_SECONDS)
        return False

    async def _keep(self, running: Running) -> None:
        """Bring the part back whenever it ends."""
        name = running.part.name
        failed_starts = 0
        pause = FIRST_PAUSE
        while True:
            await until_ended(running.process)
            code = running.process.returncode
            if time.monotonic() - running.ready_at > PROVEN_SECONDS:
                pause = FIRST_PAUSE
            self._say(f"{name} ended ({how_it_ended(code)}) and is started again.")
            await asyncio.sleep(pause)
            pause = min(pause * 2, LONGEST_PAUSE)
            try:
                await asyncio.to_thread(end_group, running.process.pid)
                running.process = await self._launch(running.part)
                answered = await self._until_ready(running)
                epitaph = "" if answered else self._epitaph(running)
            except Exception as error:
                # Whatever went wrong, the part is not there: this task must live to try again.
                answered, epitaph = False, f"{name} cannot be started: {error}"
            if answered:
                failed_starts = 0
                self._say(f"{name} is back.")
                continue
            failed_starts += 1
            if failed_starts >= STARTS_BEFORE_GIVING_UP:
                if not self._over.done():
                    self._over.set_exception(LocalError(epitaph))
                return
            if running.process.poll() is None:
                await self._end(running)

    async def _end(self, running: Running) -> None:
        process = running.process
        if process.poll() is None:
            for order, patience in ((running.part.stop_signal, running.part.stop_seconds), (signal.SIGKILL, 10.0)):
                with contextlib.suppress(ProcessLookupError):
                    process.send_signal(order)
                try:
                    await asyncio.wait_for(until_ended(process), patience)
                    break
                except TimeoutError:
                    continue
        await asyncio.to_thread(end_group, process.pid)

    def _epitaph(self, running: Running) -> str:
        """One sentence about a part that does not work."""
        code = running.process.poll()
        if code is None:
            happened = f"did not answer within {running.part.ready_seconds:g} s"
        else:
            happened = f"ended while starting ({how_it_ended(code)})"
        path = self.log_path(running.part)
        return f"{running.part.name} {happened}; its log {path} ends with: {last_lines(path)}"


async def until_ended(process: subprocess.Popen[bytes]) -> None:
    """Wait for a child; on Linux the kernel tells the loop, without a thread."""
    if not hasattr(os, "pidfd_open"):
        await asyncio.to_thread(process.wait)
        return
    try:
        descriptor = os.pidfd_open(process.pid)
    except ProcessLookupError:  # it has ended and was waited for
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


def how_it_ended(code: int) -> str:
    """`exit code 1` or `SIGKILL`."""
    if code >= 0:
        return f"exit code {code}"
    try:
        return signal.Signals(-code).name
    except ValueError:
        return f"signal {-code}"


def last_lines(path: Path, lines: int = 5) -> str:
    """The end of a log."""
    with contextlib.suppress(OSError):
        with path.open("rb") as log:
            log.seek(max(0, path.stat().st_size - 20_000))
            found = [line.strip() for line in log.read().decode(errors="replace").splitlines() if line.strip()]
        if found:
            return "\n  " + "\n  ".join(found[-lines:])
    return "(nothing)"


async def run_to_end(
    name: str,
    argv: Sequence[str],
    *,
    env: Mapping[str, str],
    marker: str,
    log_path: Path,
    account: Account | None = None,
) -> None:
    """Run a command that ends by itself. Raises LocalError when it fails; ends it when we are cancelled."""
    with log_path.open("ab") as log:
        process = spawn(argv, env={**env, PART_OF: marker}, log=log, account=account)
    try:
        await until_ended(process)
    finally:
        if process.poll() is None:
            end_processes([psutil.Process(process.pid)])
            process.wait()
    if process.returncode != 0:
        raise LocalError(
            f"{name} failed ({how_it_ended(process.returncode)}); its log {log_path} ends with: {last_lines(log_path)}"
        )
