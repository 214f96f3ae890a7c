"""Isolation cases of the jobs of leads."""

from __future__ import annotations

from typing import Any

import psycopg

from tenants.kit.ids import new_id
from tests.porchlight.factories import insert_row, seed_guru
from tests.porchlight.job_cases import JobCase


def _seed_lead(conn: psycopg.Connection[Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    own, other = (seed_guru(conn, f"{name}-{new_id().hex[-10:]}") for name in ("own", "other"))
    args = {"lead_id": str(own.leads[0])}
    return args | {"tenant_id": str(own.id)}, args | {"tenant_id": str(other.id)}


def _seed_reply(conn: psycopg.Connection[Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    own, other = (seed_guru(conn, f"{name}-{new_id().hex[-10:]}") for name in ("own", "other"))
    reply_id = new_id()
    insert_row(
        conn,
        "lead_replies",
        {"tenant_id": own.id, "lead_id": own.leads[0], "id": reply_id, "body": "Hello", "idempotency_key": "reply"},
    )
    args = {"reply_id": str(reply_id)}
    return args | {"tenant_id": str(own.id)}, args | {"tenant_id": str(other.id)}


def _seed_digest(conn: psycopg.Connection[Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    own, other = (seed_guru(conn, f"{name}-{new_id().hex[-10:]}") for name in ("own", "other"))
    conn.execute("UPDATE leads SET awaits_digest = true WHERE tenant_id = %s", [own.id])
    return {"tenant_id": str(own.id)}, {"tenant_id": str(other.id)}


CASES = (
    JobCase("leads:notify_guru", _seed_lead),
    JobCase("leads:send_digest", _seed_digest),
    JobCase("leads:send_receipt", _seed_lead),
    JobCase("leads:send_reply", _seed_reply),
)
