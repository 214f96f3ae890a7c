"""Create the emails about bookings, with calendar invitations, and the guru's agenda. Times are in the guru's zone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Literal
from uuid import UUID
from zoneinfo import ZoneInfo

from porchlight.emails.kinds import MailKind, OptOut
from porchlight.emails.session_times import format_clock, format_day, format_moment, format_period
from porchlight.emails.templates import Action, EmailTemplates, Recipient
from porchlight.features.bookings.emails.texts import REMINDERS, EmailText, Side, email_text
from porchlight.features.bookings.invitations import Invitation, invitation_file, sessions_file
from porchlight.job_dependencies import JobDependencies
from porchlight.ports import CalendarFile, EmailMessage
from tenants.kit import clock, money

TEMPLATES = EmailTemplates(
    "porchlight.features.bookings.emails",
    {
        "booking": MailKind.AGREEMENT,
        "booking/reminder": MailKind.REMINDERS,
        "agenda": MailKind.AGENDA,
    },
)
WHY: dict[Side, str] = {
    "person": "You're receiving this because you booked a session on Porchlight.",
    "guru": "You're receiving this because neighbors can book sessions on your site.",
}
WHY_WAITING = "You're receiving this because you joined a waitlist on Porchlight."
_METHODS: dict[str, Literal["request", "cancel"]] = {
    "booked": "request", "accepted": "request", "moved": "request", "move_accepted": "request",
    "clocks_changed": "request", "place_changed": "request",
    "canceled": "cancel", "move_declined": "cancel",
}  # fmt: skip
_REPLY: dict[Side, str] = {
    "person": "To write to {guru}, reply to this email.",
    "guru": "To write to {person}, reply to this email.",
}
_PLACES = {"guru": "At {guru}'s place", "person": "At {person}'s place", "online": "Online", "agreed": "To be agreed"}


@dataclass(frozen=True, slots=True)
class BookingFacts:
    """The facts about a booking that emails tell. `moved_from` is its start before the last move."""

    id: UUID
    appointment_id: UUID
    series_id: UUID | None
    status: str
    sequence: int
    person_id: UUID
    guru_label: str
    guru_name: str
    person_name: str
    participants: list[str]
    party: int
    note: str
    service_id: UUID
    service_name: str
    starts_at: datetime
    ends_at: datetime
    zone: str
    price_cents: int
    place: str
    place_text: str
    person_address: str
    waiver_level: str
    waiver_until: datetime | None
    expires_at: datetime | None
    ended_by: str
    reason: str
    owed_cents: int
    proposed_start: datetime | None
    proposed_until: datetime | None
    proposed_reason: str
    proposals: int
    moved_from: datetime | None

    @property
    def has_proposal(self) -> bool:
        """Whether the guru's proposal of another time is open."""
        return self.proposed_until is not None and self.proposed_until > clock.now()

    @property
    def lacks_waiver(self) -> bool:
        """Whether the session needs a waiver that is not valid at its start."""
        if not self.waiver_level:
            return False
        return self.waiver_until is None or self.waiver_until <= self.starts_at


@dataclass(frozen=True, slots=True)
class QueuedEmail:
    """A row of `booking_emails`."""

    booking_id: UUID
    kind: str
    side: Side
    sequence: int
    created_at: datetime


