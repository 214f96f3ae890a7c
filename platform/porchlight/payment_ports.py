"""Ports to the payment provider: protocols, and what calls return. `adapters.py` chooses the implementations."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, Protocol
from uuid import UUID


@dataclass(frozen=True, slots=True)
class PayoutState:
    """The status of an account at the payment provider (SPEC 3, payment-connection status).

    `destinations`: the bank accounts and cards to which it is paid: `ba_1/bank account ending in 6789`.
    """

    charges_enabled: bool
    payouts_enabled: bool
    details_submitted: bool
    currently_due: list[str]
    destinations: list[str]

    @classmethod
    def of(cls, account: Mapping[str, Any]) -> PayoutState:
        """Return the status of the provider's account object."""
        destinations = (account.get("external_accounts") or {}).get("data") or []
        return cls(
            charges_enabled=bool(account.get("charges_enabled")),
            payouts_enabled=bool(account.get("payouts_enabled")),
            details_submitted=bool(account.get("details_submitted")),
            currently_due=sorted((account.get("requirements") or {}).get("currently_due") or []),
            destinations=sorted(
                f"{found['id']}/{found.get('brand') or 'bank account'} ending in {found.get('last4') or ''}"
                for found in destinations
            ),
        )


class PaymentsOutage(Exception):
    """The payment provider did not respond, not in time, or with a rate limit."""


class PaymentsRefusal(Exception):
    """The payment provider rejected the request."""


class BadSignature(Exception):
    """The signature of an event is invalid or too old."""


class Payouts(Protocol):
    """Gurus' accounts at the payment provider. Calls may raise PaymentsOutage and PaymentsRefusal."""

    async def open_account(self, *, email: str, key: str) -> str:
        """Create an account and return its id. The same `key` within a day returns the same account."""

    async def state(self, account_id: str) -> PayoutState | None:
        """Return the status of an account, or None if it was deleted or its owner revoked our access."""

    async def onboarding_url(self, account_id: str, *, return_url: str, refresh_url: str) -> str:
        """Return a single-use URL, valid for minutes, of the provider's onboarding form.

        The form redirects to `return_url`, or to `refresh_url` if the URL was used already or has expired.
        """

    async def dashboard_url(self, account_id: str) -> str:
        """Return a single-use URL, valid for minutes, of the owner's dashboard at the provider."""

    async def close(self) -> None:
        """Close the connections. No call is possible afterwards."""


@dataclass(frozen=True, slots=True)
class ProviderEvent:
    """A signed webhook event. `account` is empty for events of the platform itself.

    `endpoint` is the one whose secret signed it. `object_id` and `object_kind` are those of the object in the event.
    """

    id: str
    kind: str
    account: str
    endpoint: Literal["platform", "connect"]
    livemode: bool
    created: datetime
    object_id: str
    object_kind: str
    body: bytes


@dataclass(frozen=True, slots=True)
class Write:
    """A change at the payment provider, as the outbox stores it. Every attempt to send it is the same request.

    `account` is the connected account that it acts on, empty for the platform. `object_id` is the provider's object,
    empty until it is known.
    """

    id: UUID
    kind: str
    subject_id: UUID
    attempt: int
    account: str
    method: str
    path: str
    params: Mapping[str, Any]
    api_version: str
    object_id: str = ""


@dataclass(frozen=True, slots=True)
class Sent:
    """The provider accepted a write and returned this object."""

    object: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Later:
    """The provider did not take the write now; the same request may succeed later."""

    reason: str


@dataclass(frozen=True, slots=True)
class Refusal:
    """The provider refused the write and will refuse the same request again."""

    code: str
    message: str


@dataclass(frozen=True, slots=True)
class Unclear:
    """Whether the provider accepted the write is unknown. With `lookup`, repeating the request cannot tell."""

    reason: str
    lookup: bool = False


class StripeApi(Protocol):
    """Writes, reads and events of the payment provider. Reads may raise PaymentsOutage and PaymentsRefusal."""

    @property
    def livemode(self) -> bool:
        """Return whether the key moves real money."""

    @property
    def api_version(self) -> str:
        """Return the version of the API that new writes use."""

    async def send(self, write: Write) -> Sent | Later | Refusal | Unclear:
        """Send a write with the key of its row. Never raises for anything that the provider or the network does."""

    async def fetch(
        self, path: str, account: str = "", params: Mapping[str, Any] | None = None
    ) -> Mapping[str, Any] | None:
        """Return an object, or None if it does not exist."""

    async def post_unrecorded(self, path: str, params: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return what a POST answers that needs no outbox: a short-lived page, a preview, or what a name finds."""

    def list_all(
        self, path: str, params: Mapping[str, Any] | None = None, account: str = ""
    ) -> AsyncIterator[Mapping[str, Any]]:
        """Yield every object of a list, newest first."""

    def event(self, body: bytes, signature: str) -> ProviderEvent:
        """Return the event in the raw body of a webhook. Raises BadSignature."""

    async def close(self) -> None:
        """Close the connections. No call is possible afterwards."""
