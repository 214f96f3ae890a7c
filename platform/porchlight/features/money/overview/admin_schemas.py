"""Response schemas of staff's overview of all money. Amounts are cents of US dollars."""

from __future__ import annotations

from tenants.kit.schemas import ResponseModel


class WaitingMoney(ResponseModel):
    """Decided money that has not arrived yet: how many, and their sum."""

    count: int
    cents: int


class MoneyOverview(ResponseModel):
    """Where the money is that Porchlight keeps for others, and what moved in the last 30 days.

    `held`: for sessions that are ahead. `owed`: earned by gurus and not yet at their accounts. `debt`: what gurus owe.
    `disputed`: payments that a bank looks at. `package`, `gift_card` and `credit`: balances of customers.
    `waiting_transfers` includes what waits for a guru's account, and `stuck_transfers` what Stripe refused.
    """

    held_cents: int
    owed_cents: int
    debt_cents: int
    disputed: WaitingMoney
    refunded_cents: int
    fee_cents: int
    package_cents: int
    gift_card_cents: int
    credit_cents: int
    waiting_refunds: WaitingMoney
    waiting_transfers: WaitingMoney
    stuck_transfers: WaitingMoney


class MoneyOverviewResponse(ResponseModel):
    """Staff's overview of all money."""

    success: bool
    data: MoneyOverview
