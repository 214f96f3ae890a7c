"""The operations on subscriptions and invoices (https://docs.stripe.com/api/subscriptions, /api/invoices)."""

from __future__ import annotations

from porchlight_dev.stripe_fake import customers, invoices, payment_methods, periods, products, subscriptions
from porchlight_dev.stripe_fake.context import LIST_PARAMS, Call, Context, Operation, page, require, retrieve
from porchlight_dev.stripe_fake.errors import StripeRefusal, ValidationError, missing_reference
from porchlight_dev.stripe_fake.forms import merged_metadata
from porchlight_dev.stripe_fake.store import Json, new_id

# https://docs.stripe.com/billing/subscriptions/pending-updates-reference
PENDING_UPDATE_PARAMS = {
    "billing_cycle_anchor", "expand", "items", "payment_behavior", "proration_behavior", "proration_date",
}  # fmt: skip
ITEMS = "items[].id items[].price items[].quantity:int"
BEHAVIOR = "payment_behavior:allow_incomplete|default_incomplete|error_if_incomplete|pending_if_incomplete"
PRORATION = "proration_behavior:always_invoice|create_prorations|none"


def create(ctx: Context, call: Call) -> Json:
    """Create a subscription and charge its first invoice to the customer's card."""
    customer = customers.existing(ctx, call.params["customer"])
    items = call.params["items"]
    if len(items) != 1 or not items[0].get("price"):
        message = "This fake Stripe knows subscriptions with exactly one price."
        raise ValidationError(message, code="parameter_missing", param="items")
    price = products.recurring_price(ctx, items[0]["price"], "items[0][price]")
    card = payment_methods.card_of(ctx, customer, call.get("default_payment_method"))
    behavior = call.get("payment_behavior") or "allow_incomplete"
    if card is None and behavior != "default_incomplete":
        message = "This customer has no attached payment source or default payment method."
        raise StripeRefusal(message, code="resource_missing")
    subscription, _invoice = subscriptions.start(
        ctx,
        customer["id"],
        price,
        items[0].get("quantity") or 1,
        metadata=call.get("metadata") or {},
        card=card if call.get("default_payment_method") else None,
        behavior=behavior,
    )
    return subscription


def list_subscriptions(ctx: Context, call: Call) -> Json:
    """List subscriptions; without a status those that have not ended."""
    where = {name: call.params[name] for name in ("customer",) if call.get(name)}
    status = call.get("status")
    known = ["active", "past_due", "incomplete", "trialing", "unpaid", "paused"]
    choices = {None: known, "all": [*known, *subscriptions.ENDED], "ended": list(subscriptions.ENDED)}
    where["status"] = choices.get(status, [status])
    return page(ctx, call, "subscription", where)


def update(ctx: Context, call: Call) -> Json:
    """Change a subscription's price, end, card or metadata."""
    subscription = require(ctx, "subscription", call.path["id"])
    if subscription["status"] in subscriptions.ENDED:
        message = "A canceled subscription can only update its cancellation_details and metadata."
        raise StripeRefusal(message)
    behavior = call.get("payment_behavior") or "allow_incomplete"
    unsupported = call.params.keys() - PENDING_UPDATE_PARAMS
    if behavior == "pending_if_incomplete" and unsupported:
        message = (
            f"The following parameters are not supported with `payment_behavior=pending_if_incomplete`:"
            f" {', '.join(sorted(unsupported))}."
        )
        raise ValidationError(message, param=min(unsupported))
    previous = _plain_changes(ctx, subscription, call)
    if call.get("items"):
        price, quantity = _item_change(ctx, subscription, call.params["items"])
        at = call.get("proration_date") or ctx.now()
        subscription, changed = subscriptions.change(
            ctx,
            subscription,
            price,
            quantity,
            proration=call.get("proration_behavior") or "create_prorations",
            behavior=behavior,
            at=at,
        )
        previous |= changed
    return subscriptions.save(ctx, subscription, previous or None)


def _plain_changes(ctx: Context, subscription: Json, call: Call) -> Json:
    previous: Json = {}
    if call.get("metadata") is not None:
        previous["metadata"] = subscription["metadata"]
        subscription["metadata"] = merged_metadata(subscription["metadata"], call.params["metadata"])
    for name in ("default_payment_method", "description"):
        if name in call.params:
            previous[name] = subscription[name]
            subscription[name] = call.params[name] or None
    if call.get("cancel_at_period_end") is not None:
        if subscription["schedule"]:
            message = (
                f"The subscription is managed by the subscription schedule `{subscription['schedule']}`, and updating"
                " any cancellation behavior directly is not allowed. Please update the schedule instead."
            )
            raise StripeRefusal(message)
        names = ("cancel_at", "cancel_at_period_end", "canceled_at", "cancellation_details")
        previous |= {name: subscription[name] for name in names}
        set_cancel_at_period_end(ctx, subscription, on=call.params["cancel_at_period_end"])
    return previous


def set_cancel_at_period_end(ctx: Context, subscription: Json, *, on: bool) -> None:
    """Let a subscription end with its period, or go on."""
    reason = "cancellation_requested" if on else None
    subscription |= {
        "cancel_at": subscriptions.item_of(subscription)["current_period_end"] if on else None,
        "cancel_at_period_end": on,
        "canceled_at": ctx.now() if on else None,
        "cancellation_details": subscription["cancellation_details"] | {"reason": reason},
    }


def _item_change(ctx: Context, subscription: Json, items: list[Json]) -> tuple[Json, int]:
    item = subscriptions.item_of(subscription)
    if len(items) != 1 or items[0].get("id") != item["id"]:
        # Without the item's id Stripe would add a second item, which no plan here has.
        raise missing_reference("subscription item", items[0].get("id") if items else "", "items[0][id]")
    price = products.recurring_price(ctx, items[0].get("price") or item["price"]["id"], "items[0][price]")
    return price, items[0].get("quantity") or item["quantity"]


