"""Requests to servers that people name reach the public internet only."""

from __future__ import annotations

import socket
from collections.abc import Iterator

import pytest

from porchlight.features.busy_sources.failures import SourceFailed
from porchlight.features.busy_sources.fetching.guarded_web import GuardedClient, Login, OutsideWeb
from porchlight.features.busy_sources.reading import to_https
from tenants.kit import timeouts
from tests.fixtures.private_addresses import PRIVATE
from tests.porchlight.busy_sources.web_server import FixedResolver, WebServer, serving

# Other ways to write addresses of this machine, and what else a system or a library might read as one.
WRITTEN = (
    "2130706433", "0x7f000001", "0x7F.1", "0x7f.0.0.1", "017700000001", "0177.0.0.1", "0177.1", "127.1", "127.0.1", "0",
    "0.0", "00", "127.0.0.1.", "127.000.000.001", "3232235777", "4294967295", "[::ffff:7f00:1]", "[0:0:0:0:0:0:0:1]",
    "[::1%25lo]", "[::1%25]", "[fe80::1%25eth0]", "[::ffff:0x7f.1]", "[127.0.0.1]", "127.0.0.1%00", "127.0.0.1%2f",
    "127.0.0.1%20", "１２７.0.0.1", "①②⑦.⓪.⓪.①", "127。0。0。1", "127．0．0．1",
)  # fmt: skip
ADDRESSES = (
    *(f"https://{address}/" for address in PRIVATE if ":" not in address),
    *(f"https://[{address}]/" for address in PRIVATE if ":" in address and "%" not in address),
    *(f"https://{written}/" for written in WRITTEN),
    "http://example.com/", "ftp://example.com/", "file:///etc/passwd", "gopher://example.com/", "//example.com/",
    "https://example.com:8443/", "https://example.com:22/", "https://example.com:0/", "https://example.com:65536/",
    "https://user:password@example.com/", "https://example.com@127.0.0.1/", "https://127.0.0.1@example.com/",
    "https://example.com:443@127.0.0.1/", "https://127.0.0.1:443@example.com:443/", "https://@127.0.0.1/",
    "https://127.0.0.1#@example.com/", "https://127.0.0.1?@example.com/", "https://127.0.0.1\\@example.com/",
    "https://example.com\\@127.0.0.1/", "https://127.0.0.1\t/", "https:///path", "https:127.0.0.1", "https://",
    "not an address", "https://[::1", "https://::1/", "https://[::1]:443:443/",
)  # fmt: skip


@pytest.fixture
def connected(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """The addresses to which the process connected. None is reached."""
    found: list[object] = []

    def connect(address: object, *_args: object, **_options: object) -> socket.socket:
        found.append(address)
        raise OSError("not reached")

    monkeypatch.setattr(socket, "create_connection", connect)
    return found


@pytest.mark.parametrize("url", ADDRESSES)
def test_address_that_is_not_public_is_not_connected(connected: list[object], url: str) -> None:
    with GuardedClient(OutsideWeb(FixedResolver({"example.com": ["93.184.216.34"]}))) as client:
        with pytest.raises(SourceFailed):
            client.request("GET", url)
    assert connected == []


@pytest.mark.parametrize("address", PRIVATE)
def test_name_of_a_private_address_is_not_connected(connected: list[object], address: str) -> None:
    for addresses in ([address], ["8.8.8.8", address]):
        with GuardedClient(OutsideWeb(FixedResolver({"evil.example": addresses}))) as client:
            with pytest.raises(SourceFailed, match="not_public"):
                client.request("GET", "https://evil.example/calendar.ics")
    assert connected == []


def test_checked_address_is_connected_after_one_lookup(connected: list[object]) -> None:
    resolver = FixedResolver({"cal.example": ["93.184.216.34"]})
    with GuardedClient(OutsideWeb(resolver)) as client, pytest.raises(SourceFailed, match="unreachable"):
        client.request("GET", "https://cal.example/calendar.ics")
    assert connected == [("93.184.216.34", 443)]
    assert resolver.asked == ["cal.example", "cal.example"]  # A and AAAA


@pytest.fixture
def server() -> Iterator[WebServer]:
    """A web server on this machine."""
    with serving() as running:
        yield running


def local_web(server: WebServer) -> tuple[OutsideWeb, str]:
    host = f"127.0.0.1:{server.server_address[1]}"
    return OutsideWeb(FixedResolver({}), frozenset({host})), f"http://{host}"


@pytest.mark.parametrize(
    "target", ["https://127.0.0.1/", "https://[::1]/", "http://example.com/", "https://10.0.0.1:443/", "//127.0.0.1:1/"]
)
def test_redirect_to_a_private_address_is_refused(server: WebServer, target: str) -> None:
    web, origin = local_web(server)
    with GuardedClient(web) as client, pytest.raises(SourceFailed):
        client.request("GET", f"{origin}/to/{target}")
    assert len(server.seen) == 1


def test_fourth_redirect_is_refused(server: WebServer) -> None:
    web, origin = local_web(server)
    with GuardedClient(web) as client:
        assert client.request("GET", f"{origin}/to//to//to//calendar").content == b"calendar"
        with pytest.raises(SourceFailed, match="answer"):
            client.request("GET", f"{origin}/to//to//to//to//calendar")


@pytest.mark.parametrize("path", ["/bomb", "/large"])
def test_answer_above_five_megabytes_is_refused(server: WebServer, path: str) -> None:
    web, origin = local_web(server)
    with GuardedClient(web) as client, pytest.raises(SourceFailed, match="too_large"):
        client.request("GET", f"{origin}{path}")


def test_answer_that_drips_ends_with_the_deadline(server: WebServer, monkeypatch: pytest.MonkeyPatch) -> None:
    short = timeouts.current.extended(1)
    object.__setattr__(short, "calendar_fetch_seconds", 0.3)
    monkeypatch.setattr(timeouts, "current", short)
    web, origin = local_web(server)
    with GuardedClient(web) as client, pytest.raises(SourceFailed, match="unreachable"):
        client.request("GET", f"{origin}/drip")


def test_login_is_not_sent_to_another_site(server: WebServer) -> None:
    with serving() as other:
        port, other_port = server.server_address[1], other.server_address[1]
        servers = frozenset({f"127.0.0.1:{port}", f"localhost:{other_port}"})
        with GuardedClient(OutsideWeb(FixedResolver({}), servers), Login("rosa", "secret")) as client:
            client.request("GET", f"http://127.0.0.1:{port}/to/http://localhost:{other_port}/x")
        assert server.seen[0][1].startswith("Basic ")
        assert other.seen == [("/x", "")]


@pytest.mark.parametrize(
    ("typed", "url"),
    [
        (" webcal://cal.example/a.ics ", "https://cal.example/a.ics"),
        ("cal.example/a.ics", "https://cal.example/a.ics"),
        ("https://cal.example/a.ics?token=1", "https://cal.example/a.ics?token=1"),
        ("http://cal.example/a.ics", "http://cal.example/a.ics"),
    ],
)
def test_typed_address_becomes_one_of_the_web(typed: str, url: str) -> None:
    assert to_https(typed) == url
