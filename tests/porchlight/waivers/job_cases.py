"""Isolation case of the job of waivers."""

from __future__ import annotations

from typing import Any

import psycopg

from porchlight.features.waivers.emails import SEND_RECEIPT_TASK
from tests.porchlight.factories import append_waiver, seed_user
from tests.porchlight.job_cases import JobCase


def _seed_waiver(conn: psycopg.Connection[Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    owner, other = seed_user(conn), seed_user(conn)
    conn.execute("UPDATE users SET email = user_id || '@people.example' WHERE user_id IN (%s, %s)", [owner, other])
    conn.execute("SELECT set_config('app.user_id', %s, true)", [str(owner)])
    waiver_id = str(append_waiver(conn, f"neighbor:{owner}"))
    return (
        {"user_id": str(owner), "waiver_id": waiver_id},
        {"user_id": str(other), "waiver_id": waiver_id},
    )


CASES = (JobCase(SEND_RECEIPT_TASK, _seed_waiver),)
