"""The rules of settlement for paid sessions."""

from __future__ import annotations

from porchlight.features.bookings.payments.settlement.cards import EndCustomer, ReleaseCard, SendCharge
from porchlight.features.bookings.payments.settlement.checkouts import CloseCheckout, OpenCheckout, SessionCheckoutRule
from porchlight.features.bookings.payments.settlement.disputes import SendAnswer, SessionDisputes
from porchlight.features.bookings.payments.settlement.refunds import SendRefund, SessionRefundRule
from porchlight.features.bookings.payments.settlement.transfers import SendTransfer
from porchlight.settlement.rules import SettlementRules


def rules() -> SettlementRules:
    """Return the rules of the payments of sessions."""
    return SettlementRules(
        writes=(
            OpenCheckout(),
            CloseCheckout(),
            SendCharge(),
            ReleaseCard(),
            EndCustomer(),
            SendRefund(),
            SendTransfer(),
            SendAnswer(),
        ),
        objects=(SessionCheckoutRule(), SessionRefundRule()),
        disputes=(SessionDisputes(),),
    )
