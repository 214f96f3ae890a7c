"""Isolation cases of the jobs of accounts."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import psycopg

from porchlight.auth.actions import DELETE_IDENTITY_TASK, REVOKE_TOKENS_TASK
from porchlight.auth.suspension import SYNC_STATUS_TASK
from tenants.kit.ids import new_id
from tests.porchlight.factories import seed_user
from tests.porchlight.job_cases import JobCase


def _arguments(own: UUID, other: UUID) -> tuple[dict[str, Any], dict[str, Any]]:
    return {"user_id": str(own)}, {"user_id": str(other)}


def _seed_erased(conn: psycopg.Connection[Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    own, active = seed_user(conn), seed_user(conn)
    conn.execute("UPDATE users SET status = 'erased', email = '' WHERE user_id = %s", [own])
    return _arguments(own, active)


def _seed_account(conn: psycopg.Connection[Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    return _arguments(seed_user(conn), new_id())


CASES = (
    JobCase(DELETE_IDENTITY_TASK, _seed_erased),
    JobCase(REVOKE_TOKENS_TASK, _seed_account),
    JobCase(SYNC_STATUS_TASK, _seed_account),
)
