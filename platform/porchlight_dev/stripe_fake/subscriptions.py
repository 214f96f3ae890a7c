"""Subscriptions: their start, change, renewal, dunning and end (https://docs.stripe.com/billing/subscriptions/overview).

State changes in one place each: `start`, `change`, `settle` (a paid invoice), `fail` (an unpaid one), `end`; and in
renewals.py `renew`.
"""

from __future__ import annotations

from typing import Any

from porchlight_dev.stripe_fake import cards, invoices, payment_methods, periods, products
from porchlight_dev.stripe_fake.cards import TestCard
from porchlight_dev.stripe_fake.clock import HOUR
from porchlight_dev.stripe_fake.context import Context, blank, list_of, require
from porchlight_dev.stripe_fake.errors import StripeRefusal
from porchlight_dev.stripe_fake.store import Json, new_id

ENDED = ("canceled", "incomplete_expired")
INCOMPLETE_SECONDS = 23 * HOUR
Card = tuple[TestCard, Json]


def item_of(subscription: Json) -> Json:
    """Return the only item of a subscription."""
    item: Json = subscription["items"]["data"][0]
    return item


def save(ctx: Context, subscription: Json, previous: Json | None = None, kind: str = "updated") -> Json:
    """Store a subscription and emit its event."""
    ctx.store.put(subscription)
    ctx.events.emit(f"customer.subscription.{kind}", subscription, previous=previous)
    return subscription


def new(ctx: Context, customer: str, price: Json, quantity: int, metadata: dict[str, str]) -> Json:
    """Return an incomplete subscription whose first period begins now."""
    now, subscription_id = ctx.now(), new_id("sub")
    item: Json = {
        "id": new_id("si"),
        "object": "subscription_item",
        "billed_until": None,
        "billing_thresholds": None,
        "created": now,
        "current_period_end": periods.add(now, price["recurring"], now),
        "current_period_start": now,
        "discounts": [],
        "metadata": {},
        "plan": products.plan_of(price),
        "price": price,
        "quantity": quantity,
        "subscription": subscription_id,
        "tax_rates": [],
    }
    return {
        "id": subscription_id,
        "object": "subscription",
        "automatic_tax": {"disabled_reason": None, "enabled": False, "liability": None},
        "billing_cycle_anchor": now,
        "billing_mode": {"flexible": {"proration_discounts": "included"}, "type": "flexible", "updated_at": None},
        "billing_schedules": [],
        "cancel_at_period_end": False,
        "cancellation_details": blank("comment feedback reason"),
        "collection_method": "charge_automatically",
        "created": now,
        "currency": "usd",
        "customer": customer,
        "discounts": [],
        "invoice_settings": {"account_tax_ids": None, "issuer": {"type": "self"}},
        "items": list_of([item], f"/v1/subscription_items?subscription={subscription_id}"),
        "livemode": False,
        "metadata": metadata,
        "payment_settings": {
            "save_default_payment_method": "off",
            **blank("payment_method_options payment_method_types"),
        },
        "start_date": now,
        "status": "incomplete",
        "trial_settings": {"end_behavior": {"missing_payment_method": "create_invoice"}},
        **blank(
            "application application_fee_percent billing_cycle_anchor_config billing_thresholds cancel_at canceled_at"
            " customer_account days_until_due default_payment_method default_source default_tax_rates description"
            " ended_at latest_invoice next_pending_invoice_item_invoice on_behalf_of pause_collection"
            " pending_invoice_item_interval pending_setup_intent pending_update schedule test_clock transfer_data"
            " trial_end trial_start"
        ),
    }


def start(
    ctx: Context,
    customer: str,
    price: Json,
    quantity: int = 1,
    *,
    metadata: dict[str, str] | None = None,
    card: Card | None = None,
    behavior: str = "allow_incomplete",
    on_session: bool = False,
) -> tuple[Json, Json]:
    """Create a subscription and charge its first invoice; return both. Raises the decline if nothing may remain."""
    subscription = new(ctx, customer, price, quantity, metadata or {})
    item = item_of(subscription)
    begin, finish = item["current_period_start"], item["current_period_end"]
    if card:
        subscription["default_payment_method"] = card[1]["id"]
    lines = [invoices.regular_line(ctx, subscription, price, quantity, begin, finish)]
    # The subscription exists before its invoice, which refers to it.
    save(ctx, subscription, kind="created")
    invoice = invoices.finalize(ctx, invoices.draft(ctx, subscription, lines, "subscription_create", begin, begin))
    ctx.store.put(subscription)
    paid = False
    if behavior != "default_incomplete":
        invoice, paid = invoices.charge(ctx, invoice, card=card, on_session=on_session)
    if paid:
        return settle(ctx, invoice) or subscription, invoice
    if behavior == "error_if_incomplete":
        raise declined(ctx, invoice)
    ctx.clock.set_timer(ctx.now() + INCOMPLETE_SECONDS, "subscription_incomplete", subscription["id"])
    return subscription, invoice


