"""What the product needs from vendors, in its own words. One adapter stands behind each; `app.py` chooses it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from pathlib import Path
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


@dataclass(frozen=True, slots=True)
class Address:
    """The e-mail address of an account at the identity service."""

    email: str
    verified: bool


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

    async def disable(self, uid: str, disabled: bool) -> None:
        """Let nobody sign in to the account, or let them again. Nothing happens when it is gone."""

    async def addresses(self, uids: Sequence[str]) -> dict[str, Address]:
        """The addresses of accounts by uid; those that are gone are left out."""

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


class FileOutage(Exception):
    """The store of files did not answer, or not as it should."""


class FileGone(Exception):
    """There is no file of this name in the store."""


class FileStore(Protocol):
    """Keeps files under names we choose (letters, digits, `-`, `_` and `/`). Each call may raise FileOutage."""

    async def put(self, key: str, source: Path, kind: str) -> None:
        """Keep the file at `source`, whose media type is `kind`. Once this returns, it outlives a crash."""

    async def size(self, key: str) -> int:
        """How many bytes there are under a name. Raises FileGone."""

    def read(self, key: str) -> AsyncIterator[bytes]:
        """The file, piece by piece. Raises FileGone before the first piece."""

    async def delete(self, key: str) -> None:
        """Throw a file away. Nothing happens when it is gone already."""


@dataclass(frozen=True, slots=True)
class PayoutState:
    """How an account stands with the payment provider (SPEC 3, payment-connection status)."""

    charges_enabled: bool
    payouts_enabled: bool
    details_submitted: bool
    currently_due: list[str]


@dataclass(frozen=True, slots=True)
class PaymentEvent:
    """Something the payment provider tells us of. `account` is empty for events of the platform itself."""

    id: str
    kind: str
    account: str


class PaymentsOutage(Exception):
    """The payment provider did not answer, or not in time, or wants fewer calls."""


class PaymentsRefusal(Exception):
    """The payment provider will not do this."""


class BadSignature(Exception):
    """What claims to be an event was not signed by the payment provider, or too long ago."""


class Payouts(Protocol):
    """The accounts that gurus are paid through. Calls may raise PaymentsOutage and PaymentsRefusal."""

    async def open_account(self, *, email: str, key: str) -> str:
        """Open an account and answer its id. The same `key` within a day answers the same account."""

    async def state(self, account_id: str) -> PayoutState | None:
        """How an account stands now; None when it is gone, or no longer lets us act for it."""

    async def onboarding_url(self, account_id: str, *, return_url: str, refresh_url: str) -> str:
        """A page of the provider, good once and for minutes, where its owner says who they are.

        It leads back to `return_url`, or to `refresh_url` when it was used already or is too old.
        """

    async def dashboard_url(self, account_id: str) -> str:
        """A page of the provider, good once and for minutes, where the owner sees their money."""

    def event(self, body: bytes, signature: str) -> PaymentEvent:
        """The event in a webhook's raw body, whose signature is checked. Raises BadSignature."""

    async def close(self) -> None:
        """Close the connections. Nothing can be asked afterwards."""


class EmbeddingOutage(Exception):
    """The meaning of a text could not be had now; it may be later."""


class Embedder(Protocol):
    """Reads the meaning of short texts. Slow and blocking: jobs ask it, requests never do (DESIGN 8)."""

    @property
    def name(self) -> str:
        """The model's name."""

    def vectors(self, texts: Sequence[str]) -> list[list[float]]:
        """A vector of length one for each text, in its order. Raises EmbeddingOutage."""

    def knows(self, text: str) -> bool:
        """Whether a word of `text` means anything to the model; of others it makes up something."""

    def sure_of(self, text: str) -> bool:
        """Whether it knows a word of `text` as a whole. Of words it puts together from scraps it may be far off."""
