"""Send the digest: one email with what a person collects for once a day, or what came in their quiet hours."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from uuid import UUID

from porchlight.features.notifications.emails import digest_email
from porchlight.job_dependencies import JobDependencies
from tenants.db.rows import Connection, fetch_value
from tenants.db.tasks import UserJob
from tenants.kit import clock
from tenants.kit.ids import new_id
from tenants.kit.logs import log

MAX_AGE = timedelta(days=1)  # of a digest that could not be sent; its notifications stay on the page

# Two workers do not send two digests to a person. The second one leaves it to the first, and to the sweep.
_LOCK = "SELECT pg_try_advisory_xact_lock(hashtextextended('digest:' || %s::text, 0))"
_OPEN = "SELECT digest_id FROM notifications WHERE user_id = %s AND digest_id IS NOT NULL LIMIT 1"
_COLLECT = """
UPDATE notifications SET digest_id = CASE WHEN read_at IS NULL THEN %(digest)s::uuid END, mail_at = NULL
 WHERE user_id = %(user)s AND mail_at <= %(now)s RETURNING read_at IS NULL AS is_unread"""
_FINISH = "UPDATE notifications SET digest_id = NULL WHERE user_id = %s AND digest_id = %s"


def send_digest(job: UserJob, jobs: JobDependencies) -> None:
    """Send the user what is due for their digest.

    What it contains is committed before it is sent: a worker that dies sends the same digest again, under the same key.
    While the mail server is down, the sweep tries again each minute.
    """
    with job.transaction() as conn:
        digest_id = _collect(conn, job.user_id)
    if digest_id is None:
        return
    with job.transaction() as conn:
        if not fetch_value(conn, bool, _LOCK, [job.user_id]):
            return
        message = digest_email(conn, job.user_id, digest_id, jobs.main_origin)
        try:
            if message is not None and not is_outdated(digest_id):
                jobs.mailer.send(message)
        except OSError as error:
            # No error of the job: its next attempts come later and later, and would hold up what is due for the user.
            log.warning("digest_failed", error=type(error).__name__)
            return
        conn.execute(_FINISH, [job.user_id, digest_id])


def is_outdated(digest_id: UUID) -> bool:
    """Return whether a digest could not be sent for MAX_AGE. Its id has the time at which it was begun (RFC 9562)."""
    begun_at = datetime.fromtimestamp((digest_id.int >> 80) / 1000, UTC)
    return clock.machine_now() - begun_at > MAX_AGE


def _collect(conn: Connection, user_id: UUID) -> UUID | None:
    """Return the digest that was not sent yet, or a new one with all that is due. None: nothing is due."""
    if not fetch_value(conn, bool, _LOCK, [user_id]):
        return None
    digest_id = fetch_value(conn, UUID, _OPEN, [user_id])
    if digest_id is not None:
        return digest_id
    digest_id = new_id()
    due = conn.execute(_COLLECT, {"user": user_id, "digest": digest_id, "now": clock.now()}).fetchall()
    return digest_id if any(is_unread for (is_unread,) in due) else None
