"""Helpers of the ledger's tests."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import psycopg

from porchlight.money.posting import Leg, Subject, get_or_create_account, post
from tenants.kit.ids import new_id

# Nothing is lost but time: the test server is not durable.
ASYNC_COMMIT = "-c synchronous_commit=off"
LEDGER_TABLES = (
    "ledger_kinds", "ledger_rules", "ledger_accounts", "ledger_balances", "ledger_transactions", "ledger_transfers",
    "ledger_holds", "adjustments",
)  # fmt: skip

# What is wrong in the whole ledger; each query returns no row.
CHECKS = {
    "sums are zero in each unit": "SELECT unit FROM ledger_balances GROUP BY unit HAVING sum(credits - debits) <> 0",
    "balances equal transfers": """
        SELECT b.account_id FROM ledger_balances b
          LEFT JOIN (SELECT debit_account AS account, amount AS debit, 0 AS credit FROM ledger_transfers
                     UNION ALL SELECT credit_account, 0, amount FROM ledger_transfers) t ON t.account = b.account_id
         GROUP BY b.account_id
        HAVING (b.debits, b.credits, b.seq)
               IS DISTINCT FROM (coalesce(sum(t.debit), 0), coalesce(sum(t.credit), 0), count(t.account))""",
    "running balances follow each other": """
        SELECT * FROM (
          SELECT account, seq, after, sum(change) OVER w AS expected, row_number() OVER w AS number
            FROM (SELECT debit_account AS account, debit_seq AS seq, debit_balance_after AS after, -amount AS change
                    FROM ledger_transfers
                  UNION ALL SELECT credit_account, credit_seq, credit_balance_after, amount FROM ledger_transfers) t
          WINDOW w AS (PARTITION BY account ORDER BY seq)) r WHERE after <> expected OR seq <> number""",
    "floors hold": "SELECT account_id FROM ledger_balances WHERE credits - debits - reserved < floor",
    "reserved equals open holds": """
        SELECT b.account_id FROM ledger_balances b LEFT JOIN ledger_holds h
          ON h.account_id = b.account_id AND h.state = 'held'
         GROUP BY b.account_id HAVING b.reserved <> coalesce(sum(h.amount), 0)""",
    "transactions have transfers": """
        SELECT id FROM ledger_transactions t
         WHERE NOT EXISTS (SELECT FROM ledger_transfers WHERE transaction_id = t.id)""",
}


def ledger_errors(conn: psycopg.Connection[Any]) -> dict[str, list[Any]]:
    """Return the rows that break a rule of the whole ledger, by rule."""
    found = {name: conn.execute(query.encode()).fetchall() for name, query in CHECKS.items()}
    return {name: rows for name, rows in found.items() if rows}


def new_subject(kind: str) -> Subject:
    """Return a subject of its own."""
    return Subject(kind, str(new_id()))


def earn(conn: psycopg.Connection[Any], user: UUID, cents: int) -> UUID:
    """Give a guru money on the connected account, and return that account."""
    card = get_or_create_account(conn, "card_network")
    payable = get_or_create_account(conn, "guru_payable", user_id=user)
    stripe = get_or_create_account(conn, "guru_stripe", user_id=user)
    post(conn, "test_earnings", new_subject("test"), [Leg(card, payable, cents), Leg(payable, stripe, cents)])
    return stripe
