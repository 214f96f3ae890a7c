"""Addresses of guru sites, as requests to the main platform name them: with their scheme and port."""

from __future__ import annotations

from fastapi import Request

from porchlight.dependencies import AppContext
from tenants.tenancy.current import request_host
from tenants.tenancy.directory import Directory
from tenants.tenancy.main_address import origin_at


async def site_host(request: Request, context: AppContext, label: str) -> str:
    """Return the host of a site's main address. Raise Unavailable when the database is down."""
    directory: Directory = request.app.state.directory
    base_host = context.settings.base_host
    site = await directory.find_by_name(label)
    return site.main_host(base_host) if site else f"{label}.{base_host}"


async def site_origin(request: Request, context: AppContext, label: str) -> str:
    """Return the origin of a site's main address. Raise Unavailable when the database is down."""
    return origin_on(request, await site_host(request, context, label))


def origin_on(request: Request, host_name: str) -> str:
    """Return the origin of a host, with the scheme and port of this request."""
    host = request_host(request.scope)
    return origin_at(request.scope["scheme"], host_name, host.port if host else None)
