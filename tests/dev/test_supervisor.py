"""The supervisor, with small programs as services."""

from __future__ import annotations

import asyncio
import itertools
import os
import signal
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from types import SimpleNamespace

import psutil
import pytest

from porchlight_dev.errors import DevError
from porchlight_dev.processes import MARKER_VARIABLE, service_processes
from porchlight_dev.supervisor import DevService, Supervisor, run_command
from tests.fixtures.ports import free_ports
from tests.fixtures.product import command_line, eventually, is_running

# Listens until SIGTERM, then appends its name to the journal.
SERVER = """
import pathlib, signal, socket, sys
name, port, journal = sys.argv[1], int(sys.argv[2]), pathlib.Path(sys.argv[3])
if (journal.parent / f"break-{name}").exists():
    sys.exit(f"{name} is broken on purpose")
def stop(*_):
    with journal.open("a") as file:
        file.write(name + "\\n")
    sys.exit(0)
signal.signal(signal.SIGTERM, stop)
listener = socket.socket()
listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
listener.bind(("127.0.0.1", port))
listener.listen()
while True:
    listener.accept()[0].close()
"""
IGNORES_SIGTERM = (
    "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('started', flush=True); time.sleep(600)"
)
# A process with a child that keeps the port of both, as an API server with workers does.
WITH_CHILD = """
import os, socket, sys, time
listener = socket.socket()
listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
listener.bind(("127.0.0.1", int(sys.argv[1])))
listener.listen()
if os.fork() == 0:
    time.sleep(600)
time.sleep(600)
"""


def port_probe(port: int) -> Callable[[], Awaitable[bool]]:
    async def ready() -> bool:
        with socket.socket() as client:
            return client.connect_ex(("127.0.0.1", port)) == 0

    return ready


def server_service(name: str, folder: Path, port: int) -> DevService:
    argv = [sys.executable, "-c", SERVER, name, str(port), str(folder / "journal")]
    return DevService(name=name, argv=lambda: argv, env=dict(os.environ), ready=port_probe(port))


def service_process(marker: str, word: str) -> psutil.Process:
    return next(process for process in service_processes(marker) if word in command_line(process))


async def wait_until(what: str, check: Callable[[], bool]) -> None:
    await asyncio.to_thread(eventually, what, check)


@pytest.fixture
async def output() -> list[str]:
    return []


@pytest.fixture
async def supervisor(tmp_path: Path, output: list[str]) -> AsyncIterator[Supervisor]:
    supervisor = Supervisor(str(tmp_path), tmp_path, output.append)
    yield supervisor
    await supervisor.stop()
    assert service_processes(str(tmp_path)) == []


async def test_stop_ends_services_in_reverse_order(supervisor: Supervisor, tmp_path: Path) -> None:
    for name in ("first", "second", "third"):
        await supervisor.start(server_service(name, tmp_path, free_ports()))
    assert len(service_processes(str(tmp_path))) == 3
    await supervisor.stop()
    assert (tmp_path / "journal").read_text().split() == ["third", "second", "first"]
    assert service_processes(str(tmp_path)) == []


async def test_killed_service_is_restarted(supervisor: Supervisor, tmp_path: Path, output: list[str]) -> None:
    await supervisor.start(server_service("server", tmp_path, free_ports()))
    for _ in range(2):
        before = service_process(str(tmp_path), "server")
        output.clear()
        before.kill()
        await wait_until("the service runs again", lambda: output[-1:] == ["server is running again."])
        assert output[0] == "server ended (SIGKILL). Restarting it."
        assert service_process(str(tmp_path), "server").pid != before.pid


async def test_restart_ends_children_of_killed_process(
    supervisor: Supervisor, tmp_path: Path, output: list[str]
) -> None:
    port = free_ports()
    argv = [sys.executable, "-c", WITH_CHILD, str(port)]
    await supervisor.start(DevService(name="group", argv=lambda: argv, env=dict(os.environ), ready=port_probe(port)))
    await wait_until("the process and its child run", lambda: len(service_processes(str(tmp_path))) == 2)
    first = service_processes(str(tmp_path))
    leader = next(process for process in first if process.ppid() == os.getpid())
    leader.kill()
    await wait_until("the service runs again", lambda: "group is running again." in output)
    assert not any(is_running(process) for process in first)


async def test_failed_start_reports_last_log_lines(supervisor: Supervisor, tmp_path: Path) -> None:
    (tmp_path / "break-server").touch()
    with pytest.raises(DevError) as failure:
        await supervisor.start(server_service("server", tmp_path, free_ports()))
    assert str(failure.value).startswith("server ended while starting (exit code 1); its log ")
    assert "server is broken on purpose" in str(failure.value)


