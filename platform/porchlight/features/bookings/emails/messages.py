"""Create the emails about bookings, with calendar invitations, and the guru's agenda."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from uuid import UUID
from zoneinfo import ZoneInfo

from porchlight.contracts import REVIEW_PERIOD
from porchlight.emails.greetings import first_name
from porchlight.emails.kinds import MailKind, OptOut
from porchlight.emails.session_times import format_day, format_period
from porchlight.emails.templates import Action, EmailTemplates, Recipient
from porchlight.features.bookings.calendar_events import (
    GuruSession,
    guru_event,
    person_event,
    person_or_neighbor,
    place_of,
)
from porchlight.features.bookings.emails.clocks import Clocks, clocks_of
from porchlight.features.bookings.emails.costs import (
    cancellation_text,
    charge_values,
    package_text,
    price_text,
    they_owe,
    you_owe,
)
from porchlight.features.bookings.emails.facts import BookingFacts, QueuedEmail
from porchlight.features.bookings.emails.links import booking_url, event_origin, times_url
from porchlight.features.bookings.emails.requests import request_text, without_answer
from porchlight.features.bookings.emails.texts import (
    EACH_ITS_EMAIL,
    LEFT_TEXT,
    REMINDERS,
    WAIVER_REMINDERS,
    EmailText,
    Side,
    email_text,
    series_text,
)
from porchlight.job_dependencies import JobDependencies
from porchlight.ports import CalendarFile, EmailMessage
from tenants.kit import clock

TEMPLATES = EmailTemplates(
    "porchlight.features.bookings.emails",
    {
        "booking": MailKind.AGREEMENT,
        "booking/reminder": MailKind.REMINDERS,
        "review": MailKind.REVIEWS,
        "changes": MailKind.AGREEMENT,
        "agenda": MailKind.AGENDA,
        "customer": MailKind.AGREEMENT,
        "signing_link": MailKind.AGREEMENT,
    },
)
WHY: dict[Side, str] = {
    "person": "You're receiving this because you booked a session on Porchlight.",
    "guru": "You're receiving this because neighbors can book sessions on your site.",
}
WHY_ASKED = "You're receiving this because you asked for a session on Porchlight."
WHY_WAITING = "You're receiving this because you joined a waitlist on Porchlight."
# Emails of these kinds have a calendar file.
CALENDAR_KINDS = frozenset(
    {"booked", "accepted", "moved", "move_accepted", "clocks_changed", "place_changed", "address_changed", "canceled",
     "move_declined"}
)  # fmt: skip
# They say where the person's pass is.
WITH_PASS = frozenset({"booked", "accepted", "moved", "move_accepted", "place_changed"})
WITH_ANSWERS = frozenset({"requested", "booked", "accepted"})
MOVES = frozenset({"moved", "move_accepted"})
TODAY = timedelta(hours=24)
ASKED = frozenset({"requested", "declined", "expired"})  # of requests that are not booked
ENDED = frozenset({"canceled", "declined", "expired"})
# Whether the booking keeps the session of a package.
PACKAGE_LINES = {
    False: "The session is back in your package.",
    True: "It was too late to cancel for free, so the session of your package is used.",
}
_REPLY: dict[Side, str] = {
    "person": "To write to {guru}, reply to this email.",
    "guru": "To write to {person}, reply to this email.",
}
_WHERE_TO_CHANGE: dict[Side, str] = {
    "person": "To move or cancel, open your session here.",
    "guru": "To cancel or ask to move, open the booking here.",
}


@dataclass(frozen=True, slots=True)
class Delivery:
    """The recipient of an email. Once a session is confirmed, replies go to the other side, at `other_address`.

    `opt_out`: how to turn a reminder off, None for other emails.
    """

    to: Recipient
    other_address: str = ""
    opt_out: OptOut | None = None


def booking_email(
    jobs: JobDependencies,
    tenant_id: UUID,
    sessions: Sequence[BookingFacts],
    queued: QueuedEmail,
    delivery: Delivery,
    *,
    site_origin: str,
    position: int = 0,
    session: GuruSession | None = None,
) -> EmailMessage:
    """Return the email for one side of a booking, or of several of a series, the earliest first.

    Each booking of a series has its own email with a calendar file. The one at `position` 0 lists all bookings, the
    others only their own. `session` is the booking's session, for the guru's calendar. `site_origin` is that of the
    guru's site.
    """
    booking, count = sessions[position], len(sessions)
    text = request_text(booking, queued) or email_text(
        queued.kind, queued.side, booking.ended_by, is_customer=booking.customer_token is not None
    )
    if position:
        sessions, text = [booking], series_text(queued.kind, queued.side)
    clocks = clocks_of(booking, queued.side)
    values = text_values(sessions, clocks) | {"number": str(position + 1), "count": str(count)}
    is_open = booking.status in ("confirmed", "held")
    reply_to = delivery.other_address if booking.status == "confirmed" else ""
    invitation = _calendar_file(jobs, booking, queued, delivery.to.address, session)
    lines = [
        *text.lines,
        *([PACKAGE_LINES[bool(booking.package_sessions)]] if _is_about_package(booking, queued) else []),
        *([EACH_ITS_EMAIL] if invitation and len(sessions) > 1 else []),
        *([_REPLY[queued.side]] if reply_to else []),
        *([_about_changes(jobs, queued.side)] if invitation and invitation.method == "REQUEST" else []),
    ]
    rows = [
        *_times(sessions, clocks, queued.kind),
        ("Still to sign", ", ".join(booking.unsigned) if queued.kind in WAIVER_REMINDERS else ""),
        *(preparation_rows(booking) if is_open else []),
        ("Guests", ", ".join(booking.participants)),
        ("Spots", str(booking.party) if booking.party > 1 else ""),
        ("Package", package_text(sessions) if is_open else ""),
        ("Price", price_text(sessions) if is_open else ""),
        ("Cancellation", cancellation_text(sessions, clocks) if queued.side == "person" else ""),
        ("Your pass", _pass_url(jobs, booking, queued, sessions)),
    ]
    return TEMPLATES.create_message(
        "booking",
        key=f"booking-{queued.booking_id}-{queued.kind}-{queued.side}-{queued.sequence}",
        tenant_id=tenant_id,
        to=delivery.to,
        name=values["guru" if queued.side == "guru" else "own_name"],
        why=_why(booking, queued),
        action=Action(text.button.format_map(values), _action_url(jobs, site_origin, booking, queued.side, text)),
        notice="There's news about your session",
        reply_to=reply_to,
        variant="reminder" if queued.kind in REMINDERS else "",
        is_urgent=any(map(needs_answer_today, sessions)),
        opt_out=delivery.opt_out,
        invitation=invitation,
        words={
            "subject_text": text.subject.format_map(values),
            "lines": [line.format_map(values) for line in lines],
            "quote_label": quote_label(booking, queued, values),
        },
        # The place may be the link of a call.
        verbatim={
            "rows": rows,
            "quote": quote_of(booking, queued),
            "answers": answers_of(booking, [queued.kind], queued.side),
        },
    )


def review_email(
    jobs: JobDependencies, tenant_id: UUID, booking: BookingFacts, queued: QueuedEmail, delivery: Delivery
) -> EmailMessage:
    """Return the email to one side about the reviews of a session. It never has what a review says."""
    text = email_text(queued.kind, queued.side, "")
    clocks = clocks_of(booking, queued.side)
    values = text_values([booking], clocks)
    path = f"sessions/{booking.id}#reviews" if queued.side == "person" else "guru/reviews"
    return TEMPLATES.create_message(
        "review",
        key=f"booking-{queued.booking_id}-{queued.kind}-{queued.side}-{queued.sequence}",
        tenant_id=tenant_id,
        to=delivery.to,
        name=values["guru" if queued.side == "guru" else "own_name"],
        why=WHY[queued.side],
        action=Action(text.button, f"{jobs.main_origin}/{path}"),
        notice="There's news about your session",
        opt_out=delivery.opt_out,
        words={
            "subject_text": text.subject.format_map(values),
            "lines": [line.format_map(values) for line in text.lines],
            "session": f"{booking.service_name}, {clocks.period(booking.starts_at, booking.ends_at)}",
        },
    )


def needs_answer_today(booking: BookingFacts) -> bool:
    """Return whether its session, or the time to answer about it, is within TODAY. Such a note waits for no one."""
    now = clock.now()
    moments = (booking.starts_at, booking.expires_at, booking.proposed_until)
    return any(moment is not None and now < moment < now + TODAY for moment in moments)


def preparation_rows(booking: BookingFacts) -> list[tuple[str, str]]:
    """Return the rows about where a session takes place, what the guru needs there and what the person brings."""
    return [
        ("Where", place_of(booking)),
        ("Needed there", booking.place_text if booking.place == "person" else ""),
        ("Bring", booking.bring),
    ]


def answers_of(booking: BookingFacts, kinds: Iterable[str], side: Side) -> list[tuple[str, str]]:
    """Return the guru's questions with the person's answers, in emails to the guru about what was asked or booked.

    In others, the guru has read them before.
    """
    if side == "person" or booking.status in ENDED or WITH_ANSWERS.isdisjoint(kinds):
        return []
    return [(one["question"], one["answer"]) for one in booking.answers]


def left_session_email(
    jobs: JobDependencies, tenant_id: UUID, booking: BookingFacts, queued: QueuedEmail, to: Recipient, left: GuruSession
) -> EmailMessage:
    """Return the email to the guru that updates the event of the session that a moved booking has left."""
    clocks = clocks_of(booking, "guru")
    values = text_values([booking], clocks)
    seats = sum(party for _, party in left.people)
    return TEMPLATES.create_message(
        "booking",
        key=f"booking-{queued.booking_id}-left-guru-{queued.sequence}",
        tenant_id=tenant_id,
        to=to,
        name=values["guru"],
        why=WHY["guru"],
        action=Action(LEFT_TEXT.button, booking_url(jobs, booking, "guru")),
        notice="There's news about your session",
        is_urgent=needs_answer_today(booking),
        invitation=guru_event(booking, left, event_origin(jobs), to.address, queued.created_at),
        words={
            "subject_text": LEFT_TEXT.subject.format_map(values),
            "lines": [line.format_map(values) for line in LEFT_TEXT.lines],
            "quote_label": "",
        },
        verbatim={
            "rows": [
                ("When", clocks.period(left.starts_at, left.ends_at)),
                ("Booked", f"{seats} of {left.capacity} spots" if seats else "No spots"),
            ],
            "quote": "",
            "answers": [],
        },
    )


def agenda_email(
    jobs: JobDependencies,
    tenant_id: UUID,
    day: date,
    sessions: list[BookingFacts],
    to: Recipient,
    opt_out: OptOut,
    *,
    has_more: bool,
) -> EmailMessage:
    """Return the guru's list of the sessions of a day, for a verified address. `has_more`: the list is cut."""
    rows = []
    for booking in sessions:
        zone = ZoneInfo(booking.zone)
        period = format_period(booking.starts_at.astimezone(zone), booking.ends_at.astimezone(zone))
        rows.append((period, f"{booking.service_name} with {booking.person_name or 'a neighbor'}"))
    return TEMPLATES.create_message(
        "agenda",
        key=f"agenda-{tenant_id}-{day.isoformat()}",
        tenant_id=tenant_id,
        to=to,
        name=sessions[0].guru_name,
        why=WHY["guru"],
        action=Action("Open your calendar", f"{jobs.main_origin}/guru/calendar"),
        opt_out=opt_out,
        words={"rows": rows},
        facts={"day": format_day(day), "has_more": has_more},
    )


