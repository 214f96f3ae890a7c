"""Limits of a service's fields."""

from __future__ import annotations

MAX_NAME_LENGTH = 80
MAX_PRICE_CENTS = 10_000_00
MIN_DURATION_MINUTES, MAX_DURATION_MINUTES = 5, 24 * 60
