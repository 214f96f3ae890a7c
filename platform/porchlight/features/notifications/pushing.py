"""Send notes that are due to a person's devices."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import NamedTuple
from uuid import UUID

from porchlight.emails.kinds import TOPICS, MailKind
from porchlight.job_dependencies import JobDependencies
from porchlight.ports import PushGone, PushNote, PushOutage, PushSubscription
from tenants.db.rows import Connection, fetch_all
from tenants.db.tasks import UserJob
from tenants.kit import clock
from tenants.kit.logs import log

SEND_TEST_TASK = "notifications:send_test"
RELEASE_DEVICE_TASK = "notifications:release_device"
MAX_SINGLE_NOTES = 3  # of what came together, after quiet hours; more become one
MAX_DUE = 100
RETRY_DELAY = timedelta(minutes=5)  # at least; later attempts wait for a quarter of the note's age
MAX_AGE = timedelta(hours=12)  # a note that could not be sent for so long is left to the page

_CLAIM = """
SELECT id, kind, title, url, is_urgent, created_at, read_at IS NOT NULL AS is_read FROM notifications
 WHERE user_id = %(user)s AND push_at <= %(now)s ORDER BY id LIMIT %(max)s FOR UPDATE SKIP LOCKED"""
_SET_PUSHED = "UPDATE notifications SET push_at = %s WHERE user_id = %s AND id = %s"
_DEVICES = """
SELECT id, endpoint, public_key, auth_secret FROM push_subscriptions
 WHERE user_id = %(user)s AND (%(device)s::uuid IS NULL OR id = %(device)s) ORDER BY id"""
_GONE = "DELETE FROM push_subscriptions WHERE user_id = %s AND id = %s"
_TAKEN = "UPDATE push_subscriptions SET last_ok_at = app.now() WHERE user_id = %s AND id = %s"


class DueNote(NamedTuple):
    """A notification whose note is due."""

    id: UUID
    kind: str
    title: str
    url: str
    is_urgent: bool
    created_at: datetime
    is_read: bool


class _PushTarget(NamedTuple):
    id: UUID
    endpoint: str
    public_key: str
    auth_secret: str

    @property
    def subscription(self) -> PushSubscription:
        return PushSubscription(self.endpoint, self.public_key, self.auth_secret)


def notes_of(due: Sequence[DueNote]) -> list[PushNote]:
    """Return the notes for what is due. What was read meanwhile has none; many at once are one note."""
    unread = [one for one in due if not one.is_read]
    if len(unread) > MAX_SINGLE_NOTES:
        is_urgent = any(one.is_urgent for one in unread)
        title = f"You have {len(unread)} new notifications"
        return [PushNote(title, "Open Porchlight to see them.", "/notifications", tag_of("/notifications"), is_urgent)]
    return [PushNote(one.title, _label(one.kind), one.url, tag_of(one.url), one.is_urgent) for one in unread]


def next_attempt(note: DueNote, now: datetime) -> datetime | None:
    """Return when a note that a push service did not take is sent again, or None if it is too old or was read."""
    age = now - note.created_at
    return None if note.is_read or age >= MAX_AGE else now + max(RETRY_DELAY, age / 4)


def tag_of(url: str) -> str:
    """Return the tag of a page: a newer note about the same thing replaces the older one (RFC 8030, 5.4)."""
    return hashlib.sha256(url.encode()).hexdigest()[:32]


def send_due_notes(job: UserJob, jobs: JobDependencies) -> None:
    """Send the user's due notes. A worker that dies sends them again, and devices replace them by their tags."""
    now = clock.now()
    with job.transaction() as conn:
        due = fetch_all(conn, DueNote, _CLAIM, {"user": job.user_id, "now": now, "max": MAX_DUE})
        if not due:
            return
        failed = _send_all(conn, job.user_id, jobs, notes_of(due))
        again = {one.id: next_attempt(one, now) for one in due} if failed else {}
        for one in due:
            conn.execute(_SET_PUSHED, [again.get(one.id), job.user_id, one.id])


def send_test_note(job: UserJob, jobs: JobDependencies, device_id: UUID) -> None:
    """Send a note that shows a person that a device works."""
    note = PushNote("It works", "Your notes will look like this.", "/settings/notifications", tag_of("test"), True)
    with job.transaction() as conn:
        _send_all(conn, job.user_id, jobs, [note], device_id)


def _send_all(
    conn: Connection, user_id: UUID, jobs: JobDependencies, notes: Sequence[PushNote], device_id: UUID | None = None
) -> bool:
    """Send notes to the user's devices, or to one. Forget devices that are gone. Return whether one took them not."""
    if not notes:
        return False
    if jobs.push is None:
        log.warning("push_not_configured")
        return False
    failed = False
    for device in fetch_all(conn, _PushTarget, _DEVICES, {"user": user_id, "device": device_id}):
        try:
            for note in notes:
                jobs.push.send(device.subscription, note)
            conn.execute(_TAKEN, [user_id, device.id])
        except PushGone:
            conn.execute(_GONE, [user_id, device.id])
        except PushOutage as error:
            log.warning("push_failed", reason=str(error))
            failed = True
    return failed


def _label(kind: str) -> str:
    topic = TOPICS.get(MailKind(kind)) if kind in {known.value for known in MailKind} else None
    return topic.title if topic else ""