def declined(ctx: Context, invoice: Json) -> StripeRefusal:
    """Return the error of the last failed payment of an invoice."""
    payments = invoice["payments"]["data"]
    if not payments:
        message = "This customer has no attached payment source or default payment method."
        return StripeRefusal(message, code="resource_missing")
    intent = require(ctx, "payment_intent", payments[0]["payment"]["payment_intent"])
    error = intent["last_payment_error"]
    message = error["message"] if error else cards.DECLINE_WORDS["generic_decline"]
    return StripeRefusal(
        message,
        status=402,
        code=error["code"],
        kind="card_error",
        decline_code=error["decline_code"],
        charge=error["charge"],
    )


def same_interval(one: Json, other: Json) -> bool:
    """Return whether two prices are charged equally often. Only another interval moves the billing cycle."""
    return all(one["recurring"][name] == other["recurring"][name] for name in ("interval", "interval_count"))


def set_price(ctx: Context, subscription: Json, price: Json, quantity: int, begin: int, finish: int) -> None:
    """Give a subscription another price and period."""
    item = item_of(subscription)
    if not same_interval(item["price"], price):
        subscription["billing_cycle_anchor"] = begin
    item |= {
        "current_period_end": finish,
        "current_period_start": begin,
        "plan": products.plan_of(price),
        "price": price,
        "quantity": quantity,
    }
    arm(ctx, subscription)


def arm(ctx: Context, subscription: Json) -> None:
    """Set the timer for the end of the current period."""
    ctx.clock.cancel_timers("subscription_period", subscription["id"])
    ctx.clock.set_timer(item_of(subscription)["current_period_end"], "subscription_period", subscription["id"])


def change(
    ctx: Context, subscription: Json, price: Json, quantity: int, *, proration: str, behavior: str, at: int
) -> tuple[Json, Json]:
    """Change a subscription's price; return it and the previous attributes. An open invoice may hold it back."""
    item = item_of(subscription)
    previous: Json = {"items": {"data": [dict(item)]}, "plan": item["plan"], "quantity": item["quantity"]}
    lines, begin, finish = invoices.proration_lines(ctx, subscription, price, quantity, at)
    if proration == "none":
        same = begin == item["current_period_start"]
        lines = [] if same else [lines[-1]]
    if proration == "create_prorations" and begin == item["current_period_start"]:
        subscription["_pending_lines"] = [*subscription.get("_pending_lines", []), *lines]
        lines = []
    if not lines:
        set_price(ctx, subscription, price, quantity, begin, finish)
        return subscription, previous
    invoice = invoices.finalize(ctx, invoices.draft(ctx, subscription, lines, "subscription_update", at, at))
    ctx.store.put(subscription)
    invoice, paid = invoices.charge(ctx, invoice)
    if paid or behavior == "allow_incomplete":
        set_price(ctx, subscription, price, quantity, begin, finish)
        if not paid:
            fail(ctx, invoice, subscription)
        return subscription, previous
    if behavior == "error_if_incomplete":
        raise declined(ctx, invoice)
    pending_item = item | {"price": price, "plan": products.plan_of(price), "quantity": quantity}
    subscription["pending_update"] = {
        "billing_cycle_anchor": begin if begin != item["current_period_start"] else None,
        "expires_at": ctx.now() + INCOMPLETE_SECONDS,
        "subscription_items": [pending_item],
        "trial_end": None,
        "trial_from_plan": None,
    }
    subscription["_pending_period"] = [begin, finish]
    ctx.clock.set_timer(ctx.now() + INCOMPLETE_SECONDS, "pending_update", subscription["id"])
    return subscription, {"pending_update": None}


def settle(ctx: Context, invoice: Json) -> Json | None:
    """Apply a paid invoice to its subscription: it becomes active, or its pending update is applied."""
    subscription = ctx.store.get(invoices.subscription_of(invoice), "")
    if subscription is None or subscription["status"] in ENDED:
        return None
    previous: Json = {}
    if subscription["pending_update"] and subscription["latest_invoice"] == invoice["id"]:
        pending = subscription["pending_update"]["subscription_items"][0]
        previous = {"pending_update": subscription["pending_update"]}
        subscription["pending_update"] = None
        set_price(ctx, subscription, pending["price"], pending["quantity"], *subscription.pop("_pending_period"))
        ctx.clock.cancel_timers("pending_update", subscription["id"])
        save(ctx, subscription, previous, "pending_update_applied")
    open_invoices = ctx.store.find("invoice", where={"customer": subscription["customer"], "status": "open"})
    owing = [one for one in open_invoices if invoices.subscription_of(one) == subscription["id"]]
    if subscription["status"] in ("incomplete", "past_due", "unpaid") and not owing:
        previous["status"] = subscription["status"]
        subscription["status"] = "active"
    if previous.get("status") == "incomplete":
        ctx.clock.cancel_timers("subscription_incomplete", subscription["id"])
        arm(ctx, subscription)
    return save(ctx, subscription, previous) if previous else subscription


