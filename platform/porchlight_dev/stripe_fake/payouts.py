"""Payouts (https://docs.stripe.com/payouts): manual ones by the API, automatic ones by an account's schedule.

A payout is `pending` until it is submitted to the bank, then `in_transit`, then `paid`; a paid one can still fail. The
fake's clock drives this: an instant payout is submitted after 5 s and paid after 60 s (Stripe says usually within
30 minutes), a standard one is submitted at once and paid after two days. A failure returns the amount with a
`payout_failure` transaction; the platform keeps its fee unless it refunds it.
"""

from __future__ import annotations

import datetime
from zoneinfo import ZoneInfo

from porchlight_dev.stripe_fake import accounts, balances, external_accounts, pricing, schedules
from porchlight_dev.stripe_fake.clock import DAY
from porchlight_dev.stripe_fake.context import LIST_PARAMS, Call, Context, Operation, blank, listing, require, retrieve
from porchlight_dev.stripe_fake.errors import StripeRefusal, missing_reference
from porchlight_dev.stripe_fake.forms import merged_metadata
from porchlight_dev.stripe_fake.store import Json, new_id
from porchlight_dev.stripe_fake.transfers import check_amount, check_currency

INSTANT_MINIMUM = 50
INSTANT_MAXIMUM = 999_900
INSTANT_SUBMIT_SECONDS, INSTANT_PAID_SECONDS = 5, 60
STANDARD_PAID_SECONDS = 2 * DAY
STRIPE_DAY = ZoneInfo("America/Chicago")


def create(ctx: Context, call: Call) -> Json:
    """Pay out from the balance of the calling account."""
    amount, method = call.params["amount"], call.get("method") or "standard"
    check_amount(amount)
    check_currency(call.params["currency"])
    _check_account(ctx, call.account)
    external = _destination(ctx, call, method)
    fee = pricing.platform_fee(ctx, amount) if method == "instant" and call.account else 0
    if method == "instant":
        _check_instant(ctx, call.account, amount, fee)
    elif balances.cents(ctx, call.account)[0] < amount:
        _refuse_for_balance()
    return make(ctx, call.account, amount, method, external, fee, call)


def _check_account(ctx: Context, account_id: str) -> None:
    account = ctx.store.account(account_id) if account_id else None
    if account is not None and not accounts.standing(account)["payouts_enabled"]:
        message = "Cannot create payouts: this account has requirements that need to be collected."
        raise StripeRefusal(message, code="payouts_not_allowed")


def _destination(ctx: Context, call: Call, method: str) -> Json:
    found = external_accounts.of_account(ctx, call.account)
    wanted = call.get("destination")
    if wanted:
        for external in found:
            if external["id"] == wanted:
                break
        else:
            raise missing_reference("external account", wanted, "destination")
    elif not found:
        raise StripeRefusal("Sorry, you don't have any external accounts in that currency (usd).", code="no_account")
    else:
        capable = [external for external in found if method in external["available_payout_methods"]]
        external = (capable or found)[0]
    if method not in external["available_payout_methods"]:
        message = "This external account is not eligible for Instant Payouts."
        raise StripeRefusal(message, code="instant_payouts_unsupported", param="method")
    return external


def _check_instant(ctx: Context, account: str, amount: int, fee: int) -> None:
    if amount < INSTANT_MINIMUM:
        raise StripeRefusal("Instant Payouts must be at least $0.50.", code="amount_too_small", param="amount")
    if amount > INSTANT_MAXIMUM:
        raise StripeRefusal("Instant Payouts can be at most $9,999.00.", code="amount_too_large", param="amount")
    limit = pricing.get(ctx, "instant_daily_limit")
    if limit and _instant_today(ctx) + amount > limit:
        message = "Your platform has reached its daily volume limit for Instant Payouts."
        raise StripeRefusal(message, code="instant_payouts_limit_exceeded")
    if amount + fee > balances.instant_cents(ctx, account):
        _refuse_for_balance()


def _instant_today(ctx: Context) -> int:
    now = datetime.datetime.fromtimestamp(ctx.now(), STRIPE_DAY)
    midnight = int(now.replace(hour=0, minute=0, second=0, microsecond=0).timestamp())
    found = ctx.store.find("payout", None, where={"method": "instant"}, created={"gte": midnight})
    return sum(payout["amount"] for payout in found if payout["status"] not in ("failed", "canceled"))


def _refuse_for_balance() -> None:
    message = (
        "You have insufficient funds in your Stripe account for this transfer. Your card balance is too low."
        " You can use the the /v1/balance endpoint to view your Stripe balance."
    )
    raise StripeRefusal(message, code="balance_insufficient")


