"""Disputes of paid sessions at the fake Stripe: what the bank takes and gives back, and the guru's answer."""

from __future__ import annotations

import itertools
from datetime import timedelta
from typing import Any
from uuid import UUID

import psycopg
import pytest

from porchlight.settlement.reconcile.run import reconcile
from tests.fixtures.jobs import do_jobs
from tests.porchlight.bookings.api import CreateUser, execute, free_starts
from tests.porchlight.bookings.payments.session_shop import SessionShop
from tests.porchlight.bookings.payments.test_earnings import connect_account, finish
from tests.porchlight.bookings.payments.test_kept_cards import LATE
from tests.porchlight.bookings.payments.test_paid_groups import begin_series
from tests.porchlight.owner import GuruOwner
from tests.porchlight.settlement.both_sides import SettableClock

WITHDRAWN = [
    ("dispute_fee", "losses", "processor_fees", 1500),
    ("dispute_opened", "guru_held", "card_network", 4051),
    ("dispute_opened", "platform_fees", "card_network", 450),
]
RETURNED = [("dispute_won", "card_network", "guru_held", 4051), ("dispute_won", "card_network", "platform_fees", 450)]
WORDS = {"words": "We met at the library and worked for an hour.", "customerWords": "Thanks, that was great!"}


def dispute(shop: SessionShop, seller: GuruOwner, number: int = -1, **values: Any) -> str:
    """Let the bank dispute the charge of a guru's payment. Return the dispute's id at Stripe."""
    payment = shop.payments(seller.guru)[number]
    return str(shop.control("disputes", charge=payment["charge_id"], **values)["id"])


def postings(shop: SessionShop, dispute_id: str) -> list[tuple[Any, ...]]:
    """Return what was posted of a dispute."""
    query = (
        "SELECT t.event, t.debit_kind, t.credit_kind, t.amount FROM ledger_transfers t"
        " JOIN ledger_transactions x ON x.id = t.transaction_id WHERE x.stripe_object = %s ORDER BY 1, 2, 3"
    )
    return [tuple(row.values()) for row in shop.rows(query, dispute_id)]


async def assert_books_match(shop: SessionShop, dispute_id: str) -> None:
    """Check that every line of a dispute has its posting."""
    report = await reconcile(shop.database.service_url, shop.stripe, [])
    assert [one for one in report.findings if one.stripe_id == dispute_id or one.kind == "balance_differs"] == []


async def shown(seller: GuruOwner) -> dict[str, Any]:
    """Return the guru's newest dispute."""
    page = await seller.call("GET", "/disputes")
    found: dict[str, Any] = await seller.call("GET", f"/disputes/{page['disputes'][0]['id']}")
    return found


@pytest.mark.parametrize("outcome", ["won", "lost"])
async def test_dispute_stops_and_frees_the_payment(
    shop: SessionShop, seller: GuruOwner, create_user: CreateUser, outcome: str
) -> None:
    user = await create_user("Doubtful Dan")
    booked = await shop.pay_for(user, seller.guru)
    found = dispute(shop, seller)
    await shop.settle()
    (paid,) = shop.payments(seller.guru)
    assert postings(shop, found) == WITHDRAWN
    assert (paid["disputed"], paid["disputed_cents"], paid["disputed_fee_cents"]) == (True, 4501, 450)
    assert shop.balances(paid["owner_id"]) == {}
    (order,) = (await user.get("/api/orders"))["orders"]
    assert (order["disputed"], order["bankReturnedCents"]) == (True, 0)
    assert (await shown(seller))["shareCents"] == 4051
    shop.end_sessions(seller.guru)
    await shop.deliver_due()
    assert shop.payments(seller.guru)[0]["delivered_at"] is None
    shop.control("disputes", dispute=found, status=outcome)
    await shop.settle()
    assert postings(shop, found) == sorted([*WITHDRAWN, *(RETURNED if outcome == "won" else [])])
    await finish(shop, seller.guru)
    (paid,) = shop.payments(seller.guru)
    assert (paid["disputed"], paid["delivered_at"] is None) == (False, False)
    assert shop.balances(paid["owner_id"]) == ({"guru_payable": 4051} if outcome == "won" else {})
    (order,) = (await user.get("/api/orders"))["orders"]
    assert (order["disputed"], order["bankReturnedCents"]) == (False, 0 if outcome == "won" else 4501)
    body = {"amountCents": 100, "keptCents": 4501}
    refused = await seller.call(
        "POST", f"/bookings/{booked['id']}/refunds", body, expect=201 if outcome == "won" else 409
    )
    if outcome == "lost":
        assert refused["code"] == "refund_changed"  # nothing is left
    await shop.settle()
    await assert_books_match(shop, found)


