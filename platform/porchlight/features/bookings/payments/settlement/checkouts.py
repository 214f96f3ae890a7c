"""Stripe's pages on which sessions are paid: opened, paid, and closed.

The calendar of the guru is locked before the booking, the booking before its payment, the payment before the ledger.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from porchlight.features.bookings import commands, store
from porchlight.features.bookings.facts import PaymentMode, PaymentSnapshot
from porchlight.features.bookings.payments.changes import PaymentPaid
from porchlight.features.bookings.payments.settlement import purchases
from porchlight.features.bookings.payments.settlement.ledger import post_paid
from porchlight.features.bookings.store import FactsQuery
from porchlight.settlement.outbox import create_write
from porchlight.settlement.rules import Lookup, Refusal, Source, Write
from tenants.db.rows import Connection, fetch_all, fetch_values
from tenants.kit.logs import log

END_KIND = "session_checkout_end"
EXPANDED = "expand[]=payment_intent.latest_charge&expand[]=setup_intent.payment_method"

_GROUP = """
SELECT p.tenant_id, p.id, p.booking_id, p.person_id, p.owner_id, p.group_id, p.number, p.mode, p.state,
       p.amount_cents, p.fee_cents, p.fee_bps, p.fee_minimum_cents, p.refunded_cents, p.fee_returned_cents,
       p.disputed_cents, p.disputed_fee_cents, p.disputed AS is_disputed, p.delivered_at IS NOT NULL AS is_delivered,
       p.checkout_id, p.purpose, p.used_cents, b.service_id, b.starts_at
  FROM payments p LEFT JOIN bookings b ON b.tenant_id = p.tenant_id AND b.id = p.booking_id
 WHERE p.group_id = %s AND p.purpose <> 'package_session' ORDER BY p.id"""
_OPENED = """
UPDATE payments SET checkout_id = %(checkout)s, checkout_url = CASE WHEN state = 'opening' THEN %(url)s ELSE '' END,
       state = CASE state WHEN 'opening' THEN 'open' ELSE state END
 WHERE group_id = %(group)s RETURNING state"""
# A page that could not be closed after the person gave up may have been paid in that moment.
_OPEN = """
SELECT checkout_id FROM payments
 WHERE state = 'open' AND checkout_id <> '' AND coalesce(checked_at, created_at) < %(before)s
UNION
SELECT p.checkout_id FROM stripe_outbox o JOIN payments p ON p.group_id = o.subject_id
 WHERE o.kind = %(end)s AND o.state IN ('refused', 'absent') AND o.settled_at > app.now() - interval '3 days'
   AND p.state = 'canceled' AND p.checkout_id <> '' AND p.created_at < %(before)s"""
_SET_PARTIES = "SELECT set_config('app.tenant_id', %s, true), set_config('app.user_id', %s, true)"


class PaymentRow(NamedTuple):
    """A payment with its booking's service and start, None if the booking is gone."""

    tenant_id: UUID
    id: UUID
    booking_id: UUID | None
    person_id: UUID
    owner_id: UUID
    group_id: UUID
    number: int
    mode: PaymentMode
    state: str
    amount_cents: int
    purpose: str
    fee_cents: int
    fee_bps: int
    fee_minimum_cents: int
    refunded_cents: int
    fee_returned_cents: int
    disputed_cents: int
    disputed_fee_cents: int
    is_disputed: bool
    is_delivered: bool
    checkout_id: str
    used_cents: int
    service_id: UUID | None
    starts_at: datetime | None

    @property
    def snapshot(self) -> PaymentSnapshot:
        """Return the payment as decisions know it."""
        return PaymentSnapshot(**{name: getattr(self, name) for name in PaymentSnapshot.__dataclass_fields__})


class OpenCheckout:
    """Stripe's page for the payments of a group is opened."""

    kind = "session_checkout"

    def on_done(self, conn: Connection, write: Write, stripe_object: Mapping[str, Any]) -> None:
        """Store the page. If the person gave up meanwhile, it is closed."""
        values = {"group": write.subject_id, "checkout": stripe_object["id"], "url": stripe_object.get("url") or ""}
        states = fetch_values(conn, str, _OPENED, values)
        if states and all(state == "canceled" for state in states):
            path = f"/v1/checkout/sessions/{stripe_object['id']}/expire"
            create_write(conn, kind=END_KIND, subject_id=write.subject_id, path=path, params={}, tagged=False)

    def on_refused(self, conn: Connection, write: Write, refusal: Refusal) -> None:
        """Record that the page could not be opened. The person can try again while their seat is held."""
        log.error("session_checkout_refused", code=refusal.code)  # the message may have the email address
        _end(conn, find_group(conn, write.subject_id), "failed", refusal.code)

    def on_absent(self, conn: Connection, write: Write) -> None:
        """Record that the page was not opened."""
        _end(conn, find_group(conn, write.subject_id), "failed", "absent")

    def lookup(self, write: Write) -> Lookup:
        """Return the list of pages."""
        return Lookup("/v1/checkout/sessions", {})