def _times(sessions: Sequence[BookingFacts], clocks: Clocks, kind: str) -> list[tuple[str, str]]:
    """Return the rows with the times of the sessions: the one to answer about first, and the one before a move."""
    rows: list[tuple[str, str]] = []
    for number, one in enumerate(sessions, start=1):
        count = f" {number}" if len(sessions) > 1 else ""
        proposed = one.proposed_start if kind == "proposed" else None
        if proposed is not None:
            rows.append((f"New time{count}", clocks.moment(proposed)))
        present = "Asked for" if one.status == "requested" else "Now"
        label = present if proposed is not None else "Session" if count else "When"
        rows.append((f"{label}{count}", clocks.period(one.starts_at, one.ends_at)))
        if kind in MOVES and one.moved_from:
            rows.append((f"Was{count}", clocks.moment(one.moved_from)))
    return rows


def _why(booking: BookingFacts, queued: QueuedEmail) -> str:
    """Return why the recipient gets the email. A request was asked for, not booked."""
    if queued.kind == "spot_free":
        return WHY_WAITING
    is_asked = queued.kind in ASKED or booking.status == "requested"
    return WHY_ASKED if queued.side == "person" and is_asked else WHY[queued.side]


def _is_about_package(booking: BookingFacts, queued: QueuedEmail) -> bool:
    """Return whether the person has to know what becomes of the session of their package."""
    return queued.side == "person" and bool(booking.package_name) and booking.status in ENDED


