"""Faults and held events of the control API: cut connections, late answers, orders and copies of events."""

from __future__ import annotations

import hashlib
import hmac
import json
import signal
import uuid
from pathlib import Path
from typing import Any

import httpx
import pytest
import stripe

from tests.dev.stripe_fake.behaviors import refused, with_key
from tests.dev.stripe_fake.shop import buy, sell_once
from tests.dev.stripe_fake.stripe_server import RETURN_URL, StripeServer, fake_server
from tests.porchlight.payouts.stripe_fake import CONNECT_WEBHOOK_SECRET, WEBHOOK_SECRET, WebhookDelivery


def customers_named(server: StripeServer, name: str) -> int:
    return len(server.look("objects", type="customer", name=name))


def cut_call(server: StripeServer, action: str) -> tuple[str, str]:
    """Create a customer while a fault acts; return its name and the key of the call."""
    name, key = f"name-{uuid.uuid4().hex[:8]}", str(uuid.uuid4())
    server.twin("faults", match="POST /v1/customers", do=action, times=1)
    with pytest.raises(stripe.APIConnectionError):
        server.client.v1.customers.create({"name": name}, with_key(key))
    return name, key


@pytest.mark.parametrize(
    ("action", "made"), [("drop_before", 0), ("drop_after_commit", 1), ("close", 1)]
)  # fmt: skip
def test_cut_call_with_its_key_is_executed_once(stripe_server: StripeServer, action: str, made: int) -> None:
    name, key = cut_call(stripe_server, action)
    assert customers_named(stripe_server, name) == made
    assert stripe_server.client.v1.customers.create({"name": name}, with_key(key)).name == name
    assert customers_named(stripe_server, name) == 1


def test_status_after_commit_hides_a_made_object(stripe_server: StripeServer) -> None:
    name, key = f"name-{uuid.uuid4().hex[:8]}", str(uuid.uuid4())
    stripe_server.twin("faults", match="POST /v1/customers", do="status_after_commit:500", times=1)
    for _ in range(2):
        error = refused("", lambda: stripe_server.client.v1.customers.create({"name": name}, with_key(key)))
        assert error.http_status == 500
    assert customers_named(stripe_server, name) == 1


def test_refusal_fault_answers_its_code(stripe_server: StripeServer) -> None:
    stripe_server.twin("faults", match="POST /v1/transfers*", do="refuse:balance_insufficient", times=1)
    transfer: Any = {"amount": 1, "currency": "usd", "destination": "acct_1"}
    refused("balance_insufficient", lambda: stripe_server.client.v1.transfers.create(transfer))
    refused("resource_missing", lambda: stripe_server.client.v1.transfers.create(transfer))


def test_hang_answers_later_than_it_commits(stripe_server: StripeServer) -> None:
    name = f"name-{uuid.uuid4().hex[:8]}"
    stripe_server.twin("faults", match="POST /v1/customers", do="hang:30", times=1)
    with pytest.raises(httpx.ReadTimeout):
        stripe_server.raw("POST", "/v1/customers", f"name={name}", timeout=1.0)
    assert customers_named(stripe_server, name) == 1


def test_faults_are_listed_counted_and_removed(stripe_server: StripeServer) -> None:
    added = stripe_server.twin("faults", match="* /v1/products", do="status:429", times=2)
    refused("rate_limit", lambda: stripe_server.client.v1.products.list())
    assert stripe_server.look("faults") == [added | {"times": 1}]
    httpx.delete(f"{stripe_server.url}/_twin/faults", trust_env=False, timeout=60)
    assert stripe_server.client.v1.products.list().data == []
    wrong = {"match": "POST /v1/customers", "do": "explode"}
    assert httpx.post(f"{stripe_server.url}/_twin/faults", json=wrong, trust_env=False, timeout=60).status_code == 400


def test_calls_show_key_account_and_result(stripe_server: StripeServer) -> None:
    key = str(uuid.uuid4())
    stripe_server.client.v1.customers.create({"name": "Ada"}, with_key(key))
    call = stripe_server.look("calls", idempotency_key=key)[0]
    assert (call["method"], call["path"], call["status"], call["body"]) == ("POST", "/v1/customers", 200, "name=Ada")


def signed_with(delivery: WebhookDelivery) -> str:
    """Return the secret that a delivery is signed with."""
    parts = dict(part.split("=", 1) for part in delivery.signature.split(","))
    text = f"{parts['t']}.".encode() + delivery.body
    for secret in (WEBHOOK_SECRET, CONNECT_WEBHOOK_SECRET):
        if hmac.compare_digest(hmac.new(secret.encode(), text, hashlib.sha256).hexdigest(), parts["v1"]):
            return secret
    return ""


