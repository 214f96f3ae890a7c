"""The addresses of deleted accounts, until the last email is sent."""

from __future__ import annotations

# Described in db/schema.sql alone: only SQL reads and writes them.
TABLES = ("pending_account_emails",)
