"""Emails about packages that were bought: to the person, that they end soon, and to the guru."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import psycopg
import pytest

from porchlight.features.bookings.deadlines import queue_due_emails
from porchlight.features.bookings.packages.endings import tell_of_endings
from tests.fixtures.jobs import do_jobs
from tests.porchlight.angels.users import ApiUser
from tests.porchlight.bookings.api import book, execute, free_starts
from tests.porchlight.bookings.packages import give
from tests.porchlight.bookings.payments.package_buyers import buy
from tests.porchlight.bookings.payments.session_shop import SessionShop
from tests.porchlight.bookings.test_customers import booked as booked_customer
from tests.porchlight.owner import GuruOwner


async def mails(shop: SessionShop, key: str) -> list[dict[str, Any]]:
    """Run the jobs, and return the emails with a key like this, the oldest first."""
    await do_jobs(shop.database)
    return shop.rows("SELECT subject, plain FROM dev_mailbox WHERE key LIKE %s ORDER BY id", key)


def remind(shop: SessionShop) -> int:
    """Queue the reminders of packages that end soon. Return how many."""
    with psycopg.connect(shop.database.service_url) as conn:
        return tell_of_endings(conn)


def set_end(shop: SessionShop, package: dict[str, Any], ends: timedelta, made: timedelta = timedelta(days=30)) -> None:
    """Let a package end after some time, and have been made some time ago."""
    change = "UPDATE package_grants SET expires_at = app.now() + %s, created_at = app.now() - %s WHERE id = %s"
    execute(shop.database, change, ends, made, package["id"])


async def test_bought_package_is_confirmed_to_both(shop: SessionShop, card_guru: GuruOwner, buyer: ApiUser) -> None:
    bought = await buy(shop, card_guru, buyer)
    (person,) = await mails(shop, f"package-{bought['id']}-%")
    assert person["subject"].startswith("You bought Monthly Mentorship: 4 sessions with ")
    for words in ("Paid: $200.00", "Left: 4 of 4 sessions", "Until: ", "Choose a time"):
        assert words in person["plain"]
    (guru,) = await mails(shop, f"package-sold-{bought['paymentId']}")
    assert guru["subject"] == "Ada Neighbor bought Monthly Mentorship for $200.00"
    for words in ("paid $200.00 for 4 sessions", "a day after it took place", "See who has your packages"):
        assert words in guru["plain"]


async def test_sessions_taken_back_name_their_refund(shop: SessionShop, card_guru: GuruOwner, buyer: ApiUser) -> None:
    bought = await buy(shop, card_guru, buyer)
    back = {"sessions": 1, "left": 4, "reason": "I am away in May."}
    await card_guru.call("POST", f"/package-grants/{bought['id']}/withdrawal", back)
    _first, told = await mails(shop, f"package-{bought['id']}-%")
    assert "took back 1 session of your package Monthly Mentorship." in told["plain"]
    assert "$50.00 goes back to your card" in told["plain"]
    assert "I am away in May." in told["plain"]


async def test_gift_taken_back_names_no_money(shop: SessionShop, card_guru: GuruOwner, buyer: ApiUser) -> None:
    session = await book(buyer, card_guru.guru, (await free_starts(shop.web, card_guru.guru))[0])
    given = await give(card_guru, session["id"])
    back = {"sessions": 1, "left": 3, "reason": "We agreed."}
    await card_guru.call("POST", f"/package-grants/{given['id']}/withdrawal", back)
    _first, told = await mails(shop, f"package-{given['id']}-%")
    assert "card" not in told["plain"]


async def test_package_lost_to_the_bank_is_not_the_gurus_word(
    shop: SessionShop, card_guru: GuruOwner, buyer: ApiUser
) -> None:
    bought = await buy(shop, card_guru, buyer)
    (paid,) = shop.payments(card_guru.guru)
    found = shop.control("disputes", charge=paid["charge_id"])["id"]
    await shop.settle()
    shop.control("disputes", dispute=found, status="lost")
    await shop.settle()
    _first, told = await mails(shop, f"package-{bought['id']}-%")
    assert told["subject"] == "Your package Monthly Mentorship has ended"
    assert "we took back 4 sessions that you had left" in told["plain"]
    assert "wrote" not in told["plain"]


async def test_ending_package_is_told_once(shop: SessionShop, card_guru: GuruOwner, buyer: ApiUser) -> None:
    bought = await buy(shop, card_guru, buyer)
    await mails(shop, "%")
    set_end(shop, bought, timedelta(days=6))
    queue_due_emails(shop.database.service_url)
    queue_due_emails(shop.database.service_url)
    (_bought, told) = await mails(shop, f"package-{bought['id']}-%")
    assert told["subject"].startswith("Your package Monthly Mentorship ends on ")
    assert "You have 4 of 4 sessions left" in told["plain"]
    assert "are not refunded" in told["plain"]
    assert "Choose a time" in told["plain"]
    own = await buyer.get(f"/api/packages/{bought['id']}")
    assert [one["event"] for one in own["events"]] == ["bought"]  # the reminder is not history


@pytest.mark.parametrize(
    ("ends", "made"),
    [(timedelta(days=8), timedelta(days=30)), (timedelta(hours=20), timedelta(days=30)),
     (-timedelta(days=1), timedelta(days=30)), (timedelta(days=5), timedelta(days=6))],
    ids=["later", "tomorrow", "over", "first week"],
)  # fmt: skip
async def test_package_at_other_times_is_not_told(
    shop: SessionShop, card_guru: GuruOwner, buyer: ApiUser, ends: timedelta, made: timedelta
) -> None:
    set_end(shop, await buy(shop, card_guru, buyer), ends, made)
    assert remind(shop) == 0


async def test_extended_package_is_told_again(shop: SessionShop, card_guru: GuruOwner, buyer: ApiUser) -> None:
    bought = await buy(shop, card_guru, buyer)
    set_end(shop, bought, timedelta(days=6))
    assert (remind(shop), remind(shop)) == (1, 0)
    later = f"{int(bought['lastDay'][:4]) + 1}{bought['lastDay'][4:]}"
    await card_guru.call("PUT", f"/package-grants/{bought['id']}/last-day", {"lastDay": later})
    assert remind(shop) == 0
    set_end(shop, bought, timedelta(days=6))
    assert remind(shop) == 1


async def test_withdrawal_leaves_the_reminder_told(shop: SessionShop, card_guru: GuruOwner, buyer: ApiUser) -> None:
    bought = await buy(shop, card_guru, buyer)
    set_end(shop, bought, timedelta(days=6))
    assert remind(shop) == 1
    back = {"sessions": 1, "left": 4, "reason": "We agreed."}
    await card_guru.call("POST", f"/package-grants/{bought['id']}/withdrawal", back)
    assert remind(shop) == 0


async def test_used_package_and_customers_are_not_told(shop: SessionShop, card_guru: GuruOwner, buyer: ApiUser) -> None:
    bought = await buy(shop, card_guru, buyer)
    execute(shop.database, "UPDATE package_grants SET left_over = 0 WHERE id = %s", bought["id"])
    customer = await booked_customer(card_guru, (await free_starts(shop.web, card_guru.guru))[0])
    given = await give(card_guru, customer["id"])
    for package in (bought, given):
        set_end(shop, package, timedelta(days=6))
    assert remind(shop) == 0
