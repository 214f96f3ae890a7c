"""Payout schedules: GET and POST /v1/balance_settings with Stripe-Account.

Facts (https://docs.stripe.com/api/balance-settings,
https://docs.stripe.com/changelog/clover/2025-09-30/balance-settings-ga):
Stripe recommends this endpoint for accounts of API v1 and v2 alike, instead of `settings.payouts` of v1. The schedule
is `daily` unless changed; `weekly` needs `weekly_payout_days` (Monday to Friday), `monthly` `monthly_payout_days`.
`debit_negative_balances` is true unless the platform collects requirements itself. Here the platform's own schedule is
`manual`, as a platform that makes separate transfers chooses in its dashboard.
"""

from __future__ import annotations

import calendar
import datetime
import json

from porchlight_dev.stripe_fake.clock import DAY
from porchlight_dev.stripe_fake.context import Call, Context, Operation
from porchlight_dev.stripe_fake.errors import StripeRefusal
from porchlight_dev.stripe_fake.store import Json

WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday")
PARAMS = (
    "payments.debit_negative_balances:bool payments.payouts.schedule.interval:daily|manual|monthly|weekly"
    " payments.payouts.schedule.monthly_payout_days[]:int payments.payouts.schedule.weekly_payout_days[]"
    " payments.payouts.minimum_balance_by_currency{} payments.payouts.statement_descriptor"
    " payments.settlement_timing.delay_days_override:int expand[]"
)


def settings(ctx: Context, account: str) -> Json:
    """Return the balance settings of an account."""
    stored = ctx.store.setting(f"balance_settings:{account}")
    if stored:
        found: Json = json.loads(stored)
        return found
    return {
        "object": "balance_settings",
        "payments": {
            "debit_negative_balances": True,
            "payouts": {
                "minimum_balance_by_currency": None,
                "schedule": {"interval": "daily" if account else "manual"},
                "statement_descriptor": None,
                "status": "enabled",
            },
            "settlement_timing": {"delay_days": 2},
        },
    }


def retrieve(ctx: Context, call: Call) -> Json:
    """Return the balance settings of the calling account."""
    return settings(ctx, call.account)


def update(ctx: Context, call: Call) -> Json:
    """Change the balance settings of the calling account."""
    found = settings(ctx, call.account)
    payments, given = found["payments"], call.get("payments") or {}
    if given.get("debit_negative_balances") is not None:
        payments["debit_negative_balances"] = given["debit_negative_balances"]
    payouts = given.get("payouts") or {}
    if payouts.get("schedule"):
        payments["payouts"]["schedule"] = _schedule(payouts["schedule"])
    if "statement_descriptor" in payouts:
        payments["payouts"]["statement_descriptor"] = payouts["statement_descriptor"] or None
    if "minimum_balance_by_currency" in payouts:
        kept = {currency: int(cents) for currency, cents in payouts["minimum_balance_by_currency"].items() if cents}
        payments["payouts"]["minimum_balance_by_currency"] = kept or None
    override = (given.get("settlement_timing") or {}).get("delay_days_override")
    if override is not None:
        payments["settlement_timing"] = {"delay_days": override, "delay_days_override": override}
    ctx.store.put_setting(f"balance_settings:{call.account}", json.dumps(found))
    ctx.events.emit("balance_settings.updated", found, call.account)
    ctx.clock.cancel_timers("payout_schedule", call.account)
    arm(ctx, call.account, ctx.now())
    return found


def _schedule(given: Json) -> Json:
    interval = given.get("interval", "daily")
    schedule: Json = {"interval": interval}
    if interval == "weekly":
        days = given.get("weekly_payout_days") or []
        if not days or not set(days) <= set(WEEKDAYS):
            message = "weekly_payout_days must be one or more of monday to friday when the interval is weekly."
            raise StripeRefusal(message, param="payments[payouts][schedule][weekly_payout_days]")
        schedule["weekly_payout_days"] = days
    if interval == "monthly":
        numbers = given.get("monthly_payout_days") or []
        if not numbers or not all(1 <= number <= 31 for number in numbers):
            message = "monthly_payout_days must be one or more of 1 to 31 when the interval is monthly."
            raise StripeRefusal(message, param="payments[payouts][schedule][monthly_payout_days]")
        schedule["monthly_payout_days"] = numbers
    return schedule


def arm(ctx: Context, account: str, after: int) -> None:
    """Look at an account's schedule at the first midnight (UTC) after `after`, unless that happens earlier anyway."""
    midnight = (after // DAY + 1) * DAY
    if settings(ctx, account)["payments"]["payouts"]["schedule"]["interval"] == "manual":
        return
    if not ctx.clock.has_timer(midnight, "payout_schedule", account):
        ctx.clock.cancel_timers("payout_schedule", account)
        ctx.clock.set_timer(midnight, "payout_schedule", account)


def due_today(ctx: Context, account: str) -> tuple[int, bool]:
    """Return the cents that stay in the balance, and whether today is a payout day."""
    payouts = settings(ctx, account)["payments"]["payouts"]
    kept = (payouts["minimum_balance_by_currency"] or {}).get("usd", 0)
    schedule = payouts["schedule"]
    today = datetime.datetime.fromtimestamp(ctx.now(), datetime.UTC).date()
    last = calendar.monthrange(today.year, today.month)[1]
    match schedule["interval"]:
        case "daily":
            due = True
        case "weekly":
            due = today.weekday() < len(WEEKDAYS) and WEEKDAYS[today.weekday()] in schedule["weekly_payout_days"]
        case "monthly":
            due = today.day in {min(day, last) for day in schedule["monthly_payout_days"]}
        case _:
            due = False
    return kept, due


OPERATIONS = (
    Operation("GET", "/v1/balance_settings", "expand[]", retrieve),
    Operation("POST", "/v1/balance_settings", PARAMS, update),
)
