"""Balances and the balance transactions that make them up (https://docs.stripe.com/payments/balances).

A balance is never stored: it is the sum of its transactions' net amounts, `available` those whose funds are available
by the clock and `pending` the rest. Every movement of money adds exactly one transaction per account it touches.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from porchlight_dev.stripe_fake import external_accounts, pricing, schedules
from porchlight_dev.stripe_fake.clock import DAY
from porchlight_dev.stripe_fake.context import LIST_PARAMS, Call, Context, Operation, page, require, retrieve
from porchlight_dev.stripe_fake.store import Json, new_id

CARD_SETTLEMENT_SECONDS = 2 * DAY  # T+2 in the United States
APPLICATION = "ca_porchlight"
# https://docs.stripe.com/reports/reporting-categories: where the category is not the type itself.
REPORTING_CATEGORIES = {
    "adjustment": "other_adjustment",
    "application_fee": "platform_earning",
    "application_fee_refund": "platform_earning_refund",
    "payment": "charge",
    "payment_refund": "refund",
    "payout_failure": "payout_reversal",
    "payout_cancel": "payout_reversal",
    "refund_failure": "refund_failure",
    "stripe_fee": "fee",
    "transfer_refund": "transfer_reversal",
    "advance_funding": "advance_funding",
    "reserve_transaction": "risk_reserved_funds",
}


def add_line(
    ctx: Context,
    account: str,
    kind: str,
    amount: int,
    source: str | None,
    *,
    fees: tuple[tuple[str, int, str], ...] = (),
    available_on: int | None = None,
    description: str | None = None,
    category: str = "",
) -> Json:
    """Add a balance transaction of `amount` cents less `fees` (type, cents, description); return it."""
    now = ctx.now()
    fee = sum(charged for _type, charged, _description in fees)
    due = now if available_on is None else available_on
    line: Json = {
        "id": new_id("txn"),
        "object": "balance_transaction",
        "amount": amount,
        "available_on": due,
        "balance_type": "payments",
        "created": now,
        "currency": "usd",
        "description": description,
        "exchange_rate": None,
        "fee": fee,
        "fee_details": [
            {
                "amount": charged,
                "application": APPLICATION if fee_type == "application_fee" else None,
                "currency": "usd",
                "description": text,
                "type": fee_type,
            }
            for fee_type, charged, text in fees
        ],
        "net": amount - fee,
        "reporting_category": category or REPORTING_CATEGORIES.get(kind, kind),
        "source": source,
        "status": "available" if due <= now else "pending",
        "type": kind,
    }
    ctx.store.put(line, account)
    if due > now:
        ctx.clock.set_timer(due, "balance_available", account)
    if account and line["net"] > 0:
        schedules.arm(ctx, account, due)
    return line


def cents(ctx: Context, account: str) -> tuple[int, int]:
    """Return available and pending cents of an account."""
    query = (
        "SELECT coalesce(sum(CASE WHEN available_on <= ?1 THEN net END), 0),"
        " coalesce(sum(CASE WHEN available_on > ?1 THEN net END), 0)"
        " FROM objects WHERE account = ?2 AND net IS NOT NULL"
    )
    available, pending = ctx.store.db.execute(query, [ctx.now(), account]).fetchone()
    return int(available), int(pending)


def instant_cents(ctx: Context, account: str) -> int:
    """Return what an account can pay out at once, before the fee: card funds count before they are available."""
    return max(0, sum(cents(ctx, account)))


def _amount(value: int) -> Json:
    return {"amount": value, "currency": "usd", "source_types": {"card": value}}


def balance(ctx: Context, account: str) -> Json:
    """Return the balance object of an account."""
    available, pending = cents(ctx, account)
    found: Json = {
        "object": "balance",
        "available": [_amount(available)],
        "livemode": False,
        "pending": [_amount(pending)],
        "refund_and_dispute_prefunding": {"available": [_amount(0)], "pending": [_amount(0)]},
    }
    if not account:
        return found | {"connect_reserved": [_amount(0)]}
    gross = instant_cents(ctx, account)
    destinations = [
        external
        for external in external_accounts.of_account(ctx, account)
        if "instant" in external["available_payout_methods"]
    ]
    net = pricing.net_of(ctx, gross)
    found["instant_available"] = [
        _amount(gross if destinations else 0)
        | {
            "net_available": [
                {"amount": net, "destination": external["id"], "source_types": {"card": net}}
                for external in destinations
            ]
        }
    ]
    return found


def retrieve_balance(ctx: Context, call: Call) -> Json:
    """Return the balance of the calling account."""
    return balance(ctx, call.account)


def with_status(line: Json, now: int) -> Json:
    """Return a balance transaction with its status at `now`."""
    return line | {"status": "available" if line["available_on"] <= now else "pending"}


def list_lines(ctx: Context, call: Call) -> Json:
    """List balance transactions. `payout` selects those that an automatic payout paid out."""
    renamed = {name: call.params[name] for name in ("type", "source", "currency") if call.get(name)}
    if call.get("payout"):
        payout = require(ctx, "payout", call.params["payout"], call.account)
        renamed["id"] = [*payout.get("_lines", []), payout["balance_transaction"]]
    return page(ctx, call, "balance_transaction", renamed)


def emit_available(ctx: Context, account: str) -> None:
    """Report that funds became available. Of several timers at one moment only the first reports."""
    ctx.clock.cancel_timers_until(ctx.now(), "balance_available", account)
    ctx.events.emit("balance.available", balance_event_object(ctx, account), account)


def balance_event_object(ctx: Context, account: str) -> Json:
    """Return a balance as in an event: without what only `expand` includes."""
    found = balance(ctx, account)
    for entry in found.get("instant_available", []):
        entry.pop("net_available")
    return found


def create_line(ctx: Context, values: Mapping[str, Any]) -> Json:
    """Add a bare balance transaction, as the control API asks: money that no call of the product moved."""
    kind, amount = str(values.get("type", "adjustment")), int(values["amount"])
    source = values.get("source") or new_id({"topup": "tu", "payout": "po"}.get(kind, "adj"))
    fee = int(values.get("fee", 0))
    return add_line(
        ctx,
        str(values.get("account") or ""),
        kind,
        amount,
        source,
        fees=(("stripe_fee", fee, "Stripe processing fees"),) if fee else (),
        available_on=ctx.now() + int(values.get("available_in_s", 0)),
        description=str(values.get("description") or "Added by the control API"),
    )


OPERATIONS = (
    Operation("GET", "/v1/balance", "expand[]", retrieve_balance),
    Operation("GET", "/v1/balance_transactions", f"{LIST_PARAMS} type source currency payout", list_lines),
    Operation("GET", "/v1/balance_transactions/{id}", "expand[]", retrieve("balance_transaction")),
)
