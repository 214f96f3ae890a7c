"""How many times a person, a network address and all visitors may keep at once."""

from __future__ import annotations

from datetime import datetime, timedelta

from porchlight.features.bookings.facts import HoldUsage

RECENT = timedelta(hours=1)
MAX_OWN_HOLDS = 2  # of a person with one guru, without those that were offered to them
MAX_OWN_REQUESTS = 3
MAX_OWN_RECENT = 10  # each booking and its cancellation are news for the guru
MAX_ADDRESS_HOLDS = 3
MAX_ADDRESS_RECENT = 10


def limit_reached(usage: HoldUsage, day: tuple[datetime, datetime], *, has_account: bool, max_of_visitors: int) -> str:
    """Return which limit another hold would exceed, or "": `own_limit`, `address_limit` or `visitor_limit`.

    An account costs nothing until its email address is verified, so such users count as visitors. Visitors hold at most
    `max_of_visitors` times of the local day `day`, and those of one address have at most half of them.
    """
    if has_account and (
        usage.own_held >= MAX_OWN_HOLDS or usage.own_requested >= MAX_OWN_REQUESTS or usage.own_recent >= MAX_OWN_RECENT
    ):
        return "own_limit"
    if usage.is_verified:
        return ""
    if usage.address_recent >= MAX_ADDRESS_RECENT or usage.address_held >= MAX_ADDRESS_HOLDS:
        return "address_limit"
    held = usage.on(day)
    at_address = sum(one.is_address for one in held)
    kept = min(at_address, share_of_address(max_of_visitors) - 1)
    return "visitor_limit" if len(held) - at_address + kept >= max_of_visitors else ""


def share_of_address(max_of_visitors: int) -> int:
    """Return how many of the visitors' holds of a day one address may have. With one more, its oldest one ends."""
    return max(max_of_visitors // 2, 1)
