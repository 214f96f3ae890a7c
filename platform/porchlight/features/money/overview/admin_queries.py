"""Reading staff's overview of all money: balances of the ledger by kind, and sums of what is open or recent."""

from __future__ import annotations

from datetime import timedelta
from typing import NamedTuple

from porchlight.features.money.overview.admin_schemas import MoneyOverview, WaitingMoney
from tenants.db.pool import Database
from tenants.kit import clock

RECENT = timedelta(days=30)
# Each part reads an index of only the rows that it is about.
_OVERVIEW = """
SELECT coalesce(sum(b.plus) FILTER (WHERE b.kind = 'guru_held'), 0)::bigint AS held,
       coalesce(sum(b.plus) FILTER (WHERE b.kind = 'guru_payable'), 0)::bigint AS owed,
       coalesce(sum(b.minus) FILTER (WHERE b.kind = 'guru_payable'), 0)::bigint AS debt,
       coalesce(sum(b.plus) FILTER (WHERE b.kind = 'package_balance'), 0)::bigint AS package,
       coalesce(sum(b.plus) FILTER (WHERE b.kind = 'gift_card_balance'), 0)::bigint AS gift_card,
       coalesce(sum(b.plus) FILTER (WHERE b.kind = 'customer_credit'), 0)::bigint AS credit,
       (SELECT coalesce(sum(r.amount_cents), 0)::bigint FROM refunds r
         WHERE r.created_at >= %(since)s AND r.state = 'done') AS refunded,
       (SELECT coalesce(sum(p.fee_cents), 0)::bigint FROM payments p WHERE p.paid_at >= %(since)s)
       - (SELECT coalesce(sum(r.fee_cents), 0)::bigint FROM refunds r
           WHERE r.created_at >= %(since)s AND r.state = 'done') AS fees
  FROM (SELECT kind, greatest(credits - debits, 0) AS plus, greatest(debits - credits, 0) AS minus
          FROM ledger_balances) b"""
# What is left of the guru's part of a payment.
_SHARE = (
    "amount_cents - fee_cents - (refunded_cents - fee_returned_cents) - (disputed_cents - disputed_fee_cents)"
    " - used_cents"
)
_DISPUTED = """
SELECT count(*) AS number, coalesce(sum(disputed_cents), 0)::bigint AS cents FROM payments WHERE disputed"""
_REFUNDS = (
    "SELECT count(*) AS number, coalesce(sum(amount_cents), 0)::bigint AS cents FROM refunds WHERE state = 'requested'"
)
# What a package earned has payments of its own.
_TRANSFERS = f"""
SELECT count(*) AS number, coalesce(sum(w.cents), 0)::bigint AS cents FROM (
  SELECT transferred_cents AS cents FROM payments WHERE transfer_state = 'requested'
  UNION ALL
  SELECT {_SHARE} FROM payments
   WHERE delivered_at IS NOT NULL AND transfer_state = '' AND purpose <> 'package') w"""
_STUCK = f"""
SELECT count(*) AS number, coalesce(sum({_SHARE}), 0)::bigint AS cents
  FROM payments WHERE transfer_state = 'stuck'"""


class _Sums(NamedTuple):
    held: int
    owed: int
    debt: int
    package: int
    gift_card: int
    credit: int
    refunded: int
    fees: int


class _Waiting(NamedTuple):
    number: int
    cents: int


async def overview(service_db: Database) -> MoneyOverview:
    """Return where the money is, and what moved in the last 30 days."""
    (sums,) = await service_db.read(None, _OVERVIEW, {"since": clock.now() - RECENT}, row=_Sums)
    return MoneyOverview(
        held_cents=sums.held,
        owed_cents=sums.owed,
        debt_cents=sums.debt,
        disputed=await _waiting(service_db, _DISPUTED),
        refunded_cents=sums.refunded,
        fee_cents=sums.fees,
        package_cents=sums.package,
        gift_card_cents=sums.gift_card,
        credit_cents=sums.credit,
        waiting_refunds=await _waiting(service_db, _REFUNDS),
        waiting_transfers=await _waiting(service_db, _TRANSFERS),
        stuck_transfers=await _waiting(service_db, _STUCK),
    )


async def _waiting(service_db: Database, query: str) -> WaitingMoney:
    (found,) = await service_db.read(None, query, row=_Waiting)
    return WaitingMoney(count=found.number, cents=found.cents)
