"""Random batches in one database and the same postings one by one in another: entries, balances and refusals agree."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any
from uuid import UUID

import psycopg
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from porchlight.money.posting import (
    InsufficientBalance,
    LedgerConflict,
    LedgerError,
    Leg,
    Posting,
    Subject,
    balance,
    create_hold,
    get_or_create_account,
    post,
    post_many,
)
from porchlight.money.rules import events, kinds
from tenants.kit.ids import new_id
from tests.fixtures.databases import Database
from tests.porchlight.money.ledger import ASYNC_COMMIT, ledger_errors, new_subject

EVENTS = ("test_earnings", "paid", "delivered", "tip_paid", "package_sold", "package_used", "hours_exchanged", "payout")
USERS = 2
ENTRIES = """
SELECT t.subject_kind, t.subject_id, t.event, t.stripe_object, t.digest, t.reverses, x.n, x.unit, x.amount,
       x.debit_account, x.debit_kind, x.debit_seq, x.debit_balance_after,
       x.credit_account, x.credit_kind, x.credit_seq, x.credit_balance_after
  FROM ledger_transactions t LEFT JOIN ledger_transfers x ON x.transaction_id = t.id ORDER BY 1, 2, 3, x.n"""
BALANCES = "SELECT * FROM ledger_balances ORDER BY account_id"
ID = "SELECT id FROM ledger_transactions WHERE subject_kind = %s AND subject_id = %s AND event = %s"

Accounts = dict[str, list[UUID]]

number, amount = st.integers(0, 10_000), st.integers(1, 300)
LEGS = st.lists(st.tuples(number, number, number, amount), min_size=1, max_size=3)
# Mostly postings that pass, so that most batches do.
STEP = st.one_of(
    *[st.tuples(st.just("new"), st.tuples(st.sampled_from(EVENTS), LEGS))] * 8,
    *[st.tuples(st.just("again"), st.tuples(number))] * 3,
    st.tuples(st.just("otherwise"), st.tuples(number)),
    st.tuples(st.just("wrong"), st.tuples(st.sampled_from(["no rule", "no account", "zero", "no legs", "itself"]))),
)
BATCHES = st.lists(st.lists(STEP, min_size=1, max_size=9), min_size=1, max_size=5)


@pytest.fixture
def twins(new_database: Callable[[], Database]) -> Iterator[list[psycopg.Connection[Any]]]:
    """Connections to two databases: the first posts one by one, the second in batches."""
    with ExitStack() as stack:
        yield [
            stack.enter_context(psycopg.connect(new_database().service_url, autocommit=True, options=ASYNC_COMMIT))
            for _ in range(2)
        ]


def create_accounts(conn: psycopg.Connection[Any], owners: list[UUID]) -> Accounts:
    """Create the accounts of each kind, and a hold on one with a floor."""
    made: Accounts = {}
    for kind in kinds().values():
        keys: list[dict[str, Any]] = [{}]
        if kind.holder not in ("external", "platform"):
            keys = [{"pair_id" if kind.holder == "pair" else "user_id": owner} for owner in owners]
        made[kind.name] = [get_or_create_account(conn, kind.name, unit=kind.unit, **key) for key in keys]
    create_hold(conn, made["hours"][0], 30, Subject("hold", str(owners[0])))
    return made


class Example:
    """The postings of one example. A batch that was refused leaves nothing to post again."""

    def __init__(self, accounts: Accounts) -> None:
        self.accounts = accounts
        self.posted: list[Posting] = []

    def new(self, event: str, picks: list[tuple[int, int, int, int]]) -> Posting | None:
        """Return a posting that rules permit; floors can be in its way."""
        legs = []
        for rule, debit, credit, cents in picks:
            one = events()[event].rules[rule % len(events()[event].rules)]
            debits, credits_ = self.accounts[one.debit_kind], self.accounts[one.credit_kind]
            source, target = debits[debit % len(debits)], credits_[credit % len(credits_)]
            legs += [Leg(source, target, cents)] if source != target else []
        subject = new_subject(events()[event].subject or "test")
        return Posting(event, subject, legs, f"ob_{picks[0][0]}") if legs else None

    def again(self, pick: int) -> Posting | None:
        """Return a posting of before, or of this batch."""
        return self.posted[pick % len(self.posted)] if self.posted else None

    def otherwise(self, pick: int) -> Posting | None:
        """Return another posting for an event and subject of before."""
        one = self.again(pick)
        return one and Posting(one.event, one.subject, one.legs, f"{one.stripe_object}!")

    def wrong(self, what: str) -> Posting:
        """Return a posting that is always refused."""
        card, held = self.accounts["card_network"][0], self.accounts["guru_held"][0]
        legs = {
            "no rule": [Leg(held, self.accounts["losses"][0], 1)], "no account": [Leg(card, new_id(), 1)],
            "zero": [Leg(card, held, 0)], "no legs": [], "itself": [Leg(held, held, 1)],
        }  # fmt: skip
        return Posting("paid", new_subject("payment"), legs[what])

    def batch(self, steps: list[tuple[str, tuple[Any, ...]]]) -> list[Posting]:
        """Return the postings of a batch."""
        batch = []
        for name, arguments in steps:
            one: Posting | None = getattr(self, name)(*arguments)
            if one is not None:
                batch.append(one)
                self.posted.append(one)
        return batch


def post_each(conn: psycopg.Connection[Any], postings: list[Posting]) -> list[UUID]:
    """Post one by one."""
    return [post(conn, one.event, one.subject, one.legs, stripe_object=one.stripe_object) for one in postings]


def outcome(
    call: Callable[[psycopg.Connection[Any], list[Posting]], list[UUID]],
    conn: psycopg.Connection[Any],
    batch: list[Posting],
) -> list[UUID] | tuple[str | None, ...]:
    """Return the ids of a batch in a transaction of its own, or error, constraint and message."""
    try:
        with conn.transaction():
            return call(conn, batch)
    except LedgerError as error:
        cause = error.__cause__
        details = (cause.diag.constraint_name, cause.diag.message_primary) if isinstance(cause, psycopg.Error) else ()
        return (type(error).__name__, *details)


def stored_ids(conn: psycopg.Connection[Any], batch: list[Posting]) -> list[UUID]:
    """Return the transactions of events and subjects."""
    return [conn.execute(ID, [one.subject.kind, one.subject.id, one.event]).fetchall()[0][0] for one in batch]


def test_batch_leaves_what_single_postings_leave(twins: list[psycopg.Connection[Any]]) -> None:
    single, many = twins
    outcomes: set[str | None] = set()

    @settings(max_examples=60)
    @given(BATCHES)
    def compare(batches: list[list[tuple[str, tuple[Any, ...]]]]) -> None:
        owners = [new_id() for _ in range(USERS)]
        example = Example(create_accounts(single, owners))
        create_accounts(many, owners)
        for steps in batches:
            before = list(example.posted)
            batch = example.batch(steps)
            expected, found = outcome(post_each, single, batch), outcome(post_many, many, batch)
            if isinstance(expected, list):
                assert (expected, found) == (stored_ids(single, batch), stored_ids(many, batch))
                outcomes.add("posted")
            else:
                assert found == expected
                outcomes.add(expected[0])
                example.posted = before
        for query in (ENTRIES, BALANCES):
            assert many.execute(query.encode()).fetchall() == single.execute(query.encode()).fetchall()

    compare()
    assert outcomes == {"posted", "InsufficientBalance", "InvalidPosting", "LedgerConflict"}
    assert ledger_errors(many) == {}


def test_post_many_of_nothing_returns_nothing(conn: psycopg.Connection) -> None:
    assert post_many(conn, []) == []


def test_post_many_refused_leaves_nothing(conn: psycopg.Connection) -> None:
    card = get_or_create_account(conn, "card_network")
    held = get_or_create_account(conn, "guru_held", user_id=new_id())
    good, bad = new_subject("payment"), new_subject("payment")
    legs, other = [Leg(card, held, 7)], [Leg(card, held, 8)]
    with pytest.raises(LedgerConflict), conn.transaction():
        post_many(conn, [Posting("paid", good, legs), Posting("paid", bad, legs), Posting("paid", bad, other)])
    row = conn.execute("SELECT count(*) FROM ledger_transactions WHERE subject_id = ANY (%s)", [[good.id, bad.id]])
    assert row.fetchone() == (0,)


def test_post_many_spending_before_earning_is_refused(conn: psycopg.Connection) -> None:
    user = new_id()
    card = get_or_create_account(conn, "card_network")
    held, payable = (get_or_create_account(conn, kind, user_id=user) for kind in ("guru_held", "guru_payable"))
    earned = Posting("paid", new_subject("payment"), [Leg(card, held, 7)])
    spent = Posting("delivered", new_subject("booking"), [Leg(held, payable, 7)])
    with pytest.raises(InsufficientBalance), conn.transaction():
        post_many(conn, [spent, earned])
    assert len(post_many(conn, [earned, spent])) == 2
    assert balance(conn, payable).total == 7
