"""The table of reports."""

from __future__ import annotations

# Described in db/schema.sql alone: only SQL reads and writes them.
TABLES = ("reports",)
