"""Customers, their cards and sessions (https://docs.stripe.com/api/customers, /api/payment_methods).

A payment method is made from one of Stripe's test payment methods such as `pm_card_visa`.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Any

from porchlight_dev.stripe_fake import cards
from porchlight_dev.stripe_fake.cards import TestCard
from porchlight_dev.stripe_fake.charges import NO_ADDRESS
from porchlight_dev.stripe_fake.clock import MINUTE
from porchlight_dev.stripe_fake.context import (
    LIST_PARAMS,
    PAGE_PARAMS,
    Call,
    Context,
    Operation,
    blank,
    listing,
    page,
    require,
    retrieve,
)
from porchlight_dev.stripe_fake.errors import StripeRefusal, missing_reference, no_such
from porchlight_dev.stripe_fake.forms import merged_metadata
from porchlight_dev.stripe_fake.store import Json, new_id

SESSION_SECONDS = 30 * MINUTE
ADDRESS = " ".join(f"address.{name}" for name in NO_ADDRESS)
FIELDS = f"name email description phone metadata{{}} invoice_settings.default_payment_method {ADDRESS} expand[]"
COMPONENTS = (
    "active_entitlements buy_button customer_portal customer_sheet mobile_payment_element payment_element pricing_table"
)


def make(ctx: Context, email: str | None, name: str | None = None, metadata: dict[str, str] | None = None) -> Json:
    """Create a customer and emit its event."""
    customer: Json = {
        "id": new_id("cus"),
        "object": "customer",
        "address": None,
        "balance": 0,
        "created": ctx.now(),
        "currency": None,
        "default_source": None,
        "delinquent": False,
        "description": None,
        "email": email or None,
        "invoice_prefix": secrets.token_hex(4).upper(),
        "invoice_settings": blank("custom_fields default_payment_method footer rendering_options"),
        "livemode": False,
        "metadata": metadata or {},
        "name": name or None,
        "next_invoice_sequence": 1,
        "phone": None,
        "preferred_locales": [],
        "shipping": None,
        "tax_exempt": "none",
        "test_clock": None,
    }
    ctx.store.put(customer)
    ctx.events.emit("customer.created", customer)
    return customer


def create(ctx: Context, call: Call) -> Json:
    """Create a customer, with a card if `payment_method` is given."""
    customer = make(ctx, call.get("email"), call.get("name"), call.get("metadata"))
    customer |= {name: call.params[name] or None for name in ("description", "phone", "address") if name in call.params}
    ctx.store.put(customer)
    default = (call.get("invoice_settings") or {}).get("default_payment_method")
    if call.get("payment_method"):
        attached = attach(ctx, customer["id"], cards.find(call.params["payment_method"]))
        if default == call.params["payment_method"]:
            default = attached["id"]
    return set_default(ctx, customer["id"], default) if default else customer


def existing(ctx: Context, customer_id: str, param: str = "customer") -> Json:
    """Return a customer that a parameter names."""
    found = ctx.store.get(customer_id, "")
    if found is None or found["object"] != "customer" or found.get("deleted"):
        raise missing_reference("customer", customer_id, param)
    return found


def retrieve_customer(ctx: Context, call: Call) -> Json:
    """Return a customer; of a deleted one only the id."""
    found = require(ctx, "customer", call.path["id"])
    return {"id": found["id"], "object": "customer", "deleted": True} if found.get("deleted") else found


def update(ctx: Context, call: Call) -> Json:
    """Change a customer."""
    customer = existing(ctx, call.path["id"])
    customer["metadata"] = merged_metadata(customer["metadata"], call.get("metadata"))
    names = ("name", "email", "description", "phone", "address")
    customer |= {name: call.params[name] or None for name in names if name in call.params}
    ctx.store.put(customer)
    default = (call.get("invoice_settings") or {}).get("default_payment_method")
    if default:
        return set_default(ctx, customer["id"], default)
    ctx.events.emit("customer.updated", customer)
    return customer


def delete(ctx: Context, call: Call) -> Json:
    """Delete a customer and cancel its subscriptions."""
    from porchlight_dev.stripe_fake import subscriptions

    customer = existing(ctx, call.path["id"])
    for subscription in ctx.store.find("subscription", where={"customer": customer["id"]}):
        if subscription["status"] not in subscriptions.ENDED:
            subscriptions.end(ctx, subscription, "cancellation_requested")
    ctx.store.put(customer | {"deleted": True})
    ctx.events.emit("customer.deleted", customer)
    return {"id": customer["id"], "object": "customer", "deleted": True}


# Cards


def attach(
    ctx: Context,
    customer_id: str,
    card: TestCard,
    *,
    exp: tuple[int, int] = (12, 2034),
    name: str | None = None,
    email: str | None = None,
) -> Json:
    """Store a card for a customer; raise the card's decline if it cannot be stored."""
    if card.decline and not card.attaches:
        message = cards.DECLINE_WORDS[card.decline]
        raise StripeRefusal(message, status=402, code="card_declined", kind="card_error", decline_code=card.decline)
    method = {
        "id": new_id("pm"),
        "object": "payment_method",
        "_number": card.number,
        "allow_redisplay": "limited",
        "billing_details": {"address": dict(NO_ADDRESS), "email": email, "name": name, **blank("phone tax_id")},
        "card": cards.details(card, *exp),
        "created": ctx.now(),
        "customer": customer_id,
        "livemode": False,
        "metadata": {},
        "type": "card",
    }
    ctx.store.put(method)
    ctx.events.emit("payment_method.attached", method)
    return method


