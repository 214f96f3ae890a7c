"""Links with which customers without an account see, move and cancel the session that a guru booked for them."""

from __future__ import annotations

import hmac
from uuid import UUID

from porchlight.personal_links import PersonalLink

TOKEN_BYTES = 16


class CustomerLink(PersonalLink):
    """A customer's link. The token is the permission."""

    PATH = "/booked/"


def customer_link(tenant_id: UUID, secret: bytes, key: str) -> CustomerLink:
    """Return the link of a request with an idempotency key: a resend gives the same."""
    parts = ("customer", str(tenant_id), key)
    return CustomerLink(tenant_id, UUID(bytes=hmac.digest(secret, "\0".join(parts).encode(), "sha256")[:TOKEN_BYTES]))
