"""Requests that Caddy rejects or changes, and headers and logs that it adds."""

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

from porchlight_dev.environment import ROOT
from tests.fixtures.ports import free_ports
from tests.fixtures.product import eventually
from tests.infra.deployment import BASE, Caddy, Deployment, send_request, trust_only

pytestmark = pytest.mark.tls

INTERNAL_TARGETS = (
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
def test_internal_path_from_outside_is_404(deployment: Deployment, host: str, method: str) -> None:
    assert deployment.direct("/metrics", host=BASE).status == 200
    for target in INTERNAL_TARGETS:
        response = deployment.caddy.get(host, target, method=method)
        assert (response.status, response.body) == (404, b""), target


@pytest.mark.parametrize("target", ["/internal%252ftls-check?domain=x", "/metrics%00", "/internal;/tls-check"])
def test_path_similar_to_internal_exposes_no_metrics(deployment: Deployment, target: str) -> None:
    response = deployment.caddy.get(BASE, target)
    assert b"porchlight_requests" not in response.body
    assert response.headers.get("content-type", "text/html").startswith("text/html") or response.status == 404


# Host and client headers


class EchoHandler(http.server.BaseHTTPRequestHandler):
    """Responds with the request's headers."""

    def do_GET(self) -> None:
        """Handle GET and POST."""
        self.rfile.read(int(self.headers.get("Content-Length", "0")))
        body = json.dumps([[name.lower(), value] for name, value in self.headers.items()]).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_POST = do_GET

    def log_message(self, format: str, *args: object) -> None:
        """Write no access log."""


@contextlib.contextmanager
def echo_server(port: int) -> Iterator[None]:
    """Run an echo server on this port."""
    with http.server.ThreadingHTTPServer(("127.0.0.1", port), EchoHandler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield
        finally:
            server.shutdown()
            thread.join()


@pytest.fixture
def caddy_without_api(deployment: Deployment, tmp_path: Path) -> Iterator[Caddy]:
    """Caddy without an API behind it."""
    caddy = Caddy(tmp_path / "lonely", free_ports(), tmp_path)
    caddy.start()
    yield caddy
    caddy.stop()


@pytest.fixture
def echo(caddy_without_api: Caddy) -> Iterator[Caddy]:
    """Caddy in front of an echo server."""
    with echo_server(caddy_without_api.api_port):
        yield caddy_without_api


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


def test_forwarded_headers_from_client_are_dropped(echo: Caddy) -> None:
    received = json.loads(echo.get("cooking", headers=SPOOFED).body)
    forwarded = {name: value for name, value in received if name.startswith(("x-", "forwarded"))}
    assert re.fullmatch(r"[0-9a-f-]{36}", forwarded.pop("x-request-id"))
    assert forwarded == {"x-forwarded-for": "127.0.0.1", "x-forwarded-proto": "https"}
    assert dict(received)["host"] == f"cooking.{BASE}:{echo.https_port}"


def test_spoofed_headers_do_not_change_page(deployment: Deployment) -> None:
    for target in ("/", "/blog", "/api/gurus/cooking/services"):
        plain = deployment.caddy.get("cooking", target)
        spoofed = deployment.caddy.get("cooking", target, headers=SPOOFED)
        assert (spoofed.status, spoofed.body) == (200, plain.body)
        assert f"https://music.{BASE}" not in spoofed.text


def test_host_header_overrides_sni(deployment: Deployment) -> None:
    page = deployment.caddy.get("cooking", host=f"music.{BASE}:{deployment.caddy.https_port}")
    assert '"subdomain":"music"' in page.text


def test_request_without_single_host_is_400(deployment: Deployment) -> None:
    with deployment.caddy.connected(f"cooking.{BASE}") as connection:
        connection.sock.sendall(f"GET / HTTP/1.1\r\nHost: cooking.{BASE}\r\nHost: music.{BASE}\r\n\r\n".encode())
        assert connection.sock.recv(4096).startswith(b"HTTP/1.1 400 ")
    with deployment.caddy.connected(f"cooking.{BASE}") as connection:
        connection.sock.sendall(b"GET / HTTP/1.1\r\n\r\n")
        assert connection.sock.recv(4096).startswith(b"HTTP/1.1 400 ")


# Reserved subdomains


def test_reserved_subdomain_answers_api_and_health(deployment: Deployment) -> None:
    for target in ("/api/feature-flags", "/healthz"):
        assert deployment.caddy.get("api", target).status == 200, target
    base = f"https://{BASE}:{deployment.caddy.https_port}"
    for target in ("/", "/blog?page=2"):
        response = deployment.caddy.get("www", target)
        assert (response.status, response.headers["location"]) == (308, base + target)


# API restarts


def test_post_during_api_restart_is_retried(caddy_without_api: Caddy) -> None:
    with caddy_without_api.connected(BASE) as connection:
        connection.putrequest("POST", "/contact", skip_host=True)
        for name, value in (("Host", BASE), ("Content-Length", "4")):
            connection.putheader(name, value)
        connection.endheaders(b"a=b&")
        assert caddy_without_api.get(BASE).status == 503
        with echo_server(caddy_without_api.api_port):
            response = connection.getresponse()
            assert response.status == 200
            assert ["content-length", "4"] in json.loads(response.read())


# Limits


def test_body_above_limit_is_413(deployment: Deployment) -> None:
    name = f"cooking.{BASE}"
    for target in ("/contact", "/api/gurus/cooking/leads"):
        with deployment.caddy.connected(name) as connection:
            headers = {"Host": f"{name}:{deployment.caddy.https_port}"}
            # The server stops reading the body when it rejects the request, so sending it may fail.
            with contextlib.suppress(BrokenPipeError, ConnectionResetError, ssl.SSLEOFError):
                connection.request("POST", target, body=b"x" * 1_100_000, headers=headers)
            # Caddy and the API both reject it. Caddy may cut the API's body short, so only the status is checked.
            assert connection.getresponse().status == 413, target


def test_headers_above_limit_are_431(deployment: Deployment) -> None:
    assert deployment.caddy.get("cooking", headers={"X-Long": "x" * 60_000}).status == 431


# Response headers and static files


def test_page_has_api_and_tls_headers(deployment: Deployment) -> None:
    for host in (BASE, f"cooking.{BASE}"):
        page = deployment.caddy.get(host)
        direct = deployment.direct(
            "/", host=f"{host}:{deployment.caddy.https_port}", headers={"X-Forwarded-Proto": "https"}
        )
        assert page.headers["content-security-policy"] == direct.headers["content-security-policy"]
        assert "'unsafe-inline'" not in page.headers["content-security-policy"]
        # Inline scripts by their hash only.
        assert re.search(r"script-src 'self'( 'sha256-[\w+/=]{44}')?;", page.headers["content-security-policy"])
        assert page.body == direct.body
        assert page.headers["x-content-type-options"] == "nosniff"
        assert page.headers["referrer-policy"] == direct.headers["referrer-policy"]
        assert page.headers["permissions-policy"] == direct.headers["permissions-policy"]
        assert page.headers["strict-transport-security"] == "max-age=31536000; includeSubDomains"
        assert "server" not in page.headers
        assert "via" not in page.headers


def hashed_files() -> list[tuple[str, str, Path]]:
    """Return host, path and file of the largest script of each web app."""
    scripts = []
    for host, folder, below in ((f"cooking.{BASE}", "guru-web/out", "_next/static"), (BASE, "main-web/dist", "assets")):
        root = ROOT / folder
        largest = max((root / below).rglob("*.js"), key=lambda path: path.stat().st_size)
        scripts.append((host, "/" + largest.relative_to(root).as_posix(), largest))
    return scripts


@pytest.mark.parametrize("encoding", ["br", "zstd", "gzip"])
def test_static_file_is_compressed_and_immutable(deployment: Deployment, encoding: str) -> None:
    suffix = {"br": ".br", "zstd": ".zst", "gzip": ".gz"}[encoding]
    for host, target, path in hashed_files():
        response = deployment.caddy.get(host, target, headers={"Accept-Encoding": encoding})
        assert response.status == 200
        assert response.headers["content-encoding"] == encoding
        assert response.headers["cache-control"] == "public, max-age=31536000, immutable"
        assert "Accept-Encoding" in response.headers["vary"]
        assert response.body == path.with_name(path.name + suffix).read_bytes()


def test_static_file_prefers_brotli_or_plain(deployment: Deployment) -> None:
    host, target, path = hashed_files()[0]
    browser = deployment.caddy.get(host, target, headers={"Accept-Encoding": "gzip, deflate, br, zstd"})
    assert browser.headers["content-encoding"] == "br"
    plain = deployment.caddy.get(host, target)
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
def test_path_outside_build_assets_is_not_served(deployment: Deployment, target: str) -> None:
    response = deployment.caddy.get("cooking", target)
    assert response.status in (302, 404)
    assert "immutable" not in response.headers.get("cache-control", "")
    assert response.body == b""


def test_connection_negotiates_http2_and_tls13(deployment: Deployment) -> None:
    context = trust_only(deployment.caddy.authority)
    context.set_alpn_protocols(["h2", "http/1.1"])
    with contextlib.closing(socket.create_connection(("127.0.0.1", deployment.caddy.https_port), timeout=60)) as plain:
        with context.wrap_socket(plain, server_hostname=f"cooking.{BASE}") as connection:
            assert connection.selected_alpn_protocol() == "h2"
            assert connection.version() == "TLSv1.3"


def test_tls_below_1_2_is_rejected(deployment: Deployment) -> None:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.load_verify_locations(deployment.caddy.authority)
    context.set_ciphers("ALL:@SECLEVEL=0")
    with warnings.catch_warnings(action="ignore"):
        context.minimum_version = context.maximum_version = ssl.TLSVersion.TLSv1_1
    with contextlib.closing(socket.create_connection(("127.0.0.1", deployment.caddy.https_port), timeout=60)) as plain:
        with pytest.raises(ssl.SSLError, match=r"(?i)protocol.version"):
            context.wrap_socket(plain, server_hostname=f"cooking.{BASE}")


# Logs


def test_access_log_holds_no_personal_data(deployment: Deployment) -> None:
    headers = {
        "User-Agent": "SecretBrowser/1.0",
        "Cookie": "__session=secret-cookie",
        "Referer": "https://secret-referer.example/",
        "Authorization": "Bearer secret-token",
        "X-Forwarded-For": "203.0.113.9",
        "Accept-Language": "secret-language",
    }
    deployment.caddy.get("cooking", "/blog?name=secret-query&email=secret%40example.org", headers=headers)
    deployment.caddy.get("cooking", "/api/gurus/cooking/posts?tag=secret-query", headers=headers)
    deployment.caddy.get("cooking", "/contact", method="POST", body=b"name=secret-body", headers=headers)

    request = {
        "proto": "HTTP/1.1",
        "method": "GET",
        "host": f"cooking.{BASE}:{deployment.caddy.https_port}",
        "uri": "/blog",
    }

    def log_entries() -> bool:
        lines = deployment.caddy.access_log()
        blog = [line["status"] for line in lines if line["request"] == request]
        return 200 in blog and any(line["request"]["uri"] == "/contact" for line in lines)

    eventually("the requests are logged", log_entries)
    log = deployment.caddy.log.read_text()
    assert "secret" not in log.lower()
    assert "203.0.113.9" not in log


# Caddyfile


def test_caddyfile_names_no_guru(deployment: Deployment) -> None:
    for label in ("cooking", "music", "tech"):
        assert label not in (ROOT / "infra" / "Caddyfile").read_text()


def test_send_request_keeps_given_headers(echo: Caddy) -> None:
    with echo.connected(f"cooking.{BASE}") as connection:
        received = json.loads(send_request(connection, "/", host="x.example", headers={"X-A": "1"}).body)
    assert dict(received)["x-a"] == "1"
    assert dict(received)["host"] == "x.example"
