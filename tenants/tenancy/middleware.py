"""The tenant middleware: chooses the tenant of a request by its `Host` header alone (docs/tenancy.md)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace

from tenants.http.asgi import ASGIApp, Receive, Scope, Send, redirect_to_origin
from tenants.kit.errors import ProductError, SiteSuspended
from tenants.tenancy.current import set_host, set_host_tenant
from tenants.tenancy.directory import Directory, Tenant
from tenants.tenancy.hosts import Host, HostKind, has_final_dot, parse_host
from tenants.tenancy.main_address import DEFAULT_PORTS, origin_at

ErrorApp = Callable[[Scope, Receive, Send, ProductError], Awaitable[None]]


class TenantMiddleware:
    """Routes a request to the main platform or to a guru's site.

    `unknown_host_app` handles hosts that belong to no guru ("Guru Not Found"). `error_app` sends errors (malformed host
    400, suspended 410, database down 503) in the format that the request accepts.
    """

    def __init__(
        self,
        *,
        platform_app: ASGIApp,
        site_app: ASGIApp,
        unknown_host_app: ASGIApp,
        error_app: ErrorApp,
        directory: Directory,
        base_host: str,
        loopback: bool,
    ) -> None:
        self._platform_app = platform_app
        self._site_app = site_app
        self._unknown_host_app = unknown_host_app
        self._error_app = error_app
        self._directory = directory
        self._base_host = base_host
        self._loopback = loopback

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Resolve the Host header and pass the request on."""
        hosts = [value for name, value in scope["headers"] if name == b"host"]
        host = parse_host(hosts[0], self._base_host, loopback=self._loopback) if len(hosts) == 1 else None
        if host is None or host.kind is HostKind.MALFORMED:
            await self._error_app(scope, receive, send, ProductError("The Host header is missing or malformed."))
            return
        if host.port is not None and host.port == DEFAULT_PORTS.get(scope["scheme"]):
            host = replace(host, port=None)  # links to this host do not name it
        set_host(scope, host)
        if host.kind is HostKind.PLATFORM:
            await self._platform_app(scope, receive, send)
            return
        try:
            tenant = await self._directory.find(host) if host.kind is not HostKind.UNKNOWN else None
        except ProductError as error:
            await self._error_app(scope, receive, send, error)
            return
        if tenant is None:
            await self._unknown_host_app(scope, receive, send)
        elif tenant.is_suspended:
            await self._error_app(scope, receive, send, SiteSuspended())
        else:
            await self._to_site(scope, receive, send, host, tenant, has_final_dot(hosts[0]))

    async def _to_site(
        self, scope: Scope, receive: Receive, send: Send, host: Host, tenant: Tenant, has_dot: bool
    ) -> None:
        main_host = tenant.main_host(self._base_host)
        if host.kind is HostKind.GURU and tenant.label != host.name:
            origin = origin_at(scope["scheme"], main_host, host.port)
            await redirect_to_origin(scope, send, origin, cache_control=b"no-store")  # the guru may take it back
            return
        name = f"{host.name}.{self._base_host}" if host.kind is HostKind.GURU else host.name
        sends_on = has_dot or not tenant.shows_pages(name, self._base_host)
        set_host_tenant(scope, tenant, main_host, sends_on=sends_on)
        await self._site_app(scope, receive, send)
