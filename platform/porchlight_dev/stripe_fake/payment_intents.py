"""Payment intents: how a card is charged (https://docs.stripe.com/payments/paymentintents/lifecycle).

An intent is made when a customer or the platform pays, never before. `attempt` charges a card: the intent succeeds, or
with `capture_method=manual` holds the amount, or waits for another card. payment_intent_api.py has the operations.

The fake knows dollars only. Others are refused, zero-decimal ones such as jpy too
(https://docs.stripe.com/currencies#zero-decimal): a balance here is a sum of cents, and a yen has none.
"""

from __future__ import annotations

from typing import Any

from porchlight_dev.stripe_fake import cards, charges, disputes, refunds
from porchlight_dev.stripe_fake.cards import TestCard
from porchlight_dev.stripe_fake.clock import DAY
from porchlight_dev.stripe_fake.context import Context, blank, require
from porchlight_dev.stripe_fake.errors import StripeRefusal
from porchlight_dev.stripe_fake.store import Json, new_id

MINIMUM_CENTS = 50  # https://docs.stripe.com/currencies#minimum-and-maximum-charge-amounts
MAXIMUM_CENTS = 99_999_999
HOLD_SECONDS = 7 * DAY  # https://docs.stripe.com/payments/place-a-hold-on-a-payment-method
CANCELABLE = ("requires_payment_method", "requires_capture", "requires_confirmation", "requires_action", "processing")


def check_currency(currency: str, param: str = "currency") -> None:
    """Refuse a currency other than the dollar."""
    if currency.lower() != "usd":
        message = f"Invalid currency: {currency.lower()}. This fake Stripe charges in usd only."
        raise StripeRefusal(message, param=param)


def check_amount(amount: int, words: str, param: str) -> None:
    """Refuse an amount that no card can be charged with. `words` begin the message."""
    if amount < MINIMUM_CENTS:
        raise StripeRefusal(f"{words} at least $0.50 usd", code="amount_too_small", param=param)
    if amount > MAXIMUM_CENTS:
        raise StripeRefusal(f"{words} no more than $999,999.99", code="amount_too_large", param=param)


def make(ctx: Context, amount: int, **terms: Any) -> Json:
    """Create an intent with fields of `terms`, and emit its event."""
    intent_id = new_id("pi")
    intent: Json = {
        "id": intent_id,
        "object": "payment_intent",
        "amount": amount,
        "amount_capturable": 0,
        "amount_details": {"tip": {}},
        "amount_received": 0,
        "capture_method": "automatic",
        "client_secret": f"{intent_id}_secret_local",
        "confirmation_method": "automatic",
        "created": ctx.now(),
        "currency": "usd",
        "livemode": False,
        "metadata": {},
        "payment_method_options": {
            "card": {"request_three_d_secure": "automatic", **blank("installments mandate_options network")}
        },
        "payment_method_types": ["card"],
        "status": "requires_payment_method",
        **blank(
            "application application_fee_amount automatic_payment_methods canceled_at cancellation_reason customer"
            " customer_account description last_payment_error latest_charge next_action on_behalf_of payment_method"
            " processing receipt_email review setup_future_usage shipping source statement_descriptor"
            " statement_descriptor_suffix transfer_data transfer_group"
        ),
    }
    intent |= terms
    ctx.store.put(intent)
    ctx.events.emit("payment_intent.created", intent)
    return intent


def pay(
    ctx: Context,
    amount: int,
    card: TestCard,
    method: Json | None = None,
    *,
    on_session: bool = False,
    email: str | None = None,
    **terms: Any,
) -> tuple[Json, Json]:
    """Charge a card with a new intent; return the intent and the charge, which may have failed."""
    intent = make(ctx, amount, **terms)
    charge = attempt(ctx, intent, card, method, on_session=on_session, email=email)
    return intent, charge


def attempt(
    ctx: Context,
    intent: Json,
    card: TestCard,
    method: Json | None,
    *,
    on_session: bool = False,
    authenticated: bool = False,
    email: str | None = None,
) -> Json:
    """Charge a card for an intent; return the charge, which may have failed.

    `on_session`: the customer is there and has confirmed what the bank asks, if anything (`authenticated`). Otherwise a
    card that needs them fails.
    """
    charge = charges.of_intent(ctx, intent, card, method, email=email, authenticated=authenticated)
    intent |= {"last_payment_error": None, "latest_charge": charge["id"], "next_action": None}
    intent["payment_method"] = charge["payment_method"]
    decline = card.decline or ("authentication_required" if not on_session and card.asks_later(method) else "")
    if decline:
        code = "authentication_required" if decline == "authentication_required" else "card_declined"
        words = cards.DECLINE_WORDS[decline]
        charges.fail(charge, code, decline, words)
        ctx.store.put(charge)
        ctx.events.emit("charge.failed", charge)
        fail(ctx, intent, code, words, charge=charge["id"], decline_code=decline)
    elif intent["capture_method"] == "manual":
        _hold(ctx, intent, charge)
    else:
        charges.settle(ctx, charge)
        intent |= {"status": "succeeded", "amount_received": intent["amount"]}
        _store(ctx, intent, charge, "charge.succeeded", "payment_intent.succeeded")
        charge = _disputed(ctx, charge)
    return charge


