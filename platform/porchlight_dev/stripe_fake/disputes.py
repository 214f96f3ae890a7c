"""Disputes (https://docs.stripe.com/disputes/how-disputes-work).

Opening one takes the amount and a fee from the platform's balance (an `adjustment`). When it is won the amount comes
back; the fee does not. Evidence `winning_evidence` or `losing_evidence` decides it, as in Stripe's test mode.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from porchlight_dev.stripe_fake import balances
from porchlight_dev.stripe_fake.clock import DAY
from porchlight_dev.stripe_fake.context import LIST_PARAMS, Call, Context, Operation, blank, listing, require, retrieve
from porchlight_dev.stripe_fake.errors import StripeRefusal
from porchlight_dev.stripe_fake.forms import merged_metadata
from porchlight_dev.stripe_fake.store import Json, new_id

FEE_CENTS = 1500
EVIDENCE_DAYS = 7
CLOSED = ("won", "lost", "prevented", "warning_closed")
EVIDENCE = (
    "access_activity_log billing_address cancellation_policy cancellation_policy_disclosure cancellation_rebuttal"
    " customer_communication customer_email_address customer_name customer_purchase_ip customer_signature"
    " duplicate_charge_documentation duplicate_charge_explanation duplicate_charge_id product_description receipt"
    " refund_policy refund_policy_disclosure refund_refusal_explanation service_date service_documentation"
    " shipping_address shipping_carrier shipping_date shipping_documentation shipping_tracking_number"
    " uncategorized_file uncategorized_text"
)


def open_dispute(
    ctx: Context, charge_id: str, amount: int | None = None, reason: str = "fraudulent", *, inquiry: bool = False
) -> Json:
    """Open a dispute about a charge. An inquiry (`warning_needs_response`) moves no money."""
    charge = require(ctx, "charge", charge_id)
    if not charge["captured"]:
        raise StripeRefusal("Only a captured charge can be disputed.")
    amount = charge["amount_captured"] if amount is None else amount
    dispute_id = new_id("du")
    lines = [] if inquiry else [_withdraw(ctx, dispute_id, amount)]
    dispute = {
        "id": dispute_id,
        "object": "dispute",
        "amount": amount,
        "balance_transactions": lines,
        "charge": charge_id,
        "created": ctx.now(),
        "currency": "usd",
        "enhanced_eligibility_types": [],
        "evidence": blank(EVIDENCE) | {"enhanced_evidence": {}},
        "evidence_details": {
            "due_by": ctx.now() + EVIDENCE_DAYS * DAY,
            "enhanced_eligibility": {},
            "has_evidence": False,
            "past_due": False,
            "submission_count": 0,
            "submission_method": "not_submitted",
        },
        "is_charge_refundable": inquiry,
        "livemode": False,
        "metadata": {},
        "payment_intent": charge["payment_intent"],
        "reason": reason,
        "status": "warning_needs_response" if inquiry else "needs_response",
    }
    if not inquiry:
        ctx.store.put(charge | {"disputed": True})
    ctx.store.put(dispute)
    ctx.events.emit("charge.dispute.created", dispute)
    if not inquiry:
        ctx.events.emit("charge.dispute.funds_withdrawn", dispute)
    return dispute


def _withdraw(ctx: Context, dispute_id: str, amount: int) -> Json:
    return balances.add_line(
        ctx,
        "",
        "adjustment",
        -amount,
        dispute_id,
        fees=(("stripe_fee", FEE_CENTS, "Dispute fee"),),
        description="Chargeback withdrawal",
        category="dispute",
    )


def close(ctx: Context, dispute_id: str, status: str) -> Json:
    """Decide a dispute: `won`, `lost`, `prevented` or `warning_closed`."""
    dispute = require(ctx, "dispute", dispute_id)
    if dispute["status"] in CLOSED:
        raise StripeRefusal("This dispute is already closed.")
    withdrawn = bool(dispute["balance_transactions"])
    if status == "won" and withdrawn:
        line = balances.add_line(
            ctx,
            "",
            "adjustment",
            dispute["amount"],
            dispute_id,
            description="Chargeback reversal",
            category="dispute_reversal",
        )
        dispute["balance_transactions"].append(line)
    dispute["status"] = status
    if status != "lost":
        ctx.store.put(require(ctx, "charge", dispute["charge"]) | {"disputed": False})
    ctx.store.put(dispute)
    ctx.events.emit("charge.dispute.closed", dispute)
    if status == "won" and withdrawn:
        ctx.events.emit("charge.dispute.funds_reinstated", dispute)
    return dispute


def control(ctx: Context, values: Mapping[str, Any]) -> Json:
    """Open a dispute about `charge` or the charge of `payment_intent`, or decide `dispute` with `status`."""
    if values.get("dispute"):
        return close(ctx, str(values["dispute"]), str(values.get("status", "won")))
    charge = values.get("charge") or require(ctx, "payment_intent", str(values["payment_intent"]))["latest_charge"]
    amount = values.get("amount")
    return open_dispute(
        ctx,
        str(charge),
        None if amount is None else int(amount),
        str(values.get("reason", "fraudulent")),
        inquiry=bool(values.get("inquiry")),
    )


def update(ctx: Context, call: Call) -> Json:
    """Add evidence, and submit it unless `submit` is false."""
    dispute = require(ctx, "dispute", call.path["id"])
    if dispute["status"] in CLOSED:
        raise StripeRefusal("This dispute is already closed and can no longer be updated.")
    dispute["metadata"] = merged_metadata(dispute["metadata"], call.get("metadata"))
    evidence = call.get("evidence") or {}
    dispute["evidence"] |= evidence
    if evidence:
        dispute["evidence_details"]["has_evidence"] = True
        if call.get("submit", True):
            dispute["evidence_details"]["submission_count"] += 1
            dispute["evidence_details"]["submission_method"] = "manual"
            dispute["status"] = "under_review"
    ctx.store.put(dispute)
    ctx.events.emit("charge.dispute.updated", dispute)
    decision = {"winning_evidence": "won", "losing_evidence": "lost"}.get(evidence.get("uncategorized_text", ""))
    return close(ctx, dispute["id"], decision) if decision and dispute["status"] == "under_review" else dispute


OPERATIONS = (
    Operation(
        "GET", "/v1/disputes", f"{LIST_PARAMS} charge payment_intent", listing("dispute", ("charge", "payment_intent"))
    ),
    Operation("GET", "/v1/disputes/{id}", "expand[]", retrieve("dispute")),
    Operation(
        "POST",
        "/v1/disputes/{id}",
        "metadata{} submit:bool expand[] " + " ".join(f"evidence.{name}" for name in EVIDENCE.split()),
        update,
    ),
    Operation("POST", "/v1/disputes/{id}/close", "expand[]", lambda ctx, call: close(ctx, call.path["id"], "lost")),
)
