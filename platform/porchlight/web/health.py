"""Operator endpoints: /healthz, /readyz, /metrics and /internal/tls-check, which Caddy calls.

The last two are not reachable through Caddy.
"""

from __future__ import annotations

import os
from urllib.parse import parse_qs

import orjson
from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector

from porchlight.db.migrations import head
from tenants.db.pool import Database
from tenants.http.asgi import Receive, Scope, Send
from tenants.http.response_cache import ResponseCache
from tenants.kit.errors import ProductError
from tenants.tenancy.directory import Directory
from tenants.tenancy.on_demand_tls import is_certificate_allowed

REQUESTS = Counter("porchlight_requests", "Requests that reached an app.", ["route", "status"])
SECONDS = Histogram(
    "porchlight_request_seconds",
    "Response time of requests that reached an app.",
    ["route"],
    buckets=(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5),
)
CACHE_HITS = Counter("porchlight_response_cache_hits", "Responses from the response cache.")
CACHE_MISSES = Counter("porchlight_response_cache_misses", "Responses that the cache did not have.")

PATHS = ("/healthz", "/readyz", "/metrics", "/internal/")


class OpsEndpoints:
    """Serves the operator paths on any host, before all other routing."""

    def __init__(self, db: Database, directory: Directory, base_host: str) -> None:
        self._db = db
        self._directory = directory
        self._base_host = base_host
        self._head = head()
        self._counted = (0, 0)
        self.response_cache: ResponseCache | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Respond to an operator request."""
        path = scope["path"]
        if scope["method"] not in ("GET", "HEAD"):
            await _respond(send, 405, b"")
        elif path == "/healthz":
            await _respond(send, 200, b'{"status":"ok"}')
        elif path == "/readyz":
            await self._ready(send)
        elif path == "/metrics":
            self._count_cache()
            await _respond(send, 200, _metrics(), b"text/plain; version=0.0.4; charset=utf-8")
        elif path == "/internal/tls-check":
            await self._certificate(scope, send)
        else:
            await _respond(send, 404, b"")

    async def _ready(self, send: Send) -> None:
        try:
            schema = await self._db.read_value(str, None, "SELECT app.schema_version()")
        except ProductError:
            await _respond(send, 503, b'{"status":"no database"}')
            return
        if schema is None or schema < self._head:
            await _respond(send, 503, b'{"status":"migrations are missing: run porchlight migrate"}')
            return
        await _respond(send, 200, orjson.dumps({"status": "ready", "schema": schema}))

    async def _certificate(self, scope: Scope, send: Send) -> None:
        domain = parse_qs(scope["query_string"].decode("latin-1")).get("domain", [""])[0]
        try:
            allowed = await is_certificate_allowed(self._directory, self._base_host, domain)
        except ProductError:
            await _respond(send, 503, b"")
            return
        await _respond(send, 200 if allowed else 404, b"")

    def _count_cache(self) -> None:
        if self.response_cache is not None:
            hits, misses = self._counted
            CACHE_HITS.inc(self.response_cache.hits - hits)
            CACHE_MISSES.inc(self.response_cache.misses - misses)
            self._counted = (self.response_cache.hits, self.response_cache.misses)


def _metrics() -> bytes:
    if "PROMETHEUS_MULTIPROC_DIR" not in os.environ:
        return generate_latest()
    registry = CollectorRegistry()
    MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    return generate_latest(registry)


async def _respond(send: Send, status: int, body: bytes, kind: bytes = b"application/json") -> None:
    headers = [
        (b"content-type", kind),
        (b"content-length", str(len(body)).encode()),
        (b"cache-control", b"no-store"),
    ]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
