"""Jobs of matches: propose swap rings and inform their members."""

from __future__ import annotations

from uuid import UUID

from porchlight.features.matches.emails import swap_ring_emails
from porchlight.features.matches.rings import FIND_SWAP_RINGS_TASK, NOTIFY_MEMBERS_TASK, propose_rings
from porchlight.job_dependencies import JobDependencies
from tenants.db.tasks import Job, ServiceJob, Tasks
from tenants.kit.logs import log

TASKS = Tasks("matches")


@TASKS.service_task(FIND_SWAP_RINGS_TASK, cron="* * * * *")
def find_swap_rings(job: ServiceJob) -> None:
    """Propose swap rings to users whose skills changed."""
    rings = propose_rings(job)
    if rings:
        log.info("swap_rings_proposed", rings=len(rings))


@TASKS.system_task(NOTIFY_MEMBERS_TASK)  # propose_rings and app.settle_swap_ring enqueue it
def notify_members(job: Job, jobs: JobDependencies, ring_id: UUID) -> None:
    """Tell the members of a swap ring about it."""
    with job.transaction() as conn:
        messages = swap_ring_emails(conn, ring_id, jobs.main_origin)
    for message in messages:
        jobs.mailer.send(message)
