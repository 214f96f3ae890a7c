"""`porchlight demo --tls-port`: Caddy is wired as this room expects it."""

from __future__ import annotations

import contextlib
import http.client
import subprocess
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from porchlight.local.parts import SniConnection
from tests.infra.house import BIN, CADDYFILE, Answer, ask, trusting
from tests.support.product import eventually, part_of

pytestmark = pytest.mark.tls


def visit(facts: dict[str, Any], name: str, target: str = "/") -> Answer:
    """Ask a host of the running product over TLS, trusting the authority it names."""
    port = urlsplit(facts["tls_url"]).port
    assert port is not None
    with contextlib.closing(SniConnection(name, port, trusting(Path(facts["tls_ca"])))) as connection:
        return ask(connection, target, host=f"{name}:{port}")


def test_it_says_how_to_reach_it_over_tls(tls_demo: dict[str, Any]) -> None:
    base = urlsplit(tls_demo["tls_url"]).hostname
    assert base is not None
    assert visit(tls_demo, base).status == 200
    page = visit(tls_demo, f"cooking.{base}")
    assert '"subdomain":"cooking"' in page.text
    assert page.headers["strict-transport-security"] == "max-age=0"  # the same names answer without TLS beside it


def test_its_pages_are_kept_for_outages(tls_demo: dict[str, Any]) -> None:
    name = f"music.{urlsplit(tls_demo['tls_url']).hostname}"
    page = visit(tls_demo, name, "/services")
    kept = Path(tls_demo["state"]) / "published" / "music" / "services" / "index.html"
    eventually("the page is kept", lambda: kept.exists() and kept.read_bytes() == page.body)


def test_plain_http_leads_to_it(tls_demo: dict[str, Any]) -> None:
    plain = urlsplit(tls_demo["base_url"])
    assert plain.port is not None
    with contextlib.closing(http.client.HTTPConnection("127.0.0.1", plain.port + 5, timeout=60)) as connection:
        answer = ask(connection, "/blog", host=f"cooking.{plain.hostname}")
    assert answer.status == 308
    assert answer.headers["location"] == f"{tls_demo['tls_url'].replace('//', '//cooking.')}/blog"


def test_its_administration_is_a_socket_and_reloads(tls_demo: dict[str, Any]) -> None:
    caddy = part_of(tls_demo, "caddy")
    assert caddy.environ()["CADDY_ADMIN"].startswith("unix/")
    listening = {kept.laddr.port for kept in caddy.net_connections() if kept.status == "LISTEN"}
    port = urlsplit(tls_demo["base_url"]).port
    assert port is not None
    assert listening == {urlsplit(tls_demo["tls_url"]).port, port + 4, port + 5}
    subprocess.run(
        [BIN / "caddy", "reload", "--force", "--config", CADDYFILE, "--adapter", "caddyfile"],
        cwd=caddy.cwd(),
        env=caddy.environ(),
        check=True,
        capture_output=True,
        timeout=120,
    )
    assert visit(tls_demo, str(urlsplit(tls_demo["tls_url"]).hostname)).status == 200
