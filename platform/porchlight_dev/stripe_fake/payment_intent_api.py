"""The operations on payment intents (https://docs.stripe.com/api/payment_intents)."""

from __future__ import annotations

from porchlight_dev.stripe_fake import cards, customers, payment_intents, payment_methods
from porchlight_dev.stripe_fake.cards import TestCard
from porchlight_dev.stripe_fake.context import LIST_PARAMS, Call, Context, Operation, listing, require, retrieve
from porchlight_dev.stripe_fake.errors import StripeRefusal, ValidationError, missing_reference
from porchlight_dev.stripe_fake.events import public
from porchlight_dev.stripe_fake.forms import merged_metadata
from porchlight_dev.stripe_fake.store import Json

TERMS = (
    "capture_method", "description", "metadata", "receipt_email", "setup_future_usage", "statement_descriptor_suffix",
    "transfer_group",
)  # fmt: skip
# https://docs.stripe.com/payments/save-card-without-authentication
NO_ACTION = (
    "This payment required an authentication action to complete, but `error_on_requires_action` was set. When you're"
    " ready, you can upgrade your integration to handle actions at"
    " https://stripe.com/docs/payments/payment-intents/upgrade-to-handle-actions."
)


def terms_of(given: Json) -> Json:
    """Return the fields of an intent that parameters set."""
    return {name: given[name] for name in TERMS if given.get(name) is not None}


def check_card_only(types: list[str] | None) -> None:
    """Refuse a list of payment methods without cards, the only one that the fake knows."""
    if types is not None and "card" not in types:
        message = "This fake Stripe knows the payment method type `card` only."
        raise StripeRefusal(message, param="allowed_payment_method_types")


def create(ctx: Context, call: Call) -> Json:
    """Charge a card at once; a decline is answered 402 and leaves the intent."""
    payment_intents.check_currency(call.params["currency"])
    payment_intents.check_amount(call.params["amount"], "Amount must be", "amount")
    check_card_only(call.get("allowed_payment_method_types"))
    if not call.get("confirm"):
        message = "This fake Stripe creates only payment intents that are confirmed at once: pass `confirm=true`."
        raise StripeRefusal(message, param="confirm")
    customer = customers.existing(ctx, call.params["customer"])["id"] if call.get("customer") else None
    card, method = _method(ctx, call.get("payment_method") or "", customer)
    away = call.get("off_session") not in (None, "false")
    intent = payment_intents.make(ctx, call.params["amount"], **terms_of(call.params), customer=customer)
    requested = _requested(call)
    intent["payment_method_options"]["card"]["request_three_d_secure"] = requested
    if not away and card.asks(requested):
        payment_intents.ask(ctx, intent, method)
        if not call.get("error_on_requires_action"):
            return intent
        payment_intents.fail(ctx, intent, "authentication_required", NO_ACTION)
        raise _card_error(intent, method)
    charge = payment_intents.attempt(ctx, intent, card, method, on_session=not away)
    if charge["status"] == "failed":
        raise _card_error(intent, method)
    if customer and call.get("setup_future_usage") and not method["customer"]:
        payment_methods.save(ctx, method, customer)
    return intent


def _requested(call: Call) -> str:
    options = (call.get("payment_method_options") or {}).get("card") or {}
    return str(options.get("request_three_d_secure") or "automatic")


def _method(ctx: Context, method_id: str, customer: str | None) -> tuple[TestCard, Json]:
    """Return the card to charge: a stored one of the customer, or a test payment method."""
    if not method_id:
        message = (
            "You cannot confirm this PaymentIntent because it's missing a payment method. You can either update the"
            " PaymentIntent with a payment method and then confirm it again, or confirm it again directly with a"
            " payment method or ConfirmationToken."
        )
        raise StripeRefusal(message, code="payment_intent_unexpected_state")
    stored = ctx.store.get(method_id, "")
    if stored is None or stored["object"] != "payment_method":
        card = cards.find(method_id)
        if card.token != method_id:
            raise missing_reference("PaymentMethod", method_id, "payment_method")
        return card, payment_methods.new(ctx, card)
    if stored["customer"] is None:
        message = (
            "The provided PaymentMethod was previously used with a PaymentIntent without Customer attachment or was"
            " detached from a Customer. It may not be used again."
        )
        raise StripeRefusal(message, code="payment_method_unexpected_state", param="payment_method")
    if customer is None:
        message = (
            f"The PaymentMethod {method_id} belongs to the Customer {stored['customer']}. Please include the Customer"
            " in the `customer` parameter on the PaymentIntent."
        )
        raise StripeRefusal(message, param="payment_method")
    if stored["customer"] != customer:
        message = (
            f"The customer does not have a payment method with the ID {method_id}. The payment method must be attached"
            " to the customer."
        )
        raise StripeRefusal(message, code="resource_missing", param="payment_method")
    return cards.find(stored["_number"]), stored


