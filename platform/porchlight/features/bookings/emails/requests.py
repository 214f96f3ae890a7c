"""Texts of the emails about requests for which the guru proposed another time."""

from __future__ import annotations

from porchlight.features.bookings.emails.facts import BookingFacts, QueuedEmail
from porchlight.features.bookings.emails.texts import (
    ANOTHER_TIME,
    CHOOSE,
    VIEW_BOOKING,
    VIEW_SESSION,
    EmailText,
    Side,
)

# About a request for which the guru proposed another time, by kind and side. `accepted`: the person accepted it.
_TEXTS: dict[tuple[str, Side], EmailText] = {
    ("proposed", "person"): EmailText(
        "{guru} suggests another time for {service}",
        (
            "{guru} can't take the time you asked for and suggests another one. Once you accept it, you're booked.",
            "Please answer by {answer_until}. If you don't, {or_else}. You can also withdraw for free.",
        ),
        "Choose what to do",
    ),
    ("proposal_withdrawn", "person"): EmailText(
        "{guru} took back the other time",
        ("You asked for {service}. {guru} can answer until {answer_until}.",),
        "View your request",
    ),
    ("proposal_expired", "guru"): EmailText(
        "{person} didn't answer about the other time",
        ("Open the booking to see whether you can still accept or decline the request.",),
        VIEW_BOOKING,
    ),
    ("proposal_lapsed", "guru"): EmailText(
        "The other time for {person} is no longer free",
        (
            "{person} accepted it, but it was taken in the meantime. They still wait for your answer.",
            "Please accept, decline or suggest another time by {answer_until}.",
        ),
        "Answer the request",
    ),
    ("accepted", "person"): EmailText(
        "You're booked: {service} with {guru}",
        ("You accepted the time that {guru} suggested. The calendar file is attached.",),
        VIEW_SESSION,
    ),
    ("accepted", "guru"): EmailText(
        "Booked: {service} with {person}",
        ("{person} accepted the time that you suggested. The calendar file is attached.",),
        VIEW_BOOKING,
    ),
    ("expired", "person"): EmailText(
        "Your request for {service} has expired",
        ("{guru} suggested another time, but nothing was agreed on in time. {you_owe}", ANOTHER_TIME),
        CHOOSE,
        "times",
    ),
}


def request_text(booking: BookingFacts, queued: QueuedEmail) -> EmailText | None:
    """Return the text of an email about such a request, or None for an email about something else."""
    if queued.kind == "accepted":
        is_about_it = booking.moved_from is not None  # to that time: a request is not moved otherwise
    else:
        is_about_it = booking.proposals > 0 and booking.status in ("requested", "expired")
    return _TEXTS.get((queued.kind, queued.side)) if is_about_it else None


def without_answer(booking: BookingFacts, count: int) -> str:
    """Say what becomes of `count` requests if the person does not answer the guru's proposal."""
    requests, expire = ("your request", "expires") if count == 1 else ("your requests", "expire")
    if booking.expires_at is None or booking.expires_at == booking.proposed_until:
        return f"{requests} {expire}"
    return f"{booking.guru_name} can still answer {requests}"
