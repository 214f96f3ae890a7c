"""Charges: what a payment intent makes (https://docs.stripe.com/api/charges)."""

from __future__ import annotations

from porchlight_dev.stripe_fake import balances, cards
from porchlight_dev.stripe_fake.cards import TestCard
from porchlight_dev.stripe_fake.context import LIST_PARAMS, Call, Context, Operation, blank, listing, require, retrieve
from porchlight_dev.stripe_fake.forms import merged_metadata
from porchlight_dev.stripe_fake.store import Json, new_id

FEE_BASIS_POINTS = 290  # https://stripe.com/pricing, United States
FEE_CENTS = 30
DESCRIPTOR = "PORCHLIGHT"
MAX_DESCRIPTOR = 22


def processing_fee(amount: int) -> int:
    """Return Stripe's price for a card payment, in cents."""
    return (amount * FEE_BASIS_POINTS + 5_000) // 10_000 + FEE_CENTS


def of_intent(
    ctx: Context,
    intent: Json,
    card: TestCard,
    method: Json | None,
    *,
    email: str | None = None,
    authenticated: bool = False,
) -> Json:
    """Return a charge of a card that the bank approves. `authenticated`: its holder confirmed the payment."""
    details = dict(method["card"]) if method else cards.details(card, 12, 2034)
    for name in ("display_brand", "networks", "three_d_secure_usage", "generated_from"):
        details.pop(name, None)
    suffix = intent["statement_descriptor_suffix"]
    copied = ("customer", "description", "receipt_email", "statement_descriptor_suffix", "transfer_group")
    return charge_object(ctx, new_id("ch"), intent["amount"]) | {
        "_number": card.number,
        "billing_details": method["billing_details"] if method else cards.billing(email),
        "calculated_statement_descriptor": f"{DESCRIPTOR}* {suffix}"[:MAX_DESCRIPTOR] if suffix else DESCRIPTOR,
        "metadata": dict(intent["metadata"]),
        "outcome": {
            **blank("advice_code network_advice_code network_decline_code reason"),
            "network_status": "approved_by_network",
            "risk_level": "normal",
            "risk_score": 20,
            "seller_message": "Payment complete.",
            "type": "authorized",
        },
        "payment_intent": intent["id"],
        "payment_method": method["id"] if method else None,
        "payment_method_details": {
            "card": details
            | {"amount_authorized": intent["amount"], "network": card.brand}
            | {"three_d_secure": _three_d_secure() if authenticated else None}
            | blank("installments mandate"),
            "type": "card",
        },
        **{name: intent[name] for name in copied},
    }


def _three_d_secure() -> Json:
    return {
        "authentication_flow": "challenge",
        "electronic_commerce_indicator": "05",
        "result": "authenticated",
        "transaction_id": new_id("3ds"),
        "version": "2.2.0",
        **blank("exemption_indicator result_reason"),
    }


def fail(charge: Json, code: str, reason: str, words: str) -> None:
    """Let the bank decline a charge."""
    charge |= {
        "amount_captured": 0,
        "captured": False,
        "failure_code": code,
        "failure_message": words,
        "paid": False,
        "status": "failed",
        "outcome": charge["outcome"]
        | {
            "network_status": "declined_by_network",
            "reason": reason,
            "seller_message": words,
            "type": "issuer_declined",
        },
    }


def settle(ctx: Context, charge: Json) -> None:
    """Add a captured charge to the balance."""
    wait = 0 if cards.find(charge["_number"]).bypass_pending else balances.CARD_SETTLEMENT_SECONDS
    amount = charge["amount_captured"]
    line = balances.add_line(
        ctx,
        "",
        "charge",
        amount,
        charge["id"],
        fees=(("stripe_fee", processing_fee(amount), "Stripe processing fees"),),
        available_on=ctx.now() + wait,
        description=charge["description"],
    )
    charge["balance_transaction"] = line["id"]


def charge_object(ctx: Context, charge_id: str, amount: int) -> Json:
    """Return a charge with the fields that all have."""
    return {
        "id": charge_id,
        "object": "charge",
        "amount": amount,
        "amount_captured": amount,
        "amount_refunded": 0,
        "billing_details": cards.billing(None),
        "captured": True,
        "created": ctx.now(),
        "currency": "usd",
        "disputed": False,
        "fraud_details": {},
        "livemode": False,
        "metadata": {},
        "paid": True,
        "receipt_url": f"{ctx.url}/receipts/{charge_id}",
        "refunded": False,
        "status": "succeeded",
        **blank(
            "application application_fee application_fee_amount balance_transaction calculated_statement_descriptor"
            " customer description failure_balance_transaction failure_code failure_message on_behalf_of outcome"
            " payment_intent payment_method payment_method_details receipt_email receipt_number review shipping source"
            " source_transfer statement_descriptor statement_descriptor_suffix transfer_data transfer_group"
        ),
    }


def update_charge(ctx: Context, call: Call) -> Json:
    """Change a charge's metadata, description or transfer group."""
    charge = require(ctx, "charge", call.path["id"], call.account)
    charge["metadata"] = merged_metadata(charge["metadata"], call.get("metadata"))
    for name in ("description", "transfer_group"):
        charge[name] = call.get(name, charge[name])
    ctx.store.put(charge, call.account)
    ctx.events.emit("charge.updated", charge, call.account)
    return charge


OPERATIONS = (
    Operation(
        "GET",
        "/v1/charges",
        f"{LIST_PARAMS} customer payment_intent transfer_group",
        listing("charge", ("customer", "payment_intent", "transfer_group")),
    ),
    Operation("GET", "/v1/charges/{id}", "expand[]", retrieve("charge")),
    Operation("POST", "/v1/charges/{id}", "metadata{} description transfer_group expand[]", update_charge),
)
