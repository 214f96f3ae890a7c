"""The supervisor, with small programs as parts."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import psutil
import pytest

from porchlight.local.errors import LocalError
from porchlight.local.processes import PART_OF, parts_of
from porchlight.local.supervisor import Part, Supervisor, run_to_end
from tests.support.ports import free_ports
from tests.support.product import eventually, lives, words_of

# Listens until asked to stop, then writes its name to the journal.
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
DEAF = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('deaf', flush=True); time.sleep(600)"
# A leader with a child that holds on to the port of both, as an API server with workers does.
FAMILY = """
import os, socket, sys, time
listener = socket.socket()
listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
listener.bind(("127.0.0.1", int(sys.argv[1])))
listener.listen()
if os.fork() == 0:
    time.sleep(600)
time.sleep(600)
"""


def listens(port: int) -> Callable[[], Awaitable[bool]]:
    async def ready() -> bool:
        with socket.socket() as client:
            return client.connect_ex(("127.0.0.1", port)) == 0

    return ready


def server_part(name: str, folder: Path, port: int) -> Part:
    argv = [sys.executable, "-c", SERVER, name, str(port), str(folder / "journal")]
    return Part(name=name, argv=lambda: argv, env=dict(os.environ), ready=listens(port))


def process_of(marker: str, word: str) -> psutil.Process:
    return next(process for process in parts_of(marker) if word in words_of(process))


async def until(what: str, check: Callable[[], bool]) -> None:
    await asyncio.to_thread(eventually, what, check)


@pytest.fixture
async def told() -> list[str]:
    return []


@pytest.fixture
async def supervisor(tmp_path: Path, told: list[str]) -> AsyncIterator[Supervisor]:
    made = Supervisor(str(tmp_path), tmp_path, told.append)
    yield made
    await made.stop()
    assert parts_of(str(tmp_path)) == []


async def test_parts_stop_in_reverse_order(supervisor: Supervisor, tmp_path: Path) -> None:
    for name in ("first", "second", "third"):
        await supervisor.start(server_part(name, tmp_path, free_ports()))
    assert len(parts_of(str(tmp_path))) == 3
    await supervisor.stop()
    assert (tmp_path / "journal").read_text().split() == ["third", "second", "first"]
    assert parts_of(str(tmp_path)) == []


async def test_a_killed_part_is_brought_back(supervisor: Supervisor, tmp_path: Path, told: list[str]) -> None:
    await supervisor.start(server_part("server", tmp_path, free_ports()))
    for _ in range(2):
        before = process_of(str(tmp_path), "server")
        told.clear()
        before.kill()
        await until("the part is back", lambda: told[-1:] == ["server is back."])
        assert told[0] == "server ended (SIGKILL) and is started again."
        assert process_of(str(tmp_path), "server").pid != before.pid


async def test_what_a_killed_leader_leaves_is_ended_before_it_is_brought_back(
    supervisor: Supervisor, tmp_path: Path, told: list[str]
) -> None:
    port = free_ports()
    argv = [sys.executable, "-c", FAMILY, str(port)]
    await supervisor.start(Part(name="family", argv=lambda: argv, env=dict(os.environ), ready=listens(port)))
    await until("leader and child run", lambda: len(parts_of(str(tmp_path))) == 2)
    first = parts_of(str(tmp_path))
    leader = next(process for process in first if process.ppid() == os.getpid())
    leader.kill()
    await until("the part is back", lambda: "family is back." in told)
    assert not any(lives(process) for process in first)


async def test_a_part_that_cannot_start_is_one_sentence_with_its_last_words(
    supervisor: Supervisor, tmp_path: Path
) -> None:
    (tmp_path / "break-server").touch()
    with pytest.raises(LocalError) as failure:
        await supervisor.start(server_part("server", tmp_path, free_ports()))
    assert str(failure.value).startswith("server ended while starting (exit code 1); its log ")
    assert "server is broken on purpose" in str(failure.value)


async def test_a_part_that_keeps_failing_ends_the_wait(supervisor: Supervisor, tmp_path: Path) -> None:
    await supervisor.start(server_part("server", tmp_path, free_ports()))
    (tmp_path / "break-server").touch()
    process_of(str(tmp_path), "server").kill()
    with pytest.raises(LocalError, match="server is broken on purpose"):
        await asyncio.wait_for(supervisor.wait(), 120)


async def test_a_part_that_never_answers_is_one_sentence(supervisor: Supervisor, tmp_path: Path) -> None:
    async def never() -> bool:
        # However long Python takes to start: its last words belong to the sentence.
        await until("it has said something", lambda: (tmp_path / "deaf.log").read_text() == "deaf\n")
        return False

    argv = [sys.executable, "-c", DEAF]
    part = Part(name="deaf", argv=lambda: argv, env=dict(os.environ), ready=never, ready_seconds=1, stop_seconds=0.2)
    with pytest.raises(LocalError, match=r"^deaf did not answer within 1 s; its log .*\n  deaf$"):
        await supervisor.start(part)


async def test_a_part_deaf_to_the_order_is_killed(supervisor: Supervisor, tmp_path: Path) -> None:
    log = tmp_path / "deaf.log"

    async def ready() -> bool:
        return log.read_text() == "deaf\n"

    argv = [sys.executable, "-c", DEAF]
    part = Part(name="deaf", argv=lambda: argv, env=dict(os.environ), ready=ready, stop_seconds=0.2)
    await supervisor.start(part)
    await supervisor.stop()
    assert parts_of(str(tmp_path)) == []


async def test_a_missing_program_is_one_sentence(supervisor: Supervisor) -> None:
    part = Part(name="ghost", argv=lambda: ["/nowhere/ghost"], env={})
    with pytest.raises(LocalError, match=r"^ghost cannot be started: .*/nowhere/ghost"):
        await supervisor.start(part)


async def test_a_command_that_fails_is_one_sentence(tmp_path: Path) -> None:
    log = tmp_path / "command.log"
    argv = [sys.executable, "-c", "raise SystemExit('no luck today')"]
    with pytest.raises(LocalError, match=r"(?s)^command failed \(exit code 1\).*no luck today"):
        await run_to_end("command", argv, env=dict(os.environ), marker=str(tmp_path), log_path=log)


async def test_a_command_ends_when_we_no_longer_want_it(tmp_path: Path) -> None:
    argv = [sys.executable, "-c", "import time; time.sleep(600)"]
    task = asyncio.create_task(
        run_to_end("command", argv, env=dict(os.environ), marker=str(tmp_path), log_path=tmp_path / "log")
    )
    await until("the command runs", lambda: len(parts_of(str(tmp_path))) == 1)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert parts_of(str(tmp_path)) == []


async def test_parts_end_with_a_killed_supervisor(tmp_path: Path) -> None:
    # A process of its own that supervises one part until it is killed.
    script = """
import asyncio, os, sys
from pathlib import Path
from porchlight.local.supervisor import Part, Supervisor
async def main():
    folder = Path(sys.argv[1])
    supervisor = Supervisor(str(folder), folder, print)
    await supervisor.start(Part(name="sleeper", argv=lambda: ["sleep", "600"], env=dict(os.environ)))
    print("up", flush=True)
    await supervisor.wait()
asyncio.run(main())
"""
    with subprocess.Popen([sys.executable, "-c", script, tmp_path], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"up\n"
        sleeper = process_of(str(tmp_path), "sleep")
        assert sleeper.environ()[PART_OF] == str(tmp_path)
        process.send_signal(signal.SIGKILL)
    await until("the part has ended", lambda: not lives(sleeper))
