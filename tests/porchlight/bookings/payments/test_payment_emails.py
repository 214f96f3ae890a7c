"""Emails about sessions that are paid by card: the price, and what goes back."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import pytest

from tests.fixtures.jobs import do_jobs
from tests.porchlight.bookings.api import CreateUser, execute, free_starts
from tests.porchlight.bookings.booking_emails import emails
from tests.porchlight.bookings.payments.session_shop import SessionShop

_APART = "UPDATE booking_emails SET created_at = created_at - interval '2 hours'"  # not one burst, and so one email


async def test_email_about_paid_session_names_payment(
    shop: SessionShop, new_owner: Any, create_user: CreateUser
) -> None:
    owner, user = await new_owner(payment="full"), await create_user("Emailed Em")
    shop.let_take_cards(owner.guru)
    booked = await shop.begin(user, owner.guru)
    await do_jobs(shop.database)
    assert emails(shop.database, UUID(booked["id"])) == {}  # not booked yet
    shop.pay_page(booked)
    await shop.settle()
    await do_jobs(shop.database)
    sent = emails(shop.database, UUID(booked["id"]))
    for side in ("person", "guru"):
        assert "$45.01, paid by card" in sent["booked", side]["plain"]
    assert "Cancel free" in sent["booked", "person"]["plain"]
    execute(shop.database, _APART)
    await owner.call("POST", f"/bookings/{booked['id']}/cancellation", {"reason": "I'm ill."})
    await shop.settle()
    await do_jobs(shop.database)
    sent = emails(shop.database, UUID(booked["id"]))
    assert "$45.01 goes back to your card, which takes 5 to 10 days." in sent["canceled", "person"]["plain"]
    assert "We return $45.01 to their card." in sent["canceled", "guru"]["plain"]


@pytest.mark.parametrize(
    ("percent", "person", "guru"),
    [
        (50, "$22.51 stays with {guru}. $22.50 goes back to your card", "$22.51 of their payment stays with you"),
        (100, "$45.01 stays with {guru}.", "$45.01 of their payment stays with you, less our fee."),
    ],
)
async def test_email_about_late_cancellation_names_both_parts(
    shop: SessionShop, new_owner: Any, create_user: CreateUser, percent: int, person: str, guru: str
) -> None:
    owner = await new_owner(payment="full", free_until_minutes=43_200, late_percent=percent, missed_percent=100)
    user = await create_user("Late Lu")
    shop.let_take_cards(owner.guru)
    booked = await shop.pay_for(user, owner.guru, (await free_starts(shop.web, owner.guru))[0])
    await do_jobs(shop.database)
    sent = emails(shop.database, UUID(booked["id"]))
    left = "$22.51" if percent == 50 else "$45.01"
    assert f"If you cancel now, you get back all but {left}." in sent["booked", "person"]["plain"]
    execute(shop.database, _APART)
    await shop.cancel(user, booked)
    await do_jobs(shop.database)
    sent = emails(shop.database, UUID(booked["id"]))
    name = f"Guru {owner.guru.mark}"
    assert person.format(guru=name) in sent["canceled", "person"]["plain"].replace("\n", " ")
    assert guru in sent["canceled", "guru"]["plain"].replace("\n", " ")
