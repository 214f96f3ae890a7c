"""The check of DNS records, with real DNS messages, and what its results change."""

from __future__ import annotations

from datetime import timedelta

import pytest

from porchlight.features.domains.lookup import DnsLookup, look_up
from porchlight.features.domains.resolver import DnsResolver
from porchlight.features.domains.schemas import custom_domain
from porchlight.features.domains.state import FAILING_GRACE, WAITING_TTL, DomainRow, checked
from porchlight.ports import DnsOutage
from tenants.kit import clock
from tenants.kit.ids import new_id
from tests.fixtures.dns_server import DnsServer
from tests.fixtures.timeouts import changed_timeouts

NAME, TARGET, GURU = "www.chef.example", "site-secret.porchlight.example", "chef.porchlight.example"
PROOF = {(f"_porchlight.{NAME}", "TXT"): ['"v=spf1 -all"', '"porchlight-site=" "secret"']}
SERVER = {(TARGET, "A"): ["192.0.2.1"], (TARGET, "AAAA"): ["2001:db8::1"]}
CASES = {
    "a CNAME to the site": ({(NAME, "CNAME"): [f"{TARGET}."]}, DnsLookup("ok", True, TARGET)),
    "a CNAME in capitals": ({(NAME, "CNAME"): ["Site-Secret.Porchlight.Example."]}, DnsLookup("ok", True, TARGET)),
    "a CNAME to a subdomain": ({(NAME, "CNAME"): [f"{GURU}."]}, DnsLookup("other_target", False, GURU)),
    "a CNAME over another name": (
        {(NAME, "CNAME"): ["chef.example."], ("chef.example", "CNAME"): [f"{TARGET}."]},
        DnsLookup("ok", True, "chef.example"),
    ),
    "a CNAME in a circle": ({(NAME, "CNAME"): [f"{NAME}."]}, DnsLookup("other_target", False, NAME)),
    "a CNAME elsewhere": ({(NAME, "CNAME"): ["shop.example."]}, DnsLookup("other_target", False, "shop.example")),
    "nothing": ({}, DnsLookup("no_record", False)),
    "the address alone": (SERVER | {(NAME, "A"): ["192.0.2.1"]}, DnsLookup("no_proof", False, "192.0.2.1")),
    "the address and the proof": (SERVER | PROOF | {(NAME, "A"): ["192.0.2.1"]}, DnsLookup("ok", True, "192.0.2.1")),
    "the IPv6 address and the proof": (
        SERVER | PROOF | {(NAME, "AAAA"): ["2001:DB8:0::1"]},
        DnsLookup("ok", True, "2001:db8::1"),
    ),
    "the proof alone": (SERVER | PROOF, DnsLookup("not_pointing", True)),
    "another site's proof": (
        SERVER | {(NAME, "A"): ["192.0.2.1"], (f"_porchlight.{NAME}", "TXT"): ['"porchlight-site=other"']},
        DnsLookup("no_proof", False, "192.0.2.1"),
    ),
    "an internal address": ({(NAME, "A"): ["10.1.2.3"]}, DnsLookup("other_target", False, "a private address")),
    "internal addresses": (
        {(NAME, "A"): ["10.1.2.3", "192.168.0.7", "127.0.0.1"], (NAME, "AAAA"): ["fd00::1", "::ffff:10.1.2.3"]},
        DnsLookup("other_target", False, "a private address"),
    ),
    "an internal and another address": (
        {(NAME, "A"): ["10.1.2.3", "192.0.2.9"]},
        DnsLookup("other_target", False, "192.0.2.9, a private address"),
    ),
    "the site's address beside another": (
        SERVER | PROOF | {(NAME, "A"): ["192.0.2.1", "192.0.2.9"]},
        DnsLookup("mixed", True, "192.0.2.9"),
    ),
    "the site's address beside an internal one": (
        SERVER | PROOF | {(NAME, "A"): ["192.0.2.1", "10.1.2.3"]},
        DnsLookup("mixed", True, "a private address"),
    ),
    "the site's IPv4 address beside another IPv6": (
        SERVER | PROOF | {(NAME, "A"): ["192.0.2.1"], (NAME, "AAAA"): ["2001:db8::9"]},
        DnsLookup("mixed", True, "2001:db8::9"),
    ),
    "a CAA record for another issuer": (
        {(NAME, "CNAME"): [f"{TARGET}."], ("chef.example", "CAA"): ['0 issue "digicert.com"', '0 iodef "mailto:x@y"']},
        DnsLookup("caa", True, "chef.example: digicert.com"),
    ),
    "a CAA record that forbids all": (
        SERVER | PROOF | {(NAME, "A"): ["192.0.2.1"], (NAME, "CAA"): ['0 issue ";"']},
        DnsLookup("caa", True, f"{NAME}: ;"),
    ),
    "a CAA record for our issuer": (
        {
            (NAME, "CNAME"): [f"{TARGET}."],
            ("chef.example", "CAA"): ['0 issue "ca.example"', '0 issue "issuer.example"'],
        },
        DnsLookup("ok", True, TARGET),
    ),
    "a nearer CAA record for our issuer": (
        {
            (NAME, "CNAME"): [f"{TARGET}."],
            (NAME, "CAA"): ['0 issue "issuer.example; validationmethods=http-01"'],
            ("chef.example", "CAA"): ['0 issue "digicert.com"'],
        },
        DnsLookup("ok", True, TARGET),
    ),
    "the proof under a name entered twice": (
        {(f"_porchlight.{NAME}.chef.example", "TXT"): ['"porchlight-site=secret"']},
        DnsLookup("doubled", False, f"_porchlight.{NAME}.chef.example"),
    ),
    "the CNAME under a name entered twice": (
        {(f"{NAME}.chef.example", "CNAME"): [f"{TARGET}."]},
        DnsLookup("doubled", False, f"{NAME}.chef.example"),
    ),
    "another address": (SERVER | {(NAME, "A"): ["192.0.2.9"]}, DnsLookup("other_target", False, "192.0.2.9")),
}


