"""Isolation cases of the job of questions."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import psycopg

from tenants.kit.ids import new_id
from tests.porchlight.factories import insert_row, seed_user
from tests.porchlight.job_cases import JobCase


def _seed_neighbor(conn: psycopg.Connection[Any]) -> UUID:
    user_id = seed_user(conn)
    insert_row(conn, "profiles", {"user_id": user_id, "handle": user_id.hex[-20:]})
    return user_id


def _seed_question(conn: psycopg.Connection[Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    asker, other, asked, question_id = _seed_neighbor(conn), _seed_neighbor(conn), _seed_neighbor(conn), new_id()
    row = {"user_id": asker, "id": question_id, "recipient_id": asked, "body": "Hi?", "idempotency_key": "question"}
    insert_row(conn, "questions", row)
    args = {"question_id": str(question_id)}
    return args | {"user_id": str(asker)}, args | {"user_id": str(other)}


CASES = (JobCase("questions:notify_recipient", _seed_question),)
