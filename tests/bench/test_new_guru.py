"""(g) From nothing to a guru's site: in the process, and until the first answer over a certificate of its own."""

from __future__ import annotations

import itertools
import socket
import ssl
import statistics
import time
from typing import Any
from urllib.parse import urlsplit

import psycopg
import pytest

from sites.services.defaults import offer_defaults
from tenants import roles
from tenants.lifecycle import NewGuru, create
from tests.bench.conftest import BASE, Stage
from tests.bench.figures import show

pytestmark = pytest.mark.bench

_NUMBERS = itertools.count()


def make_guru(dsn: str) -> tuple[str, float]:
    """A new guru's label, and the seconds from the first statement to the end of the commit."""
    label = f"fresh-{time.time_ns() // 1000}-{next(_NUMBERS)}"
    with psycopg.connect(dsn) as conn:
        conn.execute("SELECT 1")
        began = time.perf_counter()
        offer_defaults(conn, create(conn, NewGuru(label, "Fresh Guru")))
        conn.commit()
        return label, time.perf_counter() - began


def test_new_guru(stage: Stage) -> None:
    took = [make_guru(stage.url(roles.OVERSEER))[1] * 1e3 for _ in range(21)]
    show("(g) new guru with services, committed", statistics.median(took), None, "ms", most=50)


def first_answer(facts: dict[str, Any], label: str) -> float:
    """Seconds until the guru's home answers 200 to somebody who was never there, handshake included."""
    context = ssl.create_default_context(cafile=facts["tls_ca"])
    host = f"{label}.{BASE}"
    port = urlsplit(facts["tls_url"]).port
    assert port is not None
    began = time.perf_counter()
    with (
        socket.create_connection(("127.0.0.1", port), 10) as link,
        context.wrap_socket(link, server_hostname=host) as secure,
    ):
        secure.sendall(f"GET / HTTP/1.1\r\nHost: {host}:{port}\r\nConnection: close\r\n\r\n".encode())
        answer = b"".join(iter(lambda: secure.recv(65536), b""))
    assert answer.startswith(b"HTTP/1.1 200"), answer[:200]
    return time.perf_counter() - began


def test_first_answer_over_a_fresh_certificate(tls_demo: dict[str, Any]) -> None:
    took = []
    for _ in range(9):
        label, made = make_guru(tls_demo["overseer_url"])
        took.append(made + first_answer(tls_demo, label))
    note = f"slowest {max(took):.2f} s"
    show("(g) new guru to first 200 over TLS", statistics.median(took), None, "s", most=1, note=note)
