"""Maintenance of the whole database, as the service role: delete what is out of date, requeue jobs and phrases."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import psycopg
from procrastinate import App, Blueprint, JobContext

from porchlight.embeddings.relations_job import RELATE_PHRASES_TASK, requeue_other_methods
from porchlight.features.admin.sessions import forget_origins
from porchlight.features.bookings.customers.retention import NAME_TTL, forget_customers
from porchlight.features.bookings.payments.invoices.retention import forget_invoices
from porchlight.features.documents.expiry import delete_unused_uploads
from porchlight.features.reviews.retention import forget_customer_reviews
from porchlight.features.waivers.retention import end_outdated_waivers, purge_waivers
from porchlight.money.posting import expire_holds
from porchlight.ports import Embedder
from porchlight.settlement.inbox import forget_erased
from sites.previews.actions import PREVIEW_TTL
from tenants.db.jobs import enqueue_as_service, use_jobs_schema
from tenants.db.rows import fetch_value
from tenants.kit import clock
from tenants.kit.logs import log

NAMESPACE = "maintenance"
REQUEUE_STALLED_TASK = f"{NAMESPACE}:requeue_stalled"

FINISHED_JOB_TTL = timedelta(days=7)
FAILED_JOB_TTL = timedelta(days=31)  # the overview offers to run those of 30 days again
ERASED_USER_TTL = timedelta(days=30)  # much longer than an ID token is valid
SIGN_IN_CODE_TTL = timedelta(days=1)  # the limits per day count them
CONTACT_MESSAGE_TTL = timedelta(days=365)
EVENT_BODY_TTL = timedelta(days=90)  # much longer than the payment provider retries
ACCOUNT_EMAIL_TTL = timedelta(days=2)  # then the address is deleted, even if the email was not sent
AGENDA_TTL = timedelta(days=7)
PARTICIPANT_EMAIL_TTL = timedelta(days=30)  # after the session, of someone who signed with a link
RESOLVED_REPORT_TTL = timedelta(days=730)
NOTIFICATION_TTL = timedelta(days=90)
DOMAIN_CHECK_TTL = timedelta(hours=2)  # the limit is per hour
DAILY_COUNTER_TTL = timedelta(days=60)
SEARCHED_PHRASE_TTL = timedelta(days=7)
RISK_SCORE_TTL = timedelta(days=180)
RISK_REVIEW_TTL = timedelta(days=90)  # of an activity that staff has not decided, since it was last seen
PHRASE_BATCH = 1_000


def maintenance_blueprint(app: App, service_dsn: str) -> Blueprint:
    """Return the tasks of `maintenance`."""
    blueprint = Blueprint()

    @blueprint.periodic(cron="7 * * * *")
    @blueprint.task(name="purge_expired", pass_context=True, queueing_lock=f"{NAMESPACE}:purge_expired")
    async def purge(_context: JobContext, timestamp: int) -> None:
        await asyncio.to_thread(purge_expired, service_dsn)
        await asyncio.to_thread(purge_unused_phrases, service_dsn)

    @blueprint.periodic(cron="* * * * *")
    @blueprint.task(name="requeue_stalled", pass_context=True, queueing_lock=REQUEUE_STALLED_TASK)
    async def requeue_stalled(_context: JobContext, timestamp: int) -> None:
        await requeue_stalled_jobs(app)

    return blueprint


async def requeue_stalled_jobs(app: App) -> None:
    """Queue the jobs of killed workers again, which stay in the running state."""
    for job in await app.job_manager.get_stalled_jobs():
        await app.job_manager.retry_job(job)


_FORGET_ADDRESSES = """
UPDATE participants p SET email = '', token = NULL, email_due = NULL FROM bookings b
 WHERE b.tenant_id = p.tenant_id AND b.id = p.booking_id AND b.ends_at < %s AND p.token IS NOT NULL"""
# Amounts are kept for seven years, and with them the empty row of their account.
_PURGE_USERS = """
DELETE FROM users u WHERE u.status = 'erased' AND u.updated_at < %s
   AND NOT EXISTS (SELECT FROM billing_customers b WHERE b.user_id = u.user_id)
   AND NOT EXISTS (SELECT FROM payout_accounts p WHERE p.user_id = u.user_id)
   AND NOT EXISTS (SELECT FROM subscriptions s WHERE s.user_id = u.user_id)"""


_UNUSED_PHRASES = """
SELECT array_agg(u.id) FROM (
  SELECT p.id FROM phrases p
   WHERE p.id > %(after)s AND (p.in_use OR p.searched_on < %(day)s)
     AND NOT EXISTS (SELECT FROM skill_offers o WHERE o.phrase_id = p.id)
     AND NOT EXISTS (SELECT FROM skill_wants w WHERE w.phrase_id = p.id)
     AND NOT EXISTS (SELECT FROM hidden_listings h WHERE h.phrase_id = p.id)
     AND NOT EXISTS (SELECT FROM search_entry_phrases s WHERE s.phrase_id = p.id)
   ORDER BY p.id LIMIT %(limit)s) u"""


def purge_unused_phrases(service_dsn: str) -> None:
    """Delete phrases that were searched for more than a week ago, and names of listings that are gone.

    In short transactions: a listing that gets the same name waits for the transaction.
    """
    after, day = 0, (clock.now() - SEARCHED_PHRASE_TTL).date()
    with psycopg.connect(service_dsn) as conn:
        while True:
            values = {"after": after, "day": day, "limit": PHRASE_BATCH}
            phrase_ids = fetch_value(conn, list[int], _UNUSED_PHRASES, values)
            if phrase_ids is None:
                return
            conn.execute("SELECT app.delete_unused_phrases(%s::integer[])", [phrase_ids])
            conn.commit()
            after = max(phrase_ids)


def purge_expired(service_dsn: str) -> None:
    """Delete expired rows: visitors' fingerprints and salts, sessions, old messages, finished jobs and others.

    Holds of the ledger that are due are released.
    """
    now = clock.now()
    with psycopg.connect(service_dsn) as conn:
        fingerprints = conn.execute("DELETE FROM view_fingerprints WHERE day < %s", [now.date()]).rowcount
        conn.execute("DELETE FROM daily_salts WHERE day < %s", [now.date()])
        conn.execute("DELETE FROM sessions WHERE expires_at < %s", [now])
        expire_holds(conn)
        conn.execute(_PURGE_USERS, [now - ERASED_USER_TTL])
        conn.execute("DELETE FROM contact_messages WHERE created_at < %s", [now - CONTACT_MESSAGE_TTL])
        conn.execute("DELETE FROM sign_in_codes WHERE created_at < %s", [now - SIGN_IN_CODE_TTL])
        conn.execute("DELETE FROM reports WHERE resolved_at < %s", [now - RESOLVED_REPORT_TTL])
        conn.execute(
            "UPDATE stripe_inbox SET body = NULL WHERE received_at < %s AND body IS NOT NULL AND state <> 'new'",
            [now - EVENT_BODY_TTL],
        )
        forget_erased(conn)
        conn.execute(
            "DELETE FROM risk_reviews r WHERE level IS NULL AND last_seen_at < %s AND NOT EXISTS"
            " (SELECT FROM risk_review_requests q WHERE q.digest = r.digest AND q.answered_at IS NULL)",
            [now - RISK_REVIEW_TTL],
        )
        conn.execute("DELETE FROM risk_scores WHERE created_on < %s", [(now - RISK_SCORE_TTL).date()])
        conn.execute("DELETE FROM domain_checks WHERE created_at < %s", [now - DOMAIN_CHECK_TTL])
        forget_origins(conn)
        conn.execute("DELETE FROM daily_counters WHERE day < %s", [(now - DAILY_COUNTER_TTL).date()])
        delete_unused_uploads(conn)
        end_outdated_waivers(conn)
        purge_waivers(conn)
        conn.execute("DELETE FROM pending_account_emails WHERE created_at < %s", [now - ACCOUNT_EMAIL_TTL])
        conn.execute("DELETE FROM booking_agendas WHERE day < %s", [(now - AGENDA_TTL).date()])
        conn.execute(_FORGET_ADDRESSES, [now - PARTICIPANT_EMAIL_TTL])
        forget_customer_reviews(conn, now - NAME_TTL)
        forget_customers(conn)
        forget_invoices(conn)
        conn.execute("DELETE FROM notifications WHERE created_at < %s", [now - NOTIFICATION_TTL])
        conn.execute("DELETE FROM porch_lights WHERE expires_at < %s", [now])
        conn.execute("DELETE FROM site_previews WHERE created_at < %s", [now - PREVIEW_TTL])
        use_jobs_schema(conn)
        conn.execute(
            "DELETE FROM jobs.procrastinate_jobs j WHERE j.status IN ('succeeded', 'cancelled', 'aborted')"
            " AND NOT EXISTS (SELECT FROM jobs.procrastinate_events e WHERE e.job_id = j.id AND e.at > %s)",
            [clock.machine_now() - FINISHED_JOB_TTL],  # the queue's clock
        )
        conn.execute(
            "DELETE FROM jobs.procrastinate_jobs j WHERE j.status = 'failed'"
            " AND NOT EXISTS (SELECT FROM jobs.procrastinate_events e WHERE e.job_id = j.id AND e.at > %s)",
            [clock.machine_now() - FAILED_JOB_TTL],
        )
    log.info("expired_rows_purged", fingerprints=fingerprints)


def requeue_outdated_phrases(service_dsn: str, embedder: Embedder | None) -> None:
    """Enqueue the phrases that another model related. Called when a worker starts."""
    with psycopg.connect(service_dsn) as conn:
        if requeue_other_methods(conn, embedder):
            enqueue_as_service(conn, RELATE_PHRASES_TASK, lock=RELATE_PHRASES_TASK)
