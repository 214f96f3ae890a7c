"""The rule of connected accounts: events about one lead to its stored state."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from porchlight.features.payouts.actions import SAVE_ACCOUNT, account_values
from porchlight.payment_ports import PayoutState
from porchlight.settlement.rules import Source
from tenants.db.rows import Connection

# Of a deleted account, only whether it can still be read.
_SAVE_DELETED = """
UPDATE payout_accounts a SET connected = %(connected)s, checked_at = %(checked_at)s FROM users u
 WHERE a.account_id = %(account_id)s AND u.user_id = a.user_id AND u.status = 'erased'"""


class AccountRule:
    """A connected account: whether it can charge and be paid, and where to."""

    events = frozenset({
        "account.updated",
        "account.application.deauthorized",
        "account.external_account.created",
        "account.external_account.updated",
        "account.external_account.deleted",
    })  # fmt: skip

    def object_of(self, event: Mapping[str, Any]) -> str | None:
        """Return the connected account; the object of an event can be the application or a bank account."""
        return event.get("account") or None

    def path(self, object_id: str) -> str:
        """Return the account's path."""
        return f"/v1/accounts/{object_id}"

    def apply(self, conn: Connection, object_id: str, fetched: Mapping[str, Any] | None, source: Source) -> None:
        """Save the state, unless a newer one is stored. An unknown account is synced by its owner's next look at it."""
        state = None if fetched is None else PayoutState.of(fetched)
        values = account_values(object_id, state, source.fetched_at)
        if conn.execute(_SAVE_DELETED, values).rowcount == 0:
            conn.execute(SAVE_ACCOUNT, values)

    def open_objects(self, _conn: Connection, _before: datetime) -> Iterable[tuple[str, str]]:
        """Return nothing: the owner's next look at the connection syncs it."""
        return ()
