"""How much a site takes from one place within an hour."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class LeadLimits:
    """How many leads an hour one address may leave with one guru, and one guru may be left."""

    per_address: int = 10
    per_tenant: int = 300


UNLIMITED = LeadLimits(per_address=1_000_000_000, per_tenant=1_000_000_000)
