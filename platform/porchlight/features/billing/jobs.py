"""Jobs of billing: reminders of a failed payment."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import NamedTuple
from uuid import UUID

from porchlight.features.billing.emails import PlanReminder, payment_failed_email
from porchlight.job_dependencies import JobDependencies
from porchlight.plans.subscriptions import GRACE
from tenants.db.rows import fetch_all
from tenants.db.tasks import Job, Tasks
from tenants.kit import clock
from tenants.kit.logs import log

REMINDER_DAYS = (0, 5, 12)  # after a failed payment

_PAST_DUE = """
SELECT * FROM app.job_rows(NULL)
    AS (user_id uuid, subscription_id uuid, past_due_since timestamptz, last_day integer)"""
_SENT = """
INSERT INTO plan_notices (user_id, subscription_id, past_due_since, day) VALUES (%s, %s, %s, %s)
ON CONFLICT DO NOTHING"""


class PastDueSubscription(NamedTuple):
    """A subscription with a failed payment, and the day of the last reminder of it."""

    user_id: UUID
    subscription_id: UUID
    past_due_since: datetime
    last_day: int | None


def due_reminders(subscriptions: Iterable[PastDueSubscription], now: datetime) -> list[PlanReminder]:
    """Return the reminders that are due at `now`. Of several that were missed, only the last one is due."""
    due = []
    for user_id, subscription_id, since, last_day in subscriptions:
        day = max((day for day in REMINDER_DAYS if since + timedelta(days=day) <= now), default=None)
        if day is not None and now < since + GRACE and (last_day is None or last_day < day):
            due.append(PlanReminder(user_id, subscription_id, since, day))
    return due


TASKS = Tasks("billing")


@TASKS.system_task("billing:send_reminders", cron="*/10 * * * *")
def send_reminders(job: Job, jobs: JobDependencies) -> None:
    """Send the reminders that are due."""
    with job.transaction() as conn:
        due = due_reminders(fetch_all(conn, PastDueSubscription, _PAST_DUE), clock.now())
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
