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


def you_owe(sessions: Sequence[BookingFacts]) -> str:
    """Return what sessions that ended cost the person, or what of their payment goes back."""
    owed = sum(one.owed_cents for one in sessions)
    if not any(one.paid_cents for one in sessions):
        return f"Under the terms of your booking, you owe {money.format_cents(owed)}." if owed else "You owe nothing."
    back, kept = _returned_and_kept(sessions)
    stays = f"Under the terms of your booking, {kept} stays with {sessions[0].guru_name}." if kept else ""
    goes_back = f"{back} goes back to your card, which takes 5 to 10 days." if back else ""
    return f"{stays} {goes_back}".strip()


def they_owe(sessions: Sequence[BookingFacts]) -> str:
    """Return, for the guru, what sessions that ended cost the person, or what of their payment goes back."""
    owed = sum(one.owed_cents for one in sessions)
    if not any(one.paid_cents for one in sessions):
        return f"Under the terms of the booking, they owe {money.format_cents(owed)}." if owed else "They owe nothing."
    back, kept = _returned_and_kept(sessions)
    stays = f"Under the terms of the booking, {kept} of their payment stays with you, less our fee." if kept else ""
    goes_back = f"We return {back} to their card." if back else ""
    return f"{stays} {goes_back}".strip()


def _returned_and_kept(sessions: Sequence[BookingFacts]) -> tuple[str, str]:
    """Return what goes back of the payments, and what does not, each "" for nothing."""
    back = sum(one.refunded_cents or 0 for one in sessions)
    kept = sum(one.paid_cents or 0 for one in sessions) - back
    return money.format_cents(back) if back else "", money.format_cents(kept) if kept else ""


def price_text(sessions: Sequence[BookingFacts]) -> str:
    """Return what the sessions cost that no package covers."""
    paid = [one for one in sessions if not one.package_sessions]
    if not paid:
        return "Included in the package"
    price = money.format_cents(paid[0].price_cents)
    by_card = ", paid by card" if all(one.paid_cents for one in paid) else ""
    if len(paid) == 1:
        return f"{price}{by_card}"
    total = money.format_cents(sum(one.price_cents for one in paid))
    return f"{price} for each session, {total} in total{by_card}"


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
            is_paid=bool(first.paid_cents),
        )
    )


def _package_end(booking: BookingFacts, *, is_free: bool) -> PackageEnd:
    """Return what becomes of the session of the booking's package if it is canceled now."""
    if not booking.package_sessions:
        return ""
    if not int(booking.terms["late_percent"]):
        return "returned"
    return "returned_until" if is_free else "used"