def text_values(sessions: Sequence[BookingFacts], clocks: Clocks) -> dict[str, str]:
    """Return the values of the placeholders in texts."""
    booking, count = sessions[0], len(sessions)
    expires_at = booking.proposed_until if booking.has_proposal else booking.expires_at
    answer_until = expires_at or booking.proposed_until
    stays = "stays as it is" if count == 1 else "stay as they are"
    return {
        "guru": booking.guru_name,
        "person": person_or_neighbor(booking),
        "person_first": first_name(person_or_neighbor(booking)),
        "own_name": booking.person_name,
        "account": booking.claimed_by or "A neighbor",
        "service": booking.service_name if count == 1 else f"{count} sessions of {booking.service_name}",
        "session": "session" if count == 1 else "sessions",
        "a_session": "a session" if count == 1 else f"{count} sessions",
        "session_is": "Your session is" if count == 1 else f"Your {count} sessions are",
        "session_has_time": "Your session has a new time" if count == 1 else f"Your {count} sessions have new times",
        "stays": stays,
        "session_stays": f"your {'session' if count == 1 else 'sessions'} {stays}",
        "Session_stays": f"Your {'session' if count == 1 else 'sessions'} {stays}",
        "or_else": without_answer(booking, count),
        "answer_until": clocks.moment(answer_until) if answer_until else "",
        "held_until": clocks.clock(booking.expires_at) if booking.expires_at else "",
        "clock": clocks.clock(booking.starts_at),
        "starts": clocks.weekday_and_clock(booking.starts_at),
        "starts_short": ("" if count == 1 else "from ") + clocks.short(booking.starts_at),
        "answer_short": clocks.short(answer_until) if answer_until else "",
        "review_until": clocks.moment(booking.ends_at + REVIEW_PERIOD),
        "you_owe": you_owe(sessions),
        "they_owe": they_owe(sessions),
    } | charge_values(booking)


