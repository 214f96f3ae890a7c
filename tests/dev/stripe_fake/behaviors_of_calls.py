"""Documented behaviors of calls: keys, parameters, lists, expansion, events."""

from __future__ import annotations

import json
import uuid
from typing import Any

import httpx
import pytest
import stripe

from tests.dev.stripe_fake.behaviors import behavior, on, refused, with_key
from tests.dev.stripe_fake.recorder import sdk_client
from tests.dev.stripe_fake.stripe_server import StripeServer

IDEMPOTENCY = "api/idempotent_requests"
DAY = 86_400
TRANSFER: Any = {"amount": 99_999_999, "currency": "usd"}


def new_key() -> str:
    return f"pl-{uuid.uuid4()}"


def customer(server: StripeServer, **params: Any) -> stripe.Customer:
    values: Any = {"email": "ada@example.com"} | params
    return server.client.v1.customers.create(values)


@behavior(IDEMPOTENCY, sandbox=True)
def repeated_key_returns_first_result(server: StripeServer) -> None:
    key = new_key()
    made = [server.client.v1.customers.create({"name": "Ada"}, with_key(key)) for _ in range(3)]
    assert len({one.id for one in made}) == 1
    assert made[0].last_response is not None
    assert made[1].last_response is not None
    assert "idempotent-replayed" not in made[0].last_response.headers
    assert made[1].last_response.headers["idempotent-replayed"] == "true"


@behavior(IDEMPOTENCY, sandbox=True)
def key_with_other_parameters_is_refused(server: StripeServer) -> None:
    key = new_key()
    server.client.v1.customers.create({"name": "Ada"}, with_key(key))
    error = refused("", lambda: server.client.v1.customers.create({"name": "Ben"}, with_key(key)), "same parameters")
    assert isinstance(error, stripe.IdempotencyError)


@behavior(IDEMPOTENCY, sandbox=True)
def failed_validation_saves_no_result(server: StripeServer) -> None:
    key = new_key()
    wrong: Any = {"nickname": "Ada"}
    assert stripe.InvalidRequestError is type(
        refused("parameter_unknown", lambda: _unchecked(server, "/v1/customers", wrong, key))
    )
    assert server.client.v1.customers.create({"name": "Ada"}, with_key(key)).name == "Ada"


def _unchecked(server: StripeServer, path: str, params: Any, key: str = "") -> Any:
    """Send parameters that the recorder would refuse."""
    with server.recorder.unchecked_requests():
        return server.client.raw_request("post", path, **params, idempotency_key=key or new_key())


@behavior(IDEMPOTENCY)
def refusal_is_replayed_after_top_up(server: StripeServer) -> None:
    account, key = server.connected_account(), new_key()
    payout: Any = {"amount": 5_000, "currency": "usd"}
    pay = server.client.v1.payouts.create
    refused("balance_insufficient", lambda: pay(payout, with_key(key, account)))
    server.earn(account, 10_000)
    refused("balance_insufficient", lambda: pay(payout, with_key(key, account)))
    assert pay(payout, with_key(new_key(), account)).status == "pending"


@behavior(IDEMPOTENCY)
def server_error_is_replayed(server: StripeServer) -> None:
    key = new_key()
    server.twin("faults", match="POST /v1/customers", do="status:500", times=1)
    errors = [refused("", lambda: server.client.v1.customers.create({"name": "Ada"}, with_key(key))) for _ in range(2)]
    assert [error.http_status for error in errors] == [500, 500]
    assert errors[1].headers is not None
    assert errors[1].headers["idempotent-replayed"] == "true"


@behavior("error-codes#idempotency-key-in-use")
def key_of_running_call_is_in_use(server: StripeServer) -> None:
    key = new_key()
    server.twin("faults", match="POST /v1/customers", do="delay:30", times=1)
    with pytest.raises(httpx.ReadTimeout):
        server.raw("POST", "/v1/customers", "name=Ada", timeout=1.0, idempotency_key=key)
    error = refused("idempotency_key_in_use", lambda: server.client.v1.customers.create({"name": "Ada"}, with_key(key)))
    assert error.http_status == 409


@behavior("connect/authentication")
def key_belongs_to_one_account(server: StripeServer) -> None:
    accounts = [server.connected_account() for _ in range(2)]
    key = new_key()
    for account in accounts:
        server.earn(account, 5_000)
    payout: Any = {"amount": 1_000, "currency": "usd"}
    made = {server.client.v1.payouts.create(payout, with_key(key, account)).id for account in accounts}
    assert len(made) == 2


@behavior(IDEMPOTENCY)
def key_is_forgotten_after_a_day(server: StripeServer) -> None:
    key = new_key()
    first = server.client.v1.customers.create({"name": "Ada"}, with_key(key))
    server.advance(23 * 3600)
    assert server.client.v1.customers.create({"name": "Ada"}, with_key(key)).id == first.id
    server.advance(2 * 3600)
    assert server.client.v1.customers.create({"name": "Ada"}, with_key(key)).id != first.id


@behavior("api-v2-overview")
def v2_runs_failed_call_again(server: StripeServer) -> None:
    key = new_key()
    server.twin("faults", match="POST /v2/core/accounts", do="status:500", times=1)
    account: Any = {"contact_email": "a@example.com", "dashboard": "express", "identity": {"country": "us"}}
    create = server.client.v2.core.accounts.create
    assert refused("", lambda: create(account, with_key(key))).http_status == 500
    assert create(account, with_key(key)).id == create(account, with_key(key)).id


