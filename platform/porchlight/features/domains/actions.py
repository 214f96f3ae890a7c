"""Adding, checking and removing custom domains, by the guru and by the worker.

No transaction is open during a lookup.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import psycopg
from sqlalchemy import text

from porchlight.features.domains.lookup import CAA_ISSUERS, DnsLookup, look_up
from porchlight.features.domains.queries import ADDED_DOMAIN, DUE_DOMAINS, OWN_DOMAIN, own_domain
from porchlight.features.domains.state import DomainRow, checked
from porchlight.ports import CertificateReader, Resolver
from tenants.db.pipeline import Statement
from tenants.db.pool import Database
from tenants.db.rows import Columns, Connection, fetch_all, fetch_one
from tenants.db.unit_of_work import unit_of_work
from tenants.kit import clock, timeouts
from tenants.kit.errors import Conflict, Limited, NotFound
from tenants.kit.ids import new_id
from tenants.tenancy.domains import (
    CHECK_SOON,
    CHOOSE_MAIN,
    DELETE_DOMAIN,
    DOMAIN_FACTS,
    LOCK_DOMAINS,
    SAVE_CERTIFICATE,
    SAVE_CHECK,
    DomainFacts,
    DomainTaken,
    addition,
    insert_params,
)
from tenants.tenancy.main_address import SUBDOMAIN

MAX_DOMAINS = 5
MAX_CHECKS_PER_HOUR = 20
CHECK_PERIOD = timedelta(hours=1)
RETRY_AFTER_SECONDS = 600
MAX_CHECKS_PER_RUN = 50

# As LOCK_DOMAINS: what counts a guru's domains and checks waits for each other.
_LOCK = text("SELECT pg_advisory_xact_lock(hashtextextended('domains ' || :tenant, 0))")
_COUNT_CHECKS = text("SELECT count(*) FROM domain_checks WHERE tenant_id = :tenant AND created_at > :since")
_INSERT_CHECK = text("INSERT INTO domain_checks (tenant_id, id) VALUES (:tenant, :id)")


class TooManyDomains(Conflict):
    """More domains than a site may have."""

    code = "too_many_domains"
    message = f"A site can have up to {MAX_DOMAINS} domains. Remove one to add another."


class NotConnected(Conflict):
    """A main address at which the site is not served yet."""

    code = "domain_not_connected"
    message = "This domain isn't connected yet. Set its DNS records first."


@dataclass(frozen=True, slots=True)
class DomainChecker:
    """The services that a check asks, and the base host of the sites."""

    resolver: Resolver
    certificates: CertificateReader
    base_host: str

    def look_up(self, row: DomainRow) -> DnsLookup:
        """Check the DNS records of a domain."""
        return look_up(self.resolver, row.domain, row.token, row.target(self.base_host), CAA_ISSUERS)


async def add_domain(db: Database, tenant_id: UUID, domain: str) -> DomainRow:
    """Add a domain to a guru; a repetition changes nothing. Raises DomainTaken and TooManyDomains."""
    params = insert_params(tenant_id, domain)

    def add(rows: Sequence[Columns]) -> Statement:
        ((is_own, is_served, own_domains),) = rows
        match addition(DomainFacts(is_own, is_served, own_domains), MAX_DOMAINS):
            case "taken":
                raise DomainTaken
            case "limit":
                raise TooManyDomains
            case "new":
                return ADDED_DOMAIN, params
            case "own":
                return OWN_DOMAIN, params

    (columns,) = await db.decide(tenant_id, (LOCK_DOMAINS, params), (DOMAIN_FACTS, params), add)
    return DomainRow(*columns)


async def choose_main_domain(db: Database, tenant_id: UUID, domain: str | None) -> None:
    """Make a connected domain the site's main address, or the subdomain with None. Raises NotConnected."""
    if not await db.write(tenant_id, CHOOSE_MAIN, {"tenant": tenant_id, "domain": domain or SUBDOMAIN}):
        raise NotConnected


