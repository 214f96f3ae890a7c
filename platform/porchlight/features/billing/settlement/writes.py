"""The writes of billing at Stripe, and every way in which each can end."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from porchlight.features.billing.settlement import customers
from porchlight.features.billing.settlement.facts import EXPANDED, id_of, moment
from porchlight.features.billing.settlement.invoices import REFUND
from porchlight.features.billing.settlement.subscriptions import CANCEL, SubscriptionRule
from porchlight.settlement.outbox import create_write
from porchlight.settlement.rules import Lookup, Refusal, Source, Write
from tenants.db.rows import Connection, fetch_value
from tenants.kit.ids import new_id
from tenants.kit.logs import log

CUSTOMER_GONE = "resource_missing"
PHASES = "plan_phases"

_WAITING = "SELECT id FROM plan_checkouts WHERE user_id = %s AND state = 'waiting'"
_IS_ERASED = "SELECT FROM users WHERE user_id = %s AND status = 'erased'"
# None of a deleted account.
_EMAIL = """
SELECT u.email FROM billing_customers b JOIN users u ON u.user_id = b.user_id
 WHERE b.customer_id = %s AND u.email <> '' AND u.status <> 'erased'"""
_OPENED = """
UPDATE plan_checkouts SET session_id = %(session)s, url = %(url)s, expires_at = %(expires_at)s,
       state = CASE state WHEN 'waiting' THEN 'open' ELSE state END
 WHERE id = %(id)s RETURNING state"""
_CHECKOUT_REFUSED = """
UPDATE plan_checkouts c SET state = 'refused' FROM billing_customers b
 WHERE c.id = %s AND c.state = 'waiting' AND b.user_id = c.user_id RETURNING b.customer_id"""
_CHECKOUTS_REFUSED = """
UPDATE plan_checkouts c SET state = 'refused' FROM billing_customers b
 WHERE b.request_id = %s AND c.user_id = b.user_id AND c.state = 'waiting'"""
_SEND_CHECKOUT = "SELECT app.send_plan_checkout(%s)"
_SEND_CHANGE = "SELECT app.send_plan_change(%s, true)"
_END_CHANGE = """
UPDATE plan_changes SET state = %(state)s, payment_url = %(payment_url)s, error_code = %(code)s
 WHERE id = %(id)s AND state = 'requested'"""
_CHANGE = """
SELECT c.plan, c.interval, p.object_id, s.sub_id FROM plan_changes c
  JOIN subscriptions s ON s.user_id = c.user_id AND s.id = c.subscription_id
  LEFT JOIN billing_catalog p ON p.key = c.plan || '-' || c.interval WHERE c.id = %s"""
_ANSWERED_AT = """
SELECT CASE WHEN tries = 1 THEN settled_at ELSE coalesce(first_sent_at, created_at) END
  FROM stripe_outbox WHERE id = %s"""
# Whether the subscription is as the change wanted it, as it was last fetched.
_IS_CHANGED = """
SELECT CASE c.kind WHEN 'cancel' THEN s.cancel_at_end OR s.state = 'canceled'
                   WHEN 'keep' THEN NOT s.cancel_at_end AND s.next_plan IS NULL
                   WHEN 'upgrade' THEN (s.plan, s.interval) = (c.plan, c.interval)
                   ELSE (s.next_plan, s.next_interval) = (c.plan, c.interval) END
  FROM plan_changes c JOIN subscriptions s ON s.user_id = c.user_id AND s.id = c.subscription_id WHERE c.id = %s"""


class CustomerWrite:
    """A user becomes Stripe's customer. Then the checkout that waits for it is opened."""

    kind = "billing_customer"

    def on_done(self, conn: Connection, write: Write, stripe_object: Mapping[str, Any]) -> None:
        """Store the id and open the waiting checkout; end the customer if the account was deleted meanwhile."""
        user_id = customers.save_customer_id(conn, write.subject_id, stripe_object["id"])
        if user_id is None:
            return
        if conn.execute(_IS_ERASED, [user_id]).fetchone() is not None:
            path = f"/v1/customers/{stripe_object['id']}"
            create_write(
                conn, kind="billing_customer_end", subject_id=write.subject_id, path=path, params={}, method="DELETE",
                tagged=False,
            )  # fmt: skip
        for (checkout_id,) in conn.execute(_WAITING, [user_id]).fetchall():
            conn.execute(_SEND_CHECKOUT, [checkout_id])
        _send_email(conn, stripe_object["id"], known=write.params["email"])

    def on_refused(self, conn: Connection, write: Write, refusal: Refusal) -> None:
        """End the waiting checkout. The next one tries again."""
        log.error("billing_customer_refused", code=refusal.code)  # the message may have the email address
        self.on_absent(conn, write)

    def on_absent(self, conn: Connection, write: Write) -> None:
        """End the waiting checkout. The next one tries again."""
        conn.execute(_CHECKOUTS_REFUSED, [write.subject_id])

    def lookup(self, write: Write) -> Lookup:
        """Return the list of customers."""
        return Lookup("/v1/customers", {"email": write.params["email"]})