async def test_inquiry_is_shown_and_moves_no_money(
    shop: SessionShop, seller: GuruOwner, create_user: CreateUser
) -> None:
    await shop.pay_for(await create_user("Asking Abe"), seller.guru)
    found = dispute(shop, seller, inquiry=True)
    await shop.settle()
    (paid,) = shop.payments(seller.guru)
    assert (postings(shop, found), paid["disputed"]) == ([], False)
    assert shop.balances(paid["owner_id"]) == {"guru_held": 4051}
    now = await shown(seller)
    assert (now["state"], now["canAnswer"], now["shareCents"]) == ("inquiry", True, 0)
    shop.control("disputes", dispute=found, status="warning_closed")
    await shop.settle()
    assert (await shown(seller))["state"] == "closed"


ORDERS = list(itertools.permutations(range(4)))


@pytest.mark.parametrize("outcome", ["won", "lost"])
async def test_dispute_events_in_any_order_post_once(
    shop: SessionShop, seller: GuruOwner, create_user: CreateUser, outcome: str
) -> None:
    """In all 24 orders, each event twice: the same row and the same postings."""
    for number, order in enumerate(ORDERS):
        user = await create_user(f"Shuffled Shu {number}")
        booked = await shop.pay_for(user, seller.guru)
        found = dispute(shop, seller)
        events = shop.new_events()
        shop.v1("POST", f"disputes/{found}", **{"metadata[note]": "seen"})  # an event `updated`
        shop.control("disputes", dispute=found, status=outcome)
        events += shop.new_events()
        for index in [*order, *range(4, len(events))]:
            await shop.deliver(events[index])
            await shop.process()
            await shop.deliver(events[index])
        await shop.settle()
        assert postings(shop, found) == sorted([*WITHDRAWN, *(RETURNED if outcome == "won" else [])]), order
        (row,) = shop.rows("SELECT state, withdrawn, returned FROM session_disputes WHERE dp_id = %s", found)
        assert tuple(row.values()) == (outcome, True, outcome == "won")
        paid = shop.payments(seller.guru)[number]
        assert (paid["disputed"], paid["disputed_cents"]) == (False, 0 if outcome == "won" else 4501)
        await shop.cancel(user, booked)
    assert shop.balances(shop.payments(seller.guru)[0]["owner_id"]) == {}


async def test_dispute_between_its_events_is_not_paid_back(
    shop: SessionShop, seller: GuruOwner, create_user: CreateUser
) -> None:
    """News that arrives step by step gives what the last state gives."""
    await shop.pay_for(await create_user("Stepwise Stu"), seller.guru)
    found = dispute(shop, seller)
    await shop.settle()
    assert postings(shop, found) == WITHDRAWN
    shop.control("disputes", dispute=found, status="won")
    await shop.settle()
    await shop.settle()
    assert postings(shop, found) == sorted([*WITHDRAWN, *RETURNED])


async def test_dispute_of_series_is_split_to_the_cent(
    shop: SessionShop, seller: GuruOwner, create_user: CreateUser
) -> None:
    series = await begin_series(shop, await create_user("Series Sid"), seller.guru, 3)
    shop.pay_page(series["bookings"][0])
    await shop.settle()
    found = dispute(shop, seller, amount=6000)
    await shop.settle()
    payments = sorted(shop.payments(seller.guru), key=lambda one: one["id"])
    assert [(one["disputed"], one["disputed_cents"]) for one in payments] == [(True, 4501), (True, 1499), (False, 0)]
    assert sum(one["disputed_fee_cents"] for one in payments) == 450 + 150
    assert shop.balances(payments[0]["owner_id"]) == {"guru_held": 3 * 4051 - 6000 + 600}
    shop.control("disputes", dispute=found, status="lost")
    await shop.settle()
    await finish(shop, seller.guru)
    assert shop.balances(payments[0]["owner_id"]) == {"guru_payable": 3 * 4051 - 6000 + 600}
    await assert_books_match(shop, found)


