"""Send the queued emails of a booking, each once, and the guru's agenda."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

from porchlight.contracts import REVIEW_PERIOD
from porchlight.emails.kinds import MailKind, find_opt_out
from porchlight.emails.templates import Recipient
from porchlight.features.bookings.customers.emails import customer_email
from porchlight.features.bookings.emails.collecting import MAX_SEND_ATTEMPTS, UNPACED_KINDS, collect_email
from porchlight.features.bookings.emails.facts import FACTS, BookingFacts, QueuedEmail
from porchlight.features.bookings.emails.guru_sessions import guru_session
from porchlight.features.bookings.emails.messages import (
    CALENDAR_KINDS,
    MOVES,
    Delivery,
    agenda_email,
    booking_email,
    left_session_email,
    review_email,
)
from porchlight.features.bookings.emails.recipients import job_contacts, verified_address
from porchlight.features.bookings.emails.texts import (
    CHARGE_KINDS,
    REMINDERS,
    REVIEW_KINDS,
    REVIEW_REMINDERS,
    SERIES_KINDS,
    WAIVER_REMINDERS,
)
from porchlight.job_dependencies import JobDependencies
from porchlight.ports import EmailMessage
from tenants.db.rows import Connection, fetch_all, fetch_one, fetch_value
from tenants.db.tasks import TenantJob
from tenants.kit import clock
from tenants.kit.logs import log
from tenants.kit.zones import day_bounds

MAX_AGENDA_BOOKINGS = 200
# The status of a booking in which what the email says is true.
_STATUS = {
    "requested": "requested", "declined": "declined", "expired": "expired", "withdrawn": "canceled",
    "canceled": "canceled", "move_declined": "canceled", "spot_free": "held",
}  # fmt: skip
_TOOK_PLACE = frozenset({"confirmed", "completed"})
_REVIEWED = _TOOK_PLACE | {"missed"}
# One email is about all bookings of a series that changed together: see emails.routing. Where
# calendars change, each booking has its own email, and that of the first lists all.
_EACH_OF_SERIES = SERIES_KINDS & CALENDAR_KINDS
# Each of these changes of a booking has a number of its own, so it still holds only with that number.
_NUMBERED = frozenset({"moved", "canceled", "move_accepted", "move_declined"})
# They are numbered by the proposals of the booking, not by its sequence.
_PROPOSALS = frozenset({"proposed", "proposal_withdrawn", "proposal_expired", "proposal_lapsed"})
# They are about a booking or a request, which may expire with the proposal.
_OF_PROPOSALS = frozenset({"requested", "confirmed"})

# The lock makes a cancellation or a move wait until the email is out, so that no email is outdated when it is sent.
_LOCK_BOOKING = FACTS + " WHERE b.tenant_id = %(tenant)s AND b.id = %(booking)s FOR SHARE OF b"
_TOGETHER = """
  JOIN bookings f ON f.tenant_id = b.tenant_id AND f.person_id = b.person_id AND f.series_id = b.series_id
 WHERE f.tenant_id = %(tenant)s AND f.id = %(booking)s AND b.status = %(status)s
   AND EXISTS (SELECT FROM booking_events e
                WHERE e.tenant_id = b.tenant_id AND e.booking_id = b.id AND e.at = %(changed_at)s
                  AND (%(event)s = '' OR e.event = %(event)s))
   AND (NOT %(is_numbered)s OR EXISTS (
         SELECT FROM booking_emails q
          WHERE q.tenant_id = b.tenant_id AND q.booking_id = b.id AND q.kind = %(kind)s AND q.side = %(side)s
            AND q.created_at = %(changed_at)s AND q.sequence = b.sequence))
 ORDER BY b.starts_at, b.id"""
# Another job may be sending an email of this booking: it holds the lock of the row.
_CLAIM_EMAIL = """
SELECT e.booking_id, e.kind, e.side, e.sequence, e.attempts, e.created_at FROM booking_emails e
 WHERE e.tenant_id = %(tenant)s AND e.booking_id = %(booking)s AND e.status = 'due' AND NOT e.collected
   AND (e.attempts = 0 OR e.due_at <= app.now())
 ORDER BY e.created_at, e.sequence, e.kind, e.side LIMIT 1 FOR UPDATE SKIP LOCKED"""
_SET_RESULT = """
UPDATE booking_emails SET status = %(status)s, attempts = attempts + 1,
       sent_at = CASE WHEN %(status)s = 'sent' THEN app.now() END,
       due_at = app.now() + make_interval(mins => (2 ^ attempts)::integer)
 WHERE tenant_id = %(tenant)s AND booking_id = %(booking)s AND kind = %(kind)s AND side = %(side)s
   AND sequence = %(sequence)s RETURNING attempts"""
_GIVE_UP = """
UPDATE booking_emails SET status = 'failed'
 WHERE tenant_id = %(tenant)s AND booking_id = %(booking)s AND status = 'due' AND attempts >= %(max)s"""
_ZONE = "SELECT zone FROM calendars WHERE tenant_id = %s"
_DAY = """
 WHERE b.tenant_id = %(tenant)s AND b.status = 'confirmed' AND b.starts_at >= %(start)s AND b.starts_at < %(end)s
 ORDER BY b.starts_at, b.id LIMIT %(limit)s"""


def send_booking_emails(job: TenantJob, booking_id: UUID, jobs: JobDependencies) -> None:
    """Send the queued emails of a booking, one transaction each.

    A worker that dies between sending and committing leaves the email queued. It is sent again with the same key, by
    which mail programs and the mailbox recognize it.
    """
    while send_next_email(job, booking_id, jobs):
        pass


def send_next_email(job: TenantJob, booking_id: UUID, jobs: JobDependencies) -> bool:
    """Send one queued email of a booking, or void it if it is outdated. Return False if none was queued.

    In a burst of emails to its recipient, leave it to the email that collects them.
    """
    with job.transaction() as conn:
        keys: dict[str, Any] = {"tenant": job.tenant_id, "booking": booking_id}
        booking = fetch_one(conn, BookingFacts, _LOCK_BOOKING, keys)
        queued = fetch_one(conn, QueuedEmail, _CLAIM_EMAIL, keys)
        if booking is None or queued is None:
            return False
        keys |= {"kind": queued.kind, "side": queued.side, "sequence": queued.sequence}
        if queued.kind not in UNPACED_KINDS and not queued.attempts and collect_email(conn, keys, booking, queued):
            return True
        messages = list(_messages(conn, jobs, job.tenant_id, booking, keys, queued))
        if not messages:
            conn.execute(_SET_RESULT, keys | {"status": "void"})
            return True
        try:
            is_sent = True
            for message in messages:
                is_sent = jobs.mailer.send(message) and is_sent
        except OSError as error:
            # The sweep tries again, later each time.
            log.warning("booking_email_failed", kind=queued.kind, error=type(error).__name__)
            conn.execute(_SET_RESULT, keys | {"status": "due"})
            conn.execute(_GIVE_UP, keys | {"max": MAX_SEND_ATTEMPTS})
            return True
        conn.execute(_SET_RESULT, keys | {"status": "sent" if is_sent else "failed"})
        return True


def send_agenda(job: TenantJob, day: date, jobs: JobDependencies) -> None:
    """Send the guru the list of a local day's sessions, unless none is left."""
    with job.transaction() as conn:
        zone = fetch_value(conn, str, _ZONE, [job.tenant_id])
        if zone is None:
            return
        start, end = day_bounds(ZoneInfo(zone), day)
        parameters = {"tenant": job.tenant_id, "start": start, "end": end, "limit": MAX_AGENDA_BOOKINGS + 1}
        sessions = fetch_all(conn, BookingFacts, FACTS + _DAY, parameters)
        to = job_contacts(conn).guru
        opt_out = find_opt_out(conn, MailKind.AGENDA, None, jobs.main_origin) if sessions else None
    if opt_out is not None and to is not None and to.is_verified:
        listed, has_more = sessions[:MAX_AGENDA_BOOKINGS], len(sessions) > MAX_AGENDA_BOOKINGS
        jobs.mailer.send(agenda_email(jobs, job.tenant_id, day, listed, to, opt_out, has_more=has_more))


