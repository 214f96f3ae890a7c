"""Jobs of plans: let what others see of a user follow the plan after it changed or ended."""

from __future__ import annotations

from uuid import UUID

from porchlight.plans import application
from tenants.db.rows import fetch_values
from tenants.db.tasks import Job, Tasks, UserJob

MAX_USERS_PER_RUN = 500

_DUE = "SELECT user_id FROM app.job_rows(%s) AS (user_id uuid)"

TASKS = Tasks("plans")


@TASKS.user_task("plans:apply_plan")  # app.plan_changed enqueues it
def apply_plan(job: UserJob) -> None:
    """List what the plan allows and unlist the rest."""
    _apply(job)


@TASKS.system_task("plans:apply_due_plans", cron="*/5 * * * *")
def apply_due_plans(job: Job) -> None:
    """Apply the plans that ended by themselves: a grant's time or a subscription's grace is over."""
    with job.transaction() as conn:
        due = fetch_values(conn, UUID, _DUE, [MAX_USERS_PER_RUN])
    for user_id in due:
        _apply(job.for_user(user_id))


def _apply(job: Job) -> None:
    with job.transaction() as conn:
        application.apply_plan(conn)
