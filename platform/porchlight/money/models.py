"""Tables of the ledger: double entries that are only ever added, and the adjustments that staff decide."""

from __future__ import annotations

# Described in db/schema.sql alone: only SQL reads and writes them.
TABLES = (
    "adjustments",
    "ledger_accounts",
    "ledger_balances",
    "ledger_holds",
    "ledger_kinds",
    "ledger_rules",
    "ledger_transactions",
    "ledger_transfers",
)
