"""Whether a name may have a certificate: the answer to Caddy's on-demand `ask` (DESIGN 8, 13)."""

from __future__ import annotations

from tenants.directory import Directory
from tenants.host import Kind, parse


async def may_have_certificate(directory: Directory, base_host: str, domain: str) -> bool:
    """True for the main platform, for active gurus, their former labels (which redirect) and verified custom domains.

    Raises Unavailable when the database is out: Caddy then asks again at the next handshake.
    """
    if ":" in domain:
        return False
    host = parse(domain.encode("ascii", "replace"), base_host)
    if host.kind is Kind.PLATFORM:
        return True
    if host.kind not in (Kind.GURU, Kind.CUSTOM):
        return False
    tenant = await directory.find(host)
    return tenant is not None and not tenant.suspended
