"""(g) Creation of a guru: until the commit, and until the first response over its own certificate."""

from __future__ import annotations

import contextlib
import itertools
import json
import socket
import ssl
import statistics
import time
from typing import Any
from urllib.parse import urlsplit

import psycopg
import pytest

from sites.services.defaults import add_default_services
from tenants.db import roles
from tenants.tenancy.lifecycle import NewGuru, create_guru
from tests.bench.conftest import BASE, BenchDatabase
from tests.bench.figures import print_figure
from tests.drills.test_publishing import Publisher, create_publishers
from tests.fixtures.identity import Emulator

pytestmark = pytest.mark.bench

_NUMBERS = itertools.count()


def make_guru(dsn: str) -> tuple[str, float]:
    """Create a guru. Return the label and the seconds from the first statement to the end of the commit."""
    label = f"fresh-{time.time_ns() // 1000}-{next(_NUMBERS)}"
    with psycopg.connect(dsn) as conn:
        conn.execute("SELECT 1")
        began = time.perf_counter()
        add_default_services(conn, create_guru(conn, NewGuru(label, "Fresh Guru")))
        conn.commit()
        return label, time.perf_counter() - began


def test_new_guru_commit_time(bench_database: BenchDatabase) -> None:
    times = [make_guru(bench_database.url(roles.SERVICE_ROLE))[1] * 1e3 for _ in range(21)]
    print_figure("(g) new guru with services, committed", statistics.median(times), None, "ms", at_most=50)


def timed_request(facts: dict[str, Any], host: str, request: str, *headers: str, body: str = "") -> tuple[float, bytes]:
    """Send a request on a new connection. Return the seconds, including the handshake, and the response."""
    context = ssl.create_default_context(cafile=facts["tls_ca"])
    port = urlsplit(facts["tls_url"]).port
    assert port is not None
    lines = [f"{request} HTTP/1.1", f"Host: {host}:{port}", "Connection: close", *headers]
    request = "\r\n".join([*lines, f"Content-Length: {len(body)}"] if body else lines)
    began = time.perf_counter()
    with (
        socket.create_connection(("127.0.0.1", port), 10) as sock,
        context.wrap_socket(sock, server_hostname=host) as secure,
    ):
        secure.sendall(f"{request}\r\n\r\n{body}".encode())
        response = b"".join(iter(lambda: secure.recv(65536), b""))
    return time.perf_counter() - began, response


def first_response_seconds(facts: dict[str, Any], label: str) -> float:
    """Return the seconds until the guru's home page returns 200."""
    seconds, response = timed_request(facts, f"{label}.{BASE}", "GET /")
    assert response.startswith(b"HTTP/1.1 200"), response[:200]
    return seconds


def publish_seconds(facts: dict[str, Any], publisher: Publisher, label: str) -> float:
    """Publish a site over TLS and return the seconds."""
    headers = ("Content-Type: application/json", f"Origin: {facts['tls_url'].rstrip('/')}")
    seconds, response = timed_request(
        facts,
        BASE,
        "POST /api/onboarding/publish",
        *headers,
        f"Cookie: __session={publisher.cookie}",
        body=json.dumps({"subdomain": label}),
    )
    assert response.startswith(b"HTTP/1.1 20"), response[:400]
    return seconds


def test_new_guru_first_response_time(demo: dict[str, Any]) -> None:
    times = []
    for _ in range(9):
        label, created_seconds = make_guru(demo["overseer_url"])
        times.append(created_seconds + first_response_seconds(demo, label))
    note = f"slowest {max(times):.2f} s"
    print_figure("(g) new guru to first 200 over TLS", statistics.median(times), None, "s", at_most=1, note=note)


def test_published_guru_first_response_time(demo: dict[str, Any]) -> None:
    """From Publish to the first 200 of the new subdomain. Baseline: the same page with a cached certificate."""
    published, first, repeated = [], [], []
    publishers = create_publishers(demo["overseer_url"], 12)
    with contextlib.closing(Emulator(urlsplit(demo["auth_url"]).netloc)) as identity:
        for publisher in publishers:
            identity.create(f"uid-{publisher.user_id.hex}")
    with psycopg.connect(demo["overseer_url"]) as conn:  # sign-ins must be newer than the accounts
        ids = [publisher.user_id for publisher in publishers]
        conn.execute("UPDATE sessions SET token_issued_at = app.now() + interval '5 s' WHERE user_id = ANY (%s)", [ids])
    for publisher in publishers:
        label = f"published-{publisher.user_id.hex[-12:]}"
        published.append(publish_seconds(demo, publisher, label))
        first.append(first_response_seconds(demo, label))
        repeated.append(first_response_seconds(demo, label))
    baseline = statistics.median(repeated)
    note = f"slowest {max(first):.2f} s"
    print_figure(
        "(g) first 200 after Publish, over TLS",
        statistics.median(first),
        baseline,
        "s",
        at_most=1,
        ratio=False,
        note=note,
    )
    totals = [sum(pair) for pair in zip(published, first, strict=True)]
    note = f"slowest {max(totals):.2f} s"
    print_figure(
        "(g) the same from the click on Publish",
        statistics.median(totals),
        baseline,
        "s",
        at_most=1,
        ratio=False,
        note=note,
    )
