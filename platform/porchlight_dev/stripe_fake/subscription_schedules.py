"""Subscription schedules: a change of price at the end of the period.

Facts: https://docs.stripe.com/billing/subscriptions/subscription-schedules. After its last phase a schedule releases
the subscription, which goes on at that phase's price.
"""

from __future__ import annotations

from porchlight_dev.stripe_fake import periods, products, subscriptions
from porchlight_dev.stripe_fake.context import LIST_PARAMS, Call, Context, Operation, blank, listing, require, retrieve
from porchlight_dev.stripe_fake.errors import StripeRefusal, ValidationError
from porchlight_dev.stripe_fake.forms import merged_metadata
from porchlight_dev.stripe_fake.store import Json, new_id

OPEN = ("not_started", "active")


def _phase(price: Json, quantity: int, start: int, end: int, metadata: dict[str, str] | None = None) -> Json:
    return {
        "add_invoice_items": [],
        "automatic_tax": {"disabled_reason": None, "enabled": False, "liability": None},
        "currency": "usd",
        "discounts": [],
        "end_date": end,
        "items": [
            {
                "billing_thresholds": None,
                "discounts": [],
                "metadata": {},
                "plan": price["id"],
                "price": price["id"],
                "quantity": quantity,
                "tax_rates": [],
            }
        ],
        "metadata": metadata or {},
        "proration_behavior": "create_prorations",
        "start_date": start,
        **blank(
            "application_fee_percent billing_cycle_anchor billing_thresholds collection_method default_payment_method"
            " default_tax_rates description invoice_settings on_behalf_of transfer_data trial_end"
        ),
    }


def create(ctx: Context, call: Call) -> Json:
    """Create a schedule from a subscription; its only phase is the current period."""
    subscription = require(ctx, "subscription", call.params["from_subscription"])
    if subscription["schedule"] or subscription["status"] in subscriptions.ENDED:
        message = "You cannot migrate a subscription that is already attached to a schedule or has ended."
        raise StripeRefusal(message, param="from_subscription")
    item = subscriptions.item_of(subscription)
    start, end = item["current_period_start"], item["current_period_end"]
    schedule = {
        "id": new_id("sub_sched"),
        "object": "subscription_schedule",
        "billing_mode": subscription["billing_mode"],
        "created": ctx.now(),
        "current_phase": {"end_date": end, "start_date": start},
        "customer": subscription["customer"],
        "default_settings": {
            "automatic_tax": {"disabled_reason": None, "enabled": False, "liability": None},
            "billing_cycle_anchor": "automatic",
            "collection_method": "charge_automatically",
            "invoice_settings": {"account_tax_ids": None, "days_until_due": None, "issuer": {"type": "self"}},
            **blank(
                "application_fee_percent billing_thresholds default_payment_method description on_behalf_of"
                " transfer_data"
            ),
        },
        "end_behavior": "release",
        "livemode": False,
        "metadata": call.get("metadata") or {},
        "pause_schedules": [],
        "phases": [_phase(item["price"], item["quantity"], start, end)],
        "status": "active",
        "subscription": subscription["id"],
        **blank("application canceled_at completed_at customer_account released_at released_subscription test_clock"),
    }
    ctx.store.put(schedule)
    ctx.events.emit("subscription_schedule.created", schedule)
    subscription["schedule"] = schedule["id"]
    subscriptions.save(ctx, subscription, {"schedule": None})
    return schedule


def update(ctx: Context, call: Call) -> Json:
    """Replace the phases of a schedule. The first one is the current phase."""
    schedule = require(ctx, "subscription_schedule", call.path["id"])
    if schedule["status"] not in OPEN:
        raise StripeRefusal("You cannot update a subscription schedule that has ended.")
    schedule["metadata"] = merged_metadata(schedule["metadata"], call.get("metadata"))
    schedule["end_behavior"] = call.get("end_behavior") or schedule["end_behavior"]
    if call.get("phases"):
        schedule["phases"] = _phases(ctx, schedule, call.params["phases"])
    ctx.store.put(schedule)
    ctx.events.emit("subscription_schedule.updated", schedule)
    return schedule


