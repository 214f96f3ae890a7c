"""The rules of settlement for paid sessions."""

from __future__ import annotations

from porchlight.features.bookings.payments.settlement.checkouts import CheckoutRule, CloseCheckout, OpenCheckout
from porchlight.features.bookings.payments.settlement.refunds import RefundRule, SendRefund
from porchlight.features.bookings.payments.settlement.transfers import SendTransfer
from porchlight.settlement.rules import SettlementRules


def rules() -> SettlementRules:
    """Return the rules of the payments of sessions."""
    return SettlementRules(
        writes=(OpenCheckout(), CloseCheckout(), SendRefund(), SendTransfer()), objects=(CheckoutRule(), RefundRule())
    )
