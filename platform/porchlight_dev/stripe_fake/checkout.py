"""The operations on Checkout sessions (https://docs.stripe.com/api/checkout/sessions).

A session sells one subscription, sells lines once (`mode=payment`), or stores a card (`mode=setup`). The parameter that
names payment method types is `allowed_payment_method_types` in this version of the API.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from porchlight_dev.stripe_fake import (
    checkout_sessions,
    customers,
    payment_intent_api,
    payment_intents,
    products,
    setup_intents,
)
from porchlight_dev.stripe_fake.clock import DAY, MINUTE
from porchlight_dev.stripe_fake.context import (
    LIST_PARAMS,
    PAGE_PARAMS,
    Call,
    Context,
    Operation,
    list_of,
    listing,
    require,
    retrieve,
)
from porchlight_dev.stripe_fake.errors import StripeRefusal, ValidationError
from porchlight_dev.stripe_fake.forms import merged_metadata
from porchlight_dev.stripe_fake.store import Json

MINIMUM_SECONDS = 30 * MINUTE
MAXIMUM_SECONDS = DAY
MAX_LINES = 100
# Parameters that belong to one mode, or two.
OF_MODE = {
    "line_items": ("payment", "subscription"),
    "payment_intent_data": ("payment",),
    "setup_intent_data": ("setup",),
    "subscription_data": ("subscription",),
    "submit_type": ("payment", "subscription"),
    "customer_creation": ("payment", "setup"),
}


def create(ctx: Context, call: Call) -> Json:
    """Create a session."""
    mode = call.params["mode"]
    _check(ctx, call, mode)
    lines_of: dict[str, Callable[[Context, Call], list[Json]]] = {"payment": _lines, "subscription": _plan}
    items = lines_of[mode](ctx, call) if mode in lines_of else []
    customer = customers.existing(ctx, call.params["customer"]) if call.get("customer") else None
    session = checkout_sessions.make(
        ctx,
        mode,
        items,
        success_url=call.params["success_url"],
        cancel_url=call.get("cancel_url"),
        customer=customer,
        email=call.get("customer_email"),
        expires=call.get("expires_at"),
        client_reference_id=call.get("client_reference_id"),
        metadata=call.get("metadata") or {},
        locale=call.get("locale"),
        submit_type=call.get("submit_type"),
        _terms=_terms(call),
    )
    if call.get("customer_creation"):
        session["customer_creation"] = call.params["customer_creation"]
    requested = ((call.get("payment_method_options") or {}).get("card") or {}).get("request_three_d_secure")
    session["payment_method_options"]["card"]["request_three_d_secure"] = requested or "automatic"
    if mode == "setup":
        session["setup_intent"] = setup_intents.make(ctx, **session["_terms"], customer=session["customer"])["id"]
    return ctx.store.put(session)


def _check(ctx: Context, call: Call, mode: str) -> None:
    if not call.get("success_url"):
        message = "Missing required param: success_url."
        raise ValidationError(message, code="parameter_missing", param="success_url")
    for name, modes in OF_MODE.items():
        if call.get(name) and mode not in modes:
            raise StripeRefusal(f"You can not pass `{name}` in `{mode}` mode.", param=name)
    for other in ("customer_email", "customer_creation"):
        if call.get("customer") and call.get(other):
            message = f"You may only specify one of these parameters: customer, {other}."
            raise ValidationError(message, code="parameters_exclusive", param="customer")
    if mode == "setup" and not (call.get("currency") or call.get("allowed_payment_method_types")):
        message = "Missing required param: currency."
        raise ValidationError(message, code="parameter_missing", param="currency")
    if call.get("currency"):
        payment_intents.check_currency(call.params["currency"])
    payment_intent_api.check_card_only(call.get("allowed_payment_method_types"))
    expires = call.get("expires_at")
    if expires and not MINIMUM_SECONDS - 60 <= expires - ctx.now() <= MAXIMUM_SECONDS + 60:
        message = "The `expires_at` timestamp must be between 30 minutes and 24 hours after session creation."
        raise StripeRefusal(message, param="expires_at")


def _terms(call: Call) -> Json:
    """Return what the intent or subscription of a session will have."""
    if call.params["mode"] == "payment":
        return payment_intent_api.terms_of(call.get("payment_intent_data") or {})
    given: dict[str, Any] = call.get("setup_intent_data") or call.get("subscription_data") or {}
    return {name: value for name, value in given.items() if value is not None}


def _plan(ctx: Context, call: Call) -> list[Json]:
    items = call.get("line_items") or []
    if len(items) != 1 or not items[0].get("price"):
        raise ValidationError("A session here has exactly one line item.", code="parameter_missing", param="line_items")
    price = products.recurring_price(ctx, items[0]["price"], "line_items[0][price]")
    return [checkout_sessions.line_item(ctx, price, items[0].get("quantity") or 1)]


def _lines(ctx: Context, call: Call) -> list[Json]:
    given = call.get("line_items") or []
    if not 1 <= len(given) <= MAX_LINES:
        message = "You must pass 1 to 100 `line_items` in `payment` mode."
        raise ValidationError(message, code="parameter_missing", param="line_items")
    lines = [_line(ctx, entry, f"line_items[{n}]") for n, entry in enumerate(given)]
    total = sum(line["amount_total"] for line in lines)
    if total:  # a session without a price needs no card (https://docs.stripe.com/payments/checkout/no-cost-orders)
        words = "The Checkout Session's total amount due must add up to"
        payment_intents.check_amount(total, words, "line_items")
    return lines


def _line(ctx: Context, given: Json, param: str) -> Json:
    quantity = given.get("quantity")
    if quantity is None:
        message = f"Missing required param: {param}[quantity]."
        raise ValidationError(message, code="parameter_missing", param=f"{param}[quantity]")
    if quantity < 1:
        message = "This value must be greater than or equal to 1."
        raise ValidationError(message, code="parameter_invalid_integer", param=f"{param}[quantity]")
    if bool(given.get("price")) == bool(given.get("price_data")):
        message = f"You must specify either `price` or `price_data` for {param}."
        raise ValidationError(message, code="parameter_missing", param=param)
    if given.get("price"):
        price = products.one_time_price(ctx, given["price"], f"{param}[price]")
    else:
        price = products.inline_price(ctx, given["price_data"], f"{param}[price_data]")
    return checkout_sessions.line_item(ctx, price, quantity)


def expire(ctx: Context, call: Call) -> Json:
    """Expire an open session."""
    session = require(ctx, "checkout.session", call.path["id"])
    if session["status"] != "open":
        message = (
            'Only Checkout Sessions with a status in ["open"] can be expired.'
            f" This session has a status of {session['status']}."
        )
        raise StripeRefusal(message)
    return checkout_sessions.expire(ctx, session)


def update(ctx: Context, call: Call) -> Json:
    """Change a session's metadata."""
    session = require(ctx, "checkout.session", call.path["id"])
    session["metadata"] = merged_metadata(session["metadata"], call.get("metadata"))
    return ctx.store.put(session)


