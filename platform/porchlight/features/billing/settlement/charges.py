"""Charges and refunds of plans: the money that moved, posted to the ledger once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from porchlight.features.billing.settlement import customers
from porchlight.features.billing.settlement.facts import id_of
from porchlight.money.posting import Leg, Subject, get_or_create_account, post
from porchlight.settlement.rules import Source
from tenants.db.rows import Connection


class ChargeRule:
    """A card payment for a plan, with Stripe's price for it."""

    events = frozenset({"charge.succeeded", "charge.captured", "charge.updated"})

    def object_of(self, event: Mapping[str, Any]) -> str | None:
        """Return the charge, if a customer of the platform pays it."""
        charge = event["data"]["object"]
        return str(charge["id"]) if charge.get("customer") and not event.get("account") else None

    def path(self, object_id: str) -> str:
        """Return the charge's path, with its line in the balance."""
        return f"/v1/charges/{object_id}?expand[]=balance_transaction"

    def apply(self, conn: Connection, object_id: str, fetched: Mapping[str, Any] | None, source: Source) -> None:
        """Post the payment and its fee. What was posted before stays, because a charge never changes its amount."""
        if fetched is None or not fetched["paid"] or customers.user_of(conn, id_of(fetched.get("customer"))) is None:
            return
        card_network, revenue = (get_or_create_account(conn, kind) for kind in ("card_network", "subscription_revenue"))
        legs = [Leg(card_network, revenue, fetched["amount_captured"])]
        post(conn, "plan_paid", Subject("charge", object_id), legs, stripe_object=object_id)
        line = fetched.get("balance_transaction")
        if isinstance(line, Mapping) and line["fee"] > 0:
            fees, processor = (get_or_create_account(conn, kind) for kind in ("platform_fees", "processor_fees"))
            legs = [Leg(fees, processor, line["fee"])]
            post(conn, "processing_fee", Subject("balance_line", line["id"]), legs, stripe_object=object_id)

    def open_objects(self, _conn: Connection, _before: datetime) -> Iterable[tuple[str, str]]:
        """Return nothing: a paid charge is final."""
        return ()


class RefundRule:
    """A refund of a plan's charge, and its failure."""

    events = frozenset({"refund.created", "refund.updated", "refund.failed", "charge.refund.updated"})

    def object_of(self, event: Mapping[str, Any]) -> str | None:
        """Return the refund."""
        return str(event["data"]["object"]["id"]) if not event.get("account") else None

    def path(self, object_id: str) -> str:
        """Return the refund's path, with its charge."""
        return f"/v1/refunds/{object_id}?expand[]=charge"

    def apply(self, conn: Connection, object_id: str, fetched: Mapping[str, Any] | None, source: Source) -> None:
        """Post the refund, and its opposite if it failed."""
        charge = fetched.get("charge") if fetched is not None else None
        if fetched is None or not isinstance(charge, Mapping):
            return
        if customers.user_of(conn, id_of(charge.get("customer"))) is None:
            return
        card_network, revenue = (get_or_create_account(conn, kind) for kind in ("card_network", "subscription_revenue"))
        amount, subject = fetched["amount"], Subject("refund", object_id)
        post(conn, "plan_refunded", subject, [Leg(revenue, card_network, amount)], stripe_object=object_id)
        if fetched["status"] in ("failed", "canceled"):
            legs = [Leg(card_network, revenue, amount)]
            post(conn, "plan_refund_failed", subject, legs, stripe_object=object_id)

    def open_objects(self, _conn: Connection, _before: datetime) -> Iterable[tuple[str, str]]:
        """Return nothing: the reconciler finds a refund whose event was lost."""
        return ()
