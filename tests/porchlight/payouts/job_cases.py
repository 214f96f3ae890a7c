"""Isolation case of the job of payouts."""

from __future__ import annotations

from typing import Any

import psycopg

from tests.porchlight.factories import insert_row, seed_user
from tests.porchlight.job_cases import JobCase


def _seed_account(conn: psycopg.Connection[Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    own, other = seed_user(conn), seed_user(conn)
    for user_id in (own, other):
        insert_row(conn, "payout_accounts", {"user_id": user_id, "account_id": f"acct_{user_id.hex}"})
    args = {"account_id": f"acct_{own.hex}", "event_id": "evt_1"}
    return args | {"user_id": str(own)}, args | {"user_id": str(other)}


CASES = (JobCase("payouts:sync_account", _seed_account),)
