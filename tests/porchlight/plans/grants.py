"""Plans for the users of a test: each test grants what it needs."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import psycopg

from porchlight.plans import application
from porchlight.plans.entitlements import forget_plan
from porchlight.plans.plans import PlanSlug
from tests.fixtures.databases import Database


def grant_plan(database: Database, user_id: UUID | str | None, plan: PlanSlug = PlanSlug.PREMIUM_ANGEL) -> None:
    """Give a user a plan for a day."""
    with psycopg.connect(database.service_url) as conn:
        conn.execute(
            "INSERT INTO plan_grants (user_id, plan, until, reason)"
            " VALUES (%s, %s, app.now() + interval '1 day', 'test')",
            [user_id, plan.value],
        )
    forget_plan(UUID(str(user_id)))


def end_plans(database: Database, user_id: UUID) -> None:
    """Let a user's granted plans end now."""
    with psycopg.connect(database.service_url) as conn:
        conn.execute("UPDATE plan_grants SET until = app.now() WHERE user_id = %s", [user_id])
    forget_plan(user_id)


def subscribe(database: Database, user_id: UUID, plan: PlanSlug, **columns: Any) -> None:
    """Give a user a subscription; `columns` are SQL expressions, such as `period_end="app.now()"`."""
    names = "".join(f", {name}" for name in columns)
    values = "".join(f", {value}" for value in columns.values())
    with psycopg.connect(database.service_url) as conn:
        query = (
            f"INSERT INTO subscriptions (user_id, id, plan, interval{names})"
            f" VALUES (%s, gen_random_uuid(), %s, 'month'{values})"
        )
        conn.execute(query.encode(), [user_id, plan.value])
    forget_plan(user_id)


def apply_plan(database: Database, user_id: UUID) -> None:
    """Do what the job after a change of plans does, as the app role."""
    with psycopg.connect(database.app_url) as conn:
        conn.execute("SELECT set_config('app.user_id', %s, true)", [str(user_id)])
        application.apply_plan(conn)
