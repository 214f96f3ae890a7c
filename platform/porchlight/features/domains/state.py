"""The changes of a domain by a check: pure functions."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from porchlight.features.domains.lookup import TARGET_PREFIX, DnsLookup

# How long a domain stays connected while its records are wrong: a mistake at the DNS provider is soon noticed.
FAILING_GRACE = timedelta(days=7)
CONNECTED_INTERVAL = timedelta(days=1)
NEW_INTERVAL, NEW_TTL = timedelta(minutes=10), timedelta(days=1)
WAITING_INTERVAL, WAITING_TTL = timedelta(hours=6), timedelta(days=14)
# A first certificate is usually issued within minutes.
FIRST_CERTIFICATE_INTERVAL, FIRST_CERTIFICATE_TTL = timedelta(minutes=5), timedelta(hours=1)
CERTIFICATE_INTERVAL = timedelta(hours=1)
CERTIFICATE_MARGIN = timedelta(days=7)  # a certificate is renewed earlier


@dataclass(frozen=True, slots=True)
class DomainRow:
    """A custom domain of a guru. `over_limit`: it is not served, because the owner's plan has no domain."""

    tenant_id: UUID
    domain: str
    token: str
    proof: str
    verified_at: datetime | None
    checked_at: datetime | None
    outcome: str
    found: str
    failing_since: datetime | None
    certificate_until: datetime | None
    created_at: datetime
    over_limit: bool

    def target(self, base_host: str) -> str:
        """Return the host that the domain's CNAME record must name."""
        return f"{TARGET_PREFIX}{self.token}.{base_host}"


def certificate_is_overdue(row: DomainRow, now: datetime) -> bool:
    """Whether a connected domain has no certificate although one is usually issued by now."""
    return (
        row.verified_at is not None and row.certificate_until is None and now - row.verified_at > FIRST_CERTIFICATE_TTL
    )


def checked(row: DomainRow, lookup: DnsLookup, now: datetime) -> dict[str, datetime | str | bool | None]:
    """Return the columns that a check changes. `leads_here` is None if it stays as it is.

    Proven control connects a domain. A connected one with wrong records is disconnected after FAILING_GRACE, unless
    the operator vouches for it. Without an answer from DNS nothing changes.
    """
    verified_at, failing_since, proof = row.verified_at, row.failing_since, row.proof
    if lookup.is_proven:
        verified_at, failing_since, proof = verified_at or now, None, "dns"
    elif lookup.outcome != "dns_down" and verified_at and proof == "dns":
        failing_since = failing_since or now
        if now - failing_since >= FAILING_GRACE:
            verified_at = failing_since = None
    return {
        "checked_at": now,
        "outcome": lookup.outcome,
        "found": lookup.found,
        "proof": proof,
        "verified_at": verified_at,
        "failing_since": failing_since,
        "next_check_at": next_check(row, verified_at, now),
        "leads_here": lookup.leads_here,
    }


def next_check(row: DomainRow, verified_at: datetime | None, now: datetime) -> datetime | None:
    """Return when the worker checks a domain again; None for one that was not set up within WAITING_TTL."""
    if verified_at is not None:
        if row.certificate_until is not None and row.certificate_until > now + CERTIFICATE_MARGIN:
            return now + CONNECTED_INTERVAL
        is_new = row.certificate_until is None and now - verified_at < FIRST_CERTIFICATE_TTL
        return now + (FIRST_CERTIFICATE_INTERVAL if is_new else CERTIFICATE_INTERVAL)
    age = now - row.created_at
    if age > WAITING_TTL:
        return None
    return now + (NEW_INTERVAL if age < NEW_TTL else WAITING_INTERVAL)
