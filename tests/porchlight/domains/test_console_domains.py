"""Custom domains in the console: adding, checking, removing, limits, and other gurus' claims."""

from __future__ import annotations

import re
from typing import Any

import psycopg
import pytest

from porchlight.app import Porchlight
from porchlight.features.domains.actions import MAX_CHECKS_PER_HOUR, MAX_DOMAINS
from tests.fixtures.databases import Database
from tests.fixtures.dns_server import DnsServer
from tests.fixtures.identity import PROJECT, Emulator
from tests.fixtures.timeouts import changed_timeouts
from tests.porchlight.app_client import BASE_HOST, http_client, run_app, send_raw, wait_until
from tests.porchlight.owner import GuruOwner

DOMAIN = "www.chef-rosa.example"
SERVED, NOT_SERVED = (200, 200), (404, 404)


async def _add(owner: GuruOwner, domain: str = DOMAIN) -> dict[str, Any]:
    added: dict[str, Any] = await owner.call("POST", "/domains", {"domain": domain}, expect=201)
    return added


def _point(dns: DnsServer, added: dict[str, Any]) -> str:
    """Set the record that the console asks for. Return its value."""
    (record,) = added["records"]
    dns.zone[(record["name"], record["type"])] = [f"{record['value']}."]
    return str(record["value"])


async def _check(owner: GuruOwner, domain: str = DOMAIN, *, expect: int = 200) -> dict[str, Any]:
    checked: dict[str, Any] = await owner.call("POST", f"/domains/{domain}/checks", expect=expect)
    return checked


async def _statuses(app: Porchlight, domain: str = DOMAIN) -> tuple[int, int]:
    """Return the statuses of the check for a certificate, and of the page.

    They agree, except in the moment until the app is notified of a change.
    """
    allowed = await send_raw(app, b"/internal/tls-check?domain=" + domain.encode(), "localhost")
    page = await send_raw(app, b"/", domain)
    return allowed.status, page.status


async def test_added_domain_lists_records_to_set(rosa: GuruOwner) -> None:
    added = await _add(rosa, " HTTPS://WWW.Chef-Rosa.example./menu ")
    assert (added["domain"], added["status"], added["outcome"]) == (DOMAIN, "waiting", None)
    (cname,) = added["records"]
    assert (cname["type"], cname["name"]) == ("CNAME", DOMAIN)
    assert re.fullmatch(r"site-[0-9a-f]{32}\." + re.escape(BASE_HOST), cname["value"])
    alias, proof = added["alternative"]
    assert alias == cname | {"type": "ALIAS"}
    assert (proof["type"], proof["name"]) == ("TXT", f"_porchlight.{DOMAIN}")
    assert proof["value"].startswith("porchlight-site=")
    assert await _add(rosa) == added
    listed = await rosa.call("GET", "/domains")
    assert (listed["domains"], listed["maxDomains"]) == ([added], MAX_DOMAINS)


async def test_domain_is_served_once_cname_proves_it(app: Porchlight, rosa: GuruOwner, dns: DnsServer) -> None:
    added = await _add(rosa)
    assert await _statuses(app) == NOT_SERVED
    missing = await _check(rosa)
    assert (missing["status"], missing["outcome"]) == ("waiting", "no_record")
    assert await _statuses(app) == NOT_SERVED
    target = _point(dns, added)
    checked = await _check(rosa)
    assert (checked["status"], checked["outcome"], checked["found"]) == ("connected", "ok", target)
    assert checked["checkedAt"]

    async def is_served() -> bool:
        return await _statuses(app) == SERVED

    await wait_until("the domain is served", is_served)
    await rosa.call("DELETE", f"/domains/{DOMAIN}")

    async def is_gone() -> bool:
        return await _statuses(app) == NOT_SERVED

    await wait_until("the domain is no longer served", is_gone)
    assert (await rosa.call("GET", "/domains"))["domains"] == []
    await rosa.call("DELETE", f"/domains/{DOMAIN}", expect=404)


async def test_other_gurus_record_proves_nothing(
    app: Porchlight, rosa: GuruOwner, theo: GuruOwner, dns: DnsServer
) -> None:
    await _add(rosa)
    # The subdomain proves nothing: another guru may have had it when the record was set.
    for value in (_point(dns, await _add(theo)), f"alpha.{BASE_HOST}"):
        dns.zone[(DOMAIN, "CNAME")] = [f"{value}."]
        checked = await _check(rosa)
        assert (checked["status"], checked["outcome"], checked["found"]) == ("waiting", "other_target", value)
    assert await _statuses(app) == NOT_SERVED


