"""Many threads on the same accounts: no deadlock, no balance below its floor, no posting twice."""

from __future__ import annotations

import random
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any
from uuid import UUID

import psycopg
import pytest

from porchlight.money.posting import (
    InsufficientBalance,
    LedgerConflict,
    Leg,
    Posting,
    Subject,
    balance,
    create_hold,
    get_or_create_account,
    post,
    post_hold,
    post_many,
    reverse,
    void_hold,
)
from tenants.kit.ids import new_id
from tests.fixtures.databases import Database
from tests.porchlight.money.ledger import earn, ledger_errors, new_subject

THREADS = 50
ROUNDS = 6
SIMULTANEOUS = 300  # twenty of them failed when ON CONFLICT named one of two unique keys


@pytest.fixture
def own_database(new_database: Callable[[], Database]) -> Database:
    """A database of this test."""
    return new_database()


def in_threads(database: Database, work: Callable[[psycopg.Connection[Any], int], object]) -> list[Any]:
    """Return what each of the threads returned. A deadlock, as any other error, fails the test."""

    def run(number: int) -> Any:
        with psycopg.connect(database.service_url, autocommit=True) as conn:
            return work(conn, number)

    with ThreadPoolExecutor(THREADS) as pool:
        return list(pool.map(run, range(THREADS)))


def at_once(database: Database, work: Callable[[psycopg.Connection[Any], int], object]) -> list[Any]:
    """Return what 8 threads returned that do each piece of work at the same moment. A refusal fails the test."""
    barrier = Barrier(8)
    results: list[object] = []
    refusals: list[str] = []

    def run(_thread: int) -> None:
        with psycopg.connect(database.service_url, autocommit=True) as conn:
            for number in range(SIMULTANEOUS):
                barrier.wait(timeout=60)
                try:
                    results.append(work(conn, number))
                except LedgerConflict as error:
                    refusals.append(str(error))

    with ThreadPoolExecutor(barrier.parties) as pool:
        list(pool.map(run, range(barrier.parties)))
    assert refusals == []
    return results


def test_posts_between_two_accounts_never_deadlock(own_database: Database) -> None:
    user = new_id()
    with psycopg.connect(own_database.service_url) as conn:
        stripe = earn(conn, user, 5)
        payable = get_or_create_account(conn, "guru_payable", user_id=user)

    def move(conn: psycopg.Connection[Any], number: int) -> None:
        for _ in range(ROUNDS):
            with conn.transaction():
                if number % 2:
                    post(conn, "transferred", new_subject("transfer"), [Leg(payable, stripe, 3)])
                else:
                    post(conn, "transfer_reversed", new_subject("transfer"), [Leg(stripe, payable, 3)])

    in_threads(own_database, move)
    with psycopg.connect(own_database.service_url) as conn:
        assert ledger_errors(conn) == {}
        assert (balance(conn, stripe).total, balance(conn, payable).total) == (5, 0)
        assert balance(conn, stripe).credits == 5 + 3 * ROUNDS * THREADS // 2


def test_spends_of_one_account_stop_at_its_floor(own_database: Database) -> None:
    user = new_id()
    with psycopg.connect(own_database.service_url) as conn:
        card = get_or_create_account(conn, "card_network")
        held = get_or_create_account(conn, "guru_held", user_id=user)
        payable = get_or_create_account(conn, "guru_payable", user_id=user)
        post(conn, "paid", new_subject("payment"), [Leg(card, held, 1000)])

    def deliver(conn: psycopg.Connection[Any], _number: int) -> int:
        done = 0
        for _ in range(ROUNDS):
            try:
                with conn.transaction():
                    post(conn, "delivered", new_subject("booking"), [Leg(held, payable, 30)])
                done += 1
            except InsufficientBalance:
                continue
        return done

    assert sum(in_threads(own_database, deliver)) == 33
    with psycopg.connect(own_database.service_url) as conn:
        assert balance(conn, held).total == 10
        assert ledger_errors(conn) == {}


def test_holds_on_one_account_never_exceed_it(own_database: Database) -> None:
    """Payouts as they run: hold, then release and post in one transaction, beside payouts that fail later."""
    with psycopg.connect(own_database.service_url) as conn:
        stripe = earn(conn, new_id(), 1000)
        bank = get_or_create_account(conn, "bank_payouts")

    def pay_out(conn: psycopg.Connection[Any], number: int) -> int:
        chance, paid = random.Random(number), 0
        for _ in range(ROUNDS):
            payout = new_subject("payout")
            try:
                with conn.transaction():
                    create_hold(conn, stripe, 90, payout)
            except InsufficientBalance:
                continue
            outcome = chance.choice(["posted", "voided", "failed"])
            with conn.transaction():
                if outcome == "voided":
                    void_hold(conn, payout)
                else:
                    post_hold(conn, payout)
                    sent = post(conn, "payout", payout, [Leg(stripe, bank, 90)])
            if outcome == "failed":
                with conn.transaction():
                    reverse(conn, sent, "payout_failed", payout)
            paid += outcome == "posted"
        return paid

    paid = sum(in_threads(own_database, pay_out))
    with psycopg.connect(own_database.service_url) as conn:
        assert ledger_errors(conn) == {}
        found = balance(conn, stripe)
        assert (found.reserved, found.total) == (0, 1000 - 90 * paid)
        assert 0 <= found.total < 90 or paid < 11


