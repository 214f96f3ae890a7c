"""Tokens of holds. A token permits its bearer to see, release and book the hold; the database has only its digest."""

from __future__ import annotations

import hmac
import secrets
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from uuid import UUID

from tenants.kit.tenant_tokens import encode_tenant_token, parse_tenant_token_or_404

RANDOM_BYTES = 16


@dataclass(frozen=True, slots=True)
class HoldToken:
    """The token of a hold: the guru's id and 16 random bytes."""

    tenant_id: UUID
    random: bytes

    @property
    def text(self) -> str:
        """The token as part of a URL."""
        return encode_tenant_token(self.tenant_id, self.random)

    @property
    def digest(self) -> bytes:
        """The digest that the database has."""
        return sha256(self.tenant_id.bytes + self.random).digest()


def new_token(tenant_id: UUID) -> HoldToken:
    """Return a new random token."""
    return HoldToken(tenant_id, secrets.token_bytes(RANDOM_BYTES))


def request_token(
    tenant_id: UUID, secret: bytes, key: str, who: str, service_id: UUID, starts_at: datetime, party: int
) -> HoldToken:
    """Return the token of a request with an idempotency key: a resend by the same visitor or user gives the same."""
    parts = ("hold", str(tenant_id), key, who, f"{service_id} {starts_at.timestamp()} {party}")
    return HoldToken(tenant_id, hmac.digest(secret, "\0".join(parts).encode(), "sha256")[:RANDOM_BYTES])


def offer_token(tenant_id: UUID, secret: bytes, booking_id: UUID) -> HoldToken:
    """Return the token of a hold that was offered to someone on the waitlist, the same each time."""
    parts = ("offer", str(tenant_id), str(booking_id))
    return HoldToken(tenant_id, hmac.digest(secret, "\0".join(parts).encode(), "sha256")[:RANDOM_BYTES])


def parse_token_or_404(text: str) -> HoldToken:
    """Return the token in a URL. Raise NotFound for a malformed one, as for an unknown one."""
    return HoldToken(*parse_tenant_token_or_404(text))
