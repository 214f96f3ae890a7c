"""Emails about sessions for which a card is kept: what canceling costs, what was charged, and what was not."""

from __future__ import annotations

from uuid import UUID

import pytest

from tests.fixtures.jobs import do_jobs
from tests.porchlight.billing.plan_shop import FAILS_LATER, PAYS
from tests.porchlight.bookings.api import CreateUser, execute, free_starts
from tests.porchlight.bookings.booking_emails import emails
from tests.porchlight.bookings.payments.session_shop import SessionShop
from tests.porchlight.bookings.payments.test_kept_cards import mark, owner
from tests.porchlight.owner import GuruOwner

__all__ = ["owner"]
_APART = "UPDATE booking_emails SET created_at = created_at - interval '2 hours'"  # not one burst, and so one email


async def _sent(shop: SessionShop, booking_id: str) -> dict[tuple[str, str], str]:
    """Return the texts of the emails about a booking, by kind and side."""
    await do_jobs(shop.database)
    found = emails(shop.database, UUID(booking_id))
    execute(shop.database, _APART)
    return {key: one["plain"].replace("\n", " ") for key, one in found.items()}


@pytest.mark.parametrize("number", [PAYS, FAILS_LATER])
async def test_emails_of_late_cancellation_name_the_charge(
    shop: SessionShop, owner: GuruOwner, create_user: CreateUser, number: str
) -> None:
    guru, user = owner.guru, await create_user("Late Lu")
    booked = await shop.pay_for(user, guru, (await free_starts(shop.web, guru))[0], number)
    sent = await _sent(shop, booked["id"])
    assert "If you cancel now, your card is charged $22.51." in sent["booked", "person"]
    for side in ("person", "guru"):
        assert "$45.01, paid at the session. A card is kept" in sent["booked", side]
    await shop.cancel(user, booked, settle=False)
    sent = await _sent(shop, booked["id"])
    assert "you owe $22.51. We charge it to your card." in sent["canceled", "person"]
    assert "they owe $22.51. We charge it to their card, less our fee." in sent["canceled", "guru"]
    await shop.settle()
    sent = await _sent(shop, booked["id"])
    charged, failed = sent.get(("charged", "person")), sent.get(("charge_failed", "person"))
    if number == PAYS:
        assert charged is not None
        assert failed is None
        assert "$22.51 was charged to your Visa ending in 4242." in charged
    else:
        assert failed is not None
        assert charged is None
        assert "you owe $22.51. Your bank didn't let us charge it to your Visa ending in 0341." in failed
        assert f"/sessions/{booked['id']}" in failed
    assert ("charged", "guru") not in sent
    assert ("charge_failed", "guru") not in sent


async def test_email_of_missed_session_says_why(shop: SessionShop, owner: GuruOwner, create_user: CreateUser) -> None:
    guru, user = owner.guru, await create_user("Missing Mia")
    booked = await shop.pay_for(user, guru, (await free_starts(shop.web, guru))[0])
    shop.end_sessions(guru, hours=1)
    await mark(shop, owner, booked, missed=True)
    sent = await _sent(shop, booked["id"])
    assert f"Guru {guru.mark} noted that you missed" in sent["charged", "person"]
    assert "$45.01 was charged to your Visa ending in 4242." in sent["charged", "person"]


async def test_emails_of_free_cancellation_name_no_charge(
    shop: SessionShop, owner: GuruOwner, create_user: CreateUser
) -> None:
    guru, user = owner.guru, await create_user("Free Fin")
    booked = await shop.pay_for(user, guru, (await free_starts(shop.web, guru))[0])
    await _sent(shop, booked["id"])
    await owner.call("POST", f"/bookings/{booked['id']}/cancellation", {"reason": "I'm ill."})
    await shop.settle()
    sent = await _sent(shop, booked["id"])
    assert "You owe nothing, and your card isn't charged." in sent["canceled", "person"]
    assert "They owe nothing, and their card isn't charged." in sent["canceled", "guru"]
