"""The numbers of a guru's reviews, which pages read and the worker counts from rows that visitors cannot see."""

from __future__ import annotations

# Described in db/schema.sql alone: only SQL reads and writes them.
TABLES = ("review_totals",)
