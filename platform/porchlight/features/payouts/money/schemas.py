"""Request and response schemas of balance, payouts and schedule (SPEC 3, 7.2)."""

from __future__ import annotations

from typing import Literal

from pydantic import ConfigDict, Field

from tenants.kit.schemas import Payload, ResponseModel


class Amount(ResponseModel):
    """An amount in cents."""

    amount: int
    currency: str


class BalanceAmounts(ResponseModel):
    """The amounts available, on their way, and payable instantly, with SPEC's field names."""

    model_config = ConfigDict(alias_generator=None, extra="forbid")

    available: list[Amount]
    pending: list[Amount]
    instant_available: list[Amount]


class InstantOffer(ResponseModel):
    """An instant payout of everything, in cents. `reason`: why there is none now, in one sentence.

    `minimum`: the smallest payout. The fee is `feeBasisPoints` (1/100 of a percent) of it, at least `feeMinimum`.
    """

    eligible: bool
    reason: str | None
    gross: int
    fee: int
    net: int
    destination: str
    minimum: int
    fee_basis_points: int
    fee_minimum: int


class PayoutBalance(ResponseModel):
    """A guru's balance. `held`: cents until their sessions take place. `debt`: cents after refunds.

    `availableCents`: what is left of the available dollars when the debt is taken off, or 0; `belowZeroCents`: what is
    missing. One of both is 0.
    """

    connected: bool
    balance: BalanceAmounts
    available_cents: int
    below_zero_cents: int
    held: int
    debt: int
    instant: InstantOffer


class BalanceResponse(ResponseModel):
    """The response of GET /api/payouts/balance."""

    success: bool
    data: PayoutBalance


class InstantPayoutPayload(Payload):
    """An instant payout in cents; without an amount, everything that is available (SPEC 5).

    `totalCents`: the amount with its fee, as the guru confirmed it. Another total is refused.
    """

    amount_cents: int | None = Field(default=None, ge=-(2**53), le=2**53)
    total_cents: int | None = Field(default=None, ge=0, le=2**53)


class PayoutQuote(ResponseModel):
    """The amounts of an instant payout, in cents: `net` arrives, and `gross` leaves the balance, with the fee."""

    gross: int
    fee: int
    net: int


class PayoutQuoteResponse(ResponseModel):
    """The response of GET /api/payouts/quote."""

    success: bool
    data: PayoutQuote


class InstantPayoutResult(ResponseModel):
    """A payout that was accepted. `status` is Stripe's, or `pending` while it is not known yet."""

    amount_cents: int
    status: str


class InstantPayoutResponse(ResponseModel):
    """The response of POST /api/payouts/instant."""

    success: bool
    ok: bool
    data: InstantPayoutResult


class PayoutItem(ResponseModel):
    """A payout in the history. `failure_code`: Stripe's, or empty."""

    id: str
    amount_cents: int
    fee_cents: int
    method: Literal["standard", "instant"]
    automatic: bool
    last4: str
    state: Literal["requested", "sent", "in_transit", "paid", "failed", "canceled"]
    failure_code: str
    arrival_date: str | None
    created_at: str


class PayoutPage(ResponseModel):
    """A page of payouts, newest first."""

    items: list[PayoutItem]
    next_cursor: str | None


class PayoutsResponse(ResponseModel):
    """The response of GET /api/payouts."""

    success: bool
    data: PayoutPage


Interval = Literal["daily", "weekly", "monthly", "manual"]
Weekday = Literal["monday", "tuesday", "wednesday", "thursday", "friday"]


class Schedule(ResponseModel):
    """When available money goes to the bank. `weekday` and `day_of_month` are set for their interval only."""

    interval: Interval
    weekday: Weekday | None
    day_of_month: int | None


class ScheduleResponse(ResponseModel):
    """The response of GET and PUT /api/payouts/schedule."""

    success: bool
    data: Schedule


class SchedulePayload(Payload):
    """A new schedule."""

    interval: Interval
    weekday: Weekday | None = None
    day_of_month: int | None = Field(default=None, ge=1, le=31)
