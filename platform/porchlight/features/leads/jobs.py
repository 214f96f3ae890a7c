"""Jobs of leads: the emails to the guru, one by one or in a digest, and to the visitor."""

from __future__ import annotations

from uuid import UUID

from porchlight.features.leads.digests import lead_digest
from porchlight.features.leads.emails import (
    lead_receipt_email,
    lead_received_email,
    lead_reply_email,
)
from porchlight.job_dependencies import JobDependencies
from sites.leads.actions import NOTIFY_TASK, RECEIPT_TASK, REPLY_TASK, mark_reply_sent
from sites.leads.digest import DIGEST_TASK, finish_digest, group_lead
from tenants.db.tasks import Tasks, TenantJob

TASKS = Tasks("leads")


@TASKS.tenant_task(NOTIFY_TASK)
def notify_guru(job: TenantJob, jobs: JobDependencies, lead_id: UUID) -> None:
    """Send a new lead to the guru, unless it waits for a digest."""
    with job.transaction() as conn:
        is_grouped = group_lead(conn, job.tenant_id, lead_id)
        message = None if is_grouped else lead_received_email(conn, job.tenant_id, lead_id, jobs)
    if message is not None:
        jobs.mailer.send(message)


@TASKS.tenant_task(DIGEST_TASK)  # group_lead enqueues it
def send_digest(job: TenantJob, jobs: JobDependencies) -> None:
    """Send the guru the leads that wait for a digest."""
    with job.transaction() as conn:
        digest = lead_digest(conn, job.tenant_id, jobs)
    if digest is None:
        return
    if digest.message is not None:
        jobs.mailer.send(digest.message)
    with job.transaction() as conn:
        finish_digest(conn, job.tenant_id, digest.lead_ids)


@TASKS.tenant_task(RECEIPT_TASK)
def send_receipt(job: TenantJob, jobs: JobDependencies, lead_id: UUID) -> None:
    """Send the visitor a receipt for a lead."""
    with job.transaction() as conn:
        message = lead_receipt_email(conn, job.tenant_id, lead_id, jobs)
    if message is not None:
        jobs.mailer.send(message)


@TASKS.tenant_task(REPLY_TASK)
def send_reply(job: TenantJob, jobs: JobDependencies, reply_id: UUID) -> None:
    """Send the guru's reply to the visitor."""
    with job.transaction() as conn:
        message = lead_reply_email(conn, job.tenant_id, reply_id, jobs)
    if message is not None:
        jobs.mailer.send(message)
        with job.transaction() as conn:
            mark_reply_sent(conn, job.tenant_id, reply_id)