def _store(ctx: Context, intent: Json, charge: Json, charge_event: str, intent_event: str) -> None:
    ctx.store.put(charge)
    ctx.store.put(intent)
    ctx.events.emit(charge_event, charge)
    ctx.events.emit(intent_event, intent)


def _disputed(ctx: Context, charge: Json) -> Json:
    """Open the dispute of a card that disputes each payment."""
    if not cards.find(charge["_number"]).dispute:
        return charge
    disputes.open_dispute(ctx, charge["id"])
    return require(ctx, "charge", charge["id"])


def fail(ctx: Context, intent: Json, code: str, words: str, **more: Any) -> Json:
    """Let an attempt to pay fail: the intent waits for another card."""
    intent |= {
        "last_payment_error": {"type": "card_error", "code": code, "message": words, **more},
        "next_action": None,
        "payment_method": None,
        "status": "requires_payment_method",
    }
    ctx.store.put(intent)
    ctx.events.emit("payment_intent.payment_failed", intent)
    return intent


def ask(ctx: Context, intent: Json, method: Json) -> Json:
    """Let the bank ask the customer for 3D Secure."""
    intent |= {
        "last_payment_error": None,
        "next_action": {"type": "use_stripe_sdk", "use_stripe_sdk": {"type": "three_d_secure_redirect"}},
        "payment_method": method["id"],
        "status": "requires_action",
    }
    ctx.store.put(intent)
    ctx.events.emit("payment_intent.requires_action", intent)
    return intent


def _hold(ctx: Context, intent: Json, charge: Json) -> None:
    until = ctx.now() + HOLD_SECONDS
    charge |= {"amount_captured": 0, "captured": False}
    charge["payment_method_details"]["card"]["capture_before"] = until
    intent |= {"amount_capturable": intent["amount"], "status": "requires_capture"}
    ctx.clock.set_timer(until, "intent_expire", intent["id"])
    _store(ctx, intent, charge, "charge.succeeded", "payment_intent.amount_capturable_updated")


def capture(ctx: Context, intent: Json, amount: int) -> Json:
    """Take a held amount, or a part of it. The rest is released, and its session counts as paid."""
    charge = require(ctx, "charge", intent["latest_charge"])
    rest = intent["amount_capturable"] - amount
    charge |= {"amount_captured": amount, "captured": True}
    charges.settle(ctx, charge)
    intent |= {"amount_capturable": 0, "amount_received": amount, "status": "succeeded"}
    ctx.clock.cancel_timers("intent_expire", intent["id"])
    ctx.store.put(intent)
    ctx.store.put(charge)
    ctx.events.emit("charge.captured", charge)
    if rest:
        refunds.release(ctx, charge, rest)
    ctx.events.emit("payment_intent.succeeded", intent)
    for session in ctx.store.find("checkout.session", where={"payment_intent": intent["id"]}):
        ctx.store.put(session | {"payment_status": "paid"})
    _disputed(ctx, charge)
    return intent


def cancel(ctx: Context, intent: Json, reason: str | None, *, released: str | None = None) -> Json:
    """Cancel an intent. What it holds is released, for the reason `released`."""
    if intent["status"] == "requires_capture":
        refunds.release(ctx, require(ctx, "charge", intent["latest_charge"]), intent["amount_capturable"], released)
    intent |= {
        "amount_capturable": 0,
        "canceled_at": ctx.now(),
        "cancellation_reason": reason,
        "next_action": None,
        "status": "canceled",
    }
    ctx.clock.cancel_timers("intent_expire", intent["id"])
    ctx.store.put(intent)
    ctx.events.emit("payment_intent.canceled", intent)
    return intent


def on_expiry(ctx: Context, intent_id: str) -> None:
    """Cancel an intent whose amount was held for seven days."""
    intent = require(ctx, "payment_intent", intent_id)
    if intent["status"] == "requires_capture":
        ctx.events.emit("charge.expired", require(ctx, "charge", intent["latest_charge"]))
        cancel(ctx, intent, "automatic", released="expired_uncaptured_charge")
