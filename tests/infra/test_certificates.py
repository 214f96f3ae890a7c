"""Who gets a certificate, and whose site it then shows."""

from __future__ import annotations

import contextlib
import http.client
import secrets
import subprocess
import time
from pathlib import Path

import pytest

from tests.infra.house import BASE, BIN, Caddy, House, ask
from tests.support.product import eventually

pytestmark = pytest.mark.tls


@pytest.mark.parametrize("label", ["cooking", "music"])
def test_a_guru_has_a_certificate_and_their_own_site(house: House, label: str) -> None:
    page = house.caddy.get(label)
    assert page.status == 200
    assert f'"subdomain":"{label}"' in page.text
    assert f"{label}.{BASE}" in house.caddy.certificates()


def test_the_base_host_is_the_main_platform(house: House) -> None:
    page = house.caddy.get(BASE)
    assert page.status == 200
    assert '<div id="root">' in page.text


def test_a_custom_domain_has_one_once_it_is_verified(house: House) -> None:
    house.new_guru("potter")
    domain = "potter.example"
    house.run("domain", "add", "potter", domain)
    assert not house.caddy.gives_certificate(domain)
    house.run("domain", "add", "potter", domain, "--verified")
    eventually("the verified domain has a certificate", lambda: house.caddy.gives_certificate(domain))
    # The worker that answered for the certificate has heard of the domain; the other one hears of it by itself.
    eventually("the domain is the guru's", lambda: house.caddy.get(domain).status == 200)
    page = house.caddy.get(domain)
    assert '"subdomain":"potter"' in page.text
    assert f'href="https://{domain}:' in page.text


def test_a_former_label_has_one_and_redirects(house: House) -> None:
    house.new_guru("weaver")
    house.run("guru", "rename", "weaver", "weaving")
    eventually("the former label has a certificate", lambda: house.caddy.gives_certificate(f"weaver.{BASE}"))
    # Every worker hears of it by itself; until then the label may still be the site's own.
    moved = (308, f"https://weaving.{BASE}:{house.caddy.https_port}/blog?x=1")

    def redirects() -> bool:
        answer = house.caddy.get("weaver", "/blog?x=1")
        return (answer.status, answer.headers.get("location")) == moved

    eventually("the former label redirects", redirects)


def test_a_suspended_guru_gets_none_until_restored(house: House) -> None:
    house.new_guru("fallen")
    house.run("guru", "suspend", "fallen")
    name = f"fallen.{BASE}"
    assert not house.caddy.gives_certificate(name)
    assert name not in house.caddy.certificates()
    house.run("guru", "restore", "fallen")
    eventually("the restored guru has a certificate", lambda: house.caddy.gives_certificate(name))


def test_a_suspension_after_the_certificate_answers_410(house: House) -> None:
    house.new_guru("flown")
    assert house.caddy.get("flown").status == 200
    house.run("guru", "suspend", "flown")
    eventually("the suspended site answers 410", lambda: house.caddy.get("flown").status == 410)


@pytest.mark.parametrize(
    "name",
    [f"nobody.{BASE}", f"a.cooking.{BASE}", "example.com", f"cooking.{BASE}.example.com", "localhost", "127.0.0.1"],
)
def test_names_that_are_nobodys_get_none(house: House, name: str) -> None:
    before = house.caddy.certificates()
    assert not house.caddy.gives_certificate(name)
    assert house.caddy.certificates() == before


def knock_at_random(house: House, count: int) -> None:
    before = house.caddy.certificates()
    began = time.monotonic()
    given = 0
    for number in range(count):
        word = secrets.token_hex(6)
        name = (f"{word}.{BASE}", f"{word}.example.com", f"www.{word}.net", f"cooking-{word}.{BASE}")[number % 4]
        given += house.caddy.gives_certificate(name)
    print(f"\n{count} random names in {time.monotonic() - began:.1f} s: {given} certificates")
    assert given == 0
    assert house.caddy.certificates() == before


def test_random_names_get_none(house: House) -> None:
    knock_at_random(house, 60)


@pytest.mark.drill
def test_a_thousand_random_names_get_none(house: House) -> None:
    knock_at_random(house, 1000)


def test_a_new_guru_answers_over_a_fresh_certificate(house: House) -> None:
    label = house.new_guru(f"new-{secrets.token_hex(4)}")
    began = time.perf_counter()
    page = house.caddy.get(label)
    print(f"\nfirst 200 of a new guru over a fresh certificate: {(time.perf_counter() - began) * 1000:.0f} ms")
    assert page.status == 200
    assert f'"subdomain":"{label}"' in page.text


# Plain HTTP


def plainly(house: House, host: str, target: str = "/blog?tag=x") -> tuple[int, str | None]:
    connection = http.client.HTTPConnection("127.0.0.1", house.caddy.http_port, timeout=60)
    with contextlib.closing(connection):
        answer = ask(connection, target, host=host)
    return answer.status, answer.headers.get("location")


@pytest.mark.parametrize("host", [BASE, f"cooking.{BASE}"])
def test_plain_http_leads_known_hosts_to_https(house: House, host: str) -> None:
    status, location = plainly(house, f"{host}:{house.caddy.http_port}")
    assert (status, location) == (308, f"https://{host}:{house.caddy.https_port}/blog?tag=x")


@pytest.mark.parametrize(
    "host", [f"nobody.{BASE}", "example.com", "127.0.0.1", f"cooking.{BASE}&domain=x", f"{BASE}.example.com"]
)
def test_plain_http_answers_nobody_else(house: House, host: str) -> None:
    assert plainly(house, host) == (404, None)


# A wildcard certificate beside certificates on demand, as in production


def wildcard(folder: Path) -> tuple[Path, Path]:
    """A certificate for *.base, made by another Caddy's authority, with its key."""
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
    made = folder / "caddy" / "certificates" / "local" / f"wildcard_.{BASE}" / f"wildcard_.{BASE}.crt"
    try:
        eventually("the wildcard certificate is made", lambda: made.exists() and made.with_suffix(".key").exists())
    finally:
        process.terminate()
        process.wait(60)
    return made, made.with_suffix(".key")


def test_a_wildcard_certificate_serves_gurus_and_leaves_on_demand_to_domains(house: House, tmp_path: Path) -> None:
    certificate, key = wildcard(tmp_path / "maker")
    extra = {
        "PORCHLIGHT_TLS": "files",
        "PORCHLIGHT_TLS_CERTIFICATE": str(certificate),
        "PORCHLIGHT_TLS_KEY": str(key),
    }
    authority = tmp_path / "maker" / "caddy" / "pki" / "authorities" / "local" / "root.crt"
    caddy = Caddy(tmp_path / "caddy", house.api_port, house.published, extra, authority)
    caddy.start()
    try:
        for label in ("cooking", "music", "tech"):
            assert f'"subdomain":"{label}"' in caddy.get(label).text
        # The certificate covers the name; that it is nobody's, the API says.
        assert caddy.get("nobody").status == 404
        assert caddy.certificates() <= {BASE}
        assert not caddy.gives_certificate("unknown.example")
    finally:
        caddy.stop()
