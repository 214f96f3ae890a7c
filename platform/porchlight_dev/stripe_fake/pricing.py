"""The price of an instant payout.

Facts from the SDK's generated classes and https://docs.stripe.com/connect/instant-payouts#monetization-and-fees:
- The platform sets a price for its connected accounts (platform pricing tools); `POST /v1/payouts` has no parameter
  for it.
- The fee appears on the payout as `application_fee_amount` and `application_fee` (an ApplicationFee whose `fee_source`
  is `{type: payout, payout: po_...}`), and in `fee_details` (type `application_fee`) of the payout's balance
  transaction, whose `net` is the amount plus the fee. The platform receives a balance transaction of type
  `application_fee`.
- `balance.instant_available[].net_available[]` (only when expanded) holds, for each external account that can receive
  instant payouts, the amount "subtracting fees from platform-set pricing".
- Stripe bills its own price to the platform (`fees_collector: application`,
  https://docs.stripe.com/connect/direct-charges-fee-payer-behavior): here a `stripe_fee` transaction for each payout.
- Funds from card payments can be paid out instantly before they are available. The advance shows as `advance` and
  `advance_funding` transactions, which cancel each other out.
The amounts (1.5 percent and at least 50 cents for the platform, 1 percent and at least 50 cents for Stripe) are
settings of the control API.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from porchlight_dev.stripe_fake.context import Context

DEFAULTS = {
    "instant_bps": 150,
    "instant_minimum": 50,
    "stripe_bps": 100,
    "stripe_minimum": 50,
    "instant_daily_limit": 0,  # cents a day for the whole platform; 0 is no limit
}
BASIS_POINTS = 10_000


def get(ctx: Context, name: str) -> int:
    """Return a price in basis points or cents."""
    return int(ctx.store.setting(name, str(DEFAULTS[name])))


def change(ctx: Context, values: Mapping[str, Any]) -> dict[str, int]:
    """Change prices; return all."""
    for name in DEFAULTS.keys() & values.keys():
        ctx.store.put_setting(name, str(int(values[name])))
    return {name: get(ctx, name) for name in DEFAULTS}


def _fee(amount: int, bps: int, minimum: int) -> int:
    return max(minimum, (amount * bps + BASIS_POINTS // 2) // BASIS_POINTS) if bps or minimum else 0


def platform_fee(ctx: Context, amount: int) -> int:
    """Return what the platform charges for an instant payout of `amount` cents."""
    return _fee(amount, get(ctx, "instant_bps"), get(ctx, "instant_minimum"))


def stripe_fee(ctx: Context, amount: int) -> int:
    """Return what Stripe charges the platform for it."""
    return _fee(amount, get(ctx, "stripe_bps"), get(ctx, "stripe_minimum"))


def net_of(ctx: Context, gross: int) -> int:
    """Return the largest amount that can be paid out of `gross` cents, its fee included."""
    bps, minimum = get(ctx, "instant_bps"), get(ctx, "instant_minimum")
    net = max(0, min(gross - minimum, gross * BASIS_POINTS // (BASIS_POINTS + bps)))
    while net and net + platform_fee(ctx, net) > gross:
        net -= 1
    while net and net + 1 + platform_fee(ctx, net + 1) <= gross:
        net += 1
    return net
