"""Invoices and their payments (https://docs.stripe.com/invoicing/overview).

An invoice of a new or changed subscription is finalized and charged at once; that of a renewal stays a draft for an
hour. A failed charge is tried again on the days of RETRY_DAYS; then the subscription is canceled.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from typing import Any

from porchlight_dev.stripe_fake import customers, payment_intents, payment_methods, periods
from porchlight_dev.stripe_fake.cards import TestCard
from porchlight_dev.stripe_fake.clock import DAY, HOUR
from porchlight_dev.stripe_fake.context import Context, blank, list_of, require
from porchlight_dev.stripe_fake.errors import StripeRefusal
from porchlight_dev.stripe_fake.store import Json, new_id

DRAFT_SECONDS = HOUR
# Smart Retries try up to eight times within two weeks (https://docs.stripe.com/billing/revenue-recovery/smart-retries).
RETRY_DAYS = (1, 3, 5, 7, 9, 11, 14)


def line(
    subscription: Json,
    price: Json,
    amount: int,
    start: int,
    end: int,
    *,
    description: str,
    proration: bool = False,
    quantity: int = 1,
) -> Json:
    """Return a line of an invoice."""
    item = subscription["items"]["data"][0]["id"]
    return {
        "id": new_id("il"),
        "object": "line_item",
        "amount": amount,
        "currency": "usd",
        "description": description,
        "discount_amounts": [],
        "discountable": not proration,
        "discounts": [],
        "invoice": None,
        "livemode": False,
        "metadata": dict(subscription["metadata"]),
        "parent": {
            "invoice_item_details": None,
            "subscription_item_details": {
                "invoice_item": None,
                "proration": proration,
                "proration_details": None,
                "subscription": subscription["id"],
                "subscription_item": item,
            },
            "type": "subscription_item_details",
        },
        "period": {"end": end, "start": start},
        "pretax_credit_amounts": [],
        "pricing": {
            "price_details": {"price": price["id"], "product": price["product"]},
            "type": "price_details",
            "unit_amount_decimal": price["unit_amount_decimal"],
        },
        "quantity": quantity,
        "subtotal": amount,
        "taxes": [],
    }


def regular_line(ctx: Context, subscription: Json, price: Json, quantity: int, start: int, end: int) -> Json:
    """Return the line for one period of a price."""
    product = require(ctx, "product", price["product"])
    cents, interval = price["unit_amount"], price["recurring"]["interval"]
    words = f"{quantity} × {product['name']} (at ${cents / 100:.2f} / {interval})"
    return line(subscription, price, cents * quantity, start, end, description=words, quantity=quantity)


def preview(ctx: Context, subscription: Json, lines: Sequence[Json], reason: str, start: int, end: int) -> Json:
    """Return an invoice that is not stored."""
    customer = customers.existing(ctx, subscription["customer"])
    invoice_id = new_id("in")
    total = sum(entry["amount"] for entry in lines)
    due = max(0, total + customer["balance"])
    return {
        "id": invoice_id,
        "object": "invoice",
        "account_country": "US",
        "account_name": "Porchlight",
        "amount_due": due,
        "amount_overpaid": 0,
        "amount_paid": 0,
        "amount_remaining": due,
        "amount_shipping": 0,
        "attempt_count": 0,
        "attempted": False,
        "auto_advance": True,
        "automatic_tax": {"enabled": False, **blank("disabled_reason liability provider status")},
        "billing_reason": reason,
        "collection_method": "charge_automatically",
        "created": ctx.now(),
        "currency": "usd",
        "customer": customer["id"],
        "customer_email": customer["email"],
        "customer_name": customer["name"],
        "customer_tax_exempt": "none",
        "customer_tax_ids": [],
        "default_tax_rates": [],
        "discounts": [],
        "issuer": {"type": "self"},
        "lines": list_of([entry | {"invoice": invoice_id} for entry in lines], f"/v1/invoices/{invoice_id}/lines"),
        "livemode": False,
        "metadata": {},
        "parent": {
            "quote_details": None,
            "subscription_details": {
                "metadata": dict(subscription["metadata"]),
                "subscription": subscription["id"],
            },
            "type": "subscription_details",
        },
        "payment_settings": blank("default_mandate payment_method_options payment_method_types"),
        "payments": list_of([], f"/v1/invoice_payments?invoice={invoice_id}"),
        "period_end": end,
        "period_start": start,
        "post_payment_credit_notes_amount": 0,
        "pre_payment_credit_notes_amount": 0,
        "starting_balance": customer["balance"],
        "status": "draft",
        "status_transitions": blank("finalized_at marked_uncollectible_at paid_at voided_at"),
        "subtotal": total,
        "subtotal_excluding_tax": total,
        "total": total,
        "total_discount_amounts": [],
        "total_excluding_tax": total,
        "total_pretax_credit_amounts": [],
        "total_taxes": [],
        **blank(
            "account_tax_ids application automatically_finalizes_at custom_fields customer_address customer_phone"
            " customer_shipping default_payment_method default_source description due_date effective_at ending_balance"
            " footer from_invoice hosted_invoice_url invoice_pdf last_finalization_error latest_revision"
            " next_payment_attempt number on_behalf_of receipt_number rendering shipping_cost shipping_details"
            " statement_descriptor test_clock webhooks_delivered_at"
        ),
    }


def draft(ctx: Context, subscription: Json, lines: Sequence[Json], reason: str, start: int, end: int) -> Json:
    """Create a draft invoice for a subscription."""
    invoice = preview(ctx, subscription, lines, reason, start, end)
    ctx.store.put(invoice)
    ctx.events.emit("invoice.created", invoice)
    subscription["latest_invoice"] = invoice["id"]
    return invoice


def finalize(ctx: Context, invoice: Json) -> Json:
    """Give a draft its number and pages; what is due can be charged from now on."""
    customer = require(ctx, "customer", invoice["customer"])
    number = f"{customer['invoice_prefix']}-{customer['next_invoice_sequence']:04d}"
    token = secrets.token_urlsafe(18)
    due = max(0, invoice["total"] + customer["balance"])
    invoice |= {"starting_balance": customer["balance"], "amount_due": due, "amount_remaining": due}
    customer["next_invoice_sequence"] += 1
    customer["balance"] += invoice["total"] - due
    ctx.store.put(customer)
    invoice |= {
        "_token": token,
        "automatically_finalizes_at": None,
        "effective_at": ctx.now(),
        "ending_balance": customer["balance"],
        "hosted_invoice_url": f"{ctx.url}/i/{token}",
        "invoice_pdf": f"{ctx.url}/i/{token}/pdf",
        "number": number,
        "status": "open",
        "status_transitions": invoice["status_transitions"] | {"finalized_at": ctx.now()},
    }
    ctx.store.put(invoice)
    ctx.events.emit("invoice.finalized", invoice)
    return invoice


def charge(
    ctx: Context, invoice: Json, *, card: tuple[TestCard, Json] | None = None, on_session: bool = False
) -> tuple[Json, bool]:
    """Charge an open invoice; return it and whether it is paid. The caller changes the subscription."""
    customer = require(ctx, "customer", invoice["customer"])
    invoice |= {"attempted": True, "attempt_count": invoice["attempt_count"] + 1}
    if invoice["amount_remaining"] <= 0:
        return _paid(ctx, invoice), True
    chosen = card or payment_methods.card_of(ctx, customer, invoice["default_payment_method"])
    if chosen is None:
        ctx.store.put(invoice)
        ctx.events.emit("invoice.payment_failed", invoice)
        return invoice, False
    intent, _charge = payment_intents.pay(
        ctx,
        invoice["amount_remaining"],
        *chosen,
        customer=customer["id"],
        description="Subscription update" if invoice["billing_reason"] == "subscription_update" else "Subscription",
        setup_future_usage="off_session",
        on_session=on_session,
    )
    paid = intent["status"] == "succeeded"
    _record(ctx, invoice, intent, paid=paid)
    if paid:
        return _paid(ctx, invoice), True
    ctx.store.put(invoice)
    ctx.events.emit("invoice.payment_failed", invoice)
    return invoice, False


def _record(ctx: Context, invoice: Json, intent: Json, *, paid: bool) -> None:
    amount = invoice["amount_remaining"]
    payment = {
        "id": new_id("inpay"),
        "object": "invoice_payment",
        "amount_paid": amount if paid else None,
        "amount_requested": amount,
        "created": ctx.now(),
        "currency": "usd",
        "invoice": invoice["id"],
        "is_default": True,
        "livemode": False,
        "payment": {"payment_intent": intent["id"], "type": "payment_intent"},
        "status": "paid" if paid else "open",
        "status_transitions": {"canceled_at": None, "paid_at": ctx.now() if paid else None},
    }
    ctx.store.put(payment)
    earlier = [entry for entry in invoice["payments"]["data"] if entry["status"] == "paid"]
    invoice["payments"]["data"] = [payment, *earlier]
    if paid:
        ctx.events.emit("invoice_payment.paid", payment)


def _paid(ctx: Context, invoice: Json) -> Json:
    due = invoice["amount_remaining"]
    invoice |= {
        "amount_paid": due,
        "amount_remaining": 0,
        "next_payment_attempt": None,
        "status": "paid",
        "status_transitions": invoice["status_transitions"] | {"paid_at": ctx.now()},
    }
    ctx.store.put(invoice)
    ctx.clock.cancel_timers("invoice_retry", invoice["id"])
    ctx.events.emit("invoice.paid", invoice)
    ctx.events.emit("invoice.payment_succeeded", invoice)
    return invoice


def schedule_retry(ctx: Context, invoice: Json) -> bool:
    """Set the next attempt of a failed invoice; return False when there is none left."""
    first = invoice["status_transitions"]["finalized_at"]
    tried = invoice["attempt_count"]
    if tried > len(RETRY_DAYS):
        invoice |= {"next_payment_attempt": None, "auto_advance": False}
        ctx.store.put(invoice)
        return False
    invoice["next_payment_attempt"] = first + RETRY_DAYS[tried - 1] * DAY
    ctx.store.put(invoice)
    ctx.clock.set_timer(invoice["next_payment_attempt"], "invoice_retry", invoice["id"])
    ctx.events.emit("invoice.updated", invoice)
    return True


def void(ctx: Context, invoice: Json) -> Json:
    """Void an open invoice."""
    if invoice["status"] not in ("open", "uncollectible"):
        raise StripeRefusal(
            "You can only pass in open or uncollectible invoices to be voided.", code="invoice_not_editable"
        )
    invoice |= {
        "auto_advance": False,
        "next_payment_attempt": None,
        "status": "void",
        "status_transitions": invoice["status_transitions"] | {"voided_at": ctx.now()},
    }
    ctx.store.put(invoice)
    ctx.clock.cancel_timers("invoice_retry", invoice["id"])
    ctx.events.emit("invoice.voided", invoice)
    return invoice


def subscription_of(invoice: Mapping[str, Any]) -> str:
    """Return the subscription of an invoice."""
    return str(invoice["parent"]["subscription_details"]["subscription"])


def proration_lines(
    ctx: Context, subscription: Json, price: Json, quantity: int, at: int
) -> tuple[list[Json], int, int]:
    """Return the lines of a change of price at `at`, and the period that the new price then has.

    The unused time of the old price is credited. With the same interval the rest of the period is charged at the new
    price; with another interval a new period begins (https://docs.stripe.com/billing/subscriptions/prorations).
    """
    item = subscription["items"]["data"][0]
    old, start, end = item["price"], item["current_period_start"], item["current_period_end"]
    names = {entry["id"]: require(ctx, "product", entry["product"])["name"] for entry in (old, price)}
    credit = periods.share(old["unit_amount"] * item["quantity"], start, end, at)
    lines = [
        line(subscription, old, -credit, at, end, description=f"Unused time on {names[old['id']]}", proration=True)
    ]
    same = {name: old["recurring"][name] for name in ("interval", "interval_count")} == {
        name: price["recurring"][name] for name in ("interval", "interval_count")
    }
    if not same:
        new_end = periods.add(at, price["recurring"], at)
        return [*lines, regular_line(ctx, subscription, price, quantity, at, new_end)], at, new_end
    cost = periods.share(price["unit_amount"] * quantity, start, end, at)
    words = f"Remaining time on {names[price['id']]}"
    lines.append(line(subscription, price, cost, at, end, description=words, proration=True, quantity=quantity))
    return lines, start, end
