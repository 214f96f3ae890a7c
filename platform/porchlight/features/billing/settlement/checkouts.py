"""Sessions of Stripe's Checkout, and the card of a customer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from porchlight.features.billing.settlement import customers
from porchlight.features.billing.settlement.facts import card_of
from porchlight.settlement.rules import Source
from tenants.db.rows import Connection, fetch_values

_SAVE = """
UPDATE plan_checkouts SET state = %(state)s, checked_at = %(checked_at)s
 WHERE session_id = %(session_id)s AND (checked_at IS NULL OR checked_at < %(checked_at)s)"""
_OPEN = "SELECT session_id FROM plan_checkouts WHERE state = 'open' AND coalesce(checked_at, created_at) < %s"


class CheckoutRule:
    """A session of Checkout: open, complete or expired. The subscription that it makes has a rule of its own."""

    events = frozenset({"checkout.session.completed", "checkout.session.expired"})

    def object_of(self, event: Mapping[str, Any]) -> str | None:
        """Return the session, if it sells a subscription."""
        session = event["data"]["object"]
        return str(session["id"]) if session["mode"] == "subscription" else None

    def path(self, object_id: str) -> str:
        """Return the session's path."""
        return f"/v1/checkout/sessions/{object_id}"

    def apply(self, conn: Connection, object_id: str, fetched: Mapping[str, Any] | None, source: Source) -> None:
        """Store whether the session is still open. One of the pricing table is not stored."""
        state = "expired" if fetched is None else fetched["status"]
        conn.execute(_SAVE, {"session_id": object_id, "state": state, "checked_at": source.fetched_at})

    def open_objects(self, conn: Connection, before: datetime) -> Iterable[tuple[str, str]]:
        """Return the open sessions."""
        return [("", session_id) for session_id in fetch_values(conn, str, _OPEN, [before])]


class CustomerRule:
    """A customer: the card that is charged by default."""

    events = frozenset({"customer.updated"})

    def object_of(self, event: Mapping[str, Any]) -> str | None:
        """Return the customer."""
        return str(event["data"]["object"]["id"]) if not event.get("account") else None

    def path(self, object_id: str) -> str:
        """Return the customer's path, with the default card."""
        return f"/v1/customers/{object_id}?expand[]=invoice_settings.default_payment_method"

    def apply(self, conn: Connection, object_id: str, fetched: Mapping[str, Any] | None, source: Source) -> None:
        """Store the card. A customer that was deleted at Stripe is replaced by the next purchase."""
        if fetched is not None and customers.user_of(conn, object_id) is not None:
            card = card_of((fetched.get("invoice_settings") or {}).get("default_payment_method"))
            customers.save_card(conn, object_id, card, source.fetched_at)

    def open_objects(self, _conn: Connection, _before: datetime) -> Iterable[tuple[str, str]]:
        """Return nothing: the card is only shown."""
        return ()