def set_default(ctx: Context, customer_id: str, method_id: str) -> Json:
    """Make a stored card the one that invoices are charged to."""
    customer = existing(ctx, customer_id)
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
    customer = existing(ctx, call.params["customer"])
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
    existing(ctx, call.path["id"])
    return page(ctx, call, "payment_method", {"customer": call.path["id"]})


def control_card(ctx: Context, values: Mapping[str, Any]) -> Json:
    """Give `customer` the test card `card` (a number or `pm_card_...`) for its invoices, as the portal does."""
    method = attach(ctx, str(values["customer"]), cards.find(str(values["card"])))
    set_default(ctx, str(values["customer"]), method["id"])
    for subscription in ctx.store.find("subscription", where={"customer": str(values["customer"])}):
        if subscription["default_payment_method"]:
            ctx.store.put(subscription | {"default_payment_method": method["id"]})
    return method


# Sessions


def create_session(ctx: Context, call: Call) -> Json:
    """Create a customer session, whose client secret names the customer to a pricing table for 30 minutes."""
    customer = existing(ctx, call.params["customer"])
    wanted = call.get("components") or {}
    components: Json = {name: {"enabled": bool((wanted.get(name) or {}).get("enabled"))} for name in COMPONENTS.split()}
    for name in ("customer_sheet", "mobile_payment_element", "payment_element"):
        components[name]["features"] = None
    session = {
        "id": new_id("cuss"),
        "object": "customer_session",
        "client_secret": f"cuss_secret_{secrets.token_urlsafe(24)}",
        "components": components,
        "created": ctx.now(),
        "customer": customer["id"],
        "customer_account": None,
        "expires_at": ctx.now() + SESSION_SECONDS,
        "livemode": False,
    }
    ctx.store.put(session)
    return {name: value for name, value in session.items() if name != "id"}


def customer_of_session(ctx: Context, client_secret: str) -> str | None:
    """Return the customer that a client secret names, if it is still valid."""
    found = ctx.store.find("customer_session", where={"client_secret": client_secret}, limit=1)
    return str(found[0]["customer"]) if found and found[0]["expires_at"] > ctx.now() else None


OPERATIONS = (
    Operation("POST", "/v1/customers", f"{FIELDS} payment_method", create),
    Operation("GET", "/v1/customers", f"{LIST_PARAMS} email", listing("customer", ("email",))),
    Operation("GET", "/v1/customers/{id}", "expand[]", retrieve_customer),
    Operation("POST", "/v1/customers/{id}", FIELDS, update),
    Operation("DELETE", "/v1/customers/{id}", "", delete),
    Operation("GET", "/v1/customers/{id}/payment_methods", f"{PAGE_PARAMS} type", list_of_customer),
    Operation(
        "GET", "/v1/payment_methods", f"{PAGE_PARAMS} customer type", listing("payment_method", ("customer", "type"))
    ),
    Operation("GET", "/v1/payment_methods/{id}", "expand[]", retrieve("payment_method")),
    Operation("POST", "/v1/payment_methods/{id}/attach", "customer! expand[]", attach_method),
    Operation("POST", "/v1/payment_methods/{id}/detach", "expand[]", detach_method),
    Operation(
        "POST",
        "/v1/customer_sessions",
        "customer! expand[] " + " ".join(f"components.{name}.enabled:bool" for name in COMPONENTS.split()),
        create_session,
    ),
)