@pytest.mark.parametrize("case", CASES)
def test_lookup_tells_proof_from_other_records(dns: DnsServer, case: str) -> None:
    zone, expected = CASES[case]
    dns.zone.update(zone)
    assert look_up(DnsResolver(dns.address), NAME, "secret", TARGET, ("issuer.example",)) == expected


@pytest.mark.parametrize("name", ["shop.east.chef.example", "chef.co.uk"])
def test_record_doubled_by_the_provider_is_found(dns: DnsServer, name: str) -> None:
    """Providers append the registered domain, of however many labels."""
    doubled = f"{name}.chef.{name.partition('chef.')[2]}"
    dns.zone[doubled, "CNAME"] = [f"{TARGET}."]
    assert look_up(DnsResolver(dns.address), name, "secret", TARGET) == DnsLookup("doubled", False, doubled)


def test_long_domain_without_records_is_no_outage(dns: DnsServer) -> None:
    name = ".".join(["a" * 60, "b" * 60, "chef.example"])
    assert look_up(DnsResolver(dns.address), name, "secret", TARGET) == DnsLookup("no_record", False)


def test_silent_name_server_is_outage(dns: DnsServer) -> None:
    dns.is_silent = True
    resolver = DnsResolver(dns.address)
    with changed_timeouts(dns_lookup_seconds=0.2):
        with pytest.raises(DnsOutage):
            resolver.records(NAME, "A")
        assert look_up(resolver, NAME, "secret", TARGET) == DnsLookup("dns_down", False)


def _row(**changes: object) -> DomainRow:
    now = clock.now()
    values: dict[str, object] = {
        "tenant_id": new_id(), "domain": NAME, "token": "secret", "proof": "dns", "verified_at": None,
        "checked_at": None, "outcome": "", "found": "", "failing_since": None, "certificate_until": None,
        "created_at": now, "over_limit": False,
    }  # fmt: skip
    return DomainRow(**(values | changes))  # type: ignore[arg-type]


def test_domain_failing_for_a_week_is_disconnected() -> None:
    now = clock.now()
    wrong = DnsLookup("no_record", False)
    almost = _row(verified_at=now, failing_since=now - FAILING_GRACE + timedelta(seconds=1))
    assert checked(almost, wrong, now)["verified_at"] == now
    over = _row(verified_at=now, failing_since=now - FAILING_GRACE)
    assert checked(over, wrong, now)["verified_at"] is None
    assert checked(over, DnsLookup("dns_down", False), now)["verified_at"] == now
    vouched = _row(verified_at=now, failing_since=None, proof="operator")
    assert checked(vouched, wrong, now)["failing_since"] is None


def test_domain_is_healthy_only_with_all_it_needs() -> None:
    """Its records agree, allow the certificate, and after an hour it has one."""
    now = clock.now()

    def status(**changes: object) -> tuple[str, bool]:
        shown = custom_domain(_row(**({"verified_at": now, "outcome": "ok"} | changes)), "porchlight.example")
        return shown.status, shown.is_certificate_overdue

    assert status() == ("connected", False)
    for outcome in ("mixed", "caa", "not_pointing"):
        assert status(outcome=outcome) == ("failing", False)
        assert status(outcome=outcome, proof="operator") == ("connected", False)
    long_ago = now - timedelta(hours=2)
    assert status(verified_at=long_ago) == ("failing", True)
    assert status(verified_at=long_ago, certificate_until=now + timedelta(days=60)) == ("connected", False)


def test_records_of_an_apex_are_addresses_in_both_notations() -> None:
    apex = custom_domain(_row(domain="chef.example"), "porchlight.example", ["192.0.2.1", "2001:db8::1"])
    assert [(record.type, record.name, record.host, record.value) for record in apex.records] == [
        ("A", "chef.example", "@", "192.0.2.1"),
        ("AAAA", "chef.example", "@", "2001:db8::1"),
        ("TXT", "_porchlight.chef.example", "_porchlight", "porchlight-site=secret"),
    ]
    assert [record.type for record in apex.alternative] == ["ALIAS", "TXT"]
    www = custom_domain(_row(), "porchlight.example", ["192.0.2.1"])
    assert [(record.type, record.host) for record in www.records] == [("CNAME", "www")]
    assert [(record.type, record.host) for record in www.alternative] == [("ALIAS", "www"), ("TXT", "_porchlight.www")]


def test_next_check_is_rarer_for_older_domains() -> None:
    now = clock.now()
    wrong = DnsLookup("no_record", False)
    ages = (timedelta(), timedelta(days=2), WAITING_TTL + timedelta(days=1))
    times = [checked(_row(created_at=now - age), wrong, now)["next_check_at"] for age in ages]
    assert times == [now + timedelta(minutes=10), now + timedelta(hours=6), None]
    right = DnsLookup("ok", True)
    assert checked(_row(), right, now)["next_check_at"] == now + timedelta(minutes=5)  # for its first certificate
    without = _row(verified_at=now - timedelta(hours=1))
    assert checked(without, right, now)["next_check_at"] == now + timedelta(hours=1)
    expiring = _row(certificate_until=now + timedelta(days=6))
    assert checked(expiring, right, now)["next_check_at"] == now + timedelta(hours=1)
    secure = _row(certificate_until=now + timedelta(days=60))
    assert checked(secure, right, now)["next_check_at"] == now + timedelta(days=1)
