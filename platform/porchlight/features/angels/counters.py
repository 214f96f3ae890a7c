"""Update counters and expire needs for all users. Jobs call these functions with the service role."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import psycopg

from porchlight.features.angels.needs.actions import NOTIFY_RESULT_TASK
from tenants.db.jobs import enqueue_as_service

Connection = psycopg.Connection[Any]

_UPDATE_COUNTERS = """
UPDATE angels a SET jobs = c.jobs, ratings = c.ratings, rating_sum = c.rating_sum
  FROM (SELECT count(*)::integer AS jobs, count(n.rating)::integer AS ratings,
               coalesce(sum(n.rating), 0)::integer AS rating_sum
          FROM needs n WHERE n.accepted_user_id = %(user)s AND n.service_id = %(service)s AND n.status = 'done') c
 WHERE a.user_id = %(user)s AND a.service_id = %(service)s"""
_EXPIRE = """
UPDATE needs SET status = 'expired', updated_at = now()
 WHERE status = 'open' AND expires_at <= now() RETURNING id"""


def update_counters(conn: Connection, user_id: UUID, service_id: str) -> None:
    """Recount an angel's jobs and ratings for a service from the completed needs. Idempotent."""
    conn.execute(_UPDATE_COUNTERS, {"user": user_id, "service": service_id})


def expire_needs(conn: Connection) -> int:
    """Expire the open needs after their last day, enqueue the emails, and return the number of needs."""
    expired = conn.execute(_EXPIRE).fetchall()
    for (need_id,) in expired:
        enqueue_as_service(conn, NOTIFY_RESULT_TASK, need_id=str(need_id))
    return len(expired)
