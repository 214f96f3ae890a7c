"""Demo plans: one guru is a Premium Angel; other gurus, and neighbors with full listings, are Skill Sharers."""

from __future__ import annotations

from datetime import timedelta
from uuid import UUID

import psycopg

from porchlight.demo_data.neighbors import load_neighbors, neighbor_id
from porchlight.plans.application import apply_plan
from porchlight.plans.grants import grant_plan
from porchlight.plans.plans import PlanSlug
from tenants.db.rows import Connection
from tenants.kit import clock

PREMIUM_GURU = "cooking"
DURATION = timedelta(days=365)
REASON = "Part of the demo"
_FULL_LISTING = "SELECT FROM skill_offers WHERE user_id = %s AND details <> ''"


def load_all(service_dsn: str) -> int:
    """Grant the plans, unless they are granted already. Return the number of users with a plan."""
    granted = 0
    with psycopg.connect(service_dsn) as conn:
        for neighbor in load_neighbors():
            user_id = neighbor_id(neighbor.email)
            has_listing = conn.execute(_FULL_LISTING, [user_id]).fetchone() is not None
            if not neighbor.guru and not has_listing:
                continue
            granted += 1
            if conn.execute("SELECT FROM plan_grants WHERE user_id = %s", [user_id]).fetchone() is None:
                plan = PlanSlug.PREMIUM_ANGEL if neighbor.guru == PREMIUM_GURU else PlanSlug.SKILL_SHARER
                _grant(conn, user_id, plan)
    return granted


def _grant(conn: Connection, user_id: UUID, plan: PlanSlug) -> None:
    grant_plan(conn, user_id, plan, clock.now() + DURATION, REASON)
    # The job of the worker does the same, but the demo's lists show it from the first visit on.
    conn.execute("SELECT set_config('app.user_id', %s, true)", [str(user_id)])
    apply_plan(conn)
    conn.execute("SELECT set_config('app.user_id', '', true)")
