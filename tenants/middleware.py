"""The tenant resolver: decides by `Host`, and by nothing else, whose request this is (DESIGN 3).

It leaves `scope["porchlight.host"]` (a parsed Host) and, on a guru's site, `scope["porchlight.tenant"]` (a Tenant).
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from tenants.directory import Directory, Tenant
from tenants.edge import App, Receive, Scope, Send
from tenants.host import Host, Kind, parse
from tenants.kit.errors import ProductError, SiteSuspended

Refusal = Callable[[Scope, Receive, Send, ProductError], Awaitable[None]]


class TenantMiddleware:
    """Sends a request to the main platform or to a guru's site.

    `platform` and `site` are the two apps; `nobody` answers hosts that are no guru's ("Guru Not Found"), `refused`
    answers refusals (malformed host 400, suspended 410, database out 503) in the form the request wants.
    """

    def __init__(
        self,
        *,
        platform: App,
        site: App,
        nobody: App,
        refused: Refusal,
        directory: Directory,
        base_host: str,
        loopback: bool,
    ) -> None:
        self._platform = platform
        self._site = site
        self._nobody = nobody
        self._refused = refused
        self._directory = directory
        self._base_host = base_host
        self._loopback = loopback

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        hosts = [value for name, value in scope["headers"] if name == b"host"]
        host = parse(hosts[0], self._base_host, loopback=self._loopback) if len(hosts) == 1 else None
        if host is None or host.kind is Kind.MALFORMED:
            await self._refused(scope, receive, send, ProductError("The Host header is missing or malformed."))
            return
        scope["porchlight.host"] = host
        if host.kind is Kind.PLATFORM:
            await self._platform(scope, receive, send)
            return
        try:
            tenant = await self._directory.find(host) if host.kind is not Kind.UNKNOWN else None
        except ProductError as refusal:
            await self._refused(scope, receive, send, refusal)
            return
        if tenant is None:
            await self._nobody(scope, receive, send)
        elif tenant.suspended:
            await self._refused(scope, receive, send, SiteSuspended())
        elif host.kind is Kind.GURU and tenant.label != host.name:
            await _moved(scope, send, self._origin(scope, host, tenant))
        else:
            scope["porchlight.tenant"] = tenant
            await self._site(scope, receive, send)

    def _origin(self, scope: Scope, host: Host, tenant: Tenant) -> str:
        port = f":{host.port}" if host.port else ""
        return f"{scope['scheme']}://{tenant.label}.{self._base_host}{port}"


async def _moved(scope: Scope, send: Send, origin: str) -> None:
    query = b"?" + scope["query_string"] if scope["query_string"] else b""
    location = origin.encode() + scope["raw_path"] + query
    await send(
        {
            "type": "http.response.start",
            "status": 308,
            "headers": [(b"location", location), (b"cache-control", b"public, max-age=300"), (b"content-length", b"0")],
        }
    )
    await send({"type": "http.response.body", "body": b""})