def test_each_endpoint_signs_with_its_own_secret(stripe_server: StripeServer) -> None:
    account = stripe_server.connected_account()
    assert stripe_server.fake is not None
    assert signed_with(stripe_server.fake.next(account)) == CONNECT_WEBHOOK_SECRET
    stripe_server.client.v1.customers.create({"name": "Ada"})
    assert signed_with(stripe_server.fake.next("")) == WEBHOOK_SECRET


def delivered(server: StripeServer, order: str, copies: int) -> tuple[list[str], list[str]]:
    """Hold three events, release them; return their ids as emitted and as delivered."""
    account = server.connected_account()
    assert server.fake is not None
    for _ in range(4):  # the steps of onboarding
        server.fake.next(account)
    server.twin("events/hold")
    for n in range(3):
        server.client.v1.accounts.update(account, {"metadata": {"n": str(n)}})
    emitted = [event["id"] for event in server.look("objects", type="event", account=account)[-3:]]
    server.twin("events/release", order=order, copies=copies)
    return emitted, [json.loads(server.fake.next(account).body)["id"] for _ in range(3 * copies)]


def test_released_events_come_in_the_order_asked_for(stripe_server: StripeServer) -> None:
    emitted, received = delivered(stripe_server, "given", 1)
    assert received == emitted
    emitted, received = delivered(stripe_server, "reverse", 1)
    assert received == emitted[::-1]
    emitted, received = delivered(stripe_server, "shuffle:7", 3)
    assert sorted(received) == sorted(emitted * 3)
    assert received != emitted * 3


def test_held_events_of_a_sale_come_in_reverse(stripe_server: StripeServer) -> None:
    stripe_server.twin("events/hold")
    session = sell_once(stripe_server, 7_500)
    buy(session.url, email="ada@example.com")
    emitted = [event["id"] for event in stripe_server.look("objects", type="event")][-4:]
    stripe_server.twin("events/release", order="reverse")
    assert stripe_server.fake is not None
    received: list[str] = []
    while len(received) < len(emitted):  # events of other tests can come first
        event = json.loads(stripe_server.fake.next("").body)
        received += [event["id"]] if event["id"] in emitted else []
    assert received == emitted[::-1]
    assert event["type"] == "payment_intent.created"


@pytest.mark.parametrize("action", ["drop_before", "drop_after_commit"])
def test_cut_session_with_its_key_is_made_once(stripe_server: StripeServer, action: str) -> None:
    reference, key = uuid.uuid4().hex, str(uuid.uuid4())
    line = {"price_data": {"currency": "usd", "unit_amount": 50, "product_data": {"name": "Lesson"}}, "quantity": 1}
    params: Any = {"mode": "payment", "line_items": [line], "success_url": RETURN_URL, "client_reference_id": reference}
    create = stripe_server.client.v1.checkout.sessions.create
    stripe_server.twin("faults", match="POST /v1/checkout/sessions", do=action, times=1)
    with pytest.raises(stripe.APIConnectionError):
        create(params, with_key(key))
    made = create(params, with_key(key))
    found = stripe_server.look("objects", type="checkout.session", client_reference_id=reference)
    assert [one["id"] for one in found] == [made.id]


def test_killed_fake_keeps_money_clock_and_keys(tmp_path: Path) -> None:
    server = fake_server(tmp_path)
    assert server.fake is not None
    try:
        account, key = server.connected_account(), str(uuid.uuid4())
        # An hour later it may be the next day, on which a daily schedule pays everything out.
        manual: Any = {"payments": {"payouts": {"schedule": {"interval": "manual"}}}}
        server.client.v1.balance_settings.update(manual, {"stripe_account": account})
        server.earn(account, 5_000)
        server.advance(3_600)
        payout: Any = {"amount": 1_000, "currency": "usd"}
        first = server.client.v1.payouts.create(payout, with_key(key, account))
        before = server.twin("clock")["now"]
        server.fake.stop(signal.SIGKILL)
        server.fake.start()
        assert server.twin("clock")["now"] >= before
        assert server.client.v1.payouts.create(payout, with_key(key, account)).id == first.id
        assert server.client.v1.balance.retrieve({}, {"stripe_account": account}).available[0].amount == 4_000
    finally:
        server.recorder.close()  # type: ignore[no-untyped-call]
        server.fake.__exit__()
