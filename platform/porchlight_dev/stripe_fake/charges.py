"""Charges and the payment intents that make them (https://docs.stripe.com/api/charges, /api/payment_intents)."""

from __future__ import annotations

from collections.abc import Mapping

from porchlight_dev.stripe_fake import balances, cards, disputes
from porchlight_dev.stripe_fake.cards import TestCard
from porchlight_dev.stripe_fake.context import LIST_PARAMS, Call, Context, Operation, blank, listing, require, retrieve
from porchlight_dev.stripe_fake.forms import merged_metadata
from porchlight_dev.stripe_fake.store import Json, new_id

FEE_BASIS_POINTS = 290  # https://stripe.com/pricing, United States
FEE_CENTS = 30


def processing_fee(amount: int) -> int:
    """Return Stripe's price for a card payment, in cents."""
    return (amount * FEE_BASIS_POINTS + 5_000) // 10_000 + FEE_CENTS


def pay(
    ctx: Context,
    amount: int,
    card: TestCard,
    *,
    customer: str | None = None,
    payment_method: str | None = None,
    description: str | None = None,
    metadata: Mapping[str, str] | None = None,
    on_session: bool = False,
    email: str | None = None,
) -> tuple[Json, Json]:
    """Charge a card; return the payment intent and the charge, which may have failed."""
    intent = _intent(ctx, amount, customer, payment_method, description, metadata)
    charge = _charge(ctx, intent, card, email)
    decline = card.decline or ("authentication_required" if card.authentication and not on_session else "")
    intent["latest_charge"] = charge["id"]
    if decline:
        _fail(charge, intent, decline)
    else:
        intent |= {"status": "succeeded", "amount_received": amount}
        line = balances.add_line(
            ctx,
            "",
            "charge",
            amount,
            charge["id"],
            fees=(("stripe_fee", processing_fee(amount), "Stripe processing fees"),),
            available_on=ctx.now() + (0 if card.bypass_pending else balances.CARD_SETTLEMENT_SECONDS),
            description=description,
        )
        charge["balance_transaction"] = line["id"]
    ctx.store.put(charge)
    ctx.store.put(intent)
    ctx.events.emit("charge.failed" if decline else "charge.succeeded", charge)
    ctx.events.emit("payment_intent.payment_failed" if decline else "payment_intent.succeeded", intent)
    if card.dispute and not decline:
        disputes.open_dispute(ctx, charge["id"])
        charge = ctx.store.get(charge["id"]) or charge
    return intent, charge


def _fail(charge: Json, intent: Json, decline: str) -> None:
    code = "authentication_required" if decline == "authentication_required" else "card_declined"
    words = cards.DECLINE_WORDS.get(decline, "Your card was declined. This transaction requires authentication.")
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
            "reason": decline,
            "seller_message": words,
            "type": "issuer_declined",
        },
    }
    intent |= {
        "status": "requires_payment_method",
        "payment_method": None,
        "last_payment_error": {
            "type": "card_error",
            "code": code,
            "decline_code": decline,
            "charge": charge["id"],
            "message": words,
        },
    }


def _intent(
    ctx: Context,
    amount: int,
    customer: str | None,
    payment_method: str | None,
    description: str | None,
    metadata: Mapping[str, str] | None,
) -> Json:
    intent_id = new_id("pi")
    return {
        "id": intent_id,
        "object": "payment_intent",
        "amount": amount,
        "amount_capturable": 0,
        "amount_details": {"tip": {}},
        "amount_received": 0,
        "automatic_payment_methods": None,
        "capture_method": "automatic",
        "client_secret": f"{intent_id}_secret_local",
        "confirmation_method": "automatic",
        "created": ctx.now(),
        "currency": "usd",
        "customer": customer,
        "description": description,
        "latest_charge": None,
        "livemode": False,
        "metadata": dict(metadata or {}),
        "payment_method": payment_method,
        "payment_method_types": ["card"],
        "setup_future_usage": "off_session" if customer else None,
        "status": "processing",
        **blank(
            "application application_fee_amount canceled_at cancellation_reason customer_account last_payment_error"
            " next_action on_behalf_of payment_method_options processing receipt_email review shipping source"
            " statement_descriptor statement_descriptor_suffix transfer_data transfer_group"
        ),
    }


def _charge(ctx: Context, intent: Json, card: TestCard, email: str | None) -> Json:
    stored = ctx.store.get(intent["payment_method"] or "")
    details = dict(stored["card"]) if stored else cards.details(card, 12, 2034)
    for name in ("display_brand", "networks", "three_d_secure_usage", "generated_from"):
        details.pop(name, None)
    return charge_object(ctx, new_id("ch"), intent["amount"]) | {
        "billing_details": stored["billing_details"] if stored else cards.billing(email),
        "calculated_statement_descriptor": "PORCHLIGHT",
        "customer": intent["customer"],
        "description": intent["description"],
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
        "payment_method": intent["payment_method"],
        "payment_method_details": {
            "card": details
            | {"amount_authorized": intent["amount"], "network": card.brand}
            | blank("installments mandate three_d_secure"),
            "type": "card",
        },
    }


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
    Operation("GET", "/v1/payment_intents", f"{LIST_PARAMS} customer", listing("payment_intent", ("customer",))),
    Operation("GET", "/v1/payment_intents/{id}", "expand[]", retrieve("payment_intent")),
)
