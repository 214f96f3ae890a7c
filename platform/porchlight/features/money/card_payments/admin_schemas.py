"""Response schemas of all payments by card, for staff. Amounts are cents of US dollars."""

from __future__ import annotations

from typing import Literal

from tenants.kit.schemas import ResponseModel

CardPaymentState = Literal[
    "open", "kept", "unpaid", "ended", "paid", "partly_refunded", "refunded", "disputed", "stuck"
]
CardPaymentFilter = Literal["paid", "open", "refunded", "disputed", "stuck"]
StepKind = Literal["began", "paid", "refund", "delivered", "transferred", "disputed"]


class CardPaymentRow(ResponseModel):
    """A payment by card. `person` is the email address of who paid, empty for a deleted account.

    `kept`: only the card is kept, and nothing is charged. `unpaid`: the bank did not pay what a kept card was charged.
    `stuck`: a transfer or a refund of it did not arrive, and staff have to look.
    """

    id: str
    booking_id: str | None
    state: CardPaymentState
    person: str
    guru_label: str
    service_name: str
    amount_cents: int
    refunded_cents: int
    fee_cents: int
    created_at: str


class CardPaymentPage(ResponseModel):
    """A page of payments, the newest first."""

    items: list[CardPaymentRow]
    next_cursor: str | None


class CardPaymentsPageResponse(ResponseModel):
    """A page of payments."""

    success: bool
    data: CardPaymentPage


class PaymentStep(ResponseModel):
    """Something that happened to a payment. `note` is its state or why, empty without one."""

    kind: StepKind
    at: str
    cents: int
    note: str


class PostedLeg(ResponseModel):
    """An amount that moved from the account of one kind to that of another."""

    debit: str
    credit: str
    cents: int


class PaymentPosting(ResponseModel):
    """A transaction of the ledger about a payment."""

    id: str
    event: str
    at: str
    legs: list[PostedLeg]


class StripeLink(ResponseModel):
    """An object at Stripe, with its page in Stripe's dashboard; `url` is empty where it has none."""

    id: str
    url: str


class CardPaymentDetails(ResponseModel):
    """All about a payment. What the person paid is split into what went back, the fee that was kept, and the share.

    `group_id`: payments with the same one were paid together. `transferred_cents` of the share went to the guru.
    `refundable_cents`: what staff can return now.
    """

    payment: CardPaymentRow
    group_id: str
    card: str
    fee_kept_cents: int
    share_cents: int
    transferred_cents: int
    refundable_cents: int
    error_code: str
    steps: list[PaymentStep]
    postings: list[PaymentPosting]
    stripe: list[StripeLink]


class CardPaymentDetailsResponse(ResponseModel):
    """All about a payment."""

    success: bool
    data: CardPaymentDetails
