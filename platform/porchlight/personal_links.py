"""Links that permit their bearer something without an account: a guru's id and a token, as part of a URL."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Self
from uuid import UUID

from tenants.kit.tenant_tokens import encode_tenant_token, parse_tenant_token_or_404


@dataclass(frozen=True, slots=True)
class PersonalLink:
    """The parts of a personal link. `PATH`: that of the page that it opens, on the main platform."""

    PATH: ClassVar[str]

    tenant_id: UUID
    token: UUID

    @property
    def text(self) -> str:
        """The link's part of a URL."""
        return encode_tenant_token(self.tenant_id, self.token.bytes)

    def url(self, main_origin: str) -> str:
        """Return the URL of the page."""
        return f"{main_origin}{self.PATH}{self.text}"

    @classmethod
    def parse_or_404(cls, text: str) -> Self:
        """Return the link in a URL. Raise NotFound for a malformed one, as for an unknown one."""
        tenant_id, token = parse_tenant_token_or_404(text)
        return cls(tenant_id, UUID(bytes=token))


class SigningLink(PersonalLink):
    """A link with which a named participant signs a waiver. `bookings` makes and sends it, `waivers` reads it.

    The token is random; the database has the one that is valid now.
    """

    PATH = "/sign/"