async def test_service_that_keeps_failing_is_given_up(supervisor: Supervisor, tmp_path: Path) -> None:
    await supervisor.start(server_service("server", tmp_path, free_ports()))
    (tmp_path / "break-server").touch()
    service_process(str(tmp_path), "server").kill()
    with pytest.raises(DevError, match="server is broken on purpose"):
        await asyncio.wait_for(supervisor.wait(), 120)


async def test_slow_start_is_waited_for(
    supervisor: Supervisor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A clock on which an hour passes between two reads."""
    hours = itertools.count(0, 3600)
    monkeypatch.setattr("porchlight_dev.supervisor.time", SimpleNamespace(monotonic=lambda: next(hours)))
    probes = iter([False] * 5 + [True])

    async def ready() -> bool:
        return next(probes)

    await supervisor.start(DevService(name="slow", argv=lambda: ["sleep", "600"], env=dict(os.environ), ready=ready))
    assert len(service_processes(str(tmp_path))) == 1


async def test_slow_restart_is_reported(
    supervisor: Supervisor, tmp_path: Path, output: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("porchlight_dev.supervisor.REPORT_INTERVAL_SECONDS", 0.01)

    async def ready() -> bool:
        return not output or "slow is still starting (0 s)." in output

    await supervisor.start(DevService(name="slow", argv=lambda: ["sleep", "600"], env=dict(os.environ), ready=ready))
    output.append("killed")
    service_process(str(tmp_path), "sleep").kill()
    await wait_until("the service runs again", lambda: output[-1] == "slow is running again.")


async def test_service_that_ends_before_ready_is_reported(supervisor: Supervisor) -> None:
    async def never() -> bool:
        return False

    argv = [sys.executable, "-c", "print('no room'); raise SystemExit(4)"]
    service = DevService(name="brief", argv=lambda: argv, env=dict(os.environ), ready=never)
    with pytest.raises(DevError, match=r"^brief ended while starting \(exit code 4\); its log .*\n  no room$"):
        await supervisor.start(service)


async def test_service_ignoring_sigterm_is_killed(supervisor: Supervisor, tmp_path: Path) -> None:
    log = tmp_path / "stubborn.log"

    async def ready() -> bool:
        return log.read_text() == "started\n"

    argv = [sys.executable, "-c", IGNORES_SIGTERM]
    service = DevService(name="stubborn", argv=lambda: argv, env=dict(os.environ), ready=ready, stop_seconds=0.2)
    await supervisor.start(service)
    await supervisor.stop()
    assert service_processes(str(tmp_path)) == []


async def test_missing_program_gives_one_sentence(supervisor: Supervisor) -> None:
    service = DevService(name="missing", argv=lambda: ["/nowhere/missing"], env={})
    with pytest.raises(DevError, match=r"^missing cannot be started: .*/nowhere/missing"):
        await supervisor.start(service)


async def test_failed_command_gives_one_sentence(tmp_path: Path) -> None:
    log = tmp_path / "command.log"
    argv = [sys.executable, "-c", "raise SystemExit('command error')"]
    with pytest.raises(DevError, match=r"(?s)^command failed \(exit code 1\).*command error"):
        await run_command("command", argv, env=dict(os.environ), marker=str(tmp_path), log_path=log)


async def test_cancelled_command_is_ended(tmp_path: Path) -> None:
    argv = [sys.executable, "-c", "import time; time.sleep(600)"]
    task = asyncio.create_task(
        run_command("command", argv, env=dict(os.environ), marker=str(tmp_path), log_path=tmp_path / "log")
    )
    await wait_until("the command runs", lambda: len(service_processes(str(tmp_path))) == 1)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert service_processes(str(tmp_path)) == []


async def test_kill_of_supervisor_ends_services(tmp_path: Path) -> None:
    # A separate process that supervises one service until it is killed.
    script = """
import asyncio, os, sys
from pathlib import Path
from porchlight_dev.supervisor import DevService, Supervisor
async def main():
    folder = Path(sys.argv[1])
    supervisor = Supervisor(str(folder), folder, print)
    await supervisor.start(DevService(name="sleeper", argv=lambda: ["sleep", "600"], env=dict(os.environ)))
    print("up", flush=True)
    await supervisor.wait()
asyncio.run(main())
"""
    with subprocess.Popen([sys.executable, "-c", script, tmp_path], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"up\n"
        sleeper = service_process(str(tmp_path), "sleep")
        assert sleeper.environ()[MARKER_VARIABLE] == str(tmp_path)
        process.send_signal(signal.SIGKILL)
    await wait_until("the service has ended", lambda: not is_running(sleeper))