def _card_error(intent: Json, method: Json) -> StripeRefusal:
    """Return the error of an attempt that failed (https://docs.stripe.com/error-handling#payment-errors)."""
    error = dict(intent["last_payment_error"])
    return StripeRefusal(
        error.pop("message"),
        status=402,
        code=error.pop("code"),
        kind=error.pop("type"),
        keep=True,
        payment_intent=public(intent),
        payment_method=public(method),
        **error,
    )


def _unexpected(intent: Json, verb: str, past: str, allowed: tuple[str, ...]) -> StripeRefusal:
    message = (
        f"This PaymentIntent could not be {past} because it has a status of {intent['status']}. Only a PaymentIntent"
        f" with one of the following statuses may be {past}: {', '.join(allowed)}."
    )
    if verb == "cancel":
        message = message.replace("This PaymentIntent could not be canceled", "You cannot cancel this PaymentIntent")
    return StripeRefusal(message, code="payment_intent_unexpected_state", payment_intent=public(intent))


def capture(ctx: Context, call: Call) -> Json:
    """Take what an intent holds, or a part of it."""
    intent = require(ctx, "payment_intent", call.path["id"])
    if intent["status"] != "requires_capture":
        raise _unexpected(intent, "capture", "captured", ("requires_capture",))
    amount = call.get("amount_to_capture")
    amount = intent["amount_capturable"] if amount is None else amount
    if amount < 1:
        message = "This value must be greater than or equal to 1."
        raise ValidationError(message, code="parameter_invalid_integer", param="amount_to_capture")
    if amount > intent["amount_capturable"]:
        message = "The requested capture amount is greater than the authorized amount."
        raise StripeRefusal(message, code="amount_too_large", param="amount_to_capture")
    intent["metadata"] = merged_metadata(intent["metadata"], call.get("metadata"))
    return payment_intents.capture(ctx, intent, amount)


def cancel(ctx: Context, call: Call) -> Json:
    """Cancel an intent that has not succeeded. That of a Checkout session can be canceled only when it holds money."""
    intent = require(ctx, "payment_intent", call.path["id"])
    if intent["status"] not in payment_intents.CANCELABLE:
        raise _unexpected(intent, "cancel", "canceled", payment_intents.CANCELABLE)
    sold = ctx.store.find("checkout.session", where={"payment_intent": intent["id"]}, limit=1)
    if sold and intent["status"] != "requires_capture":
        message = (
            "You cannot cancel this PaymentIntent because it was created by Checkout. To cancel this PaymentIntent,"
            " expire the Checkout Session."
        )
        raise StripeRefusal(message, code="payment_intent_unexpected_state", payment_intent=public(intent))
    return payment_intents.cancel(ctx, intent, call.get("cancellation_reason"))


OPERATIONS = (
    Operation(
        "POST",
        "/v1/payment_intents",
        "amount:int! currency! confirm:bool off_session:true|false|one_off|recurring error_on_requires_action:bool"
        " customer payment_method metadata{} description transfer_group capture_method:automatic|manual receipt_email"
        " setup_future_usage:off_session|on_session statement_descriptor_suffix return_url"
        " allowed_payment_method_types[] payment_method_options.card.request_three_d_secure:any|automatic|challenge"
        " automatic_payment_methods.enabled:bool automatic_payment_methods.allow_redirects:always|never expand[]",
        create,
    ),
    Operation("GET", "/v1/payment_intents", f"{LIST_PARAMS} customer", listing("payment_intent", ("customer",))),
    Operation("GET", "/v1/payment_intents/{id}", "expand[]", retrieve("payment_intent")),
    Operation("POST", "/v1/payment_intents/{id}/capture", "amount_to_capture:int metadata{} expand[]", capture),
    Operation(
        "POST",
        "/v1/payment_intents/{id}/cancel",
        "cancellation_reason:abandoned|duplicate|fraudulent|requested_by_customer expand[]",
        cancel,
    ),
)