class CloseCheckout:
    """Stripe's page is closed, because the person gave up."""

    kind = END_KIND

    def on_done(self, conn: Connection, write: Write, stripe_object: Mapping[str, Any]) -> None:
        """Do nothing: the payments are over already."""

    def on_refused(self, conn: Connection, write: Write, refusal: Refusal) -> None:
        """Only log it: a page that was paid or has closed cannot close. `open_objects` looks at it again."""
        log.info("session_checkout_not_closed", code=refusal.code)

    def on_absent(self, conn: Connection, write: Write) -> None:
        """Do nothing: the page closes by itself."""

    def lookup(self, write: Write) -> Lookup:
        """Return an empty list: the outcome shows at the page itself."""
        return Lookup("/v1/checkout/sessions", {"created": {"gte": 4_000_000_000}})


class SessionCheckoutRule:
    """A page of Stripe on which sessions are paid, or a card is kept for them."""

    events = frozenset({"checkout.session.completed", "checkout.session.expired"})

    def object_of(self, event: Mapping[str, Any]) -> str | None:
        """Return the page, if it is of sessions."""
        page = event["data"]["object"]
        is_ours = page["mode"] in ("payment", "setup") and (page.get("metadata") or {}).get("payment")
        return str(page["id"]) if is_ours and not event.get("account") else None

    def path(self, object_id: str) -> str:
        """Return the page's path, with its payment, or with the card that it kept."""
        return f"/v1/checkout/sessions/{object_id}?{EXPANDED}"

    def apply(self, conn: Connection, object_id: str, fetched: Mapping[str, Any] | None, source: Source) -> None:
        """Book what was paid, or return the money where seats are gone; end what will not be paid.

        Book what a card is kept for, or let go of the card.
        """
        if fetched is None:
            return
        payments = find_group(conn, UUID(fetched["metadata"]["payment"]))
        if not payments:
            log.error("session_payment_unknown", checkout=object_id)
        elif fetched["status"] == "complete" and fetched["payment_status"] == "paid":
            _confirm(conn, payments, fetched, source.fetched_at)
        elif fetched["status"] == "complete" and fetched["mode"] == "setup":
            _keep(conn, payments, fetched, source.fetched_at)
        elif fetched["status"] == "expired":
            _end(conn, payments, "expired")

    def open_objects(self, conn: Connection, before: datetime) -> Iterable[tuple[str, str]]:
        """Return the open pages, and those that could not be closed."""
        values = {"before": before, "end": END_KIND}
        return [("", checkout_id) for checkout_id in fetch_values(conn, str, _OPEN, values)]


def find_group(conn: Connection, group_id: UUID) -> list[PaymentRow]:
    """Return the payments that are made together."""
    return fetch_all(conn, PaymentRow, _GROUP, [group_id])


def _confirm(conn: Connection, payments: Sequence[PaymentRow], page: Mapping[str, Any], fetched_at: datetime) -> None:
    """Record a payment that arrived, with its bookings and postings. Raises ValueError if it is another amount."""
    total = sum(one.amount_cents for one in payments)
    if (page["amount_total"], page["currency"]) != (total, "usd"):
        raise ValueError(f"{page['amount_total']} {page['currency']} were paid instead of {total} usd")
    intent = page["payment_intent"]
    charge = intent["latest_charge"]
    card = (charge.get("payment_method_details") or {}).get("card") or {}
    if payments[0].purpose != "session":
        purchases.confirm(conn, payments[0].id, intent["id"], charge["id"], card, fetched_at)
        return
    command = commands.ConfirmPayments(
        payments=[one.snapshot for one in payments],
        intent_id=intent["id"],
        charge_id=charge["id"],
        card_brand=card.get("brand") or "",
        card_last4=card.get("last4") or "",
        checked_at=fetched_at,
    )
    confirm(conn, payments, command)


def confirm(conn: Connection, payments: Sequence[PaymentRow], command: commands.ConfirmPayments) -> None:
    """Record payments that arrived, and post them."""
    with conn.pipeline():  # so that the calendar is locked for four round trips
        paid = {one.id for one in run(conn, payments, command) if isinstance(one, PaymentPaid)}
        post_paid(conn, [one for one in payments if one.id in paid], command.charge_id)


def _keep(conn: Connection, payments: Sequence[PaymentRow], page: Mapping[str, Any], fetched_at: datetime) -> None:
    """Record a card that is kept, with its bookings. Nothing is posted."""
    method = page["setup_intent"]["payment_method"]
    card = method.get("card") or {}
    command = commands.KeepCards(
        payments=[one.snapshot for one in payments],
        customer_id=page["customer"] or "",
        method_id=method["id"],
        card_brand=card.get("brand") or "",
        card_last4=card.get("last4") or "",
        checked_at=fetched_at,
    )
    run(conn, payments, command)


def _end(conn: Connection, payments: Sequence[PaymentRow], state: Any, error_code: str = "") -> None:
    if payments and payments[0].purpose != "session":
        purchases.end(conn, payments[0].id, state, error_code)
        return
    open_ones = [one.snapshot for one in payments if one.state in ("opening", "open")]
    if open_ones:
        run(conn, payments, commands.EndPayments(payments=open_ones, state=state, error_code=error_code))


def run(conn: Connection, payments: Sequence[PaymentRow], command: commands.Command) -> Sequence[Any]:
    """Carry out a command under the lock of the calendar. Return what it changes about payments."""
    first = payments[0]
    conn.execute(_SET_PARTIES, [str(first.tenant_id), str(first.person_id)])
    needs = FactsQuery(
        ids=[one.booking_id for one in payments if one.booking_id],
        service=first.service_id,
        starts=[one.starts_at for one in payments if one.starts_at is not None],
    )
    return store.run_on(conn, needs, command).change.payments
