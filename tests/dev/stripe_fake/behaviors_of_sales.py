"""Documented behaviors of sales: Checkout sessions in payment mode, held payments, refunds and disputes of them."""

from __future__ import annotations

from typing import Any

import pytest
import stripe

from tests.dev.stripe_fake.behaviors import behavior, refused, with_key
from tests.dev.stripe_fake.shop import (
    buy,
    buyer,
    charge_of,
    events_of,
    intent_of,
    plans,
    sell_once,
    sold,
)
from tests.dev.stripe_fake.stripe_server import RETURN_URL, StripeServer

DAY = 86_400
LIMITS = "currencies#minimum-and-maximum-charge-amounts"
HOLD = "payments/place-a-hold-on-a-payment-method"
MANUAL: dict[str, Any] = {"payment_intent_data": {"capture_method": "manual"}}


@behavior("api/checkout/sessions/object#checkout_session_object-payment_intent")
def payment_session_has_no_intent_before_it_is_paid(server: StripeServer) -> None:
    session = sell_once(server, 5_000, 2_500)
    assert (session.mode, session.amount_total, session.payment_status) == ("payment", 7_500, "unpaid")
    assert session.payment_intent is None
    url, _browser = buy(session.url, email="ada@example.com")
    assert url == f"{RETURN_URL}?session={session.id}"
    done = sold(server, session.id)
    assert (done.status, done.payment_status, done.customer) == ("complete", "paid", None)
    assert (intent_of(done).status, intent_of(done).amount_received) == ("succeeded", 7_500)
    found = server.client.v1.checkout.sessions.list({"payment_intent": intent_of(done).id}).data
    assert [one.id for one in found] == [session.id]


@behavior("api/checkout/sessions/create#create_checkout_session-payment_intent_data")
def intent_and_charge_have_the_data_of_their_session(server: StripeServer) -> None:
    data: Any = {
        "metadata": {"booking": "1"}, "description": "Lesson on June 1", "transfer_group": "booking_1",
        "receipt_email": "ada@example.com", "statement_descriptor_suffix": "LESSON",
    }  # fmt: skip
    session = sell_once(server, 7_500, customer=buyer(server), metadata={"of": "session"}, payment_intent_data=data)
    buy(session.url)
    done = sold(server, session.id)
    assert done.metadata is not None
    assert done.metadata.to_dict() == {"of": "session"}
    for made in (intent_of(done), charge_of(done)):
        assert (made.metadata.to_dict(), made.description, made.transfer_group, made.receipt_email) == (
            {"booking": "1"}, "Lesson on June 1", "booking_1", "ada@example.com",
        )  # fmt: skip
        assert made.customer == session.customer
    assert charge_of(done).calculated_statement_descriptor == "PORCHLIGHT* LESSON"
    line = charge_of(done).balance_transaction
    assert isinstance(line, stripe.BalanceTransaction)
    assert (line.amount, line.fee, line.status) == (7_500, 248, "pending")


@behavior("api/events/types")
def paid_session_emits_its_events_in_order(server: StripeServer) -> None:
    session = sell_once(server, 7_500)
    buy(session.url, email="ada@example.com")
    intent = intent_of(sold(server, session.id)).id
    assert events_of(server, session.id, intent) == [
        "payment_intent.created", "charge.succeeded", "payment_intent.succeeded", "checkout.session.completed",
    ]  # fmt: skip


@behavior("testing#declined-payments")
def declined_payment_session_takes_another_card(server: StripeServer) -> None:
    session = sell_once(server, 7_500)
    for number, words in (
        ("4000 0000 0000 0002", "Your card was declined."),
        ("4000 0000 0000 9995", "Your card has insufficient funds."),
    ):
        _url, browser = buy(session.url, number, email="ada@example.com")
        assert (browser.response.status_code, words in browser.response.text) == (402, True)
    failed = sold(server, session.id)
    assert (failed.status, failed.payment_status) == ("open", "unpaid")
    error = intent_of(failed).last_payment_error
    assert error is not None
    assert (intent_of(failed).status, error.decline_code) == ("requires_payment_method", "insufficient_funds")
    browser.fill(number="4242 4242 4242 4242", expiry="12/34", cvc="123", email="ada@example.com")
    paid = sold(server, session.id)
    assert (paid.payment_status, intent_of(paid).id) == ("paid", intent_of(failed).id)
    assert len(server.client.v1.charges.list({"payment_intent": intent_of(paid).id}).data) == 3
    tried = ["charge.failed", "payment_intent.payment_failed"]
    assert events_of(server, intent_of(paid).id, session.id) == [
        "payment_intent.created", *tried, *tried, "charge.succeeded", "payment_intent.succeeded",
        "checkout.session.completed",
    ]  # fmt: skip


