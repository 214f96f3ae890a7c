"""Round trips to the database while a payment is confirmed: the calendar is locked for their time."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

import psycopg
from psycopg.conninfo import conninfo_to_dict

from porchlight.features.bookings.payments.settlement.checkouts import SessionCheckoutRule
from porchlight.settlement.rules import Source
from tenants.kit import clock
from tests.porchlight.bookings.api import CreateUser
from tests.porchlight.bookings.payments.session_shop import SessionShop
from tests.porchlight.factories import SeededGuru


class CountingProxy:
    """A proxy of one connection to the database, which counts how often the client waits for the server."""

    def __init__(self, host: str, port: int) -> None:
        self._server = (host, port)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self.round_trips = 0
        self._is_answered = True
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        client, _ = self._listener.accept()
        if self._server[0].startswith("/"):
            server = socket.socket(socket.AF_UNIX)
            server.connect(f"{self._server[0]}/.s.PGSQL.{self._server[1]}")
        else:
            server = socket.create_connection(self._server)
        back = threading.Thread(target=self._copy, args=(server, client, False), daemon=True)
        back.start()
        self._copy(client, server, True)

    def _copy(self, source: socket.socket, target: socket.socket, is_request: bool) -> None:
        while data := self._received(source):
            if is_request and self._is_answered:
                self.round_trips += 1
            self._is_answered = not is_request
            target.sendall(data)
        target.close()

    @staticmethod
    def _received(source: socket.socket) -> bytes:
        try:
            return source.recv(65_536)
        except OSError:  # the other side was closed
            return b""

    def close(self) -> None:
        """Stop listening."""
        self._listener.close()


@contextmanager
def counted(url: str) -> Iterator[tuple[psycopg.Connection[Any], CountingProxy]]:
    """Yield a connection through a proxy that counts its round trips."""
    parts = conninfo_to_dict(url)
    proxy = CountingProxy(str(parts.get("host") or urlsplit(url).hostname), int(parts.get("port") or 5432))
    with psycopg.connect(url, host="127.0.0.1", port=proxy.port, sslmode="disable") as conn:
        yield conn, proxy
    proxy.close()


async def test_payment_is_confirmed_in_four_round_trips(
    shop: SessionShop, paid_guru: SeededGuru, create_user: CreateUser
) -> None:
    user = await create_user("Quick Quy")
    rule = SessionCheckoutRule()
    taken = []
    for _ in range(2):  # the first one also creates the guru's account in the ledger
        booked = await shop.begin(user, paid_guru)
        shop.pay_page(booked)
        page = shop.payments(paid_guru)[-1]["checkout_id"]
        fetched = await shop.stripe.fetch(rule.path(page))
        with counted(shop.database.service_url) as (conn, proxy):
            conn.execute("SELECT 1")  # begins the transaction
            before = proxy.round_trips
            rule.apply(conn, page, fetched, Source("", clock.now(), "", livemode=False))
            taken.append(proxy.round_trips - before)
        assert (await user.get(f"/api/bookings/{booked['id']}"))["status"] == "confirmed"
    assert max(taken) <= 4, taken
