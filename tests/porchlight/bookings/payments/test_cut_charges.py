"""A write about a kept card whose response is lost: one charge and one posting, and a card that is let go of."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any
from uuid import UUID

import psycopg
import pytest

from porchlight.features.bookings.payments.jobs import deliver_payments
from porchlight.settlement import outbox
from tests.porchlight.billing.plan_shop import FAILS_LATER, PAYS
from tests.porchlight.bookings.api import CreateUser
from tests.porchlight.bookings.payments.session_shop import SessionShop
from tests.porchlight.bookings.payments.test_cut_after_accept import states
from tests.porchlight.bookings.payments.test_kept_cards import LATE, cards, keep
from tests.porchlight.factories import SeededGuru
from tests.porchlight.settlement.both_sides import SettableClock

CUTS = ("drop_before", "drop_after_commit", "close", "status:500", "worker_killed")
# The method and path of each kind of writes.
KINDS = {
    "session_charge": "POST /v1/payment_intents",
    "session_card_release": "POST /v1/payment_methods/*",
    "session_customer_end": "DELETE /v1/customers/*",
}
LATER, MUCH_LATER = timedelta(minutes=2), timedelta(hours=25, minutes=1)
Advance = Callable[[timedelta], None]

every_cut = pytest.mark.parametrize("cut", CUTS)
every_kind = pytest.mark.parametrize("kind", KINDS)
every_card = pytest.mark.parametrize("number", [PAYS, FAILS_LATER])


@pytest.fixture
def guru(shop: SessionShop, new_guru: Any) -> SeededGuru:
    """A guru who keeps cards."""
    created: SeededGuru = new_guru(**LATE)
    shop.let_take_cards(created)
    return created


@pytest.fixture
def advance(shop: SessionShop, product_clock: SettableClock) -> Iterator[Advance]:
    """Move the clocks of the product and of Stripe, whose clock goes back after the test."""
    moved = timedelta()

    def move(ahead: timedelta) -> None:
        nonlocal moved
        moved += ahead
        product_clock.advance(ahead)
        shop.control("clock", advance_s=int(ahead.total_seconds()))

    yield move
    shop.clear_faults()
    shop.control("clock", advance_s=-int(moved.total_seconds()))


async def decide(shop: SessionShop, guru: SeededGuru, user: Any, kind: str, number: str = PAYS) -> UUID:
    """Let a write of a kind be decided, and return its subject. It is not sent."""
    booked = await keep(shop, user, guru, number)
    if kind == "session_charge":
        await shop.cancel(user, booked, settle=False)
    else:
        await shop.cancel(user, booked)
        deliver_payments(shop.database.service_url)
        if kind == "session_customer_end":
            await send_one(shop)  # the card; then its customer is next
    (write,) = shop.rows(
        "SELECT o.subject_id FROM stripe_outbox o JOIN payments p ON o.subject_id IN (p.id, p.group_id)"
        " WHERE o.state = 'ready' AND o.kind = %s AND p.tenant_id = %s", kind, guru.id,
    )  # fmt: skip
    subject: UUID = write["subject_id"]
    return subject


async def send_one(shop: SessionShop) -> None:
    """Send the write that is due first."""
    with psycopg.connect(shop.database.service_url) as conn:
        row = outbox.claim(conn, shop.stripe.api_version)
        assert row is not None
        outcome = await outbox.resolve(shop.stripe, shop.settlement.rules, row)
        outbox.record(conn, shop.settlement.rules, row, outcome)


async def send_cut(shop: SessionShop, kind: str, cut: str) -> None:
    """Send the write that is due, once, with a cut."""
    if cut == "worker_killed":
        with psycopg.connect(shop.database.service_url) as conn:
            row = outbox.claim(conn, shop.stripe.api_version)
        assert row is not None
        await outbox.resolve(shop.stripe, shop.settlement.rules, row)  # and the process ends: nothing is recorded
    else:
        shop.control("faults", match=KINDS[kind], do=cut, times=1)
        await send_one(shop)


def charges_of(shop: SessionShop, payment: dict[str, Any]) -> list[int]:
    """Return the amounts that Stripe charged for a payment."""
    made = [one for one in shop.objects("charge") if one["metadata"].get("payment") == str(payment["id"])]
    return [one["amount"] for one in made if one["status"] == "succeeded"]


async def assert_settled(shop: SessionShop, guru: SeededGuru, user: Any, number: str) -> None:
    """Check that there is one charge and one posting, or none of a card that is declined; and no card any more."""
    await shop.settle()
    await shop.deliver_due()
    (payment,) = shop.payments(guru)
    expected = ("paid", [2251], {"guru_held": 2026}) if number == PAYS else ("unpaid", [], {})
    assert (payment["state"], charges_of(shop, payment), shop.balances(payment["owner_id"])) == expected
    assert cards(shop, user) == 0


@every_card
@pytest.mark.parametrize("cut", [one for one in CUTS if one != "status:500"])  # which Stripe repeats for a key
@every_kind
async def test_cut_write_of_card_is_repeated(
    shop: SessionShop, guru: SeededGuru, create_user: CreateUser, advance: Advance, kind: str, cut: str, number: str
) -> None:
    user = await create_user("Cut Cleo")
    subject = await decide(shop, guru, user, kind, number)
    await send_cut(shop, kind, cut)
    assert states(shop, kind, subject) == ["sent" if cut == "worker_killed" else "unknown"]
    advance(LATER)
    await shop.settlement.send_due()
    await assert_settled(shop, guru, user, number)


@every_card
@every_cut
async def test_cut_charge_is_found_a_day_later(
    shop: SessionShop, guru: SeededGuru, create_user: CreateUser, advance: Advance, cut: str, number: str
) -> None:
    user = await create_user("Late Lev")
    subject = await decide(shop, guru, user, "session_charge", number)
    await send_cut(shop, "session_charge", cut)
    advance(MUCH_LATER)
    await shop.settlement.send_due()
    # What Stripe never had is sent again with a new key.
    assert states(shop, "session_charge", subject)[0] in ("done", "absent")
    await assert_settled(shop, guru, user, number)


@pytest.mark.parametrize("kind", ["session_card_release", "session_customer_end"])
@every_cut
async def test_cut_release_is_repeated_a_day_later(
    shop: SessionShop, guru: SeededGuru, create_user: CreateUser, advance: Advance, kind: str, cut: str
) -> None:
    user = await create_user("Late Liv")
    subject = await decide(shop, guru, user, kind)
    await send_cut(shop, kind, cut)
    advance(MUCH_LATER)
    await shop.settlement.send_due()
    assert states(shop, kind, subject)[0] == "absent"  # no list shows it, so it is done again
    await assert_settled(shop, guru, user, PAYS)


async def test_charge_that_stays_absent_is_paid_by_link(
    shop: SessionShop, guru: SeededGuru, create_user: CreateUser, advance: Advance
) -> None:
    user = await create_user("Absent Ari")
    subject = await decide(shop, guru, user, "session_charge")
    for _ in range(3):
        shop.control("faults", match=KINDS["session_charge"], do="drop_before", times=1)
        await shop.settlement.send_due()
        advance(MUCH_LATER)
    await shop.settlement.send_due()
    assert states(shop, "session_charge", subject) == ["absent"] * 3
    await assert_settled(shop, guru, user, FAILS_LATER)
