"""What Caddy lets through, and what it adds."""

from __future__ import annotations

import contextlib
import http.server
import json
import re
import socket
import ssl
import threading
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest

from porchlight.local.parts import ROOT
from tests.infra.house import BASE, Caddy, House, ask, trusting
from tests.support.ports import free_ports
from tests.support.product import eventually

pytestmark = pytest.mark.tls

HIDDEN = (
    "/metrics",
    "/metrics/",
    "//metrics",
    "/Metrics",
    "/METRICS?x=1",
    "/%6detrics",
    "/./metrics",
    "/x/../metrics",
    "/x/%2e%2e/metrics",
    "/internal",
    "/internal/",
    "/internal/tls-check?domain=cooking.porchlight.localhost",
    "//internal/tls-check?domain=cooking.porchlight.localhost",
    "///internal//tls-check?domain=cooking.porchlight.localhost",
    "/INTERNAL/tls-check?domain=cooking.porchlight.localhost",
    "/%69nternal/tls-check?domain=cooking.porchlight.localhost",
    "/internal%2ftls-check?domain=cooking.porchlight.localhost",
    "/internal%2Ftls%2dcheck?domain=cooking.porchlight.localhost",
    "/./internal/tls-check?domain=cooking.porchlight.localhost",
    "/api/../internal/tls-check?domain=cooking.porchlight.localhost",
    "/_next/static/../../internal/tls-check?domain=cooking.porchlight.localhost",
    "/%2e/internal/tls-check?domain=cooking.porchlight.localhost",
    "/api/%2e%2e/internal/tls-check?domain=cooking.porchlight.localhost",
    f"https://{BASE}/internal/tls-check?domain=cooking.porchlight.localhost",
)


@pytest.mark.parametrize("host", [BASE, f"cooking.{BASE}"])
@pytest.mark.parametrize("method", ["GET", "HEAD", "POST"])
def test_what_operators_ask_is_out_of_reach(house: House, host: str, method: str) -> None:
    assert house.direct("/metrics", host=BASE).status == 200
    for target in HIDDEN:
        answer = house.caddy.get(host, target, method=method)
        assert (answer.status, answer.body) == (404, b""), target


@pytest.mark.parametrize("target", ["/internal%252ftls-check?domain=x", "/metrics%00", "/internal;/tls-check"])
def test_names_beside_the_hidden_ones_reach_no_operator(house: House, target: str) -> None:
    answer = house.caddy.get(BASE, target)
    assert b"porchlight_requests" not in answer.body
    assert answer.headers.get("content-type", "text/html").startswith("text/html") or answer.status == 404


# Who asks, and for whom


class Echo(http.server.BaseHTTPRequestHandler):
    """Answers with the headers it was sent."""

    def do_GET(self) -> None:
        """GET and POST alike."""
        self.rfile.read(int(self.headers.get("Content-Length", "0")))
        body = json.dumps([[name.lower(), value] for name, value in self.headers.items()]).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_POST = do_GET

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@contextlib.contextmanager
def echoing(port: int) -> Iterator[None]:
    """A server at this port for a while."""
    with http.server.ThreadingHTTPServer(("127.0.0.1", port), Echo) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield
        finally:
            server.shutdown()
            thread.join()


@pytest.fixture
def lonely(house: House, tmp_path: Path) -> Iterator[Caddy]:
    """Caddy without anything behind it."""
    caddy = Caddy(tmp_path / "lonely", free_ports(), tmp_path)
    caddy.start()
    yield caddy
    caddy.stop()


@pytest.fixture
def echo(lonely: Caddy) -> Iterator[Caddy]:
    """Caddy in front of a server that answers with the headers it was sent."""
    with echoing(lonely.api_port):
        yield lonely


SPOOFED = {
    "X-Forwarded-Host": f"music.{BASE}",
    "X-Forwarded-For": "203.0.113.7",
    "X-Forwarded-Proto": "http",
    "X-Forwarded-Port": "1",
    "X-Forwarded-Prefix": "/internal",
    "X-Forwarded-Server": f"music.{BASE}",
    "Forwarded": f"for=203.0.113.7;host=music.{BASE};proto=http",
    "X-Real-IP": "203.0.113.7",
    "X-Original-URL": "/metrics",
    "X-Rewrite-URL": "/metrics",
}


