"""(g) From nothing to a guru's site: in the process, and until the first answer over a certificate of its own."""

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

from sites.services.defaults import offer_defaults
from tenants import roles
from tenants.lifecycle import NewGuru, create
from tests.bench.conftest import BASE, Stage
from tests.bench.figures import show
from tests.drills.test_publishing import Hopeful, hopefuls_in
from tests.support.identity import Emulator

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


def asked(facts: dict[str, Any], host: str, request: str, *headers: str, body: str = "") -> tuple[float, bytes]:
    """Seconds until somebody who was never there has the whole answer, handshake included; and the answer."""
    context = ssl.create_default_context(cafile=facts["tls_ca"])
    port = urlsplit(facts["tls_url"]).port
    assert port is not None
    lines = [f"{request} HTTP/1.1", f"Host: {host}:{port}", "Connection: close", *headers]
    sent = "\r\n".join([*lines, f"Content-Length: {len(body)}"] if body else lines)
    began = time.perf_counter()
    with (
        socket.create_connection(("127.0.0.1", port), 10) as link,
        context.wrap_socket(link, server_hostname=host) as secure,
    ):
        secure.sendall(f"{sent}\r\n\r\n{body}".encode())
        answer = b"".join(iter(lambda: secure.recv(65536), b""))
    return time.perf_counter() - began, answer


def first_answer(facts: dict[str, Any], label: str) -> float:
    """Seconds until the guru's home answers 200."""
    took, answer = asked(facts, f"{label}.{BASE}", "GET /")
    assert answer.startswith(b"HTTP/1.1 200"), answer[:200]
    return took


def publish(facts: dict[str, Any], person: Hopeful, label: str) -> float:
    """Seconds that Publish, the last step of the wizard, takes over TLS."""
    headers = ("Content-Type: application/json", f"Origin: {facts['tls_url'].rstrip('/')}")
    took, answer = asked(
        facts,
        BASE,
        "POST /api/onboarding/publish",
        *headers,
        f"Cookie: __session={person.cookie}",
        body=json.dumps({"subdomain": label}),
    )
    assert answer.startswith(b"HTTP/1.1 20"), answer[:400]
    return took


def test_first_answer_over_a_fresh_certificate(tls_demo: dict[str, Any]) -> None:
    took = []
    for _ in range(9):
        label, made = make_guru(tls_demo["overseer_url"])
        took.append(made + first_answer(tls_demo, label))
    note = f"slowest {max(took):.2f} s"
    show("(g) new guru to first 200 over TLS", statistics.median(took), None, "s", most=1, note=note)


def test_first_answer_after_publish(tls_demo: dict[str, Any]) -> None:
    """From Publish to the first 200 of the new subdomain. Floor: the same page, its certificate in Caddy's memory."""
    published, fresh, again = [], [], []
    people = hopefuls_in(tls_demo["overseer_url"], 12)
    with contextlib.closing(Emulator(urlsplit(tls_demo["auth_url"]).netloc)) as identity:
        for person in people:
            identity.create(f"uid-{person.user_id.hex}")
    with psycopg.connect(tls_demo["overseer_url"]) as conn:  # their sign-ins are younger than their accounts
        ids = [person.user_id for person in people]
        conn.execute("UPDATE sessions SET token_issued_at = now() + interval '5 s' WHERE user_id = ANY (%s)", [ids])
    for person in people:
        label = f"published-{person.user_id.hex[-12:]}"
        published.append(publish(tls_demo, person, label))
        fresh.append(first_answer(tls_demo, label))
        again.append(first_answer(tls_demo, label))
    floor = statistics.median(again)
    note = f"slowest {max(fresh):.2f} s"
    show("(g) first 200 after Publish, over TLS", statistics.median(fresh), floor, "s", most=1, ratio=False, note=note)
    whole = [sum(pair) for pair in zip(published, fresh, strict=True)]
    note = f"slowest {max(whole):.2f} s"
    show("(g) the same from the click on Publish", statistics.median(whole), floor, "s", most=1, ratio=False, note=note)
