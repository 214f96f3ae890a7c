"""No way to name this machine connects to it: a real server on all of its addresses sees no connection."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator

import pytest

from porchlight.features.busy_sources.failures import SourceFailed
from porchlight.features.busy_sources.fetching import guarded_web
from porchlight.features.busy_sources.fetching.caldav import find_calendars
from porchlight.features.busy_sources.fetching.guarded_web import GuardedClient, Login, OutsideWeb
from porchlight.ports import RecordType
from tests.porchlight.busy_sources.web_server import FixedResolver, serving

# Hosts of addresses that a system may take for this machine.
HOSTS = (
    "127.0.0.1", "127.0.0.2", "127.1.2.3", "127.255.255.254", "0.0.0.0", "127.0.0.1.",  # noqa: S104 - not a bind
    "127.1", "127.0.1", "0", "0.0",
    "2130706433", "0x7f000001", "0x7F.1", "0x7f.0.0.0x1", "017700000001", "0177.0.0.1", "0177.1", "[::1]", "[::]",
    "[0:0:0:0:0:0:0:1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[::ffff:0.0.0.0]", "[::127.0.0.1]",
    "[::ffff:0:127.0.0.1]", "[64:ff9b::127.0.0.1]", "[64:ff9b:1::7f00:1]", "[2002:7f00:1::1]", "[2001:0:7f00:1::]",
    "[fe80::1%25lo]", "[::1%25lo]", "[::1%251]", "[fec0::1]", "[3fff::1]", "localhost", "LOCALHOST", "localhost.",
    "ip6-localhost", "①②⑦.⓪.⓪.①", "127。0。0。1", "１２７.0.0.1",
)  # fmt: skip
BEFORE_HOSTS = ("example.com@", "example.com:443@", "a:b@", "@", "example.com%40", "example.com\\@", "example.com#@")
# Addresses of this machine that a name may have.
RESOLVED = (
    "127.0.0.1", "127.1.2.3", "0.0.0.0", "::1", "::",  # noqa: S104 - not a bind
    "::ffff:127.0.0.1", "::127.0.0.1", "::ffff:0:127.0.0.1",
    "64:ff9b::7f00:1", "2002:7f00:1::1", "fe80::1%lo", "::1%lo",
)  # fmt: skip
WAIT_SECONDS = 60


class Listener:
    """A server on all addresses of this machine, that answers no one who connects."""

    def __init__(self) -> None:
        if socket.has_dualstack_ipv6():
            self._socket = socket.create_server(("::", 0), family=socket.AF_INET6, dualstack_ipv6=True, backlog=128)
        else:
            self._socket = socket.create_server(("0.0.0.0", 0), backlog=128)  # noqa: S104 - of this machine
        self._socket.settimeout(WAIT_SECONDS)
        self.port: int = self._socket.getsockname()[1]

    def strangers(self) -> int:
        """Return how many have connected since the last call: those who stand before this one in the line."""
        count = 0
        with socket.create_connection(("127.0.0.1", self.port), WAIT_SECONDS) as own:
            while True:
                connection, address = self._socket.accept()
                connection.close()
                if address[1] == own.getsockname()[1]:
                    return count
                count += 1

    def meet(self) -> None:
        """Wait for a connection, and close it."""
        connection, _ = self._socket.accept()
        connection.close()

    def close(self) -> None:
        """Stop listening."""
        self._socket.close()


class SystemResolver:
    """Takes all names as this system does, those that are addresses in other forms included."""

    def records(self, name: str, kind: RecordType) -> list[str]:
        """Return the addresses of a name."""
        family = socket.AF_INET6 if kind == "AAAA" else socket.AF_INET
        try:
            found = socket.getaddrinfo(name, None, family, socket.SOCK_STREAM)
        except OSError:
            return []
        return [str(address[0]) for *_, address in found]


@pytest.fixture
def listener(monkeypatch: pytest.MonkeyPatch) -> Iterator[Listener]:
    """A server on the port that calendars may have."""
    running = Listener()
    monkeypatch.setattr(guarded_web, "_HTTPS_PORT", running.port)
    yield running
    running.close()


def ask(web: OutsideWeb, url: str) -> None:
    with GuardedClient(web) as client, pytest.raises(SourceFailed):
        client.request("GET", url)


@pytest.mark.parametrize("host", ["127.0.0.1", "2130706433", "0x7f.1", "localhost", "[::ffff:127.0.0.1]"])
def test_listener_sees_who_is_not_checked(listener: Listener, monkeypatch: pytest.MonkeyPatch, host: str) -> None:
    monkeypatch.setattr(guarded_web, "is_public", lambda _address: True)
    url = f"https://{host}:{listener.port}/"
    asking = threading.Thread(target=ask, args=(OutsideWeb(SystemResolver()), url))
    asking.start()
    listener.meet()
    asking.join()


def test_written_address_of_this_machine_is_not_connected(listener: Listener) -> None:
    web = OutsideWeb(SystemResolver())
    for host in HOSTS:
        ask(web, f"https://{host}:{listener.port}/calendar.ics")
        assert listener.strangers() == 0, host
        for before in BEFORE_HOSTS:
            ask(web, f"https://{before}{host}:{listener.port}/calendar.ics")
            assert listener.strangers() == 0, before + host


@pytest.mark.parametrize("address", RESOLVED)
def test_name_of_this_machine_is_not_connected(listener: Listener, address: str) -> None:
    for addresses in ([address], ["8.8.8.8", address], [address, "8.8.8.8"]):
        resolver = FixedResolver({"cal.example": addresses})
        ask(OutsideWeb(resolver), f"https://cal.example:{listener.port}/calendar.ics")
        assert resolver.asked
    assert listener.strangers() == 0


def test_redirect_to_this_machine_is_not_followed(listener: Listener) -> None:
    with serving() as server:
        here = f"127.0.0.1:{server.server_address[1]}"
        web = OutsideWeb(SystemResolver(), frozenset({here}))
        for host in (host for host in HOSTS if host.isascii()):
            for scheme in ("https:", "http:", ""):
                ask(web, f"http://{here}/to/{scheme}//{host}:{listener.port}/")
        assert len(server.seen) == 3 * sum(host.isascii() for host in HOSTS)
    assert listener.strangers() == 0


@pytest.mark.parametrize("part", ["current-user-principal", "calendar-home-set"])
def test_link_of_an_account_is_not_followed_here(listener: Listener, part: str) -> None:
    space = "DAV:" if part.startswith("current") else "urn:ietf:params:xml:ns:caldav"
    link = f"https://127.0.0.1:{listener.port}/"
    xml = (
        f'<d:multistatus xmlns:d="DAV:" xmlns:x="{space}"><d:response><d:href>/</d:href><d:propstat><d:prop>'
        f"<x:{part}><d:href>{link}</d:href></x:{part}></d:prop></d:propstat></d:response></d:multistatus>"
    )
    with serving() as server:
        server.files["/dav"] = (207, xml.encode())
        here = f"127.0.0.1:{server.server_address[1]}"
        web = OutsideWeb(FixedResolver({}), frozenset({here}))
        with GuardedClient(web, Login("ada", "secret")) as client, pytest.raises(SourceFailed, match="not_public"):
            find_calendars(client, f"http://{here}/dav")
    assert listener.strangers() == 0