def fail(ctx: Context, invoice: Json, subscription: Json) -> Json:
    """Apply a failed charge: the subscription is past due, or after the last attempt canceled."""
    if subscription["status"] in ("incomplete", *ENDED):
        return subscription
    if not invoices.schedule_retry(ctx, invoice):
        return end(ctx, subscription, "payment_failed")
    if subscription["status"] == "active":
        subscription["status"] = "past_due"
        save(ctx, subscription, {"status": "active"})
    return subscription


def finalize_due(ctx: Context, invoice_id: str) -> None:
    """Finalize and charge the invoice of a renewal."""
    invoice = require(ctx, "invoice", invoice_id)
    if invoice["status"] == "draft":
        attempt(ctx, invoices.finalize(ctx, invoice))


def retry(ctx: Context, invoice_id: str) -> None:
    """Charge an open invoice once more."""
    invoice = require(ctx, "invoice", invoice_id)
    if invoice["status"] == "open":
        attempt(ctx, invoice)


def attempt(ctx: Context, invoice: Json, *, card: Card | None = None, on_session: bool = False) -> tuple[Json, bool]:
    """Charge an invoice and apply the result to its subscription; return the invoice and whether it is paid."""
    subscription = require(ctx, "subscription", invoices.subscription_of(invoice))
    card = card or payment_methods.card_of(
        ctx, require(ctx, "customer", invoice["customer"]), subscription["default_payment_method"]
    )
    invoice, paid = invoices.charge(ctx, invoice, card=card, on_session=on_session)
    if paid:
        settle(ctx, invoice)
    elif not on_session:
        fail(ctx, invoice, subscription)
    return invoice, paid


def end(ctx: Context, subscription: Json, reason: str, comment: str | None = None) -> Json:
    """Cancel a subscription now. Its open invoices stay open and are no longer tried."""
    for kind in ("subscription_period", "pending_update", "subscription_incomplete"):
        ctx.clock.cancel_timers(kind, subscription["id"])
    for invoice in ctx.store.find("invoice", where={"customer": subscription["customer"]}):
        if invoices.subscription_of(invoice) == subscription["id"] and invoice["status"] in ("draft", "open"):
            ctx.clock.cancel_timers("invoice_retry", invoice["id"])
            ctx.clock.cancel_timers("invoice_finalize", invoice["id"])
            ctx.store.put(invoice | {"auto_advance": False, "next_payment_attempt": None})
    details: dict[str, Any] = {"reason": reason} | ({"comment": comment} if comment else {})
    subscription |= {
        "canceled_at": subscription["canceled_at"] or ctx.now(),
        "cancellation_details": subscription["cancellation_details"] | details,
        "ended_at": ctx.now(),
        "status": "canceled",
    }
    return save(ctx, subscription, kind="deleted")


def expire_incomplete(ctx: Context, subscription_id: str) -> None:
    """Expire a subscription whose first invoice was not paid within 23 hours."""
    subscription = require(ctx, "subscription", subscription_id)
    if subscription["status"] == "incomplete":
        subscription |= {"status": "incomplete_expired", "ended_at": ctx.now()}
        save(ctx, subscription, {"status": "incomplete"})
        invoice = require(ctx, "invoice", subscription["latest_invoice"])
        if invoice["status"] == "open":
            invoices.void(ctx, invoice)


def expire_pending_update(ctx: Context, subscription_id: str) -> None:
    """Drop a change that was not paid within 23 hours."""
    subscription = require(ctx, "subscription", subscription_id)
    if subscription["pending_update"]:
        previous = {"pending_update": subscription["pending_update"]}
        subscription["pending_update"] = None
        subscription.pop("_pending_period", None)
        ctx.clock.cancel_timers("pending_update", subscription_id)
        save(ctx, subscription, previous, "pending_update_expired")
        invoice = require(ctx, "invoice", subscription["latest_invoice"])
        if invoice["status"] == "open":
            invoices.void(ctx, invoice)


def void(ctx: Context, invoice: Json) -> Json:
    """Void an invoice; a pending update that waits for it is dropped."""
    voided = invoices.void(ctx, invoice)
    subscription = require(ctx, "subscription", invoices.subscription_of(invoice))
    if subscription["latest_invoice"] == invoice["id"]:
        expire_pending_update(ctx, subscription["id"])
    return voided
