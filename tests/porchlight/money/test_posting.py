"""Postings, reversals and holds of the ledger."""

from __future__ import annotations

from datetime import timedelta
from uuid import UUID

import psycopg
import pytest

from porchlight.money.posting import (
    Balance,
    InsufficientBalance,
    InvalidPosting,
    LedgerConflict,
    Leg,
    balance,
    create_hold,
    expire_holds,
    get_or_create_account,
    post,
    post_hold,
    reverse,
    void_hold,
)
from tenants.kit import clock
from tenants.kit.ids import new_id
from tests.porchlight.money.ledger import earn, new_subject


def test_account_of_one_owner_is_created_once(conn: psycopg.Connection) -> None:
    user = new_id()
    first = get_or_create_account(conn, "guru_held", user_id=user)
    assert get_or_create_account(conn, "guru_held", user_id=user) == first
    assert get_or_create_account(conn, "guru_held", user_id=new_id()) != first
    assert balance(conn, first) == Balance(0, 0, 0, 0)


@pytest.mark.parametrize(
    ("kind", "unit", "owner"),
    [
        ("guru_held", "usd", {}),
        ("guru_held", "usd", {"tenant_id": new_id()}),
        ("card_network", "usd", {"user_id": new_id()}),
        ("swap_balance", "min", {"user_id": new_id()}),
        ("hours", "usd", {"user_id": new_id()}),
        ("escrow", "usd", {}),
    ],
)
def test_account_of_another_owner_or_unit_is_refused(
    conn: psycopg.Connection, kind: str, unit: str, owner: dict[str, UUID]
) -> None:
    with pytest.raises(InvalidPosting):
        get_or_create_account(conn, kind, unit=unit, **owner)


def test_post_two_legs_moves_both_amounts(conn: psycopg.Connection) -> None:
    card = get_or_create_account(conn, "card_network")
    fees = get_or_create_account(conn, "platform_fees")
    held = get_or_create_account(conn, "guru_held", user_id=new_id())
    before = balance(conn, fees).total
    post(conn, "paid", new_subject("payment"), [Leg(card, fees, 750), Leg(card, held, 6750)], stripe_object="pi_1")
    assert balance(conn, held) == Balance(6750, 0, 0, 6750)
    assert balance(conn, fees).total == before + 750


def test_post_same_again_returns_first_transaction(conn: psycopg.Connection) -> None:
    card = get_or_create_account(conn, "card_network")
    held = get_or_create_account(conn, "guru_held", user_id=new_id())
    payment = new_subject("payment")
    first = post(conn, "paid", payment, [Leg(card, held, 100)], stripe_object="pi_2")
    assert post(conn, "paid", payment, [Leg(card, held, 100)], stripe_object="pi_2") == first
    assert balance(conn, held).credits == 100


@pytest.mark.parametrize(("cents", "stripe_object"), [(101, "pi_3"), (100, "pi_4")])
def test_post_otherwise_raises_conflict(conn: psycopg.Connection, cents: int, stripe_object: str) -> None:
    card = get_or_create_account(conn, "card_network")
    held = get_or_create_account(conn, "guru_held", user_id=new_id())
    payment = new_subject("payment")
    post(conn, "paid", payment, [Leg(card, held, 100)], stripe_object="pi_3")
    with pytest.raises(LedgerConflict):
        post(conn, "paid", payment, [Leg(card, held, cents)], stripe_object=stripe_object)


def test_post_below_floor_is_refused(conn: psycopg.Connection) -> None:
    user = new_id()
    held = get_or_create_account(conn, "guru_held", user_id=user)
    payable = get_or_create_account(conn, "guru_payable", user_id=user)
    with pytest.raises(InsufficientBalance):
        post(conn, "delivered", new_subject("booking"), [Leg(held, payable, 1)])


def test_post_legs_in_order_spend_what_came_before(conn: psycopg.Connection) -> None:
    first, second, third = (get_or_create_account(conn, "hours", unit="min", user_id=new_id()) for _ in range(3))
    post(conn, "hours_exchanged", new_subject("exchange"), [Leg(first, second, 150), Leg(second, third, 320)])
    assert [balance(conn, account).total for account in (first, second, third)] == [-150, -170, 320]
    assert balance(conn, second).available == 10
    with pytest.raises(InsufficientBalance):
        post(conn, "hours_exchanged", new_subject("exchange"), [Leg(second, third, 11), Leg(third, second, 320)])


@pytest.mark.parametrize("amount", [0, -1])
def test_post_amount_not_above_zero_is_refused(conn: psycopg.Connection, amount: int) -> None:
    card = get_or_create_account(conn, "card_network")
    held = get_or_create_account(conn, "guru_held", user_id=new_id())
    with pytest.raises(InvalidPosting):
        post(conn, "paid", new_subject("payment"), [Leg(card, held, amount)])


