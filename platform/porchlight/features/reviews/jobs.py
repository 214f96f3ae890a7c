"""Jobs of reviews: each minute, ask for them and publish what is revealed; once a day, count all."""

from __future__ import annotations

from porchlight.features.reviews import publishing
from porchlight.features.reviews.asking import ask_for_reviews
from tenants.db.tasks import ServiceJob, Tasks

TASKS = Tasks("reviews")


@TASKS.service_task("reviews:publish", cron="* * * * *")  # app.submit_review enqueues it, too
def publish_reviews(job: ServiceJob) -> None:
    """Publish the reviews that were revealed, one guru after the other."""
    with job.transaction() as conn:
        tenants = publishing.due_tenants(conn)
    for tenant_id in tenants:
        with job.transaction() as conn:
            publishing.publish(conn, tenant_id)


@TASKS.service_task("reviews:ask", cron="* * * * *")
def ask(job: ServiceJob) -> None:
    """Ask the persons of ended sessions for a review."""
    with job.transaction() as conn:
        ask_for_reviews(conn)


@TASKS.service_task("reviews:recount", cron="41 4 * * *")
def recount_reviews(job: ServiceJob) -> None:
    """Count the reviews of all gurus again: accounts grow older, and the means of categories move."""
    with job.transaction() as conn:
        tenants = publishing.counted_tenants(conn)
    for tenant_id in tenants:
        with job.transaction() as conn:
            publishing.recount(conn, tenant_id)