def make(
    ctx: Context,
    account: str,
    amount: int,
    method: str,
    external: Json,
    fee: int,
    call: Call | None = None,
) -> Json:
    """Create a payout, automatic without `call`, with its balance transactions and timers."""
    now, payout_id, instant = ctx.now(), new_id("po"), method == "instant"
    arrival = now + (INSTANT_PAID_SECONDS if instant else STANDARD_PAID_SECONDS)
    payout: Json = {
        "id": payout_id,
        "object": "payout",
        "amount": amount,
        "arrival_date": arrival,
        "automatic": call is None,
        "created": now,
        "currency": "usd",
        "description": "STRIPE PAYOUT",
        "destination": external["id"],
        "livemode": False,
        "metadata": {},
        "method": method,
        "reconciliation_status": "not_applicable" if call else "in_progress",
        "source_type": "card",
        "status": "pending",
        "trace_id": {"status": "pending", "value": None},
        "type": external["object"],
        **blank(
            "application_fee application_fee_amount failure_balance_transaction failure_code failure_message"
            " original_payout payout_method reversed_by statement_descriptor"
        ),
    }
    if call:
        payout |= {
            name: call.params[name] for name in ("description", "metadata", "statement_descriptor") if call.get(name)
        }
    if instant:
        _advance(ctx, account, amount + fee, payout_id)
    fees = (("application_fee", fee, "Porchlight instant payout fee"),) if fee else ()
    line = balances.add_line(ctx, account, "payout", -amount, payout_id, fees=fees, description=payout["description"])
    payout["balance_transaction"] = line["id"]
    if fee:
        payout |= {"application_fee": _charge_fee(ctx, account, payout_id, fee), "application_fee_amount": fee}
    if instant and account:
        cost = pricing.stripe_fee(ctx, amount)
        balances.add_line(ctx, "", "stripe_fee", -cost, None, description=f"Instant Payouts fee for {payout_id}")
    ctx.store.put(payout, account)
    ctx.events.emit("payout.created", payout, account)
    ctx.clock.set_timer(now + (INSTANT_SUBMIT_SECONDS if instant else 0), "payout_submit", payout_id)
    ctx.clock.set_timer(arrival, "payout_arrive", payout_id)
    return payout


def _advance(ctx: Context, account: str, needed: int, payout_id: str) -> None:
    """Advance pending funds: they count as available now, and are deducted when they become available."""
    short = needed - max(0, balances.cents(ctx, account)[0])
    if short <= 0:
        return
    query = "SELECT max(available_on) FROM objects WHERE account = ? AND net > 0 AND available_on > ?"
    (last_due,) = ctx.store.values(query, [account, ctx.now()])
    due = last_due or ctx.now()
    balances.add_line(ctx, account, "advance", short, payout_id)
    balances.add_line(ctx, account, "advance_funding", -short, payout_id, available_on=due)


def _charge_fee(ctx: Context, account: str, payout_id: str, fee: int) -> str:
    fee_id = new_id("fee")
    line = balances.add_line(ctx, "", "application_fee", fee, fee_id, description="Instant payout fee")
    made = {
        "id": fee_id,
        "object": "application_fee",
        "account": account,
        "amount": fee,
        "amount_refunded": 0,
        "application": balances.APPLICATION,
        "balance_transaction": line["id"],
        "charge": None,
        "created": ctx.now(),
        "currency": "usd",
        "fee_source": {"charge": None, "payout": payout_id, "type": "payout"},
        "livemode": False,
        "originating_transaction": None,
        "refunded": False,
        "refunds": {"object": "list", "data": [], "has_more": False, "url": f"/v1/application_fees/{fee_id}/refunds"},
    }
    ctx.store.put(made)
    ctx.events.emit("application_fee.created", made)
    return fee_id


def _store(ctx: Context, payout: Json, kind: str, **changes: object) -> Json:
    account = ctx.store.account_of(payout["id"])
    previous = {name: payout[name] for name in changes}
    changed = ctx.store.put(payout | changes, account)
    ctx.events.emit(kind, changed, account, previous if kind == "payout.updated" else None)
    return changed


def on_submit(ctx: Context, payout_id: str) -> None:
    """Submit a pending payout to the bank."""
    payout = require(ctx, "payout", payout_id, None)
    if payout["status"] == "pending":
        _store(ctx, payout, "payout.updated", status="in_transit")