def test_claims_of_clients_are_discarded(echo: Caddy) -> None:
    sent = json.loads(echo.get("cooking", headers=SPOOFED).body)
    forwarded = {name: value for name, value in sent if name.startswith(("x-", "forwarded"))}
    assert re.fullmatch(r"[0-9a-f-]{36}", forwarded.pop("x-request-id"))
    assert forwarded == {"x-forwarded-for": "127.0.0.1", "x-forwarded-proto": "https"}
    assert dict(sent)["host"] == f"cooking.{BASE}:{echo.https_port}"


def test_spoofed_headers_change_nothing(house: House) -> None:
    for target in ("/", "/blog", "/api/gurus/cooking/services"):
        honest = house.caddy.get("cooking", target)
        spoofed = house.caddy.get("cooking", target, headers=SPOOFED)
        assert (spoofed.status, spoofed.body) == (200, honest.body)
        assert f"https://music.{BASE}" not in spoofed.text


def test_the_name_of_the_handshake_does_not_decide_either(house: House) -> None:
    page = house.caddy.get("cooking", host=f"music.{BASE}:{house.caddy.https_port}")
    assert '"subdomain":"music"' in page.text


def test_two_hosts_or_none_are_refused(house: House) -> None:
    with house.caddy.connected(f"cooking.{BASE}") as connection:
        connection.sock.sendall(f"GET / HTTP/1.1\r\nHost: cooking.{BASE}\r\nHost: music.{BASE}\r\n\r\n".encode())
        assert connection.sock.recv(4096).startswith(b"HTTP/1.1 400 ")
    with house.caddy.connected(f"cooking.{BASE}") as connection:
        connection.sock.sendall(b"GET / HTTP/1.1\r\n\r\n")
        assert connection.sock.recv(4096).startswith(b"HTTP/1.1 400 ")


# An API that restarts


def test_a_form_waits_for_it_and_a_page_does_not(lonely: Caddy) -> None:
    with lonely.connected(BASE) as connection:
        connection.putrequest("POST", "/contact", skip_host=True)
        for name, value in (("Host", BASE), ("Content-Length", "4")):
            connection.putheader(name, value)
        connection.endheaders(b"a=b&")
        assert lonely.get(BASE).status == 503
        with echoing(lonely.api_port):
            answer = connection.getresponse()
            assert answer.status == 200
            assert ["content-length", "4"] in json.loads(answer.read())


# Limits


def test_a_body_beyond_the_limit_is_refused(house: House) -> None:
    name = f"cooking.{BASE}"
    for target in ("/contact", "/api/gurus/cooking/leads"):
        with house.caddy.connected(name) as connection:
            headers = {"Host": f"{name}:{house.caddy.https_port}"}
            # Whoever refuses it reads no further: what is still being sent finds nobody, and the answer is there.
            with contextlib.suppress(BrokenPipeError, ConnectionResetError, ssl.SSLEOFError):
                connection.request("POST", target, body=b"x" * 1_100_000, headers=headers)
            # Caddy and the API both refuse it: Caddy's breaking off may cut short what the API says beside its status.
            assert connection.getresponse().status == 413, target


def test_a_head_beyond_the_limit_is_refused(house: House) -> None:
    assert house.caddy.get("cooking", headers={"X-Long": "x" * 60_000}).status == 431


# What it adds


def test_pages_carry_the_headers_of_the_api_and_of_tls(house: House) -> None:
    for host in (BASE, f"cooking.{BASE}"):
        seen = house.caddy.get(host)
        told = house.direct("/", host=f"{host}:{house.caddy.https_port}", headers={"X-Forwarded-Proto": "https"})
        assert seen.headers["content-security-policy"] == told.headers["content-security-policy"]
        assert "'unsafe-inline'" not in seen.headers["content-security-policy"]
        assert "script-src 'self';" in seen.headers["content-security-policy"]
        assert seen.body == told.body
        assert seen.headers["x-content-type-options"] == "nosniff"
        assert seen.headers["referrer-policy"] == told.headers["referrer-policy"]
        assert seen.headers["permissions-policy"] == told.headers["permissions-policy"]
        assert seen.headers["strict-transport-security"] == "max-age=31536000"
        assert "server" not in seen.headers
        assert "via" not in seen.headers


def hashed_files() -> list[tuple[str, str, Path]]:
    """A host, an address and the file behind it, for a large file of either web."""
    found = []
    for host, folder, below in ((f"cooking.{BASE}", "guru-web/out", "_next/static"), (BASE, "main-web/dist", "assets")):
        root = ROOT / folder
        largest = max((root / below).rglob("*.js"), key=lambda path: path.stat().st_size)
        found.append((host, "/" + largest.relative_to(root).as_posix(), largest))
    return found