class EmailWrite:
    """A customer gets the user's new email address, to which Stripe sends receipts."""

    kind = "billing_customer_email"

    def on_done(self, conn: Connection, write: Write, stripe_object: Mapping[str, Any]) -> None:
        """Send the address again if it is another one by now: two changes can arrive in either order."""
        _send_email(conn, stripe_object["id"], known=write.params["email"])

    def on_refused(self, conn: Connection, write: Write, refusal: Refusal) -> None:
        """Only log it: receipts still go to the former address."""
        log.error("billing_customer_email_refused", code=refusal.code, path=write.path)

    def on_absent(self, conn: Connection, write: Write) -> None:
        """Try again with the address of today."""
        _send_email(conn, write.path.removeprefix("/v1/customers/"))

    def lookup(self, write: Write) -> Lookup:
        """Return the list of customers with the address, old ones too."""
        return Lookup("/v1/customers", {"email": write.params["email"], "created": {"gte": 0}})


class CheckoutWrite:
    """A session of Checkout is opened. Its page is where the user pays."""

    kind = "plan_checkout"

    def on_done(self, conn: Connection, write: Write, stripe_object: Mapping[str, Any]) -> None:
        """Store the page; end the session if another one replaced it meanwhile."""
        values = {
            "id": write.subject_id, "session": stripe_object["id"], "url": stripe_object.get("url") or "",
            "expires_at": moment(stripe_object["expires_at"]),
        }  # fmt: skip
        if fetch_value(conn, str, _OPENED, values) == "replaced":
            path = f"/v1/checkout/sessions/{stripe_object['id']}/expire"
            create_write(
                conn, kind="plan_checkout_end", subject_id=write.subject_id, path=path, params={}, tagged=False
            )

    def on_refused(self, conn: Connection, write: Write, refusal: Refusal) -> None:
        """End the checkout. A customer that is gone at Stripe is forgotten."""
        log.error("plan_checkout_refused", code=refusal.code, message=refusal.message)
        customer_id = fetch_value(conn, str, _CHECKOUT_REFUSED, [write.subject_id])
        if customer_id is not None and refusal.code == CUSTOMER_GONE and customer_id in refusal.message:
            customers.forget_customer(conn, customer_id)

    def on_absent(self, conn: Connection, write: Write) -> None:
        """End the checkout: no user was sent to its page."""
        conn.execute(_CHECKOUT_REFUSED, [write.subject_id])

    def lookup(self, write: Write) -> Lookup:
        """Return the list of the customer's sessions."""
        return Lookup("/v1/checkout/sessions", {"customer": write.params["customer"]})


@dataclass(frozen=True, slots=True)
class EndWrite:
    """Something ends at Stripe: a session, a customer or a subscription. Its events bring the new state here."""

    kind: str

    def on_done(self, conn: Connection, write: Write, stripe_object: Mapping[str, Any]) -> None:
        """Do nothing: the object's rule stores the end."""

    def on_refused(self, conn: Connection, write: Write, refusal: Refusal) -> None:
        """Only log it: what has ended before cannot end again."""
        log.info("stripe_end_refused", kind=self.kind, path=write.path, code=refusal.code)

    def on_absent(self, conn: Connection, write: Write) -> None:
        """Try again: an end can be repeated without harm."""
        create_write(
            conn, kind=self.kind, subject_id=write.subject_id, path=write.path, params=write.params,
            method=write.method, tagged=False,
        )  # fmt: skip

    def lookup(self, write: Write) -> Lookup:
        """Return an empty list: the outcome shows at the object itself."""
        return _no_list()


