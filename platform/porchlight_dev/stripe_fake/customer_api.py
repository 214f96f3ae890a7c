"""The operations on customers and their sessions (https://docs.stripe.com/api/customers, /api/customer_sessions)."""

from __future__ import annotations

import secrets

from porchlight_dev.stripe_fake import cards, customers, payment_methods, subscriptions
from porchlight_dev.stripe_fake.clock import MINUTE
from porchlight_dev.stripe_fake.context import LIST_PARAMS, Call, Context, Operation, listing, require
from porchlight_dev.stripe_fake.forms import merged_metadata
from porchlight_dev.stripe_fake.store import Json, new_id

SESSION_SECONDS = 30 * MINUTE
ADDRESS = " ".join(f"address.{name}" for name in cards.NO_ADDRESS)
FIELDS = f"name email description phone metadata{{}} invoice_settings.default_payment_method {ADDRESS} expand[]"
COMPONENTS = (
    "active_entitlements buy_button customer_portal customer_sheet mobile_payment_element payment_element pricing_table"
)


def create(ctx: Context, call: Call) -> Json:
    """Create a customer, with a card if `payment_method` is given."""
    customer = customers.make(ctx, call.get("email"), call.get("name"), call.get("metadata"))
    customer |= {name: call.params[name] or None for name in ("description", "phone", "address") if name in call.params}
    ctx.store.put(customer)
    default = (call.get("invoice_settings") or {}).get("default_payment_method")
    if call.get("payment_method"):
        attached = payment_methods.attach(ctx, customer["id"], cards.find(call.params["payment_method"]))
        if default == call.params["payment_method"]:
            default = attached["id"]
    return payment_methods.set_default(ctx, customer["id"], default) if default else customer


def retrieve_customer(ctx: Context, call: Call) -> Json:
    """Return a customer; of a deleted one only the id."""
    found = require(ctx, "customer", call.path["id"])
    return {"id": found["id"], "object": "customer", "deleted": True} if found.get("deleted") else found


def update(ctx: Context, call: Call) -> Json:
    """Change a customer."""
    customer = customers.existing(ctx, call.path["id"])
    customer["metadata"] = merged_metadata(customer["metadata"], call.get("metadata"))
    names = ("name", "email", "description", "phone", "address")
    customer |= {name: call.params[name] or None for name in names if name in call.params}
    ctx.store.put(customer)
    default = (call.get("invoice_settings") or {}).get("default_payment_method")
    if default:
        return payment_methods.set_default(ctx, customer["id"], default)
    ctx.events.emit("customer.updated", customer)
    return customer


def delete(ctx: Context, call: Call) -> Json:
    """Delete a customer and cancel its subscriptions."""
    customer = customers.existing(ctx, call.path["id"])
    for subscription in ctx.store.find("subscription", where={"customer": customer["id"]}):
        if subscription["status"] not in subscriptions.ENDED:
            subscriptions.end(ctx, subscription, "cancellation_requested")
    ctx.store.put(customer | {"deleted": True})
    ctx.events.emit("customer.deleted", customer)
    return {"id": customer["id"], "object": "customer", "deleted": True}


def create_session(ctx: Context, call: Call) -> Json:
    """Create a customer session, whose client secret names the customer to a pricing table for 30 minutes."""
    customer = customers.existing(ctx, call.params["customer"])
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
    Operation(
        "POST",
        "/v1/customer_sessions",
        "customer! expand[] " + " ".join(f"components.{name}.enabled:bool" for name in COMPONENTS.split()),
        create_session,
    ),
)
