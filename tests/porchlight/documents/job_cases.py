"""Isolation cases of the jobs of documents."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import psycopg

from tenants.kit.ids import new_id
from tests.porchlight.factories import insert_row, seed_user
from tests.porchlight.job_cases import JobCase

Args = dict[str, Any]


def _seed_document(status: str, **extra: Any) -> Callable[[psycopg.Connection[Any]], tuple[Args, Args]]:
    def seed(conn: psycopg.Connection[Any]) -> tuple[Args, Args]:
        own, other = seed_user(conn), seed_user(conn)
        document_id = new_id()
        row = {"user_id": own, "id": document_id, "type": "license", "status": status, "expires_on": "2031-05-01"}
        insert_row(conn, "documents", row | {"file_url": "https://files.example/paper.pdf"})
        args = {"document_id": str(document_id)} | extra
        return args | {"user_id": str(own)}, args | {"user_id": str(other)}

    return seed


CASES = (
    JobCase("documents:notify_review", _seed_document("approved")),
    JobCase("documents:send_expiry_reminder", _seed_document("approved", days=7)),
    JobCase("documents:notify_expired", _seed_document("lapsed")),
)
