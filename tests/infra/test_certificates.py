"""Certificates per host name, and the site that each host serves."""

from __future__ import annotations

import contextlib
import http.client
import secrets
import subprocess
import time
from pathlib import Path

import pytest

from tests.fixtures.product import eventually
from tests.infra.deployment import BASE, BIN, Caddy, Deployment, send_request

pytestmark = pytest.mark.tls


@pytest.mark.parametrize("label", ["cooking", "music"])
def test_guru_subdomain_has_certificate_and_site(deployment: Deployment, label: str) -> None:
    page = deployment.caddy.get(label)
    assert page.status == 200
    assert f'"subdomain":"{label}"' in page.text


def test_unknown_guru_has_page_without_certificate_of_its_own(deployment: Deployment) -> None:
    """The wildcard certificate serves the page that says so: random names cost no certificate."""
    before = deployment.caddy.certificates()
    for label in ("no-guru-here", secrets.token_hex(6)):
        page = deployment.caddy.get(label, "/about")
        assert page.status == 404
        assert "Guru Not Found" in page.text
        assert f'href="https://{BASE}:{deployment.caddy.https_port}/"' in page.text
    assert deployment.caddy.certificates() == before
    assert not any(name.endswith(f".{BASE}") and "wildcard" not in name for name in before)


def test_base_host_serves_main_platform(deployment: Deployment) -> None:
    page = deployment.caddy.get(BASE)
    assert page.status == 200
    assert '<div id="root"' in page.text


def test_custom_domain_gets_certificate_once_verified(deployment: Deployment) -> None:
    deployment.new_guru("potter")
    domain = "potter.example"
    deployment.run("domain", "add", "potter", domain)
    assert not deployment.caddy.has_certificate_for(domain)
    deployment.run("domain", "add", "potter", domain, "--verified")
    eventually("the verified domain has a certificate", lambda: deployment.caddy.has_certificate_for(domain))
    # Each API worker receives the change notification separately.
    eventually("the domain is the guru's", lambda: deployment.caddy.get(domain).status == 200)
    assert '"subdomain":"potter"' in deployment.caddy.get(domain).text


def test_hosts_redirect_to_main_address(deployment: Deployment) -> None:
    """Over real certificates: to the domain while it works, back while it does not, and never back and forth."""
    deployment.new_guru("miller")
    deployment.run("domain", "add", "miller", "miller.example", "--verified")
    deployment.run("domain", "add", "miller", "www.miller.example", "--verified")
    hosts = ["miller.example", "www.miller.example", f"miller.{BASE}"]
    eventually("all have certificates", lambda: all(map(deployment.caddy.has_certificate_for, hosts)))

    def lead_to(main: str, *pages: str) -> None:
        """Wait until every worker redirects all hosts but `pages` to the main one, over TLS."""
        found = {
            host: f"https://{main}:{deployment.caddy.https_port}/blog?x=1" if host not in pages else None
            for host in hosts
        }

        def is_there() -> bool:
            responses = [(host, deployment.caddy.get(host, "/blog?x=1")) for host in hosts for _ in range(5)]
            return all(
                (response.headers.get("location"), response.status) == (found[host], 301 if found[host] else 200)
                for host, response in responses
            )

        eventually(f"all hosts lead to {main}", is_there)
        for host in pages:
            assert f'rel="canonical" href="https://{main}:' in deployment.caddy.get(host).text

    subdomain = f"miller.{BASE}"
    lead_to(subdomain, subdomain, "miller.example")  # nothing has read the certificates yet
    # The worker would read them; they are as old as the machine's clock, not the suite's.
    read = "UPDATE domains SET certificate_until = app.now() + interval '9 days' WHERE domain = %s"
    deployment.execute(read, "www.miller.example")
    lead_to("www.miller.example", "www.miller.example", "miller.example")
    deployment.execute(read, "miller.example")
    lead_to("miller.example", "miller.example")
    deployment.execute("UPDATE gurus SET main_domain = 'www.miller.example' WHERE label = 'miller'")
    lead_to("www.miller.example", "www.miller.example")
    assert deployment.caddy.get(subdomain, "/api/gurus/miller/home").status == 200
    deployment.execute("UPDATE domains SET certificate_until = NULL WHERE domain = 'www.miller.example'")
    lead_to(subdomain, subdomain, "www.miller.example")
    plain = (308, f"https://www.miller.example:{deployment.caddy.https_port}/blog?x=1")
    assert plain_request(deployment, "www.miller.example", "/blog?x=1") == plain
    deployment.run("domain", "remove", "miller", "www.miller.example")
    hosts.remove("www.miller.example")
    lead_to("miller.example", "miller.example")


def test_former_label_redirects(deployment: Deployment) -> None:
    deployment.new_guru("weaver")
    deployment.run("guru", "rename", "weaver", "weaving")
    # Each API worker receives the change notification separately; until then it serves the site under the old label.
    moved = (308, f"https://weaving.{BASE}:{deployment.caddy.https_port}/blog?x=1")

    def redirects() -> bool:
        response = deployment.caddy.get("weaver", "/blog?x=1")
        return (response.status, response.headers.get("location")) == moved

    eventually("the former label redirects", redirects)


def test_domain_of_suspended_guru_gets_no_certificate(deployment: Deployment) -> None:
    deployment.new_guru("fallen")
    deployment.add_domain("fallen", "fallen.example")
    deployment.run("guru", "suspend", "fallen")
    name = "fallen.example"
    assert not deployment.caddy.has_certificate_for(name)
    assert name not in deployment.caddy.certificates()
    deployment.run("guru", "restore", "fallen")
    eventually("the restored guru has a certificate", lambda: deployment.caddy.has_certificate_for(name))


