"""Granting plans without payment, as the service role."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from uuid import UUID

from porchlight.plans.plans import PlanSlug
from tenants.db.rows import Connection, fetch_values
from tenants.kit.ids import parse_id


class UnknownUser(Exception):
    """No active user has the id or the email address, or several have the address."""


def end_of_day(day: date) -> datetime:
    """Return the time at which a day ends (UTC)."""
    return datetime.combine(day + timedelta(days=1), time(), UTC)


def find_user(conn: Connection, wanted: str) -> UUID:
    """Return the id of the active user with this id or email address. Raises UnknownUser."""
    query = "SELECT user_id FROM users WHERE status = 'active' AND (user_id = %s OR lower(email) = lower(%s)) LIMIT 2"
    user_ids = fetch_values(conn, UUID, query, [parse_id(wanted), wanted.strip()])
    if len(user_ids) != 1:
        raise UnknownUser(f"{'Several users have' if user_ids else 'No active user has'} the address or id “{wanted}”.")
    return user_ids[0]


def grant_plan(conn: Connection, user_id: UUID, plan: PlanSlug, until: datetime, reason: str) -> None:
    """Give a user a paid plan until a time. A job then lists what the plan allows."""
    conn.execute(
        "INSERT INTO plan_grants (user_id, plan, until, reason) VALUES (%s, %s, %s, %s)",
        [user_id, plan.value, until, reason],
    )
