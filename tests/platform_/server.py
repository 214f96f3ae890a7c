"""`porchlight serve` as a process, and a connection to each of its workers."""

from __future__ import annotations

import contextlib
import http.client
import os
import signal
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

import psutil

from tests.platform_.world import BASE, BROWSER
from tests.support.ports import free_ports
from tests.support.product import PROGRAM, STOP_SECONDS, eventually, lives, words_of


class Serving:
    """A running `porchlight serve`."""

    def __init__(self, env: Mapping[str, str], workers: int) -> None:
        self.port = free_ports()
        self.output = Path(tempfile.mkstemp(prefix="porchlight-serve-", suffix=".log")[1])
        with self.output.open("wb") as output:
            self._process = subprocess.Popen(
                [PROGRAM, "serve", "--port", str(self.port), "--workers", str(workers)],
                env=os.environ | {"PORCHLIGHT_BASE_HOST": BASE} | dict(env),
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                start_new_session=True,
            )
        try:
            eventually("the server is ready", self.ready)
            eventually("every worker accepts", lambda: len(self.workers()) == workers)
        except AssertionError as late:
            said = self.said()
            self.stop()
            raise AssertionError(f"{late}\n{said}") from late

    def said(self) -> str:
        """What it logged."""
        return self.output.read_text(errors="replace")

    def ready(self) -> bool:
        """Whether it answers and has its database."""
        if self._process.poll() is not None:
            raise AssertionError(f"the server ended with {self._process.returncode}:\n{self.said()}")
        try:
            return self.get("/readyz", BASE)[0] == 200
        except OSError:
            return False

    def workers(self) -> list[psutil.Process]:
        """The processes that answer: uvicorn's own when there is one, its children when there are more."""
        children = [
            child
            for child in psutil.Process(self._process.pid).children()
            if lives(child) and "resource_tracker" not in " ".join(words_of(child))
        ]
        return children or [psutil.Process(self._process.pid)]

    def connect(self) -> http.client.HTTPConnection:
        """A new connection, to whichever worker takes it."""
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)

    def get(self, path: str, host: str) -> tuple[int, bytes]:
        """One request over a connection of its own."""
        with contextlib.closing(self.connect()) as connection:
            return look(connection, path, host)

    def connection_to_each(self, path: str, host: str) -> list[http.client.HTTPConnection]:
        """A kept-alive connection to every worker."""
        found: dict[int, http.client.HTTPConnection] = {}
        spare: list[http.client.HTTPConnection] = []

        def enough() -> bool:
            connection = self.connect()
            look(connection, path, host)
            mine = connection.sock.getsockname()[1]
            for worker in self.workers():
                taken = any(link.raddr and link.raddr.port == mine for link in worker.net_connections("tcp"))
                if taken and found.setdefault(worker.pid, connection) is not connection:
                    spare.append(connection)  # kept open, so that the next one may go elsewhere
            return len(found) == len(self.workers())

        eventually("a connection to every worker", enough)
        for connection in spare:
            connection.close()
        return list(found.values())

    def stop(self) -> int:
        """Ask it to stop; its exit code."""
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGTERM)
        try:
            return self._process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            for child in psutil.Process(self._process.pid).children(recursive=True):
                child.kill()
            self._process.kill()
            return self._process.wait(10)
        finally:
            self.output.unlink(missing_ok=True)


def look(
    connection: http.client.HTTPConnection, path: str, host: str, headers: Mapping[str, str] | None = None
) -> tuple[int, bytes]:
    """One GET over a kept connection."""
    connection.request("GET", path, headers={"Host": host, "User-Agent": BROWSER} | dict(headers or {}))
    answer = connection.getresponse()
    return answer.status, answer.read()


@contextlib.contextmanager
def served(env: Mapping[str, str], *, workers: int = 2) -> Iterator[Serving]:
    """`porchlight serve` for the time of a block."""
    server = Serving(env, workers)
    try:
        yield server
    finally:
        server.stop()
