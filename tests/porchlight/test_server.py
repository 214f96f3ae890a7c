"""The HTTP server: limits of request heads, import errors of the app."""

from __future__ import annotations

import contextlib
import json
import os
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from porchlight.server import MAX_HEAD_BYTES
from tests.fixtures.databases import Database
from tests.fixtures.ports import free_ports
from tests.fixtures.product import PROGRAM
from tests.porchlight.app_client import BASE_HOST
from tests.porchlight.server import ServerProcess, run_server


@pytest.fixture(scope="module")
def serving(database: Database) -> Iterator[ServerProcess]:
    with run_server({"DATABASE_URL": database.app_url}, workers=1) as running:
        yield running


def _status(serving: ServerProcess, head: bytes, *, cut: bool = False) -> int:
    """Send raw header bytes and return the response's status. `cut`: without the end of the head."""
    with socket.create_connection(("127.0.0.1", serving.port), 60) as connection:
        # The server may close the connection before it has read everything; its response still arrives.
        with contextlib.suppress(ConnectionError):
            connection.sendall(
                b"GET /healthz HTTP/1.1\r\nHost: " + BASE_HOST.encode() + b"\r\n" + head + (b"" if cut else b"\r\n")
            )
        return int(connection.recv(4096).split(b" ")[1])


@pytest.mark.parametrize(
    "head",
    [
        b"X-Long: " + b"a" * MAX_HEAD_BYTES + b"\r\n",
        b"X-Longer: " + b"a" * 900_000 + b"\r\n",
        b"".join(b"X-Many-%d: a\r\n" % number for number in range(4000)),
    ],
    ids=["one", "over many packets", "many"],
)
def test_oversized_request_head_is_rejected(serving: ServerProcess, head: bytes) -> None:
    assert _status(serving, head) == 431
    assert serving.ready()


def test_endless_request_head_is_rejected(serving: ServerProcess) -> None:
    assert _status(serving, b"X-Endless: " + b"a" * (2 * MAX_HEAD_BYTES), cut=True) == 431


def test_request_head_within_limit_is_accepted(serving: ServerProcess) -> None:
    assert _status(serving, b"X-Fair: " + b"a" * (MAX_HEAD_BYTES - 1000) + b"\r\n") == 200
    with contextlib.closing(
        serving.connect()
    ) as connection:  # a body is none of the head, on a kept connection neither
        for _ in range(3):
            connection.request("POST", "/healthz", b"a" * 100_000, {"Host": BASE_HOST})
            response = connection.getresponse()
            response.read()
            assert response.status == 405


@pytest.fixture(scope="module")
def impatient(database: Database) -> Iterator[ServerProcess]:
    """A server whose bodies must arrive within a tenth of a second."""
    with run_server({"DATABASE_URL": database.app_url, "PORCHLIGHT_BODY_SECONDS": "0.1"}, workers=1) as running:
        yield running


@pytest.mark.parametrize(
    ("target", "framing"),
    [
        (b"/api/contact", b"Content-Length: 100\r\n\r\n{"),
        (b"/api/contact", b"Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n"),
        (b"/api/stripe/webhooks", b"Content-Length: 100\r\n\r\n"),  # an upload, whose whole body has minutes
        (b"/api/auth/session", b"Content-Length: 100\r\n\r\n{"),
    ],
    ids=["some bytes", "chunks", "upload", "no bytes"],
)
def test_stalled_body_is_answered_408(impatient: ServerProcess, target: bytes, framing: bytes) -> None:
    with socket.create_connection(("127.0.0.1", impatient.port), 60) as connection:
        head = b"POST " + target + b" HTTP/1.1\r\nHost: " + BASE_HOST.encode() + b"\r\n"
        connection.sendall(head + b"Content-Type: application/json\r\n" + framing)
        received = b""
        while chunk := connection.recv(4096):  # until the server closes the connection
            received += chunk
    assert received.startswith(b"HTTP/1.1 408 "), received
    assert b'"code":"too_slow"' in received
    assert impatient.ready()


def test_body_in_time_is_read(impatient: ServerProcess) -> None:
    with contextlib.closing(impatient.connect()) as connection:
        connection.request("POST", "/api/contact", b"{}", {"Host": BASE_HOST, "Content-Type": "application/json"})
        response = connection.getresponse()
        fields = json.loads(response.read())["error"]["fields"]
    assert (response.status, sorted(fields)) == (422, ["email", "message", "name"])


@pytest.mark.parametrize("query", [b"?a=\xff", b"?a=%ff%00", b"?\xc3\x28"])
def test_invalid_query_bytes_cause_no_server_error(serving: ServerProcess, query: bytes) -> None:
    for path in (b"/api/auth/session", b"/_mail", b"/skills"):
        with socket.create_connection(("127.0.0.1", serving.port), 60) as connection:
            connection.sendall(b"DELETE " + path + query + b" HTTP/1.1\r\nHost: " + BASE_HOST.encode() + b"\r\n\r\n")
            assert int(connection.recv(4096).split(b" ")[1]) < 500


@pytest.mark.parametrize("workers", [pytest.param(1, marks=pytest.mark.sweep), 2])
def test_broken_installation_prints_one_sentence(database: Database, tmp_path: Path, workers: int) -> None:
    (tmp_path / "orjson.py").write_text("raise ImportError('no orjson here')\n")
    process = subprocess.run(
        [PROGRAM, "serve", "--port", str(free_ports()), "--workers", str(workers)],
        env=os.environ
        | {"DATABASE_URL": database.app_url, "PYTHONPATH": f"{tmp_path}{os.pathsep}{os.environ.get('PYTHONPATH', '')}"},
        capture_output=True,
        text=True,
    )
    assert process.returncode == 1
    assert "no orjson here" in process.stderr
    assert "Traceback" not in process.stderr
