"""The edge: public answers as ready bytes, by a bare ASGI layer in front of everything else (DESIGN 5).

An inner handler that may be remembered says so with `keep(scope, …)`. The edge then holds the answer's bytes, prepared
in each encoding, by exactly (scheme, host, path, query), with an ETag, until the tenant changes. It answers a hit
without looking at anything but two dictionaries.
"""

from __future__ import annotations

import asyncio
import gzip
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, MutableMapping
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any
from uuid import UUID

import brotli
import zstandard

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]
Seen = Callable[[UUID, UUID, str, str], None]
Stored = Callable[[Scope, list[tuple[bytes, bytes]], bytes], None]
Key = tuple[str, bytes, bytes, bytes]

BUDGET = 8 * 1024 * 1024  # bytes of answers held per worker, in all their encodings: some 800 pages
LARGEST = 1024 * 1024  # bytes; a larger answer is never held
TTL = 60.0  # seconds: how old counts (views, visitors, leads) may look
TTL_DEAF = 1.0  # seconds, while the listening connection is down
STALE = 600.0  # seconds an outdated answer still serves while the database is out
_SHARDS = 4096
_FRAME = 3072  # bytes of an answer besides its bodies
_WORTH_ENCODING = 860  # bytes; below, the frame of a packet costs more
_LONGEST_ACCEPT = 256  # bytes of an Accept-Encoding header worth remembering
_DENSE = (b"image/png", b"image/jpeg", b"image/webp", b"image/avif", b"font/woff2")  # compressed by nature
# Of one answer, never of all that are made from it.
_OF_ONE_ANSWER = (b"content-length", b"etag", b"x-request-id")
# What a 304 says (RFC 9110, 15.4.5); the rest its receiver has kept, and the etag changes with it.
_SAID_AGAIN = (b"cache-control", b"content-location", b"expires", b"etag", b"vary")
_REVALIDATE = b"public, max-age=0, must-revalidate"


@dataclass(slots=True)
class Keep:
    """An inner handler's leave to remember its answer."""

    tenant_id: UUID
    seconds: float = TTL
    subject: UUID | None = None  # what a view of it counts for


def keep(scope: Scope, tenant_id: UUID, *, seconds: float = TTL, subject: UUID | None = None) -> None:
    """Let the edge remember the answer to this request until the tenant changes, at most `seconds`."""
    scope["porchlight.keep"] = Keep(tenant_id, seconds, subject)


@dataclass(slots=True)
class Entry:
    """One remembered answer."""

    key: Key
    kept: Keep
    headers: list[tuple[bytes, bytes]]
    packed: bytes  # the body, for encodings not asked for yet; hardly anybody asks for none
    etag: bytes
    fresh_until: float
    stale_until: float
    encodes: bool = True
    size: int = 0
    variants: dict[bytes, tuple[Message, Message]] = field(default_factory=dict)
    not_modified: Message = field(default_factory=dict)

    def variant(self, encoding: bytes) -> tuple[Message, Message]:
        """The two ASGI messages of this answer in one encoding, made when first asked for."""
        made = self.variants.get(encoding)
        if made is None:
            body = _ENCODERS[encoding](zstandard.decompress(self.packed) if self.encodes else self.packed)
            headers = [*self.headers, (b"content-length", str(len(body)).encode())]
            if encoding:
                headers.append((b"content-encoding", encoding))
            made = (
                {"type": "http.response.start", "status": 200, "headers": headers},
                {"type": "http.response.body", "body": body},
            )
            self.variants[encoding] = made
            if body is not self.packed:
                self.size += len(body)
        return made


_ENCODERS: dict[bytes, Callable[[bytes], bytes]] = {
    b"": lambda body: body,
    b"br": lambda body: brotli.compress(body, quality=5),
    b"zstd": lambda body: zstandard.compress(body, 6),
    b"gzip": lambda body: gzip.compress(body, 6, mtime=0),
}
_EMPTY: Message = {"type": "http.response.body", "body": b""}


def accepted_encoding(header: bytes) -> bytes:
    """The best encoding we have that an Accept-Encoding header takes: br, zstd, gzip, or none."""
    offered = set()
    for part in header.lower().split(b","):
        name, _, weight = part.partition(b";")
        if weight.replace(b" ", b"") not in (b"q=0", b"q=0.0", b"q=0.00", b"q=0.000"):
            offered.add(name.strip())
    return next((encoding for encoding in (b"br", b"zstd", b"gzip") if encoding in offered), b"")


