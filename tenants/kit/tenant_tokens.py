"""Tokens in URLs that begin with a tenant's id, so that the row of the rest is found under row-level security."""

from __future__ import annotations

from uuid import UUID

from tenants.kit.base64url import decode_base64url, encode_base64url
from tenants.kit.errors import NotFound

_ID_BYTES = 16
_TOKEN_BYTES = 32


def encode_tenant_token(tenant_id: UUID, rest: bytes) -> str:
    """Return a tenant's id and 16 further bytes as part of a URL."""
    return encode_base64url(tenant_id.bytes + rest)


def parse_tenant_token_or_404(text: str) -> tuple[UUID, bytes]:
    """Return the tenant's id and the 16 bytes of a token. Raise NotFound for a malformed one, as for an unknown one."""
    try:
        raw = decode_base64url(text)
    except ValueError:
        raise NotFound from None
    if len(raw) != _TOKEN_BYTES:
        raise NotFound
    return UUID(bytes=raw[:_ID_BYTES]), raw[_ID_BYTES:]