@pytest.mark.parametrize("encoding", ["br", "zstd", "gzip"])
def test_static_files_are_sent_compressed_and_for_ever(house: House, encoding: str) -> None:
    suffix = {"br": ".br", "zstd": ".zst", "gzip": ".gz"}[encoding]
    for host, target, path in hashed_files():
        got = house.caddy.get(host, target, headers={"Accept-Encoding": encoding})
        assert got.status == 200
        assert got.headers["content-encoding"] == encoding
        assert got.headers["cache-control"] == "public, max-age=31536000, immutable"
        assert "Accept-Encoding" in got.headers["vary"]
        assert got.body == path.with_name(path.name + suffix).read_bytes()


def test_static_files_prefer_brotli_and_can_do_without(house: House) -> None:
    host, target, path = hashed_files()[0]
    browser = house.caddy.get(host, target, headers={"Accept-Encoding": "gzip, deflate, br, zstd"})
    assert browser.headers["content-encoding"] == "br"
    plain = house.caddy.get(host, target)
    assert "content-encoding" not in plain.headers
    assert plain.body == path.read_bytes()
    assert plain.headers["content-type"].startswith("text/javascript")


@pytest.mark.parametrize(
    "target",
    [
        "/_next/static/none.js",
        "/assets/none.js",
        "/_next/static/../../server.js",
        "/_next/static/..%2f..%2f..%2fetc/passwd",
        "/assets/%2e%2e/index.html",
        "/assets/",
        "/_next/static/",
    ],
)
def test_nothing_else_is_served_from_the_builds(house: House, target: str) -> None:
    got = house.caddy.get("cooking", target)
    assert got.status in (302, 404)
    assert "immutable" not in got.headers.get("cache-control", "")
    assert got.body == b""


def test_it_speaks_http2(house: House) -> None:
    context = trusting(house.caddy.authority)
    context.set_alpn_protocols(["h2", "http/1.1"])
    with contextlib.closing(socket.create_connection(("127.0.0.1", house.caddy.https_port))) as plain:
        with context.wrap_socket(plain, server_hostname=f"cooking.{BASE}") as connection:
            assert connection.selected_alpn_protocol() == "h2"
            assert connection.version() == "TLSv1.3"


def test_tls_before_1_2_is_refused(house: House) -> None:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.load_verify_locations(house.caddy.authority)
    context.set_ciphers("ALL:@SECLEVEL=0")
    with warnings.catch_warnings(action="ignore"):
        context.minimum_version = context.maximum_version = ssl.TLSVersion.TLSv1_1
    with contextlib.closing(socket.create_connection(("127.0.0.1", house.caddy.https_port))) as plain:
        with pytest.raises(ssl.SSLError, match=r"(?i)protocol.version"):
            context.wrap_socket(plain, server_hostname=f"cooking.{BASE}")


# What it writes down


def test_the_log_holds_no_personal_data(house: House) -> None:
    telling = {
        "User-Agent": "SecretBrowser/1.0",
        "Cookie": "__session=secret-cookie",
        "Referer": "https://secret-referer.example/",
        "Authorization": "Bearer secret-token",
        "X-Forwarded-For": "203.0.113.9",
        "Accept-Language": "secret-language",
    }
    house.caddy.get("cooking", "/blog?name=secret-query&email=secret%40example.org", headers=telling)
    house.caddy.get("cooking", "/api/gurus/cooking/posts?tag=secret-query", headers=telling)
    house.caddy.get("cooking", "/contact", method="POST", body=b"name=secret-body", headers=telling)

    request = {
        "proto": "HTTP/1.1",
        "method": "GET",
        "host": f"cooking.{BASE}:{house.caddy.https_port}",
        "uri": "/blog",
    }

    def logged() -> bool:
        lines = house.caddy.access()
        blog = [line["status"] for line in lines if line["request"] == request]
        return 200 in blog and any(line["request"]["uri"] == "/contact" for line in lines)

    eventually("the requests are logged", logged)
    everything = house.caddy.log.read_text()
    assert "secret" not in everything.lower()
    assert "203.0.113.9" not in everything


# The configuration itself


def test_it_names_no_guru(house: House) -> None:
    for label in ("cooking", "music", "tech"):
        assert label not in (ROOT / "infra" / "Caddyfile").read_text()


def test_the_plain_request_function_sends_what_it_is_given(echo: Caddy) -> None:
    with echo.connected(f"cooking.{BASE}") as connection:
        sent = json.loads(ask(connection, "/", host="x.example", headers={"X-A": "1"}).body)
    assert dict(sent)["x-a"] == "1"
    assert dict(sent)["host"] == "x.example"
