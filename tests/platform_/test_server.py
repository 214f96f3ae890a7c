"""The server around the app: heads are bounded, and what cannot be imported is said once."""

from __future__ import annotations

import contextlib
import os
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from porchlight.server import HEAD_MOST
from tests.platform_.server import Serving, served
from tests.platform_.world import BASE
from tests.support.databases import Database
from tests.support.product import PROGRAM, START_SECONDS


@pytest.fixture(scope="module")
def serving(database: Database) -> Iterator[Serving]:
    with served({"DATABASE_URL": database.app_url}, workers=1) as running:
        yield running


def _status(serving: Serving, head: bytes, *, cut: bool = False) -> int:
    """The status that raw bytes are answered with; `cut`: the head never ends."""
    with socket.create_connection(("127.0.0.1", serving.port), 60) as link:
        # Refused by a part of it, the rest finds nobody any more; the answer is there all the same.
        with contextlib.suppress(ConnectionError):
            link.sendall(
                b"GET /healthz HTTP/1.1\r\nHost: " + BASE.encode() + b"\r\n" + head + (b"" if cut else b"\r\n")
            )
        return int(link.recv(4096).split(b" ")[1])


@pytest.mark.parametrize(
    "head",
    [
        b"X-Long: " + b"a" * HEAD_MOST + b"\r\n",
        b"X-Longer: " + b"a" * 900_000 + b"\r\n",
        b"".join(b"X-Many-%d: a\r\n" % number for number in range(4000)),
    ],
    ids=["one", "over many packets", "many"],
)
def test_a_head_without_measure_is_refused(serving: Serving, head: bytes) -> None:
    assert _status(serving, head) == 431
    assert serving.ready()


def test_a_head_that_never_ends_is_refused(serving: Serving) -> None:
    assert _status(serving, b"X-Endless: " + b"a" * (2 * HEAD_MOST), cut=True) == 431


def test_what_is_within_the_bounds_passes(serving: Serving) -> None:
    assert _status(serving, b"X-Fair: " + b"a" * (HEAD_MOST - 1000) + b"\r\n") == 200
    with contextlib.closing(
        serving.connect()
    ) as connection:  # a body is none of the head, on a kept connection neither
        for _ in range(3):
            connection.request("POST", "/healthz", b"a" * 100_000, {"Host": BASE})
            answer = connection.getresponse()
            answer.read()
            assert answer.status == 405


@pytest.mark.parametrize("query", [b"?a=\xff", b"?a=%ff%00", b"?\xc3\x28"])
def test_a_query_that_is_no_text_is_no_fault_of_ours(serving: Serving, query: bytes) -> None:
    for path in (b"/api/auth/session", b"/_mail", b"/skills"):
        with socket.create_connection(("127.0.0.1", serving.port), 60) as link:
            link.sendall(b"DELETE " + path + query + b" HTTP/1.1\r\nHost: " + BASE.encode() + b"\r\n\r\n")
            assert int(link.recv(4096).split(b" ")[1]) < 500


@pytest.mark.parametrize("workers", [1, 2])
def test_a_broken_installation_is_one_sentence(database: Database, tmp_path: Path, workers: int) -> None:
    (tmp_path / "orjson.py").write_text("raise ImportError('no orjson here')\n")
    done = subprocess.run(
        [PROGRAM, "serve", "--workers", str(workers)],
        env=os.environ
        | {"DATABASE_URL": database.app_url, "PYTHONPATH": f"{tmp_path}{os.pathsep}{os.environ.get('PYTHONPATH', '')}"},
        capture_output=True,
        text=True,
        timeout=START_SECONDS,
    )
    assert done.returncode == 1
    assert "no orjson here" in done.stderr
    assert "Traceback" not in done.stderr
