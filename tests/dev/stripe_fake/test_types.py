"""Every operation of the fake Stripe, its answers and its events against the types that Stripe's SDK generates."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import httpx
import pytest
import stripe

from porchlight_dev.stripe_fake.events import API_VERSION
from porchlight_dev.stripe_fake.forms import Params
from porchlight_dev.stripe_fake.server import OPERATIONS
from tests.dev.stripe_fake import sdk_types
from tests.dev.stripe_fake.recorder import Recorder, TypeErrors, check_request, params_class, typed_dicts
from tests.dev.stripe_fake.shop import (
    buy,
    buyer,
    change_to,
    charge_later,
    checkout,
    intent_of,
    invoice_of,
    item_of,
    plans,
    save_card,
    sell_once,
    sold,
    subscribe,
)
from tests.dev.stripe_fake.stripe_server import StripeServer

DAY = 86_400


def connect(server: StripeServer) -> None:
    """Call the operations on accounts and their money."""
    api, account = server.client.v1, server.connected_account()
    on: Any = {"stripe_account": account}
    api.accounts.retrieve(account)
    api.accounts.list({"limit": 3})
    api.accounts.update(account, {"metadata": {"a": "1"}})
    api.accounts.login_links.create(account)
    external = api.accounts.external_accounts.list(account).data[0]
    api.accounts.external_accounts.retrieve(account, external.id)
    made = server.earn(account, 50_000, pending=True)
    transfer, charge = made["transfer"]["id"], made["charge"]["id"]
    api.transfers.create(
        {"amount": 100, "currency": "usd", "destination": account, "source_transaction": charge_of(server)}
    )
    api.transfers.retrieve(transfer, {"expand": ["balance_transaction", "destination", "source_transaction"]})
    api.transfers.update(transfer, {"metadata": {"a": "1"}})
    api.transfers.reversals.create(transfer, {"amount": 1_000})
    api.transfers.reversals.list(transfer)
    api.transfers.list({"destination": account})
    api.balance.retrieve({"expand": ["instant_available.net_available"]}, on)
    api.balance.retrieve()
    settings: Any = {"payments": {"payouts": {"schedule": {"interval": "monthly", "monthly_payout_days": [1, 31]}}}}
    api.balance_settings.update(settings, on)
    api.balance_settings.retrieve({}, on)
    payouts = [api.payouts.create({"amount": 1_000, "currency": "usd", "method": "instant"}, on) for _ in range(2)]
    api.payouts.update(payouts[0].id, {"metadata": {"a": "1"}}, on)
    api.payouts.cancel(payouts[1].id, {}, on)
    api.payouts.retrieve(payouts[0].id, {"expand": ["application_fee", "destination", "balance_transaction"]}, on)
    api.payouts.list({"limit": 5}, on)
    api.application_fees.retrieve(str(payouts[0].application_fee))
    api.application_fees.list()
    server.advance(3 * DAY)
    server.twin(f"payouts/{payouts[0].id}/fail")
    line = api.balance_transactions.list({"limit": 100, "expand": ["data.source"]}).data[0]
    api.balance_transactions.retrieve(line.id)
    api.balance_transactions.list({"limit": 100}, on)
    api.charges.retrieve(charge, {"expand": ["balance_transaction", "payment_intent"]})
    api.charges.update(charge, {"metadata": {"a": "1"}})
    api.charges.list({"limit": 5})
    api.accounts.delete(server.connected_account())


def charge_of(server: StripeServer) -> str:
    """Make a charge of the platform."""
    return str(server.twin("charges", amount=5_000)["charge"]["id"])


def take_back(server: StripeServer) -> None:
    """Call the operations on refunds and disputes."""
    api = server.client.v1
    refund = api.refunds.create({"charge": charge_of(server), "amount": 500})
    api.refunds.update(refund.id, {"metadata": {"a": "1"}})
    api.refunds.retrieve(refund.id, {"expand": ["charge", "balance_transaction"]})
    api.refunds.list({"limit": 3})
    intent = api.payment_intents.list({"limit": 1}).data[0]
    api.payment_intents.retrieve(intent.id, {"expand": ["latest_charge"]})
    server.twin(f"refunds/{refund.id}/fail")
    disputes = [server.twin("disputes", charge=charge_of(server))["id"] for _ in range(2)]
    api.disputes.update(disputes[0], {"evidence": {"uncategorized_text": "winning_evidence"}})
    api.disputes.close(disputes[1])
    api.disputes.retrieve(disputes[0])
    api.disputes.list()


def sell(server: StripeServer) -> None:
    """Call the operations on products, customers, Checkout and the portal."""
    api, made, customer = server.client.v1, plans(server), buyer(server)
    product = str(api.prices.retrieve(made.month).product)
    api.products.retrieve(product)
    api.products.update(product, {"description": "Sell your skills"})
    api.products.list({"active": True})
    api.prices.update(made.month, {"nickname": "Monthly"})
    api.prices.list({"active": True, "expand": ["data.product"]})
    api.customers.retrieve(customer, {"expand": ["invoice_settings.default_payment_method"]})
    api.customers.update(customer, {"name": "Ada Alvarez"})
    api.customers.list({"limit": 2})
    api.customers.payment_methods.list(customer)
    method = api.payment_methods.attach("pm_card_mastercard", {"customer": customer})
    api.payment_methods.retrieve(method.id)
    api.payment_methods.detach(method.id)
    api.payment_methods.list({"customer": customer})
    api.customer_sessions.create({"customer": customer, "components": {"pricing_table": {"enabled": True}}})
    session = checkout(server, made.month, customer=customer)
    api.checkout.sessions.update(session.id, {"metadata": {"a": "1"}})
    api.checkout.sessions.line_items.list(session.id)
    buy(session.url)
    expand: Any = {"expand": ["line_items", "subscription.latest_invoice", "invoice.payments", "customer"]}
    api.checkout.sessions.retrieve(session.id, expand)
    api.checkout.sessions.expire(checkout(server, made.year).id)
    api.checkout.sessions.list({"limit": 3})
    configuration = api.billing_portal.configurations.create(
        {"features": {"invoice_history": {"enabled": True}, "payment_method_update": {"enabled": True}}}
    )
    api.billing_portal.configurations.update(configuration.id, {"default_return_url": "http://porchlight.example/"})
    api.billing_portal.configurations.retrieve(configuration.id)
    api.billing_portal.configurations.list()
    api.billing_portal.sessions.create({"customer": customer, "configuration": configuration.id})
    api.customers.delete(customer)


def bill(server: StripeServer) -> None:
    """Call the operations on subscriptions, schedules and invoices."""
    api, made = server.client.v1, plans(server)
    subscription = subscribe(server, made.month)
    item = item_of(subscription)
    details: Any = {"items": [{"id": item.id, "price": made.year}], "proration_behavior": "always_invoice"}
    api.invoices.create_preview({"subscription": subscription.id, "subscription_details": details})
    server.twin("cards", customer=str(subscription.customer), card="pm_card_chargeCustomerFail")
    server.advance(DAY)
    change_to(server, subscription, made.premium_month)
    expand: Any = {"expand": ["latest_invoice.payments", "customer", "default_payment_method"]}
    invoice = invoice_of(api.subscriptions.retrieve(subscription.id, expand))
    api.invoices.void_invoice(str(invoice.id))
    server.twin("cards", customer=str(subscription.customer), card="pm_card_visa")
    schedule = api.subscription_schedules.create({"from_subscription": subscription.id})
    api.subscription_schedules.update(schedule.id, {"metadata": {"a": "1"}})
    api.subscription_schedules.retrieve(schedule.id)
    api.subscription_schedules.list()
    api.subscription_schedules.release(schedule.id)
    api.subscriptions.update(subscription.id, {"cancel_at_period_end": True, "metadata": {"a": "1"}})
    api.subscriptions.list({"status": "all", "expand": ["data.latest_invoice"]})
    unpaid = subscribe(server, made.month, "pm_card_chargeCustomerFail")
    server.twin("cards", customer=str(unpaid.customer), card="pm_card_visa")
    api.invoices.pay(str(unpaid.latest_invoice))
    api.invoices.retrieve(str(unpaid.latest_invoice), {"expand": ["payments.data.payment.payment_intent"]})
    api.invoices.list({"subscription": unpaid.id})
    payment = api.invoice_payments.list({"invoice": str(unpaid.latest_invoice)}).data[0]
    api.invoice_payments.retrieve(payment.id)
    api.subscriptions.cancel(unpaid.id)
    subscribe(server, made.month, "pm_card_chargeCustomerFail")
    server.advance(40 * DAY)
    event = api.events.list({"limit": 100}).data[0]
    api.events.retrieve(event.id)


def sell_without_plans(server: StripeServer) -> None:
    """Call the operations on payments: sold once, held, charged later, and stored cards."""
    api, customer = server.client.v1, buyer(server, "pm_card_chargeCustomerFail")
    buy(sell_once(server, 5_000, 2_500, customer=customer).url, "4000 0000 0000 7726")
    paid = sell_once(server, 7_500, customer=customer, payment_intent_data={"setup_future_usage": "off_session"})
    for number in ("4000 0000 0000 0002", "4242 4242 4242 4242"):
        buy(paid.url, number)
    api.checkout.sessions.list({"expand": ["data.payment_intent.latest_charge.balance_transaction"]})
    session, _browser = save_card(server, customer, "4000 0000 0000 0002")
    api.checkout.sessions.expire(session)
    session, browser = save_card(server, customer, "4000 0025 0000 3155")
    browser.fill(answer="complete")
    stored = api.checkout.sessions.retrieve(session, {"expand": ["setup_intent.payment_method"]}).setup_intent
    assert isinstance(stored, stripe.SetupIntent)
    assert isinstance(stored.payment_method, stripe.PaymentMethod)
    api.setup_intents.retrieve(stored.id)
    api.setup_intents.list({"customer": customer})
    held = [charge_later(server, customer, stored.payment_method.id, capture_method="manual").id for _ in range(3)]
    api.payment_intents.capture(held[0], {"amount_to_capture": 5_000})
    api.payment_intents.cancel(held[1], {"cancellation_reason": "duplicate"})
    api.refunds.create({"payment_intent": intent_of(sold(server, paid.id)).id})
    server.advance(8 * DAY)
    assert api.payment_intents.retrieve(held[2], {"expand": ["latest_charge"]}).status == "canceled"


TOUR: tuple[Callable[[StripeServer], None], ...] = (connect, take_back, sell, bill, sell_without_plans)


def test_all_operations_and_events_match_sdk_types(stripe_server: StripeServer) -> None:
    for part in TOUR:
        part(stripe_server)
    events = stripe_server.check_events()
    checked = stripe_server.recorder.checked
    print(
        f"Checked against the SDK's types: {checked['request']} requests, {checked['object']} objects, {events} events."
    )
    known = {f"{operation.method} {_template(operation.path)}" for operation in OPERATIONS}
    assert known - stripe_server.recorder.operations == set()
    assert checked["object"] > 1_000


def _template(path: str) -> str:
    return path.replace("{account}", "{id}")


def test_fake_serves_the_api_version_of_the_sdk(stripe_server: StripeServer) -> None:
    assert stripe_server.client.v1.balance.retrieve().last_response is not None
    answer = stripe_server.raw("GET", "/v1/balance")
    assert answer.headers["stripe-version"] == API_VERSION == stripe.api_version


def unknown_params(known: Params, params: Any, path: str) -> list[str]:
    """Return the parameters that the fake accepts and the SDK does not have."""
    fields = sdk_types.fields(params) if params else {}
    unknown = [f"{path} {name}" for name in known.children.keys() - fields.keys()]
    for name, child in known.children.items():
        inner = child.children.get("", child)
        if inner.children and name in fields:
            options: list[list[str]] = [
                unknown_params(inner, cls, f"{path} {name}") for cls in typed_dicts(fields[name])
            ]
            unknown += sorted(options, key=len)[0]
    return unknown


def test_all_operations_and_parameters_exist_in_the_sdk() -> None:
    for operation in OPERATIONS:
        params = params_class(operation.method, operation.path.replace("{", "").replace("}", ""))
        assert unknown_params(operation.params, params, f"{operation.method} {operation.path}") == []


BALANCE: dict[str, Any] = {
    "object": "balance", "available": [{"amount": 1, "currency": "usd"}], "pending": [], "livemode": False,
}  # fmt: skip


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"livemode": None}, "balance.livemode: None is not bool"),
        ({"available": [{"amount": "1", "currency": "usd"}]}, "balance.available[0].amount: '1' is not int"),
        ({"available": [{"currency": "usd"}]}, "balance.available[0].amount: is absent"),
        ({"shade": 1}, "balance.shade: is unknown to Balance"),
        ({"pending": {}}, "balance.pending: {} is not a list"),
        ({"object": "dispute"}, "dispute.amount: is absent"),
        ({"object": "nothing"}, "nothing: no generated class"),
    ],
)
def test_answer_with_a_wrong_field_is_found(changes: dict[str, Any], fault: str) -> None:
    assert list(sdk_types.answer_faults(BALANCE)) == []
    assert fault in list(sdk_types.answer_faults(BALANCE | changes))


def test_unknown_enumeration_value_is_found() -> None:
    cls = sdk_types.object_class("balance_transaction")
    assert cls is not None
    assert list(sdk_types.faults("payout", sdk_types.fields(cls)["type"])) == []
    assert list(sdk_types.faults("pay_out", sdk_types.fields(cls)["type"]))


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/v1/transfers", "amount=1&currency=usd"),
        ("/v1/transfers", "amount=1&currency=usd&destination=acct_1&shade=red"),
        ("/v1/subscriptions/sub_1", "items[0][cost]=1"),
        ("/v1/balance_settings", "payments[payouts][schedule][day]=1"),
    ],
)
def test_request_with_wrong_parameters_is_found(path: str, body: str) -> None:
    with pytest.raises(TypeErrors):
        check_request("POST", path, body)


def test_recorder_refuses_a_wrong_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        stripe.HTTPXClient, "request", lambda *_args, **_options: ('{"object": "balance"}', 200, httpx.Headers())
    )
    recorder = Recorder()
    with pytest.raises(TypeErrors, match="available: is absent"):
        recorder.request("GET", "https://api.stripe.com/v1/balance", {})
    recorder.close()  # type: ignore[no-untyped-call]
