"""Visits, counted without cookies: a visitor is a hash with the day's salt, which is deleted afterwards.

And the facts about a guru that the worker counts from rows that visitors cannot read.
"""

from __future__ import annotations

# Described in db/schema.sql alone: only SQL reads and writes them.
TABLES = ("daily_salts", "daily_visits", "guru_facts", "view_fingerprints")
