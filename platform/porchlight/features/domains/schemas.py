"""Request and response schemas of custom domains."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from porchlight.features.domains.lookup import HINDERED, PROOF_LABEL, Outcome, proof_record
from porchlight.features.domains.state import DomainRow, certificate_is_overdue
from tenants.kit import clock
from tenants.kit.schemas import ONE_LINE, Payload, ResponseModel
from tenants.tenancy.directory import Tenant
from tenants.tenancy.domains import is_apex, registrable, shown_domain
from tenants.tenancy.hosts import MAX_HOST_LENGTH


class DomainPayload(Payload):
    """A domain to add, as a name or a URL."""

    domain: Annotated[str, StringConstraints(min_length=1, max_length=300), ONE_LINE]
    with_www: bool = Field(default=False, description="Add the same domain with, or without, “www” too.")


class DnsRecord(ResponseModel):
    """A DNS record to set. Providers ask for its whole name, or for `host`: the part before the registered domain."""

    type: Literal["A", "AAAA", "CNAME", "ALIAS", "TXT"]
    name: str
    host: str
    value: str


class CustomDomain(ResponseModel):
    """A custom domain of a site.

    `name`: the domain with the letters of its language. `status`: waiting until its records prove that it is the
    guru's; failing while a connected one has wrong records, or no certificate after an hour (`isCertificateOverdue`).
    `records` is what to set; `alternative` where the provider allows no CNAME, or has an ALIAS. `outcome` and `found`:
    the last check, null before it. `is_proven_by_operator`: connected by the operator, even if its records are wrong.
    `overLimit`: not served, because the owner's plan has no domain.
    """

    domain: str
    name: str
    status: Literal["waiting", "connected", "failing"]
    outcome: Outcome | None
    found: str
    checked_at: str | None
    failing_since: str | None
    certificate_until: str | None
    is_certificate_overdue: bool
    is_proven_by_operator: bool
    over_limit: bool
    records: list[DnsRecord]
    alternative: list[DnsRecord]


class MainAddressPayload(Payload):
    """The main address of the site: one of its connected domains, or null for its Porchlight address."""

    domain: Annotated[str, StringConstraints(min_length=1, max_length=MAX_HOST_LENGTH), ONE_LINE] | None


class MainAddress(ResponseModel):
    """The main address of a site, to which its other addresses redirect.

    `domain`: the one that the guru chose, or else the first that was connected; null for the Porchlight address.
    `host`: where visitors are sent now. It is the Porchlight address while they cannot open the domain.
    """

    domain: str | None
    host: str
    subdomain: str = Field(description="The Porchlight address.", examples=["cooking.porchlight.localhost"])


class MainAddressResponse(ResponseModel):
    """The response of PUT /api/guru/domains/main."""

    success: bool
    data: MainAddress


class CustomDomains(ResponseModel):
    """The custom domains of a site, the oldest first."""

    domains: list[CustomDomain]
    max_domains: int
    main_address: MainAddress


class CustomDomainsResponse(ResponseModel):
    """The response of GET /api/guru/domains."""

    success: bool
    data: CustomDomains


class CustomDomainResponse(ResponseModel):
    """A custom domain."""

    success: bool
    data: CustomDomain


def main_address(site: Tenant, base_host: str) -> MainAddress:
    """Return the main address of a site as its guru sees it."""
    subdomain = f"{site.label}.{base_host}"
    return MainAddress(domain=site.chosen_domain, host=site.main_host(base_host), subdomain=subdomain)


def custom_domain(row: DomainRow, base_host: str, addresses: Sequence[str] = ()) -> CustomDomain:
    """Return a domain as its guru sees it. `addresses`: those of the sites, for a domain that cannot have a CNAME."""

    def iso(time: datetime | None) -> str | None:
        return clock.to_iso8601(time) if time else None

    records, alternative = _records(row, row.target(base_host), addresses)
    is_overdue = certificate_is_overdue(row, clock.now())
    is_hindered = row.proof != "operator" and row.outcome in HINDERED
    status = "waiting"
    if row.verified_at is not None:
        status = "failing" if row.failing_since or is_hindered or is_overdue else "connected"
    return CustomDomain.model_validate(
        {
            "domain": row.domain,
            "name": shown_domain(row.domain),
            "status": status,
            "outcome": row.outcome or None,
            "found": row.found,
            "checkedAt": iso(row.checked_at),
            "failingSince": iso(row.failing_since),
            "certificateUntil": iso(row.certificate_until),
            "isCertificateOverdue": is_overdue,
            "isProvenByOperator": row.verified_at is not None and row.proof == "operator",
            "overLimit": row.over_limit,
            "records": records,
            "alternative": alternative,
        }
    )


def _records(row: DomainRow, target: str, addresses: Sequence[str]) -> tuple[list[DnsRecord], list[DnsRecord]]:
    """Return the records to set, and those to set instead."""
    proof_name, proof_value = proof_record(row.domain, row.token)
    proof = _record("TXT", proof_name, proof_value)
    alias = [_record("ALIAS", row.domain, target), proof]
    if not is_apex(row.domain) or not addresses:
        return [_record("CNAME", row.domain, target)], alias
    own = [_record("AAAA" if ":" in address else "A", row.domain, address) for address in addresses]
    return [*own, proof], alias


def _record(kind: Literal["A", "AAAA", "CNAME", "ALIAS", "TXT"], name: str, value: str) -> DnsRecord:
    host = name.removesuffix(registrable(name.removeprefix(PROOF_LABEL + "."))).removesuffix(".") or "@"
    return DnsRecord(type=kind, name=name, host=host, value=value)