async def test_dispute_of_kept_card_takes_its_charge_only(
    shop: SessionShop, new_owner: Any, create_user: CreateUser
) -> None:
    owner = await new_owner(**LATE)
    shop.let_take_cards(owner.guru)
    user = await create_user("Series Sky")
    series = await begin_series(shop, user, owner.guru, 2)
    shop.pay_page(series["bookings"][0])
    await shop.settle()
    for booked in (await user.get(f"/api/bookings/series/{series['id']}"))["bookings"]:
        await shop.cancel(user, booked)
    found = dispute(shop, owner)
    await shop.settle()
    disputed, other = sorted(shop.payments(owner.guru), key=lambda one: not one["disputed"])
    assert (disputed["disputed_cents"], other["disputed"], other["disputed_cents"]) == (2251, False, 0)
    assert shop.balances(other["owner_id"]) == {"guru_held": 2026}
    shown_to_guru = [await owner.call("GET", f"/bookings/{one['booking_id']}") for one in (disputed, other)]
    assert [one["payment"]["disputeId"] is None for one in shown_to_guru] == [False, True]
    await assert_books_match(shop, found)


async def test_dispute_after_refund_takes_what_is_left(
    shop: SessionShop, seller: GuruOwner, create_user: CreateUser
) -> None:
    """The guru does not pay twice for what the bank takes back once more."""
    booked = await shop.pay_for(await create_user("Both Bo"), seller.guru)
    body = {"amountCents": 2000, "keptCents": 4501}
    await seller.call("POST", f"/bookings/{booked['id']}/refunds", body, expect=201)
    await shop.settle()
    found = dispute(shop, seller)
    await shop.settle()
    (paid,) = shop.payments(seller.guru)
    assert (paid["refunded_cents"], paid["disputed_cents"]) == (2000, 2501)
    assert shop.balances(paid["owner_id"]) == {}
    assert ("dispute_opened", "losses", "card_network", 2000) in postings(shop, found)
    shop.control("disputes", dispute=found, status="won")
    await shop.settle()
    assert shop.balances(paid["owner_id"]) == {"guru_held": 2251}
    await assert_books_match(shop, found)


async def test_refund_after_dispute_stops_at_what_is_left(
    shop: SessionShop, seller: GuruOwner, create_user: CreateUser
) -> None:
    booked = await shop.pay_for(await create_user("Partial Pia"), seller.guru)
    found = dispute(shop, seller, amount=3000)
    shop.control("disputes", dispute=found, status="lost")
    await shop.settle()
    path = f"/bookings/{booked['id']}/refunds"
    more = await seller.call("POST", path, {"amountCents": 1502, "keptCents": 1501}, expect=409)
    assert more["code"] == "refund_too_large"
    await seller.call("POST", path, {"amountCents": 1501, "keptCents": 1501}, expect=201)
    (paid,) = shop.payments(seller.guru)
    assert (paid["refunded_cents"], paid["disputed_cents"], paid["fee_returned_cents"]) == (1501, 3000, 150)


async def test_refund_on_its_way_is_refused_by_dispute(
    shop: SessionShop, seller: GuruOwner, create_user: CreateUser
) -> None:
    """The bank was faster than our refund: each side gives back its part once."""
    booked = await shop.pay_for(await create_user("Racing Rae"), seller.guru)
    await seller.call("POST", f"/bookings/{booked['id']}/refunds", {"amountCents": 2000, "keptCents": 4501}, expect=201)
    found = dispute(shop, seller)
    for event in shop.new_events():
        await shop.deliver(event)
    await shop.process()
    await shop.settle()
    (paid,) = shop.payments(seller.guru)
    assert (paid["refunded_cents"], paid["disputed_cents"]) == (0, 4501)
    assert (postings(shop, found), shop.balances(paid["owner_id"])) == (WITHDRAWN, {})


async def test_dispute_after_transfer_is_owed(shop: SessionShop, seller: GuruOwner, create_user: CreateUser) -> None:
    await connect_account(shop, seller)
    await shop.pay_for(await create_user("Afterwards Al"), seller.guru)
    await finish(shop, seller.guru)
    found = dispute(shop, seller)
    await shop.settle()
    owner = shop.payments(seller.guru)[0]["owner_id"]
    books = shop.balances(owner)
    assert books.get("guru_stripe", 0) + books.get("guru_payable", 0) == 0
    assert ("dispute_opened", "guru_payable", "card_network", 4051) in postings(shop, found)
    shop.control("disputes", dispute=found, status="won")
    await shop.settle()
    await shop.deliver_due()
    books = shop.balances(owner)
    assert books.get("guru_stripe", 0) + books.get("guru_payable", 0) == 4051
    await assert_books_match(shop, found)


