"""`porchlight serve` as a process, and connections to each of its workers."""

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

from tests.fixtures.ports import free_ports
from tests.fixtures.product import PROGRAM, STOP_SECONDS, eventually, is_running, wait_while_it_lives
from tests.porchlight.app_client import BASE_HOST, USER_AGENT


class ServerProcess:
    """A running `porchlight serve`."""

    def __init__(self, env: Mapping[str, str], workers: int) -> None:
        self.port = free_ports()
        self.output = Path(tempfile.mkstemp(prefix="porchlight-serve-", suffix=".log")[1])
        with self.output.open("wb") as output:
            self._process = subprocess.Popen(
                [PROGRAM, "serve", "--port", str(self.port), "--workers", str(workers)],
                env=os.environ | {"PORCHLIGHT_BASE_HOST": BASE_HOST} | dict(env),
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                start_new_session=True,
            )
        try:
            wait_while_it_lives(self.ready)
            eventually("every worker accepts", lambda: len(self.workers()) == workers)
        except AssertionError as late:
            log_output = self.log_output()
            self.stop()
            raise AssertionError(f"{late}\n{log_output}") from late

    def log_output(self) -> str:
        """Return the server's output."""
        return self.output.read_text(errors="replace")

    def ready(self) -> bool:
        """Return whether the server responds and has its database."""
        if self._process.poll() is not None:
            raise AssertionError(f"the server ended with {self._process.returncode}:\n{self.log_output()}")
        try:
            return self.get("/readyz", BASE_HOST)[0] == 200
        except OSError:
            return False

    def workers(self) -> list[psutil.Process]:
        """Return the worker processes: the server itself for one worker, its children for more."""
        children = [child for child in psutil.Process(self._process.pid).children() if is_running(child)]
        return children or [psutil.Process(self._process.pid)]

    def connect(self) -> http.client.HTTPConnection:
        """Open a connection, which any worker may accept."""
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)

    def get(self, path: str, host: str) -> tuple[int, bytes]:
        """Send a GET request over a new connection."""
        with contextlib.closing(self.connect()) as connection:
            return get_over(connection, path, host)

    def connection_to_each(self, path: str, host: str) -> list[http.client.HTTPConnection]:
        """Open a keep-alive connection to each worker."""
        connections: dict[int, http.client.HTTPConnection] = {}
        spare: list[http.client.HTTPConnection] = []

        def covers_all_workers() -> bool:
            connection = self.connect()
            get_over(connection, path, host)
            local_port = connection.sock.getsockname()[1]
            for worker in self.workers():
                is_accepted = any(
                    link.raddr and link.raddr.port == local_port for link in worker.net_connections("tcp")
                )
                if is_accepted and connections.setdefault(worker.pid, connection) is not connection:
                    spare.append(connection)  # stays open, so that another worker accepts the next one
            return len(connections) == len(self.workers())

        eventually("a connection to every worker", covers_all_workers)
        for connection in spare:
            connection.close()
        return list(connections.values())

    def stop(self) -> int:
        """Stop the server and return its exit code."""
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


def get_over(
    connection: http.client.HTTPConnection, path: str, host: str, headers: Mapping[str, str] | None = None
) -> tuple[int, bytes]:
    """Send a GET request over an open connection."""
    connection.request("GET", path, headers={"Host": host, "User-Agent": USER_AGENT} | dict(headers or {}))
    response = connection.getresponse()
    return response.status, response.read()


@contextlib.contextmanager
def run_server(env: Mapping[str, str], *, workers: int = 2) -> Iterator[ServerProcess]:
    """Run `porchlight serve` during a block."""
    server = ServerProcess(env, workers)
    try:
        yield server
    finally:
        server.stop()
