"""`porchlight demo --tls-port` from the outside: its facts, its output and Caddy's configuration."""

from __future__ import annotations

import contextlib
import http.client
import json
import subprocess
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import psycopg
import pytest

from porchlight_dev.probes import SniConnection
from tests.fixtures.ports import free_ports
from tests.fixtures.product import eventually, run_program, service_process
from tests.infra.deployment import BIN, CADDYFILE, HttpResponse, send_request, trust_only

pytestmark = pytest.mark.tls


def visit(facts: dict[str, Any], name: str, target: str = "/") -> HttpResponse:
    """Send a request to the product over TLS, trusting its own authority."""
    port = urlsplit(facts["tls_url"]).port
    assert port is not None
    with contextlib.closing(SniConnection(name, port, trust_only(Path(facts["tls_ca"])))) as connection:
        connection.timeout = 60
        return send_request(connection, target, host=f"{name}:{port}")


def test_demo_json_names_tls_url_and_ca(demo: dict[str, Any]) -> None:
    base = urlsplit(demo["tls_url"]).hostname
    assert base is not None
    assert visit(demo, base).status == 200
    page = visit(demo, f"cooking.{base}")
    assert '"subdomain":"cooking"' in page.text
    assert page.headers["strict-transport-security"] == "max-age=0"  # the same hosts are also served without TLS


def test_demo_json_has_all_urls(demo: dict[str, Any]) -> None:
    assert set(demo) >= {"auth_url", "stripe_url", "webhook_secret", "connect_webhook_secret", "users"}
    assert len(demo["admin_key"]) >= 32
    assert (Path(demo["state"]) / "demo.json").stat().st_mode & 0o777 == 0o600
    port = urlsplit(demo["base_url"]).port
    assert port is not None
    for name, role in (("database", "app"), ("overseer", "overseer"), ("owner", "owner")):
        with psycopg.connect(demo[f"{name}_url"]) as connection:
            row = connection.execute("SELECT current_user::text, inet_server_port()").fetchone()
        assert row == (f"porchlight_{role}", port + 3)


def test_demo_serves_demo_data_and_prints_urls(demo: dict[str, Any]) -> None:
    output = Path(f"{demo['state']}.out").read_text()
    base = urlsplit(demo["tls_url"])
    for guru in ("cooking", "music", "tech"):
        response = visit(demo, f"{guru}.{base.hostname}", f"/api/gurus/{guru}/home")
        assert response.status == 200
        assert json.loads(response.body)["success"] is True
        assert f"https://{guru}.{base.netloc}" in output
    assert f"{demo['tls_url']}/api/docs" in output
    assert f"{demo['tls_url']}/_mail" in output


def test_demo_same_folder_second_start_is_rejected(demo: dict[str, Any]) -> None:
    code, output = run_program("demo", "--port", str(free_ports(5)), "--state", demo["state"])
    assert code == 1
    assert f"Porchlight is already running from {demo['state']} (process {demo['pid']})" in output
    assert "Traceback" not in output
    assert (Path(demo["state"]) / "demo.json").exists()
    assert visit(demo, str(urlsplit(demo["tls_url"]).hostname), "/readyz").status == 200


def test_demo_page_is_kept_for_outages(demo: dict[str, Any]) -> None:
    name = f"music.{urlsplit(demo['tls_url']).hostname}"
    page = visit(demo, name, "/services")
    snapshot = Path(demo["state"]) / "published" / "music" / "services" / "index.html"
    eventually("the page is kept", lambda: snapshot.exists() and snapshot.read_bytes() == page.body)


def test_demo_plain_http_redirects_to_tls(demo: dict[str, Any]) -> None:
    plain = urlsplit(demo["base_url"])
    assert plain.port is not None
    with contextlib.closing(http.client.HTTPConnection("127.0.0.1", plain.port + 5, timeout=60)) as connection:
        response = send_request(connection, "/blog", host=f"cooking.{plain.hostname}")
    assert response.status == 308
    assert response.headers["location"] == f"{demo['tls_url'].replace('//', '//cooking.')}/blog"


def test_demo_caddy_admin_socket_reloads(demo: dict[str, Any]) -> None:
    caddy = service_process(demo, "caddy")
    assert caddy.environ()["CADDY_ADMIN"].startswith("unix/")
    listening = {snapshot.laddr.port for snapshot in caddy.net_connections() if snapshot.status == "LISTEN"}
    port = urlsplit(demo["base_url"]).port
    assert port is not None
    assert listening == {urlsplit(demo["tls_url"]).port, port + 4, port + 5}
    subprocess.run(
        [BIN / "caddy", "reload", "--force", "--config", CADDYFILE, "--adapter", "caddyfile"],
        cwd=caddy.cwd(),
        env=caddy.environ(),
        check=True,
        capture_output=True,
        timeout=120,
    )
    assert visit(demo, str(urlsplit(demo["tls_url"]).hostname)).status == 200
