"""Rows of emails about the price of sessions and the cost of canceling them."""

from __future__ import annotations

from collections.abc import Sequence

from porchlight.features.bookings.cancellation_text import (
    CancellationCost,
    PackageEnd,
    format_cancellation,
    format_cancellation_cost,
)
from porchlight.features.bookings.emails.clocks import Clocks
from porchlight.features.bookings.emails.facts import BookingFacts
from porchlight.features.bookings.terms import current_terms
from tenants.kit import clock, money


def package_text(sessions: Sequence[BookingFacts]) -> str:
    """Return what the sessions use of a package, and what is left of it."""
    used = sum(one.package_sessions for one in sessions)
    first = next((one for one in sessions if one.package_sessions), None)
    return f"{first.package_name}: uses {used}, {first.package_left} left" if first else ""


def price_text(sessions: Sequence[BookingFacts]) -> str:
    """Return what the sessions cost that no package covers."""
    paid = [one for one in sessions if not one.package_sessions]
    if not paid:
        return "Included in the package"
    price = money.format_cents(paid[0].price_cents)
    if len(paid) == 1:
        return price
    total = money.format_cents(sum(one.price_cents for one in paid))
    return f"{price} for each session, {total} in total"


def cancellation_text(sessions: Sequence[BookingFacts], clocks: Clocks) -> str:
    """Return what canceling costs the person: of one session as of now, of a series what applies to each.

    Return "" if none can be canceled.
    """
    now = clock.now()
    ahead = [one for one in sessions if one.status in ("requested", "confirmed") and one.starts_at > now]
    if not ahead:
        return ""
    first = ahead[0]
    if len(ahead) > 1 and first.status == "confirmed":
        return format_cancellation(first.terms, first.price_cents, uses_package=bool(first.package_sessions))
    terms = current_terms(
        first.terms,
        price_cents=first.price_cents,
        starts_at=first.starts_at,
        moves=first.moves,
        now=now,
        proposed_until=first.proposed_until,
        late_since=first.late_since,
    )
    return format_cancellation_cost(
        CancellationCost(
            is_request=first.status == "requested",
            free_until=clocks.moment(terms.free_until) if terms.free_until else "",
            owed=money.format_cents(terms.owed_cents) if terms.owed_cents else "",
            late=money.format_cents(terms.late_cents) if terms.late_cents else "",
            package=_package_end(first, is_free=terms.free_until is not None),
        )
    )


def _package_end(booking: BookingFacts, *, is_free: bool) -> PackageEnd:
    """Return what becomes of the session of the booking's package if it is canceled now."""
    if not booking.package_sessions:
        return ""
    if not int(booking.terms["late_percent"]):
        return "returned"
    return "returned_until" if is_free else "used"
