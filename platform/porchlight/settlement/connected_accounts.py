"""Accounts at the payment provider that can be paid."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple
from uuid import UUID

from tenants.db.rows import Connection, fetch_all

_READY = """
SELECT user_id, account_id FROM payout_accounts
 WHERE user_id = ANY (%s) AND connected AND details_submitted AND payouts_enabled"""


class _Account(NamedTuple):
    user_id: UUID
    account_id: str


def ready_accounts(conn: Connection, user_ids: Iterable[UUID]) -> dict[UUID, str]:
    """Return the accounts of those users whose account is complete, as the service role."""
    return {one.user_id: one.account_id for one in fetch_all(conn, _Account, _READY, [list(user_ids)])}
