"""Create the email that collects the changes of a burst: what happened to each booking, and what is true now."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from itertools import groupby
from uuid import UUID

from porchlight.emails.templates import Action, Recipient
from porchlight.features.bookings.calendar_events import person_or_neighbor
from porchlight.features.bookings.emails.clocks import Clocks, clocks_of
from porchlight.features.bookings.emails.facts import BookingFacts, QueuedEmail
from porchlight.features.bookings.emails.links import booking_url, event_origin
from porchlight.features.bookings.emails.messages import (
    CALENDAR_KINDS,
    TEMPLATES,
    WHY,
    answers_of,
    needs_answer_today,
    preparation_rows,
    quote_label,
    quote_of,
    text_values,
)
from porchlight.features.bookings.emails.texts import Side
from porchlight.job_dependencies import JobDependencies
from porchlight.ports import CalendarFile, EmailMessage

_HAPPENED = {
    "requested": "asked for", "booked": "booked", "accepted": "accepted", "declined": "declined",
    "expired": "not answered in time", "withdrawn": "request withdrawn", "canceled": "canceled", "moved": "moved",
    "clocks_changed": "new clock rules", "place_changed": "new place", "address_changed": "new address",
    "proposed": "another time proposed",
    "proposal_withdrawn": "proposal of another time withdrawn", "proposal_expired": "proposal not answered",
    "proposal_lapsed": "proposed time no longer free", "move_accepted": "new time accepted",
    "move_declined": "canceled instead of moved",
}  # fmt: skip
# By side and status. An open proposal of another time has texts of its own.
_NOW: dict[tuple[Side, str], str] = {
    ("person", "requested"): "{guru} can answer until {answer_until}.",
    ("guru", "requested"): "Please answer by {answer_until}.",
    ("person", "confirmed"): "Booked.",
    ("guru", "confirmed"): "Booked.",
    ("person", "proposal"): "Booked. {guru} asks for another time: please answer by {answer_until}.",
    ("guru", "proposal"): "Booked. {person} can answer your proposal until {answer_until}.",
    ("person", "request proposal"): "{guru} suggests another time: please answer by {answer_until}.",
    ("guru", "request proposal"): "{person} can answer your suggestion until {answer_until}.",
    ("person", "declined"): "{guru} declined. {you_owe}",
    ("guru", "declined"): "You declined.",
    ("person", "expired"): "{guru} didn't answer in time. {you_owe}",
    ("guru", "expired"): "The request has expired.",
    ("person", "canceled"): "Canceled by {who}. {you_owe}",
    ("guru", "canceled"): "Canceled by {who}. {they_owe}",
    ("person", "completed"): "It took place.",
    ("guru", "completed"): "It took place.",
    ("person", "missed"): "{guru} noted that you missed it.",
    ("guru", "missed"): "{person} missed it.",
}
_OPEN_STATUSES = {"confirmed": "proposal", "requested": "request proposal"}
_FILES = (
    "The calendar file is attached.",
    "A calendar file for each session is attached. If your calendar misses one, open its file.",
)


@dataclass(frozen=True, slots=True)
class BookingChanges:
    """A booking as it is now, and the emails about its changes that were collected, the oldest first.

    `moved_from`: the start that the recipient knows, if the booking was moved. `left_sessions`: those it has left.
    """

    booking: BookingFacts
    emails: tuple[QueuedEmail, ...]
    moved_from: datetime | None = None
    left_sessions: tuple[UUID, ...] = ()

    @property
    def calendar_emails(self) -> list[QueuedEmail]:
        """The emails that would have had a calendar file."""
        return [email for email in self.emails if email.kind in CALENDAR_KINDS]


def changes_email(
    jobs: JobDependencies,
    tenant_id: UUID,
    side: Side,
    changes: Sequence[BookingChanges],
    queued: Sequence[QueuedEmail],
    to: Recipient,
    other_address: str,
    files: Sequence[CalendarFile],
) -> EmailMessage:
    """Return the email about all `changes`, with the calendar files of the sessions.

    `queued`: the emails that it replaces. `other_address`: the guru's verified address, for replies of a person.
    """
    first = changes[0].booking
    items = [_item(side, one) for one in changes]
    is_booked = any(one.booking.status == "confirmed" for one in changes)
    path = "sessions" if side == "person" else "guru/calendar"
    return TEMPLATES.create_message(
        "changes",
        key=f"booking-changes-{side}-{_digest(tenant_id, queued)}",
        tenant_id=tenant_id,
        to=to,
        name=first.guru_name if side == "guru" else first.person_name,
        why=WHY[side],
        action=Action("View your sessions" if side == "person" else "Open your calendar", f"{jobs.main_origin}/{path}"),
        notice="There's news about your sessions",
        reply_to=other_address if is_booked else "",
        invitation=files[0] if files else None,
        further_invitations=files[1:],
        is_urgent=any(needs_answer_today(one.booking) for one in changes),
        words={"items": [words for words, _ in items]},
        # The place may be the link of a call.
        verbatim={"details": [details for _, details in items]},
        facts={
            "urls": [booking_url(jobs, one.booking, side) for one in changes],
            "lines": [_FILES[len(files) > 1], event_origin(jobs).about_answers(side)] if files else [],
        },
    )


def what_happened(kinds: Sequence[str]) -> str:
    """Return the changes in their order, like "Booked, then moved (2 times), then canceled"."""
    words = []
    for kind, repeated in groupby(kinds):
        times = len(list(repeated))
        words.append(_HAPPENED[kind] + (f" ({times} times)" if times > 1 else ""))
    text = ", then ".join(words)
    return text[:1].upper() + text[1:]


# Up to a hundred bookings are in one email, and mail programs cut long ones.
ANSWERS_ELSEWHERE = "Your questions are answered. Open the booking to read them."
_Rows = tuple[tuple[str, str], ...]


def _item(side: Side, changes: BookingChanges) -> tuple[tuple[str, _Rows, str], tuple[_Rows, str]]:
    """Return title, rows and heading of the quotation, and what is shown as it was typed: more rows, the quotation."""
    booking, last = changes.booking, changes.emails[-1]
    clocks = clocks_of(booking, side)
    values = text_values([booking], clocks) | {"who": _who_ended(booking, side)}
    other = booking.guru_name if side == "person" else person_or_neighbor(booking)
    is_booked = booking.status == "confirmed"
    answers = answers_of(booking, [email.kind for email in changes.emails], side)
    quote = quote_of(booking, last)
    words = (
        ("What happened", what_happened([email.kind for email in changes.emails])),
        ("Now", _now(booking, side).format_map(values)),
        ("Guests", ", ".join(booking.participants)),
    )
    details = (
        ("When", clocks.period(booking.starts_at, booking.ends_at)),
        ("Was", clocks.moment(changes.moved_from) if changes.moved_from else ""),
        ("New time", _proposed(booking, clocks)),
        *(preparation_rows(booking) if is_booked else []),
        ("Spots", str(booking.party) if booking.party > 1 else ""),
        ("Questions", ANSWERS_ELSEWHERE if answers else ""),
    )
    title = f"{booking.service_name} with {other}"
    return (title, words, quote_label(booking, last, values) if quote else ""), (details, quote)


def _now(booking: BookingFacts, side: Side) -> str:
    if booking.has_proposal and booking.status in _OPEN_STATUSES:
        return _NOW[side, _OPEN_STATUSES[booking.status]]
    return _NOW.get((side, booking.status), "")


def _proposed(booking: BookingFacts, clocks: Clocks) -> str:
    is_open = booking.status in _OPEN_STATUSES and booking.has_proposal
    return clocks.moment(booking.proposed_start) if is_open and booking.proposed_start else ""


def _who_ended(booking: BookingFacts, side: Side) -> str:
    if booking.ended_by == side:
        return "you"
    names = {"guru": booking.guru_name, "person": person_or_neighbor(booking)}
    return names.get(booking.ended_by, "our team")


def _digest(tenant_id: UUID, queued: Sequence[QueuedEmail]) -> str:
    """Return what identifies an email: a second attempt has the same key, unless it has more changes."""
    names = "\n".join(f"{one.booking_id} {one.kind} {one.sequence}" for one in queued)
    return sha256(f"{tenant_id}\n{names}".encode()).hexdigest()[:32]
