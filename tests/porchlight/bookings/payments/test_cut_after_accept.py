"""A write of a paid session whose response is lost: one object at Stripe and one posting, however late it is found.

Each kind is cut in four places, as in `tests.porchlight.settlement.test_cut_after_accept`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import timedelta
from uuid import UUID

import psycopg
import pytest

from porchlight.features.bookings.deadlines import complete_bookings
from porchlight.features.bookings.payments.jobs import deliver_payments
from porchlight.settlement import outbox
from tenants.kit import timeouts
from tests.porchlight.angels.users import ApiUser
from tests.porchlight.bookings.api import CreateUser, free_starts, hold, post_booking
from tests.porchlight.bookings.payments.session_shop import SessionShop
from tests.porchlight.bookings.payments.test_earnings import connect_account
from tests.porchlight.owner import GuruOwner
from tests.porchlight.settlement.both_sides import SettableClock

CUTS = ("drop_before", "drop_after_commit", "close", "worker_killed")
# The path of each kind, and the type of its objects.
KINDS = {
    "session_checkout": ("/v1/checkout/sessions", "checkout.session"),
    "session_refund": ("/v1/refunds", "refund"),
    "session_transfer": ("/v1/transfers", "transfer"),
    "dispute_answer": ("/v1/disputes/*", "dispute"),
}
POSTED = {"session_checkout": "paid", "session_refund": "refunded", "session_transfer": "transferred"}
ANSWER = {"words": "We met on Monday.", "customerWords": ""}
# The lease of a worker that died is over; Stripe opens no page any more that closes within half an hour.
LATER, MUCH_LATER = timedelta(minutes=2), timedelta(hours=25, minutes=1)
Advance = Callable[[timedelta], None]

every_cut = pytest.mark.parametrize("cut", CUTS)
every_kind = pytest.mark.parametrize("kind", KINDS)


async def decide(shop: SessionShop, guru_owner: GuruOwner, user: ApiUser, kind: str) -> UUID:
    """Let a write of a kind be decided, and return its subject. It is not sent."""
    guru = guru_owner.guru
    if kind == "session_checkout":
        token = await hold(user, guru, (await free_starts(shop.web, guru))[-1])
        with pytest.MonkeyPatch.context() as patch:  # the request waits for no page
            patch.setattr(timeouts, "current", replace(timeouts.current, billing_response_seconds=0.0))
            response = await post_booking(user, token)
        assert (response.status_code, response.json()["data"]["payment"]["state"]) == (201, "opening")
    elif kind == "session_refund":
        await shop.cancel(user, await shop.pay_for(user, guru), settle=False)
    elif kind == "dispute_answer":
        await shop.pay_for(user, guru)
        shop.control("disputes", charge=shop.payments(guru)[-1]["charge_id"])
        await shop.settle()
        (dispute,) = (await guru_owner.call("GET", "/disputes"))["disputes"]
        await guru_owner.call("POST", f"/disputes/{dispute['id']}/answer", ANSWER)
    else:
        await connect_account(shop, guru_owner)
        await shop.pay_for(user, guru)
        shop.end_sessions(guru)
        complete_bookings(shop.database.service_url)
        deliver_payments(shop.database.service_url)
    (write,) = shop.rows("SELECT subject_id FROM stripe_outbox WHERE state = 'ready' AND kind = %s", kind)
    subject: UUID = write["subject_id"]
    return subject


async def send_cut(shop: SessionShop, kind: str, cut: str) -> None:
    """Send the write that is due, once, with a cut."""
    if cut == "worker_killed":
        with psycopg.connect(shop.database.service_url) as conn:
            row = outbox.claim(conn, shop.stripe.api_version)
        assert row is not None
        await outbox.resolve(shop.stripe, shop.settlement.rules, row)  # and the process ends: nothing is recorded
    else:
        shop.control("faults", match=f"POST {KINDS[kind][0]}", do=cut, times=1)
        await shop.settlement.send_due()


def objects_of(shop: SessionShop, kind: str, subject: UUID) -> list[str]:
    """Return the objects at Stripe that any attempt of a subject made."""
    rows = shop.rows("SELECT id FROM stripe_outbox WHERE kind = %s AND subject_id = %s", kind, subject)
    tags = {str(row["id"]) for row in rows}
    return [one["id"] for one in shop.objects(KINDS[kind][1]) if one["metadata"].get("outbox") in tags]


def states(shop: SessionShop, kind: str, subject: UUID) -> list[str]:
    """Return the states of a subject's attempts."""
    query = "SELECT state FROM stripe_outbox WHERE kind = %s AND subject_id = %s ORDER BY attempt"
    return [row["state"] for row in shop.rows(query, kind, subject)]


