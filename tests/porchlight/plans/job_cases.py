"""Isolation case of the job of plans."""

from __future__ import annotations

from typing import Any

import psycopg

from tests.porchlight.factories import seed_user
from tests.porchlight.job_cases import JobCase


def _seed_ended_plan(conn: psycopg.Connection[Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Create two users. Lists still show the first one's plan, which has ended."""
    own, other = seed_user(conn), seed_user(conn)
    conn.execute("UPDATE users SET listed_plan = 'premium-angel' WHERE user_id = %s", [own])
    return {"user_id": str(own)}, {"user_id": str(other)}


CASES = (JobCase("plans:apply_plan", _seed_ended_plan),)