class Edge:
    """The cache in front. `inner` answers what it does not hold.

    `seen` is told of views served from it, `stored` of every answer it remembers that is known to be true now.
    """

    def __init__(
        self,
        inner: App,
        *,
        trusted: frozenset[str] = frozenset(),
        seen: Seen | None = None,
        stored: Stored | None = None,
        budget: int = BUDGET,
        enabled: bool = True,
    ) -> None:
        self._inner = inner
        self._trusted = trusted
        self._seen = seen
        self._stored = stored
        self._budget = budget
        self._enabled = enabled
        self._entries: OrderedDict[Key, Entry] = OrderedDict()
        self._of_tenant: dict[UUID, set[Key]] = {}
        self._filling: dict[Key, asyncio.Future[None]] = {}
        self._changes = 0  # counts changes heard of; by it an answer asked for before a change is known as old
        self._changed_at = [0] * _SHARDS
        self._all_changed_at = 0
        self._encodings: dict[bytes, bytes] = {}
        self._deaf = True
        self.bytes_held = 0
        self.hits = 0
        self.misses = 0

    # --- requests -----------------------------------------------------------------------------------------------

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._inner(scope, receive, send)
            return
        raw = scope["headers"]
        headers = dict(raw)
        client = scope["client"]
        if client is not None and client[0] in self._trusted:
            # A proxy of ours tells who asked and how; which tenant, only Host ever tells.
            if (proto := headers.get(b"x-forwarded-proto")) is not None:
                scope["scheme"] = "https" if proto == b"https" else "http"
            if (forwarded := headers.get(b"x-forwarded-for")) is not None:
                scope["client"] = (forwarded.rsplit(b",", 1)[-1].strip().decode("latin-1"), 0)
        if scope["method"] not in ("GET", "HEAD") or not self._enabled or _doubled_host(raw, headers):
            await self._inner(scope, receive, send)
            return
        key: Key = (scope["scheme"], headers.get(b"host", b""), scope["raw_path"], scope["query_string"])
        entry = self._entries.get(key)
        if entry is None or time.monotonic() >= entry.fresh_until:
            entry = await self._fill(key, scope, receive, send)
            if entry is None:
                return  # answered by the inner app
        else:
            self.hits += 1
            self._entries.move_to_end(key)
        if entry.kept.subject is not None and self._seen is not None and scope["client"] is not None:
            agent = headers.get(b"user-agent", b"").decode("latin-1")
            self._seen(entry.kept.tenant_id, entry.kept.subject, scope["client"][0], agent)
        matched = headers.get(b"if-none-match")
        if matched is not None and (entry.etag[2:] in matched or matched == b"*"):
            await send(entry.not_modified)
            await send(_EMPTY)
            return
        encoding = self._encoding(headers.get(b"accept-encoding", b""), entry)
        start, body = entry.variants.get(encoding) or self._encode(entry, encoding)
        await send(start)
        await send(body if scope["method"] == "GET" else _EMPTY)

    def _encoding(self, header: bytes, entry: Entry) -> bytes:
        if not header or not entry.encodes:
            return b""
        known = self._encodings.get(header)
        if known is None:
            known = accepted_encoding(header)
            if len(self._encodings) < 1000 and len(header) <= _LONGEST_ACCEPT:
                self._encodings[header] = known
        return known

    def _encode(self, entry: Entry, encoding: bytes) -> tuple[Message, Message]:
        before = entry.size
        made = entry.variant(encoding)
        if self._entries.get(entry.key) is entry:
            self.bytes_held += entry.size - before
            self._shrink()
        return made

    # --- filling ------------------------------------------------------------------------------------------------

    async def _fill(self, key: Key, scope: Scope, receive: Receive, send: Send) -> Entry | None:
        if (filling := self._filling.get(key)) is not None:
            await asyncio.wait([filling])
            entry = self._entries.get(key)
            if entry is not None and time.monotonic() < entry.fresh_until:
                return entry
        future = self._filling[key] = asyncio.get_running_loop().create_future()
        try:
            return await self._ask(key, scope, receive, send)
        finally:
            if self._filling.get(key) is future:
                del self._filling[key]
            future.set_result(None)

    async def _ask(self, key: Key, scope: Scope, receive: Receive, send: Send) -> Entry | None:
        """Let the inner app answer. What may be remembered, or replaced by an older answer, is held."""
        self.misses += 1
        asked_at = self._changes
        method = scope["method"]
        scope["method"] = "GET"
        held: list[Message] = []
        status = 0

        async def answer(message: Message) -> None:
            nonlocal status
            first = message["type"] == "http.response.start"
            if first:
                status = message["status"]
            if held or (first and ("porchlight.keep" in scope or message["status"] >= 500)):
                held.append(message)
            else:
                await send(_for(method, message))

        try:
            await self._inner(scope, receive, answer)
        finally:
            scope["method"] = method
        if not held:
            self._unsay(key, status)
            return None
        kept: Keep | None = scope.get("porchlight.keep")
        body = b"".join(message.get("body", b"") for message in held[1:])
        if status >= 500 and (old := self._entries.get(key)) is not None and time.monotonic() < old.stale_until:
            return old
        personal = any(name == b"set-cookie" for name, _ in held[0]["headers"])
        if kept is None or status != 200 or len(body) > LARGEST or personal:
            self._unsay(key, status)
            for message in held:
                await send(_for(method, message))
            return None
        current = max(self._changed_at[_shard(kept.tenant_id)], self._all_changed_at) <= asked_at
        if current and self._stored is not None:
            self._stored(scope, held[0]["headers"], body)
        return self._store(key, kept, held[0]["headers"], body, current=current)

    def _store(self, key: Key, kept: Keep, headers: list[tuple[bytes, bytes]], body: bytes, *, current: bool) -> Entry:
        now = time.monotonic()
        ours = [(name, value) for name, value in headers if name not in _OF_ONE_ANSWER]
        told = b"".join(name + b"\0" + value + b"\0" for name, value in sorted(ours))
        etag = b'W/"' + blake2b(told + body, digest_size=12).hexdigest().encode() + b'"'
        if not any(name == b"cache-control" for name, _ in ours):
            ours.append((b"cache-control", _REVALIDATE))
        ours += [(b"etag", etag), (b"vary", b"Accept-Encoding")]
        seconds = min(kept.seconds, TTL_DEAF) if self._deaf else kept.seconds
        encodes = len(body) >= _WORTH_ENCODING and not any(value in _DENSE for name, value in ours)
        packed = zstandard.compress(body, 3) if encodes else body
        entry = Entry(
            key,
            kept,
            ours,
            packed,
            etag,
            fresh_until=now + seconds if current else 0.0,
            stale_until=now + STALE,
            encodes=encodes,
            size=len(packed) + _FRAME,
        )
        entry.not_modified = {
            "type": "http.response.start",
            "status": 304,
            "headers": [(name, value) for name, value in ours if name in _SAID_AGAIN],
        }
        self._drop(key)
        self._entries[key] = entry
        self._of_tenant.setdefault(kept.tenant_id, set()).add(key)
        self.bytes_held += entry.size
        self._shrink()
        return entry

    def _shrink(self) -> None:
        while self.bytes_held > self._budget and len(self._entries) > 1:
            self._drop(next(iter(self._entries)))

    def _unsay(self, key: Key, status: int) -> None:
        """What is now answered otherwise must not come back when the database is out; of a suspended site, nothing."""
        old = self._entries.get(key)
        if old is None or status >= 500:
            return
        for each in list(self._of_tenant[old.kept.tenant_id]) if status == 410 else [key]:
            self._drop(each)

    def _drop(self, key: Key) -> None:
        entry = self._entries.pop(key, None)
        if entry is None:
            return
        self.bytes_held -= entry.size
        keys = self._of_tenant[entry.kept.tenant_id]
        keys.discard(key)
        if not keys:
            del self._of_tenant[entry.kept.tenant_id]

    # --- changes ------------------------------------------------------------------------------------------------

    def outdate(self, tenant_id: UUID) -> None:
        """A tenant changed: its answers are asked for again (and serve on only while the database is out)."""
        self._changes += 1
        self._changed_at[_shard(tenant_id)] = self._changes
        for key in self._of_tenant.get(tenant_id, ()):
            self._entries[key].fresh_until = 0.0

    def heard(self, listening: bool) -> None:
        """The listening connection came up or went down: anything may have changed meanwhile."""
        self._deaf = not listening
        self._changes += 1
        self._all_changed_at = self._changes
        for entry in self._entries.values():
            entry.fresh_until = 0.0


def _for(method: str, message: Message) -> Message:
    return {**message, "body": b""} if method == "HEAD" and message["type"] == "http.response.body" else message


def _shard(tenant_id: UUID) -> int:
    return tenant_id.int % _SHARDS


def _doubled_host(raw: list[tuple[bytes, bytes]], headers: dict[bytes, bytes]) -> bool:
    return len(raw) != len(headers) and sum(name == b"host" for name, _ in raw) > 1