def _sessions(conn: Connection, keys: dict[str, Any], booking: BookingFacts, queued: QueuedEmail) -> list[BookingFacts]:
    """Return the bookings that an email is about and for which it still holds.

    For a series, they are those that changed in the same transaction. The others are not locked, so a change while the
    email is sent is possible: it sends its own email, whose calendar file has a higher sequence number.
    """
    if booking.series_id is None or queued.kind not in SERIES_KINDS:
        return [booking] if _is_current(booking, queued) else []
    parameters = keys | {
        "changed_at": queued.created_at, "status": _status_of(booking, queued),
        "event": queued.kind if queued.kind in _PROPOSALS else "", "is_numbered": queued.kind in _NUMBERED,
    }  # fmt: skip
    found = fetch_all(conn, BookingFacts, FACTS + _TOGETHER, parameters)
    if queued.kind in _PROPOSALS:
        found = [one for one in found if one.has_proposal == (queued.kind == "proposed")]
    if queued.kind in _EACH_OF_SERIES and booking.id not in [one.id for one in found]:
        return []
    return found


def _status_of(booking: BookingFacts, queued: QueuedEmail) -> str:
    """Return the status of a booking in which what the email says is true."""
    if queued.kind not in _PROPOSALS:
        return _STATUS.get(queued.kind, "confirmed")
    is_ended = queued.kind == "proposal_expired" and booking.status == "expired"
    return booking.status if is_ended or booking.status in _OF_PROPOSALS else "confirmed"


