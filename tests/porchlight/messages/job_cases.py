"""Isolation cases of the jobs of messages."""

from __future__ import annotations

from typing import Any

import psycopg

from tests.porchlight.factories import insert_row, seed_thread, seed_user
from tests.porchlight.job_cases import JobCase


def _seed_unread(conn: psycopg.Connection[Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    sender, reader, other = (seed_user(conn) for _ in range(3))
    for user_id in (sender, reader, other):
        insert_row(conn, "profiles", {"user_id": user_id, "handle": user_id.hex[-20:]})
    args = {"thread_id": str(seed_thread(conn, sender, reader))}
    return args | {"user_id": str(reader)}, args | {"user_id": str(other)}


CASES = (JobCase("messages:send_email", _seed_unread),)
