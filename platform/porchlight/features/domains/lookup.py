"""The check of a domain's DNS records: whether they prove control of it and lead to the guru's site.

A CNAME record to a host with the domain's token does both: only the domain's owner can set it, and only the guru knows
the token. The guru's subdomain would prove less: after a deletion another guru may get it, with the records that still
name it. Where a provider allows no CNAME, a TXT record has the token, and an ALIAS record leads here.
"""

from __future__ import annotations

from dataclasses import dataclass
from ipaddress import ip_address, ip_network
from typing import Literal

from porchlight.ports import DnsOutage, Resolver

Outcome = Literal["ok", "no_record", "other_target", "not_pointing", "no_proof", "taken", "dns_down"]

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


@dataclass(frozen=True, slots=True)
class DnsLookup:
    """The answer of DNS. `found`: the name or the public addresses that the domain leads to, or PRIVATE_ADDRESS."""

    outcome: Outcome
    is_proven: bool
    found: str = ""


def proof_record(domain: str, token: str) -> tuple[str, str]:
    """Return name and value of the TXT record that proves control of a domain."""
    return f"{PROOF_LABEL}.{domain}", PROOF_PREFIX + token


def look_up(resolver: Resolver, domain: str, token: str, target: str) -> DnsLookup:
    """Check a domain. `target`: the host that its CNAME record must name. Raises nothing."""
    try:
        aliases = _aliases(resolver, domain)
        if target in aliases:
            return DnsLookup("ok", True, aliases[0])
        name, value = proof_record(domain, token)
        is_proven = value in resolver.records(name, "TXT")
        addresses = _addresses(resolver, domain)
        is_pointing = bool(addresses & _addresses(resolver, target)) if addresses else False
    except DnsOutage:
        return DnsLookup("dns_down", False)
    found = (aliases[0] if aliases else ", ".join(sorted({_shown(one) for one in addresses})))[:MAX_FOUND_LENGTH]
    if is_proven:
        return DnsLookup("ok" if is_pointing else "not_pointing", True, found)
    if is_pointing:
        return DnsLookup("no_proof", False, found)
    return DnsLookup("other_target" if found else "no_record", False, found)


def _aliases(resolver: Resolver, domain: str) -> list[str]:
    aliases: list[str] = []
    while len(aliases) < MAX_ALIASES and (found := resolver.records(aliases[-1] if aliases else domain, "CNAME")):
        aliases.append(found[0])
    return aliases


def _shown(address: str) -> str:
    parsed = ip_address(address)
    return PRIVATE_ADDRESS if any(parsed in network for network in _PRIVATE_NETWORKS) else address


def _addresses(resolver: Resolver, name: str) -> set[str]:
    return {*resolver.records(name, "A"), *resolver.records(name, "AAAA")}
