"""Refunds (https://docs.stripe.com/refunds): the amount leaves the platform's balance; the fee is not returned.

Two test cards change a refund later, here after an hour (https://docs.stripe.com/testing#refunds): it is pending and
then succeeds, or it succeeds and then fails.
"""

from __future__ import annotations

from porchlight_dev.stripe_fake import balances, cards
from porchlight_dev.stripe_fake.clock import HOUR
from porchlight_dev.stripe_fake.context import LIST_PARAMS, Call, Context, Operation, blank, listing, require, retrieve
from porchlight_dev.stripe_fake.errors import StripeRefusal, ValidationError, missing_reference
from porchlight_dev.stripe_fake.forms import merged_metadata
from porchlight_dev.stripe_fake.store import Json, new_id

LATER_SECONDS = HOUR


def _charge_of(ctx: Context, call: Call) -> Json:
    if call.get("payment_intent"):
        intent = ctx.store.get(call.params["payment_intent"], "")
        charge = ctx.store.get(intent["latest_charge"] or "", "") if intent else None
        if charge is None:
            raise missing_reference("payment_intent", call.params["payment_intent"], "payment_intent")
        return charge
    if not call.get("charge"):
        message = "One of the following params should be provided for this request: payment_intent or charge."
        raise ValidationError(message, code="parameter_missing")
    charge = ctx.store.get(call.params["charge"], "")
    if charge is None or charge["object"] != "charge":
        raise missing_reference("charge", call.params["charge"], "charge")
    return charge


def _check_amount(charge: Json, amount: int) -> None:
    left = charge["amount"] - charge["amount_refunded"]
    if charge["refunded"]:
        raise StripeRefusal(f"Charge {charge['id']} has already been refunded.", code="charge_already_refunded")
    if not charge["paid"]:
        raise StripeRefusal("This charge has not succeeded and cannot be refunded.", code="charge_not_refundable")
    if not charge["captured"]:
        message = f"This PaymentIntent ({charge['payment_intent']}) does not have a successful charge to refund."
        raise StripeRefusal(message, code="charge_not_refundable")
    if charge["disputed"]:
        raise StripeRefusal(
            f"Charge {charge['id']} has been charged back; cannot issue a refund.", code="charge_disputed"
        )
    if amount < 1:
        raise StripeRefusal("Invalid positive integer", code="parameter_invalid_integer", param="amount")
    if amount > left:
        message = f"Refund amount (${amount / 100:.2f}) is greater than unrefunded amount on charge (${left / 100:.2f})"
        raise StripeRefusal(message, code="amount_too_large", param="amount")


def create(ctx: Context, call: Call) -> Json:
    """Refund a charge in whole or in part."""
    charge = _charge_of(ctx, call)
    amount = call.get("amount")
    amount = charge["amount"] - charge["amount_refunded"] if amount is None else amount
    _check_amount(charge, amount)
    return refund(ctx, charge, amount, reason=call.get("reason"), metadata=call.get("metadata") or {})


def refund(ctx: Context, charge: Json, amount: int, *, reason: str | None, metadata: dict[str, str]) -> Json:
    """Refund a charge, store both objects and emit their events."""
    made = _refund_object(ctx, charge, amount, reason)
    line = balances.add_line(ctx, "", "refund", -amount, made["id"], description="REFUND FOR CHARGE")
    made |= {"balance_transaction": line["id"], "metadata": metadata}
    later = cards.find(charge.get("_number", "")).refund
    if later == "pending":
        made |= {"pending_reason": "processing", "status": "pending"}
    if later:
        ctx.clock.set_timer(ctx.now() + LATER_SECONDS, f"refund_{later}", made["id"])
    return _store(ctx, charge, made)


def release(ctx: Context, charge: Json, amount: int, reason: str | None = None) -> Json:
    """Give back what a charge holds and does not capture. No money has moved, so the balance stays."""
    made = _refund_object(ctx, charge, amount, reason)
    made["destination_details"]["card"]["type"] = "reversal"
    return _store(ctx, charge, made)


def _refund_object(ctx: Context, charge: Json, amount: int, reason: str | None) -> Json:
    return {
        "id": new_id("re"),
        "object": "refund",
        "amount": amount,
        "charge": charge["id"],
        "created": ctx.now(),
        "currency": "usd",
        "destination_details": {"card": {"type": "refund", "reference_status": "pending"}, "type": "card"},
        "metadata": {},
        "payment_intent": charge["payment_intent"],
        "payment_method": charge["payment_method"],
        "reason": reason,
        "status": "succeeded",
        **blank("balance_transaction receipt_number source_transfer_reversal transfer_reversal"),
    }


def _store(ctx: Context, charge: Json, made: Json) -> Json:
    """Store a refund and its charge, and emit their events."""
    total = charge["amount_refunded"] + made["amount"]
    charge |= {"amount_refunded": total, "refunded": total == charge["amount"]}
    ctx.store.put(charge)
    ctx.store.put(made)
    ctx.events.emit("charge.refunded", charge)
    ctx.events.emit("refund.created", made)
    return made


def fail(ctx: Context, refund_id: str, reason: str = "lost_or_stolen_card") -> Json:
    """Let a refund fail: the amount returns to the platform's balance, and the charge counts as not refunded."""
    made = require(ctx, "refund", refund_id)
    if made["status"] not in ("pending", "succeeded") or made["balance_transaction"] is None:
        raise StripeRefusal("Only a refund of captured money that is pending or succeeded can fail.")
    for kind in ("refund_pending", "refund_fails"):
        ctx.clock.cancel_timers(kind, refund_id)
    made.pop("pending_reason", None)
    line = balances.add_line(ctx, "", "refund_failure", made["amount"], refund_id, description="REFUND FAILURE")
    made |= {"status": "failed", "failure_reason": reason, "failure_balance_transaction": line["id"]}
    charge = require(ctx, "charge", made["charge"])
    charge |= {"amount_refunded": charge["amount_refunded"] - made["amount"], "refunded": False}
    ctx.store.put(charge)
    ctx.store.put(made)
    ctx.events.emit("refund.failed", made)
    ctx.events.emit("charge.refund.updated", made)
    return made


def succeed(ctx: Context, refund_id: str) -> Json:
    """Let a pending refund succeed."""
    made = require(ctx, "refund", refund_id)
    made.pop("pending_reason", None)
    made["status"] = "succeeded"
    ctx.store.put(made)
    ctx.events.emit("refund.updated", made)
    ctx.events.emit("charge.refund.updated", made)
    return made


def update(ctx: Context, call: Call) -> Json:
    """Change a refund's metadata."""
    made = require(ctx, "refund", call.path["id"])
    made["metadata"] = merged_metadata(made["metadata"], call.get("metadata"))
    ctx.store.put(made)
    ctx.events.emit("refund.updated", made)
    return made


OPERATIONS = (
    Operation(
        "POST",
        "/v1/refunds",
        "charge payment_intent amount:int reason:duplicate|fraudulent|requested_by_customer metadata{} expand[]",
        create,
    ),
    Operation(
        "GET", "/v1/refunds", f"{LIST_PARAMS} charge payment_intent", listing("refund", ("charge", "payment_intent"))
    ),
    Operation("GET", "/v1/refunds/{id}", "expand[]", retrieve("refund")),
    Operation("POST", "/v1/refunds/{id}", "metadata{} expand[]", update),
)