@behavior("error-codes#parameter-unknown", sandbox=True)
def unknown_parameter_is_refused(server: StripeServer) -> None:
    error = refused(
        "parameter_unknown", lambda: _unchecked(server, "/v1/customers", {"invoice_settings": {"shade": "red"}})
    )
    assert isinstance(error, stripe.InvalidRequestError)
    assert error.param == "invoice_settings[shade]"


@behavior("error-codes#parameter-missing", sandbox=True)
def missing_parameter_is_named(server: StripeServer) -> None:
    error = refused("parameter_missing", lambda: _unchecked(server, "/v1/transfers", TRANSFER | {"destination": None}))
    assert isinstance(error, stripe.InvalidRequestError)


@behavior("error-codes#parameter-invalid-integer", sandbox=True)
def amount_must_be_an_integer(server: StripeServer) -> None:
    refused(
        "parameter_invalid_integer", lambda: _unchecked(server, "/v1/payouts", {"amount": "9.99", "currency": "usd"})
    )


@behavior("api/authentication")
def wrong_key_is_unauthorized(server: StripeServer) -> None:
    client = sdk_client("sk_test_wrong", server.url, server.recorder)
    assert refused("", lambda: client.v1.balance.retrieve()).http_status == 401


@behavior("error-codes#account-invalid", sandbox=True)
def unknown_account_is_forbidden(server: StripeServer) -> None:
    error = refused("account_invalid", lambda: server.client.v1.balance.retrieve({}, on("acct_1unknown")))
    assert error.http_status == 403


@behavior("error-codes#resource-missing", sandbox=True)
def unknown_object_is_not_found(server: StripeServer) -> None:
    assert refused("resource_missing", lambda: server.client.v1.customers.retrieve("cus_unknown")).http_status == 404


@behavior("api/pagination", sandbox=True)
def lists_are_paged_newest_first(server: StripeServer) -> None:
    email = f"{uuid.uuid4().hex}@example.com"
    made = [customer(server, email=email).id for _ in range(5)][::-1]
    first = server.client.v1.customers.list({"email": email, "limit": 2})
    assert [one.id for one in first.data] == made[:2]
    assert first.has_more
    second = server.client.v1.customers.list({"email": email, "limit": 2, "starting_after": made[1]})
    assert [one.id for one in second.data] == made[2:4]
    third = server.client.v1.customers.list({"email": email, "limit": 2, "starting_after": made[3]})
    assert ([one.id for one in third.data], third.has_more) == (made[4:], False)
    assert [one.id for one in server.client.v1.customers.list({"email": email, "limit": 2}).auto_paging_iter()] == made


@behavior("api/expanding_objects", sandbox=True)
def expanding_more_than_four_levels_is_refused(server: StripeServer) -> None:
    client = server.client.v1.customers
    refused("", lambda: client.list({"expand": ["data.a.b.c.d.e"]}), "expand")


@behavior("api/expanding_objects")
def expansion_replaces_ids_by_objects(server: StripeServer) -> None:
    charge = server.twin("charges", amount=2_000)["charge"]["id"]
    plain = server.client.v1.charges.retrieve(charge)
    assert isinstance(plain.balance_transaction, str)
    full = server.client.v1.charges.retrieve(
        charge, {"expand": ["balance_transaction", "payment_intent.latest_charge"]}
    )
    assert isinstance(full.balance_transaction, stripe.BalanceTransaction)
    assert full.balance_transaction.id == plain.balance_transaction
    assert isinstance(full.payment_intent, stripe.PaymentIntent)
    assert isinstance(full.payment_intent.latest_charge, stripe.Charge)


@behavior("api/metadata", sandbox=True)
def empty_value_removes_a_metadata_key(server: StripeServer) -> None:
    made = customer(server, metadata={"a": "1", "b": "2"})
    changed = server.client.v1.customers.update(made.id, {"metadata": {"a": "", "c": "3"}})
    assert changed.metadata is not None
    assert dict(changed.metadata.to_dict()) == {"b": "2", "c": "3"}


@behavior("api/events/list")
def undelivered_events_can_be_listed(server: StripeServer) -> None:
    server.twin("events/hold")
    made = customer(server)
    params: Any = {"delivery_success": False, "limit": 100, "types": ["customer.created"]}

    def waiting() -> list[Any]:
        events = server.client.v1.events.list(params).data
        return [event for event in events if event.data.object["id"] == made.id]

    assert len(waiting()) == 1
    assert server.twin("events/release", copies=2)["deliveries"] >= 2
    while body_of_delivery(server)["data"]["object"].get("id") != made.id:
        pass  # events of other tests come first
    while waiting():
        pass  # the fake marks a delivery once it has read the endpoint's answer


def body_of_delivery(server: StripeServer) -> Any:
    """Return the next event that the platform's endpoint received."""
    assert server.fake is not None
    return json.loads(server.fake.next("").body)


@behavior("api/errors", sandbox=True)
def errors_carry_a_request_id(server: StripeServer) -> None:
    error = refused("resource_missing", lambda: server.client.v1.customers.retrieve("cus_unknown"))
    assert (error.request_id or "").startswith("req_")


@behavior("rate-limits")
def rate_limited_call_can_be_repeated_with_its_key(server: StripeServer) -> None:
    key = new_key()
    server.twin("faults", match="POST /v1/customers", do="status:429", times=1)
    error = refused("rate_limit", lambda: server.client.v1.customers.create({"name": "Ada"}, with_key(key)))
    assert isinstance(error, stripe.RateLimitError)
    assert server.client.v1.customers.create({"name": "Ada"}, with_key(key)).id


@behavior("api/metadata", sandbox=True)
def metadata_has_at_most_fifty_keys(server: StripeServer) -> None:
    too_many = {f"key{n}": "1" for n in range(51)}
    refused("", lambda: server.client.v1.customers.create({"metadata": too_many}))
