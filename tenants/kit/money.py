"""Money: integer cents and a currency, never a float."""

from __future__ import annotations


def to_dollars(cents: int) -> int | float:
    """Convert cents to the dollars of the guru API (SPEC 3): 7500 -> 75, 1999 -> 19.99."""
    whole, rest = divmod(cents, 100)
    return whole if rest == 0 else cents / 100


def format_cents(cents: int) -> str:
    """Format cents for people (SPEC 9): 7500 -> "$75.00"."""
    sign = "-" if cents < 0 else ""
    whole, rest = divmod(abs(cents), 100)
    return f"{sign}${whole:,}.{rest:02d}"