@behavior("api/checkout/sessions/expire")
def expired_session_cancels_its_failed_payment(server: StripeServer) -> None:
    session = sell_once(server, 7_500)
    buy(session.url, "4000 0000 0000 0002", email="ada@example.com")
    intent = intent_of(sold(server, session.id)).id
    refused("payment_intent_unexpected_state", lambda: server.client.v1.payment_intents.cancel(intent), "Checkout")
    server.advance(DAY + 60)
    assert server.client.v1.checkout.sessions.retrieve(session.id).status == "expired"
    assert server.client.v1.payment_intents.retrieve(intent).status == "canceled"
    assert buy(session.url)[1].response.status_code == 410


@behavior(LIMITS)
def sale_below_fifty_cents_is_refused(server: StripeServer) -> None:
    refused("amount_too_small", lambda: sell_once(server, 49), r"at least \$0\.50 usd")
    refused("amount_too_large", lambda: sell_once(server, 99_999_999, 1))
    assert sell_once(server, 25, 25).amount_total == 50


@behavior(LIMITS, sandbox=True)
def payment_below_fifty_cents_is_refused(server: StripeServer) -> None:
    params: Any = {"amount": 49, "currency": "usd", "payment_method": "pm_card_visa", "confirm": True}
    refused("amount_too_small", lambda: server.client.v1.payment_intents.create(params), r"at least \$0\.50 usd")


@behavior("currencies#zero-decimal")
def fake_refuses_other_currencies_in_words(server: StripeServer) -> None:
    def expect_refusal(currency: str) -> None:
        data = {"currency": currency, "unit_amount": 5_000, "product_data": {"name": "Lesson"}}
        lines: Any = [{"price_data": data, "quantity": 1}]
        refused("", lambda: sell_once(server, line_items=lines), "only prices in usd")
        params: Any = {"amount": 5_000, "currency": currency, "confirm": True}
        refused("", lambda: server.client.v1.payment_intents.create(params), "charges in usd only")

    expect_refusal("eur")
    expect_refusal("jpy")


@behavior("api/checkout/sessions/create#create_checkout_session-line_items")
def payment_lines_have_inline_or_one_time_prices(server: StripeServer) -> None:
    api = server.client.v1
    price: Any = {"currency": "usd", "unit_amount": 1_200, "product_data": {"name": "Handout"}}
    handout = api.prices.create(price).id
    inline: Any = price | {"product_data": {"name": "Lesson", "description": "One hour"}}
    known: Any = {"currency": "usd", "unit_amount": 300, "product": api.prices.retrieve(handout).product}
    lines = [{"price": handout, "quantity": 2}, *({"price_data": data, "quantity": 1} for data in (inline, known))]
    session = sell_once(server, line_items=lines)
    items = api.checkout.sessions.line_items.list(session.id).data
    assert [(one.description, one.quantity, one.amount_total) for one in items] == [
        ("Handout", 2, 2_400), ("Lesson", 1, 1_200), ("Handout", 1, 300),
    ]  # fmt: skip
    prices = [one.price for one in items if one.price]
    assert [price.active for price in prices] == [True, False, False]
    refused("price_inactive", lambda: sell_once(server, line_items=[{"price": prices[1].id, "quantity": 1}]))
    month = plans(server).month
    refused("", lambda: sell_once(server, line_items=[{"price": month, "quantity": 1}]), "recurring price")
    refused("parameter_missing", lambda: sell_once(server, line_items=[{"price": handout}]), "quantity")


@behavior("payments/checkout/no-cost-orders")
def sale_for_nothing_needs_no_card(server: StripeServer) -> None:
    session = sell_once(server, 0)
    _url, browser = buy(session.url, "none", email="")
    assert 'id="email-error"' in browser.response.text
    assert 'id="number"' not in browser.response.text
    browser.fill(email="ada@example.com")
    done = sold(server, session.id)
    assert (done.status, done.payment_status, done.payment_intent) == ("complete", "no_payment_required", None)


@behavior("api/checkout/sessions/create#create_checkout_session-customer_creation")
def customer_is_created_if_the_session_says_so(server: StripeServer) -> None:
    session = sell_once(server, 7_500, customer_creation="always")
    assert (session.customer, session.customer_creation) == (None, "always")
    buy(session.url, "4000 0000 0000 0002", email="ada@example.com")
    buy(session.url, email="ada@example.com")
    done = sold(server, session.id)
    assert isinstance(done.customer, str)
    assert done.customer == intent_of(done).customer
    assert server.client.v1.customers.payment_methods.list(done.customer).data == []
    both: Any = {"customer": done.customer, "customer_creation": "always"}
    refused("parameters_exclusive", lambda: sell_once(server, 7_500, **both))


