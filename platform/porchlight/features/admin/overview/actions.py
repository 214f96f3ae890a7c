"""Queuing failed jobs again, and recording backups. Each is recorded in the audit log in the same transaction."""

from __future__ import annotations

from porchlight.audit.recording import AuditEvent, record
from porchlight.features.admin.overview.queries import FAILURE_WINDOW
from tenants.db.jobs import use_jobs_schema
from tenants.db.rows import Connection
from tenants.kit import clock
from tenants.kit.errors import NotFound

# Without the lock, which one waiting job of the task may have. A second run of a job changes nothing. Only what the
# list shows: an email that is older than that would puzzle its reader.
_RETRY = """
UPDATE jobs.procrastinate_jobs SET status = 'todo', attempts = 0, scheduled_at = %(now)s, queueing_lock = NULL
 WHERE status = 'failed' AND task_name = %(task)s AND deferred_at > %(since)s"""


def retry_failed_jobs(conn: Connection, actor: str, task: str) -> int:
    """Queue a task's failed jobs of the last 30 days again. Return their number. Raises NotFound if there are none."""
    use_jobs_schema(conn)
    now = clock.machine_now()  # the queue's clock
    retried = conn.execute(_RETRY, {"task": task, "now": now, "since": now - FAILURE_WINDOW}).rowcount
    if retried == 0:
        raise NotFound
    record(conn, AuditEvent(actor, "job.retry", "job", task, {"jobs": retried}))
    return retried


def record_backup(conn: Connection) -> None:
    """Record that a backup of the database was made, for the admin overview."""
    record(conn, AuditEvent("cli", "backup.record", "backup", "database"))
