"""Count the facts about gurus that visitors weigh: the usual answer time, the sessions done and a review.

Visitors cannot read leads' replies of other days, bookings or needs, and a page costs one statement. So the worker
counts as the service role, every hour, and pages read the stored row.
"""

from __future__ import annotations

import asyncio

import psycopg
from procrastinate import Blueprint, JobContext

from porchlight.features.angels.rules import ANSWER_DAYS, MIN_ANSWERS, OPEN_AFTER
from sites.stats.guru_facts import GuruFacts, store_guru_facts
from tenants.db.rows import fetch_all
from tenants.kit.logs import log

NAMESPACE = "guru_facts"
COUNT_TASK = f"{NAMESPACE}:count"

# A request is a lead, or a booking that waits for the guru; a series is one request. One that is open counts as
# unanswered after a day. "Usually" is true only if the guru answers at least half of them. A lead that was archived or
# marked as answered without a reply tells nothing. The review is the newest one with words of the owner as an angel, as
# the view angel_reviews shows it to everyone.
_COUNT = """
WITH requests AS (
  SELECT l.tenant_id, l.created_at AS asked_at, l.status IN ('new', 'read') AS is_open,
         (SELECT min(r.created_at) FROM lead_replies r WHERE r.tenant_id = l.tenant_id AND r.lead_id = l.id)
           AS answered_at
    FROM leads l WHERE l.created_at > app.now() - make_interval(days => %(days)s)
  UNION ALL
  SELECT b.tenant_id, min(e.at) FILTER (WHERE e.event = 'requested'),
         bool_or(b.status IN ('requested', 'expired')), min(e.at) FILTER (WHERE e.actor = 'guru')
    FROM bookings b JOIN booking_events e ON e.tenant_id = b.tenant_id AND e.booking_id = b.id
   WHERE b.approval = 'request' AND b.created_at > app.now() - make_interval(days => %(days)s)
   GROUP BY b.tenant_id, coalesce(b.series_id, b.id) HAVING bool_or(e.event = 'requested')
), answers AS (
  SELECT tenant_id, count(*) AS requests, count(answered_at) AS answers,
         percentile_cont(0.5) WITHIN GROUP (ORDER BY extract(epoch FROM answered_at - asked_at)) AS seconds
    FROM requests
   WHERE answered_at IS NOT NULL OR is_open AND asked_at < app.now() - %(open_after)s::interval
   GROUP BY tenant_id
), sessions AS (
  SELECT tenant_id, count(DISTINCT appointment_id)::integer AS sessions
    FROM bookings WHERE status = 'completed' GROUP BY tenant_id
), reviews AS (
  SELECT DISTINCT ON (m.tenant_id) m.tenant_id,
         jsonb_build_object('words', n.review, 'rating', n.rating, 'service', a.title, 'handle', p.handle) AS review
    FROM memberships m JOIN users u ON u.user_id = m.user_id JOIN profiles p ON p.user_id = m.user_id
    JOIN needs n ON n.accepted_user_id = m.user_id JOIN angel_services a ON a.id = n.service_id
   WHERE p.is_public AND p.registered_at IS NOT NULL AND u.status = 'active'
     AND n.status = 'done' AND n.rating IS NOT NULL AND n.review <> ''
   ORDER BY m.tenant_id, n.updated_at DESC, n.id DESC
), facts AS (
  SELECT tenant_id, r.review, coalesce(s.sessions, 0) AS sessions, CASE WHEN a.answers >= %(min_answers)s
              AND 2 * a.answers >= a.requests THEN greatest(1, ceil(a.seconds / 60))::integer END AS answer_minutes
    FROM answers a FULL JOIN sessions s USING (tenant_id) FULL JOIN reviews r USING (tenant_id)
         FULL JOIN guru_facts f USING (tenant_id)
)
SELECT n.tenant_id, n.answer_minutes, n.sessions, n.review FROM facts n LEFT JOIN guru_facts f USING (tenant_id)
 WHERE (n.answer_minutes, n.sessions, n.review)
       IS DISTINCT FROM (f.answer_minutes, coalesce(f.sessions, 0), f.review)"""


def guru_facts_blueprint(service_dsn: str) -> Blueprint:
    """Return the task guru_facts:count."""
    blueprint = Blueprint()

    @blueprint.periodic(cron="23 * * * *")
    @blueprint.task(name="count", pass_context=True, queueing_lock=COUNT_TASK)
    async def count(_context: JobContext, timestamp: int) -> None:
        await asyncio.to_thread(count_guru_facts, service_dsn)

    return blueprint


def count_guru_facts(service_dsn: str) -> None:
    """Count the facts of all gurus and store those that changed: only their pages are rendered again."""
    with psycopg.connect(service_dsn) as conn:
        values = {"days": ANSWER_DAYS, "min_answers": MIN_ANSWERS, "open_after": OPEN_AFTER}
        changed = fetch_all(conn, GuruFacts, _COUNT, values)
        store_guru_facts(conn, changed)
    log.info("guru_facts_counted", changed=len(changed))
