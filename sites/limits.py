"""How much a site takes from one place within an hour."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class LeadLimits:
    """How many leads an hour one address may leave with one guru, and one guru may be left."""

    per_address: int = 10
    per_tenant: int = 300


UNLIMITED = None  # where limits are expected: any number, and nothing is counted
