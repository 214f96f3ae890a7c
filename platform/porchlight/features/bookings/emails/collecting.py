"""Collect the emails of a burst to one recipient, and send them as one (see `pace`)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from psycopg.rows import dict_row

from porchlight.features.bookings.calendar_events import EventOrigin, guru_event, person_event
from porchlight.features.bookings.emails.changes import BookingChanges, changes_email
from porchlight.features.bookings.emails.facts import FACTS, BookingFacts, QueuedEmail
from porchlight.features.bookings.emails.guru_sessions import guru_session
from porchlight.features.bookings.emails.links import event_origin
from porchlight.features.bookings.emails.messages import CALENDAR_KINDS, MOVES
from porchlight.features.bookings.emails.pace import RecentEmails, collected_until
from porchlight.features.bookings.emails.recipients import job_contacts, verified_address
from porchlight.features.bookings.emails.texts import CHARGE_KINDS, REMINDERS, REVIEW_KINDS, SERIES_KINDS, Side
from porchlight.job_dependencies import JobDependencies
from porchlight.ports import CalendarFile
from tenants.db.rows import Connection, fetch_all, fetch_one, fetch_values
from tenants.db.tasks import TenantJob
from tenants.kit import clock
from tenants.kit.logs import log

# No burst causes them: a booking has each of them once, and a seat is offered to one person at a time.
# Emails about reviews have a choice of their own, so they are not part of the one that collects others.
UNPACED_KINDS = REMINDERS | REVIEW_KINDS | CHARGE_KINDS | {"spot_free", "claimed", "person_said_no", "guru_said_no"}
MAX_COLLECTED = 100  # in one email; the next one has the others
MAX_SEND_ATTEMPTS = 10  # over 17 hours
_RECENT = """
SELECT count(*) FILTER (WHERE NOT e.collected AND e.created_at < %(at)s
                          AND e.created_at > %(at)s - interval '1 hour') AS prompt,
       count(*) FILTER (WHERE e.person_id = %(person)s AND NOT e.collected AND e.created_at < %(at)s
                          AND e.created_at > %(at)s - interval '24 hours')
       + count(DISTINCT e.sent_at) FILTER (WHERE e.person_id = %(person)s AND e.collected
                                             AND e.sent_at > app.now() - interval '24 hours')
       + coalesce(max(1) FILTER (WHERE e.person_id = %(person)s AND e.collected AND e.status = 'due'), 0) AS of_account,
       count(*) FILTER (WHERE e.person_id = %(person)s AND e.created_at = %(at)s) AS of_change,
       coalesce(bool_or(e.collected AND e.status = 'due' AND e.booking_id = %(booking)s), false) AS is_waiting
  FROM booking_emails e
 WHERE e.tenant_id = %(tenant)s AND e.side = %(side)s AND (e.side = 'guru' OR e.person_id = %(person)s)
   AND e.created_at > %(at)s - interval '48 hours' AND e.status <> 'void' AND e.kind <> ALL (%(unpaced)s)"""
_COLLECT = """
UPDATE booking_emails SET collected = true, due_at = %(until)s
 WHERE tenant_id = %(tenant)s AND booking_id = %(booking)s AND kind = %(kind)s AND side = %(side)s
   AND sequence = %(sequence)s"""
# The email stays one of its booking: when it is due, it is outdated if the booking has changed since.
_DELAY = """
UPDATE booking_emails SET attempts = 1, due_at = %(until)s
 WHERE tenant_id = %(tenant)s AND booking_id = %(booking)s AND kind = %(kind)s AND side = %(side)s
   AND sequence = %(sequence)s"""
# All of them are sent when the first is due.
_CLAIM = """
SELECT e.booking_id, e.kind, e.side, e.sequence, e.attempts, e.created_at, e.due_at <= app.now() AS is_due
  FROM booking_emails e
 WHERE e.tenant_id = %(tenant)s AND e.side = %(side)s AND (e.side = 'guru' OR e.person_id = %(person)s)
   AND e.status = 'due' AND e.collected
 ORDER BY e.created_at, e.booking_id, e.sequence, e.kind LIMIT %(max)s FOR UPDATE SKIP LOCKED"""
_SET_RESULTS = """
UPDATE booking_emails e
   SET attempts = attempts + 1, sent_at = CASE WHEN %(status)s = 'sent' THEN app.now() END,
       status = CASE WHEN %(status)s = 'due' AND attempts + 1 >= %(max_attempts)s THEN 'failed' ELSE %(status)s END,
       due_at = app.now() + make_interval(mins => (2 ^ attempts)::integer)
  FROM unnest(%(bookings)s::uuid[], %(kinds)s::text[], %(sequences)s::integer[]) AS c (booking_id, kind, sequence)
 WHERE e.tenant_id = %(tenant)s AND e.side = %(side)s AND e.booking_id = c.booking_id AND e.kind = c.kind
   AND e.sequence = c.sequence"""
_BOOKINGS = FACTS + " WHERE b.tenant_id = %s AND b.id = ANY (%s)"
# One email is about all bookings of a series that changed together (emails.routing).
_SERIES = """
SELECT DISTINCT b.id, b.starts_at FROM bookings b
  JOIN bookings f ON f.tenant_id = b.tenant_id AND f.person_id = b.person_id AND f.series_id = b.series_id
  JOIN booking_events e ON e.tenant_id = b.tenant_id AND e.booking_id = b.id AND e.at = %s
 WHERE f.tenant_id = %s AND f.id = %s ORDER BY b.starts_at, b.id"""
# Of which bookings and sessions the recipient's calendar has an event.
_IN_CALENDAR = """
SELECT b.id, b.appointment_id FROM booking_emails e
  JOIN bookings b ON b.tenant_id = e.tenant_id AND b.id = e.booking_id
 WHERE e.tenant_id = %(tenant)s AND e.side = %(side)s AND e.kind = ANY (%(kinds)s) AND e.status = 'sent'
   AND (b.id = ANY (%(bookings)s) OR b.appointment_id = ANY (%(sessions)s))"""
# The starts that a booking has had since, however often it was moved, and the sessions that it has left.
_LEFT = """
SELECT (e.details ->> 'from')::timestamptz AS starts_at, a.id AS appointment_id FROM booking_events e
  LEFT JOIN appointments a ON a.tenant_id = e.tenant_id AND a.service_id = %s
                          AND a.starts_at = (e.details ->> 'from')::timestamptz
 WHERE e.tenant_id = %s AND e.booking_id = %s AND e.event = 'moved' AND e.at >= %s ORDER BY e.number"""


class _LeftStart(NamedTuple):
    starts_at: datetime
    appointment_id: UUID | None


def collect_email(conn: Connection, keys: dict[str, Any], booking: BookingFacts, queued: QueuedEmail) -> bool:
    """Leave an email to the one that collects the recipient's. Return False if it may be sent at once.

    `keys`: those of the email. A customer without an account has one booking, so their email waits alone.
    """
    parameters = keys | {"person": booking.person_id, "at": queued.created_at, "unpaced": list(UNPACED_KINDS)}
    recent = fetch_one(conn, RecentEmails, _RECENT, parameters)
    until = collected_until(clock.now(), recent, _deadline(booking, queued)) if recent else None
    if until is not None:
        is_customer = queued.side == "person" and booking.customer_token is not None
        conn.execute(_DELAY if is_customer else _COLLECT, keys | {"until": until})
    return until is not None


def _deadline(booking: BookingFacts, queued: QueuedEmail) -> datetime:
    """Return until when the recipient can act on a change. It has passed if a waiver is due."""
    if booking.lacks_waiver and booking.status == "confirmed":
        return clock.now()
    moments = [booking.starts_at, booking.expires_at, booking.proposed_until]
    if queued.kind in MOVES:
        moments.append(booking.moved_from)
    return min(moment for moment in moments if moment is not None)


def send_changes(job: TenantJob, side: Side, person_id: UUID | None, jobs: JobDependencies) -> None:
    """Send the collected emails to the guru, or to a person, once the first of them is due."""
    while send_next_changes(job, side, person_id, jobs):
        pass


def send_next_changes(job: TenantJob, side: Side, person_id: UUID | None, jobs: JobDependencies) -> bool:
    """Send one email with up to MAX_COLLECTED collected ones. Return False if none is due.

    The bookings are not locked, so that a change does not wait for the mail server. One that is made meanwhile has an
    email of its own.
    """
    with job.transaction() as conn:
        keys: dict[str, Any] = {"tenant": job.tenant_id, "side": side, "person": person_id, "max": MAX_COLLECTED}
        rows = conn.cursor(row_factory=dict_row).execute(_CLAIM, keys).fetchall()
        are_due = [row.pop("is_due") for row in rows]
        if not any(are_due):
            return False
        queued = [QueuedEmail(**row) for row in rows]
        keys |= {
            "max_attempts": MAX_SEND_ATTEMPTS,
            "bookings": [one.booking_id for one in queued],
            "kinds": [one.kind for one in queued],
            "sequences": [one.sequence for one in queued],
        }
        guru, person = job_contacts(conn)
        to, other_address = (person, verified_address(guru)) if side == "person" else (guru, "")
        if to is None:
            conn.execute(_SET_RESULTS, keys | {"status": "void"})
            return True
        changes = _changes(conn, job.tenant_id, queued)
        if not changes:
            conn.execute(_SET_RESULTS, keys | {"status": "void"})
            return True
        files = _calendar_files(conn, job.tenant_id, changes, side, event_origin(jobs), to.address)
        message = changes_email(jobs, job.tenant_id, side, changes, queued, to, other_address, files)
        try:
            is_sent = jobs.mailer.send(message)
        except OSError as error:
            # The sweep tries again, later each time.
            log.warning("booking_changes_failed", error=type(error).__name__)
            conn.execute(_SET_RESULTS, keys | {"status": "due"})
            return False
        conn.execute(_SET_RESULTS, keys | {"status": "sent" if is_sent else "failed"})
        return True


def _changes(conn: Connection, tenant_id: UUID, queued: Sequence[QueuedEmail]) -> list[BookingChanges]:
    """Return what happened to each booking, in the order of the first changes."""
    kinds: dict[UUID, list[QueuedEmail]] = {}
    for one in queued:
        ids = [one.booking_id]
        if one.kind in SERIES_KINDS - CALENDAR_KINDS:
            ids = fetch_values(conn, UUID, _SERIES, [one.created_at, tenant_id, one.booking_id]) or ids
        for booking_id in ids:
            kinds.setdefault(booking_id, []).append(one)
    bookings = fetch_all(conn, BookingFacts, _BOOKINGS, [tenant_id, list(kinds)])
    facts = {booking.id: booking for booking in bookings}
    changes = []
    for booking_id, emails in kinds.items():
        if booking := facts.get(booking_id):
            left = _left(conn, tenant_id, booking, emails)
            sessions = [start.appointment_id for start in left if start.appointment_id is not None]
            left_at = left[0].starts_at if left else None
            changes.append(BookingChanges(booking, tuple(emails), left_at, tuple(sessions)))
    return changes


def _left(conn: Connection, tenant_id: UUID, booking: BookingFacts, emails: Sequence[QueuedEmail]) -> list[_LeftStart]:
    """Return the start and the session from which each move led that is being reported, the oldest first."""
    moves = [email.created_at for email in emails if email.kind in MOVES]
    if not moves:
        return []
    return fetch_all(conn, _LeftStart, _LEFT, [booking.service_id, tenant_id, booking.id, moves[0]])


def _calendar_files(
    conn: Connection,
    tenant_id: UUID,
    changes: Sequence[BookingChanges],
    side: Side,
    origin: EventOrigin,
    address: str,
) -> list[CalendarFile]:
    """Return one file for each event that changed, with its present state.

    An event that is over before the recipient's calendar had it needs none.
    """
    changed = [one for one in changes if one.calendar_emails]
    keys = {
        "tenant": tenant_id,
        "side": side,
        "kinds": list(CALENDAR_KINDS),
        "bookings": [one.booking.id for one in changed],
        "sessions": [one.booking.appointment_id for one in changed] if side == "guru" else [],
    }
    known: set[UUID] = set()
    for booking_id, appointment_id in conn.execute(_IN_CALENDAR, keys).fetchall():
        known |= {booking_id, appointment_id}
    files: dict[UUID, CalendarFile] = {}
    for one in changed:
        booking, changed_at = one.booking, one.calendar_emails[-1].created_at
        if side == "person":
            if booking.status == "confirmed" or booking.id in known:
                files[booking.id] = person_event(booking, origin, address, changed_at)
            continue
        for appointment_id in dict.fromkeys([booking.appointment_id, *one.left_sessions]):
            session = guru_session(conn, tenant_id, appointment_id)
            if session is None or session.event_id(booking) in files:
                continue
            is_known = appointment_id in one.left_sessions or booking.id in known or appointment_id in known
            if session.stays(booking) or is_known:
                files[session.event_id(booking)] = guru_event(booking, session, origin, address, changed_at)
    return list(files.values())
