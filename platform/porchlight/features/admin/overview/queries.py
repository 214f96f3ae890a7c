"""Queries of the admin overview: what waits and what ails. Each part reads an index or a counter, no large table."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from porchlight.contracts import Books
from tenants.db.pool import Database
from tenants.kit import clock

MAX_COUNT = 1000  # a longer queue reads as "1,000+"
DAYS = 7
FAILURE_WINDOW = timedelta(days=30)
BOOKING_EMAILS = "bookings:emails"  # they are in a queue of their own, by booking

# What waits, in one statement. The queue's tables have no other readers than the worker, which keeps them small; a
# finished job is not read.
_OVERVIEW = """
SELECT (SELECT count(*) FROM (SELECT FROM documents WHERE status = 'pending' LIMIT %(max)s) waiting),
       (SELECT created_at FROM documents WHERE status = 'pending' ORDER BY id LIMIT 1),
       (SELECT count(*) FROM (SELECT FROM reports WHERE status = 'open' LIMIT %(max)s) waiting),
       (SELECT created_at FROM reports WHERE status = 'open' ORDER BY id LIMIT 1),
       (SELECT count(*) FROM (SELECT FROM risk_reviews WHERE level IS NULL LIMIT %(max)s) waiting),
       (SELECT min(first_seen_at) FROM (
         SELECT first_seen_at FROM risk_reviews WHERE level IS NULL LIMIT %(max)s) waiting),
       queue.jobs, queue.oldest,
       (SELECT at FROM audit_log WHERE subject_kind = 'backup' AND subject_id = 'database' ORDER BY id DESC LIMIT 1),
       (SELECT coalesce(jsonb_object_agg(day, jsonb_build_array(leads, sign_ups)), '{}') FROM (
         SELECT day, coalesce(sum(value) FILTER (WHERE name = 'leads'), 0)::bigint AS leads,
                coalesce(sum(value) FILTER (WHERE name = 'sign_ups'), 0)::bigint AS sign_ups
           FROM daily_counters
          WHERE day > %(today)s - %(days)s AND name IN ('leads', 'sign_ups') GROUP BY day) counted)
  FROM (SELECT count(*) AS jobs, min(coalesce(scheduled_at, deferred_at)) + (app.now() - now()) AS oldest FROM (
          SELECT scheduled_at, deferred_at FROM jobs.procrastinate_jobs
           WHERE status = 'todo' AND (scheduled_at IS NULL OR scheduled_at <= now()) ORDER BY id LIMIT %(max)s) due
       ) queue"""
_FAILURES = """
SELECT task_name, count(*), min(deferred_at) + (app.now() - now()), max(deferred_at) + (app.now() - now()) FROM (
  SELECT task_name, deferred_at FROM jobs.procrastinate_jobs
   WHERE status = 'failed' AND deferred_at > %(since)s - (app.now() - now())
   ORDER BY deferred_at DESC LIMIT %(max)s) failed
 GROUP BY task_name
 UNION ALL
SELECT %(booking_emails)s, count(*), min(due_at), max(due_at) FROM (
  SELECT due_at FROM booking_emails WHERE status = 'failed' AND due_at > %(since)s ORDER BY due_at DESC LIMIT %(max)s
) failed HAVING count(*) > 0
 ORDER BY 4 DESC"""


def _iso(time: datetime | None) -> str | None:
    return clock.to_iso8601(time) if time else None


def is_email(task: str) -> bool:
    """Return whether a task sends an email. Their names say so (`leads:notify_guru`, `waivers:send_receipt`)."""
    return task == BOOKING_EMAILS or task.partition(":")[2].startswith(("notify_", "send_"))


async def failures(service_db: Database) -> list[dict[str, Any]]:
    """Return the failed jobs and emails of the last 30 days by task, the latest failure first."""
    params = {"since": clock.now() - FAILURE_WINDOW, "max": MAX_COUNT, "booking_emails": BOOKING_EMAILS}
    return [
        {
            "task": task,
            "email": is_email(task),
            "retryable": task != BOOKING_EMAILS,
            "count": count,
            "firstAt": clock.to_iso8601(first),
            "lastAt": clock.to_iso8601(last),
        }
        for task, count, first, last in await service_db.read(None, _FAILURES, params)
    ]


async def overview(service_db: Database, books: Books) -> dict[str, Any]:
    """Return what waits for staff, the days' leads and sign-ups, and the state of emails, jobs and backups."""
    now = clock.now()
    params = {"max": MAX_COUNT, "today": now.date(), "days": DAYS}
    ((*waiting, jobs, oldest_job, last_backup, counted),) = await service_db.read(None, _OVERVIEW, params)
    failed = await failures(service_db)
    days = [now.date() - timedelta(days=age) for age in range(DAYS)]
    return {
        "documents": {"count": waiting[0], "oldestAt": _iso(waiting[1])},
        "reports": {"count": waiting[2], "oldestAt": _iso(waiting[3])},
        "riskReviews": {"count": waiting[4], "oldestAt": _iso(waiting[5])},
        "days": [
            {"day": day.isoformat(), "leads": leads, "signUps": sign_ups}
            for day in days
            for leads, sign_ups in [counted.get(day.isoformat(), (0, 0))]
        ],
        "failedEmails": sum(failure["count"] for failure in failed if failure["email"]),
        "failedJobs": sum(failure["count"] for failure in failed if not failure["email"]),
        "jobsWaiting": {"count": jobs, "oldestAt": _iso(oldest_job)},
        "lastBackupAt": _iso(last_backup),
        "money": await books.summary(service_db),
    }