def test_post_without_legs_is_refused(conn: psycopg.Connection) -> None:
    with pytest.raises(InvalidPosting):
        post(conn, "paid", new_subject("payment"), [])


def test_post_to_missing_account_is_refused(conn: psycopg.Connection) -> None:
    card = get_or_create_account(conn, "card_network")
    with pytest.raises(InvalidPosting):
        post(conn, "paid", new_subject("payment"), [Leg(card, new_id(), 5)])


@pytest.mark.parametrize(
    ("event", "kind"), [("no_such_event", "payment"), ("paid", "refund"), ("write_off", "payment")]
)
def test_post_of_another_subject_is_refused(conn: psycopg.Connection, event: str, kind: str) -> None:
    with pytest.raises(InvalidPosting):
        post(conn, event, new_subject(kind), [])


def test_reverse_twice_raises_conflict(conn: psycopg.Connection) -> None:
    user = new_id()
    stripe = earn(conn, user, 500)
    bank = get_or_create_account(conn, "bank_payouts")
    payout = new_subject("payout")
    sent = post(conn, "payout", payout, [Leg(stripe, bank, 500)])
    failed = reverse(conn, sent, "payout_failed", payout)
    assert balance(conn, stripe).total == 500
    assert reverse(conn, sent, "payout_failed", payout) == failed
    with pytest.raises(LedgerConflict):
        reverse(conn, sent, "payout_failed", new_subject("payout"))


def test_reverse_with_unlisted_event_is_refused(conn: psycopg.Connection) -> None:
    stripe = earn(conn, new_id(), 500)
    bank = get_or_create_account(conn, "bank_payouts")
    sent = post(conn, "payout", new_subject("payout"), [Leg(stripe, bank, 500)])
    with pytest.raises(InvalidPosting):
        reverse(conn, sent, "transfer_reversed", new_subject("transfer"))


def test_reverse_unknown_transaction_is_refused(conn: psycopg.Connection) -> None:
    with pytest.raises(InvalidPosting):
        reverse(conn, new_id(), "payout_failed", new_subject("payout"))


def test_hold_reduces_available_until_it_ends(conn: psycopg.Connection) -> None:
    stripe = earn(conn, new_id(), 500)
    payout = new_subject("payout")
    first = create_hold(conn, stripe, 300, payout, None)
    assert create_hold(conn, stripe, 300, payout, None) == first
    assert balance(conn, stripe) == Balance(500, 0, 300, 200)
    assert void_hold(conn, payout) == void_hold(conn, payout) == first
    assert balance(conn, stripe) == Balance(500, 0, 0, 500)


def test_hold_above_available_is_refused(conn: psycopg.Connection) -> None:
    stripe = earn(conn, new_id(), 500)
    create_hold(conn, stripe, 300, new_subject("payout"), None)
    with pytest.raises(InsufficientBalance):
        create_hold(conn, stripe, 201, new_subject("payout"), None)


@pytest.mark.parametrize("state", ["amount", "ended"])
def test_hold_of_same_subject_otherwise_raises_conflict(conn: psycopg.Connection, state: str) -> None:
    stripe = earn(conn, new_id(), 500)
    payout = new_subject("payout")
    create_hold(conn, stripe, 300, payout, None)
    if state == "ended":
        void_hold(conn, payout)
    with pytest.raises(LedgerConflict):
        create_hold(conn, stripe, 300 if state == "ended" else 299, payout, None)


def test_hold_posted_and_voided_raises_conflict(conn: psycopg.Connection) -> None:
    stripe = earn(conn, new_id(), 500)
    bank = get_or_create_account(conn, "bank_payouts")
    payout = new_subject("payout")
    create_hold(conn, stripe, 500, payout, None)
    post_hold(conn, payout)
    post(conn, "payout", payout, [Leg(stripe, bank, 500)])
    assert balance(conn, stripe) == Balance(500, 500, 0, 0)
    with pytest.raises(LedgerConflict):
        void_hold(conn, payout)


def test_release_without_hold_raises_conflict(conn: psycopg.Connection) -> None:
    with pytest.raises(LedgerConflict):
        post_hold(conn, new_subject("payout"))


def test_expire_holds_releases_only_due_ones(conn: psycopg.Connection) -> None:
    stripe = earn(conn, new_id(), 500)
    now = clock.now()
    create_hold(conn, stripe, 100, new_subject("payout"), now - timedelta(seconds=1))
    create_hold(conn, stripe, 50, new_subject("payout"), now + timedelta(hours=1))
    create_hold(conn, stripe, 25, new_subject("payout"), None)
    assert expire_holds(conn) == 1
    assert balance(conn, stripe).reserved == 75
