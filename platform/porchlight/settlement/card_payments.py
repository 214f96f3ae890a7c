"""Whether a guru can take payments by card, and what the platform keeps of them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from uuid import UUID

from porchlight.money.fees import Fees
from porchlight.plans.errors import limit_error
from porchlight.plans.limits import PlanFeature, allowance
from porchlight.plans.plans import PlanSlug
from porchlight.settings.environment import Settings
from tenants.db.pool import Database
from tenants.kit.errors import ValidationFailed

_PLAN = "SELECT app.tenant_plan(false)"
_IS_CONNECTED = """
SELECT EXISTS (SELECT FROM payout_accounts
                WHERE user_id = app.user_id() AND connected AND details_submitted AND payouts_enabled)"""
MIN_PRICE_CENTS = 500  # the least that a card is charged: below it, Stripe's price would be a large part of it
NOT_SET_UP = "Payments are not set up on this site yet."
NOT_CONNECTED = "Connect your payout account first, so that the money can reach you."
TOO_CHEAP = "Cards take prices from $5.00. Raise the price, or let people pay in person."


class CardState(StrEnum):
    """Whether a guru can take cards: `ready`, or what is missing."""

    READY = "ready"
    NOT_SET_UP = "not_set_up"
    PLAN_REQUIRED = "plan_required"
    NOT_CONNECTED = "not_connected"


@dataclass(frozen=True, slots=True)
class CardPayments:
    """A guru's payments by card. `fee_bps` (1/100 of a percent) and `fee_minimum_cents`: what the platform keeps.

    Without a plan that takes cards, they are those of the cheapest plan that does.
    """

    state: CardState
    plan: PlanSlug
    fee_bps: int
    fee_minimum_cents: int


async def card_payments(
    db: Database, settings: Settings, tenant_id: UUID, owner_id: UUID | None, *, is_set_up: bool
) -> CardPayments:
    """Return what a guru's owner can take by card. `owner_id` is None for staff, who do not see their account."""
    fees = Fees.of(settings)
    plan = PlanSlug(await db.read_value(str, tenant_id, _PLAN) or PlanSlug.COMMUNITY)
    connected = owner_id is not None and await db.read_value(bool, None, _IS_CONNECTED, user_id=owner_id)
    if not is_set_up:
        state = CardState.NOT_SET_UP
    elif not allowance(plan, PlanFeature.CARD_PAYMENTS):
        state = CardState.PLAN_REQUIRED
    else:
        state = CardState.READY if connected else CardState.NOT_CONNECTED
    share = fees.basis_points.get(plan, fees.basis_points[PlanSlug.SKILL_SHARER])
    return CardPayments(state, plan, share, fees.minimum_cents)


def require_ready(cards: CardPayments, *, field: str = "payment") -> None:
    """Raise PlanRequired, or ValidationFailed for a field, unless a guru can take cards."""
    if cards.state is CardState.PLAN_REQUIRED:
        raise limit_error(cards.plan, PlanFeature.CARD_PAYMENTS, 0)
    if cards.state is not CardState.READY:
        message = NOT_SET_UP if cards.state is CardState.NOT_SET_UP else NOT_CONNECTED
        raise ValidationFailed(fields={field: message})
