"""The instant payout that the balance offers, and the reasons for offering none."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import httpx
import psycopg
import pytest

from porchlight.features.payouts.money.errors import WORDS
from tests.fixtures.identity import Emulator
from tests.porchlight.documents.users import GuruUser, create_guru_user
from tests.porchlight.payouts.conftest import EARNINGS, connect, connected
from tests.porchlight.payouts.payout_calls import FEE, NET, balance, refusal, store_instant_payouts, take
from tests.porchlight.settlement.both_sides import BothSides

pytestmark = pytest.mark.usefixtures("instant_payouts_on")
PRICE = {"minimum": 100, "feeBasisPoints": 150, "feeMinimum": 50}


async def test_balance_of_stranger_is_empty(web: httpx.AsyncClient, emulator: Emulator, service_db: Any) -> None:
    user = await create_guru_user(web, emulator, service_db, "Ben Brook")
    empty: list[Any] = []
    assert await balance(user) == {
        "connected": False,
        "balance": {"available": empty, "pending": empty, "instant_available": empty},
        "availableCents": 0,
        "belowZeroCents": 0,
        "held": 0,
        "debt": 0,
        "instant": PRICE | {
            "eligible": False, "reason": WORDS["not_connected_yet"], "gross": 0, "fee": 0, "net": 0, "destination": "",
        },
    }  # fmt: skip


async def test_balance_offers_everything(guru: GuruUser) -> None:
    found = await balance(guru)
    assert found["connected"] is True
    assert found["balance"]["available"] == [{"amount": EARNINGS, "currency": "usd"}]
    assert found["balance"]["instant_available"] == [{"amount": EARNINGS, "currency": "usd"}]
    assert found["instant"] == PRICE | {
        "eligible": True, "reason": None, "gross": EARNINGS, "fee": FEE, "net": NET,
        "destination": "bank account ending in 6789",
    }  # fmt: skip


async def test_quote_tells_the_minimum(guru: GuruUser) -> None:
    response = await guru.web.get("/api/payouts/quote?amountCents=99", headers=guru.headers())
    assert refusal(response) == (422, "amount_too_small", "The smallest instant payout is $1.00.")


async def test_other_price_at_stripe_ends_the_offer(guru: GuruUser, sides: BothSides) -> None:
    sides.control("pricing", instant_bps=100)
    try:
        found = (await balance(guru))["instant"]
        assert (found["eligible"], found["reason"]) == (False, WORDS["price_differs"])
        assert refusal(await take(guru, 1_000))[1] == "price_differs"
    finally:
        sides.control("pricing", instant_bps=150)


REASONS: dict[str, Callable[[psycopg.Connection[Any], GuruUser], Any]] = {
    "not_connected_yet": lambda db, user: db.execute(
        "UPDATE payout_accounts SET connected = false WHERE user_id = %s", [user.user_id]
    ),
    "payouts_paused": lambda db, user: db.execute(
        "UPDATE payout_accounts SET payouts_enabled = false WHERE user_id = %s", [user.user_id]
    ),
    "destination_is_new": lambda db, user: db.execute(
        "UPDATE payout_accounts SET destinations_changed_at = app.now() - interval '71 hours' WHERE user_id = %s",
        [user.user_id],
    ),
    "payout_in_progress": lambda db, user: db.execute(
        "INSERT INTO payouts (user_id, id, account_id, amount, method)"
        " SELECT user_id, uuidv7(), account_id, 100, 'standard' FROM payout_accounts WHERE user_id = %s",
        [user.user_id],
    ),
    "payout_limit": lambda db, user: store_instant_payouts(db, user, 100, 5),
}


@pytest.mark.parametrize("reason", REASONS)
async def test_reason_is_told_before_and_on_request(
    guru: GuruUser, service_db: psycopg.Connection[Any], sides: BothSides, reason: str
) -> None:
    REASONS[reason](service_db, guru)
    found = (await balance(guru))["instant"]
    assert (found["eligible"], found["reason"]) == (False, WORDS[reason])
    status, code, message = refusal(await take(guru, 1_000))
    assert (status, message) == (409, WORDS[reason])
    assert code == {"destination_is_new": "payout_limit"}.get(reason, reason)


async def test_daily_amount_caps_the_offer(
    guru: GuruUser, service_db: psycopg.Connection[Any], sides: BothSides
) -> None:
    store_instant_payouts(service_db, guru, 240_000)
    found = (await balance(guru))["instant"]
    assert (found["eligible"], found["net"]) == (True, 10_000)
    assert refusal(await take(guru, 10_001))[1] == "payout_limit"


async def test_debt_is_covered_first(guru: GuruUser, sides: BothSides) -> None:
    sides.run(
        "SELECT app.post(uuidv7(), 'refunded', 'refund', %s, ARRAY[app.ledger_account('guru_payable', 'usd', NULL, %s,"
        " NULL)], ARRAY[app.ledger_account('card_network', 'usd', NULL, NULL, NULL)], ARRAY[700::bigint])",
        str(guru.user_id), guru.user_id,
    )  # fmt: skip
    found = await balance(guru)
    assert (found["debt"], found["instant"]["reason"]) == (700, WORDS["balance_negative"])
    assert (found["availableCents"], found["belowZeroCents"]) == (EARNINGS - 700, 0)
    assert refusal(await take(guru))[1] == "balance_negative"


async def test_account_without_instant_method_is_told(
    web: httpx.AsyncClient, emulator: Emulator, service_db: psycopg.Connection[Any], sides: BothSides
) -> None:
    user = await create_guru_user(web, emulator, service_db, "Cleo Cole")
    await connect(user, sides, external_account="000555555559")
    sides.earn(connected(service_db, user), 5_000)
    assert (await balance(user))["instant"]["reason"] == WORDS["no_instant_method"]
    assert refusal(await take(user, 1_000))[1] == "no_instant_method"
