"""Isolation cases of the jobs of connected calendars."""

from __future__ import annotations

from typing import Any

import psycopg

from tenants.kit.ids import new_id
from tests.porchlight.factories import insert_row, seed_guru
from tests.porchlight.job_cases import JobCase


def _seed_source(conn: psycopg.Connection[Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Create a calendar that the plan does not include, so that its job pauses it."""
    own, other = (seed_guru(conn, f"{name}-{new_id().hex[-10:]}") for name in ("own", "other"))
    source_id = new_id()
    row = {
        "tenant_id": own.id, "id": source_id, "kind": "ics", "name": "Work", "host": "cal.example",
        "secret": b"sealed", "idempotency_key": str(source_id),
    }  # fmt: skip
    insert_row(conn, "busy_sources", row)
    args = {"source_id": str(source_id)}
    return args | {"tenant_id": str(own.id)}, args | {"tenant_id": str(other.id)}


CASES = (JobCase("busy_sources:read", _seed_source),)