class ReleaseWrite:
    """A subscription leaves its schedule, before it changes otherwise."""

    kind = "plan_release"

    def on_done(self, conn: Connection, write: Write, stripe_object: Mapping[str, Any]) -> None:
        """Start the change itself."""
        conn.execute(_SEND_CHANGE, [write.subject_id])

    def on_refused(self, conn: Connection, write: Write, refusal: Refusal) -> None:
        """End the change."""
        _end_change(conn, write.subject_id, "refused", code=refusal.code)

    def on_absent(self, conn: Connection, write: Write) -> None:
        """End the change. The user can ask again."""
        _end_change(conn, write.subject_id, "refused", code="absent")

    def lookup(self, write: Write) -> Lookup:
        """Return an empty list: the outcome shows at the subscription."""
        return _no_list()


@dataclass(frozen=True, slots=True)
class ChangeWrite:
    """A subscription changes: its price now, or whether it renews. The answer is the subscription itself."""

    kind: str

    def on_done(self, conn: Connection, write: Write, stripe_object: Mapping[str, Any]) -> None:
        """Store the subscription. An upgrade that Stripe could not charge waits for its payment."""
        pending = stripe_object.get("pending_update") is not None
        invoice = stripe_object.get("latest_invoice")
        url = (invoice.get("hosted_invoice_url") or "") if pending and isinstance(invoice, Mapping) else ""
        _end_change(conn, write.subject_id, "unpaid" if pending else "done", payment_url=url)
        _apply(conn, write, stripe_object)

    def on_refused(self, conn: Connection, write: Write, refusal: Refusal) -> None:
        """End the change: the subscription is as it was."""
        _end_change(conn, write.subject_id, "refused", code=refusal.code)

    def on_absent(self, conn: Connection, write: Write) -> None:
        """End the change as the subscription shows it."""
        _end_by_subscription(conn, write.subject_id)

    def lookup(self, write: Write) -> Lookup:
        """Return an empty list: the outcome shows at the subscription."""
        return _no_list()


class ScheduleWrite:
    """A subscription gets a schedule, whose phases are written next."""

    kind = "plan_schedule"

    def on_done(self, conn: Connection, write: Write, stripe_object: Mapping[str, Any]) -> None:
        """Write the phases: the current one until its end, then the new plan, then no schedule."""
        row = conn.execute(_CHANGE, [write.subject_id]).fetchone()
        if row is None:
            return
        plan, interval, price_id, _sub_id = row
        current = stripe_object["phases"][0]
        item = current["items"][0]
        params = {
            "end_behavior": "release",
            "proration_behavior": "none",
            "metadata": {"next_plan": plan, "next_interval": interval},
            "phases": [
                {
                    "items": [{"price": id_of(item["price"]), "quantity": 1}],
                    "start_date": current["start_date"],
                    "end_date": current["end_date"],
                },
                {
                    "items": [{"price": price_id, "quantity": 1}],
                    "duration": {"interval": interval, "interval_count": 1},
                    "proration_behavior": "none",
                },
            ],
            "expand": ["subscription", *(f"subscription.{name}" for name in EXPANDED)],
        }
        path = f"/v1/subscription_schedules/{stripe_object['id']}"
        create_write(conn, kind=PHASES, subject_id=write.subject_id, path=path, params=params)

    def on_refused(self, conn: Connection, write: Write, refusal: Refusal) -> None:
        """End the change."""
        _end_change(conn, write.subject_id, "refused", code=refusal.code)

    def on_absent(self, conn: Connection, write: Write) -> None:
        """End the change. A schedule without new phases renews as before."""
        _end_change(conn, write.subject_id, "refused", code="absent")

    def lookup(self, write: Write) -> Lookup:
        """Return an empty list: the outcome shows at the subscription."""
        return _no_list()