def test_suspended_guru_returns_410(deployment: Deployment) -> None:
    deployment.new_guru("flown")
    assert deployment.caddy.get("flown").status == 200
    deployment.run("guru", "suspend", "flown")
    eventually("the suspended site answers 410", lambda: deployment.caddy.get("flown").status == 410)


@pytest.mark.parametrize(
    "name",
    [f"a.cooking.{BASE}", "example.com", f"cooking.{BASE}.example.com", "localhost", "127.0.0.1"],
)
def test_unknown_name_gets_no_certificate(deployment: Deployment, name: str) -> None:
    before = deployment.caddy.certificates()
    assert not deployment.caddy.has_certificate_for(name)
    assert deployment.caddy.certificates() == before


def request_random_names(deployment: Deployment, count: int) -> None:
    before = deployment.caddy.certificates()
    began = time.monotonic()
    certificate_count = 0
    for number in range(count):
        word = secrets.token_hex(6)
        own, *names = (f"{word}.{BASE}", f"{word}.example.com", f"www.{word}.net", f"{word}.cooking.{BASE}")
        if number % 4 == 0:
            assert deployment.caddy.has_certificate_for(own)  # the wildcard one
        else:
            certificate_count += deployment.caddy.has_certificate_for(names[number % 4 - 1])
    print(f"\n{count} random names in {time.monotonic() - began:.1f} s: {certificate_count} certificates")
    assert certificate_count == 0
    assert deployment.caddy.certificates() == before


def test_random_names_get_no_certificate(deployment: Deployment) -> None:
    request_random_names(deployment, 60)


@pytest.mark.drill
def test_thousand_random_names_get_no_certificate(deployment: Deployment) -> None:
    request_random_names(deployment, 1000)


def test_new_guru_is_served_at_once(deployment: Deployment) -> None:
    label = f"new-{secrets.token_hex(4)}"
    deployment.run("guru", "create", label, "--character", f"{label} the Guru", "--email", f"{label}@example.org")
    page = deployment.caddy.get(label)
    assert page.status == 200
    assert f'"subdomain":"{label}"' in page.text


# Plain HTTP


def plain_request(deployment: Deployment, host: str, target: str = "/blog?tag=x") -> tuple[int, str | None]:
    connection = http.client.HTTPConnection("127.0.0.1", deployment.caddy.http_port, timeout=60)
    with contextlib.closing(connection):
        response = send_request(connection, target, host=host)
    return response.status, response.headers.get("location")


@pytest.mark.parametrize("host", [BASE, f"cooking.{BASE}", f"unknown.{BASE}"])
def test_plain_http_of_known_host_redirects_to_https(deployment: Deployment, host: str) -> None:
    status, location = plain_request(deployment, f"{host}:{deployment.caddy.http_port}")
    assert (status, location) == (308, f"https://{host}:{deployment.caddy.https_port}/blog?tag=x")


@pytest.mark.parametrize(
    "host", [f"a.cooking.{BASE}", "example.com", "127.0.0.1", f"cooking.{BASE}&domain=x", f"{BASE}.example.com"]
)
def test_plain_http_of_unknown_host_is_404(deployment: Deployment, host: str) -> None:
    assert plain_request(deployment, host) == (404, None)


# A wildcard certificate with on-demand certificates, as in production


def make_wildcard_certificate(folder: Path) -> tuple[Path, Path]:
    """Create a certificate for *.base with another Caddy's authority. Return the paths of certificate and key."""
    folder.mkdir()
    (folder / "Caddyfile").write_text(
        "{\n\tadmin off\n\tskip_install_trust\n\tauto_https disable_redirects\n\thttps_port {$PORT}\n}\n"
        f"*.{BASE} {{\n\tbind 127.0.0.1\n\ttls internal\n}}\n"
    )
    maker = Caddy(folder, 1, folder)
    env = maker.env | {"PORT": str(maker.https_port)}
    process = subprocess.Popen(
        [BIN / "caddy", "run", "--config", folder / "Caddyfile"], env=env, cwd=folder, stderr=subprocess.DEVNULL
    )
    path = folder / "caddy" / "certificates" / "local" / f"wildcard_.{BASE}" / f"wildcard_.{BASE}.crt"
    try:
        eventually("the wildcard certificate is made", lambda: path.exists() and path.with_suffix(".key").exists())
    finally:
        process.terminate()
        process.wait(60)
    return path, path.with_suffix(".key")


def test_wildcard_certificate_covers_guru_subdomains(deployment: Deployment, tmp_path: Path) -> None:
    certificate, key = make_wildcard_certificate(tmp_path / "maker")
    extra = {
        "PORCHLIGHT_TLS": "files",
        "PORCHLIGHT_TLS_CERTIFICATE": str(certificate),
        "PORCHLIGHT_TLS_KEY": str(key),
    }
    authority = tmp_path / "maker" / "caddy" / "pki" / "authorities" / "local" / "root.crt"
    caddy = Caddy(tmp_path / "caddy", deployment.api_port, deployment.snapshots_dir, extra, authority)
    caddy.start()
    try:
        for label in ("cooking", "music", "tech"):
            assert f'"subdomain":"{label}"' in caddy.get(label).text
        # The certificate covers the name; the API returns the 404.
        assert caddy.get("unknown").status == 404
        assert caddy.certificates() <= {BASE}
        assert not caddy.has_certificate_for("unknown.example")
    finally:
        caddy.stop()
