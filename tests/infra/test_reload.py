"""A new configuration under load: nobody notices."""

from __future__ import annotations

import http.client
import threading
import time

import pytest

from tests.infra.house import BASE, House, ask
from tests.support.product import eventually

pytestmark = pytest.mark.tls

LABELS = ("cooking", "music", "tech", "garden", "photo", "spanish")


class Load:
    """Visitors who read one page after another, on connections that are kept as browsers keep them."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.over = threading.Event()
        self.answers: list[int] = []
        self.faults: list[str] = []
        self.sent_again = 0

    def visit(self, label: str) -> None:
        """One visitor's whole visit; whatever goes wrong is a fault."""
        try:
            while not self.over.is_set():
                self._connection(label)
        except Exception as fault:
            self.faults.append(repr(fault))

    def _connection(self, label: str) -> None:
        host = f"{label}.{BASE}:{self.house.caddy.https_port}"
        with self.house.caddy.connected(f"{label}.{BASE}") as connection:
            for number in range(50):
                try:
                    answer = ask(connection, "/services", host=host)
                except (http.client.RemoteDisconnected, BrokenPipeError, ConnectionResetError):
                    # A server may close a connection that rests; a request that met this without a byte of an answer
                    # is sent again on a new one (RFC 9112, 9.3.1). A connection's first request may not fail.
                    if number == 0:
                        raise
                    self.sent_again += 1
                    return
                self.answers.append(answer.status)
                if f'"subdomain":"{label}"'.encode() not in answer.body:
                    self.faults.append("another guru's page")
                if answer.headers.get("connection") == "close" or self.over.is_set():
                    return


def judge(house: House, reloads: int) -> None:
    load = Load(house)
    began = time.monotonic()
    visitors = [threading.Thread(target=load.visit, args=(label,)) for label in LABELS]
    for visitor in visitors:
        visitor.start()
    try:
        for _ in range(reloads):
            served = len(load.answers)
            house.caddy.reload()
            eventually("they go on reading", lambda: len(load.answers) >= served + 50 or bool(load.faults))  # noqa: B023
    finally:
        load.over.set()
        for visitor in visitors:
            visitor.join()
    print(
        f"\n{len(load.answers)} requests, {reloads} reloads in {time.monotonic() - began:.1f} s:"
        f" {len(load.faults)} dropped, {load.sent_again} met a closing connection and were sent again"
    )
    assert load.faults == []
    assert set(load.answers) == {200}


def test_a_reload_under_load_drops_nothing(house: House) -> None:
    judge(house, 3)


@pytest.mark.drill
def test_many_reloads_under_load_drop_nothing(house: House) -> None:
    judge(house, 40)
