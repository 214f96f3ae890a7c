"""Isolation cases of the job of exchanges."""

from __future__ import annotations

from typing import Any

import psycopg

from tests.porchlight.exchanges.test_exchange_rows import seed_exchange
from tests.porchlight.factories import seed_user
from tests.porchlight.job_cases import JobCase


def _seed(conn: psycopg.Connection[Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    teacher, learner, other = seed_user(conn), seed_user(conn), seed_user(conn)
    args = {"exchange_id": str(seed_exchange(conn, teacher, learner)), "kind": "asked", "sequence": 0}
    return args | {"user_id": str(teacher)}, args | {"user_id": str(other)}


CASES = (JobCase("exchanges:send_email", _seed),)
