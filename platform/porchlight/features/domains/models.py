"""The checks of custom domains that gurus asked for."""

from __future__ import annotations

# Described in db/schema.sql alone: only SQL reads and writes them.
TABLES = ("domain_checks",)
