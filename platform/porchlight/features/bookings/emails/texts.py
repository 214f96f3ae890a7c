"""Texts of the emails about bookings, by kind and side. Values in braces are filled in by `messages`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Side = Literal["person", "guru"]
Link = Literal["booking", "times", "waitlist", "review"]


@dataclass(frozen=True, slots=True)
class EmailText:
    """An email's subject, its paragraphs, and its button.

    `link`: the booking, other times of the service, the place on the waitlist, or the session's reviews.
    """

    subject: str
    lines: tuple[str, ...]
    button: str
    link: Link = "booking"


WAIVER_REMINDERS = frozenset({"waiver_week", "waiver_days"})
REMINDERS = WAIVER_REMINDERS | {"day_before", "soon"}  # which a person can turn off
CHARGE_KINDS = frozenset({"charged", "charge_failed"})  # of a card that was kept
# About reviews, which a person can turn off. They never have what a review says.
REVIEW_REMINDERS = frozenset({"review_open", "review_last"})
REVIEW_KINDS = REVIEW_REMINDERS | {"review_waiting", "review_out"}
# Of the bookings of a series that change together.
SERIES_KINDS = frozenset(
    {"requested", "booked", "accepted", "declined", "expired", "withdrawn", "moved", "canceled", "proposed",
     "proposal_withdrawn", "proposal_expired", "move_accepted", "move_declined"}
)  # fmt: skip
ANOTHER_TIME = "You can choose another time."
_PROPOSE_AGAIN = "You can propose another time."
# The person who booked may have signed, and someone they booked for not.
_WAIVERS_DUE = EmailText(
    "Waiver due: {service} with {guru}",
    (
        "Everyone who takes part in this session needs a liability waiver that is valid when it starts.",
        "Some of you still need to sign. Open your session to sign, or to send a personal link again.",
    ),
    "See who needs to sign",
)
_WRITE_REVIEW, _READ_REVIEW = "Write a review", "Read the review"
VIEW_SESSION, VIEW_BOOKING, CHOOSE = "View your {session}", "View the booking", "Choose another time"

TEXTS: dict[tuple[str, Side], EmailText] = {
    ("requested", "person"): EmailText(
        "You asked {guru} for {service}",
        ("{guru} can answer until {answer_until}. We'll email you as soon as they do.",),
        "View your request",
    ),
    ("requested", "guru"): EmailText(
        "{person_first} wants to book {service}, {starts_short}. Answer by {answer_short}",
        ("{person} asks for {a_session} with you. Please answer by {answer_until}. After that, the request expires.",),
        "Answer the request",
    ),
    ("person_said_no", "person"): EmailText(
        "Still booked: {service} with {guru}",
        (
            "You answered “No” in your calendar. {session_is} still booked.",
            "If you can't come, please cancel it here. You see first what that costs.",
        ),
        "Cancel or keep it",
    ),
    ("guru_said_no", "guru"): EmailText(
        "Still booked: {service} with {person}",
        (
            "You answered “No” in your calendar. The session is still booked.",
            "If you can't make it, please cancel it or ask to move it here, so that {person} knows why.",
        ),
        "Open the booking",
    ),
    ("claimed", "guru"): EmailText(
        "{account} added a session that you booked to their account",
        (
            "You booked {service} for {person}. {account} opened the link in our email and added it to their account.",
            "It's an ordinary booking now, like those that neighbors make.",
        ),
        VIEW_BOOKING,
    ),
    ("charged", "person"): EmailText(
        "{owed} charged: {service} with {guru}",
        (
            "{why_owed} {service}{late}. Under the terms of your booking, {owed} was charged to your {card}.",
            "You find the receipt under your orders.",
        ),
        VIEW_SESSION,
    ),
    ("charge_failed", "person"): EmailText(
        "Please pay {owed}: {service} with {guru}",
        (
            "{why_owed} {service}{late}. Under the terms of your booking, you owe {owed}. Your bank didn't let us"
            " charge it to your {card}.",
            "Please pay it with a card on your session's page. We don't try your card again.",
        ),
        "Pay {owed}",
    ),
    ("booked", "person"): EmailText(
        "You're booked: {service} with {guru}",
        ("{session_is} booked. The calendar file is attached.",),
        VIEW_SESSION,
    ),
    ("booked", "guru"): EmailText(
        "New booking: {service} with {person}", ("{person} booked {a_session} with you.",), VIEW_BOOKING
    ),
    ("accepted", "person"): EmailText(
        "You're booked: {service} with {guru}",
        ("{guru} accepted your request. The calendar file is attached.",),
        VIEW_SESSION,
    ),
    ("accepted", "guru"): EmailText(
        "Booked: {service} with {person}",
        ("You accepted {person}'s request. The calendar file is attached.",),
        VIEW_BOOKING,
    ),
    ("declined", "person"): EmailText(
        "{guru} can't take your {session}",
        ("{guru} declined your request for {service}. {you_owe}", ANOTHER_TIME),
        CHOOSE,
        "times",
    ),
    ("expired", "person"): EmailText(
        "{guru} didn't answer in time",
        ("We're sorry: your request for {service} has expired without an answer. {you_owe}", ANOTHER_TIME),
        CHOOSE,
        "times",
    ),
    ("withdrawn", "guru"): EmailText(
        "{person} withdrew their request",
        ("{person} doesn't need {service} anymore. Your time is free again.",),
        VIEW_BOOKING,
    ),
    ("moved", "person"): EmailText(
        "New time: {service} with {guru}",
        ("{session_has_time}. The calendar file is attached.",),
        VIEW_SESSION,
    ),
    ("moved", "guru"): EmailText(
        "New time: {service} with {person}",
        ("{session_has_time}, chosen by {person}. The calendar file is attached.",),
        VIEW_BOOKING,
    ),
    ("clocks_changed", "person"): EmailText(
        "Same time, new clock rules: {service} with {guru}",
        (
            "The rules of the clocks in your session's time zone have changed. Your session stays at its local time.",
            "If your calendar shows another time, please take over the attached calendar file.",
        ),
        VIEW_SESSION,
    ),
    ("clocks_changed", "guru"): EmailText(
        "Same time, new clock rules: {service} with {person}",
        (
            "The rules of the clocks in your time zone have changed. Your session stays at its local time.",
            "If your calendar shows another time, please take over the attached calendar file.",
        ),
        VIEW_BOOKING,
    ),
    ("place_changed", "person"): EmailText(
        "New place: {service} with {guru}",
        ("{guru} changed where you meet. The time stays the same. The calendar file is attached.",),
        VIEW_SESSION,
    ),
    ("place_changed", "guru"): EmailText(
        "New place: {service} with {person}",
        ("You changed where you meet, and we told {person}. The calendar file is attached.",),
        VIEW_BOOKING,
    ),
    ("address_changed", "person"): EmailText(
        "New address: {service} with {guru}",
        ("You changed your address, and we told {guru}. The time stays the same. The calendar file is attached.",),
        VIEW_SESSION,
    ),
    ("address_changed", "guru"): EmailText(
        "New address: {service} with {person}",
        ("{person} changed the address where you meet. The time stays the same. The calendar file is attached.",),
        VIEW_BOOKING,
    ),
    ("proposed", "person"): EmailText(
        "{guru} asks to move your {session}",
        (
            "{guru} can't make the time of {service} and asks for another one. You can accept it or cancel for free.",
            "Please answer by {answer_until}. If you don't, {session_stays}.",
        ),
        "Choose what to do",
    ),
    ("proposal_withdrawn", "person"): EmailText(
        "Your {session} with {guru} {stays}",
        ("{guru} doesn't need to move {service} anymore.",),
        VIEW_SESSION,
    ),
    ("proposal_expired", "guru"): EmailText(
        "{person} didn't answer about the new time",
        ("{Session_stays}. You can propose another time, or cancel.",),
        VIEW_BOOKING,
    ),
    ("proposal_lapsed", "guru"): EmailText(
        "The new time for {person} is no longer free",
        ("{person} accepted it, but it was taken in the meantime. Your session stays as it is.", _PROPOSE_AGAIN),
        VIEW_BOOKING,
    ),
    ("move_accepted", "person"): EmailText(
        "New time: {service} with {guru}",
        ("You accepted {guru}'s new time. The calendar file is attached.",),
        VIEW_SESSION,
    ),
    ("move_accepted", "guru"): EmailText(
        "{person} accepted the new time",
        ("{service} is moved. The calendar file is attached.",),
        VIEW_BOOKING,
    ),
    ("move_declined", "person"): EmailText(
        "You canceled {service} with {guru}",
        ("{session_is} canceled. {you_owe}",),
        CHOOSE,
        "times",
    ),
    ("move_declined", "guru"): EmailText(
        "{person} canceled instead of moving",
        ("{person} canceled {service} for free, because you asked to move it. Your time is free again.",),
        VIEW_BOOKING,
    ),
    ("spot_free", "person"): EmailText(
        "A spot is free: {service} with {guru}",
        (
            "A spot opened in {service}, {starts}. It's yours until {held_until}.",
            "After that, it goes to the next person on the waitlist.",
        ),
        "Take the spot",
        "waitlist",
    ),
    ("day_before", "person"): EmailText(
        "Reminder: {service} with {guru}", ("Your session is coming up.",), VIEW_SESSION
    ),
    ("soon", "person"): EmailText(
        "Starting soon: {service} with {guru}", ("Your session starts at {clock}.",), VIEW_SESSION
    ),
    ("review_open", "person"): EmailText(
        "How was {service} with {guru}?",
        (
            "A few words help other neighbors choose, and they help {guru}.",
            "Your review stays hidden until {guru} has written one about you, or until {review_until}.",
        ),
        _WRITE_REVIEW,
        "review",
    ),
    ("review_last", "person"): EmailText(
        "Last days to review {service} with {guru}",
        ("You can review your session until {review_until}. A few words are enough.",),
        _WRITE_REVIEW,
        "review",
    ),
    ("review_waiting", "person"): EmailText(
        "{guru} reviewed your session",
        ("You can read it once you have written your review, or on {review_until}.",),
        _WRITE_REVIEW,
        "review",
    ),
    ("review_waiting", "guru"): EmailText(
        "{person} reviewed {service}",
        (
            "You can read it once you have reviewed {person}, or on {review_until}.",
            "Your reviews page lists everyone you can review.",
        ),
        _WRITE_REVIEW,
        "review",
    ),
    ("review_out", "person"): EmailText(
        "You can read {guru}'s review now",
        ("{guru} reviewed your session. Only you and gurus you ask for a session can read it, and you can reply.",),
        _READ_REVIEW,
        "review",
    ),
    ("review_out", "guru"): EmailText(
        "A new review of {service}",
        ("{person} reviewed {service}. Your site shows it in a minute, and you can reply to it.",),
        _READ_REVIEW,
        "review",
    ),
    ("waiver_week", "person"): _WAIVERS_DUE,
    ("waiver_days", "person"): _WAIVERS_DUE,
}

# For a series, by side: the email of the first session lists all of them, and each later one has its calendar file.
EACH_ITS_EMAIL = "You get a separate email with a calendar file for each session. This one is for the first."
_THE_FILE = ("The calendar file is attached.",)
_REMOVES = ("The attached calendar file removes it from your calendar.",)
_SERIES_TEXTS: dict[tuple[str, Side], EmailText] = {
    ("", "person"): EmailText("Session {number} of {count}: {service} with {guru}", _THE_FILE, "View your session"),
    ("", "guru"): EmailText("Session {number} of {count}: {service} with {person}", _THE_FILE, VIEW_BOOKING),
    ("moved", "person"): EmailText(
        "New time, session {number} of {count}: {service} with {guru}", _THE_FILE, "View your session"
    ),
    ("moved", "guru"): EmailText(
        "New time, session {number} of {count}: {service} with {person}", _THE_FILE, VIEW_BOOKING
    ),
    ("canceled", "person"): EmailText(
        "Canceled, session {number} of {count}: {service} with {guru}", _REMOVES, CHOOSE, "times"
    ),
    ("canceled", "guru"): EmailText(
        "Canceled, session {number} of {count}: {service} with {person}", _REMOVES, VIEW_BOOKING
    ),
}
_SERIES_CHANGES = {
    "moved": "moved", "move_accepted": "moved", "canceled": "canceled", "move_declined": "canceled"
}  # fmt: skip
# To the guru, about the session that a moved booking has left, if its calendar event is another one.
LEFT_TEXT = EmailText(
    "{person} moved out of a session: {service}",
    ("{person} moved to another time. The calendar file for the earlier session is attached.",),
    VIEW_BOOKING,
)

# Of the kind `canceled`, by side and by who canceled. Staff also means the product itself.
CANCELED_TEXTS: dict[tuple[Side, str], EmailText] = {
    ("person", "person"): EmailText(
        "You canceled {service} with {guru}", ("{session_is} canceled. {you_owe}",), CHOOSE, "times"
    ),
    ("person", "guru"): EmailText(
        "{guru} canceled your {session}",
        ("We're sorry: {guru} canceled {service}. {you_owe}", ANOTHER_TIME),
        CHOOSE,
        "times",
    ),
    ("person", "staff"): EmailText(
        "Your session with {guru} is canceled",
        ("We're sorry: our team canceled {service}. {you_owe}",),
        VIEW_SESSION,
    ),
    ("guru", "person"): EmailText(
        "{person} canceled {service}", ("{person} canceled. {they_owe} Your time is free again.",), VIEW_BOOKING
    ),
    ("guru", "guru"): EmailText(
        "You canceled {service} with {person}", ("We sent {person} your reason. {they_owe}",), VIEW_BOOKING
    ),
    ("guru", "staff"): EmailText(
        "Your session with {person} is canceled",
        ("Our team canceled {service}. {they_owe}",),
        VIEW_BOOKING,
    ),
}


# To the guru, about a booking that they made or canceled for a customer, by kind.
CUSTOMER_TEXTS = {
    "booked": EmailText(
        "Booked: {service} with {person}",
        ("You booked {service} for {person}. The calendar file is attached.",),
        VIEW_BOOKING,
    ),
    "canceled": EmailText(
        "You canceled {service} with {person}",
        ("They owe nothing. If you entered no email address for {person}, please tell them yourself.",),
        VIEW_BOOKING,
    ),
    "place_changed": EmailText(
        "New place: {service} with {person}",
        (
            "You changed where you meet. The calendar file is attached.",
            "If you entered no email address for {person}, please tell them yourself.",
        ),
        VIEW_BOOKING,
    ),
}


def email_text(kind: str, side: Side, ended_by: str, *, is_customer: bool = False) -> EmailText:
    """Return the text of an email. `ended_by` is who canceled the booking.

    `is_customer`: the guru booked it for someone without an account.
    """
    if is_customer and kind in CUSTOMER_TEXTS and (kind != "canceled" or ended_by == "guru"):
        return CUSTOMER_TEXTS[kind]
    if kind == "canceled":
        return CANCELED_TEXTS[side, ended_by if ended_by in ("person", "guru") else "staff"]
    return TEXTS[kind, side]


def series_text(kind: str, side: Side) -> EmailText:
    """Return the text of the email of a later session of a series, which has its calendar file."""
    return _SERIES_TEXTS[_SERIES_CHANGES.get(kind, ""), side]