@behavior("payments/3d-secure/authentication-flow#manual-three-ds")
def session_can_request_three_d_secure(server: StripeServer) -> None:
    number, request = "4000 0000 0000 3055", {"card": {"request_three_d_secure": "any"}}
    plain = sell_once(server, 7_500)
    assert buy(plain.url, number, email="ada@example.com")[0].startswith(RETURN_URL)
    session = sell_once(server, 7_500, payment_method_options=request)
    _url, browser = buy(session.url, number, email="ada@example.com")
    assert browser.heading() == "Your bank asks you to confirm"
    assert intent_of(sold(server, session.id)).status == "requires_action"
    browser.fill(answer="fail")
    assert "unable to authenticate" in browser.response.text
    error = intent_of(sold(server, session.id)).last_payment_error
    assert error is not None
    assert error.code == "payment_intent_authentication_failure"
    _url, browser = buy(session.url, number, email="ada@example.com")
    assert browser.fill(answer="complete") == f"{RETURN_URL}?session={session.id}"
    details: Any = charge_of(sold(server, session.id)).payment_method_details
    assert details.card.three_d_secure.result == "authenticated"


@behavior("payments/3d-secure/authentication-flow")
def customer_can_leave_three_d_secure_for_another_card(server: StripeServer) -> None:
    session = sell_once(server, 7_500)
    buy(session.url, "4000 0025 0000 3155", email="ada@example.com")
    buy(session.url, "5555 5555 5555 4444", email="ada@example.com")
    paid = sold(server, session.id)
    details: Any = charge_of(paid).payment_method_details
    assert (paid.payment_status, details.card.last4, details.card.three_d_secure) == ("paid", "4444", None)
    assert events_of(server, intent_of(paid).id, session.id) == [
        "payment_intent.created", "payment_intent.requires_action", "charge.succeeded", "payment_intent.succeeded",
        "checkout.session.completed",
    ]  # fmt: skip


def held(server: StripeServer, *, number: str = "4242 4242 4242 4242") -> stripe.checkout.Session:
    """Sell something for $75.00 whose payment is held."""
    session = sell_once(server, 7_500, **MANUAL)
    buy(session.url, number, email="ada@example.com")
    return sold(server, session.id)


def balance(server: StripeServer) -> int:
    found = server.client.v1.balance.retrieve()
    return found.available[0].amount + found.pending[0].amount


@behavior(HOLD)
def held_payment_is_captured_in_part(server: StripeServer) -> None:
    before, session = balance(server), held(server)
    intent, charge = intent_of(session), charge_of(session)
    assert (session.status, session.payment_status) == ("complete", "unpaid")
    assert (intent.status, intent.amount_capturable) == ("requires_capture", 7_500)
    assert (charge.captured, charge.amount_captured, charge.balance_transaction) == (False, 0, None)
    assert balance(server) == before
    capture = server.client.v1.payment_intents.capture
    refused("amount_too_large", lambda: capture(intent.id, {"amount_to_capture": 7_501}))
    refused("charge_not_refundable", lambda: server.client.v1.refunds.create({"charge": charge.id}))
    taken = capture(intent.id, {"amount_to_capture": 5_000, "metadata": {"part": "1"}})
    assert (taken.status, taken.amount_received, taken.amount_capturable) == ("succeeded", 5_000, 0)
    done = sold(server, session.id)
    assert (done.payment_status, charge_of(done).amount_captured, charge_of(done).amount_refunded) == (
        "paid", 5_000, 2_500,
    )  # fmt: skip
    assert balance(server) == before + 5_000 - 175
    refused("payment_intent_unexpected_state", lambda: capture(intent.id), "status of succeeded")
    assert events_of(server, intent.id) == [
        "payment_intent.created", "charge.succeeded", "payment_intent.amount_capturable_updated",
        "checkout.session.completed", "charge.captured", "charge.refunded", "refund.created",
        "payment_intent.succeeded",
    ]  # fmt: skip
    refused("amount_too_large", lambda: server.client.v1.refunds.create({"charge": charge.id, "amount": 5_001}))


@behavior("api/payment_intents/cancel")
def canceled_payment_releases_what_it_held(server: StripeServer) -> None:
    before, session = balance(server), held(server)
    intent = intent_of(session).id
    canceled = server.client.v1.payment_intents.cancel(intent, {"cancellation_reason": "requested_by_customer"})
    assert (canceled.status, canceled.cancellation_reason) == ("canceled", "requested_by_customer")
    charge = charge_of(sold(server, session.id))
    assert (charge.refunded, charge.amount_refunded, charge.captured) == (True, 7_500, False)
    assert events_of(server, intent)[-3:] == ["charge.refunded", "refund.created", "payment_intent.canceled"]
    assert balance(server) == before
    refused("payment_intent_unexpected_state", lambda: server.client.v1.payment_intents.cancel(intent))


