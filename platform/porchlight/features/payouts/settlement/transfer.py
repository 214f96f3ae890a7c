"""Test earnings: what the local Stripe's dashboard adds to an account, in place of a sale."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from porchlight.money import posting
from porchlight.settlement.rules import Source
from tenants.db.rows import Connection, fetch_value
from tenants.kit.logs import log

_OWNER = "SELECT user_id FROM payout_accounts WHERE account_id = %s"


class TestEarningsRule:
    """A transfer that is marked as test earnings, with a test key only: a sale without a buyer."""

    __test__ = False  # the name is no test's
    events = frozenset({"transfer.created"})

    def object_of(self, event: Mapping[str, Any]) -> str | None:
        """Return the transfer if it is marked."""
        transfer = event["data"]["object"]
        return transfer["id"] if _is_marked(transfer) else None

    def path(self, object_id: str) -> str:
        """Return the transfer's path."""
        return f"/v1/transfers/{object_id}"

    def apply(self, conn: Connection, object_id: str, fetched: Mapping[str, Any] | None, source: Source) -> None:
        """Post the earnings to the account's owner."""
        if fetched is None or not _is_marked(fetched) or source.livemode:
            return
        user_id = fetch_value(conn, UUID, _OWNER, [fetched["destination"]])
        if user_id is None:
            log.warning("test_earnings_of_unknown_account", transfer=object_id)
            return
        cards = posting.get_or_create_account(conn, "card_network")
        payable = posting.get_or_create_account(conn, "guru_payable", user_id=user_id)
        stripe = posting.get_or_create_account(conn, "guru_stripe", user_id=user_id)
        amount, subject = fetched["amount"], posting.Subject("transfer", object_id)
        charge = str(fetched.get("source_transaction") or object_id)
        earned, moved = posting.Leg(cards, payable, amount), posting.Leg(payable, stripe, amount)
        # Stripe has a balance line for each.
        posting.post(conn, "test_earnings", subject, [earned], stripe_object=charge)
        posting.post(conn, "transferred", subject, [moved], stripe_object=object_id)

    def open_objects(self, _conn: Connection, _before: datetime) -> Iterable[tuple[str, str]]:
        """Return nothing: what was posted does not change."""
        return ()


def _is_marked(transfer: Mapping[str, Any]) -> bool:
    marked = (transfer.get("metadata") or {}).get("porchlight_test_earnings") == "1"
    return marked and transfer.get("livemode") is False
