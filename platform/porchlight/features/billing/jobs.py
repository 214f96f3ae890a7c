"""Jobs of billing: reminders of a failed payment."""

from __future__ import annotations

from porchlight.features.billing.emails import PlanReminder, payment_failed_email
from porchlight.job_dependencies import JobDependencies
from porchlight.plans.subscriptions import GRACE
from tenants.db.rows import fetch_all
from tenants.db.tasks import Job, Tasks
from tenants.kit.logs import log

_DUE = "SELECT user_id, subscription_id, past_due_since, day FROM app.due_plan_notices(%s::integer[], %s)"
NOTICE_DAYS = (0, 5, 12)  # after a failed payment
_SENT = """
INSERT INTO plan_notices (user_id, subscription_id, past_due_since, day) VALUES (%s, %s, %s, %s)
ON CONFLICT DO NOTHING"""


def tasks(jobs: JobDependencies) -> Tasks:
    """Return the tasks of `billing`."""
    billing = Tasks("billing", jobs.app_dsn)

    @billing.system_task("billing:send_reminders", cron="*/10 * * * *")
    def send_reminders(job: Job) -> None:
        """Send the reminders that are due, on the NOTICE_DAYS after a failed payment."""
        with job.transaction() as conn:
            due = fetch_all(conn, PlanReminder, _DUE, [list(NOTICE_DAYS), GRACE.days])
        for reminder in due:
            own = job.for_user(reminder.user_id)
            with own.transaction() as conn:
                message = payment_failed_email(conn, reminder, jobs.main_origin)
            try:
                if message is not None:
                    jobs.mailer.send(message)
            except OSError as error:
                # The next run tries again. One full mailbox must not keep the reminders of all others.
                log.warning("plan_reminder_failed", error=type(error).__name__)
                continue
            with own.transaction() as conn:
                conn.execute(_SENT, list(reminder))

    return billing
