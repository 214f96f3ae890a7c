"""Many partial refunds of one payment at once, while some fail and the bank begins to look at the payment."""

from __future__ import annotations

import asyncio
import random
import threading
from collections import Counter
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any
from uuid import UUID

import psycopg
from psycopg.types.json import Jsonb

from porchlight.features.bookings.payments.settlement.disputes import SessionDisputes
from porchlight.settlement.disputes import dispute_facts
from porchlight.settlement.rules import Source
from tenants.kit import clock
from tenants.kit.ids import new_id
from tests.porchlight.bookings.api import CreateUser, NewGuru, execute
from tests.porchlight.bookings.payments.session_shop import SessionShop
from tests.porchlight.factories import SeededGuru
from tests.tenants.isolation import set_tenant

CENTS, THREADS, ROUNDS = 10_000, 50, 2
# All wait for one calendar, on a busy machine longer than a request may.
PATIENT = "-c statement_timeout=0 -c lock_timeout=0"
FAULTS = ("drop_before", "drop_after_commit", "close", "status:429", "refuse:charge_not_refundable")
_BOOKS = """
SELECT p.refunded_cents, p.fee_returned_cents, p.amount_cents, p.fee_cents,
       coalesce(sum(r.amount_cents) FILTER (WHERE r.state <> 'failed'), 0)::bigint AS cents,
       coalesce(sum(r.fee_cents) FILTER (WHERE r.state <> 'failed'), 0)::bigint AS fee
  FROM payments p LEFT JOIN refunds r ON r.tenant_id = p.tenant_id AND r.payment_id = p.id
 WHERE p.id = %s GROUP BY p.tenant_id, p.id"""


def refund(shop: SessionShop, guru: SeededGuru, payment_id: UUID, cents: int, *, as_guru: bool) -> str:
    """Return a part of a payment as the guru, or as the service role. Return what became of the request."""
    url = shop.database.app_url if as_guru else shop.database.service_url
    part = {
        "id": str(new_id()), "payment_id": str(payment_id), "amount_cents": cents, "fee_cents": cents // 10,
        "reason": "goodwill", "actor": "guru" if as_guru else "staff",
    }  # fmt: skip
    changes = {"payments": [{"refund": part}], "emails_due_at": "2100-01-01T00:00:00Z"}
    try:
        with psycopg.connect(url, options=PATIENT) as conn:
            set_tenant(conn, guru.id, acting=as_guru)
            conn.execute("SELECT FROM app.apply_bookings(%s)", [Jsonb(changes)])
    except psycopg.errors.NoDataFound:
        return "refused"
    return "reserved"


def assert_books_agree(shop: SessionShop, payment_id: UUID) -> int:
    """Compare what is reserved in the payment with its refunds, and return it."""
    (found,) = shop.rows(_BOOKS, payment_id)
    assert found["refunded_cents"] == found["cents"] <= found["amount_cents"]
    assert found["fee_returned_cents"] == found["fee"] <= found["fee_cents"]
    return int(found["cents"])


def assert_at_stripe(shop: SessionShop, payment_id: UUID, *, failed: int = 0) -> None:
    """Compare refunds with their writes and with Stripe."""
    refunds = shop.rows("SELECT id, state, refund_id, amount_cents FROM refunds WHERE payment_id = %s", payment_id)
    writes = shop.rows(
        "SELECT o.subject_id, o.state FROM stripe_outbox o JOIN refunds r ON r.id = o.subject_id"
        " WHERE o.kind = 'session_refund' AND r.payment_id = %s", payment_id,
    )  # fmt: skip
    assert Counter(row["subject_id"] for row in writes) == Counter(row["id"] for row in refunds), "a write for each"
    assert {row["state"] for row in writes} <= {"done", "refused"}
    assert {row["state"] for row in refunds} <= {"done", "failed"}
    done = {row["refund_id"]: row["amount_cents"] for row in refunds if row["state"] == "done"}
    (payment,) = shop.rows("SELECT charge_id FROM payments WHERE id = %s", payment_id)
    at_stripe = [one for one in shop.objects("refund") if one["charge"] == payment["charge_id"]]
    assert {one["id"]: one["amount"] for one in at_stripe if one["status"] == "succeeded"} == done
    assert len([one for one in at_stripe if one["status"] == "failed"]) == failed
    (charge,) = [one for one in shop.objects("charge") if one["id"] == payment["charge_id"]]
    assert charge["amount_refunded"] == sum(done.values())