def test_same_posting_in_many_threads_is_stored_once(own_database: Database) -> None:
    user = new_id()
    payment = Subject("payment", str(new_id()))

    def pay(conn: psycopg.Connection[Any], _number: int) -> UUID:
        with conn.transaction():
            card = get_or_create_account(conn, "card_network")
            held = get_or_create_account(conn, "guru_held", user_id=user)
            return post(conn, "paid", payment, [Leg(card, held, 70)])

    assert len(set(in_threads(own_database, pay))) == 1
    with psycopg.connect(own_database.service_url) as conn:
        assert balance(conn, get_or_create_account(conn, "guru_held", user_id=user)).total == 70
        assert ledger_errors(conn) == {}


def test_account_created_at_once_is_one_account(own_database: Database) -> None:
    """Every unique key of an account conflicts with a concurrent insert, not only its id."""
    users = [new_id() for _ in range(SIMULTANEOUS)]

    def create(conn: psycopg.Connection[Any], number: int) -> UUID:
        return get_or_create_account(conn, "guru_held", user_id=users[number])

    assert len(set(at_once(own_database, create))) == SIMULTANEOUS


def test_reversal_at_once_is_stored_once(own_database: Database) -> None:
    disputes = [new_subject("dispute") for _ in range(SIMULTANEOUS)]
    with psycopg.connect(own_database.service_url) as conn:
        card = get_or_create_account(conn, "card_network")
        held = get_or_create_account(conn, "guru_held", user_id=new_id())
        post(conn, "paid", new_subject("payment"), [Leg(card, held, 70 * SIMULTANEOUS)])
        opened = [post(conn, "dispute_opened", dispute, [Leg(held, card, 70)]) for dispute in disputes]

    def win(conn: psycopg.Connection[Any], number: int) -> UUID:
        return reverse(conn, opened[number], "dispute_won", disputes[number])

    assert len(set(at_once(own_database, win))) == SIMULTANEOUS
    with psycopg.connect(own_database.service_url) as conn:
        assert balance(conn, held).total == 70 * SIMULTANEOUS
        assert ledger_errors(conn) == {}


def test_batches_beside_posts_never_deadlock(own_database: Database) -> None:
    """Batches in both orders and single posts: on the same accounts, and partly of the same subjects."""
    pairs = []
    with psycopg.connect(own_database.service_url) as conn:
        for user in (new_id(), new_id()):
            stripe = earn(conn, user, THREADS * ROUNDS)
            pairs.append((stripe, get_or_create_account(conn, "guru_payable", user_id=user)))

    def move(conn: psycopg.Connection[Any], number: int) -> None:
        for attempt in range(ROUNDS):
            batch = [
                Posting("transferred", Subject("transfer", f"{attempt}-{pair}-{n}"), [Leg(payable, stripe, 100)])
                for n in range(5)
                for pair, (stripe, payable) in enumerate(pairs)
            ]
            batch += [
                Posting("transfer_reversed", new_subject("transfer"), [Leg(stripe, payable, 1)])
                for stripe, payable in pairs
            ]
            if number % 2:
                batch.reverse()
            if number % 5:
                with conn.transaction():
                    post_many(conn, batch)
            else:
                for one in batch:
                    post(conn, one.event, one.subject, one.legs)

    in_threads(own_database, move)
    with psycopg.connect(own_database.service_url) as conn:
        assert ledger_errors(conn) == {}
        for stripe, payable in pairs:
            assert balance(conn, stripe).total == ROUNDS * 5 * 100
            assert balance(conn, payable).total == THREADS * ROUNDS - ROUNDS * 5 * 100


def test_batches_of_same_subjects_never_deadlock(own_database: Database) -> None:
    """Two batches in opposite orders wait for the posting in their middle."""
    with psycopg.connect(own_database.service_url) as conn:
        card = get_or_create_account(conn, "card_network")
        held = get_or_create_account(conn, "guru_held", user_id=new_id())
    first, middle, last = (Posting("paid", Subject("payment", name), [Leg(card, held, 5)]) for name in "123")

    def post_batch(batch: list[Posting]) -> list[UUID]:
        with psycopg.connect(own_database.service_url) as conn:
            return post_many(conn, batch)

    waiting = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
    with (
        psycopg.connect(own_database.service_url) as conn,
        psycopg.connect(own_database.superuser_url, autocommit=True) as monitor,
        ThreadPoolExecutor(2) as pool,
    ):
        posted = post(conn, middle.event, middle.subject, middle.legs)
        batches = [pool.submit(post_batch, batch) for batch in ([first, middle, last], [last, middle, first])]
        while monitor.execute(waiting).fetchone() != (2,) and not any(batch.done() for batch in batches):
            pass
        conn.commit()
        ids, reversed_ids = (batch.result() for batch in batches)
    assert ids == reversed_ids[::-1]
    assert ids[1] == posted
    with psycopg.connect(own_database.service_url) as conn:
        assert balance(conn, held).total == 15
