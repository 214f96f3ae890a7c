"""Customers, as other objects see them (https://docs.stripe.com/api/customers); operations: customer_api.py."""

from __future__ import annotations

import secrets

from porchlight_dev.stripe_fake.context import Context, blank
from porchlight_dev.stripe_fake.errors import missing_reference
from porchlight_dev.stripe_fake.store import Json, new_id


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


def existing(ctx: Context, customer_id: str, param: str = "customer") -> Json:
    """Return a customer that a parameter names."""
    found = ctx.store.get(customer_id, "")
    if found is None or found["object"] != "customer" or found.get("deleted"):
        raise missing_reference("customer", customer_id, param)
    return found