@behavior(HOLD)
def held_payment_expires_after_seven_days(server: StripeServer) -> None:
    session = held(server)
    details: Any = charge_of(session).payment_method_details
    assert details.card.capture_before == intent_of(session).created + 7 * DAY
    server.advance(7 * DAY - 60)
    assert intent_of(sold(server, session.id)).status == "requires_capture"
    server.advance(120)
    expired = intent_of(sold(server, session.id))
    assert (expired.status, expired.cancellation_reason) == ("canceled", "automatic")
    refund = server.client.v1.refunds.list({"payment_intent": expired.id}).data[0]
    assert (refund.reason, refund.balance_transaction) == ("expired_uncaptured_charge", None)
    assert "charge.expired" in events_of(server, expired.id)
    refused("payment_intent_unexpected_state", lambda: server.client.v1.payment_intents.capture(expired.id))


@behavior("testing#refunds")
def refund_of_test_cards_changes_later(server: StripeServer) -> None:
    refunds = []
    for number, status in (("4000 0000 0000 7726", "pending"), ("4000 0000 0000 5126", "succeeded")):
        session = sell_once(server, 7_500)
        buy(session.url, number, email="ada@example.com")
        made = server.client.v1.refunds.create({"payment_intent": intent_of(sold(server, session.id)).id})
        assert made.status == status
        refunds.append(made.id)
    before = balance(server)
    server.advance(3_700)
    assert [server.client.v1.refunds.retrieve(one).status for one in refunds] == ["succeeded", "failed"]
    assert events_of(server, refunds[0])[-2:] == ["refund.updated", "charge.refund.updated"]
    assert events_of(server, refunds[1])[-2:] == ["refund.failed", "charge.refund.updated"]
    assert balance(server) == before + 7_500


@behavior("testing#disputes")
def sale_by_a_disputing_card_is_disputed(server: StripeServer) -> None:
    session = sell_once(server, 7_500)
    buy(session.url, "4000 0000 0000 0259", email="ada@example.com")
    charge = charge_of(sold(server, session.id))
    assert charge.disputed
    assert server.client.v1.disputes.list({"charge": charge.id}).data[0].amount == 7_500
    captured = held(server, number="4000 0000 0000 0259")
    assert not charge_of(captured).disputed
    server.client.v1.payment_intents.capture(intent_of(captured).id, {"amount_to_capture": 5_000})
    dispute = server.client.v1.disputes.list({"payment_intent": intent_of(captured).id}).data[0]
    assert dispute.amount == 5_000


@behavior("disputes/how-disputes-work")
def any_sale_can_be_disputed(server: StripeServer) -> None:
    session = sell_once(server, 7_500)
    buy(session.url, email="ada@example.com")
    intent = intent_of(sold(server, session.id)).id
    dispute = server.twin("disputes", payment_intent=intent, amount=2_500)
    assert (dispute["amount"], dispute["payment_intent"]) == (2_500, intent)
    assert charge_of(sold(server, session.id)).disputed


@behavior("connect/separate-charges-and-transfers#transfer-availability")
def transfer_of_a_sale_waits_for_its_funds(server: StripeServer) -> None:
    account = server.connected_account()
    session = held(server)
    source: Any = {"currency": "usd", "destination": account, "source_transaction": charge_of(session).id}
    transfer = server.client.v1.transfers.create
    refused("resource_missing", lambda: transfer(source | {"amount": 100}))
    server.client.v1.payment_intents.capture(intent_of(session).id, {"amount_to_capture": 5_000})
    refused("balance_insufficient", lambda: transfer(source | {"amount": 5_001}), "remaining amount")
    made = transfer(source | {"amount": 4_000})
    on: Any = {"stripe_account": account}
    assert server.client.v1.balance.retrieve({}, on).pending[0].amount == 4_000
    settings: Any = {"payments": {"payouts": {"schedule": {"interval": "manual"}}}}
    server.client.v1.balance_settings.update(settings, on)
    server.advance(2 * DAY + 60)
    assert server.client.v1.balance.retrieve({}, on).available[0].amount == 4_000
    assert server.client.v1.transfers.reversals.create(made.id, {"amount": 1_500}).amount == 1_500


@behavior("api/idempotent_requests")
def repeated_key_captures_once(server: StripeServer) -> None:
    session = held(server)
    intent, key = intent_of(session).id, f"pl-{session.id}"
    server.twin("faults", match="POST /v1/payment_intents/*", do="drop_after_commit", times=1)
    capture = server.client.v1.payment_intents.capture
    with pytest.raises(stripe.APIConnectionError):
        capture(intent, {}, with_key(key))
    assert capture(intent, {}, with_key(key)).status == "succeeded"
    assert events_of(server, intent).count("charge.captured") == 1