async def remove_domain(db: Database, tenant_id: UUID, domain: str) -> None:
    """Remove a domain: it is no longer served. Raises NotFound."""
    if not await db.write(tenant_id, DELETE_DOMAIN, {"tenant": tenant_id, "domain": domain}):
        raise NotFound


async def check_domain(
    db: Database, service_dsn: str, checker: DomainChecker, tenant_id: UUID, domain: str, *, limit: int | None
) -> DomainRow:
    """Check a domain's records now, and its certificate once it is connected. Raises NotFound and Limited.

    The app role cannot say that a domain is proven, so the service role saves the result. Without `service_dsn`, the
    worker checks the domain at its next run.
    """
    row = await own_domain(db, tenant_id, domain)
    await _start_check(db, tenant_id, limit)
    if not service_dsn:
        await db.write(tenant_id, CHECK_SOON, {"tenant": tenant_id, "domain": domain, "now": clock.now()})
        return await own_domain(db, tenant_id, domain)
    checked_row = await asyncio.to_thread(
        check_as_service, service_dsn, checker, row, timeouts.current.certificate_seconds
    )
    if checked_row is None:
        raise NotFound  # it was removed meanwhile
    return checked_row


async def _start_check(db: Database, tenant_id: UUID, limit: int | None) -> None:
    """Record that a guru checks a domain now. Raises Limited after `limit` checks within the last hour."""
    async with unit_of_work(db, tenant_id=tenant_id) as session:
        await session.execute(_LOCK, {"tenant": str(tenant_id)})
        since = clock.now() - timedelta(hours=1)
        count = await session.scalar(_COUNT_CHECKS, {"tenant": tenant_id, "since": since})
        if limit is not None and count >= limit:
            raise Limited(retry_after=RETRY_AFTER_SECONDS)
        await session.execute(_INSERT_CHECK, {"tenant": tenant_id, "id": new_id()})


def check_due_domains(service_dsn: str, checker: DomainChecker) -> int:
    """Check the domains whose time has come, of all gurus. Return their number."""
    with psycopg.connect(service_dsn, autocommit=True) as conn:
        due = fetch_all(conn, DomainRow, DUE_DOMAINS, {"now": clock.now(), "most": MAX_CHECKS_PER_RUN})
    for row in due:
        check_as_service(service_dsn, checker, row, timeouts.current.certificate_job_seconds)
    return len(due)


def check_as_service(
    service_dsn: str, checker: DomainChecker, row: DomainRow, certificate_seconds: float
) -> DomainRow | None:
    """Check one domain as the service role. Return it as it is then, or None if it was removed meanwhile.

    `certificate_seconds`: how long to wait for its TLS server.
    """
    lookup, now = checker.look_up(row), clock.now()
    with psycopg.connect(service_dsn, autocommit=True) as conn:
        try:
            conn.execute(SAVE_CHECK, _check_params(row, lookup, now))
        except psycopg.errors.UniqueViolation:
            conn.execute(SAVE_CHECK, _check_params(row, _taken(lookup), now))
        saved = _find(conn, row)
        if saved is None or saved.verified_at is None:
            return saved
        until = checker.certificates.valid_until(row.domain, certificate_seconds)
        if until is not None:
            conn.execute(SAVE_CERTIFICATE, _certificate_params(row, until))
        return _find(conn, row)


def _find(conn: Connection, row: DomainRow) -> DomainRow | None:
    return fetch_one(conn, DomainRow, OWN_DOMAIN, {"tenant": row.tenant_id, "domain": row.domain})


def _taken(lookup: DnsLookup) -> DnsLookup:
    """Return the result for a domain that another site serves, which is disconnected by staff only."""
    return DnsLookup("taken", False, lookup.found)


def _check_params(row: DomainRow, lookup: DnsLookup, now: datetime) -> dict[str, Any]:
    return checked(row, lookup, now) | {"tenant": row.tenant_id, "domain": row.domain}


def _certificate_params(row: DomainRow, until: datetime) -> dict[str, Any]:
    return {"until": until, "tenant": row.tenant_id, "domain": row.domain}
