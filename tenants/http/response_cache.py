"""The response cache: public responses as bytes ready to send, in front of every other ASGI layer (docs/webs.md).

An inner handler allows caching of its response with `cacheable(scope, …)`. The cache then keeps the response's bytes,
prepared per encoding, by exactly (scheme, host, path, query), with an ETag, until the tenant changes. A hit costs two
dictionary lookups.
"""

from __future__ import annotations

import asyncio
import gzip
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from uuid import UUID

import brotli
import zstandard

from tenants.http.asgi import (
    EMPTY_BODY,
    MIN_COMPRESSED_BYTES,
    ASGIApp,
    Message,
    RawHeaders,
    Receive,
    Scope,
    Send,
    has_duplicate_host,
    negotiate_encoding,
    strip_head_body,
)
from tenants.http.conditional import matches_etag, not_modified_start, weak_etag
from tenants.http.proxy_headers import apply_proxy_headers

OnView = Callable[[UUID, UUID, str, str], None]
OnStore = Callable[[Scope, RawHeaders, bytes], None]
Key = tuple[str, bytes, bytes, bytes]

MAX_CACHE_BYTES = 8 * 1024 * 1024  # of all responses per worker, in all their encodings: some 800 pages
MAX_RESPONSE_BYTES = 1024 * 1024  # a larger response is never cached
TTL_SECONDS = 60.0  # the maximum age of counts (views, visitors, leads)
TTL_WHEN_DISCONNECTED_SECONDS = 1.0  # while the change listener has no connection
STALE_SECONDS = 600.0  # an outdated response is served for so long while the database is unavailable
_SHARDS = 4096
_ENTRY_OVERHEAD_BYTES = 3072  # of a response besides its bodies
_MAX_ACCEPT_ENCODING_BYTES = 256  # of a header whose negotiation is remembered
_COMPRESSED_TYPES = (b"image/png", b"image/jpeg", b"image/webp", b"image/avif", b"font/woff2")
# Headers of one response, not of every response that is made from it.
_PER_RESPONSE_HEADERS = (b"content-length", b"etag", b"x-request-id")
_REVALIDATE = b"public, max-age=0, must-revalidate"
_POLICY = "porchlight.cache_policy"


@dataclass(slots=True)
class CachePolicy:
    """An inner handler's permission to cache its response."""

    tenant_id: UUID
    seconds: float = TTL_SECONDS
    subject: UUID | None = None  # the subject whose views a hit counts for


def cacheable(scope: Scope, tenant_id: UUID, *, seconds: float = TTL_SECONDS, subject: UUID | None = None) -> None:
    """Allow caching of the response to this request until the tenant changes, for at most `seconds`."""
    scope[_POLICY] = CachePolicy(tenant_id, seconds, subject)


@dataclass(slots=True)
class Entry:
    """One cached response."""

    key: Key
    policy: CachePolicy
    headers: RawHeaders
    packed: bytes  # the compressed body, for encodings that no request has asked for yet
    etag: bytes
    fresh_until: float
    stale_until: float
    is_compressible: bool = True
    size: int = 0
    variants: dict[bytes, tuple[Message, Message]] = field(default_factory=dict)
    not_modified: Message = field(default_factory=dict)

    def variant(self, encoding: bytes) -> tuple[Message, Message]:
        """Return the two ASGI messages of this response in one encoding, made on first use."""
        variant = self.variants.get(encoding)
        if variant is None:
            body = _ENCODERS[encoding](zstandard.decompress(self.packed) if self.is_compressible else self.packed)
            headers = [*self.headers, (b"content-length", str(len(body)).encode())]
            if encoding:
                headers.append((b"content-encoding", encoding))
            variant = (
                {"type": "http.response.start", "status": 200, "headers": headers},
                {"type": "http.response.body", "body": body},
            )
            self.variants[encoding] = variant
            if body is not self.packed:
                self.size += len(body)
        return variant


_ENCODERS: dict[bytes, Callable[[bytes], bytes]] = {
    b"": lambda body: body,
    b"br": lambda body: brotli.compress(body, quality=6),
    b"zstd": lambda body: zstandard.compress(body, 6),
    b"gzip": lambda body: gzip.compress(body, 6, mtime=0),
}


def encode_body(scope: Scope, body: bytes) -> tuple[bytes, dict[str, str]]:
    """Return a body that is not cached in an encoding that the request accepts, and the header that names it."""
    encoding = negotiate_encoding(dict(scope["headers"]).get(b"accept-encoding", b""))
    return _ENCODERS[encoding](body), {"content-encoding": encoding.decode()} if encoding else {}


