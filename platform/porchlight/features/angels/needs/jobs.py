"""Jobs of needs: the emails about them, the counters of their angels, and their end."""

from __future__ import annotations

from uuid import UUID

from porchlight.features.angels.needs.actions import (
    NOTIFY_ANGELS_TASK,
    NOTIFY_OWNER_TASK,
    NOTIFY_RESULT_TASK,
    UPDATE_COUNTERS_TASK,
)
from porchlight.features.angels.needs.emails import (
    angels_to_notify,
    find_open_need,
    need_posted_email,
    need_result_emails,
    offer_received_email,
    record_notice,
)
from porchlight.job_dependencies import JobDependencies
from tenants.db.jobs import enqueue_task_sql
from tenants.db.rows import fetch_values
from tenants.db.tasks import Job, ServiceJob, Tasks, UserJob

EXPIRE_NEEDS_TASK = "angels:expire_needs"

_LOCK_ANGEL = """
SELECT a.user_id, a.service_id
  FROM needs n JOIN angels a ON a.user_id = n.accepted_user_id AND a.service_id = n.service_id
 WHERE n.user_id = %s AND n.id = %s FOR NO KEY UPDATE OF a"""
_UPDATE_COUNTERS = """
UPDATE angels a SET jobs = d.jobs, ratings = d.ratings, rating_sum = d.rating_sum
  FROM (SELECT count(*) AS jobs, count(rating) AS ratings, coalesce(sum(rating), 0) AS rating_sum
          FROM needs WHERE accepted_user_id = %(angel)s AND service_id = %(service)s AND status = 'done') d
 WHERE a.user_id = %(angel)s AND a.service_id = %(service)s AND d.jobs > 0"""
_OWNERS_OF_EXPIRED = "SELECT user_id FROM app.job_rows(NULL) AS (user_id uuid)"
_EXPIRE = f"""
WITH expired AS (UPDATE needs SET status = 'expired', updated_at = app.now()
                  WHERE user_id = %(user)s AND status = 'open' AND expires_at <= app.now() RETURNING id)
SELECT {enqueue_task_sql("%(task)s", "jsonb_build_object('need_id', id)")} FROM expired"""  # noqa: S608

# Their namespace is that of jobs that may be in the queue.
TASKS = Tasks("angels")


@TASKS.user_task(NOTIFY_ANGELS_TASK)
def notify_angels(job: UserJob, jobs: JobDependencies, need_id: UUID) -> None:
    """Notify the angels who could help with the user's need."""
    with job.transaction() as conn:
        need = find_open_need(conn, job.user_id, need_id)
        angel_ids = angels_to_notify(conn)
    if need is None:
        return
    for angel_id in angel_ids:
        angel = job.for_user(angel_id)
        with angel.transaction() as conn:
            message = need_posted_email(conn, need, angel_id, jobs.main_origin)
        if message is not None:
            jobs.mailer.send(message)
            # In a transaction per email: the next run skips it, even if sending another one fails.
            with angel.transaction() as conn:
                record_notice(conn, angel_id, need_id)


@TASKS.user_task(NOTIFY_OWNER_TASK)
def notify_owner(job: UserJob, jobs: JobDependencies, offer_id: UUID) -> None:
    """Notify the owner of a need of the user's offer."""
    with job.transaction() as conn:
        message = offer_received_email(conn, job.user_id, offer_id, jobs.main_origin)
    if message is not None:
        jobs.mailer.send(message)


@TASKS.user_task(NOTIFY_RESULT_TASK)
def notify_result(job: UserJob, jobs: JobDependencies, need_id: UUID) -> None:
    """Notify the user and the authors of offers that the user's need was decided."""
    with job.transaction() as conn:
        messages = need_result_emails(conn, job.user_id, need_id, jobs.main_origin)
    for message in messages:
        jobs.mailer.send(message)


@TASKS.service_task(UPDATE_COUNTERS_TASK)
def update_counters(job: ServiceJob, need_id: UUID) -> None:
    """Recount the jobs and ratings of the angel who completed the user's need. Idempotent.

    It works as the service role: the angel's needs are rows of many owners, and requests cannot write the counters.
    """
    with job.transaction() as conn:
        # The lock comes first: of two jobs for the same angel, the second one counts what the first one counted.
        accepted = conn.execute(_LOCK_ANGEL, [job.user_id, need_id]).fetchone()
        if accepted is not None:
            angel_id, service_id = accepted
            conn.execute(_UPDATE_COUNTERS, {"angel": angel_id, "service": service_id})


@TASKS.system_task(EXPIRE_NEEDS_TASK, cron="*/5 * * * *")
def expire_needs(job: Job) -> None:
    """Expire the open needs whose last day is over, and enqueue the emails."""
    with job.transaction() as conn:
        owner_ids = fetch_values(conn, UUID, _OWNERS_OF_EXPIRED)
    for owner_id in owner_ids:
        with job.for_user(owner_id).transaction() as conn:
            conn.execute(_EXPIRE, {"user": owner_id, "task": NOTIFY_RESULT_TASK})
