"""Isolation cases of the jobs of onboarding. They have no argument but the owner."""

from __future__ import annotations

from typing import Any

import psycopg

from tenants.db.jobs import use_jobs_schema
from tenants.kit.ids import new_id
from tests.porchlight.factories import SeededGuru, insert_row, seed_guru
from tests.porchlight.job_cases import JobCase


def _seed_gurus(conn: psycopg.Connection[Any]) -> tuple[SeededGuru, SeededGuru]:
    own, other = (seed_guru(conn, f"{name}-{new_id().hex[-10:]}") for name in ("own", "other"))
    return own, other


def _seed_listed_category(conn: psycopg.Connection[Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Create two gurus that list a category which does not exist. The other one's is not listed any more."""
    own, other = _seed_gurus(conn)
    conn.execute("UPDATE guru_categories SET listed = false WHERE tenant_id = %s", [other.id])
    for guru in (own, other):  # the job also unlists what exceeds a plan: nothing of these
        grant = {"user_id": guru.owner, "plan": "premium-angel", "until": "2100-01-01", "reason": "test"}
        insert_row(conn, "plan_grants", grant)
    return {"user_id": str(own.owner)}, {"user_id": str(other.owner)}


def _seed_deleted_owner(conn: psycopg.Connection[Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Create two gurus. The first one's owner deleted their account."""
    own, other = _seed_gurus(conn)
    conn.execute("UPDATE users SET status = 'erased', email = '' WHERE user_id = %s", [own.owner])
    use_jobs_schema(conn)
    conn.execute("DELETE FROM procrastinate_jobs")  # the account's deletion enqueued the job
    return {"tenant_id": str(own.id)}, {"tenant_id": str(other.id)}


CASES = (
    JobCase("onboarding:update_listed_categories", _seed_listed_category),
    JobCase("onboarding:delete_guru", _seed_deleted_owner),
)
