"""Whether an email really comes from the domain of its sender: DKIM, SPF and DMARC (RFC 6376, 7208, 7489).

A mail server of the operator in front of us has checked that already and wrote it down (RFC 8601). Without one, DKIM is
checked here. SPF is left to such a server: it needs the address that delivered the email at the border.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import authres
import dkim

from porchlight.ports import DnsOutage, Resolver
from tenants.tenancy.domains import registrable

MAX_SIGNATURES = 5
_STRICT_POLICIES = frozenset({"quarantine", "reject"})
_TAG = re.compile(r"\s*([a-z]+)\s*=\s*([^;]*)")


class SenderCheck(StrEnum):
    """The result for the domain in From."""

    VERIFIED = "verified"  # a signature or the sending server vouches for that domain
    UNKNOWN = "unknown"  # nothing vouches for it, and the domain does not ask to refuse such email
    FORGED = "forged"  # nothing vouches for it, and the domain asks to refuse or quarantine such email


@dataclass(frozen=True, slots=True)
class Evidence:
    """Domains that vouch for an email: those of valid signatures, and that of the envelope if SPF passed."""

    domains: Sequence[str]
    dmarc: str = ""  # the result of the operator's server, "" without one


def check_sender(
    content: bytes, from_domain: str, headers: Sequence[str], trusted_server: str, resolver: Resolver
) -> SenderCheck:
    """Return whether the domain of From is vouched for. Raises DnsOutage, after which the sender has to try again.

    `headers`: the values of Authentication-Results, topmost first. `trusted_server`: the id under which the
    operator's server writes them, "" without such a server.
    """
    if trusted_server:
        evidence = _written_evidence(headers, trusted_server)
    else:
        evidence = Evidence(_signing_domains(content, resolver))
    if evidence.dmarc == "pass" or any(is_aligned(domain, from_domain) for domain in evidence.domains):
        return SenderCheck.VERIFIED
    if dmarc_policy(from_domain, resolver) in _STRICT_POLICIES:
        return SenderCheck.FORGED
    return SenderCheck.UNKNOWN


def is_aligned(domain: str, from_domain: str) -> bool:
    """Return whether a domain vouches for another one: both belong to one organization (RFC 7489, 3.1)."""
    domain, from_domain = domain.lower().rstrip("."), from_domain.lower().rstrip(".")
    return bool(domain) and registrable(domain) == registrable(from_domain)


def dmarc_policy(domain: str, resolver: Resolver) -> str:
    """Return what a domain asks for email that no one vouches for: "none", "quarantine", "reject" or "".

    Raises DnsOutage.
    """
    organization = registrable(domain)
    for name in dict.fromkeys([domain, organization]):
        records = [record for record in resolver.records(f"_dmarc.{name}", "TXT") if record.startswith("v=DMARC1")]
        if len(records) == 1:
            tags: dict[str, str] = {tag: value.strip().lower() for tag, value in _TAG.findall(records[0])}
            policy = tags.get("p", "")
            return tags.get("sp", policy) if name != domain else policy
    return ""


def _written_evidence(headers: Sequence[str], trusted_server: str) -> Evidence:
    """Read the results that the operator's server wrote. Anyone can write such a header, so only its topmost counts."""
    for value in headers:
        try:
            header = authres.AuthenticationResultsHeader.parse(f"Authentication-Results: {value}")
        except authres.AuthResError:
            continue
        if str(header.authserv_id).lower() != trusted_server.lower():
            continue
        domains: list[str] = []
        dmarc = ""
        for result in header.results:
            if result.method == "dmarc":
                dmarc = str(result.result)
            if result.result != "pass":
                continue
            values = {(item.type, item.name): str(item.value) for item in result.properties}
            if result.method == "dkim":
                domains.append(values.get(("header", "d")) or values.get(("header", "i"), "").rpartition("@")[2])
            elif result.method == "spf":
                domains.append(values.get(("smtp", "mailfrom"), "").rpartition("@")[2])
        return Evidence(domains, dmarc)
    return Evidence(())


def _signing_domains(content: bytes, resolver: Resolver) -> list[str]:
    """Return the domains of the valid DKIM signatures. Raises DnsOutage."""

    def find_key(name: bytes, timeout: int = 0) -> bytes | None:
        del timeout  # the resolver has its own
        records = resolver.records(name.decode("ascii").rstrip("."), "TXT")
        return records[0].encode() if records else None

    verifier = dkim.DKIM(content)
    domains: list[str] = []
    count = sum(1 for name, _ in verifier.headers if name.lower() == b"dkim-signature")
    for index in range(min(count, MAX_SIGNATURES)):
        try:
            if verifier.verify(index, dnsfunc=find_key):
                domains.append(verifier.signature_fields[b"d"].decode("ascii"))
        except DnsOutage:
            raise
        except (dkim.DKIMException, UnicodeError, KeyError, ValueError):
            continue  # a malformed signature vouches for nothing
    return domains
