"""Personal links with which a named participant signs a waiver without an account.

A link has the guru's id and a random token. `bookings` makes and sends it, `waivers` reads it.
"""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from tenants.kit.tenant_tokens import encode_tenant_token, parse_tenant_token_or_404

SIGN_PATH = "/sign/"


@dataclass(frozen=True, slots=True)
class SigningLink:
    """The parts of a personal link. `token` is random; the database has the one that is valid now."""

    tenant_id: UUID
    token: UUID

    @property
    def text(self) -> str:
        """The link's part of a URL."""
        return encode_tenant_token(self.tenant_id, self.token.bytes)

    def url(self, main_origin: str) -> str:
        """Return the URL of the page on which the waiver is signed."""
        return f"{main_origin}{SIGN_PATH}{self.text}"


def parse_link_or_404(text: str) -> SigningLink:
    """Return the link in a URL. Raise NotFound for a malformed one, as for an unknown one."""
    tenant_id, token = parse_tenant_token_or_404(text)
    return SigningLink(tenant_id, UUID(bytes=token))