async def pay_100_dollars(shop: SessionShop, guru: SeededGuru, create_user: CreateUser) -> dict[str, Any]:
    """Pay for a session, and return the payment."""
    execute(shop.database, "UPDATE services SET price_cents = %s WHERE tenant_id = %s", CENTS, guru.id)
    await shop.pay_for(await create_user("Refunded Ria"), guru)
    (payment,) = shop.payments(guru)
    assert (payment["state"], payment["amount_cents"], payment["fee_cents"]) == ("paid", CENTS, CENTS // 10)
    return payment


async def all_at_once(shop: SessionShop, work: Callable[[int], str], threads: int = THREADS) -> Counter[str]:
    """Run `work` in threads that begin at the same moment, while the writes are sent. Return the outcomes."""
    ready = threading.Barrier(threads)

    def run(number: int) -> str:
        ready.wait()
        return work(number)

    with ThreadPoolExecutor(threads) as pool:
        running: list[Future[str]] = [pool.submit(run, number) for number in range(threads)]
        while not all(one.done() for one in running):
            await shop.settlement.send_due()
            await asyncio.to_thread(running[0].exception)  # at least one is over
            await asyncio.sleep(0)
        return Counter(one.result() for one in running)


async def test_refunds_at_once_never_exceed_payment(
    shop: SessionShop, new_guru: NewGuru, create_user: CreateUser
) -> None:
    guru = new_guru(payment="full")
    owner = shop.let_take_cards(guru)
    payment = await pay_100_dollars(shop, guru, create_user)
    for _ in range(ROUNDS):  # what failed in the first is free for the second
        for fault in random.choices(FAULTS, k=8):
            shop.control("faults", match="POST /v1/refunds", do=fault, times=1)
        outcomes = await all_at_once(
            shop,
            lambda number: refund(shop, guru, payment["id"], 10 * random.randint(10, 60), as_guru=number % 2 == 0),
        )
        assert outcomes["refused"] > 0
        assert_books_agree(shop, payment["id"])
        shop.clear_faults()
        await settle_writes(shop)
    cents = assert_books_agree(shop, payment["id"])
    assert_at_stripe(shop, payment["id"])
    kept = CENTS - cents
    assert shop.balances(owner) == ({"guru_held": kept - kept // 10} if kept else {})


async def test_refunds_at_once_stop_with_dispute(shop: SessionShop, new_guru: NewGuru, create_user: CreateUser) -> None:
    guru = new_guru(payment="full")
    owner = shop.let_take_cards(guru)
    payment = await pay_100_dollars(shop, guru, create_user)

    def work(number: int) -> str:
        if number == 0:
            while assert_books_agree(shop, payment["id"]) < 1_000:
                continue  # the others go on
            execute(shop.database, "UPDATE payments SET disputed = true WHERE id = %s", payment["id"])
            return f"disputed at {assert_books_agree(shop, payment['id'])}"
        return refund(shop, guru, payment["id"], 100, as_guru=number % 2 == 0)

    outcomes = await all_at_once(shop, work)
    cents = assert_books_agree(shop, payment["id"])
    assert cents == 100 * outcomes["reserved"]
    assert outcomes[f"disputed at {cents}"] == 1, "none is reserved after the dispute"
    assert refund(shop, guru, payment["id"], 100, as_guru=True) == "refused"
    await settle_writes(shop)
    assert assert_books_agree(shop, payment["id"]) == cents
    assert_at_stripe(shop, payment["id"])
    kept = CENTS - cents
    assert shop.balances(owner) == {"guru_held": kept - kept // 10}


async def test_dispute_among_refunds_takes_each_cent_once(
    shop: SessionShop, new_guru: NewGuru, create_user: CreateUser
) -> None:
    """The bank takes the payment back while the guru returns parts of it: nothing is taken from the guru twice."""
    guru = new_guru(payment="full")
    owner = shop.let_take_cards(guru)
    payment = await pay_100_dollars(shop, guru, create_user)
    assert refund(shop, guru, payment["id"], 1_000, as_guru=True) == "reserved"
    await settle_writes(shop)
    disputed = shop.control("disputes", charge=payment["charge_id"], amount=CENTS - 1_000)["id"]
    fetched = await shop.stripe.fetch(f"/v1/disputes/{disputed}?expand[]=charge")
    assert fetched is not None

    def work(number: int) -> str:
        if number == 0:
            while assert_books_agree(shop, payment["id"]) < 1_500:
                continue  # the others go on
            with psycopg.connect(shop.database.service_url) as conn:
                source = Source("", clock.now(), "", livemode=False)
                SessionDisputes().apply_dispute(conn, dispute_facts(fetched), source)
            return "disputed"
        return refund(shop, guru, payment["id"], 100, as_guru=True)

    outcomes = await all_at_once(shop, work)
    assert outcomes["disputed"] == 1
    assert refund(shop, guru, payment["id"], 100, as_guru=True) == "refused"
    await settle_writes(shop)
    (now,) = shop.rows("SELECT refunded_cents, disputed_cents FROM payments WHERE id = %s", payment["id"])
    assert tuple(now.values()) == (1_000, CENTS - 1_000)  # Stripe refused the others
    assert shop.balances(owner) == {}
    shop.control("disputes", dispute=disputed, status="won")
    await shop.settle()
    kept = CENTS - 1_000
    assert shop.balances(owner) == {"guru_held": kept - kept // 10}


async def test_refund_that_failed_is_free_for_others_at_once(
    shop: SessionShop, new_guru: NewGuru, create_user: CreateUser
) -> None:
    guru = new_guru(payment="full")
    owner = shop.let_take_cards(guru)
    payment = await pay_100_dollars(shop, guru, create_user)
    assert refund(shop, guru, payment["id"], CENTS, as_guru=True) == "reserved"
    await shop.settle()
    (sent,) = shop.rows("SELECT refund_id FROM refunds WHERE payment_id = %s", payment["id"])
    shop.control(f"refunds/{sent['refund_id']}/fail")  # the bank sends it back
    await shop.settle()
    outcomes = await all_at_once(shop, lambda number: refund(shop, guru, payment["id"], 400, as_guru=number % 2 == 0))
    assert outcomes == {"reserved": 25, "refused": 25}
    await settle_writes(shop)
    assert assert_books_agree(shop, payment["id"]) == CENTS
    assert_at_stripe(shop, payment["id"], failed=1)
    assert shop.balances(owner) == {}


async def settle_writes(shop: SessionShop) -> None:
    """Let every write arrive, also those that wait for another try."""
    while True:
        execute(shop.database, "UPDATE stripe_outbox SET due_at = app.now() WHERE state IN ('ready', 'unknown')")
        await shop.settle()
        (left,) = shop.rows("SELECT count(*) AS n FROM stripe_outbox WHERE state IN ('ready', 'sent', 'unknown')")
        if not left["n"]:
            return