def on_arrive(ctx: Context, payout_id: str) -> None:
    """Pay a payout, or let it fail if its destination is one of the failing test numbers."""
    payout = require(ctx, "payout", payout_id, None)
    if payout["status"] not in ("pending", "in_transit"):
        return
    failed = external_accounts.failure(ctx, ctx.store.account_of(payout_id), payout["destination"])
    if failed:
        fail(ctx, payout_id, *failed)
        return
    done = "completed" if payout["automatic"] else "not_applicable"
    trace = {"status": "supported", "value": f"TRACE{payout_id[-8:].upper()}"}
    paid = _store(ctx, payout, "payout.paid", status="paid", reconciliation_status=done, trace_id=trace)
    if payout["automatic"]:
        ctx.events.emit("payout.reconciliation_completed", paid, ctx.store.account_of(payout_id))


def fail(ctx: Context, payout_id: str, code: str = "account_closed", words: str = "") -> Json:
    """Let a payout fail, even a paid one; its amount returns to the balance."""
    payout = require(ctx, "payout", payout_id, None)
    if payout["status"] in ("failed", "canceled"):
        raise StripeRefusal("This payout has already ended.")
    words = words or next((text for known, text in external_accounts.FAILURES.values() if known == code), code)
    account_id = ctx.store.account_of(payout_id)
    line = balances.add_line(
        ctx, account_id, "payout_failure", payout["amount"], payout_id, description="PAYOUT FAILURE"
    )
    changed = {"failure_code": code, "failure_message": words, "failure_balance_transaction": line["id"]}
    account = ctx.store.account(account_id)
    if account and payout["type"] == "bank_account":
        accounts.change(ctx, account, errored=external_accounts.bank_number(account))
    return _store(ctx, payout, "payout.failed", status="failed", **changed)


def cancel(ctx: Context, call: Call) -> Json:
    """Cancel a pending payout that was created by the API."""
    payout = require(ctx, "payout", call.path["id"], call.account)
    if payout["status"] != "pending" or payout["automatic"]:
        raise StripeRefusal("Payouts can only be canceled while they are pending.", code="payout_not_pending")
    line = balances.add_line(ctx, call.account, "payout_cancel", payout["amount"], payout["id"])
    return _store(ctx, payout, "payout.canceled", status="canceled", failure_balance_transaction=line["id"])


def update(ctx: Context, call: Call) -> Json:
    """Change a payout's metadata."""
    payout = require(ctx, "payout", call.path["id"], call.account)
    return _store(ctx, payout, "payout.updated", metadata=merged_metadata(payout["metadata"], call.get("metadata")))


def _uncovered(ctx: Context, account: str) -> list[str]:
    """Return the available balance transactions that no automatic payout has paid out yet."""
    before = ctx.store.find("payout", account, where={"automatic": True})
    covered = {line for payout in before for line in [*payout.get("_lines", []), payout["balance_transaction"]]}
    lines = ctx.store.find("balance_transaction", account)
    return [line["id"] for line in lines if line["available_on"] <= ctx.now() and line["id"] not in covered]


def on_schedule(ctx: Context, account: str) -> None:
    """Pay out what an account's schedule says; runs each midnight (UTC) while the account has funds."""
    available = balances.cents(ctx, account)[0]
    kept, due = schedules.due_today(ctx, account)
    external = external_accounts.of_account(ctx, account)[:1]
    owner = ctx.store.account(account)
    able = external and external[0]["status"] != "errored" and owner and accounts.standing(owner)["payouts_enabled"]
    if due and able and available > kept:
        covered = _uncovered(ctx, account)
        payout = make(ctx, account, available - kept, "standard", external[0], 0)
        ctx.store.put(payout | {"_lines": covered}, account)
    if sum(balances.cents(ctx, account)) > kept:
        schedules.arm(ctx, account, ctx.now())


OPERATIONS = (
    Operation(
        "POST",
        "/v1/payouts",
        "amount:int! currency! method:instant|standard destination description metadata{} statement_descriptor"
        " source_type:bank_account|card|fpx expand[]",
        create,
    ),
    Operation(
        "GET",
        "/v1/payouts",
        f"{LIST_PARAMS} status destination",
        listing("payout", ("status", "destination")),
    ),
    Operation("GET", "/v1/payouts/{id}", "expand[]", retrieve("payout")),
    Operation("POST", "/v1/payouts/{id}", "metadata{} expand[]", update),
    Operation("POST", "/v1/payouts/{id}/cancel", "expand[]", cancel),
    Operation("GET", "/v1/application_fees", f"{LIST_PARAMS} charge", listing("application_fee", ("charge",))),
    Operation("GET", "/v1/application_fees/{id}", "expand[]", retrieve("application_fee")),
)
