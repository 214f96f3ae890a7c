"""Isolation cases of the jobs of risk."""

from __future__ import annotations

from typing import Any

import psycopg

from tenants.kit import clock
from tenants.kit.ids import new_id
from tests.fixtures import seeded
from tests.porchlight.factories import insert_row, seed_guru, seed_user
from tests.porchlight.job_cases import JobCase

Args = dict[str, Any]


def _seed_answer(conn: psycopg.Connection[Any]) -> tuple[Args, Args]:
    own, other, request_id = seed_user(conn), seed_user(conn), new_id()
    guru = seed_guru(conn, seeded.word(), posts=0)
    insert_row(
        conn,
        "risk_review_requests",
        {
            "user_id": own, "id": request_id, "guru_id": guru.id, "service_id": guru.services[0],
            "digest": request_id.bytes, "service": "Clay", "sentence": "By hand.", "level": "medium",
            "answered_at": clock.now(),
        },
    )  # fmt: skip
    args = {"request_id": str(request_id)}
    return args | {"user_id": str(own)}, args | {"user_id": str(other)}


CASES = (JobCase("risk:tell_guru", _seed_answer),)
