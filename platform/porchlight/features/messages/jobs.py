"""Jobs of messages: emails about what is unread, showing events and what was held back, and deleting files."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from porchlight.features.messages.delivery.actions import Wake
from porchlight.features.messages.emails import messages_unread_email
from porchlight.features.messages.files.actions import DELETE_FILE_TASK, delete_unused_files
from porchlight.features.messages.stream.channel import CHANNEL, notification
from porchlight.job_dependencies import JobDependencies
from tenants.db.jobs import enqueue_as_service
from tenants.db.rows import Connection, fetch_all, fetch_value
from tenants.db.tasks import Job, ServiceJob, Tasks, UserJob
from tenants.kit.logs import log

TASKS = Tasks("messages")

SEND_EMAIL_TASK = "messages:send_email"
BATCH = 200
# While messages are turned off, emails about them would lead to pages that are off.
_IS_ON = "SELECT coalesce((SELECT f.enabled FROM flag_settings f WHERE f.name = 'messaging'), true)"
# The inbox is locked before the thread, as a delivery does. Another worker takes other inboxes. Each run takes one
# thread of a person, because each has a change of its own.
_HELD = """
SELECT i.user_id FROM inboxes i
 WHERE EXISTS (SELECT FROM thread_members m WHERE m.user_id = i.user_id AND m.held_until <= app.now())
 ORDER BY 1 LIMIT %(batch)s FOR UPDATE SKIP LOCKED"""
_RELEASE = """
WITH released AS (
  UPDATE thread_members m SET held_until = NULL, change = i.change + 1 FROM inboxes i
   WHERE i.user_id = m.user_id AND m.user_id = ANY (%(users)s)
     AND m.thread_id = (SELECT h.thread_id FROM thread_members h
                         WHERE h.user_id = m.user_id AND h.held_until <= app.now()
                         ORDER BY h.held_until, h.thread_id LIMIT 1)
  RETURNING m.user_id, m.unread
)
UPDATE inboxes i SET change = i.change + 1, unread = i.unread + r.unread FROM released r WHERE r.user_id = i.user_id
RETURNING i.user_id, i.change, i.unread"""
_DUE = """
UPDATE thread_members m SET mail_due_at = NULL, mailed_at = app.now()
  FROM (SELECT d.user_id, d.thread_id FROM thread_members d WHERE d.mail_due_at <= app.now()
         ORDER BY d.mail_due_at LIMIT %(batch)s FOR UPDATE SKIP LOCKED) due
 WHERE m.user_id = due.user_id AND m.thread_id = due.thread_id RETURNING m.user_id, m.thread_id"""
# Both inboxes are locked before the thread, in the order of a delivery: the numbers follow the commits.
_THREADS = """
SELECT t.id, t.person_a_id, t.person_b_id FROM threads t
 WHERE t.guru_id = %(guru)s AND %(person)s IN (t.person_a_id, t.person_b_id) ORDER BY t.id"""
_LOCK = "SELECT FROM inboxes i WHERE i.user_id = ANY (%(users)s) ORDER BY i.user_id FOR UPDATE"
_ANNOUNCE = """
WITH changed AS (
  UPDATE thread_members m SET change = i.change + 1 FROM inboxes i
   WHERE i.user_id = m.user_id AND m.user_id = ANY (%(users)s) AND m.thread_id = %(thread)s RETURNING m.user_id
)
UPDATE inboxes i SET change = i.change + 1 FROM changed c WHERE c.user_id = i.user_id
RETURNING i.user_id, i.change, i.unread"""
_NOTIFY = "SELECT pg_notify(%s, %s)"


@dataclass(frozen=True, slots=True)
class _Due:
    user_id: UUID
    thread_id: UUID


@dataclass(frozen=True, slots=True)
class _Thread:
    id: UUID
    person_a_id: UUID
    person_b_id: UUID


@TASKS.service_task("messages:announce_event")  # app.apply_bookings enqueues it
def announce_event(job: ServiceJob, guru_id: UUID, person_id: UUID) -> None:
    """Tell the clients of a customer and of their guru that a session of the two has a new event."""
    with job.transaction() as conn:
        for wakes in announce_events(conn, guru_id, person_id):
            conn.execute(_NOTIFY, [CHANNEL, notification(wakes)])


def announce_events(conn: Connection, guru_id: UUID, person_id: UUID) -> list[list[Wake]]:
    """Give each thread of a customer with a guru's site a new change. Return the inboxes of each."""
    threads = fetch_all(conn, _Thread, _THREADS, {"guru": guru_id, "person": person_id})
    users = sorted({user for one in threads for user in (one.person_a_id, one.person_b_id)})
    conn.execute(_LOCK, {"users": users})
    return [fetch_all(conn, Wake, _ANNOUNCE, {"users": users, "thread": one.id}) for one in threads]


@TASKS.service_task("messages:process_due", cron="* * * * *")
def process_due(job: ServiceJob) -> None:
    """Show what was held back long enough, and queue the emails about what stayed unread."""
    with job.transaction() as conn:
        released = release_held(conn)
    with job.transaction() as conn:
        queued = queue_emails(conn)
    if released or queued:
        log.info("messages_processed", released=released, emails=queued)


def release_held(conn: Connection) -> int:
    """Count requests with a link as unread, once they were held long enough. Return for how many people."""
    users = [user_id for (user_id,) in conn.execute(_HELD, {"batch": BATCH}).fetchall()]
    wakes = fetch_all(conn, Wake, _RELEASE, {"users": users}) if users else []
    if wakes:
        conn.execute(_NOTIFY, [CHANNEL, notification(wakes[:100])])
    return len(wakes)


def queue_emails(conn: Connection) -> int:
    """Queue the emails that are due, one for a person and a thread. Return how many; none while the flag is off."""
    if not fetch_value(conn, bool, _IS_ON):
        return 0
    due = fetch_all(conn, _Due, _DUE, {"batch": BATCH})
    for one in due:
        enqueue_as_service(conn, SEND_EMAIL_TASK, user_id=str(one.user_id), thread_id=str(one.thread_id))
    return len(due)


@TASKS.user_task(SEND_EMAIL_TASK)
def send_email(job: UserJob, jobs: JobDependencies, thread_id: UUID) -> None:
    """Tell a person what is unread in a thread, unless they read it meanwhile, muted it, or turned these emails off."""
    with job.transaction() as conn:
        message = messages_unread_email(conn, job.user_id, thread_id, jobs.main_origin, jobs.reply_domain)
    if message is not None:
        jobs.mailer.send(message)


@TASKS.service_task("messages:delete_unused_files", cron="17 * * * *")
def delete_unused(job: ServiceJob) -> None:
    """Delete the uploads that no message used within a day."""
    with job.transaction() as conn:
        deleted = delete_unused_files(conn)
    if deleted:
        log.info("message_files_deleted", files=deleted)


@TASKS.system_task(DELETE_FILE_TASK)  # enqueued by a trigger: the file's row is gone
async def delete_file(_job: Job, jobs: JobDependencies, key: str) -> None:
    """Delete a file from the store."""
    if jobs.files is None:
        log.error("file_not_deleted")
        return
    await jobs.files.delete(key)
