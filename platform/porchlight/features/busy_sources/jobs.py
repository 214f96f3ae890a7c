"""Jobs of busy sources: which ones are due, and reading one of them."""

from __future__ import annotations

import secrets
from datetime import timedelta
from uuid import UUID

from porchlight.features.busy_sources.emails import source_failing_email
from porchlight.features.busy_sources.failures import SourceFailed
from porchlight.features.busy_sources.fetching.guarded_web import OutsideWeb
from porchlight.features.busy_sources.reading import read_periods, reading_of
from porchlight.features.busy_sources.source_secrets import open_secret
from porchlight.job_dependencies import JobDependencies
from porchlight.plans.limits import PlanFeature, allowance
from porchlight.plans.plans import PlanSlug
from porchlight.settings.secret_box import SecretBox, SecretLost
from sites.hours import busy_sources
from sites.hours.busy_sources import READ_TASK, SourceToRead
from sites.hours.busy_times import Period
from tenants.db.jobs import enqueue_as_service
from tenants.db.rows import Connection, fetch_value, fetch_values
from tenants.db.tasks import ServiceJob, Tasks, TenantJob
from tenants.kit import clock
from tenants.kit.logs import log

READ_EVERY_SECONDS = 15 * 60
READ_SPREAD_SECONDS = 3 * 60  # in both directions, so that sources of one server are not asked at once
MAX_DUE = 500  # of one minute

TASKS = Tasks("busy_sources")

_PLAN = "SELECT app.tenant_plan(false)"
_OWNER = "SELECT email FROM app.job_contacts()"


@TASKS.service_task("busy_sources:queue_due", cron="* * * * *")
def queue_due(job: ServiceJob) -> None:
    """Queue the reading of each source that is due, and set when it is due next."""
    with job.transaction() as conn:
        for source in busy_sources.due_sources(conn, MAX_DUE):
            spread = secrets.randbelow(2 * READ_SPREAD_SECONDS + 1) - READ_SPREAD_SECONDS
            busy_sources.postpone_source(conn, source, clock.now() + timedelta(seconds=READ_EVERY_SECONDS + spread))
            ids = {"tenant_id": str(source.tenant_id), "source_id": str(source.id)}
            enqueue_as_service(conn, READ_TASK, lock=f"{READ_TASK}:{source.id}", **ids)


@TASKS.tenant_task("busy_sources:read")  # queue_due and the console enqueue it
def read_source(job: TenantJob, jobs: JobDependencies, source_id: UUID) -> None:
    """Read a source. Its last times stay when that fails, and the guru hears of it after a day."""
    with job.transaction() as conn:
        source = busy_sources.source_to_read(conn, job.tenant_id, source_id)
        if source is None:
            return
        if not _is_included(conn):
            busy_sources.pause_source(conn, job.tenant_id, source_id)
            return
        addresses = frozenset([source.contact_email, *fetch_values(conn, str, _OWNER)])
    if jobs.secret_box is None or jobs.resolver is None:
        log.warning("busy_sources_not_set_up")
        return
    web = OutsideWeb(jobs.resolver, jobs.local_calendars)
    try:
        periods = _read(job, source_id, source, jobs.secret_box, web, jobs.base_host, addresses)
    except SourceFailed as failed:
        _fail(job, jobs, source_id, failed)
        return
    with job.transaction() as conn:
        busy_sources.store_reading(conn, job.tenant_id, source_id, source, periods)


def _is_included(conn: Connection) -> bool:
    plan = PlanSlug(fetch_value(conn, str, _PLAN) or PlanSlug.COMMUNITY)
    return allowance(plan, PlanFeature.CALENDAR_FEED) > 0


def _read(
    job: TenantJob,
    source_id: UUID,
    source: SourceToRead,
    box: SecretBox,
    web: OutsideWeb,
    own_host: str,
    addresses: frozenset[str],
) -> list[Period]:
    """Return the busy times of a source. Raise SourceFailed. No transaction is open meanwhile."""
    try:
        secret = open_secret(box, source.secret, job.tenant_id, source_id)
    except SecretLost:
        raise SourceFailed("denied") from None
    reading = reading_of(
        source.zone,
        clock.now(),
        own_host,
        all_day_blocks=source.all_day_blocks,
        addresses=addresses | {secret.user},
    )
    return read_periods(web, source.kind, secret, reading)


def _fail(job: TenantJob, jobs: JobDependencies, source_id: UUID, failed: SourceFailed) -> None:
    log.info("busy_source_failed", source=str(source_id), failure=failed.failure)
    with job.transaction() as conn:
        state = busy_sources.store_failure(conn, job.tenant_id, source_id, failed.failure)
        number = state.due_notice(clock.now()) if state else 0
        if state is None or not number:
            return
        message = source_failing_email(conn, jobs, job.tenant_id, source_id, state, number, failed.failure)
    if message is not None:
        jobs.mailer.send(message)
    with job.transaction() as conn:
        busy_sources.store_notice(conn, job.tenant_id, source_id, number)
