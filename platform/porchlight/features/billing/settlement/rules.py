"""The rules of settlement for billing."""

from __future__ import annotations

from porchlight.features.billing.settlement.charges import ChargeRule, RefundRule
from porchlight.features.billing.settlement.checkouts import CheckoutRule, CustomerRule
from porchlight.features.billing.settlement.disputes import PlanDisputes
from porchlight.features.billing.settlement.invoices import InvoiceRule
from porchlight.features.billing.settlement.subscriptions import SubscriptionRule
from porchlight.features.billing.settlement.writes import WRITES
from porchlight.settlement.rules import SettlementRules


def rules() -> SettlementRules:
    """Return the rules of purchases, subscriptions and their money."""
    objects = (
        CheckoutRule(), SubscriptionRule(), InvoiceRule(), ChargeRule(), RefundRule(), CustomerRule(),
    )  # fmt: skip
    return SettlementRules(writes=WRITES, objects=objects, disputes=(PlanDisputes(),))
