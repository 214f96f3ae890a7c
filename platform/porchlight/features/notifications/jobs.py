"""Jobs of notifications: what is due, on a person's devices and in their digest."""

from __future__ import annotations

from uuid import UUID

from porchlight.features.notifications.digest import send_digest
from porchlight.features.notifications.pushing import (
    RELEASE_DEVICE_TASK,
    SEND_TEST_TASK,
    send_due_notes,
    send_test_note,
)
from porchlight.features.notifications.store import DELIVER_TASK
from porchlight.job_dependencies import JobDependencies
from tenants.db.jobs import enqueue_as_service
from tenants.db.rows import fetch_values
from tenants.db.tasks import ServiceJob, Tasks, UserJob
from tenants.kit import clock

SWEEP_TASK = "notifications:sweep"
MAX_PEOPLE_PER_SWEEP = 1000

TASKS = Tasks("notifications")
_DUE = """
SELECT DISTINCT n.user_id FROM notifications n
 WHERE (n.mail_at IS NOT NULL OR n.push_at IS NOT NULL OR n.digest_id IS NOT NULL)
   AND (n.mail_at <= %(now)s OR n.push_at <= %(now)s OR n.digest_id IS NOT NULL)
 LIMIT %(max)s"""
_RELEASE = """
DELETE FROM push_subscriptions p USING push_subscriptions own
 WHERE own.user_id = %(user)s AND own.id = %(device)s AND p.endpoint_hash = own.endpoint_hash
   AND p.user_id <> own.user_id AND p.created_at <= own.created_at"""


@TASKS.user_task(DELIVER_TASK)
def deliver(job: UserJob, jobs: JobDependencies) -> None:
    """Send what is due to the user's devices, then their digest."""
    send_due_notes(job, jobs)
    send_digest(job, jobs)


@TASKS.user_task(SEND_TEST_TASK)
def send_test(job: UserJob, jobs: JobDependencies, device_id: UUID) -> None:
    """Send a test note to one of the user's devices."""
    send_test_note(job, jobs, device_id)


@TASKS.service_task(RELEASE_DEVICE_TASK)
def release_device(job: ServiceJob, device_id: UUID) -> None:
    """Remove the browser of one of the user's devices from other accounts: it is of the person who subscribed last.

    It works as the service role: the rows are those of other users.
    """
    with job.transaction() as conn:
        conn.execute(_RELEASE, {"user": job.user_id, "device": device_id})


@TASKS.service_task(SWEEP_TASK, cron="* * * * *")
def sweep(job: ServiceJob) -> None:
    """Enqueue a job for each person with something due, at most one that waits."""
    with job.transaction() as conn:
        for user_id in fetch_values(conn, UUID, _DUE, {"now": clock.now(), "max": MAX_PEOPLE_PER_SWEEP}):
            enqueue_as_service(conn, DELIVER_TASK, lock=f"{DELIVER_TASK}:{user_id}", user_id=str(user_id))
