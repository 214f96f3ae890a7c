"""The link of a customer without an account to the session that a guru booked for them."""

from __future__ import annotations

import hmac
from uuid import UUID

from porchlight.personal_links import CustomerLink

TOKEN_BYTES = 16


def customer_link(tenant_id: UUID, secret: bytes, key: str) -> CustomerLink:
    """Return the link of a request with an idempotency key: a resend gives the same."""
    parts = ("customer", str(tenant_id), key)
    return CustomerLink(tenant_id, UUID(bytes=hmac.digest(secret, "\0".join(parts).encode(), "sha256")[:TOKEN_BYTES]))
