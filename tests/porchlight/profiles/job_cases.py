"""Isolation cases of the jobs of profiles."""

from __future__ import annotations

from typing import Any

import psycopg

from porchlight.features.profiles.actions import WELCOME_TASK
from tenants.kit import clock
from tenants.kit.ids import new_id
from tests.porchlight.factories import insert_row, seed_user
from tests.porchlight.job_cases import JobCase


def _seed_profile(conn: psycopg.Connection[Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    user_id = seed_user(conn)
    # Only a new user is welcomed.
    row = {"user_id": user_id, "handle": user_id.hex[-20:], "registered_at": clock.now()}
    insert_row(conn, "profiles", row)
    return {"user_id": str(user_id)}, {"user_id": str(new_id())}


CASES = (JobCase(WELCOME_TASK, _seed_profile),)
