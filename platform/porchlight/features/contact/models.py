"""The table of messages from the contact form."""

from __future__ import annotations

# Described in db/schema.sql alone: only SQL reads and writes them.
TABLES = ("contact_messages",)
