"""Admin keys and sessions, failed sign-ins, impersonations and row counters."""

from __future__ import annotations

# Described in db/schema.sql alone: only SQL reads and writes them.
TABLES = (
    "admin_addresses",
    "admin_attempts",
    "admin_keys",
    "admin_sessions",
    "counters",
    "daily_counters",
    "impersonations",
)