def cancel(ctx: Context, call: Call) -> Json:
    """Cancel a subscription now."""
    subscription = require(ctx, "subscription", call.path["id"])
    if subscription["status"] in subscriptions.ENDED:
        raise StripeRefusal(f"No such subscription: '{subscription['id']}'", status=404, code="resource_missing")
    comment = (call.get("cancellation_details") or {}).get("comment")
    return subscriptions.end(ctx, subscription, "cancellation_requested", comment)


# Invoices


def preview(ctx: Context, call: Call) -> Json:
    """Return the invoice that a change, or else the next renewal, would create."""
    subscription = require(ctx, "subscription", call.params["subscription"])
    item = subscriptions.item_of(subscription)
    details = call.get("subscription_details") or {}
    begin, finish = item["current_period_start"], item["current_period_end"]
    if details.get("items"):
        price, quantity = _item_change(ctx, subscription, details["items"])
        at = details.get("proration_date") or ctx.now()
        lines, _begin, _finish = invoices.proration_lines(ctx, subscription, price, quantity, at)
        behavior = details.get("proration_behavior") or "create_prorations"
        if behavior == "none":
            lines = []
        if behavior != "always_invoice" and _begin == begin:
            next_end = periods.add(finish, price["recurring"], subscription["billing_cycle_anchor"])
            lines.append(invoices.regular_line(ctx, subscription, price, quantity, finish, next_end))
    else:
        next_end = periods.add(finish, item["price"]["recurring"], subscription["billing_cycle_anchor"])
        lines = [
            *subscription.get("_pending_lines", []),
            invoices.regular_line(ctx, subscription, item["price"], item["quantity"], finish, next_end),
        ]
    reason = "subscription_update" if details.get("items") else "upcoming"
    found = invoices.preview(ctx, subscription, lines, reason, begin, finish)
    return found | {"id": new_id("upcoming_in")}


def pay(ctx: Context, call: Call) -> Json:
    """Charge an open invoice."""
    invoice = require(ctx, "invoice", call.path["id"])
    if invoice["status"] == "paid":
        raise StripeRefusal("Invoice is already paid", code="invoice_already_paid")
    if invoice["status"] != "open":
        raise StripeRefusal("This invoice can't be paid.", code="invoice_not_editable")
    customer = require(ctx, "customer", invoice["customer"])
    card = payment_methods.card_of(ctx, customer, call.get("payment_method"))
    invoice, paid = subscriptions.attempt(ctx, invoice, card=card, on_session=True)
    if not paid:
        refusal = subscriptions.declined(ctx, invoice)
        refusal.keep = True
        raise refusal
    return invoice


def list_invoices(ctx: Context, call: Call) -> Json:
    """List invoices."""
    where = {name: call.params[name] for name in ("customer", "status") if call.get(name)}
    if call.get("subscription"):
        where["parent.subscription_details.subscription"] = call.params["subscription"]
    return page(ctx, call, "invoice", where)


def list_payments(ctx: Context, call: Call) -> Json:
    """List the payments of invoices, also by payment intent."""
    where = {name: call.params[name] for name in ("invoice", "status") if call.get(name)}
    if (call.get("payment") or {}).get("payment_intent"):
        where["payment.payment_intent"] = call.params["payment"]["payment_intent"]
    return page(ctx, call, "invoice_payment", where)


OPERATIONS = (
    Operation(
        "POST",
        "/v1/subscriptions",
        f"customer! items[].price items[].quantity:int metadata{{}} default_payment_method {BEHAVIOR} {PRORATION}"
        " description expand[]",
        create,
    ),
    Operation("GET", "/v1/subscriptions", f"{LIST_PARAMS} customer status", list_subscriptions),
    Operation("GET", "/v1/subscriptions/{id}", "expand[]", retrieve("subscription")),
    Operation(
        "POST",
        "/v1/subscriptions/{id}",
        f"{ITEMS} {BEHAVIOR} {PRORATION} proration_date:int billing_cycle_anchor:now|unchanged metadata{{}}"
        " cancel_at_period_end:bool default_payment_method description expand[]",
        update,
    ),
    Operation(
        "DELETE",
        "/v1/subscriptions/{id}",
        "invoice_now:bool prorate:bool cancellation_details.comment cancellation_details.feedback expand[]",
        cancel,
    ),
    Operation(
        "POST",
        "/v1/invoices/create_preview",
        "customer subscription! subscription_details.items[].id subscription_details.items[].price"
        " subscription_details.items[].quantity:int subscription_details.proration_date:int"
        " subscription_details.proration_behavior:always_invoice|create_prorations|none expand[]",
        preview,
    ),
    Operation("GET", "/v1/invoices", f"{LIST_PARAMS} customer subscription status", list_invoices),
    Operation("GET", "/v1/invoices/{id}", "expand[]", retrieve("invoice")),
    Operation("POST", "/v1/invoices/{id}/pay", "payment_method expand[]", pay),
    Operation(
        "POST",
        "/v1/invoices/{id}/void",
        "expand[]",
        lambda ctx, call: subscriptions.void(ctx, require(ctx, "invoice", call.path["id"])),
    ),
    Operation(
        "GET",
        "/v1/invoice_payments",
        f"{LIST_PARAMS} invoice status payment.payment_intent payment.type",
        list_payments,
    ),
    Operation("GET", "/v1/invoice_payments/{id}", "expand[]", retrieve("invoice_payment")),
)
