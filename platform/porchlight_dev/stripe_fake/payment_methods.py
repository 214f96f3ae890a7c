"""Stored cards (https://docs.stripe.com/api/payment_methods).

A payment method is made from one of Stripe's test payment methods such as `pm_card_visa`, or by a hosted page.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from porchlight_dev.stripe_fake import cards, customers
from porchlight_dev.stripe_fake.cards import TestCard
from porchlight_dev.stripe_fake.context import PAGE_PARAMS, Call, Context, Operation, listing, page, require, retrieve
from porchlight_dev.stripe_fake.errors import StripeRefusal, missing_reference, no_such
from porchlight_dev.stripe_fake.store import Json, new_id


def new(
    ctx: Context,
    card: TestCard,
    *,
    exp: tuple[int, int] = (12, 2034),
    name: str | None = None,
    email: str | None = None,
) -> Json:
    """Make a payment method that belongs to no customer."""
    method = {
        "id": new_id("pm"),
        "object": "payment_method",
        "_number": card.number,
        "allow_redisplay": "limited",
        "billing_details": cards.billing(email, name),
        "card": cards.details(card, *exp),
        "created": ctx.now(),
        "customer": None,
        "livemode": False,
        "metadata": {},
        "type": "card",
    }
    return ctx.store.put(method)


def save(ctx: Context, method: Json, customer_id: str, *, authenticated: bool = False) -> Json:
    """Give a payment method to a customer. `authenticated`: its holder has confirmed that it is charged later."""
    method |= {"customer": customer_id, "_authenticated": authenticated}
    ctx.store.put(method)
    ctx.events.emit("payment_method.attached", method)
    return method


def attach(
    ctx: Context,
    customer_id: str,
    card: TestCard,
    *,
    exp: tuple[int, int] = (12, 2034),
    name: str | None = None,
    email: str | None = None,
    authenticated: bool = False,
) -> Json:
    """Store a card for a customer; raise the card's decline if it cannot be stored."""
    if card.decline and not card.attaches:
        message = cards.DECLINE_WORDS[card.decline]
        raise StripeRefusal(message, status=402, code="card_declined", kind="card_error", decline_code=card.decline)
    made = new(ctx, card, exp=exp, name=name, email=email)
    return save(ctx, made, customer_id, authenticated=authenticated)


def set_default(ctx: Context, customer_id: str, method_id: str) -> Json:
    """Make a stored card the one that invoices are charged to."""
    customer = customers.existing(ctx, customer_id)
    method = ctx.store.get(method_id, "")
    if method is None or method["object"] != "payment_method" or method["customer"] != customer_id:
        raise missing_reference("PaymentMethod", method_id, "invoice_settings[default_payment_method]")
    previous = {"invoice_settings": {"default_payment_method": customer["invoice_settings"]["default_payment_method"]}}
    customer["invoice_settings"]["default_payment_method"] = method_id
    ctx.store.put(customer)
    ctx.events.emit("customer.updated", customer, previous=previous)
    return customer


def card_of(ctx: Context, customer: Json, method_id: str | None = None) -> tuple[TestCard, Json] | None:
    """Return the card to charge, and its payment method; None if the customer has none."""
    chosen = method_id or customer["invoice_settings"]["default_payment_method"]
    method = ctx.store.get(chosen, "") if chosen else None
    return (cards.find(method["_number"]), method) if method and method.get("customer") else None


def attach_method(ctx: Context, call: Call) -> Json:
    """Attach a test payment method to a customer."""
    customer = customers.existing(ctx, call.params["customer"])
    stored = ctx.store.get(call.path["id"], "")
    if stored and stored["object"] == "payment_method":
        method = stored | {"customer": customer["id"]}
        ctx.store.put(method)
        ctx.events.emit("payment_method.attached", method)
        return method
    card = cards.find(call.path["id"])
    if not card.token:
        raise no_such("PaymentMethod", call.path["id"], "payment_method")
    return attach(ctx, customer["id"], card)


def detach_method(ctx: Context, call: Call) -> Json:
    """Detach a payment method from its customer."""
    method = require(ctx, "payment_method", call.path["id"]) | {"customer": None}
    ctx.store.put(method)
    ctx.events.emit("payment_method.detached", method)
    return method


def list_of_customer(ctx: Context, call: Call) -> Json:
    """List a customer's payment methods."""
    customers.existing(ctx, call.path["id"])
    return page(ctx, call, "payment_method", {"customer": call.path["id"]})


def control_card(ctx: Context, values: Mapping[str, Any]) -> Json:
    """Give `customer` the test card `card` (a number or `pm_card_...`) for its invoices, as the portal does."""
    method = attach(ctx, str(values["customer"]), cards.find(str(values["card"])))
    set_default(ctx, str(values["customer"]), method["id"])
    for subscription in ctx.store.find("subscription", where={"customer": str(values["customer"])}):
        if subscription["default_payment_method"]:
            ctx.store.put(subscription | {"default_payment_method": method["id"]})
    return method


OPERATIONS = (
    Operation("GET", "/v1/customers/{id}/payment_methods", f"{PAGE_PARAMS} type", list_of_customer),
    Operation(
        "GET", "/v1/payment_methods", f"{PAGE_PARAMS} customer type", listing("payment_method", ("customer", "type"))
    ),
    Operation("GET", "/v1/payment_methods/{id}", "expand[]", retrieve("payment_method")),
    Operation("POST", "/v1/payment_methods/{id}/attach", "customer! expand[]", attach_method),
    Operation("POST", "/v1/payment_methods/{id}/detach", "expand[]", detach_method),
)
