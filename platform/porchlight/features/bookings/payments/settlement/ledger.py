"""The postings of payments of sessions (`money/rules.toml`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, Protocol
from uuid import UUID

from porchlight.features.bookings.disputes.parts import DisputePart
from porchlight.money.posting import KindPosting, Leg, Owner, Subject, get_or_create_account, post, post_by_kind
from tenants.db.rows import Connection

_CARDS: Owner = ("card_network", None)
_FEES: Owner = ("platform_fees", None)


class PaidPart(Protocol):
    """A payment of several that were paid together, all to one guru."""

    @property
    def id(self) -> UUID:
        """The payment's id."""

    @property
    def owner_id(self) -> UUID:
        """The owner of the guru's site."""

    @property
    def amount_cents(self) -> int:
        """The amount."""

    @property
    def fee_cents(self) -> int:
        """The platform's part of it."""


def post_paid(conn: Connection, payments: Sequence[PaidPart], charge_id: str) -> None:
    """Post what was paid together: the platform's fees, and the rest for the guru, held until each session is over."""
    post_by_kind(
        conn,
        [
            KindPosting(
                "paid",
                Subject("payment", str(one.id)),
                [
                    (_CARDS, owner, cents)
                    for owner, cents in (
                        (("guru_held", one.owner_id), one.amount_cents - one.fee_cents),
                        (_FEES, one.fee_cents),
                    )
                    if cents
                ],
                charge_id,
            )
            for one in payments
        ],
    )


def post_tip_paid(conn: Connection, payment_id: UUID, owner_id: UUID, cents: int, charge_id: str) -> None:
    """Post a tip, which is the guru's at once and as a whole."""
    legs = [(_CARDS, ("guru_payable", owner_id), cents)]
    post_by_kind(conn, [KindPosting("tip_paid", Subject("payment", str(payment_id)), legs, charge_id)])


# By the purpose of a payment: the events of its refund, and of one that failed.
_REFUND_EVENTS = {
    "session": ("refunded", "refund_failed"),
    "tip": ("tip_refunded", "tip_refund_failed"),
}


def post_refunded(
    conn: Connection, refund_id: UUID, owner_id: UUID, *, cents: int, fee: int, after_delivery: bool, stripe_id: str,
    purpose: str = "session",
) -> None:  # fmt: skip
    """Post a refund from what the guru has of the payment, held or earned, and from the platform's fee."""
    legs = _refund_legs(conn, owner_id, cents, fee, after_delivery=after_delivery)
    post(conn, _REFUND_EVENTS[purpose][0], Subject("refund", str(refund_id)), legs, stripe_object=stripe_id)


def post_refund_failed(
    conn: Connection, refund_id: UUID, owner_id: UUID, *, cents: int, fee: int, after_delivery: bool, stripe_id: str,
    purpose: str = "session",
) -> None:  # fmt: skip
    """Post that a refund came back: the same legs the other way around."""
    legs = [
        Leg(one.credit, one.debit, one.amount)
        for one in _refund_legs(conn, owner_id, cents, fee, after_delivery=after_delivery)
    ]
    post(conn, _REFUND_EVENTS[purpose][1], Subject("refund", str(refund_id)), legs, stripe_object=stripe_id)


def post_delivered(conn: Connection, booking_id: UUID, owner_id: UUID, cents: int) -> None:
    """Post that what was held for a session is the guru's."""
    held, payable = (get_or_create_account(conn, kind, user_id=owner_id) for kind in ("guru_held", "guru_payable"))
    post(conn, "delivered", Subject("booking", str(booking_id)), [Leg(held, payable, cents)])


def post_transferred(conn: Connection, transfer_id: str, owner_id: UUID, cents: int) -> None:
    """Post that earned money reached the guru's account at Stripe."""
    payable, stripe = (get_or_create_account(conn, kind, user_id=owner_id) for kind in ("guru_payable", "guru_stripe"))
    leg = Leg(payable, stripe, cents)
    post(conn, "transferred", Subject("transfer", transfer_id), [leg], stripe_object=transfer_id)


def post_dispute(
    conn: Connection,
    event: Literal["dispute_opened", "dispute_won"],
    dispute_id: str,
    owner_id: UUID,
    parts: Sequence[DisputePart],
    cents: int,
) -> None:
    """Post what the bank took back, or gave back. What is more than the parts is the platform's loss."""
    cents_by_kind = {
        "guru_held": sum(part.cents - part.fee_cents for part in parts if not part.is_earned),
        "guru_payable": sum(part.cents - part.fee_cents for part in parts if part.is_earned),
        "platform_fees": sum(part.fee_cents for part in parts),
        "losses": cents - sum(part.cents for part in parts),
    }
    cards = get_or_create_account(conn, "card_network")
    legs = []
    for kind, amount in cents_by_kind.items():
        if amount:
            account = get_or_create_account(conn, kind, user_id=owner_id if kind.startswith("guru_") else None)
            pair = (account, cards) if event == "dispute_opened" else (cards, account)
            legs.append(Leg(*pair, amount))
    post(conn, event, Subject("dispute", dispute_id), legs, stripe_object=dispute_id)


def post_dispute_fee(
    conn: Connection, event: Literal["dispute_fee", "dispute_fee_returned"], dispute_id: str, cents: int
) -> None:
    """Post the bank's fee for a dispute, or its return."""
    if cents:
        losses, processor = (get_or_create_account(conn, kind) for kind in ("losses", "processor_fees"))
        pair = (losses, processor) if event == "dispute_fee" else (processor, losses)
        post(conn, event, Subject("dispute", dispute_id), [Leg(*pair, cents)], stripe_object=dispute_id)


def _refund_legs(conn: Connection, owner_id: UUID, cents: int, fee: int, *, after_delivery: bool) -> list[Leg]:
    cards = get_or_create_account(conn, "card_network")
    guru = get_or_create_account(conn, "guru_payable" if after_delivery else "guru_held", user_id=owner_id)
    fees = get_or_create_account(conn, "platform_fees")
    return [Leg(account, cards, amount) for account, amount in ((guru, cents - fee), (fees, fee)) if amount]
