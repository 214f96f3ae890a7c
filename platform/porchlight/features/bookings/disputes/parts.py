"""The parts that a dispute takes back of payments that were made together: computed without a database."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from porchlight.features.bookings.facts import PaymentSnapshot
from porchlight.features.bookings.payments.amounts import refund_shares


@dataclass(frozen=True, slots=True)
class DisputePart:
    """An amount that the bank took back of a payment. `fee_cents` of it is the platform's, the rest the guru's.

    `is_earned`: the guru's part comes from what they have earned, otherwise from what is held. `is_package`: it comes
    from a package whose sessions have not taken place.
    """

    payment_id: UUID
    cents: int
    fee_cents: int
    is_earned: bool
    is_package: bool = False

    @property
    def account_kind(self) -> str:
        """The kind of the ledger's account that has the part without the fee."""
        if self.is_package:
            return "package_balance"
        return "guru_payable" if self.is_earned else "guru_held"

    def json(self) -> dict[str, Any]:
        """Return the form in which it is stored."""
        return {
            "payment": str(self.payment_id),
            "cents": self.cents,
            "fee_cents": self.fee_cents,
            "is_earned": self.is_earned,
            "is_package": self.is_package,
        }

    @classmethod
    def of(cls, stored: Mapping[str, Any]) -> DisputePart:
        """Return a stored part."""
        of_package = stored.get("is_package", False)
        return cls(UUID(stored["payment"]), stored["cents"], stored["fee_cents"], stored["is_earned"], of_package)


def split(amount_cents: int, payments: Sequence[PaymentSnapshot]) -> list[DisputePart]:
    """Return the parts of an amount: in the order of the payments, from each as much as is left of it.

    Together they are less than the amount if the bank takes back what was returned already: the platform's loss.
    """
    parts = []
    rest = amount_cents
    for payment in payments:
        cents = min(rest, payment.kept_cents)
        if cents > 0:
            shares = refund_shares(payment, cents)
            is_package = payment.purpose == "package"
            parts.append(DisputePart(payment.id, cents, shares.fee_cents, payment.is_delivered, is_package))
            rest -= cents
    return parts
