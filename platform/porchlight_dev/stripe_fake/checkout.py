"""Checkout sessions in subscription mode (https://docs.stripe.com/payments/checkout); pages: checkout_pages.py."""

from __future__ import annotations

from porchlight_dev.stripe_fake import customers, payment_methods, products, subscriptions
from porchlight_dev.stripe_fake.cards import TestCard
from porchlight_dev.stripe_fake.clock import DAY, MINUTE
from porchlight_dev.stripe_fake.context import (
    LIST_PARAMS,
    PAGE_PARAMS,
    Call,
    Context,
    Operation,
    blank,
    list_of,
    listing,
    require,
    retrieve,
)
from porchlight_dev.stripe_fake.errors import StripeRefusal, ValidationError
from porchlight_dev.stripe_fake.forms import merged_metadata
from porchlight_dev.stripe_fake.store import Json, new_id

DEFAULT_SECONDS = DAY
MINIMUM_SECONDS = 30 * MINUTE
MAXIMUM_SECONDS = DAY
OPEN_STATUSES = ("active", "past_due", "trialing", "incomplete", "unpaid")


def create(ctx: Context, call: Call) -> Json:
    """Create a session whose page sells one subscription."""
    if call.params["mode"] != "subscription":
        raise StripeRefusal("This fake Stripe knows only sessions in subscription mode.", param="mode")
    if not call.get("success_url"):
        message = "Missing required param: success_url."
        raise ValidationError(message, code="parameter_missing", param="success_url")
    items = call.get("line_items") or []
    if len(items) != 1 or not items[0].get("price"):
        raise ValidationError("A session here has exactly one line item.", code="parameter_missing", param="line_items")
    if call.get("customer") and call.get("customer_email"):
        message = "You may only specify one of these parameters: customer, customer_email."
        raise ValidationError(message, code="parameters_exclusive", param="customer")
    expires = call.get("expires_at") or ctx.now() + DEFAULT_SECONDS
    if not MINIMUM_SECONDS - 60 <= expires - ctx.now() <= MAXIMUM_SECONDS + 60:
        message = "The `expires_at` timestamp must be between 30 minutes and 24 hours after session creation."
        raise StripeRefusal(message, param="expires_at")
    price = products.recurring_price(ctx, items[0]["price"], "line_items[0][price]")
    customer = customers.existing(ctx, call.params["customer"]) if call.get("customer") else None
    data = call.get("subscription_data") or {}
    session = make(
        ctx,
        price,
        items[0].get("quantity") or 1,
        success_url=call.params["success_url"],
        cancel_url=call.get("cancel_url"),
        customer=customer,
        email=call.get("customer_email"),
        reference=call.get("client_reference_id"),
        expires=expires,
    )
    session |= {
        "metadata": call.get("metadata") or {},
        "locale": call.get("locale"),
        "_subscription_metadata": data.get("metadata") or {},
    }
    return ctx.store.put(session)


def make(
    ctx: Context,
    price: Json,
    quantity: int,
    *,
    success_url: str,
    cancel_url: str | None,
    customer: Json | None,
    email: str | None,
    reference: str | None,
    expires: int | None = None,
) -> Json:
    """Store a session and return it."""
    session_id = new_id("cs_test")
    total = price["unit_amount"] * quantity
    product = require(ctx, "product", price["product"])
    known = (customer or {}).get("email") or email
    item = {
        "id": new_id("li"),
        "object": "item",
        "amount_discount": 0,
        "amount_subtotal": total,
        "amount_tax": 0,
        "amount_total": total,
        "currency": "usd",
        "description": product["name"],
        "price": price,
        "quantity": quantity,
    }
    session = {
        "id": session_id,
        "object": "checkout.session",
        "_email": known,
        "_subscription_metadata": {},
        "amount_subtotal": total,
        "amount_total": total,
        "automatic_tax": {"enabled": False, **blank("liability provider status")},
        "cancel_url": cancel_url,
        "client_reference_id": reference,
        "created": ctx.now(),
        "currency": "usd",
        "custom_fields": [],
        "custom_text": blank("after_submit shipping_address submit terms_of_service_acceptance"),
        "customer": customer["id"] if customer else None,
        "customer_creation": None if customer else "always",
        "customer_details": _details(known, None),
        "customer_email": email,
        "discounts": [],
        "expires_at": expires or ctx.now() + DEFAULT_SECONDS,
        "line_items": list_of([item], f"/v1/checkout/sessions/{session_id}/line_items"),
        "livemode": False,
        "metadata": {},
        "mode": "subscription",
        "payment_method_collection": "always",
        "payment_method_options": {"card": {"request_three_d_secure": "automatic"}},
        "payment_method_types": ["card"],
        "payment_status": "unpaid",
        "phone_number_collection": {"enabled": False},
        "saved_payment_method_options": {
            "allow_redisplay_filters": ["always"],
            "payment_method_remove": None,
            "payment_method_save": None,
        },
        "shipping_options": [],
        "status": "open",
        "success_url": success_url,
        "total_details": {"amount_discount": 0, "amount_shipping": 0, "amount_tax": 0},
        "ui_mode": "hosted_page",
        "url": f"{ctx.url}/c/pay/{session_id}",
        **blank(
            "adaptive_pricing after_expiration allow_promotion_codes billing_address_collection client_secret"
            " collected_information consent consent_collection currency_conversion invoice invoice_creation locale"
            " origin_context payment_intent payment_link recovered_from setup_intent shipping_address_collection"
            " shipping_cost submit_type subscription wallet_options"
        ),
    }
    ctx.store.put(session)
    ctx.clock.set_timer(session["expires_at"], "checkout_expire", session_id)
    return session


