"""How people know a card."""

from __future__ import annotations

_BRANDS = {"amex": "American Express", "diners": "Diners Club", "jcb": "JCB", "unionpay": "UnionPay"}


def card_name(brand: str, last4: str) -> str:
    """Return a card like "Visa ending in 4242", or "" without one."""
    return f"{_BRANDS.get(brand, brand.capitalize() or 'Card')} ending in {last4}" if last4 else ""
