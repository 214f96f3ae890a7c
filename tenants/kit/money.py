"""Money: integer cents plus a currency. Never a float."""

from __future__ import annotations


def dollars(cents: int) -> int | float:
    """Cents as the dollars of SPEC's guru calls: 7500 -> 75, 1999 -> 19.99."""
    whole, rest = divmod(cents, 100)
    return whole if rest == 0 else cents / 100


def shown(cents: int) -> str:
    """Cents as a person reads them: 7500 -> "$75.00" (SPEC 9)."""
    sign = "-" if cents < 0 else ""
    whole, rest = divmod(abs(cents), 100)
    return f"{sign}${whole:,}.{rest:02d}"