async def assert_done_once(shop: SessionShop, guru_owner: GuruOwner, kind: str, subject: UUID) -> None:
    """Check that there is one object and one posting."""
    (made,) = objects_of(shop, kind, subject)
    (payment,) = shop.payments(guru_owner.guru)
    if kind == "dispute_answer":
        (answered,) = [one for one in shop.objects("dispute") if one["id"] == made]
        assert answered["evidence_details"]["submission_count"] == 1
        assert (
            shop.rows("SELECT answer_state FROM session_disputes WHERE id = %s", subject)[0]["answer_state"] == "sent"
        )
        return
    if kind == "session_checkout":
        assert (payment["state"], payment["checkout_id"]) == ("open", made)
        assert shop.pay(payment["checkout_url"]).status_code == 303
    await shop.settle()
    subjects = {"session_checkout": ("payment", str(subject)), "session_refund": ("refund", str(subject))}
    posted = shop.rows(
        "SELECT event FROM ledger_transactions WHERE subject_kind = %s AND subject_id = %s",
        *subjects.get(kind, ("transfer", made)),
    )
    assert [row["event"] for row in posted] == [POSTED[kind]]
    expected = {
        "session_checkout": {"guru_held": 4051}, "session_refund": {}, "session_transfer": {"guru_stripe": 4051},
    }  # fmt: skip
    assert shop.balances(payment["owner_id"]) == expected[kind]


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
    shop.control("clock", advance_s=-int(moved.total_seconds()))


@every_cut
@every_kind
async def test_cut_write_of_session_is_repeated(
    shop: SessionShop, seller: GuruOwner, create_user: CreateUser, advance: Advance, kind: str, cut: str
) -> None:
    subject = await decide(shop, seller, await create_user("Cut Cleo"), kind)
    await send_cut(shop, kind, cut)
    assert states(shop, kind, subject) == ["sent" if cut == "worker_killed" else "unknown"]
    advance(LATER)
    await shop.settlement.send_due()
    assert states(shop, kind, subject) == ["done"]
    await assert_done_once(shop, seller, kind, subject)


@every_cut
@every_kind
async def test_cut_write_of_session_is_found_a_day_later(
    shop: SessionShop, seller: GuruOwner, create_user: CreateUser, advance: Advance, kind: str, cut: str
) -> None:
    subject = await decide(shop, seller, await create_user("Late Lev"), kind)
    await send_cut(shop, kind, cut)
    before = objects_of(shop, kind, subject)
    assert len(before) == (cut != "drop_before")
    advance(MUCH_LATER)
    await shop.settlement.send_due()
    if kind != "session_checkout":
        # What Stripe never had is sent again with a new key: the money is owed.
        assert states(shop, kind, subject) == (["done"] if before else ["absent", "done"])
        await assert_done_once(shop, seller, kind, subject)
        return
    # The page closed meanwhile, so there is nothing to pay, and no other one.
    assert states(shop, kind, subject) == (["done"] if before else ["absent"])
    assert objects_of(shop, kind, subject) == before
    await shop.settle()
    (payment,) = shop.payments(seller.guru)
    assert (payment["state"], payment["error_code"]) == (("expired", "") if before else ("failed", "absent"))
    assert shop.balances(payment["owner_id"]) == {}


@every_kind
async def test_write_of_session_that_stays_absent_ends(
    shop: SessionShop, seller: GuruOwner, create_user: CreateUser, advance: Advance, kind: str
) -> None:
    subject = await decide(shop, seller, await create_user("Absent Ari"), kind)
    attempts = 1 if kind == "session_checkout" else 3
    for _ in range(attempts):
        shop.control("faults", match=f"POST {KINDS[kind][0]}", do="drop_before", times=1)
        await shop.settlement.send_due()
        advance(MUCH_LATER)
    await shop.settlement.send_due()
    assert states(shop, kind, subject) == ["absent"] * attempts
    assert objects_of(shop, kind, subject) == []
    (payment,) = shop.payments(seller.guru)
    if kind == "dispute_answer":
        (dispute,) = shop.rows("SELECT answer_state, words FROM session_disputes WHERE id = %s", subject)
        assert tuple(dispute.values()) == ("failed", ANSWER["words"])
        return
    kept = {"session_checkout": {}, "session_refund": {"guru_held": 4051}, "session_transfer": {"guru_payable": 4051}}
    assert (payment["refunded_cents"], shop.balances(payment["owner_id"])) == (0, kept[kind])
    assert (payment["transfer_state"] == "stuck") == (kind == "session_transfer")
