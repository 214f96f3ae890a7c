"""Isolation cases of the jobs of notifications."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import psycopg

from tenants.kit import clock
from tenants.kit.ids import new_id
from tests.porchlight.factories import insert_row, seed_user
from tests.porchlight.job_cases import JobCase


def _seed_device(conn: psycopg.Connection[Any], user_id: UUID) -> UUID:
    device_id = new_id()
    row = {"user_id": user_id, "id": device_id, "endpoint_hash": device_id.bytes, "device": "Firefox on Linux"}
    keys = {"endpoint": "https://push.example/x", "public_key": "k", "auth_secret": "a"}
    insert_row(conn, "push_subscriptions", row | keys)
    return device_id


def _seed_due(conn: psycopg.Connection[Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    owner, other = seed_user(conn), seed_user(conn)
    _seed_device(conn, owner)
    row = {"user_id": owner, "id": new_id(), "key": "due", "kind": "leads", "title": "A lead", "url": "/guru/leads"}
    insert_row(conn, "notifications", row | {"is_mailed": False, "mail_at": clock.now(), "push_at": clock.now()})
    return {"user_id": str(owner)}, {"user_id": str(other)}


def _seed_test(conn: psycopg.Connection[Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    owner, other = seed_user(conn), seed_user(conn)
    args = {"device_id": str(_seed_device(conn, owner))}
    return args | {"user_id": str(owner)}, args | {"user_id": str(other)}


def _seed_moved(conn: psycopg.Connection[Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    before, owner, other = seed_user(conn), seed_user(conn), seed_user(conn)
    former, device = _seed_device(conn, before), _seed_device(conn, owner)
    conn.execute(
        "UPDATE push_subscriptions SET endpoint_hash = %s WHERE id = ANY (%s)", [device.bytes, [former, device]]
    )
    args = {"device_id": str(device)}
    return args | {"user_id": str(owner)}, args | {"user_id": str(other)}


CASES = (
    JobCase("notifications:release_device", _seed_moved),
    JobCase("notifications:deliver", _seed_due),
    JobCase("notifications:send_test", _seed_test),
)