def quote_of(booking: BookingFacts, queued: QueuedEmail) -> str:
    """Return what a person wrote: the reason of the proposal or the end, or the note."""
    if queued.kind == "proposed":
        return booking.proposed_reason
    return booking.reason if booking.ended_by else booking.note


def quote_label(booking: BookingFacts, queued: QueuedEmail, values: dict[str, str]) -> str:
    """Return the heading of the quoted text: the reason of the proposal or the end, or the person's note."""
    if queued.kind == "proposed":
        return "The reason"
    if not booking.ended_by:
        return "Your note" if queued.side == "person" else f"{values['person']}'s note"
    return "Your reason" if booking.ended_by == queued.side else "The reason"


def _action_url(jobs: JobDependencies, site_origin: str, booking: BookingFacts, side: Side, text: EmailText) -> str:
    if side == "guru" or text.link == "booking":
        return booking_url(jobs, booking, side)
    if text.link == "waitlist":
        return f"{jobs.main_origin}/sessions/waitlist/{booking.appointment_id}"
    return times_url(site_origin, booking.service_id)


def _about_changes(jobs: JobDependencies, side: Side) -> str:
    return f"{event_origin(jobs).about_answers(side)} {_WHERE_TO_CHANGE[side]}"


def _pass_url(
    jobs: JobDependencies, booking: BookingFacts, queued: QueuedEmail, sessions: Sequence[BookingFacts]
) -> str:
    """Return the address of the person's pass, in an email that confirms one session."""
    is_confirmed = queued.kind in WITH_PASS and booking.status == "confirmed"
    if queued.side != "person" or not is_confirmed or len(sessions) > 1:
        return ""
    return f"{jobs.main_origin}/sessions/{queued.booking_id}/pass"


def _calendar_file(
    jobs: JobDependencies, booking: BookingFacts, queued: QueuedEmail, address: str, session: GuruSession | None
) -> CalendarFile | None:
    if queued.kind not in CALENDAR_KINDS:
        return None
    if queued.side == "person":
        return person_event(booking, event_origin(jobs), address, queued.created_at)
    return guru_event(booking, session, event_origin(jobs), address, queued.created_at) if session else None
