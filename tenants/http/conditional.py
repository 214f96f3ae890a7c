"""Conditional requests: weak ETags and 304 responses (RFC 9110, 13)."""

from __future__ import annotations

from hashlib import blake2b

from tenants.http.asgi import Message, RawHeaders

# Headers of a 304 (RFC 9110, 15.4.5). The client has the others, and the ETag changes when they do.
NOT_MODIFIED_HEADERS = (b"cache-control", b"content-location", b"expires", b"etag", b"vary")


def weak_etag(content: bytes) -> bytes:
    """Return the weak ETag of a content."""
    return b'W/"' + blake2b(content, digest_size=12).hexdigest().encode() + b'"'


def matches_etag(etag: bytes, if_none_match: bytes) -> bool:
    """Whether an If-None-Match header names the weak ETag. The comparison is weak, as the RFC demands."""
    return etag[2:] in if_none_match or if_none_match == b"*"


def not_modified_start(headers: RawHeaders) -> Message:
    """Return the first message of the 304 for a response with these headers."""
    return {
        "type": "http.response.start",
        "status": 304,
        "headers": [(name, value) for name, value in headers if name in NOT_MODIFIED_HEADERS],
    }
