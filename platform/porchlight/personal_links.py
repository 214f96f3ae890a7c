"""Links that permit their bearer something without an account: a guru's id and a token, as part of a URL."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, NamedTuple, Self
from uuid import UUID

from tenants.db.pool import Database
from tenants.kit.errors import Conflict, NotFound
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


class CustomerLink(PersonalLink):
    """A link to the session that a guru booked for someone without an account. `bookings` makes and sends it.

    The token is the permission, until an account claims the booking.
    """

    PATH = "/booked/"


class BookingClaimed(Conflict):
    """A customer's booking is in an account already. `fields` has its id, with which that account opens it."""

    code = "booking_claimed"
    message = "This session is in a Porchlight account now. Please sign in to see it."

    @classmethod
    def of(cls, booking_id: UUID) -> Self:
        """Return the error about a booking. Only its account can open the id."""
        return cls(fields={"id": str(booking_id)})


_FIND = """
SELECT booking_id, person_id, is_claimed FROM app.find_claimable(%(token)s, 1) WHERE is_named"""


class _NamedRow(NamedTuple):
    booking_id: UUID
    person_id: UUID
    is_claimed: bool


async def find_customer(db: Database, link: CustomerLink) -> tuple[UUID, UUID]:
    """Return the booking of a link, and the id that takes the place of its person's account.

    Raises NotFound, and BookingClaimed once an account has it.
    """
    for named in await db.read(link.tenant_id, _FIND, {"token": link.token}, row=_NamedRow):
        if named.is_claimed:
            raise BookingClaimed.of(named.booking_id)
        return named.booking_id, named.person_id
    raise NotFound
