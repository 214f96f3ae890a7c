"""Links with which customers without an account see, move and cancel the session that a guru booked for them."""

from __future__ import annotations

import hmac
from dataclasses import dataclass
from uuid import UUID

from tenants.kit.tenant_tokens import encode_tenant_token, parse_tenant_token_or_404

BOOKED_PATH = "/booked/"
TOKEN_BYTES = 16


@dataclass(frozen=True, slots=True)
class CustomerLink:
    """The parts of a customer's link. The token is the permission."""

    tenant_id: UUID
    token: UUID

    @property
    def text(self) -> str:
        """The link's part of a URL."""
        return encode_tenant_token(self.tenant_id, self.token.bytes)

    def url(self, main_origin: str) -> str:
        """Return the URL of the page with the session."""
        return f"{main_origin}{BOOKED_PATH}{self.text}"


def customer_link(tenant_id: UUID, secret: bytes, key: str) -> CustomerLink:
    """Return the link of a request with an idempotency key: a resend gives the same."""
    parts = ("customer", str(tenant_id), key)
    return CustomerLink(tenant_id, UUID(bytes=hmac.digest(secret, "\0".join(parts).encode(), "sha256")[:TOKEN_BYTES]))


def parse_customer_link_or_404(text: str) -> CustomerLink:
    """Return the link in a URL. Raise NotFound for a malformed one, as for an unknown one."""
    tenant_id, token = parse_tenant_token_or_404(text)
    return CustomerLink(tenant_id, UUID(bytes=token))
