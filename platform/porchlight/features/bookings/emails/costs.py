"""Rows of emails about the price of sessions and the cost of canceling them."""

from __future__ import annotations

from collections.abc import Sequence

from porchlight.features.bookings.cancellation_text import (
    CancellationCost,
    CardCharge,
    PackageEnd,
    format_cancellation,
    format_cancellation_cost,
)
from porchlight.features.bookings.emails.clocks import Clocks
from porchlight.features.bookings.emails.facts import BookingFacts
from porchlight.features.bookings.payments.amounts import MIN_CHARGE_CENTS
from porchlight.features.bookings.payments.card_names import card_name
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
    if (state := _card_state(sessions)) is not None:
        return _by_card(owed, "you owe", "your", state)
    if not any(one.paid_cents for one in sessions):
        return f"Under the terms of your booking, you owe {money.format_cents(owed)}." if owed else "You owe nothing."
    back, kept = _returned_and_kept(sessions)
    guru = sessions[0].guru_name
    stays = f"Under the terms of your booking, {kept} stays with {guru}." if kept else ""
    goes_back = f"{back} goes back to your card, which takes 5 to 10 days." if back else ""
    rest = _not_collected(sessions)
    more = f"You owe {rest} more, which we don't collect: please settle it with {guru}." if rest else ""
    return " ".join(filter(None, (stays, goes_back, more)))


def they_owe(sessions: Sequence[BookingFacts]) -> str:
    """Return, for the guru, what sessions that ended cost the person, or what of their payment goes back."""
    owed = sum(one.owed_cents for one in sessions)
    if (state := _card_state(sessions)) is not None:
        return _by_card(owed, "they owe", "their", state)
    if not any(one.paid_cents for one in sessions):
        return f"Under the terms of the booking, they owe {money.format_cents(owed)}." if owed else "They owe nothing."
    back, kept = _returned_and_kept(sessions)
    stays = f"Under the terms of the booking, {kept} of their payment stays with you, less our fee." if kept else ""
    goes_back = f"We return {back} to their card." if back else ""
    rest = _not_collected(sessions)
    more = f"They owe you {rest} more, which we don't collect." if rest else ""
    return " ".join(filter(None, (stays, goes_back, more)))


def _card_state(sessions: Sequence[BookingFacts]) -> str | None:
    """Return what becomes of the card that is kept for sessions, of the one that costs something first."""
    return next((one for one in sessions if one.owed_cents), sessions[0]).card_state


def _by_card(owed_cents: int, who_owes: str, whose: str, state: str) -> str:
    """Return what sessions that ended cost the person whose card is kept, and what becomes of it."""
    if not owed_cents:
        return f"{who_owes.capitalize()} nothing, and {whose} card isn't charged."
    booking = "your booking" if whose == "your" else "the booking"
    owes = f"Under the terms of {booking}, {who_owes} {money.format_cents(owed_cents)}."
    less = "" if whose == "your" else ", less our fee"
    charges = {
        "charging": f"We charge it to {whose} card{less}.",
        "paid": f"It was charged to {whose} card{less}.",
        "released": f"It's too little for a card, so {whose} card isn't charged.",
    }
    return f"{owes} {charges.get(state, f'The bank did not pay it from {whose} card yet.')}"


def charge_values(booking: BookingFacts) -> dict[str, str]:
    """Return the values of the placeholders of emails about the charge of a card that was kept."""
    is_missed = booking.status == "missed"
    return {
        "owed": money.format_cents(booking.owed_cents),
        "why_owed": f"{booking.guru_name} noted that you missed" if is_missed else "You canceled",
        "late": "" if is_missed else " late",
        "card": card_name(booking.card_brand or "", booking.card_last4 or "") or "card",
    }


def _not_collected(sessions: Sequence[BookingFacts]) -> str:
    """Return what is owed beyond the deposits that were paid, "" for nothing."""
    rest = sum(max(one.owed_cents - (one.paid_cents or 0), 0) for one in sessions if one.is_deposit)
    return money.format_cents(rest) if rest else ""


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
    if len(paid) == 1:
        return f"{price}{_how_paid(paid)}"
    total = money.format_cents(sum(one.price_cents for one in paid))
    return f"{price} for each session, {total} in total{_how_paid(paid)}"


def _how_paid(sessions: Sequence[BookingFacts]) -> str:
    if all(one.card_state == "kept" for one in sessions):
        return ", paid at the session. A card is kept, and charged only for canceling late or not coming"
    if not all(one.paid_cents for one in sessions):
        return ""
    if not any(one.is_deposit for one in sessions):
        return ", paid by card"
    now = sum(one.paid_cents or 0 for one in sessions)
    rest = sum(one.price_cents for one in sessions) - now
    return f": {money.format_cents(now)} is paid by card, {money.format_cents(rest)} at the session"


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
            owed=_cost_text(first, terms.owed_cents),
            late=_cost_text(first, terms.late_cents),
            package=_package_end(first, is_free=terms.free_until is not None),
            is_paid=bool(first.paid_cents),
            how=_how_charged(first, terms.late_cents),
        )
    )


def _cost_text(booking: BookingFacts, cents: int) -> str:
    """Return what canceling costs, of what was paid by card at most; "" for nothing."""
    cost = min(cents, booking.paid_cents) if booking.paid_cents else cents
    return money.format_cents(cost) if cost else ""


def _how_charged(booking: BookingFacts, late_cents: int) -> CardCharge:
    if booking.card_state == "kept" and late_cents >= MIN_CHARGE_CENTS:
        return "charged"
    return "all_kept" if booking.is_deposit and late_cents >= (booking.paid_cents or 0) else ""


def _package_end(booking: BookingFacts, *, is_free: bool) -> PackageEnd:
    """Return what becomes of the session of the booking's package if it is canceled now."""
    if not booking.package_sessions:
        return ""
    if not int(booking.terms["late_percent"]):
        return "returned"
    return "returned_until" if is_free else "used"