def list_items(ctx: Context, call: Call) -> Json:
    """List the line items of a session."""
    return list_of(require(ctx, "checkout.session", call.path["id"])["line_items"]["data"], call.url)


_INTENT = (
    "payment_intent_data.metadata{} payment_intent_data.description payment_intent_data.transfer_group"
    " payment_intent_data.capture_method:automatic|manual payment_intent_data.receipt_email"
    " payment_intent_data.setup_future_usage:off_session|on_session payment_intent_data.statement_descriptor_suffix"
)
_LINES = (
    "line_items[].price line_items[].quantity:int line_items[].price_data.currency!"
    " line_items[].price_data.unit_amount:int line_items[].price_data.product"
    " line_items[].price_data.product_data.name! line_items[].price_data.product_data.description"
    " line_items[].price_data.product_data.metadata{}"
)
OPERATIONS = (
    Operation(
        "POST",
        "/v1/checkout/sessions",
        "mode:payment|setup|subscription! success_url cancel_url customer customer_email"
        " customer_creation:always|if_required client_reference_id metadata{} currency expires_at:int locale"
        f" submit_type:auto|book|donate|pay|subscribe {_LINES} {_INTENT} setup_intent_data.metadata{{}}"
        " setup_intent_data.description subscription_data.metadata{} allowed_payment_method_types[]"
        " payment_method_options.card.request_three_d_secure:any|automatic|challenge"
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