async def test_netted_earnings_are_sent_after_a_won_dispute(
    shop: SessionShop, seller: GuruOwner, create_user: CreateUser
) -> None:
    await connect_account(shop, seller)
    user = await create_user("Netted Nell")
    first = await shop.pay_for(user, seller.guru)
    await finish(shop, seller.guru)
    disputed = dispute(shop, seller)
    await shop.settle()
    second = await shop.pay_for(user, seller.guru)
    await finish(shop, seller.guru)
    paid = {str(one["booking_id"]): one for one in shop.payments(seller.guru)}
    assert (paid[second["id"]]["transfer_state"], paid[second["id"]]["transferred_cents"]) == ("netted", 0)
    owner = paid[first["id"]]["owner_id"]
    assert shop.balances(owner) == {"guru_stripe": 4051}
    shop.control("disputes", dispute=disputed, status="won")
    await shop.settle()
    assert shop.balances(owner) == {"guru_payable": 4051, "guru_stripe": 4051}
    await shop.deliver_due()
    await shop.deliver_due()
    assert shop.balances(owner) == {"guru_stripe": 2 * 4051}
    paid = {str(one["booking_id"]): one for one in shop.payments(seller.guru)}
    assert [(paid[one["id"]]["transfer_state"], paid[one["id"]]["transferred_cents"]) for one in (first, second)] == [
        ("done", 4051), ("done", 4051),
    ]  # fmt: skip
    await assert_books_match(shop, disputed)


@pytest.mark.parametrize(("outcome", "late_percent", "back"), [("won", 0, 4501), ("won", 50, 2250), ("lost", 0, 0)])
async def test_session_canceled_during_dispute_returns_the_rest(
    shop: SessionShop, seller: GuruOwner, create_user: CreateUser, outcome: str, late_percent: int, back: int
) -> None:
    execute(
        shop.database,
        "UPDATE booking_settings SET policy = 'own', free_until_minutes = 43200, late_percent = %s,"
        " missed_percent = 100 WHERE tenant_id = %s",
        late_percent, seller.guru.id,
    )  # fmt: skip
    user = await create_user("Changed Hal")
    booked = await shop.pay_for(user, seller.guru, (await free_starts(shop.web, seller.guru))[0])
    disputed = dispute(shop, seller)
    await shop.settle()
    canceled = await shop.cancel(user, booked)
    assert (canceled["status"], canceled["payment"]["refundedCents"]) == ("canceled", 0)
    shop.control("disputes", dispute=disputed, status=outcome)
    await shop.settle()
    await shop.settle()
    now = await user.get(f"/api/bookings/{booked['id']}")
    assert now["payment"]["refundedCents"] == back
    reasons = [one["reason"] for one in shop.rows("SELECT reason FROM refunds WHERE person_id = %s", user.user_id)]
    assert reasons == (["canceled"] if back else [])
    await assert_books_match(shop, disputed)


async def test_guru_answers_once_with_facts(shop: SessionShop, seller: GuruOwner, create_user: CreateUser) -> None:
    await shop.pay_for(await create_user("Named Nel"), seller.guru)
    found = dispute(shop, seller, reason="product_not_received")
    await shop.settle()
    await do_jobs(shop.database)
    (row,) = shop.rows("SELECT id FROM session_disputes WHERE dp_id = %s", found)
    (email,) = shop.rows("SELECT subject, plain FROM dev_mailbox WHERE key = %s", f"dispute-{row['id']}-opened")
    assert email["subject"] == "A bank asks about a payment"
    for text in ("$45.01", "says that the session didn't take place", "Please answer by"):
        assert text in email["plain"].replace("\n", " ")
    path = f"/disputes/{row['id']}"
    draft = await seller.call("PUT", f"{path}/draft", WORDS)
    assert (draft["words"], draft["answerState"], draft["canAnswer"]) == (WORDS["words"], "", True)
    assert {one["label"] for one in draft["facts"]} == {"Service", "Date", "Terms", "Session", "Receipt"}
    empty = await seller.call("POST", f"{path}/answer", WORDS | {"words": " "}, expect=422)
    assert "words" in empty["fields"]
    sent = await seller.call("POST", f"{path}/answer", WORDS)
    assert (sent["answerState"], sent["canAnswer"]) == ("requested", False)
    await shop.settle()
    now = await shown(seller)
    assert (now["state"], now["answerState"]) == ("under_review", "sent")
    (at_stripe,) = [one for one in shop.objects("dispute") if one["id"] == found]
    evidence = at_stripe["evidence"]
    assert at_stripe["evidence_details"]["submission_count"] == 1
    assert evidence["customer_name"] == "Ada Neighbor"
    assert all(text in evidence["uncategorized_text"] for text in [*WORDS.values(), "Visa ending in 4242"])
    for method, address in (("PUT", f"{path}/draft"), ("POST", f"{path}/answer")):
        assert (await seller.call(method, address, WORDS, expect=409))["code"] == "answer_sent"
    (write,) = shop.rows("SELECT params::text AS text FROM stripe_outbox WHERE subject_id = %s", row["id"])
    assert "library" not in write["text"]  # no words are left in the outbox
    shop.control("disputes", dispute=found, status="won")
    await shop.settle()
    await do_jobs(shop.database)
    assert shop.rows("SELECT key FROM dev_mailbox WHERE key = %s", f"dispute-{row['id']}-decided")