def _is_current(booking: BookingFacts, queued: QueuedEmail) -> bool:
    """Return whether what the email says still holds."""
    if queued.kind in REVIEW_KINDS:
        is_open = queued.kind == "review_out" or clock.now() < booking.ends_at + REVIEW_PERIOD
        return is_open and booking.status in (_TOOK_PLACE if queued.kind in REVIEW_REMINDERS else _REVIEWED)
    if queued.kind in CHARGE_KINDS:
        wanted = "paid" if queued.kind == "charged" else "unpaid"
        return booking.status in ("canceled", "missed") and booking.card_state == wanted and bool(booking.owed_cents)
    if queued.kind == "claimed":  # also if the booking has changed since
        return True
    number = booking.proposals if queued.kind in _PROPOSALS else booking.sequence
    if number != queued.sequence or booking.status != _status_of(booking, queued):
        return False
    if queued.kind in _PROPOSALS and booking.has_proposal != (queued.kind == "proposed"):
        return False
    if queued.kind == "spot_free" and (booking.expires_at is None or booking.expires_at <= clock.now()):
        return False
    if queued.kind in WAIVER_REMINDERS and not booking.lacks_waiver:
        return False
    return queued.kind not in REMINDERS or booking.starts_at > clock.now()


def _messages(
    conn: Connection,
    jobs: JobDependencies,
    tenant_id: UUID,
    booking: BookingFacts,
    keys: dict[str, Any],
    queued: QueuedEmail,
) -> Iterator[EmailMessage]:
    """Yield the email, or nothing if it does not hold any more or goes to no one.

    Before the guru's email about a move, yield the one about the session that was left.
    """
    sessions = _sessions(conn, keys, booking, queued)
    if sessions and booking.customer_token is not None and queued.side == "person":
        message = customer_email(jobs, tenant_id, booking, queued)
        if message is not None:
            yield message
        return
    delivery = _delivery(conn, jobs, booking, queued) if sessions else None
    if delivery is None:
        return
    if queued.kind in REVIEW_KINDS:
        yield review_email(jobs, tenant_id, booking, queued, delivery)
        return
    session = None
    if queued.side == "guru" and queued.kind in CALENDAR_KINDS:
        session = guru_session(conn, tenant_id, booking.appointment_id)
        left = guru_session(conn, tenant_id, booking.left_appointment_id) if queued.kind in MOVES else None
        if session and left and session.event_id(booking) != left.event_id(booking):
            yield left_session_email(jobs, tenant_id, booking, queued, delivery.to, left)
    position = [one.id for one in sessions].index(booking.id) if queued.kind in _EACH_OF_SERIES else 0
    origin = jobs.site_origin(conn, booking.guru_label)
    yield booking_email(
        jobs, tenant_id, sessions, queued, delivery, site_origin=origin, position=position, session=session
    )


def _delivery(conn: Connection, jobs: JobDependencies, booking: BookingFacts, queued: QueuedEmail) -> Delivery | None:
    """Return to whom an email goes, or None if it goes to no one."""
    recipient, other_address = _addresses(conn, queued)
    kind = MailKind.REMINDERS if queued.kind in REMINDERS else MailKind.REVIEWS if queued.kind in REVIEW_KINDS else None
    if recipient is None or kind is None:
        return Delivery(recipient, other_address) if recipient else None
    person = booking.person_id if queued.side == "person" else None
    opt_out = find_opt_out(conn, kind, person, jobs.main_origin)
    return Delivery(recipient, other_address, opt_out)


def _addresses(conn: Connection, queued: QueuedEmail) -> tuple[Recipient | None, str]:
    """Return the recipient of an email, and the verified address of the other side, or ""."""
    guru, person = job_contacts(conn)
    return (person, verified_address(guru)) if queued.side == "person" else (guru, verified_address(person))
