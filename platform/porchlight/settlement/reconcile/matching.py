"""Differences between the imported lines, Stripe's balances and the ledger.

A posting belongs to the lines of its `stripe_object`: per Stripe account, the sum of an object's lines equals what its
postings moved there. The platform's Stripe balance is all money of the ledger that is neither outside (external
accounts) nor on a connected account; a connected account's balance is its guru_stripe (MONEY 2).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from uuid import UUID

from tenants.db.rows import Connection, fetch_all, fetch_value
from tenants.kit.ids import new_id

# An event and its line reach us at different times.
GRACE = timedelta(hours=2)
STUCK_AFTER = timedelta(hours=26)  # an hour after a write without a trace is absent

_OBJECTS = """
WITH touched AS MATERIALIZED (
  SELECT object_id FROM stripe_balance_lines WHERE created >= %(since)s AND created < %(until)s
  UNION SELECT stripe_object FROM ledger_transactions WHERE at >= %(since)s AND at < %(until)s),
lines AS (
  SELECT l.account, l.object_id, sum(l.net) AS net, max(l.created) AS at
    FROM stripe_balance_lines l JOIN touched USING (object_id)
   WHERE l.account = '' OR l.type = ANY (%(known)s) GROUP BY l.account, l.object_id),
sides AS MATERIALIZED (
  SELECT t.stripe_object, t.at, t.id, t.event, s.account_id, s.kind, s.cents
    FROM ledger_transactions t JOIN touched ON touched.object_id = t.stripe_object
    JOIN ledger_transfers x ON x.transaction_id = t.id AND x.unit = 'usd'
   CROSS JOIN LATERAL (VALUES (x.debit_account, x.debit_kind, -x.amount),
                              (x.credit_account, x.credit_kind, x.amount)) s (account_id, kind, cents)),
moves AS (
  SELECT '' AS account, s.stripe_object AS object_id, sum(s.cents) AS net, max(s.at) AS at, min(s.id::text) AS id,
         bool_and(s.event LIKE 'processing_fee%%') AS only_fees
    FROM sides s JOIN ledger_kinds k ON k.kind = s.kind AND k.holder <> 'external' AND k.kind <> 'guru_stripe'
   GROUP BY s.stripe_object
  UNION ALL
  SELECT coalesce(p.account_id, '?'), s.stripe_object, sum(s.cents), max(s.at), min(s.id::text), false
    FROM sides s JOIN ledger_accounts a ON a.id = s.account_id LEFT JOIN payout_accounts p ON p.user_id = a.user_id
   WHERE s.kind = 'guru_stripe' GROUP BY 1, 2)
SELECT CASE WHEN m.object_id IS NULL OR m.only_fees THEN 'missing_here'
            WHEN l.object_id IS NULL THEN 'missing_at_stripe' ELSE 'amount_differs' END AS kind,
       account, object_id AS stripe_id, m.id::uuid AS transaction_id, coalesce(l.net, 0) - coalesce(m.net, 0) AS cents
  FROM lines l FULL JOIN moves m USING (account, object_id)
 WHERE coalesce(l.net, 0) <> coalesce(m.net, 0) AND greatest(l.at, m.at) < %(settled)s
 ORDER BY 1, 2, 3"""
_UNKNOWN = """
SELECT 'unknown_line' AS kind, account, id AS stripe_id, NULL::uuid AS transaction_id, net AS cents
  FROM stripe_balance_lines
 WHERE created >= %(since)s AND created < %(until)s AND type <> ALL (%(known)s) ORDER BY 2, 3"""
_STUCK = """
SELECT 'stuck_outbox' AS kind, account, id::text AS stripe_id, NULL::uuid AS transaction_id, 0 AS cents
  FROM stripe_outbox
 WHERE state IN ('ready', 'sent', 'unknown') AND coalesce(first_sent_at, created_at) < %(stuck)s ORDER BY 3"""
# The ledger itself: the sums of accounts and holds beside the transfers.
_INTERNAL = """
SELECT 'balance_differs' AS kind, '' AS account, b.account_id::text AS stripe_id, NULL::uuid AS transaction_id,
       b.credits - b.debits - coalesce(t.cents, 0) AS cents
  FROM ledger_balances b LEFT JOIN (
    SELECT account_id, sum(cents) AS cents FROM (
      SELECT debit_account AS account_id, -amount AS cents FROM ledger_transfers
      UNION ALL SELECT credit_account, amount FROM ledger_transfers) s GROUP BY account_id) t USING (account_id)
 WHERE b.credits - b.debits <> coalesce(t.cents, 0)