class PhasesWrite:
    """The phases of a schedule. The answer has the subscription."""

    kind = PHASES

    def on_done(self, conn: Connection, write: Write, stripe_object: Mapping[str, Any]) -> None:
        """Store the subscription with its planned change."""
        _end_change(conn, write.subject_id, "done")
        if isinstance(stripe_object.get("subscription"), Mapping):
            _apply(conn, write, stripe_object["subscription"])

    def on_refused(self, conn: Connection, write: Write, refusal: Refusal) -> None:
        """End the change. A schedule without new phases renews as before."""
        log.error("plan_phases_refused", code=refusal.code, message=refusal.message)
        _end_change(conn, write.subject_id, "refused", code=refusal.code)

    def on_absent(self, conn: Connection, write: Write) -> None:
        """End the change as the subscription shows it."""
        _end_by_subscription(conn, write.subject_id)

    def lookup(self, write: Write) -> Lookup:
        """Return the list of schedules, old ones too."""
        return Lookup("/v1/subscription_schedules", {"created": {"gte": 0}})


class RefundWrite:
    """The refund of what was paid for a stray subscription. The refund's own rule posts it."""

    kind = REFUND

    def on_done(self, conn: Connection, write: Write, stripe_object: Mapping[str, Any]) -> None:
        """Do nothing: the refund's rule posts it."""

    def on_refused(self, conn: Connection, write: Write, refusal: Refusal) -> None:
        """Log it for the staff, unless it was refunded by hand."""
        if refusal.code != "charge_already_refunded":
            log.error("plan_refund_refused", code=refusal.code, payment_intent=write.params["payment_intent"])

    def on_absent(self, conn: Connection, write: Write) -> None:
        """Try again: Stripe has no such refund."""
        params = {name: write.params[name] for name in ("payment_intent", "reason")}
        create_write(conn, kind=REFUND, subject_id=write.subject_id, path=write.path, params=params)

    def lookup(self, write: Write) -> Lookup:
        """Return the list of the payment's refunds."""
        return Lookup("/v1/refunds", {"payment_intent": write.params["payment_intent"]})


WRITES = (
    CustomerWrite(), EmailWrite(), CheckoutWrite(), EndWrite("plan_checkout_end"), EndWrite("billing_customer_end"),
    EndWrite(CANCEL), ReleaseWrite(), ChangeWrite("plan_upgrade"), ChangeWrite("plan_renewal"), ScheduleWrite(),
    PhasesWrite(), RefundWrite(),
)  # fmt: skip


def _send_email(conn: Connection, customer_id: str, *, known: str = "") -> None:
    """Send the address of a customer's user to Stripe, for receipts, unless it is the one that is known there."""
    email = fetch_value(conn, str, _EMAIL, [customer_id])
    if email is not None and email != known:
        path = f"/v1/customers/{customer_id}"
        create_write(conn, kind=EmailWrite.kind, subject_id=new_id(), path=path, params={"email": email})


def _no_list() -> Lookup:
    # No plan's price has this id, so the list is empty at once.
    return Lookup("/v1/prices", {"lookup_keys": ["porchlight-none"]})


def _end_change(conn: Connection, change_id: UUID, state: str, *, payment_url: str = "", code: str = "") -> None:
    conn.execute(_END_CHANGE, {"id": change_id, "state": state, "payment_url": payment_url, "code": code})


def _end_by_subscription(conn: Connection, change_id: UUID) -> None:
    if fetch_value(conn, bool, _IS_CHANGED, [change_id]):
        _end_change(conn, change_id, "done")
    else:
        _end_change(conn, change_id, "refused", code="absent")


def _apply(conn: Connection, write: Write, subscription: Mapping[str, Any]) -> None:
    """Store the answer of a write, unless a newer state is stored.

    A first answer is as of its arrival: what was fetched while the call ran may be older than what the call changed.
    The answer to a repeated call is the first one, so it is as of the first call.
    """
    answered_at = fetch_value(conn, datetime, _ANSWERED_AT, [write.id])
    if answered_at is not None:
        source = Source("", answered_at, "", bool(subscription.get("livemode")))
        SubscriptionRule().apply(conn, subscription["id"], subscription, source)