def booking_email(
    jobs: JobDependencies,
    tenant_id: UUID,
    sessions: Sequence[BookingFacts],
    queued: QueuedEmail,
    to: Recipient,
    other_address: str = "",
    opt_out: OptOut | None = None,
) -> EmailMessage:
    """Return the email for one side of a booking, or of several of a series, the earliest first.

    Once a session is confirmed, a reply reaches the other side, at `other_address`. `opt_out`: of a reminder.
    """
    booking = sessions[0]
    text = email_text(queued.kind, queued.side, booking.ended_by)
    values = _values(sessions)
    zone = ZoneInfo(booking.zone)
    is_open = booking.status in ("confirmed", "held")
    reply_to = other_address if booking.status == "confirmed" else ""
    lines = (*text.lines, _REPLY[queued.side]) if reply_to else text.lines
    moved_from = booking.moved_from if queued.kind in ("moved", "move_accepted") else None
    proposed = booking.proposed_start if queued.kind == "proposed" else None
    rows = [
        *_times(sessions, "Now" if proposed else "When"),
        ("Was", format_moment(moved_from.astimezone(zone)) if moved_from else ""),
        ("Where", _place(booking, values) if is_open else ""),
        ("Needed there", booking.place_text if is_open and booking.place == "person" else ""),
        ("Guests", ", ".join(booking.participants)),
        ("Spots", str(booking.party) if booking.party > 1 else ""),
        ("Price", _price(sessions) if is_open else ""),
    ]
    if proposed is not None:
        rows.insert(0, ("New time", format_moment(proposed.astimezone(zone))))
    return TEMPLATES.create_message(
        "booking",
        key=f"booking-{queued.booking_id}-{queued.kind}-{queued.side}-{queued.sequence}",
        tenant_id=tenant_id,
        to=to,
        name=values["guru" if queued.side == "guru" else "own_name"],
        why=WHY_WAITING if queued.kind == "spot_free" else WHY[queued.side],
        action=Action(text.button.format_map(values), _action_url(jobs, booking, queued.side, text)),
        notice="There's news about your session",
        reply_to=reply_to,
        variant="reminder" if queued.kind in REMINDERS else "",
        opt_out=opt_out,
        invitation=_calendar_file(jobs, sessions, queued, to.address, values),
        words={
            "subject_text": text.subject.format_map(values),
            "lines": [line.format_map(values) for line in lines],
            "quote_label": _quote_label(booking, queued, values),
        },
        # The place may be the link of a call.
        verbatim={"rows": rows, "quote": _quote(booking, queued)},
    )


def agenda_email(
    jobs: JobDependencies,
    tenant_id: UUID,
    day: date,
    sessions: list[BookingFacts],
    address: str,
    opt_out: OptOut,
) -> EmailMessage:
    """Return the guru's list of the sessions of a day, for a verified address."""
    rows = []
    for booking in sessions:
        zone = ZoneInfo(booking.zone)
        period = format_period(booking.starts_at.astimezone(zone), booking.ends_at.astimezone(zone))
        rows.append((period, f"{booking.service_name} with {booking.person_name or 'a neighbor'}"))
    return TEMPLATES.create_message(
        "agenda",
        key=f"agenda-{tenant_id}-{day.isoformat()}",
        tenant_id=tenant_id,
        to=Recipient(address, is_verified=True),
        name=sessions[0].guru_name,
        why=WHY["guru"],
        action=Action("Open your calendar", f"{jobs.main_origin}/guru/calendar"),
        opt_out=opt_out,
        words={"rows": rows},
        facts={"day": format_day(day)},
    )


def _times(sessions: Sequence[BookingFacts], label: str) -> list[tuple[str, str]]:
    """Return the rows with the times of the sessions. `label`: of the only one."""
    rows = []
    for number, one in enumerate(sessions, start=1):
        zone = ZoneInfo(one.zone)
        period = format_period(one.starts_at.astimezone(zone), one.ends_at.astimezone(zone))
        rows.append((label if len(sessions) == 1 else f"Session {number}", period))
    return rows


def _price(sessions: Sequence[BookingFacts]) -> str:
    price = money.format_cents(sessions[0].price_cents)
    if len(sessions) == 1:
        return price
    total = money.format_cents(sum(one.price_cents for one in sessions))
    return f"{price} for each session, {total} in total"


