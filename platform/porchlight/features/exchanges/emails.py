"""The emails about exchanges: one to a side for a step, with the calendar event of an agreed session."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID
from zoneinfo import ZoneInfo

from porchlight.emails.kinds import MailKind, find_opt_out
from porchlight.emails.templates import Action, EmailTemplates, Recipient
from porchlight.features.exchanges.calendar_events import ExchangeOrigin, exchange_event, place_text
from porchlight.features.exchanges.hours_rules import Mode, hours_text
from porchlight.features.exchanges.queries import ONE, ExchangeRow
from porchlight.features.exchanges.reminders import REMINDERS
from porchlight.job_dependencies import JobDependencies
from porchlight.ports import EmailMessage
from tenants.db.rows import Connection, fetch_one
from tenants.kit.zones import UTC_NAME, zone_label

TEMPLATES = EmailTemplates(
    "porchlight.features.exchanges", {"exchange": MailKind.AGREEMENT, "exchange/reminder": MailKind.REMINDERS}
)
_RECIPIENT = """
SELECT u.email, u.email_verified, coalesce(p.display_name, '') AS name
  FROM users u LEFT JOIN profiles p ON p.user_id = u.user_id
 WHERE u.user_id = %(user)s AND u.status = 'active' AND u.email <> ''"""
_IN_CALENDAR = frozenset({"confirmed", "canceled"})
_OPEN_KINDS = frozenset({"asked", "countered"})
_WAIVER_KINDS = frozenset(one.kind for one in REMINDERS if one.is_waiver)
_REMINDER_KINDS = frozenset(one.kind for one in REMINDERS)


@dataclass(frozen=True, slots=True)
class _Recipient:
    email: str
    email_verified: bool
    name: str


@dataclass(frozen=True, slots=True)
class Text:
    """The text of an email about a step: the subject, a line, the button, and who wrote the words it quotes."""

    subject: str
    line: str
    button: str
    quote_label: str = ""


# {other}: the other one's name; {skill}: the listing's title.
_TEXTS: Mapping[str, Text] = {
    "asked": Text(
        "{other} asks you for a session: {skill}",
        "{other} would like to learn from you. Accept a time, propose others, or decline.",
        "Answer",
        "Their note",
    ),
    "countered": Text(
        "{other} proposes other times: {skill}",
        "{other} can't make the times so far and proposes these. Accept one, propose others, or decline.",
        "Answer",
        "Their words",
    ),
    "confirmed": Text(
        "Your session with {other} is agreed: {skill}",
        "You two agreed on a time. The session is in the attached calendar file.",
        "See the session",
    ),
    "declined": Text(
        "{other} can't take this session: {skill}",
        "{other} declined. You can ask for another time, or find another neighbor.",
        "See what happened",
        "Their words",
    ),
    "withdrawn": Text(
        "{other} took back the request: {skill}",
        "{other} no longer needs this session. You have nothing to do.",
        "See what happened",
        "Their words",
    ),
    "canceled": Text(
        "Canceled: your session with {other}: {skill}",
        "{other} canceled this session. The attached file removes it from your calendar.",
        "See what happened",
        "Their words",
    ),
    "expired": Text(
        "{other} didn't answer in time: {skill}",
        "There was no answer to the proposed times, so the request ended. You can ask again with other times.",
        "See the request",
    ),
    "day_before": Text(
        "Coming up: your session with {other}: {skill}",
        "Your session with {other} is coming up. If you can't make it, please cancel it on its page.",
        "See the session",
    ),
    "soon": Text(
        "Starting soon: your session with {other}: {skill}", "Your session with {other} starts soon.", "See the session"
    ),
    "record_due": Text(
        "How long was your session with {other}? {skill}",
        "Record the time within a week of the session, so that it counts. Without a record, nothing is entered.",
        "Record the time",
    ),
    "recorded": Text(
        "Is this right? Your session with {other}: {skill}",
        "{other} recorded the time of your session. Confirm it, or object if it isn't right. Without an answer, "
        "it counts.",
        "Confirm or object",
        "Their words",
    ),
    "objected": Text(
        "{other} names another time: {skill}",
        "{other} doesn't agree with the time that you recorded and names another one. Confirm it, or object if it "
        "isn't right. Without an answer, it counts.",
        "Confirm or object",
        "Their words",
    ),
    "settled": Text(
        "Settled: your session with {other}: {skill}", "The time of your session is settled.", "See the session"
    ),
    "unsettled": Text(
        "Not settled: your session with {other}: {skill}",
        "You two named different times three times, so nothing is entered for this session. Please talk to each other.",
        "See the session",
        "Their words",
    ),
    "not_recorded": Text(
        "No time was recorded: your session with {other}: {skill}",
        "The time of this session was not settled, so nothing is entered for it.",
        "See the session",
    ),
    "reversal_asked": Text(
        "{other} wants to take this back: {skill}",
        "{other} would like to take back what was settled for this session. It counts once you agree.",
        "Answer",
        "Their words",
    ),
    "reversal_declined": Text(
        "{other} wants to keep this as it is: {skill}",
        "{other} did not agree to take back what was settled for this session, so it stays as it is.",
        "See the session",
        "Their words",
    ),
    "reversed": Text(
        "Taken back: your session with {other}: {skill}",
        "You both agreed to take back what was settled for this session.",
        "See the session",
    ),
    **dict.fromkeys(
        _WAIVER_KINDS,
        Text(
            "A waiver is due for your session with {other}: {skill}",
            "There is no liability waiver that is valid when this session starts. Please accept it before you start.",
            "Accept the waiver",
        ),
    ),
}
_TIME_KINDS = frozenset({"recorded", "objected", "settled", "reversal_asked", "reversal_declined", "reversed"})
_MODES: Mapping[Mode, str] = {"hours": "Hours", "swap": "A swap", "free": "Free help", "direct": ""}
_OWN_CANCELLATION = "You canceled this session. The attached file removes it from your calendar."


def exchange_email(
    conn: Connection, user_id: UUID, exchange_id: UUID, kind: str, sequence: int, jobs: JobDependencies
) -> EmailMessage | None:
    """Return the email about a step for one of the two, or None if it no longer holds. In their transaction.

    Its key is unique per exchange, kind, side and sequence: a second run sends nothing.
    """
    row = fetch_one(conn, ExchangeRow, ONE, {"user": user_id, "id": exchange_id})
    recipient = fetch_one(conn, _Recipient, _RECIPIENT, {"user": user_id})
    if row is None or recipient is None or row.sequence != sequence:
        return None
    side, text = row.side(user_id), _TEXTS[kind]
    if kind in _WAIVER_KINDS and not row.waiver_due:
        return None
    zone = (row.teacher_zone if side == "teacher" else row.learner_zone) or row.learner_zone or row.teacher_zone
    is_own_step = row.ended_by == side
    names = {"other": row.other_name, "skill": row.skill or "Session"}
    own_name = recipient.name or "You"
    words = row.note if kind == "asked" else row.reply if row.reply_by not in ("", side) else ""
    needs_waiver = row.waiver_due and side == "learner" and kind not in _WAIVER_KINDS
    is_reminder = kind in _REMINDER_KINDS
    times = row.proposals if kind in _OPEN_KINDS or row.starts_at is None else [row.starts_at]
    rows = [
        ("Session", names["skill"]),
        *(("When", time_text(start, row.minutes, zone)) for start in times),
        ("Where", place_text(row, user_id, own_name)),
        ("In return", _MODES[row.mode]),
        ("Time", _recorded_text(row.recorded_minutes or 0) if kind in _TIME_KINDS else ""),
        ("Object by", time_text(row.settle_by, 0, zone) if kind in _TIME_KINDS and row.settle_by else ""),
        ("Record it by", time_text(row.settle_by, 0, zone) if kind == "record_due" and row.settle_by else ""),
        ("Answer by", time_text(row.expires_at, 0, zone) if kind in _OPEN_KINDS and row.expires_at else ""),
    ]
    origin = ExchangeOrigin(jobs.main_origin, jobs.base_host, jobs.sender_address)
    return TEMPLATES.create_message(
        "exchange",
        key=f"exchange-{exchange_id}-{kind}-{side}-{sequence}",
        to=Recipient(recipient.email, recipient.email_verified, person=user_id),
        name=recipient.name,
        why="You're receiving this because you arrange sessions with neighbors on Porchlight.",
        action=Action(text.button, f"{jobs.main_origin}/exchanges/{exchange_id}"),
        notice="There's news about a session with a neighbor on Porchlight",
        variant="reminder" if is_reminder else "",
        opt_out=find_opt_out(conn, MailKind.REMINDERS, user_id, jobs.main_origin) if is_reminder else None,
        words={
            "subject_text": text.subject.format_map(names),
            "line": _OWN_CANCELLATION if kind == "canceled" and is_own_step else text.line.format_map(names),
            "rows": rows,
        },
        verbatim={"quote": words} if words else {},
        facts={
            "quote": "",
            "quote_label": text.quote_label,
            "needs_waiver": needs_waiver,
        },
        invitation=exchange_event(row, user_id, origin, own_name, recipient.email) if kind in _IN_CALENDAR else None,
    )


def time_text(start: datetime, minutes: int, zone: str) -> str:
    """Return a time with weekday, date and zone, like "Tuesday, December 1, 2026, 9:00 AM – 10:00 AM MST"."""
    name = zone or UTC_NAME
    local = start.astimezone(ZoneInfo(name))
    end = (start + timedelta(minutes=minutes)).astimezone(ZoneInfo(name))
    clock_text = _clock(local) if not minutes else f"{_clock(local)} – {_clock(end)}"
    return f"{local:%A, %B} {local.day}, {local.year}, {clock_text} {zone_label(local)}"


def _recorded_text(minutes: int) -> str:
    return hours_text(minutes) if minutes else "It did not take place"


def _clock(moment: datetime) -> str:
    return f"{moment:%I:%M %p}".removeprefix("0")
