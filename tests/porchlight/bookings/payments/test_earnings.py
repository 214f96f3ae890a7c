"""Earnings of a session: delivered a day after its end, then sent to the guru's account."""

from __future__ import annotations

from typing import Any

import psycopg

from porchlight.features.bookings.deadlines import complete_bookings
from tests.porchlight.bookings.api import CreateUser
from tests.porchlight.bookings.payments.session_shop import SessionShop
from tests.porchlight.factories import SeededGuru, insert_row
from tests.porchlight.owner import GuruOwner
from tests.porchlight.payouts.stripe_fake import Browser


async def connect_account(shop: SessionShop, guru_owner: GuruOwner) -> str:
    """Connect a guru's payout account at the fake Stripe, and return its id."""
    account = await shop.payouts.open_account(email="guru@example.com", key=str(guru_owner.guru.id))
    page = "https://porchlight.example/onboarding/payout"
    Browser().complete_onboarding(await shop.payouts.onboarding_url(account, return_url=page, refresh_url=page))
    state = await shop.payouts.state(account)
    assert state is not None
    assert state.payouts_enabled
    values = {
        "user_id": guru_owner.guru.owner, "account_id": account, "connected": True, "charges_enabled": True,
        "payouts_enabled": True, "details_submitted": True,
    }  # fmt: skip
    with psycopg.connect(shop.database.service_url) as conn:
        insert_row(conn, "payout_accounts", values)
    return account


async def finish(shop: SessionShop, guru: SeededGuru) -> None:
    """Let a guru's sessions be over for a day, and run the jobs that are due then, twice."""
    shop.end_sessions(guru)
    complete_bookings(shop.database.service_url)
    await shop.deliver_due()
    await shop.deliver_due()


async def test_earned_money_reaches_connected_account(
    shop: SessionShop, new_owner: Any, create_user: CreateUser
) -> None:
    guru_owner, user = await new_owner(payment="full"), await create_user("Happy Hugo")
    guru, owner = guru_owner.guru, shop.let_take_cards(guru_owner.guru)
    account = await connect_account(shop, guru_owner)
    await shop.pay_for(user, guru)
    await shop.deliver_due()
    assert shop.balances(owner) == {"guru_held": 4051}  # the session is ahead
    await finish(shop, guru)
    (paid,) = shop.payments(guru)
    assert (paid["transfer_state"], paid["transferred_cents"]) == ("done", 4051)
    assert shop.balances(owner) == {"guru_stripe": 4051}
    (sent,) = shop.objects("transfer", transfer_group=str(paid["group_id"]))
    assert (sent["amount"], sent["destination"], sent["source_transaction"]) == (4051, account, paid["charge_id"])


async def test_earned_money_waits_for_account(shop: SessionShop, new_owner: Any, create_user: CreateUser) -> None:
    guru_owner, user = await new_owner(payment="full"), await create_user("Early Eve")
    owner = shop.let_take_cards(guru_owner.guru)
    await shop.pay_for(user, guru_owner.guru)
    await finish(shop, guru_owner.guru)
    assert shop.balances(owner) == {"guru_payable": 4051}
    await connect_account(shop, guru_owner)
    await shop.deliver_due()
    assert shop.balances(owner) == {"guru_stripe": 4051}


async def test_missed_session_earns_what_is_owed(shop: SessionShop, new_owner: Any, create_user: CreateUser) -> None:
    guru_owner, user = await new_owner(payment="full", missed_percent=50), await create_user("Missing Mia")
    owner = shop.let_take_cards(guru_owner.guru)
    booked = await shop.pay_for(user, guru_owner.guru)
    shop.end_sessions(guru_owner.guru, hours=1)
    await guru_owner.call("POST", f"/bookings/{booked['id']}/attendance", {"missed": True})
    await shop.settle()
    assert (await user.get(f"/api/bookings/{booked['id']}"))["payment"]["refundedCents"] == 2250
    undone = await guru_owner.call("POST", f"/bookings/{booked['id']}/attendance", {"missed": False}, expect=409)
    assert undone["code"] == "already_refunded"
    await finish(shop, guru_owner.guru)
    assert shop.balances(owner) == {"guru_payable": 2251 - 225}


async def test_transfer_that_stripe_refuses_stays_with_us(
    shop: SessionShop, new_owner: Any, create_user: CreateUser
) -> None:
    guru_owner, user = await new_owner(payment="full"), await create_user("Stuck Stu")
    owner = shop.let_take_cards(guru_owner.guru)
    await connect_account(shop, guru_owner)
    await shop.pay_for(user, guru_owner.guru)
    shop.control("faults", match="POST /v1/transfers", do="status:400", times=1)
    await finish(shop, guru_owner.guru)
    (paid,) = shop.payments(guru_owner.guru)
    assert (paid["transfer_state"], paid["transferred_cents"]) == ("stuck", 0)
    assert shop.balances(owner) == {"guru_payable": 4051}
    held = shop.rows("SELECT state FROM ledger_holds WHERE subject_id = %s", str(paid["id"]))
    assert [one["state"] for one in held] == ["voided"]
