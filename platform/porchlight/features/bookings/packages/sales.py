"""Packages that people buy: what they cost, and what becomes of the money: decided without a database.

The money of a package stays the person's until its sessions took place. Each session then takes its share of the price:
the platform's fee, and the rest for the guru. What the guru takes back goes back to the card, and what is left when the
package ends is the guru's.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple
from uuid import UUID

from porchlight.features.bookings.facts import GrantSnapshot, PaymentSnapshot
from porchlight.features.bookings.payments.amounts import RefundShares

PURPOSE = "package"
SESSION_PURPOSE = "package_session"  # of the payment that a session of a package took from it


@dataclass(frozen=True, slots=True)
class SoldPackage:
    """The terms of a package as it was bought. `fee_cents` is the platform's part of the whole price."""

    package_id: UUID
    service_id: UUID
    service_name: str
    guru_label: str
    guru_name: str
    person_name: str
    name: str
    sessions: int
    days: int
    fee_cents: int

    @property
    def title(self) -> str:
        """The name of the package, with what it is."""
        return f"{self.name}: {self.sessions} sessions of {self.service_name}"

    def json(self) -> dict[str, Any]:
        """Return the form in which they are stored."""
        return asdict(self) | {"package_id": str(self.package_id), "service_id": str(self.service_id)}

    @classmethod
    def of(cls, stored: Mapping[str, Any]) -> SoldPackage:
        """Return stored terms."""
        ids = {name: UUID(stored[name]) for name in ("package_id", "service_id")}
        return cls(**{**stored, **ids})


class UsedShare(NamedTuple):
    """The share that sessions take of a package's price, and the platform's fee of it, in cents."""

    cents: int
    fee_cents: int


def used_share(payment: PaymentSnapshot, fee_cents: int, *, sessions: int, settled: int, more: int) -> UsedShare:
    """Return what `more` sessions take of a package's price, of whose sessions `settled` have taken theirs before.

    `fee_cents` is the fee of the whole. Shares are differences of a running total, so that all together are the price
    to the cent. Never more than is kept: the bank may have taken a part of it back.
    """
    cents = min(_share(payment.amount_cents, sessions, settled, more), payment.kept_cents)
    return UsedShare(cents, min(_share(fee_cents, sessions, settled, more), cents))


def unused_refund(grant: GrantSnapshot, sessions: int) -> RefundShares | None:
    """Return what goes back for sessions that the guru takes back, or None for nothing.

    That is so for a gift, and for sessions whose money went back already or became the guru's when the package ended.
    """
    if grant.payment is None:
        return None
    unsettled = min(sessions, grant.granted - grant.settled)
    cents = min(_share(grant.payment.amount_cents, grant.granted, grant.settled, unsettled), grant.payment.kept_cents)
    return RefundShares(cents, 0) if cents > 0 else None


def settled_after(grant: GrantSnapshot, sessions: int) -> int:
    """Return how many sessions are settled once the money for `sessions` more of them is."""
    return min(grant.settled + sessions, grant.granted)


def _share(total: int, sessions: int, settled: int, more: int) -> int:
    """Return the part of a total that falls on `more` of its sessions, after `settled` ones."""
    until = min(settled + more, sessions)
    return total * until // sessions - total * min(settled, sessions) // sessions