async def test_answer_after_the_deadline_is_refused(
    shop: SessionShop, seller: GuruOwner, create_user: CreateUser, product_clock: SettableClock
) -> None:
    await shop.pay_for(await create_user("Slow Sol"), seller.guru)
    found = dispute(shop, seller)
    await shop.settle()
    path = f"/disputes/{(await shown(seller))['id']}"
    await seller.call("PUT", f"{path}/draft", WORDS)
    execute(shop.database, "UPDATE session_disputes SET due_by = app.now() WHERE dp_id = %s", found)
    product_clock.advance(timedelta(seconds=1))
    late = await seller.call("POST", f"{path}/answer", WORDS, expect=409)
    assert late["code"] == "answer_too_late"
    assert (await seller.call("GET", path))["canAnswer"] is False


async def test_answer_that_stripe_refuses_can_be_sent_again(
    shop: SessionShop, seller: GuruOwner, create_user: CreateUser
) -> None:
    await shop.pay_for(await create_user("Again Ava"), seller.guru)
    found = dispute(shop, seller)
    await shop.settle()
    path = f"/disputes/{(await shown(seller))['id']}"
    shop.control("faults", match="POST /v1/disputes/*", do="status:400", times=1)
    await seller.call("POST", f"{path}/answer", WORDS)
    await shop.settle()
    now = await seller.call("GET", path)
    assert (now["answerState"], now["canAnswer"], now["words"]) == ("failed", True, WORDS["words"])
    await seller.call("POST", f"{path}/answer", WORDS)
    await shop.settle()
    (at_stripe,) = [one for one in shop.objects("dispute") if one["id"] == found]
    assert at_stripe["evidence_details"]["submission_count"] == 1


async def test_others_see_nothing_of_a_dispute(
    shop: SessionShop, seller: GuruOwner, new_owner: Any, create_user: CreateUser
) -> None:
    user, other = await create_user("Private Pam"), await new_owner(payment="full")
    await shop.pay_for(user, seller.guru)
    dispute(shop, seller)
    await shop.settle()
    path = f"/disputes/{(await shown(seller))['id']}"
    assert (await other.call("GET", "/disputes"))["disputes"] == []
    await other.call("GET", path, expect=404)
    await other.call("PUT", f"{path}/draft", WORDS, expect=404)
    await other.call("POST", f"{path}/answer", WORDS, expect=404)
    for acting in (None, other.guru.id):
        with psycopg.connect(shop.database.app_url) as conn:
            conn.execute("SELECT set_config('app.user_id', %s, true)", [str(user.user_id)])
            conn.execute("SELECT set_config('app.tenant_id', %s, true)", [str(seller.guru.id)])
            conn.execute("SELECT set_config('app.acting_tenant_id', %s, true)", [str(acting or "")])
            assert conn.execute("SELECT count(*) FROM session_disputes").fetchone() == (0,)
            values = [UUID(path.rsplit("/", 1)[1]), "words", ""]
            assert conn.execute("SELECT app.answer_dispute(%s, %s, %s, '{}')", values).fetchone() == (None,)


async def test_account_with_disputed_session_is_kept(
    shop: SessionShop, seller: GuruOwner, create_user: CreateUser
) -> None:
    user = await create_user("Leaving Lou")
    await shop.pay_for(user, seller.guru)
    found = dispute(shop, seller)
    await shop.settle()
    owner = shop.payments(seller.guru)[0]["owner_id"]

    def open_money(user_id: UUID) -> Any:
        with psycopg.connect(shop.database.app_url) as conn:
            conn.execute("SELECT set_config('app.user_id', %s, true)", [str(user_id)])
            row = conn.execute("SELECT app.open_money()").fetchone()
            return row and row[0]

    assert [open_money(one) for one in (user.user_id, owner)] == ["dispute", "dispute"]
    shop.control("disputes", dispute=found, status="lost")
    await shop.settle()
    assert [open_money(one) for one in (user.user_id, owner)] == [None, None]
