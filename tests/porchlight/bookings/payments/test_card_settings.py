"""A guru's choice of how people pay, and what it needs."""

from __future__ import annotations

from typing import Any

import psycopg
import pytest

from porchlight.features.hours.card_payments import OTHER_CURRENCY
from porchlight.settlement.card_payments import NOT_CONNECTED, TOO_CHEAP
from sites.hours.service_settings import NOTHING_TO_CHARGE
from tests.porchlight.bookings.api import CreateUser, execute, free_starts, hold
from tests.porchlight.bookings.payments.session_shop import SessionShop
from tests.porchlight.bookings.payments.test_earnings import connect_account
from tests.porchlight.owner import GuruOwner

_READ_ONLY = {"serviceId", "minutes", "standardTerms"}


async def _save(owner: GuruOwner, payment: str, *, expect: int = 200, **changes: Any) -> Any:
    path = f"/services/{owner.guru.services[0]}/booking"
    settings = await owner.call("GET", path)
    body = {name: value for name, value in settings.items() if name not in _READ_ONLY} | {
        "payment": payment,
        "placeText": "12 Porch St",
    }
    if body["policy"] != "own":
        body["terms"] = None
    body |= changes
    return await owner.call("PUT", path, body, expect=expect)


async def test_cards_need_plan_then_account_then_price(shop: SessionShop, new_owner: Any) -> None:
    owner = await new_owner()
    refused = await _save(owner, "full", expect=402)
    assert (refused["code"], refused["plan"]) == ("plan_required", "skill-sharer")
    assert (await owner.call("GET", "/card-payments"))["state"] == "plan_required"
    shop.let_take_cards(owner.guru)
    assert (await _save(owner, "full", expect=422))["fields"] == {"payment": NOT_CONNECTED}
    assert (await owner.call("GET", "/card-payments"))["state"] == "not_connected"
    await connect_account(shop, owner)
    execute(shop.database, "UPDATE services SET price_cents = 499 WHERE tenant_id = %s", owner.guru.id)
    assert (await _save(owner, "full", expect=422))["fields"] == {"payment": TOO_CHEAP}
    execute(
        shop.database, "UPDATE services SET price_cents = 500, currency = 'EUR' WHERE tenant_id = %s", owner.guru.id
    )
    assert (await _save(owner, "full", expect=422))["fields"] == {"payment": OTHER_CURRENCY}
    execute(shop.database, "UPDATE services SET currency = 'USD' WHERE tenant_id = %s", owner.guru.id)
    assert (await _save(owner, "full"))["payment"] == "full"
    assert await owner.call("GET", "/card-payments") == {
        "state": "ready", "feeBps": 1000, "feeMinimumCents": 50, "minimumCents": 500,
    }  # fmt: skip


async def test_card_service_keeps_its_choice_without_plan(shop: SessionShop, new_owner: Any) -> None:
    owner = await new_owner(payment="full")
    assert (await _save(owner, "full"))["payment"] == "full"
    assert (await _save(owner, "in_person"))["payment"] == "in_person"
    assert (await _save(owner, "full", expect=402))["code"] == "plan_required"


async def test_hold_shows_how_it_is_paid(shop: SessionShop, new_owner: Any, create_user: CreateUser) -> None:
    owner, user = await new_owner(), await create_user("Looking Liv")
    token = await hold(user, owner.guru, (await free_starts(shop.web, owner.guru))[-1])
    shown = await user.get(f"/api/holds/{token}")
    assert (shown["paysByCard"], shown["policy"]["payment"]) == (False, "in_person")
    execute(shop.database, "UPDATE booking_settings SET payment = 'full' WHERE tenant_id = %s", owner.guru.id)
    token = await hold(user, owner.guru, (await free_starts(shop.web, owner.guru))[0])
    shown = await user.get(f"/api/holds/{token}")
    assert (shown["paysByCard"], shown["policy"]["payment"]) == (True, "full")


@pytest.mark.parametrize("payment", ["deposit", "hold"])
async def test_other_ways_need_what_cards_need(shop: SessionShop, new_owner: Any, payment: str) -> None:
    owner = await new_owner(missed_percent=50)
    assert (await _save(owner, payment, expect=402))["code"] == "plan_required"
    shop.let_take_cards(owner.guru)
    await connect_account(shop, owner)
    assert (await _save(owner, payment, depositPercent=35))["payment"] == payment
    saved = await owner.call("GET", f"/services/{owner.guru.services[0]}/booking")
    assert (saved["payment"], saved["depositPercent"]) == (payment, 35)


@pytest.mark.parametrize("percent", [4, 96, 0, -20, 20.5, "many", 10**9])
async def test_deposit_percent_has_limits(shop: SessionShop, new_owner: Any, percent: Any) -> None:
    owner = await new_owner(payment="full")
    assert (await _save(owner, "deposit", depositPercent=percent, expect=422))["code"] == "validation_failed"
    with pytest.raises(psycopg.errors.CheckViolation):
        execute(shop.database, "UPDATE booking_settings SET deposit_percent = 96 WHERE tenant_id = %s", owner.guru.id)


async def test_kept_card_needs_terms_that_charge(shop: SessionShop, new_owner: Any) -> None:
    owner = await new_owner(payment="full")
    free = {"freeUntilMinutes": 0, "latePercent": 0, "missedPercent": 0, "movesMax": 2, "moveUntilMinutes": 0}
    refused = await _save(owner, "hold", policy="own", terms=free, expect=422)
    assert refused["fields"] == {"payment": NOTHING_TO_CHARGE}
    assert (await _save(owner, "hold", policy="own", terms=free | {"missedPercent": 1}))["payment"] == "hold"


async def test_unknown_way_to_pay_is_refused(shop: SessionShop, new_owner: Any) -> None:
    owner = await new_owner()
    assert (await _save(owner, "later", expect=422))["code"] == "validation_failed"
    with pytest.raises(psycopg.errors.CheckViolation):
        execute(shop.database, "UPDATE booking_settings SET payment = 'later' WHERE tenant_id = %s", owner.guru.id)
