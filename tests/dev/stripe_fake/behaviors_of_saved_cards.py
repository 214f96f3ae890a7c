"""Documented behaviors of saved cards: setup sessions, and payments while the customer is away."""

from __future__ import annotations

from typing import Any

import stripe

from tests.dev.stripe_fake.behaviors import behavior, refused, with_key
from tests.dev.stripe_fake.shop import (
    buy,
    buyer,
    charge_later,
    charge_of,
    checkout,
    events_of,
    invoice_of,
    plans,
    save_card,
    sell_once,
    sold,
)
from tests.dev.stripe_fake.stripe_server import RETURN_URL, StripeServer

DAY = 86_400
SAVE = "payments/save-and-reuse"
SAVING: dict[str, Any] = {"payment_intent_data": {"setup_future_usage": "off_session"}}


def customer(server: StripeServer) -> str:
    return server.client.v1.customers.create({"email": "ada@example.com"}).id


def card_of(server: StripeServer, owner: str) -> str:
    """Return the only stored card of a customer."""
    (method,) = server.client.v1.customers.payment_methods.list(owner).data
    return method.id


def setup_of(server: StripeServer, session: str) -> stripe.SetupIntent:
    intent = server.client.v1.checkout.sessions.retrieve(session, {"expand": ["setup_intent"]}).setup_intent
    assert isinstance(intent, stripe.SetupIntent)
    return intent


@behavior(SAVE)
def setup_session_stores_a_card(server: StripeServer) -> None:
    owner = customer(server)
    session, browser = save_card(server, owner)
    assert str(browser.response.headers["location"]) == RETURN_URL
    done = server.client.v1.checkout.sessions.retrieve(session)
    assert (done.mode, done.status, done.payment_status, done.payment_intent, done.amount_total) == (
        "setup", "complete", "no_payment_required", None, None,
    )  # fmt: skip
    intent = setup_of(server, session)
    assert (intent.status, intent.customer, intent.payment_method) == ("succeeded", owner, card_of(server, owner))
    assert events_of(server, session, intent.id) == [
        "setup_intent.created", "setup_intent.succeeded", "checkout.session.completed",
    ]  # fmt: skip


@behavior(SAVE)
def declined_setup_session_takes_another_card(server: StripeServer) -> None:
    owner = customer(server)
    session, browser = save_card(server, owner, "4000 0000 0000 0002")
    assert (browser.response.status_code, "Your card was declined." in browser.response.text) == (402, True)
    error = setup_of(server, session).last_setup_error
    assert error is not None
    assert (error.code, error.decline_code) == ("card_declined", "generic_decline")
    browser.fill(number="4242 4242 4242 4242", expiry="12/34", cvc="123")
    assert setup_of(server, session).status == "succeeded"
    assert card_of(server, owner)


@behavior("api/checkout/sessions/expire")
def expired_setup_session_stores_nothing(server: StripeServer) -> None:
    params: Any = {"mode": "setup", "currency": "usd", "customer": customer(server), "success_url": RETURN_URL}
    session = server.client.v1.checkout.sessions.create(params)
    assert server.client.v1.checkout.sessions.expire(session.id).status == "expired"
    assert setup_of(server, session.id).status == "canceled"
    create = server.client.v1.checkout.sessions.create
    refused("", lambda: create(params | SAVING), "`payment_intent_data` in `setup` mode")
    refused("parameter_missing", lambda: create(params | {"currency": ""}), "currency")


@behavior("payments/save-during-payment")
def card_of_a_payment_is_stored_on_request(server: StripeServer) -> None:
    session = sell_once(server, 7_500, **SAVING)
    buy(session.url, email="ada@example.com")
    done = sold(server, session.id)
    assert isinstance(done.customer, str)
    assert charge_of(done).payment_method == card_of(server, done.customer)
    later = charge_later(server, done.customer, card_of(server, done.customer), transfer_group="booking_1")
    assert (later.status, later.transfer_group, later.customer) == ("succeeded", "booking_1", done.customer)
    guest = sell_once(server, 7_500)
    buy(guest.url, email="ada@example.com")
    owner, used = done.customer, str(charge_of(sold(server, guest.id)).payment_method)
    refused("payment_method_unexpected_state", lambda: charge_later(server, owner, used))


@behavior("testing#regulatory-cards")
def authenticated_card_can_be_charged_later(server: StripeServer) -> None:
    owner = customer(server)
    session, browser = save_card(server, owner, "4000 0025 0000 3155")
    assert setup_of(server, session).status == "requires_action"
    browser.fill(answer="fail")
    error = setup_of(server, session).last_setup_error
    assert error is not None
    assert error.code == "setup_intent_authentication_failure"
    browser.fill(number="4000 0025 0000 3155", expiry="12/34", cvc="123")
    browser.fill(answer="complete")
    assert charge_later(server, owner, card_of(server, owner)).status == "succeeded"


