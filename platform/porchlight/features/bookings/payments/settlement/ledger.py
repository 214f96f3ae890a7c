"""The postings of payments of sessions (`money/rules.toml`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, Protocol
from uuid import UUID

from porchlight.features.bookings.disputes.parts import DisputePart
from porchlight.features.bookings.packages.sales import UsedShare
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


def post_package_sold(conn: Connection, payment_id: UUID, person_id: UUID, cents: int, charge_id: str) -> None:
    """Post a package that was paid: the money stays the person's until its sessions took place."""
    legs = [(_CARDS, ("package_balance", person_id), cents)]
    post_by_kind(conn, [KindPosting("package_sold", Subject("payment", str(payment_id)), legs, charge_id)])


def post_package_used(
    conn: Connection, payment_id: UUID, booking_id: UUID | None, person_id: UUID, owner_id: UUID, share: UsedShare
) -> None:
    """Post the share of a package's session that took place, or without a booking that of those that were left."""
    event, subject = (
        ("package_used", Subject("booking", str(booking_id)))
        if booking_id
        else ("package_expired", Subject("payment", str(payment_id)))
    )
    balance: Owner = ("package_balance", person_id)
    shares = ((("guru_payable", owner_id), share.cents - share.fee_cents), (_FEES, share.fee_cents))
    post_by_kind(conn, [KindPosting(event, subject, [(balance, owner, cents) for owner, cents in shares if cents])])


# By the purpose of a payment: the events of its refund, and of one that failed.
_REFUND_EVENTS = {
    "session": ("refunded", "refund_failed"),
    "tip": ("tip_refunded", "tip_refund_failed"),
    "package": ("package_refunded", "package_refund_failed"),
    "package_session": ("refunded", "refund_failed"),
}


class ReturnedPayment(Protocol):
    """The refund of a payment, as it is posted."""

    @property
    def id(self) -> UUID:
        """The refund's id."""

    @property
    def owner_id(self) -> UUID:
        """The owner of the guru's site."""

    @property
    def person_id(self) -> UUID:
        """The person who paid."""

    @property
    def amount_cents(self) -> int:
        """The amount."""

    @property
    def fee_cents(self) -> int:
        """The platform's part of it."""

    @property
    def after_delivery(self) -> bool:
        """Whether the guru's part comes from what they have earned."""

    @property
    def purpose(self) -> str:
        """The purpose of the payment."""


def post_refunded(conn: Connection, refund: ReturnedPayment, stripe_id: str) -> None:
    """Post a refund: from what the guru has of the payment, held or earned, or from the package, and from the fee."""
    post(conn, _REFUND_EVENTS[refund.purpose][0], _subject(refund), _refund_legs(conn, refund), stripe_object=stripe_id)


def post_refund_failed(conn: Connection, refund: ReturnedPayment, stripe_id: str) -> None:
    """Post that a refund came back: the same legs the other way around."""
    legs = [Leg(one.credit, one.debit, one.amount) for one in _refund_legs(conn, refund)]
    post(conn, _REFUND_EVENTS[refund.purpose][1], _subject(refund), legs, stripe_object=stripe_id)


def _subject(refund: ReturnedPayment) -> Subject:
    return Subject("refund", str(refund.id))


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
    person_id: UUID,
    parts: Sequence[DisputePart],
    cents: int,
) -> None:
    """Post what the bank took back, or gave back. What is more than the parts is the platform's loss."""
    cents_by_kind: dict[str, int] = {}
    for part in parts:
        cents_by_kind[part.account_kind] = cents_by_kind.get(part.account_kind, 0) + part.cents - part.fee_cents
    cents_by_kind["platform_fees"] = sum(part.fee_cents for part in parts)
    cents_by_kind["losses"] = cents - sum(part.cents for part in parts)
    owners = {"guru_held": owner_id, "guru_payable": owner_id, "package_balance": person_id}
    cards = get_or_create_account(conn, "card_network")
    legs = []
    for kind, amount in cents_by_kind.items():
        if amount:
            account = get_or_create_account(conn, kind, user_id=owners.get(kind))
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


def _refund_legs(conn: Connection, refund: ReturnedPayment) -> list[Leg]:
    cards, fees = (get_or_create_account(conn, kind) for kind in ("card_network", "platform_fees"))
    if refund.purpose == "package":
        source = get_or_create_account(conn, "package_balance", user_id=refund.person_id)
    else:
        kind = "guru_payable" if refund.after_delivery else "guru_held"
        source = get_or_create_account(conn, kind, user_id=refund.owner_id)
    shares = ((source, refund.amount_cents - refund.fee_cents), (fees, refund.fee_cents))
    return [Leg(account, cards, cents) for account, cents in shares if cents]
