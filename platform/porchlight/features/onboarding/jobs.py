"""Jobs of onboarding: update a guru's listed categories, and delete a guru whose owner deleted their account."""

from __future__ import annotations

from porchlight.dependencies import JobDependencies
from tenants.db.tasks import Tasks, TenantJob, UserJob


def tasks(jobs: JobDependencies) -> Tasks:
    """Return the tasks of `onboarding`. Triggers on documents and on deleted accounts enqueue them."""
    onboarding = Tasks("onboarding", jobs.app_dsn)

    @onboarding.user_task("onboarding:update_listed_categories")
    def update_listed_categories(job: UserJob) -> None:
        """List the categories whose required documents are approved. Does nothing for a user without a guru."""
        with job.transaction() as conn:
            conn.execute("SELECT app.update_listed_categories()")

    @onboarding.tenant_task("onboarding:delete_guru")
    def delete_guru(job: TenantJob) -> None:
        with job.transaction() as conn:
            conn.execute("SELECT app.delete_guru()")

    return onboarding
