"""The tenant and the host of a request. No other module reads them from the ASGI scope."""

from __future__ import annotations

from fastapi import Request

from tenants.http.asgi import Scope
from tenants.kit.errors import GuruNotFound, SiteSuspended
from tenants.tenancy.directory import Directory, Tenant
from tenants.tenancy.hosts import Host, is_label
from tenants.tenancy.main_address import origin_at

_HOST = "porchlight.host"
_TENANT = "porchlight.tenant"
_MAIN_HOST = "porchlight.main_host"


def set_host(scope: Scope, host: Host) -> None:
    """Record the parsed Host header of a request."""
    scope[_HOST] = host


def set_host_tenant(scope: Scope, tenant: Tenant, main_host: str, *, sends_on: bool) -> None:
    """Record the guru whose host a request came to, the site's main host, and whether pages redirect to that one."""
    scope[_TENANT] = tenant
    scope[_MAIN_HOST] = (main_host, sends_on)


def request_host(scope: Scope) -> Host | None:
    """Return the parsed Host header, or None before the tenant middleware has run."""
    host: Host | None = scope.get(_HOST)
    return host


def host_tenant(scope: Scope) -> Tenant | None:
    """Return the guru whose host the request came to, or None on the main platform's hosts."""
    tenant: Tenant | None = scope.get(_TENANT)
    return tenant


def site_origin(scope: Scope) -> str:
    """Return the origin of the main address of the guru's site, at the scheme and port of this request."""
    return origin_at(scope["scheme"], scope[_MAIN_HOST][0], scope[_HOST].port)


def sends_on(scope: Scope) -> bool:
    """Whether the pages of a guru's host redirect to the main address of the site."""
    redirects: bool = scope[_MAIN_HOST][1]
    return redirects


async def current_tenant(request: Request) -> Tenant:
    """Return the guru that a request is about: by its host, or by `{subdomain}` in its path on the main host.

    On a guru's host, any other subdomain is a 404. Raise GuruNotFound and SiteSuspended; Unavailable when the database
    is down.
    """
    subdomain: str | None = request.path_params.get("subdomain")
    tenant = host_tenant(request.scope)
    if tenant is not None:
        if subdomain is not None and subdomain != tenant.label:
            raise GuruNotFound
        return tenant
    return await tenant_by_subdomain(request, subdomain or "")


async def tenant_by_subdomain(request: Request, subdomain: str) -> Tenant:
    """Return the guru with a subdomain. Raise GuruNotFound and SiteSuspended; Unavailable when the database is down."""
    directory: Directory = request.app.state.directory
    tenant = await directory.find_by_name(subdomain) if is_label(subdomain) else None
    if tenant is None:
        raise GuruNotFound
    if tenant.is_suspended:
        raise SiteSuspended
    return tenant
