"""Permission of TLS certificates: the response to Caddy's on-demand `ask` (docs/operations.md)."""

from __future__ import annotations

from tenants.tenancy.directory import Directory
from tenants.tenancy.hosts import HostKind, parse_host


async def is_certificate_allowed(directory: Directory, base_host: str, domain: str) -> bool:
    """Whether a domain may get a certificate.

    True for the main platform, active gurus, their former labels (which redirect) and verified custom domains. Raise
    Unavailable when the database is down: Caddy then asks again at the next handshake. This reads the database and not
    the cache: the first handshake of a new domain may come before the cache is invalidated. Caddy asks only for names
    without a certificate.
    """
    if ":" in domain:
        return False
    host = parse_host(domain.encode("ascii", "replace"), base_host)
    if host.kind is HostKind.PLATFORM:
        return True
    if host.kind not in (HostKind.GURU, HostKind.CUSTOM):
        return False
    tenant = await directory.find_now(host)
    return tenant is not None and not tenant.is_suspended
