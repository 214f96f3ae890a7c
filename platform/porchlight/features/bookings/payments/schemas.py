"""Response bodies of orders: what a person paid by card. Amounts are cents, times are UTC."""

from __future__ import annotations

from typing import Literal

from tenants.kit.schemas import ResponseModel


class OrderRefundData(ResponseModel):
    """Money that goes back to the card. One that is `requested` takes a few days."""

    amount_cents: int
    reason: Literal[
        "canceled", "guru_canceled", "declined", "not_answered", "missed", "seat_lost", "goodwill", "attended",
        "taken_back", "support",
    ]  # fmt: skip
    state: Literal["requested", "done", "failed"]
    created_at: str


class OrderData(ResponseModel):
    """A payment that arrived, or what a kept card is charged (`charging`), or was not (`unpaid`).

    `booking_id` is of the session, null once it is gone with its guru's site, and for a package: what the person has of
    it is `grant_id`. `mode`: the price, a part of it, of which
    `rest_cents` are paid at the session, or what was owed: the session was canceled late or missed (`reason`).

    `disputed` while the person's bank decides on it, and `bank_returned_cents` what it then returned by itself.
    `can_tip`: the session took place, at most 30 days ago.
    """

    id: str
    purpose: Literal["session", "tip", "package"]
    booking_id: str | None
    grant_id: str | None
    guru_label: str
    guru_name: str
    service_name: str
    mode: Literal["full", "deposit", "hold"]
    state: Literal["paid", "charging", "unpaid"]
    reason: Literal["", "canceled", "missed"]
    rest_cents: int
    amount_cents: int
    refunded_cents: int
    currency: str
    card: str
    paid_at: str
    disputed: bool
    bank_returned_cents: int
    can_tip: bool
    refunds: list[OrderRefundData]


class OrdersData(ResponseModel):
    """One page of orders, the latest first."""

    orders: list[OrderData]
    next_cursor: str | None


class OrdersResponse(ResponseModel):
    """One page of orders."""

    success: bool
    data: OrdersData


class CardPaymentsData(ResponseModel):
    """Whether the guru can take cards: `ready`, or what is missing. Amounts are cents.

    The platform keeps `fee_bps` (1/100 of a percent) of a price, at least `fee_minimum_cents`. `minimum_cents` is the
    least that a card is charged.
    """

    state: Literal["ready", "not_set_up", "plan_required", "not_connected"]
    fee_bps: int
    fee_minimum_cents: int
    minimum_cents: int


class CardPaymentsResponse(ResponseModel):
    """The guru's payments by card."""

    success: bool
    data: CardPaymentsData