def _phases(ctx: Context, schedule: Json, given: list[Json]) -> list[Json]:
    phases: list[Json] = []
    start = schedule["phases"][0]["start_date"]
    for n, phase in enumerate(given):
        items = phase.get("items") or []
        if len(items) != 1 or not items[0].get("price"):
            raise ValidationError("A phase here has exactly one price.", code="parameter_missing", param="phases")
        price = products.recurring_price(ctx, items[0]["price"], f"phases[{n}][items][0][price]")
        begin = phase.get("start_date") or start
        if n == 0 and begin != start:
            raise StripeRefusal(
                "You can not modify the start date of the current phase.", param="phases[0][start_date]"
            )
        duration = phase.get("duration") or {}
        recurring = price["recurring"] | {name: value for name, value in duration.items() if value}
        end = phase.get("end_date") or periods.add(begin, recurring, begin)
        if end <= begin:
            raise StripeRefusal("The end date of a phase must be after its start date.", param=f"phases[{n}][end_date]")
        phases.append(_phase(price, items[0].get("quantity") or 1, begin, end, phase.get("metadata")))
        start = end
    return phases


def price_for_next_period(ctx: Context, subscription: Json) -> Json | None:
    """Return the price of the phase that begins when the current period ends; end the schedule after its last one."""
    if not subscription["schedule"]:
        return None
    schedule = require(ctx, "subscription_schedule", subscription["schedule"])
    now = subscriptions.item_of(subscription)["current_period_end"]
    following = [phase for phase in schedule["phases"] if phase["start_date"] <= now < phase["end_date"]]
    if not following:
        _release(ctx, schedule, subscription)
        return None
    phase = following[-1]
    schedule["current_phase"] = {"end_date": phase["end_date"], "start_date": phase["start_date"]}
    ctx.store.put(schedule)
    ctx.events.emit("subscription_schedule.updated", schedule)
    return require(ctx, "price", phase["items"][0]["price"])


def _release(ctx: Context, schedule: Json, subscription: Json) -> Json:
    schedule |= {
        "current_phase": None,
        "released_at": ctx.now(),
        "released_subscription": subscription["id"],
        "status": "released",
        "subscription": None,
    }
    subscription["schedule"] = None
    ctx.store.put(schedule)
    ctx.store.put(subscription)
    ctx.events.emit("subscription_schedule.released", schedule)
    return schedule


def release(ctx: Context, call: Call) -> Json:
    """Release a schedule: the subscription goes on as it is now."""
    schedule = require(ctx, "subscription_schedule", call.path["id"])
    if schedule["status"] not in OPEN:
        raise StripeRefusal("This schedule is not active and cannot be released.")
    return _release(ctx, schedule, require(ctx, "subscription", schedule["subscription"]))


PHASES = (
    "phases[].items[].price phases[].items[].quantity:int phases[].start_date:int phases[].end_date:int"
    " phases[].duration.interval:day|month|week|year phases[].duration.interval_count:int phases[].metadata{}"
    " phases[].proration_behavior:always_invoice|create_prorations|none"
)
OPERATIONS = (
    Operation("POST", "/v1/subscription_schedules", "from_subscription! metadata{} expand[]", create),
    Operation(
        "GET", "/v1/subscription_schedules", f"{LIST_PARAMS} customer", listing("subscription_schedule", ("customer",))
    ),
    Operation("GET", "/v1/subscription_schedules/{id}", "expand[]", retrieve("subscription_schedule")),
    Operation(
        "POST",
        "/v1/subscription_schedules/{id}",
        f"{PHASES} metadata{{}} end_behavior:release proration_behavior:always_invoice|create_prorations|none expand[]",
        update,
    ),
    Operation("POST", "/v1/subscription_schedules/{id}/release", "preserve_cancel_date:bool expand[]", release),
)
