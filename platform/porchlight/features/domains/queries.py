"""Queries of custom domains. The service role runs the same statements for the worker and the command line."""

from __future__ import annotations

from uuid import UUID

from porchlight.features.domains.state import DomainRow
from tenants.db.pool import Database
from tenants.kit.errors import NotFound
from tenants.tenancy.domains import INSERT_DOMAIN

_COLUMNS = """
       d.tenant_id, d.domain, d.token, d.proof, d.verified_at, d.checked_at, d.outcome, d.found, d.failing_since,
       d.certificate_until, d.created_at, d.over_limit"""
_DOMAINS = f"SELECT {_COLUMNS} FROM domains d"
OWN_DOMAINS = _DOMAINS + " WHERE d.tenant_id = %(tenant)s ORDER BY d.created_at, d.domain"
OWN_DOMAIN = _DOMAINS + " WHERE d.tenant_id = %(tenant)s AND d.domain = %(domain)s"
DUE_DOMAINS = _DOMAINS + " WHERE d.next_check_at <= %(now)s ORDER BY d.next_check_at LIMIT %(most)s"

ADDED_DOMAIN = f"{INSERT_DOMAIN} RETURNING {_COLUMNS}"


async def own_domains(db: Database, tenant_id: UUID) -> list[DomainRow]:
    """Return a guru's domains, the oldest first."""
    return await db.read(tenant_id, OWN_DOMAINS, {"tenant": tenant_id}, row=DomainRow)


async def own_domain(db: Database, tenant_id: UUID, domain: str) -> DomainRow:
    """Return a guru's domain. Raises NotFound."""
    rows = await db.read(tenant_id, OWN_DOMAIN, {"tenant": tenant_id, "domain": domain}, row=DomainRow)
    if not rows:
        raise NotFound
    return rows[0]