def _details(email: str | None, name: str | None) -> Json | None:
    if not email:
        return None
    return {
        "email": email,
        "name": name,
        "tax_exempt": "none",
        "tax_ids": [],
        **blank("address business_name individual_name phone"),
    }


def complete(
    ctx: Context, session: Json, card: TestCard, *, email: str, name: str, exp: tuple[int, int], on_session: bool
) -> Json:
    """Buy what a session sells; raise the card's decline, after which the session stays open."""
    customer_id = session["customer"] or customers.make(ctx, email, name)["id"]
    method = payment_methods.attach(ctx, customer_id, card, exp=exp, name=name or None, email=email)
    if ctx.store.get(customer_id, "")["invoice_settings"]["default_payment_method"] is None:  # type: ignore[index]
        payment_methods.set_default(ctx, customer_id, method["id"])
    item = session["line_items"]["data"][0]
    subscription, invoice = subscriptions.start(
        ctx,
        customer_id,
        item["price"],
        item["quantity"],
        metadata=session["_subscription_metadata"],
        card=(card, method),
        behavior="error_if_incomplete",
        on_session=on_session,
    )
    session |= {
        "customer": customer_id,
        "customer_details": _details(email, name or None),
        "invoice": invoice["id"],
        "payment_status": "paid",
        "status": "complete",
        "subscription": subscription["id"],
        "url": None,
    }
    session.pop("_challenge", None)
    ctx.store.put(session)
    ctx.clock.cancel_timers("checkout_expire", session["id"])
    ctx.events.emit("checkout.session.completed", session)
    return session


def return_url(session: Json, which: str) -> str:
    """Return the success or cancel URL of a session with its id filled in."""
    return str(session[which] or "/").replace("{CHECKOUT_SESSION_ID}", session["id"])


def expire(ctx: Context, call: Call) -> Json:
    """Expire an open session."""
    session = require(ctx, "checkout.session", call.path["id"])
    if session["status"] != "open":
        message = (
            'Only Checkout Sessions with a status in ["open"] can be expired.'
            f" This session has a status of {session['status']}."
        )
        raise StripeRefusal(message)
    return _expire(ctx, session)


def _expire(ctx: Context, session: Json) -> Json:
    session |= {"status": "expired", "url": None}
    ctx.store.put(session)
    ctx.clock.cancel_timers("checkout_expire", session["id"])
    ctx.events.emit("checkout.session.expired", session)
    return session


def on_expiry(ctx: Context, session_id: str) -> None:
    """Expire a session whose time is over."""
    session = require(ctx, "checkout.session", session_id)
    if session["status"] == "open":
        _expire(ctx, session)


def update(ctx: Context, call: Call) -> Json:
    """Change a session's metadata."""
    session = require(ctx, "checkout.session", call.path["id"])
    session["metadata"] = merged_metadata(session["metadata"], call.get("metadata"))
    return ctx.store.put(session)


def list_items(ctx: Context, call: Call) -> Json:
    """List the line items of a session."""
    return list_of(require(ctx, "checkout.session", call.path["id"])["line_items"]["data"], call.url)


OPERATIONS = (
    Operation(
        "POST",
        "/v1/checkout/sessions",
        "mode:payment|setup|subscription! success_url cancel_url customer customer_email client_reference_id metadata{}"
        " line_items[].price line_items[].quantity:int subscription_data.metadata{} expires_at:int locale"
        " payment_method_collection:always|if_required ui_mode:hosted_page expand[]",
        create,
    ),
    Operation(
        "GET",
        "/v1/checkout/sessions",
        f"{LIST_PARAMS} customer subscription status payment_intent",
        listing("checkout.session", ("customer", "subscription", "status", "payment_intent")),
    ),
    Operation("GET", "/v1/checkout/sessions/{id}", "expand[]", retrieve("checkout.session")),
    Operation("POST", "/v1/checkout/sessions/{id}", "metadata{} expand[]", update),
    Operation("POST", "/v1/checkout/sessions/{id}/expire", "expand[]", expire),
    Operation("GET", "/v1/checkout/sessions/{id}/line_items", PAGE_PARAMS, list_items),
)
