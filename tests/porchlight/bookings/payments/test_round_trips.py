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

# Query, Sync and Flush: the messages after which the client waits for the server. A Flush right after a Sync asks for
# nothing.
_WAITS = (b"Q", b"S", b"H")


class CountingProxy:
    """A proxy of one connection to the database, which counts how often the client waits for the server.

    It counts messages and not packets: the server may answer the first statements of a pipeline before the client has
    sent the last one.
    """

    def __init__(self, host: str, port: int) -> None:
        self._server = (host, port)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self.round_trips = 0
        self._unread = b""
        self._is_started = False
        self._last = b""
        threading.Thread(target=self._run, daemon=True).start()

    def _run(self) -> None:
        client, _ = self._listener.accept()
        if self._server[0].startswith("/"):
            server = socket.socket(socket.AF_UNIX)
            server.connect(f"{self._server[0]}/.s.PGSQL.{self._server[1]}")
        else:
            server = socket.create_connection(self._server)
        threading.Thread(target=self._copy, args=(server, client, False), daemon=True).start()
        self._copy(client, server, True)

    def _copy(self, source: socket.socket, target: socket.socket, is_request: bool) -> None:
        while data := self._received(source):
            if is_request:
                self._count(data)
            target.sendall(data)
        target.close()

    def _count(self, data: bytes) -> None:
        """Count the messages of the frontend: a type, but for the first one, and a length that counts itself."""
        self._unread += data
        while len(self._unread) >= 5:
            start = 1 if self._is_started else 0
            end = start + int.from_bytes(self._unread[start : start + 4])
            if len(self._unread) < end:
                return
            kind = self._unread[:start]
            self.round_trips += kind in _WAITS and (self._last, kind) != (b"S", b"H")
            self._last, self._is_started = kind, True
            self._unread = self._unread[end:]

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
    with psycopg.connect(url, host="127.0.0.1", port=proxy.port, sslmode="disable", gssencmode="disable") as conn:
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
