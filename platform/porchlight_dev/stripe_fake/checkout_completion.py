"""A customer's card on the page of a Checkout session.

A decline leaves the session open. A payment keeps its intent for the next card: session.payment_intent is null until
the first attempt (https://docs.stripe.com/api/checkout/sessions/object#checkout_session_object-payment_intent).
"""

from __future__ import annotations

from porchlight_dev.stripe_fake import (
    cards,
    checkout_sessions,
    customers,
    payment_intents,
    payment_methods,
    setup_intents,
    subscriptions,
)
from porchlight_dev.stripe_fake.card_form import CardEntry
from porchlight_dev.stripe_fake.context import Context, require
from porchlight_dev.stripe_fake.errors import StripeRefusal
from porchlight_dev.stripe_fake.store import Json

UNAUTHENTICATED = "We are unable to authenticate your payment method. Please choose another one and try again."


def asks(session: Json, entry: CardEntry) -> bool:
    """Return whether the bank asks the customer before this session is complete."""
    return entry.card.asks(session["payment_method_options"]["card"]["request_three_d_secure"])


def challenge(ctx: Context, session: Json, entry: CardEntry) -> None:
    """Let the bank ask the customer: the page goes on with `complete` or `fail_challenge`."""
    held = {"number": entry.card.number, "exp": entry.exp, "email": entry.email, "name": entry.name}
    if session["mode"] == "payment":
        payment_intents.ask(ctx, _intent(ctx, session, entry), _method(ctx, entry))
    if session["mode"] == "setup":
        setup_intents.ask(ctx, require(ctx, "setup_intent", session["setup_intent"]))
    ctx.store.put(session | {"_challenge": held})


def challenged(session: Json) -> CardEntry | None:
    """Return the card whose bank asks the customer, if any."""
    held = session.get("_challenge")
    if not held:
        return None
    return CardEntry(cards.find(held["number"]), (held["exp"][0], held["exp"][1]), held["email"], held["name"], {})


def fail_challenge(ctx: Context, session: Json) -> None:
    """Let the customer fail what the bank asks. They can try another card."""
    session.pop("_challenge", None)
    if session["mode"] == "payment":
        intent = require(ctx, "payment_intent", session["payment_intent"])
        payment_intents.fail(ctx, intent, "payment_intent_authentication_failure", UNAUTHENTICATED)
    if session["mode"] == "setup":
        intent = require(ctx, "setup_intent", session["setup_intent"])
        setup_intents.fail(ctx, intent, "setup_intent_authentication_failure", UNAUTHENTICATED)
    ctx.store.put(session | {"_failed": UNAUTHENTICATED})


def complete(ctx: Context, session: Json, entry: CardEntry, *, authenticated: bool = False) -> str:
    """Complete a session with a card whose bank asks nothing more; return the words of its decline, or nothing.

    `authenticated`: the customer has confirmed what the bank asked.
    """
    for name in ("_challenge", "_failed"):
        session.pop(name, None)
    if session["mode"] == "subscription":
        try:
            with ctx.store.transaction():
                _subscribe(ctx, session, entry, authenticated=authenticated)
        except StripeRefusal as error:
            return str(error)
        return ""
    with ctx.store.transaction():
        if session["mode"] == "setup":
            return _set_up(ctx, session, entry, authenticated=authenticated)
        return _pay(ctx, session, entry, authenticated=authenticated)


def _finish(ctx: Context, session: Json, entry: CardEntry, payment_status: str) -> None:
    session |= {
        "customer_details": checkout_sessions.details(entry.email, entry.name or None),
        "payment_status": payment_status,
        "status": "complete",
        "url": None,
    }
    ctx.store.put(session)
    ctx.clock.cancel_timers("checkout_expire", session["id"])
    ctx.events.emit("checkout.session.completed", session)


def _method(ctx: Context, entry: CardEntry) -> Json:
    return payment_methods.new(ctx, entry.card, exp=entry.exp, name=entry.name or None, email=entry.email)