UNION ALL
SELECT 'balance_differs', '', 'holds of ' || b.account_id, NULL, b.reserved - coalesce(sum(h.amount), 0)
  FROM ledger_balances b LEFT JOIN ledger_holds h ON h.account_id = b.account_id AND h.state = 'held'
 GROUP BY b.account_id HAVING b.reserved <> coalesce(sum(h.amount), 0) ORDER BY 3"""
_TOTAL = "SELECT coalesce(sum(net), 0)::bigint FROM stripe_balance_lines WHERE account = %s"

_SAVE = """
INSERT INTO findings (id, kind, account, stripe_id, transaction_id, cents) VALUES (%s, %s, %s, %s, %s, %s)
ON CONFLICT (kind, account, stripe_id) DO UPDATE SET
  state = CASE WHEN findings.state = 'explained' AND findings.cents = excluded.cents THEN 'explained' ELSE 'open' END,
  cents = excluded.cents, transaction_id = excluded.transaction_id, seen_at = app.now()"""
_CLOSE = """
UPDATE findings f SET state = 'gone' WHERE f.state = 'open' AND f.seen_at < app.now()
   AND (f.kind IN ('balance_differs', 'stuck_outbox')
     OR EXISTS (SELECT FROM stripe_balance_lines l WHERE (l.account, l.object_id) = (f.account, f.stripe_id)
                   AND l.created >= %(since)s)
     OR EXISTS (SELECT FROM stripe_balance_lines l WHERE (l.account, l.id) = (f.account, f.stripe_id)
                   AND l.created >= %(since)s)
     OR EXISTS (SELECT FROM ledger_transactions t WHERE t.stripe_object = f.stripe_id AND t.at >= %(since)s))"""
# Without failed refunds and transfers, about which the books agree with Stripe.
_OPEN = """
SELECT kind, account, stripe_id, transaction_id, cents FROM findings
 WHERE state = 'open' AND kind NOT IN ('failed_refund', 'stuck_transfer') ORDER BY 1, 2, 3"""


@dataclass(frozen=True, slots=True)
class Difference:
    """One finding. `cents`: Stripe's amount less ours. `account` is empty for the platform."""

    kind: str
    account: str
    stripe_id: str
    transaction_id: UUID | None
    cents: int


def differences(
    conn: Connection, balances: Mapping[str, int], known_types: Iterable[str], *, since: datetime, until: datetime
) -> list[Difference]:
    """Return what differs among the objects with a line or a posting in a time, and in the balances.

    `balances`: Stripe's balance by account, available and pending, in cents, fetched after the lines.
    """
    values = {"since": since, "until": until, "settled": until - GRACE, "stuck": until - STUCK_AFTER}
    values_known = values | {"known": list(known_types)}
    found = [
        difference
        for query in (_OBJECTS, _UNKNOWN, _STUCK, _INTERNAL)
        for difference in fetch_all(conn, Difference, query, values_known)
    ]
    # Each object's lines equal its postings, so a balance equals the ledger's if it equals the sum of its lines.
    return found + [
        Difference("balance_differs", account, "balance", None, cents - total)
        for account, cents in sorted(balances.items())
        if cents != (total := line_total(conn, account))
    ]


def line_total(conn: Connection, account: str) -> int:
    """Return the sum of an account's imported lines in cents: its balance, as far as we know."""
    return int(fetch_value(conn, Decimal, _TOTAL, [account]) or 0)


def save_findings(conn: Connection, found: Iterable[Difference], *, since: datetime) -> list[Difference]:
    """Store findings, close those that are gone, and return the open ones. Explained ones stay explained."""
    rows = [[new_id(), one.kind, one.account, one.stripe_id, one.transaction_id, one.cents] for one in found]
    with conn.cursor() as cursor:
        cursor.executemany(_SAVE, rows)
    conn.execute(_CLOSE, {"since": since})
    return fetch_all(conn, Difference, _OPEN)