@behavior("testing#regulatory-cards")
def renewal_charges_an_authenticated_card(server: StripeServer) -> None:
    session = checkout(server, plans(server).month, customer=customer(server))
    _url, browser = buy(session.url, "4000 0025 0000 3155")
    browser.fill(answer="complete")
    bought = server.client.v1.checkout.sessions.retrieve(session.id).subscription
    server.advance(32 * DAY)
    subscription = server.client.v1.subscriptions.retrieve(str(bought), {"expand": ["latest_invoice"]})
    assert (subscription.status, invoice_of(subscription).billing_reason) == ("active", "subscription_cycle")


@behavior("testing#regulatory-cards")
def unauthenticated_card_cannot_be_charged_later(server: StripeServer) -> None:
    def expect_decline(owner: str) -> None:
        error = refused("authentication_required", lambda: charge_later(server, owner, card_of(server, owner)))
        assert isinstance(error, stripe.CardError)

    expect_decline(buyer(server, "pm_card_authenticationRequiredOnSetup"))
    expect_decline(buyer(server, "pm_card_authenticationRequired"))


@behavior("error-handling#payment-errors")
def declined_charge_of_a_saved_card_leaves_an_intent(server: StripeServer) -> None:
    owner = buyer(server, "pm_card_chargeCustomerFail")
    error = refused(
        "card_declined", lambda: charge_later(server, owner, card_of(server, owner), metadata={"booking": "1"})
    )
    assert isinstance(error, stripe.CardError)
    assert error.http_status == 402
    body: Any = error.json_body
    for name in ("payment_intent", "payment_method"):
        server.recorder.check_answer(body["error"][name])
    intent = server.client.v1.payment_intents.retrieve(body["error"]["payment_intent"]["id"])
    assert (intent.status, intent.metadata.to_dict()) == ("requires_payment_method", {"booking": "1"})
    assert intent.latest_charge == body["error"]["charge"]
    assert events_of(server, intent.id) == [
        "payment_intent.created", "charge.failed", "payment_intent.payment_failed",
    ]  # fmt: skip
    assert server.client.v1.payment_intents.cancel(intent.id).status == "canceled"


@behavior("api/idempotent_requests")
def declined_charge_is_replayed_with_its_key(server: StripeServer) -> None:
    owner = buyer(server, "pm_card_chargeCustomerFail")
    params: Any = {
        "amount": 7_500, "currency": "usd", "customer": owner, "payment_method": card_of(server, owner),
        "confirm": True, "off_session": True,
    }  # fmt: skip
    create = server.client.v1.payment_intents.create
    for _ in range(2):
        refused("card_declined", lambda: create(params, with_key(f"pl-{owner}")))
    assert len(server.client.v1.payment_intents.list({"customer": owner}).data) == 1


@behavior("payments/save-card-without-authentication")
def payment_can_fail_instead_of_asking(server: StripeServer) -> None:
    params: Any = {
        "amount": 7_500, "currency": "usd", "payment_method": "pm_card_authenticationRequired", "confirm": True,
    }  # fmt: skip
    create = server.client.v1.payment_intents.create
    asked = create(params)
    assert asked.next_action is not None
    assert (asked.status, asked.latest_charge) == ("requires_action", None)
    assert server.client.v1.payment_intents.cancel(asked.id).status == "canceled"
    error = refused("authentication_required", lambda: create(params | {"error_on_requires_action": True}))
    assert isinstance(error, stripe.CardError)


@behavior("api/payment_intents/create#create_payment_intent-payment_method")
def saved_card_is_charged_for_its_customer_only(server: StripeServer) -> None:
    owner, other = buyer(server), customer(server)
    method = card_of(server, owner)
    refused("resource_missing", lambda: charge_later(server, other, method), "must be attached to the customer")
    refused("resource_missing", lambda: charge_later(server, other, "pm_1unknown"))
    refused("payment_intent_unexpected_state", lambda: charge_later(server, other, ""), "missing a payment method")
    assert intent_method(server, charge_later(server, owner, method, capture_method="manual").id) == method


def intent_method(server: StripeServer, intent: str) -> Any:
    """Capture an intent; return its payment method."""
    return server.client.v1.payment_intents.capture(intent, {"expand": ["latest_charge"]}).payment_method