async def test_domain_served_elsewhere_is_refused(rosa: GuruOwner, theo: GuruOwner, dns: DnsServer) -> None:
    _point(dns, await _add(theo))
    assert (await _check(theo))["status"] == "connected"
    refused = await rosa.call("POST", "/domains", {"domain": DOMAIN}, expect=409)
    assert refused["code"] == "domain_taken"
    assert "beta" not in refused["message"]


async def test_unproven_claim_blocks_nobody(rosa: GuruOwner, theo: GuruOwner, dns: DnsServer) -> None:
    claimed, added = await _add(theo), await _add(rosa)
    _point(dns, added)
    assert (await _check(theo))["status"] == "waiting"
    assert (await _check(rosa))["status"] == "connected"
    # Even with proof, a second site does not get a domain that another one serves.
    _point(dns, claimed)
    checked = await _check(theo)
    assert (checked["status"], checked["outcome"]) == ("waiting", "taken")


async def test_domain_of_other_guru_is_not_found(rosa: GuruOwner, theo: GuruOwner) -> None:
    await _add(theo)
    for method, path in (("POST", f"/domains/{DOMAIN}/checks"), ("DELETE", f"/domains/{DOMAIN}")):
        other = await rosa.call(method, path, expect=404)
        unknown = await rosa.call(method, path.replace("chef", "nobody"), expect=404)
        assert other == unknown
    assert [domain["domain"] for domain in (await theo.call("GET", "/domains"))["domains"]] == [DOMAIN]
    assert (await rosa.call("GET", "/domains"))["domains"] == []


@pytest.mark.parametrize(
    "domain",
    [
        "",
        "chef",
        "10.0.0.1",
        "a b.example",
        BASE_HOST,
        f"new.{BASE_HOST}",
        f"alpha.{BASE_HOST}",
        "printer.local",
        "x.onion",
    ],
)
async def test_unsuitable_domain_is_refused_in_words(rosa: GuruOwner, domain: str) -> None:
    refused = await rosa.call("POST", "/domains", {"domain": domain}, expect=422)
    assert refused["fields"]["domain"]
    assert (await rosa.call("GET", "/domains"))["domains"] == []


async def test_domains_per_site_are_limited(rosa: GuruOwner, theo: GuruOwner) -> None:
    for number in range(MAX_DOMAINS):
        await _add(rosa, f"shop{number}.example")
    refused = await rosa.call("POST", "/domains", {"domain": "one-more.example"}, expect=409)
    assert (refused["code"], str(MAX_DOMAINS) in refused["message"]) == ("too_many_domains", True)
    await _add(theo, "one-more.example")
    await rosa.call("DELETE", "/domains/shop0.example")
    await _add(rosa, "one-more.example")


async def test_checks_per_hour_are_limited(
    database: Database, emulator: Emulator, rosa: GuruOwner, dns: DnsServer, service_db: psycopg.Connection[Any]
) -> None:
    await _add(rosa)
    settings = {"firebase_project_id": PROJECT, "firebase_emulator_host": emulator.host, "limits": "on"}
    async with (
        run_app(database, dns_servers=dns.address, **settings) as limited,
        http_client(limited, BASE_HOST) as web,
    ):
        web.headers["authorization"] = rosa.web.headers["authorization"]
        path = f"/api/guru/domains/{DOMAIN}/checks"
        codes = [(await web.post(path)).status_code for _ in range(MAX_CHECKS_PER_HOUR)]
        assert set(codes) == {200}
        asked = len(dns.questions)
        refused = await web.post(path)
        assert (refused.status_code, int(refused.headers["retry-after"]) > 0) == (429, True)
        assert len(dns.questions) == asked
        service_db.execute("UPDATE domain_checks SET created_at = created_at - interval '61 minutes'")
        assert (await web.post(path)).status_code == 200


async def test_check_without_dns_changes_nothing(rosa: GuruOwner, dns: DnsServer) -> None:
    _point(dns, await _add(rosa))
    assert (await _check(rosa))["status"] == "connected"
    dns.is_silent = True
    with changed_timeouts(dns_lookup_seconds=0.2):
        checked = await _check(rosa)
    assert (checked["status"], checked["outcome"], checked["failingSince"]) == ("connected", "dns_down", None)


async def test_connected_domain_with_wrong_record_is_failing(rosa: GuruOwner, dns: DnsServer) -> None:
    added = await _add(rosa)
    _point(dns, added)
    await _check(rosa)
    del dns.zone[(DOMAIN, "CNAME")]
    checked = await _check(rosa)
    assert (checked["status"], checked["outcome"]) == ("failing", "no_record")
    assert checked["failingSince"]
    _point(dns, added)
    checked = await _check(rosa)
    assert (checked["status"], checked["failingSince"]) == ("connected", None)