def _customer(ctx: Context, session: Json, entry: CardEntry, *, needed: bool) -> str | None:
    """Return the customer of a session; create one if it is `needed`."""
    customer: str | None = session["customer"]
    return customers.make(ctx, entry.email, entry.name)["id"] if customer is None and needed else customer


def _intent(ctx: Context, session: Json, entry: CardEntry) -> Json:
    """Return the intent of a session; create it at the first attempt to pay."""
    if session["payment_intent"]:
        return require(ctx, "payment_intent", session["payment_intent"])
    needed = session["customer_creation"] == "always" or bool(session["_terms"].get("setup_future_usage"))
    customer = _customer(ctx, session, entry, needed=needed)
    intent = payment_intents.make(ctx, session["amount_total"], **session["_terms"], customer=customer)
    requested = session["payment_method_options"]["card"]["request_three_d_secure"]
    intent["payment_method_options"]["card"]["request_three_d_secure"] = requested
    session["payment_intent"] = intent["id"]
    return intent


def _pay(ctx: Context, session: Json, entry: CardEntry, *, authenticated: bool) -> str:
    if not session["amount_total"]:
        session["customer"] = _customer(ctx, session, entry, needed=session["customer_creation"] == "always")
        _finish(ctx, session, entry, "no_payment_required")
        return ""
    intent = _intent(ctx, session, entry)
    # A customer may leave the bank's page and come back with another card.
    method = require(ctx, "payment_method", intent["payment_method"]) if authenticated else _method(ctx, entry)
    charge = payment_intents.attempt(ctx, intent, entry.card, method, on_session=True, authenticated=authenticated)
    if charge["status"] == "failed":
        ctx.store.put(session)
        return str(charge["failure_message"])
    session["customer"] = intent["customer"]
    if intent["setup_future_usage"]:
        payment_methods.save(ctx, method, intent["customer"], authenticated=authenticated)
    # Held money counts as unpaid until it is captured.
    _finish(ctx, session, entry, "paid" if charge["captured"] else "unpaid")
    return ""


def _set_up(ctx: Context, session: Json, entry: CardEntry, *, authenticated: bool) -> str:
    intent = require(ctx, "setup_intent", session["setup_intent"])
    card = entry.card
    if card.decline and not card.attaches:
        words = cards.DECLINE_WORDS[card.decline]
        setup_intents.fail(ctx, intent, "card_declined", words, decline_code=card.decline)
        ctx.store.put(session)
        return words
    method = _method(ctx, entry)
    session["customer"] = _customer(ctx, session, entry, needed=session["customer_creation"] == "always")
    if session["customer"]:
        payment_methods.save(ctx, method, session["customer"], authenticated=authenticated)
    setup_intents.succeed(ctx, intent, method)
    _finish(ctx, session, entry, "no_payment_required")
    return ""


def _subscribe(ctx: Context, session: Json, entry: CardEntry, *, authenticated: bool) -> None:
    customer_id = session["customer"] or customers.make(ctx, entry.email, entry.name)["id"]
    method = payment_methods.attach(
        ctx,
        customer_id,
        entry.card,
        exp=entry.exp,
        name=entry.name or None,
        email=entry.email,
        authenticated=authenticated,
    )
    if require(ctx, "customer", customer_id)["invoice_settings"]["default_payment_method"] is None:
        payment_methods.set_default(ctx, customer_id, method["id"])
    item = session["line_items"]["data"][0]
    subscription, invoice = subscriptions.start(
        ctx,
        customer_id,
        item["price"],
        item["quantity"],
        metadata=session.get("_terms", {}).get("metadata") or {},
        card=(entry.card, method),
        behavior="error_if_incomplete",
        on_session=True,
    )
    session |= {"customer": customer_id, "invoice": invoice["id"], "subscription": subscription["id"]}
    _finish(ctx, session, entry, "paid")
