"""The end of a subscription's period (https://docs.stripe.com/billing/subscriptions/overview)."""

from __future__ import annotations

from porchlight_dev.stripe_fake import invoices, periods, subscription_schedules, subscriptions
from porchlight_dev.stripe_fake.context import Context, require
from porchlight_dev.stripe_fake.store import Json


def renew(ctx: Context, subscription_id: str) -> None:
    """End a subscription's period: cancel it, or begin the next one and draft its invoice."""
    subscription = require(ctx, "subscription", subscription_id)
    if subscription["status"] in (*subscriptions.ENDED, "incomplete"):
        return
    if subscription["cancel_at_period_end"]:
        subscriptions.end(ctx, subscription, "cancellation_requested")
        return
    item = subscriptions.item_of(subscription)
    previous = {
        "items": {"data": [dict(item)]},
        "latest_invoice": subscription["latest_invoice"],
    }
    price = subscription_schedules.price_for_next_period(ctx, subscription) or item["price"]
    begin = item["current_period_end"]
    anchor = subscription["billing_cycle_anchor"] if subscriptions.same_interval(item["price"], price) else begin
    finish = periods.add(begin, price["recurring"], anchor)
    subscriptions.set_price(ctx, subscription, price, item["quantity"], begin, finish)
    lines = [
        *subscription.pop("_pending_lines", []),
        invoices.regular_line(ctx, subscription, price, item["quantity"], begin, finish),
    ]
    invoice = invoices.draft(ctx, subscription, lines, "subscription_cycle", previous_start(previous), begin)
    invoice["automatically_finalizes_at"] = ctx.now() + invoices.DRAFT_SECONDS
    ctx.store.put(invoice)
    ctx.clock.set_timer(invoice["automatically_finalizes_at"], "invoice_finalize", invoice["id"])
    subscriptions.save(ctx, subscription, previous)


def previous_start(previous: Json) -> int:
    """Return the start of the period that ended."""
    return int(previous["items"]["data"][0]["current_period_start"])
