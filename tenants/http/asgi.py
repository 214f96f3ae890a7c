"""ASGI types, and helpers for apps that answer without a framework."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
ASGIApp = Callable[[Scope, Receive, Send], Awaitable[None]]
RawHeaders = list[tuple[bytes, bytes]]

Continuation = Callable[[Receive, Send], Awaitable[None]]

EMPTY_BODY: Message = {"type": "http.response.body", "body": b""}
MIN_COMPRESSED_BYTES = 860  # a smaller body fits into one packet with its headers anyway

_REST = "porchlight.rest"
_REFUSED_WEIGHTS = (b"q=0", b"q=0.0", b"q=0.00", b"q=0.000")


async def run_with_rest(app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
    """Run an app, then what it left to `respond_after`."""
    state = scope.setdefault("state", {})
    await app(scope, receive, send)
    rest: Continuation | None = state.pop(_REST, None)
    if rest is not None:
        await rest(receive, send)


def respond_after(scope: Scope, rest: Continuation) -> None:
    """Leave the rest of a response that has begun to `rest`, once the middleware has ended (`run_with_rest`).

    A response that goes on for minutes then holds none of its request in memory, and is not measured as a slow one.
    """
    scope["state"][_REST] = rest


async def send_response(send: Send, status: int, headers: RawHeaders, body: bytes = b"") -> None:
    """Send a whole response."""
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


async def redirect_to_origin(
    scope: Scope, send: Send, origin: str, status: int = 308, cache_control: bytes = b"public, max-age=300"
) -> None:
    """Redirect to the same path and query at another origin.

    `cache_control`: a redirect that can turn around must not be stored, or browsers go back and forth between both.
    """
    query = b"?" + scope["query_string"] if scope["query_string"] else b""
    location = origin.encode() + scope["raw_path"] + query
    headers = [(b"location", location), (b"cache-control", cache_control), (b"content-length", b"0")]
    await send_response(send, status, headers)


def strip_head_body(method: str, message: Message) -> Message:
    """Return the message without its body if the request method is HEAD."""
    return {**message, "body": b""} if method == "HEAD" and message["type"] == "http.response.body" else message


def has_duplicate_host(raw: RawHeaders, headers: dict[bytes, bytes]) -> bool:
    """Whether a request has more than one Host header. `headers` is `raw` as a dictionary."""
    return len(raw) != len(headers) and sum(name == b"host" for name, _ in raw) > 1


def negotiate_encoding(accept_encoding: bytes) -> bytes:
    """Return the best supported encoding that an Accept-Encoding header accepts: br, zstd, gzip, or b"" for none."""
    accepted = set()
    for part in accept_encoding.lower().split(b","):
        name, _, weight = part.partition(b";")
        if weight.replace(b" ", b"") not in _REFUSED_WEIGHTS:
            accepted.add(name.strip())
    return next((encoding for encoding in (b"br", b"zstd", b"gzip") if encoding in accepted), b"")
