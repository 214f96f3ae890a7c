"""Personal links with which a named participant signs a waiver without an account.

A link has the guru's id and a random token. `bookings` makes and sends it, `waivers` reads it.
"""

from __future__ import annotations

import base64
import binascii
from dataclasses import dataclass
from uuid import UUID

from tenants.kit.errors import NotFound

SIGN_PATH = "/sign/"
_LENGTH = 43  # characters of 32 bytes in base64url


@dataclass(frozen=True, slots=True)
class SigningLink:
    """The parts of a personal link. `token` is random; the database has the one that is valid now."""

    tenant_id: UUID
    token: UUID

    @property
    def text(self) -> str:
        """The link's part of a URL."""
        return base64.urlsafe_b64encode(self.tenant_id.bytes + self.token.bytes).decode().rstrip("=")

    def url(self, main_origin: str) -> str:
        """Return the URL of the page on which the waiver is signed."""
        return f"{main_origin}{SIGN_PATH}{self.text}"


def parse_link_or_404(text: str) -> SigningLink:
    """Return the link in a URL. Raise NotFound for a malformed one, as for an unknown one."""
    if len(text) != _LENGTH:
        raise NotFound
    try:
        raw = base64.b64decode(f"{text}=".encode("ascii"), altchars=b"-_", validate=True)
    except (binascii.Error, UnicodeEncodeError):
        raise NotFound from None
    link = SigningLink(UUID(bytes=raw[:16]), UUID(bytes=raw[16:]))
    if link.text != text:  # the last character has unused bits
        raise NotFound
    return link
