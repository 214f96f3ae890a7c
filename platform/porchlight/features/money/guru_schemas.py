"""Response schemas of a guru's money: the statement and the fee."""

from __future__ import annotations

from typing import Literal

from porchlight.plans.plans import PlanSlug
from tenants.kit.schemas import ResponseModel

# The money that waits for its sessions, what is earned and not yet at Stripe, and the balance of the Stripe account.
StatementAccount = Literal["held", "earned", "stripe"]


class StatementLine(ResponseModel):
    """A line of the statement. Amounts in cents; `amount` is negative for money that left the account.

    `number` counts the lines of the account from 1. `reference`: what the event happened to, such as "payout 0193…".
    """

    number: int
    at: str
    event: str
    description: str
    reference: str
    amount: int
    balance_after: int


class StatementPage(ResponseModel):
    """A page of at most 50 lines, the newest first."""

    items: list[StatementLine]
    next_cursor: str | None


class StatementResponse(ResponseModel):
    """A page of the statement."""

    success: bool
    data: StatementPage


class GuruFee(ResponseModel):
    """The platform's fee on a session: basis points (1/100 of a percent) of the price, at least `minimumCents`.

    `keptCents`: the fee on the price that was asked about, and `netCents` what the guru gets of it.
    `plan` is the guru's, or the cheapest one that takes payments when theirs does not (`takesPayments` is false).
    """

    plan: PlanSlug
    plan_name: str
    takes_payments: bool
    basis_points: int
    minimum_cents: int
    kept_cents: int
    net_cents: int


class GuruFeeResponse(ResponseModel):
    """The platform's fee."""

    success: bool
    data: GuruFee