def _values(sessions: Sequence[BookingFacts]) -> dict[str, str]:
    """Return the values of the placeholders in texts."""
    booking, count = sessions[0], len(sessions)
    zone = ZoneInfo(booking.zone)
    owed = money.format_cents(booking.owed_cents)
    answer_until = booking.expires_at or booking.proposed_until
    return {
        "guru": booking.guru_name,
        "person": booking.person_name or "A neighbor",  # the account was deleted
        "own_name": booking.person_name,
        "service": booking.service_name if count == 1 else f"{count} sessions of {booking.service_name}",
        "session": "session" if count == 1 else "sessions",
        "a_session": "a session" if count == 1 else f"{count} sessions",
        "session_is": "Your session is" if count == 1 else f"Your {count} sessions are",
        "answer_until": format_moment(answer_until.astimezone(zone)) if answer_until else "",
        "held_until": format_clock(booking.expires_at.astimezone(zone)) if booking.expires_at else "",
        "clock": format_clock(booking.starts_at.astimezone(zone)),
        "starts": f"{booking.starts_at.astimezone(zone):%A}, {format_clock(booking.starts_at.astimezone(zone))}",
        "you_owe": f"Under the terms of your booking, you owe {owed}." if booking.owed_cents else "You owe nothing.",
        "they_owe": f"Under the terms of the booking, they owe {owed}." if booking.owed_cents else "They owe nothing.",
    }


def _place(booking: BookingFacts, values: dict[str, str]) -> str:
    """Return the address or link of a confirmed session, else what kind of place it is."""
    known = booking.person_address if booking.place == "person" else booking.place_text
    is_known = known != "" and booking.status == "confirmed"
    return known if is_known else _PLACES[booking.place].format_map(values)


def _quote(booking: BookingFacts, queued: QueuedEmail) -> str:
    if queued.kind == "proposed":
        return booking.proposed_reason
    return booking.reason if booking.ended_by else booking.note


def _quote_label(booking: BookingFacts, queued: QueuedEmail, values: dict[str, str]) -> str:
    """Return the heading of the quoted text: the reason of the proposal or the end, or the person's note."""
    if queued.kind == "proposed":
        return "The reason"
    if not booking.ended_by:
        return "Your note" if queued.side == "person" else f"{values['person']}'s note"
    return "Your reason" if booking.ended_by == queued.side else "The reason"


def _action_url(jobs: JobDependencies, booking: BookingFacts, side: Side, text: EmailText) -> str:
    if side == "guru":
        return f"{jobs.main_origin}/guru/calendar?booking={booking.id}"
    if text.link == "booking":
        return f"{jobs.main_origin}/sessions/{booking.id}"
    if text.link == "waitlist":
        return f"{jobs.main_origin}/sessions/waitlist/{booking.appointment_id}"
    return times_url(jobs, booking.guru_label, booking.service_id)


def times_url(jobs: JobDependencies, guru_label: str, service_id: UUID) -> str:
    """Return the URL of the page with the free times of a service."""
    return f"{jobs.guru_origin(guru_label)}/services/{service_id}/times"


def _calendar_file(
    jobs: JobDependencies,
    sessions: Sequence[BookingFacts],
    queued: QueuedEmail,
    recipient: str,
    values: dict[str, str],
) -> CalendarFile | None:
    method = _METHODS.get(queued.kind)
    if method is None:
        return None
    events = [_invitation(jobs, one, queued, method, recipient, values) for one in sessions]
    return invitation_file(events[0]) if len(events) == 1 else sessions_file(events)


def _invitation(
    jobs: JobDependencies,
    booking: BookingFacts,
    queued: QueuedEmail,
    method: Literal["request", "cancel"],
    recipient: str,
    values: dict[str, str],
) -> Invitation:
    own, other = values["person"], booking.guru_name
    path = f"sessions/{booking.id}"
    if queued.side == "guru":
        own, other = other, own
        path = f"guru/calendar?booking={booking.id}"
    return Invitation(
        booking_id=booking.id,
        sequence=booking.sequence,
        method=method,
        changed_at=queued.created_at,
        starts_at=booking.starts_at,
        ends_at=booking.ends_at,
        summary=f"{booking.service_name} with {other}",
        description=f"{jobs.main_origin}/{path}",
        location=_place(booking, values),
        organizer_name=booking.guru_name if queued.side == "person" else "Porchlight",
        organizer_address=jobs.sender_address,
        attendee_name=own,
        attendee_address=recipient,
        base_host=jobs.base_host,
    )
