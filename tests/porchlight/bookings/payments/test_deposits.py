"""Sessions of which a deposit is paid by card when they are booked, at the fake Stripe."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import pytest

from porchlight.features.bookings.deadlines import complete_bookings
from tests.fixtures.jobs import do_jobs
from tests.porchlight.bookings.api import CreateUser, execute, free_starts, hold
from tests.porchlight.bookings.booking_emails import emails
from tests.porchlight.bookings.payments.session_shop import SessionShop
from tests.porchlight.bookings.payments.test_earnings import connect_account
from tests.porchlight.bookings.payments.test_guru_refunds import give_back
from tests.porchlight.bookings.payments.test_paid_groups import begin_series
from tests.porchlight.owner import GuruOwner

# $13.50 of $45.01; half of the price ($22.51) is owed for canceling in the last 30 days.
TERMS: dict[str, Any] = {
    "payment": "deposit", "deposit_percent": 30, "policy": "own", "free_until_minutes": 43_200, "late_percent": 50,
    "missed_percent": 100,
}  # fmt: skip


@pytest.fixture
async def owner(shop: SessionShop, new_owner: Any) -> GuruOwner:
    """The owner of a guru who takes deposits."""
    created: GuruOwner = await new_owner(**TERMS)
    shop.let_take_cards(created.guru)
    return created


async def test_deposit_is_paid_delivered_and_on_the_receipt(
    shop: SessionShop, owner: GuruOwner, create_user: CreateUser
) -> None:
    guru, user = owner.guru, await create_user("Deposit Dot")
    await connect_account(shop, owner)
    token = await hold(user, guru, (await free_starts(shop.web, guru))[0])
    shown = await user.get(f"/api/holds/{token}")
    assert (shown["paysByCard"], shown["dueNowCents"], shown["policy"]["depositPercent"]) == (True, 1350, 30)
    booked = await shop.pay_for(user, guru, (await free_starts(shop.web, guru))[0])
    payment = booked["payment"]
    assert (booked["status"], payment["mode"], payment["amountCents"], payment["restCents"]) == (
        "confirmed", "deposit", 1350, 3151,
    )  # fmt: skip
    assert shop.objects("charge")[-1]["amount"] == 1350
    (order,) = (await user.get("/api/orders"))["orders"]
    assert (order["mode"], order["amountCents"], order["restCents"], order["reason"]) == ("deposit", 1350, 3151, "")
    assert (await user.request("GET", f"/api/orders/{order['id']}/receipt.pdf")).status_code == 200
    details = (await owner.call("GET", f"/bookings/{booked['id']}"))["payment"]
    assert (details["mode"], details["amountCents"], details["feeCents"], details["shareCents"]) == (
        "deposit", 1350, 135, 1215,
    )  # fmt: skip
    shop.end_sessions(guru)
    complete_bookings(shop.database.service_url)
    await shop.deliver_due()
    assert shop.balances(shop.payments(guru)[0]["owner_id"]) == {"guru_stripe": 1215}


@pytest.mark.parametrize(
    ("late_percent", "kept", "balances"),
    [(50, 1350, {"guru_held": 1215}), (100, 1350, {"guru_held": 1215}), (10, 451, {"guru_held": 401}), (0, 0, {})],
)
async def test_late_cancellation_keeps_the_smaller_of_deposit_and_owed(
    shop: SessionShop, owner: GuruOwner, create_user: CreateUser, late_percent: int, kept: int,
    balances: dict[str, int],
) -> None:  # fmt: skip
    guru, user = owner.guru, await create_user("Late Lil")
    execute(
        shop.database, "UPDATE booking_settings SET late_percent = %s WHERE tenant_id = %s", late_percent, guru.id
    )  # fmt: skip
    booked = await shop.pay_for(user, guru, (await free_starts(shop.web, guru))[0])
    assert booked["payment"]["refundCents"] == 1350 - kept
    now = await shop.cancel(user, booked)
    assert now["payment"]["refundedCents"] == 1350 - kept
    assert now["owedCents"] == -(-4501 * late_percent // 100)
    assert shop.balances(shop.payments(guru)[0]["owner_id"]) == balances


async def test_deposit_that_is_too_little_is_the_whole_price(
    shop: SessionShop, owner: GuruOwner, create_user: CreateUser
) -> None:
    guru, user = owner.guru, await create_user("Little Lu")
    execute(shop.database, "UPDATE booking_settings SET deposit_percent = 11 WHERE tenant_id = %s", guru.id)
    booked = await shop.pay_for(user, guru)  # 11 % are $4.95
    assert (booked["payment"]["mode"], booked["payment"]["amountCents"], booked["payment"]["restCents"]) == (
        "full", 4501, 0,
    )  # fmt: skip


async def test_changed_percent_leaves_bookings_alone(
    shop: SessionShop, owner: GuruOwner, create_user: CreateUser
) -> None:
    guru, user = owner.guru, await create_user("Copied Cy")
    booked = await shop.begin(user, guru)
    execute(
        shop.database,
        "UPDATE booking_settings SET deposit_percent = 60, payment = 'hold' WHERE tenant_id = %s", guru.id,
    )  # fmt: skip
    shop.pay_page(booked)
    await shop.settle()
    now = await user.get(f"/api/bookings/{booked['id']}")
    assert (now["status"], now["payment"]["amountCents"], now["policy"]["depositPercent"]) == ("confirmed", 1350, 30)


async def test_series_pays_a_deposit_for_each_session(
    shop: SessionShop, owner: GuruOwner, create_user: CreateUser
) -> None:
    user = await create_user("Series Sal")
    series = await begin_series(shop, user, owner.guru, 2)
    assert [one["payment"]["totalCents"] for one in series["bookings"]] == [2700, 2700]
    shop.pay_page(series["bookings"][0])
    await shop.settle()
    assert shop.objects("charge")[-1]["amount"] == 2700
    assert shop.balances(shop.payments(owner.guru)[0]["owner_id"]) == {"guru_held": 2430}
    first = series["bookings"][0]
    await give_back(owner, first, 350, kept=1350)
    following = await user.get(f"/api/bookings/{first['id']}/following")
    # $22.51 is owed for each: what the guru gave back is not owed again.
    shown = [(one["staysCents"], one["restCents"]) for one in following["sessions"]]
    assert shown == [(1000, 2251 - 1350), (1350, 2251 - 1350)]


_APART = "UPDATE booking_emails SET created_at = created_at - interval '2 hours'"  # not one burst, and so one email


async def test_emails_name_deposit_and_rest(shop: SessionShop, owner: GuruOwner, create_user: CreateUser) -> None:
    guru, user = owner.guru, await create_user("Emailed Em")
    booked = await shop.pay_for(user, guru, (await free_starts(shop.web, guru))[0])
    await do_jobs(shop.database)
    sent = emails(shop.database, UUID(booked["id"]))
    for side in ("person", "guru"):
        text = sent["booked", side]["plain"].replace("\n", " ")
        assert "$45.01: $13.50 is paid by card, $31.51 at the session" in text
    text = sent["booked", "person"]["plain"].replace("\n", " ")
    assert "If you cancel now, your deposit of $13.50 isn't returned." in text
    execute(shop.database, _APART)
    await shop.cancel(user, booked)
    await do_jobs(shop.database)
    sent = emails(shop.database, UUID(booked["id"]))
    name = f"Guru {guru.mark}"
    text = sent["canceled", "person"]["plain"].replace("\n", " ")
    assert f"$13.50 stays with {name}. You owe $9.01 more, which we don't collect: please settle it with" in text
    text = sent["canceled", "guru"]["plain"].replace("\n", " ")
    assert "$13.50 of their payment stays with you, less our fee. They owe you $9.01 more" in text
