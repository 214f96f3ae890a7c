"""Request and response schemas of custom domains."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from pydantic import StringConstraints

from porchlight.features.domains.lookup import Outcome, proof_record
from porchlight.features.domains.state import DomainRow
from tenants.kit import clock
from tenants.kit.schemas import ONE_LINE, Payload, ResponseModel


class DomainPayload(Payload):
    """A domain to add, as a name or a URL."""

    domain: Annotated[str, StringConstraints(min_length=1, max_length=300), ONE_LINE]


class DnsRecord(ResponseModel):
    """A DNS record to set."""

    type: Literal["CNAME", "ALIAS", "TXT"]
    name: str
    value: str


class CustomDomain(ResponseModel):
    """A custom domain of a site.

    `status`: waiting until its records prove that it is the guru's; failing while a connected one has wrong records.
    `records` is what to set, `alternative` where the provider allows no CNAME. `outcome` and `found`: the last check,
    null before it. `is_proven_by_operator`: connected by the operator, whatever its records say.
    `overLimit`: not served, because the owner's plan has no domain.
    """

    domain: str
    status: Literal["waiting", "connected", "failing"]
    outcome: Outcome | None
    found: str
    checked_at: str | None
    failing_since: str | None
    certificate_until: str | None
    is_proven_by_operator: bool
    over_limit: bool
    records: list[DnsRecord]
    alternative: list[DnsRecord]


class CustomDomains(ResponseModel):
    """The custom domains of a site, the oldest first."""

    domains: list[CustomDomain]
    max_domains: int


class CustomDomainsResponse(ResponseModel):
    """The response of GET /api/guru/domains."""

    success: bool
    data: CustomDomains


class CustomDomainResponse(ResponseModel):
    """A custom domain."""

    success: bool
    data: CustomDomain


def custom_domain(row: DomainRow, base_host: str) -> CustomDomain:
    """Return a domain as its guru sees it."""

    def iso(time: datetime | None) -> str | None:
        return clock.to_iso8601(time) if time else None

    target = row.target(base_host)
    proof_name, proof_value = proof_record(row.domain, row.token)
    status = "waiting" if row.verified_at is None else "failing" if row.failing_since else "connected"
    return CustomDomain.model_validate(
        {
            "domain": row.domain,
            "status": status,
            "outcome": row.outcome or None,
            "found": row.found,
            "checkedAt": iso(row.checked_at),
            "failingSince": iso(row.failing_since),
            "certificateUntil": iso(row.certificate_until),
            "isProvenByOperator": row.verified_at is not None and row.proof == "operator",
            "overLimit": row.over_limit,
            "records": [{"type": "CNAME", "name": row.domain, "value": target}],
            "alternative": [
                {"type": "ALIAS", "name": row.domain, "value": target},
                {"type": "TXT", "name": proof_name, "value": proof_value},
            ],
        }
    )
