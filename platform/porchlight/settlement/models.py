"""Tables of settlement: the writes to send to the payment provider, and the events that it sent."""

from __future__ import annotations

# Described in db/schema.sql alone: only SQL reads and writes them.
TABLES = ("stripe_inbox", "stripe_outbox")
