"""Put in words what canceling a session costs, for emails and calendar files.

The same rules as in `main-web/shared/format/session-terms.ts`, so that all places say the same.
tests/data/cancellation-texts.json tests both.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

_HOUR = 60
_DAY = 24 * _HOUR
_MAX_IN_HOURS = 3 * _DAY
ALWAYS_FREE = "Cancel free anytime."

PackageEnd = Literal["", "returned", "returned_until", "used"]
CardCharge = Literal["", "charged", "all_kept"]


@dataclass(frozen=True, slots=True)
class CancellationCost:
    """The cost of canceling one session or request costs from now on.

    `free_until` is a formatted time, "" once it has passed; `owed` and `late` are formatted prices, "" for nothing.
    `package`: what becomes of the session of a package. `is_paid`: the price or a deposit was paid by card. `how`: a
    card that is kept is `charged`, or nothing of the deposit comes back (`all_kept`).
    """

    is_request: bool
    free_until: str
    owed: str
    late: str
    package: PackageEnd
    is_paid: bool = False
    how: CardCharge = ""


def format_notice(minutes: int) -> str:
    """Return minutes like "24 hours", "7 days" or "90 minutes"."""
    if minutes % _DAY == 0 and minutes > _MAX_IN_HOURS:
        return f"{minutes // _DAY} days"
    count, unit = (minutes // _HOUR, "hour") if minutes % _HOUR == 0 else (minutes, "minute")
    return f"{count} {unit}{'' if count == 1 else 's'}"


def format_cancellation(terms: Mapping[str, Any], price_cents: int, *, uses_package: bool) -> str:
    """Return the sentences about cancellations of a session with these terms and price.

    `uses_package`: a session of a package is what they cost.
    """
    free_until, percent = int(terms["free_until_minutes"]), int(terms["late_percent"])
    if free_until == 0 or percent == 0 or (price_cents == 0 and not uses_package):
        return ALWAYS_FREE
    share = "the full price" if percent == 100 else f"{percent}% of the price"
    late = "uses the session of your package" if uses_package else f"costs {share}"
    return f"Cancel free until {format_notice(free_until)} before. After that, canceling {late}."


def format_cancellation_cost(cost: CancellationCost) -> str:
    """Return what canceling costs now, and later if that differs."""
    if cost.is_request:
        return "Withdraw it anytime, and get your money back." if cost.is_paid else "Withdraw it free anytime."
    if cost.package == "used":
        return "If you cancel now, the session of your package is used."
    if cost.package == "returned":
        return f"{ALWAYS_FREE} The session goes back to your package."
    if cost.package == "returned_until":
        return f"Cancel free until {cost.free_until}, and the session goes back to your package. After that, it's used."
    if cost.owed:
        return f"If you cancel now, {_costs(cost, cost.owed)}."
    if cost.free_until and cost.late:
        return f"Cancel free until {cost.free_until}. After that, {_costs(cost, cost.late)}."
    return ALWAYS_FREE


def _costs(cost: CancellationCost, amount: str) -> str:
    if cost.how == "charged":
        return f"your card is charged {amount}"
    if cost.how == "all_kept":
        return f"your deposit of {amount} isn't returned"
    return f"you get back all but {amount}" if cost.is_paid else f"you owe {amount}"
