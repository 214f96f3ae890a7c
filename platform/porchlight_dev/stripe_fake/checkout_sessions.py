"""Checkout sessions (https://docs.stripe.com/payments/checkout): their line items, their object, and their expiry.

checkout.py has the operations, checkout_completion.py what a customer's card does, checkout_pages.py the page.
"""

from __future__ import annotations

from typing import Any

from porchlight_dev.stripe_fake import payment_intents, setup_intents
from porchlight_dev.stripe_fake.clock import DAY
from porchlight_dev.stripe_fake.context import Context, blank, list_of, require
from porchlight_dev.stripe_fake.store import Json, new_id

DEFAULT_SECONDS = DAY


def line_item(ctx: Context, price: Json, quantity: int) -> Json:
    """Return a line of a session."""
    total = price["unit_amount"] * quantity
    return {
        "id": new_id("li"),
        "object": "item",
        "amount_discount": 0,
        "amount_subtotal": total,
        "amount_tax": 0,
        "amount_total": total,
        "currency": "usd",
        "description": require(ctx, "product", price["product"])["name"],
        "price": price,
        "quantity": quantity,
    }


def make(
    ctx: Context,
    mode: str,
    items: list[Json],
    *,
    success_url: str,
    cancel_url: str | None = None,
    customer: Json | None = None,
    email: str | None = None,
    expires: int | None = None,
    **more: Any,
) -> Json:
    """Store a session with line items and other fields of `more`; return it."""
    session_id = new_id("cs_test")
    sells = mode != "setup"
    total = sum(item["amount_total"] for item in items)
    known = (customer or {}).get("email") or email
    session = {
        "id": session_id,
        "object": "checkout.session",
        "_email": known,
        "_terms": {},
        "amount_subtotal": total if sells else None,
        "amount_total": total if sells else None,
        "automatic_tax": {"enabled": False, **blank("liability provider status")},
        "cancel_url": cancel_url,
        "created": ctx.now(),
        "currency": "usd",
        "custom_fields": [],
        "custom_text": blank("after_submit shipping_address submit terms_of_service_acceptance"),
        "customer": customer["id"] if customer else None,
        "customer_creation": None if customer else ("always" if mode == "subscription" else "if_required"),
        "customer_details": details(known, None),
        "customer_email": email,
        "discounts": [],
        "expires_at": expires or ctx.now() + DEFAULT_SECONDS,
        "line_items": list_of(items, f"/v1/checkout/sessions/{session_id}/line_items"),
        "livemode": False,
        "metadata": {},
        "mode": mode,
        "payment_method_collection": "if_required" if mode == "payment" else "always",
        "payment_method_options": {"card": {"request_three_d_secure": "automatic"}},
        "payment_method_types": ["card"],
        "payment_status": "unpaid" if total else "no_payment_required",
        "phone_number_collection": {"enabled": False},
        "saved_payment_method_options": {
            "allow_redisplay_filters": ["always"],
            "payment_method_remove": None,
            "payment_method_save": None,
        },
        "shipping_options": [],
        "status": "open",
        "success_url": success_url,
        "total_details": {"amount_discount": 0, "amount_shipping": 0, "amount_tax": 0} if sells else None,
        "ui_mode": "hosted_page",
        "url": f"{ctx.url}/c/pay/{session_id}",
        **blank(
            "adaptive_pricing after_expiration allow_promotion_codes billing_address_collection client_reference_id"
            " client_secret collected_information consent consent_collection currency_conversion invoice"
            " invoice_creation locale origin_context payment_intent payment_link recovered_from setup_intent"
            " shipping_address_collection shipping_cost submit_type subscription wallet_options"
        ),
        **more,
    }
    ctx.store.put(session)
    ctx.clock.set_timer(session["expires_at"], "checkout_expire", session_id)
    return session


def details(email: str | None, name: str | None) -> Json | None:
    """Return what a session knows of its customer."""
    if not email:
        return None
    return {
        "email": email,
        "name": name,
        "tax_exempt": "none",
        "tax_ids": [],
        **blank("address business_name individual_name phone"),
    }


def return_url(session: Json, which: str) -> str:
    """Return the success or cancel URL of a session with its id filled in."""
    return str(session[which] or "/").replace("{CHECKOUT_SESSION_ID}", session["id"])


def expire(ctx: Context, session: Json) -> Json:
    """Expire an open session, and cancel the intent of a payment that failed there."""
    session |= {"status": "expired", "url": None}
    session.pop("_challenge", None)
    ctx.store.put(session)
    ctx.clock.cancel_timers("checkout_expire", session["id"])
    ctx.events.emit("checkout.session.expired", session)
    if session["payment_intent"]:
        payment_intents.cancel(ctx, require(ctx, "payment_intent", session["payment_intent"]), "automatic")
    if session["setup_intent"]:
        setup_intents.cancel(ctx, session["setup_intent"])
    return session


def on_expiry(ctx: Context, session_id: str) -> None:
    """Expire a session whose time is over."""
    session = require(ctx, "checkout.session", session_id)
    if session["status"] == "open":
        expire(ctx, session)
