"""Tables of flags that an operator set, globally and for single gurus."""

from __future__ import annotations

# Described in db/schema.sql alone: only SQL reads and writes them.
TABLES = ("flag_settings", "guru_flags")
