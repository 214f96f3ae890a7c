"""Jobs of onboarding: update a guru's listed categories, and delete a guru whose owner deleted their account."""

from __future__ import annotations

from porchlight.plans.application import apply_plan
from tenants.db.tasks import Tasks, TenantJob, UserJob

TASKS = Tasks("onboarding")


@TASKS.user_task("onboarding:update_listed_categories")
def update_listed_categories(job: UserJob) -> None:
    """List the categories whose required documents are approved, as many as the plan allows.

    Does nothing for a user without a guru.
    """
    with job.transaction() as conn:
        conn.execute("SELECT app.lock_plan()")  # before the lock of publishing, like publishing itself
        conn.execute("SELECT app.update_listed_categories()")
        apply_plan(conn)


@TASKS.tenant_task("onboarding:delete_guru")
def delete_guru(job: TenantJob) -> None:
    """Delete a guru whose owner deleted their account, with all its data."""
    with job.transaction() as conn:
        conn.execute("SELECT app.delete_guru()")
