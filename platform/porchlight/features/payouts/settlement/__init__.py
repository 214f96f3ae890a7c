"""The rules of settlement for payouts: connected accounts, payouts and test earnings."""

from __future__ import annotations

from collections.abc import Sequence

from porchlight.features.payouts.settlement.account import AccountRule
from porchlight.features.payouts.settlement.payout import PayoutObjectRule, PayoutWriteRule
from porchlight.features.payouts.settlement.transfer import TestEarningsRule
from porchlight.settlement.rules import SettlementRules
from tenants.db.rows import Connection

_ACCOUNTS = "SELECT account_id FROM payout_accounts WHERE connected ORDER BY account_id"


def _connected_accounts(conn: Connection) -> Sequence[str]:
    return [account for (account,) in conn.execute(_ACCOUNTS)]


def rules() -> SettlementRules:
    """Return the rules of payouts."""
    return SettlementRules(
        writes=(PayoutWriteRule(),),
        objects=(AccountRule(), PayoutObjectRule(), TestEarningsRule()),
        accounts=_connected_accounts,
    )