class ResponseCache:
    """The cache in front of the app. `inner` handles every miss.

    `on_view` is called for each view served from the cache, `on_store` for each cached response that is current.
    """

    def __init__(
        self,
        inner: ASGIApp,
        *,
        trusted_proxies: frozenset[str] = frozenset(),
        on_view: OnView | None = None,
        on_store: OnStore | None = None,
        max_bytes: int = MAX_CACHE_BYTES,
        enabled: bool = True,
    ) -> None:
        self._inner = inner
        self._trusted_proxies = trusted_proxies
        self._on_view = on_view
        self._on_store = on_store
        self._max_bytes = max_bytes
        self._enabled = enabled
        self._entries: OrderedDict[Key, Entry] = OrderedDict()
        self._keys_by_tenant: dict[UUID, set[Key]] = {}
        self._fills: dict[Key, asyncio.Future[None]] = {}
        self._change_count = 0  # identifies responses that were requested before a change
        self._changed_at = [0] * _SHARDS
        self._all_changed_at = 0
        self._encodings: dict[bytes, bytes] = {}
        self._is_connected = False
        self.bytes_cached = 0
        self.hits = 0
        self.misses = 0

    # --- requests -----------------------------------------------------------------------------------------------

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Respond from the cache, or pass the request on."""
        if scope["type"] != "http":
            await self._inner(scope, receive, send)
            return
        raw = scope["headers"]
        headers = dict(raw)
        client = scope["client"]
        if client is not None and client[0] in self._trusted_proxies:
            apply_proxy_headers(scope, headers)
        if scope["method"] not in ("GET", "HEAD") or not self._enabled or has_duplicate_host(raw, headers):
            await self._inner(scope, receive, send)
            return
        key: Key = (scope["scheme"], headers.get(b"host", b""), scope["raw_path"], scope["query_string"])
        entry = self._entries.get(key)
        if entry is None or time.monotonic() >= entry.fresh_until:
            entry = await self._fill(key, scope, receive, send)
            if entry is None:
                return  # the inner app has sent the response
        else:
            self.hits += 1
            self._entries.move_to_end(key)
        if entry.policy.subject is not None and self._on_view is not None and scope["client"] is not None:
            agent = headers.get(b"user-agent", b"").decode("latin-1")
            self._on_view(entry.policy.tenant_id, entry.policy.subject, scope["client"][0], agent)
        if_none_match = headers.get(b"if-none-match")
        if if_none_match is not None and matches_etag(entry.etag, if_none_match):
            await send(entry.not_modified)
            await send(EMPTY_BODY)
            return
        encoding = self._encoding(headers.get(b"accept-encoding", b""), entry)
        start, body = entry.variants.get(encoding) or self._encode(entry, encoding)
        await send(start)
        await send(body if scope["method"] == "GET" else EMPTY_BODY)

    def _encoding(self, header: bytes, entry: Entry) -> bytes:
        if not header or not entry.is_compressible:
            return b""
        known = self._encodings.get(header)
        if known is None:
            known = negotiate_encoding(header)
            if len(self._encodings) < 1000 and len(header) <= _MAX_ACCEPT_ENCODING_BYTES:
                self._encodings[header] = known
        return known

    def _encode(self, entry: Entry, encoding: bytes) -> tuple[Message, Message]:
        before = entry.size
        variant = entry.variant(encoding)
        if self._entries.get(entry.key) is entry:
            self.bytes_cached += entry.size - before
            self._shrink()
        return variant

    # --- misses -------------------------------------------------------------------------------------------------

    async def _fill(self, key: Key, scope: Scope, receive: Receive, send: Send) -> Entry | None:
        if any(name in (b"authorization", b"cookie") for name, _ in scope["headers"]):
            # Its response may be personal, so of no use to others, and slow: it asks another service.
            return await self._fetch(key, scope, receive, send)
        if (running := self._fills.get(key)) is not None:
            await asyncio.wait([running])
            entry = self._entries.get(key)
            if entry is not None and time.monotonic() < entry.fresh_until:
                return entry
        future = self._fills[key] = asyncio.get_running_loop().create_future()
        try:
            return await self._fetch(key, scope, receive, send)
        finally:
            if self._fills.get(key) is future:
                del self._fills[key]
            future.set_result(None)

    async def _fetch(self, key: Key, scope: Scope, receive: Receive, send: Send) -> Entry | None:
        """Call the inner app. Buffer its response if it can be cached, or replaced by a stale one; else send it."""
        self.misses += 1
        requested_at = self._change_count
        method = scope["method"]
        scope = {**scope, "method": "GET"}  # a copy, because Uvicorn reads the method of its own scope
        buffered: list[Message] = []
        status = 0

        async def collect(message: Message) -> None:
            nonlocal status
            is_start = message["type"] == "http.response.start"
            if is_start:
                status = message["status"]
            if buffered or (is_start and (_POLICY in scope or message["status"] >= 500)):
                buffered.append(message)
            else:
                await send(strip_head_body(method, message))

        await self._inner(scope, receive, collect)
        if not buffered:
            self._purge(key, status)
            return None
        policy: CachePolicy | None = scope.get(_POLICY)
        body = b"".join(message.get("body", b"") for message in buffered[1:])
        if status >= 500 and (old := self._entries.get(key)) is not None and time.monotonic() < old.stale_until:
            return old
        is_personal = any(name == b"set-cookie" for name, _ in buffered[0]["headers"])
        if policy is None or status != 200 or len(body) > MAX_RESPONSE_BYTES or is_personal:
            self._purge(key, status)
            for message in buffered:
                await send(strip_head_body(method, message))
            return None
        is_current = max(self._changed_at[_shard(policy.tenant_id)], self._all_changed_at) <= requested_at
        if is_current and self._on_store is not None:
            self._on_store(scope, buffered[0]["headers"], body)
        return self._store(key, policy, buffered[0]["headers"], body, is_current=is_current)

    def _store(self, key: Key, policy: CachePolicy, headers: RawHeaders, body: bytes, *, is_current: bool) -> Entry:
        now = time.monotonic()
        shared = [(name, value) for name, value in headers if name not in _PER_RESPONSE_HEADERS]
        etag = weak_etag(b"".join(name + b"\0" + value + b"\0" for name, value in sorted(shared)) + body)
        if not any(name == b"cache-control" for name, _ in shared):
            shared.append((b"cache-control", _REVALIDATE))
        shared += [(b"etag", etag), (b"vary", b"Accept-Encoding")]
        seconds = policy.seconds if self._is_connected else min(policy.seconds, TTL_WHEN_DISCONNECTED_SECONDS)
        is_compressible = len(body) >= MIN_COMPRESSED_BYTES and not any(
            value in _COMPRESSED_TYPES for name, value in shared
        )
        packed = zstandard.compress(body, 3) if is_compressible else body
        entry = Entry(
            key,
            policy,
            shared,
            packed,
            etag,
            fresh_until=now + seconds if is_current else 0.0,
            stale_until=now + STALE_SECONDS,
            is_compressible=is_compressible,
            size=len(packed) + _ENTRY_OVERHEAD_BYTES,
        )
        entry.not_modified = not_modified_start(shared)
        self._evict(key)
        self._entries[key] = entry
        self._keys_by_tenant.setdefault(policy.tenant_id, set()).add(key)
        self.bytes_cached += entry.size
        self._shrink()
        return entry

    def _shrink(self) -> None:
        while self.bytes_cached > self._max_bytes and len(self._entries) > 1:
            self._evict(next(iter(self._entries)))

    def _purge(self, key: Key, status: int) -> None:
        """Remove a response that was replaced, so that it is not served as stale; after a 410, the tenant's whole site.

        A server error removes nothing.
        """
        old = self._entries.get(key)
        if old is None or status >= 500:
            return
        for purged in list(self._keys_by_tenant[old.policy.tenant_id]) if status == 410 else [key]:
            self._evict(purged)

    def _evict(self, key: Key) -> None:
        entry = self._entries.pop(key, None)
        if entry is None:
            return
        self.bytes_cached -= entry.size
        keys = self._keys_by_tenant[entry.policy.tenant_id]
        keys.discard(key)
        if not keys:
            del self._keys_by_tenant[entry.policy.tenant_id]

    # --- changes ------------------------------------------------------------------------------------------------

    def invalidate(self, tenant_id: UUID) -> None:
        """Mark a tenant's responses as outdated: they are served only while the database is unavailable."""
        self._change_count += 1
        self._changed_at[_shard(tenant_id)] = self._change_count
        for key in self._keys_by_tenant.get(tenant_id, ()):
            self._entries[key].fresh_until = 0.0

    def on_connection_change(self, connected: bool) -> None:
        """Mark every response as outdated: changes are missed while the change listener has no connection."""
        self._is_connected = connected
        self._change_count += 1
        self._all_changed_at = self._change_count
        for entry in self._entries.values():
            entry.fresh_until = 0.0


def _shard(tenant_id: UUID) -> int:
    return tenant_id.int % _SHARDS
