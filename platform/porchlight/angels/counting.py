"""What the worker counts and ends, across everybody: as the overseer, by job."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import psycopg

from porchlight.angels.need_actions import OUTCOME_TASK

Connection = psycopg.Connection[Any]

_COUNT = """
UPDATE angels a SET jobs = c.jobs, ratings = c.ratings, rating_sum = c.rating_sum
  FROM (SELECT count(*)::integer AS jobs, count(n.rating)::integer AS ratings,
               coalesce(sum(n.rating), 0)::integer AS rating_sum
          FROM needs n WHERE n.accepted_user_id = %(user)s AND n.service_id = %(service)s AND n.status = 'done') c
 WHERE a.user_id = %(user)s AND a.service_id = %(service)s"""
_EXPIRE = """
UPDATE needs SET status = 'expired', updated_at = now()
 WHERE status = 'open' AND expires_at <= now() RETURNING id"""


def count(conn: Connection, user_id: UUID, service_id: str) -> None:
    """Count an angel's jobs and ratings for a service anew, from the needs that are done. Safe to repeat."""
    conn.execute(_COUNT, {"user": user_id, "service": service_id})


def expire(conn: Connection) -> int:
    """End the needs whose last day is over; who offered is told by job. How many."""
    ended = conn.execute(_EXPIRE).fetchall()
    for (need_id,) in ended:
        conn.execute(
            "SELECT app.enqueue(%s, jsonb_build_object('need_id', %s::text), NULL)", [OUTCOME_TASK, str(need_id)]
        )
    return len(ended)
