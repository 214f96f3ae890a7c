"""Requests for instant payouts over HTTP, with the fake Stripe and a worker."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import Any

import httpx
import psycopg
import pytest

from porchlight.app import Porchlight
from porchlight.features.payouts.money import instant
from porchlight.features.payouts.money.errors import WORDS
from porchlight.features.payouts.money.instant_rules import PayoutFacts
from porchlight.features.payouts.money.payout_facts import facts_of
from tenants.kit import clock
from tests.fixtures.databases import Database
from tests.fixtures.refusals import invalid_fields
from tests.fixtures.timeouts import changed_timeouts
from tests.porchlight.documents.users import GuruUser
from tests.porchlight.payouts.conftest import EARNINGS, account_of, connected
from tests.porchlight.payouts.payout_calls import FEE, NET, balance, history, refusal, take, worker
from tests.porchlight.settlement.both_sides import BothSides, ConnectedGuru

pytestmark = pytest.mark.usefixtures("instant_payouts_on")


async def test_instant_payout_of_everything(
    app: Porchlight, guru: GuruUser, database: Database, sides: BothSides
) -> None:
    async with worker(database, app):
        response = await take(guru)
    assert response.json() == {"success": True, "ok": True, "data": {"amountCents": NET, "status": "pending"}}
    (made,) = sides.objects("payout", amount=str(NET), account=account_of(sides, guru))
    assert (made["method"], made["application_fee_amount"], made["amount"]) == ("instant", FEE, NET)
    (item,) = (await history(guru))["items"]
    assert item | {"id": "", "createdAt": ""} == {
        "id": "", "createdAt": "", "amountCents": NET, "feeCents": FEE, "method": "instant", "automatic": False,
        "last4": "6789", "state": "sent", "failureCode": "", "arrivalDate": item["arrivalDate"],
    }  # fmt: skip
    assert sides.ledger(ConnectedGuru(guru.user_id, "")) == (0, 0)
    found = await balance(guru)
    assert found["instant"]["reason"] == WORDS["payout_in_progress"]


@pytest.mark.parametrize(("cents", "fee"), [(200, 50), (100, 50), (5_000, 75), (19_704, 296)])
async def test_fee_taken_is_the_fee_quoted(
    app: Porchlight, guru: GuruUser, database: Database, sides: BothSides, cents: int, fee: int
) -> None:
    response = await guru.web.get(f"/api/payouts/quote?amountCents={cents}", headers=guru.headers())
    quote = response.json()["data"]
    assert quote == {"gross": cents + fee, "fee": fee, "net": cents}
    async with worker(database, app):
        taken = await take(guru, cents, total=quote["gross"])
    assert taken.status_code == 200, taken.text
    (made,) = sides.objects("payout", amount=str(cents), account=account_of(sides, guru))
    assert made["application_fee_amount"] == fee
    (item,) = (await history(guru))["items"]
    assert (item["amountCents"], item["feeCents"]) == (cents, fee)


@pytest.mark.parametrize(("cents", "total"), [(200, 203), (None, EARNINGS - 1), (None, 100_000)])
async def test_other_total_than_confirmed_is_refused(guru: GuruUser, cents: int | None, total: int) -> None:
    assert refusal(await take(guru, cents, total=total)) == (409, "amounts_changed", WORDS["amounts_changed"])
    assert (await history(guru))["items"] == []


async def test_same_key_pays_once(app: Porchlight, guru: GuruUser, database: Database, sides: BothSides) -> None:
    async with worker(database, app):
        responses = await asyncio.gather(*(take(guru, 1_000, "two-tabs") for _ in range(6)))
        assert {response.status_code for response in responses} == {200}
        assert refusal(await take(guru, 1_001, "two-tabs"))[:2] == (409, "key_reused")
    assert len(sides.objects("payout", account=account_of(sides, guru))) == 1


async def test_same_key_stored_meanwhile_pays_once(
    app: Porchlight, guru: GuruUser, database: Database, sides: BothSides, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The other tab's request is stored between the two reads of this one."""
    other: list[httpx.Response] = []

    async def facts_after_other(*args: Any) -> PayoutFacts:
        monkeypatch.setattr(instant, "facts_of", facts_of)
        other.append(await take(guru, 1_000, "two-tabs"))
        return await facts_of(*args)

    monkeypatch.setattr(instant, "facts_of", facts_after_other)
    async with worker(database, app):
        responses = [await take(guru, 1_000, "two-tabs"), *other]
    assert [response.status_code for response in responses] == [200, 200]
    assert len(sides.objects("payout", account=account_of(sides, guru))) == 1


