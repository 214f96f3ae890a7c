"""Isolation cases of the jobs of listings."""

from __future__ import annotations

from typing import Any

import psycopg

from tenants.db.jobs import use_jobs_schema
from tests.porchlight.job_cases import JobCase
from tests.porchlight.matches.factories import UserData, insert_user


def _seed_profile(conn: psycopg.Connection[Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Create a profile without a location, and a user without a profile."""
    own, other = (insert_user(conn, UserData(name)) for name in ("Own", "Other"))
    conn.execute("DELETE FROM profiles WHERE user_id = %s", [other])
    use_jobs_schema(conn)
    # The jobs that the profiles' triggers enqueued.
    conn.execute("DELETE FROM jobs.procrastinate_jobs WHERE args ->> 'user_id' = ANY (%s)", [[str(own), str(other)]])
    return {"user_id": str(own)}, {"user_id": str(other)}


CASES = (JobCase("listings:geocode_user", _seed_profile),)
