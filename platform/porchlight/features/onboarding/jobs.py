"""Jobs of onboarding: update a guru's listed categories, and delete a guru whose owner deleted their account."""

from __future__ import annotations

from uuid import UUID

from porchlight.features.onboarding.listed_categories import LOCK_PUBLISHING, UPDATE_LISTED_CATEGORIES
from porchlight.plans.application import apply_plan
from tenants.db.rows import fetch_value
from tenants.db.tasks import ServiceJob, Tasks, UserJob
from tenants.tenancy.lifecycle import delete_guru_data

_SET_TENANT = "SELECT set_config('app.tenant_id', %s, true)"
_HAS_OWNER = """
SELECT EXISTS (SELECT FROM memberships m JOIN users u ON u.user_id = m.user_id
                WHERE m.tenant_id = %s AND u.status <> 'erased')"""

TASKS = Tasks("onboarding")


@TASKS.user_task("onboarding:update_listed_categories")
def update_listed_categories(job: UserJob) -> None:
    """List the categories whose required documents are approved, as many as the plan allows.

    Does nothing for a user without a guru.
    """
    with job.transaction() as conn:
        conn.execute("SELECT app.lock_plan()")  # before the lock of publishing, like publishing itself
        conn.execute(LOCK_PUBLISHING)
        guru_id = fetch_value(conn, UUID, "SELECT tenant_id FROM app.own_guru()")
        if guru_id is not None:
            conn.execute(_SET_TENANT, [str(guru_id)])
            for statement in UPDATE_LISTED_CATEGORIES:
                conn.execute(statement)
            conn.execute(_SET_TENANT, [""])
        apply_plan(conn)


@TASKS.service_task("onboarding:delete_guru")
def delete_guru(job: ServiceJob) -> None:
    """Delete the job's guru with all its data, if its owner deleted their account. Safe to repeat."""
    with job.transaction() as conn:
        if job.tenant_id is not None and not fetch_value(conn, bool, _HAS_OWNER, [job.tenant_id]):
            delete_guru_data(conn, job.tenant_id, running_job_id=job.id)
