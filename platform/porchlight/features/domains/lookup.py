"""The check of a domain's DNS records: whether they prove control of it and lead to the guru's site.

A CNAME record to a host with the domain's token does both: only the domain's owner can set it, and only the guru knows
the token. The guru's subdomain would prove less: after a deletion another guru may get it, with the records that still
name it. Where a provider allows no CNAME, a TXT record has the token, and an ALIAS record leads here.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from ipaddress import ip_address, ip_network
from typing import Literal

from porchlight.ports import DnsOutage, RecordType, Resolver
from tenants.tenancy.domains import registrable
from tenants.tenancy.hosts import MAX_HOST_LENGTH

Outcome = Literal[
    "ok", "no_record", "other_target", "not_pointing", "no_proof", "taken", "dns_down", "mixed", "caa", "doubled"
]
# Outcomes of a domain that leads here but does not work for every visitor, or gets no certificate.
HINDERED = ("mixed", "caa", "not_pointing")
# Outcomes of a domain whose visitors all reach us, with a certificate that is still valid.
_LEADING_HERE = ("ok", "caa", "no_proof")

TARGET_PREFIX = "site-"  # before the token, below the base host
PROOF_LABEL = "_porchlight"
PROOF_PREFIX = "porchlight-site="
MAX_ALIASES = 4  # CNAME records in a row
MAX_FOUND_LENGTH = 253
# The operator's name servers may know internal names, whose addresses are not for gurus.
PRIVATE_ADDRESS = "a private address"
_PRIVATE_NETWORKS = tuple(
    ip_network(network)
    for network in (
        "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.168.0.0/16",
        "::/127", "::ffff:0:0/96", "64:ff9b::/96", "fc00::/7", "fe80::/10",
    )
)  # fmt: skip
CAA_ISSUERS = ("letsencrypt.org", "sectigo.com", "zerossl.com")  # of Caddy's certificates, which tries both in turn
_CAA_ISSUE = re.compile(r"""\d+ issue "?([^"]*)"?""")


@dataclass(frozen=True, slots=True)
class DnsLookup:
    """The answer of DNS. `found`: the name or the public addresses that the domain leads to, or PRIVATE_ADDRESS."""

    outcome: Outcome
    is_proven: bool
    found: str = ""

    @property
    def leads_here(self) -> bool | None:
        """Whether all visitors of the domain reach us; None without an answer of DNS."""
        return None if self.outcome == "dns_down" else self.outcome in _LEADING_HERE


def proof_record(domain: str, token: str) -> tuple[str, str]:
    """Return name and value of the TXT record that proves control of a domain."""
    return f"{PROOF_LABEL}.{domain}", PROOF_PREFIX + token


def look_up(resolver: Resolver, domain: str, token: str, target: str, issuers: Sequence[str] = ()) -> DnsLookup:
    """Check a domain. `target`: the host that its CNAME record must name. Raises nothing.

    `issuers`: the names of our certificate authorities in CAA records; without any, CAA records are not read.
    """
    try:
        aliases = _aliases(resolver, domain)
        if target in aliases:
            return _hindrance(resolver, domain, issuers) or DnsLookup("ok", True, aliases[0])
        name, value = proof_record(domain, token)
        is_proven = value in resolver.records(name, "TXT")
        addresses = _addresses(resolver, domain)
        own = _addresses(resolver, target) if addresses else set()
        is_pointing = bool(addresses & own)
        if is_proven and is_pointing:
            wrong = addresses - own
            if wrong:
                return DnsLookup("mixed", True, _listed(wrong))
            return _hindrance(resolver, domain, issuers) or DnsLookup("ok", True, _found(aliases, addresses))
        if not is_proven and (doubled := _doubled(resolver, domain, token, target)):
            return DnsLookup("doubled", False, doubled)
    except DnsOutage:
        return DnsLookup("dns_down", False)
    found = _found(aliases, addresses)
    if is_proven:
        return DnsLookup("not_pointing", True, found)
    if is_pointing:
        return DnsLookup("no_proof", False, found)
    return DnsLookup("other_target" if found else "no_record", False, found)


def _found(aliases: list[str], addresses: set[str]) -> str:
    return aliases[0][:MAX_FOUND_LENGTH] if aliases else _listed(addresses)


def _listed(addresses: set[str]) -> str:
    return ", ".join(sorted({_shown(address) for address in addresses}))[:MAX_FOUND_LENGTH]


def _doubled(resolver: Resolver, domain: str, token: str, target: str) -> str:
    """Return the name of a record that was entered with the domain, which the provider appended once more; or ""."""
    proof_name, proof_value = proof_record(domain, token)
    records: list[tuple[str, RecordType, str]] = [(domain, "CNAME", target), (proof_name, "TXT", proof_value)]
    for zone in dict.fromkeys((domain, registrable(domain))):
        for name, kind, value in records:
            doubled = f"{name}.{zone}"
            if len(doubled) <= MAX_HOST_LENGTH and value in resolver.records(doubled, kind):
                return doubled
    return ""


def _hindrance(resolver: Resolver, domain: str, issuers: Sequence[str]) -> DnsLookup | None:
    """Return the result for a domain whose CAA records forbid our certificate; None without such records.

    The records of the nearest parent that has any count (RFC 8659).
    """
    labels = domain.split(".") if issuers else []
    for start in range(len(labels) - 1):
        parent = ".".join(labels[start:])
        if records := resolver.records(parent, "CAA"):
            allowed = [match[1].strip().lower() for record in records if (match := _CAA_ISSUE.match(record))]
            if allowed and not any(one.partition(";")[0].strip() in issuers for one in allowed):
                return DnsLookup("caa", True, f"{parent}: {', '.join(allowed)}"[:MAX_FOUND_LENGTH])
            return None
    return None


def _aliases(resolver: Resolver, domain: str) -> list[str]:
    aliases: list[str] = []
    while len(aliases) < MAX_ALIASES and (found := resolver.records(aliases[-1] if aliases else domain, "CNAME")):
        aliases.append(found[0])
    return aliases


def _shown(address: str) -> str:
    parsed = ip_address(address)
    return PRIVATE_ADDRESS if any(parsed in network for network in _PRIVATE_NETWORKS) else address


def site_addresses(resolver: Resolver, target: str) -> list[str]:
    """Return the addresses of the sites, IPv4 first; none while DNS does not answer."""
    try:
        return sorted(_addresses(resolver, target), key=lambda address: (":" in address, address))
    except DnsOutage:
        return []


def _addresses(resolver: Resolver, name: str) -> set[str]:
    return {*resolver.records(name, "A"), *resolver.records(name, "AAAA")}