async def test_two_tabs_at_once_pay_once(app: Porchlight, guru: GuruUser, database: Database, sides: BothSides) -> None:
    async with worker(database, app):
        responses = await asyncio.gather(*(take(guru, 1_000, f"tab-{tab}") for tab in range(4)))
    codes = sorted(response.status_code for response in responses)
    assert codes == [200, 409, 409, 409]
    assert {refusal(response)[1] for response in responses if response.status_code == 409} == {"payout_in_progress"}
    assert len(sides.objects("payout", account=account_of(sides, guru))) == 1


@pytest.mark.parametrize("cents", [0, -1, 99, -(2**50)])
async def test_too_small_amount_is_refused(guru: GuruUser, cents: int) -> None:
    assert refusal(await take(guru, cents)) == (422, "amount_too_small", WORDS["amount_too_small"])


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"amountCents": 10.5}, "amountCents"),
        ({"amountCents": "100"}, "amountCents"),
        ({"amountCents": True}, "amountCents"),
        ({"amountCents": 2**60}, "amountCents"),
        ({"amount": 1}, "amount"),
        ([], "body"),
    ],
)
async def test_malformed_amount_is_invalid(guru: GuruUser, body: Any, field: str) -> None:
    response = await guru.web.post("/api/payouts/instant", json=body, headers=guru.headers())
    assert list(invalid_fields(response)) == [field]
    assert (await history(guru))["items"] == []


@pytest.mark.parametrize("cents", [NET + 1, 2**53])
async def test_too_large_amount_names_the_most(guru: GuruUser, cents: int) -> None:
    expected = (409, "amount_too_large", "You can get up to $197.04 right now.")
    assert refusal(await take(guru, cents)) == expected


async def test_old_sign_in_cannot_take_large_payout(
    guru: GuruUser, service_db: psycopg.Connection[Any], sides: BothSides, monkeypatch: pytest.MonkeyPatch
) -> None:
    sides.earn(connected(service_db, guru), 100_000)
    real = clock.now
    monkeypatch.setattr("tenants.kit.clock.now", lambda: real() + timedelta(minutes=31))
    assert refusal(await take(guru, 50_001))[:2] == (409, "sign_in_again")


@pytest.mark.parametrize(
    ("fault", "code"),
    [
        ("refuse:balance_insufficient", "payout_refused"),
        ("refuse:instant_payouts_limit_exceeded", "platform_limit"),
        ("refuse:instant_payouts_unsupported", "no_instant_method"),
    ],
)
async def test_refusal_of_stripe_returns_the_money(
    app: Porchlight, guru: GuruUser, database: Database, sides: BothSides, fault: str, code: str
) -> None:
    sides.fault(fault)
    async with worker(database, app):
        assert refusal(await take(guru, 1_000)) == (409, code, WORDS[code])
    assert sides.ledger(ConnectedGuru(guru.user_id, "")) == (EARNINGS, 0)
    (item,) = (await history(guru))["items"]
    assert (item["state"], item["failureCode"]) == ("failed", fault.partition(":")[2])


async def test_slow_stripe_makes_payout_pending(guru: GuruUser, sides: BothSides) -> None:
    with changed_timeouts(payout_response_seconds=0.5):
        response = await take(guru, 1_000)  # no worker sends it
    assert response.json()["data"] == {"amountCents": 1_000, "status": "pending"}
    assert sides.ledger(ConnectedGuru(guru.user_id, ""))[1] == 1_000 + 50  # the minimum


async def test_hanging_stripe_answers_payments_away(guru: GuruUser, sides: BothSides) -> None:
    sides.fault("hang:5", "GET /v1/balance", times=2)
    with changed_timeouts(stripe_call_seconds=0.5):
        response = await guru.web.get("/api/payouts/balance", headers=guru.headers())
        assert (response.status_code, response.json()["error"]["code"]) == (503, "payments_away")
        response = await take(guru)
    assert (response.status_code, response.json()["error"]["code"]) == (503, "payments_away")
    assert (await history(guru))["items"] == []
