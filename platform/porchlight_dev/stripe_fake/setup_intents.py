"""Setup intents: how a card is stored without a payment (https://docs.stripe.com/payments/setupintents/lifecycle)."""

from __future__ import annotations

from typing import Any

from porchlight_dev.stripe_fake.context import LIST_PARAMS, Context, Operation, blank, listing, require, retrieve
from porchlight_dev.stripe_fake.store import Json, new_id


def make(ctx: Context, **terms: Any) -> Json:
    """Create an intent with fields of `terms`, and emit its event."""
    intent_id = new_id("seti")
    intent: Json = {
        "id": intent_id,
        "object": "setup_intent",
        "client_secret": f"{intent_id}_secret_local",
        "created": ctx.now(),
        "livemode": False,
        "metadata": {},
        "payment_method_options": {"card": {"request_three_d_secure": "automatic", **blank("mandate_options network")}},
        "payment_method_types": ["card"],
        "status": "requires_payment_method",
        "usage": "off_session",
        **blank(
            "application automatic_payment_methods cancellation_reason customer customer_account description"
            " last_setup_error latest_attempt mandate next_action on_behalf_of payment_method single_use_mandate"
        ),
    }
    intent |= terms
    return _save(ctx, intent, "created")


def _save(ctx: Context, intent: Json, event: str) -> Json:
    ctx.store.put(intent)
    ctx.events.emit(f"setup_intent.{event}", intent)
    return intent


def ask(ctx: Context, intent: Json) -> Json:
    """Let the bank ask the customer for 3D Secure."""
    intent |= {
        "last_setup_error": None,
        "next_action": {"type": "use_stripe_sdk", "use_stripe_sdk": {"type": "three_d_secure_redirect"}},
        "status": "requires_action",
    }
    return _save(ctx, intent, "requires_action")


def fail(ctx: Context, intent: Json, code: str, words: str, **more: Any) -> Json:
    """Let an attempt fail: the intent waits for another card."""
    intent |= {
        "last_setup_error": {"type": "card_error", "code": code, "message": words, **more},
        "next_action": None,
        "status": "requires_payment_method",
    }
    return _save(ctx, intent, "setup_failed")


def succeed(ctx: Context, intent: Json, method: Json) -> Json:
    """Store the card of an intent."""
    intent |= {
        "customer": method["customer"],
        "last_setup_error": None,
        "next_action": None,
        "payment_method": method["id"],
        "status": "succeeded",
    }
    return _save(ctx, intent, "succeeded")


def cancel(ctx: Context, intent_id: str) -> Json:
    """Cancel the intent of a session that expired."""
    intent = require(ctx, "setup_intent", intent_id)
    intent |= {"cancellation_reason": "abandoned", "next_action": None, "status": "canceled"}
    return _save(ctx, intent, "canceled")


OPERATIONS = (
    Operation(
        "GET",
        "/v1/setup_intents",
        f"{LIST_PARAMS} customer payment_method",
        listing("setup_intent", ("customer", "payment_method")),
    ),
    Operation("GET", "/v1/setup_intents/{id}", "expand[]", retrieve("setup_intent")),
)
