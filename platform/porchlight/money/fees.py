"""The platform's fees: on a session, a share of the price by plan; on an instant payout. Both have a minimum."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from porchlight.settings.environment import Settings

BASIS_POINTS = 10_000


@dataclass(frozen=True, slots=True)
class Fees:
    """The shares by plan in basis points (1/100 of a percent), and the minimum in cents."""

    basis_points: Mapping[str, int] = field(default_factory=lambda: {"skill-sharer": 1000, "premium-angel": 700})
    minimum_cents: int = 50

    @classmethod
    def of(cls, settings: Settings) -> Fees:
        """Return the fees of the settings."""
        shares = {"skill-sharer": settings.skill_sharer_fee_bps, "premium-angel": settings.premium_angel_fee_bps}
        return cls(shares, settings.minimum_fee_cents)


def fee_cents(price: int, plan: str, fees: Fees | None = None) -> int:
    """Return the fee on a price in cents, rounded half to even once; at most the price, 0 for a price of 0.

    Raises ValueError for a negative price, and for a plan that takes no payments.
    """
    fees = fees or Fees()
    if price < 0 or plan not in fees.basis_points:
        raise ValueError(f"there is no fee on {price} cents with the plan {plan}")
    share, rest = divmod(price * fees.basis_points[plan], BASIS_POINTS)
    if 2 * rest > BASIS_POINTS or (2 * rest == BASIS_POINTS and share % 2):
        share += 1
    return min(max(share, fees.minimum_cents), price)


@dataclass(frozen=True, slots=True)
class PayoutPrice:
    """The price of an instant payout: basis points of what is paid out, and the minimum in cents.

    Stripe takes it by the platform's pricing there, which has to be the same (infra/README, Money).
    """

    basis_points: int = 150
    minimum_cents: int = 50

    @classmethod
    def of(cls, settings: Settings) -> PayoutPrice:
        """Return the price of the settings."""
        return cls(settings.instant_fee_bps, settings.instant_fee_minimum_cents)

    def fee(self, net: int) -> int:
        """Return the fee on a payout of `net` cents, rounded half up. It leaves the balance on top of the payout."""
        share = (net * self.basis_points + BASIS_POINTS // 2) // BASIS_POINTS
        return max(share, self.minimum_cents) if net > 0 else 0

    def net_of(self, gross: int) -> int:
        """Return the largest payout that leaves, with its fee, at most `gross` cents in all."""
        net = max(min(gross - self.minimum_cents, gross * BASIS_POINTS // (BASIS_POINTS + self.basis_points)) - 1, 0)
        while net + 1 + self.fee(net + 1) <= gross:
            net += 1
        return net
