"""What the product needs from vendors, in its own words. One adapter stands behind each; `app.py` chooses it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Claims:
    """What a verified ID token says. Times are seconds of the epoch."""

    uid: str
    email: str
    email_verified: bool
    name: str
    picture: str
    auth_time: int
    issued_at: int


@dataclass(frozen=True, slots=True)
class Standing:
    """How an account stands with the identity service.

    `valid_after`: tokens issued before it are revoked (epoch seconds).
    """

    exists: bool
    disabled: bool
    valid_after: int


class IdentityOutage(Exception):
    """The identity service did not answer, or not in time."""


class TokenReader(Protocol):
    """Verifies ID tokens."""

    async def read(self, token: str) -> Claims:
        """The claims of a token. Raises Unauthenticated for every kind of bad token, Unavailable without keys."""


class Identity(Protocol):
    """The accounts of the identity service. Each call may raise IdentityOutage."""

    async def standing(self, uid: str) -> Standing:
        """How the account stands now."""

    async def revoke(self, uid: str) -> None:
        """End every sign-in of the account."""

    async def delete(self, uid: str) -> None:
        """Delete the account. Nothing happens when it is gone already."""


@dataclass(frozen=True, slots=True)
class Place:
    """A place by its names; any may be empty (SPEC 7.2). `subdivision` is the state or region."""

    city: str
    locality: str
    subdivision: str
    country_code: str
    latitude: float
    longitude: float


class Geocoder(Protocol):
    """Names places."""

    async def reverse(self, latitude: float, longitude: float) -> Place | None:
        """The place at a point in degrees; None where nobody lives. Raises Unavailable when the service is out."""

    async def search(self, text: str, limit: int) -> list[Place]:
        """Places whose name begins like `text` ("city" or "city, state"), the largest first."""
