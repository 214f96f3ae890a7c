"""Table of the development mailbox."""

from __future__ import annotations

# Described in db/schema.sql alone: only SQL reads and writes them.
TABLES = ("dev_mailbox",)
