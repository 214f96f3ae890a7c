"""Adjustments: a reason and a named key each, and above $100 a day two named holders of keys."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from uuid import UUID

import psycopg
import pytest

from porchlight.money.adjustment_rules import ALONE_UP_TO_CENTS, ApprovalRequired, Holder, NamedKeyRequired
from porchlight.money.adjustments import (
    AdjustmentRequest,
    adjustment_events,
    decide_adjustment,
    request_adjustment,
)
from porchlight.money.posting import InvalidPosting, Leg, Subject, balance, get_or_create_account, post
from tenants.kit.errors import AlreadyDecided, NotFound, ValidationFailed
from tenants.kit.ids import new_id
from tests.fixtures.databases import Database

SHARED = Holder("key-12345678", is_shared=True)
ADA, BEN = (Holder(name, is_shared=False) for name in ("Ada", "Ben"))


@pytest.fixture
def payable(conn: psycopg.Connection) -> UUID:
    """The account of a guru with a debt."""
    return get_or_create_account(conn, "guru_payable", user_id=new_id())


def write_off(conn: psycopg.Connection, payable: UUID, cents: int, reason: str = "Bank error") -> AdjustmentRequest:
    return AdjustmentRequest("write_off", get_or_create_account(conn, "losses"), payable, cents, reason)


def goodwill(conn: psycopg.Connection, user_id: UUID, cents: int) -> AdjustmentRequest:
    credit = get_or_create_account(conn, "customer_credit", user_id=user_id)
    return AdjustmentRequest("goodwill_credit", get_or_create_account(conn, "promotions"), credit, cents, "A flood")


def test_adjustment_up_to_100_dollars_posts_at_once(conn: psycopg.Connection, payable: UUID) -> None:
    adjustment_id, state = request_adjustment(conn, write_off(conn, payable, 10_000), holder=ADA)
    assert state == "posted"
    assert balance(conn, payable).total == 10_000
    with pytest.raises(AlreadyDecided):
        decide_adjustment(conn, adjustment_id, holder=BEN, approve=True)
    assert balance(conn, payable).total == 10_000


def test_adjustments_of_one_holder_add_up_to_100_dollars(conn: psycopg.Connection, payable: UUID) -> None:
    """Fifteen adjustments of $100 once passed, one by one."""
    states = [
        request_adjustment(conn, goodwill(conn, new_id(), 4_000), holder=Holder(name, is_shared=False))[1]
        for name in ("Ada", "ada", "ADA")
    ]
    assert states == ["posted", "posted", "requested"]
    assert request_adjustment(conn, goodwill(conn, new_id(), 2_000), holder=ADA)[1] == "posted"
    assert request_adjustment(conn, goodwill(conn, new_id(), 1), holder=ADA)[1] == "requested"
    assert request_adjustment(conn, goodwill(conn, new_id(), 10_000), holder=BEN)[1] == "posted"


def test_adjustments_for_one_person_add_up_to_100_dollars(conn: psycopg.Connection, payable: UUID) -> None:
    """The accounts of a person count together, whichever holders ask."""
    person = new_id()
    assert request_adjustment(conn, goodwill(conn, person, 6_000), holder=ADA)[1] == "posted"
    owed = get_or_create_account(conn, "guru_payable", user_id=person)
    assert request_adjustment(conn, write_off(conn, owed, 4_001), holder=BEN)[1] == "requested"
    assert request_adjustment(conn, write_off(conn, owed, 4_000), holder=BEN)[1] == "posted"


def test_suspense_adjustments_add_up_to_100_dollars(conn: psycopg.Connection, payable: UUID) -> None:
    losses, suspense = (get_or_create_account(conn, kind) for kind in ("losses", "suspense"))
    there = AdjustmentRequest("suspense_cleared", losses, suspense, 6_000, "A line")
    back = AdjustmentRequest("suspense_cleared", suspense, losses, 6_000, "A line")
    assert request_adjustment(conn, there, holder=ADA)[1] == "posted"
    assert request_adjustment(conn, back, holder=BEN)[1] == "requested"


def test_approved_adjustments_leave_the_sum_of_one_alone(conn: psycopg.Connection, payable: UUID) -> None:
    adjustment_id, _ = request_adjustment(conn, write_off(conn, payable, 10_001), holder=ADA)
    decide_adjustment(conn, adjustment_id, holder=BEN, approve=True)
    rejected_id, _ = request_adjustment(conn, write_off(conn, payable, 10_001), holder=ADA)
    decide_adjustment(conn, rejected_id, holder=BEN, approve=False)
    assert request_adjustment(conn, write_off(conn, payable, 10_000), holder=ADA)[1] == "posted"


def test_adjustments_are_counted_for_24_hours(conn: psycopg.Connection, payable: UUID) -> None:
    assert request_adjustment(conn, write_off(conn, payable, 10_000), holder=ADA)[1] == "posted"
    assert request_adjustment(conn, write_off(conn, payable, 1), holder=ADA)[1] == "requested"
    offset = "(current_setting('porchlight.clock_offset')::interval + '1 day')::text"
    conn.execute(f"SELECT set_config('porchlight.clock_offset', {offset}, true)".encode())
    assert request_adjustment(conn, write_off(conn, payable, 10_000), holder=ADA)[1] == "posted"


def test_adjustments_of_almost_24_hours_ago_still_count(conn: psycopg.Connection, payable: UUID) -> None:
    assert request_adjustment(conn, write_off(conn, payable, 10_000), holder=ADA)[1] == "posted"
    offset = "(current_setting('porchlight.clock_offset')::interval + '23:59:59')::text"
    conn.execute(f"SELECT set_config('porchlight.clock_offset', {offset}, true)".encode())
    assert request_adjustment(conn, write_off(conn, payable, 1), holder=ADA)[1] == "requested"
    assert request_adjustment(conn, goodwill(conn, new_id(), 1), holder=ADA)[1] == "requested"
    assert request_adjustment(conn, write_off(conn, payable, 1), holder=BEN)[1] == "requested"


def test_adjustments_of_all_kinds_add_up_for_one_holder(conn: psycopg.Connection, payable: UUID) -> None:
    """Suspense, credit and debt of three accounts are one sum, in any order."""
    losses, suspense = (get_or_create_account(conn, kind) for kind in ("losses", "suspense"))
    there = AdjustmentRequest("suspense_cleared", losses, suspense, 4_000, "A line")
    assert request_adjustment(conn, there, holder=ADA)[1] == "posted"
    assert request_adjustment(conn, goodwill(conn, new_id(), 3_000), holder=ADA)[1] == "posted"
    assert request_adjustment(conn, write_off(conn, payable, 3_001), holder=ADA)[1] == "requested"
    assert request_adjustment(conn, write_off(conn, payable, 3_000), holder=ADA)[1] == "posted"
    assert request_adjustment(conn, there, holder=ADA)[1] == "requested"


def test_simultaneous_adjustments_for_one_person_add_up(database: Database) -> None:
    """Eight holders at the same moment, each with a sum of their own."""
    barrier = Barrier(8)
    person, mark = new_id(), new_id().hex
    with psycopg.connect(database.service_url) as conn:
        request = goodwill(conn, person, 3_000)

    def ask(number: int) -> str:
        with psycopg.connect(database.service_url) as conn:
            barrier.wait(timeout=60)
            return request_adjustment(conn, request, holder=Holder(f"{number} {mark}", is_shared=False))[1]

    with ThreadPoolExecutor(barrier.parties) as pool:
        assert Counter(pool.map(ask, range(barrier.parties))) == {"posted": 3, "requested": 5}


def test_simultaneous_adjustments_count_each_other(database: Database) -> None:
    """Eight at the same moment once read the same sum."""
    barrier = Barrier(8)
    with psycopg.connect(database.service_url) as conn:
        holder = Holder(f"Asks {new_id().hex}", is_shared=False)
        requests = [goodwill(conn, new_id(), 3_000) for _ in range(barrier.parties)]

    def ask(request: AdjustmentRequest) -> str:
        with psycopg.connect(database.service_url) as conn:
            barrier.wait(timeout=60)
            return request_adjustment(conn, request, holder=holder)[1]

    with ThreadPoolExecutor(barrier.parties) as pool:
        assert Counter(pool.map(ask, requests)) == {"posted": 3, "requested": 5}


def test_adjustment_above_100_dollars_waits_for_second_key(conn: psycopg.Connection, payable: UUID) -> None:
    adjustment_id, state = request_adjustment(conn, write_off(conn, payable, 10_001), holder=ADA)
    assert state == "requested"
    assert balance(conn, payable).total == 0
    decide_adjustment(conn, adjustment_id, holder=BEN, approve=True)
    assert balance(conn, payable).total == 10_001
    row = conn.execute("SELECT subject_kind, subject_id FROM ledger_transactions ORDER BY at DESC LIMIT 1").fetchone()
    assert row == ("adjustment", str(adjustment_id))


@pytest.mark.parametrize("holder", [ADA, Holder("ADA", is_shared=False), SHARED])
def test_adjustment_without_second_named_key_is_refused(
    conn: psycopg.Connection, payable: UUID, holder: Holder
) -> None:
    adjustment_id, _ = request_adjustment(conn, write_off(conn, payable, 10_001), holder=ADA)
    with pytest.raises(ApprovalRequired) as refused, conn.transaction():
        decide_adjustment(conn, adjustment_id, holder=holder, approve=True)
    assert (refused.value.status, refused.value.code) == (409, "approval_required")
    assert balance(conn, payable).total == 0


@pytest.mark.parametrize("cents", [1, 10_001])
def test_adjustment_requested_with_shared_key_is_refused(conn: psycopg.Connection, payable: UUID, cents: int) -> None:
    """A person with both a key of their own and the shared one would approve their own request."""
    with pytest.raises(NamedKeyRequired):
        request_adjustment(conn, write_off(conn, payable, cents), holder=SHARED)


def test_adjustment_rejected_is_never_posted(conn: psycopg.Connection, payable: UUID) -> None:
    adjustment_id, _ = request_adjustment(conn, write_off(conn, payable, 10_001), holder=ADA)
    decide_adjustment(conn, adjustment_id, holder=SHARED, approve=False)
    with pytest.raises(AlreadyDecided):
        decide_adjustment(conn, adjustment_id, holder=BEN, approve=True)
    assert balance(conn, payable).total == 0


def test_adjustment_of_unknown_id_is_not_found(conn: psycopg.Connection) -> None:
    with pytest.raises(NotFound):
        decide_adjustment(conn, new_id(), holder=ADA, approve=True)


@pytest.mark.parametrize(("event", "cents", "reason"), [("paid", 5, "x"), ("write_off", 0, "x"), ("write_off", 5, " ")])
def test_adjustment_with_bad_input_is_refused(
    conn: psycopg.Connection, payable: UUID, event: str, cents: int, reason: str
) -> None:
    losses = get_or_create_account(conn, "losses")
    words = "not a correction" if event == "paid" else "an amount above zero and a reason"
    with pytest.raises(ValidationFailed, match=words):
        request_adjustment(conn, AdjustmentRequest(event, losses, payable, cents, reason), holder=ADA)


def test_adjustment_between_unlisted_accounts_is_refused(conn: psycopg.Connection, payable: UUID) -> None:
    card = get_or_create_account(conn, "card_network")
    with pytest.raises(ValidationFailed):
        request_adjustment(conn, AdjustmentRequest("write_off", card, payable, 5, "x"), holder=ADA)


def test_posting_of_undecided_adjustment_is_refused(conn: psycopg.Connection, payable: UUID) -> None:
    adjustment_id, _ = request_adjustment(conn, write_off(conn, payable, 10_001), holder=ADA)
    losses = get_or_create_account(conn, "losses")
    for subject_id in (adjustment_id, new_id()):
        with pytest.raises(InvalidPosting), conn.transaction():
            post(conn, "write_off", Subject("adjustment", str(subject_id)), [Leg(losses, payable, 10_001)])


def test_adjustment_events_are_those_of_staff() -> None:
    assert adjustment_events() == {
        "write_off", "write_off_reversed", "goodwill_credit", "goodwill_credit_reversed", "suspense_cleared",
    }  # fmt: skip


@pytest.mark.parametrize(
    "change",
    [
        "SET cents = 1",
        "SET reason = 'another'",
        "SET requested_by = 'Ben'",
        "SET state = 'posted', transaction_id = (SELECT id FROM ledger_transactions LIMIT 1)",
        "SET decided_by = 'ada', state = 'posted', transaction_id = (SELECT id FROM ledger_transactions LIMIT 1)",
    ],
)
def test_adjustment_changed_by_owner_role_is_refused(database: Database, change: str) -> None:
    with psycopg.connect(database.owner_url) as conn:
        payable = get_or_create_account(conn, "guru_payable", user_id=new_id())
        request_adjustment(conn, write_off(conn, payable, 1), holder=ADA)
        adjustment_id, _ = request_adjustment(conn, write_off(conn, payable, 10_001), holder=ADA)
        conn.execute("UPDATE ledger_transactions SET at = at WHERE false")
        with pytest.raises(psycopg.IntegrityError):
            conn.execute(f"UPDATE adjustments {change} WHERE id = %s".encode(), [adjustment_id])
        conn.rollback()


def test_adjustment_posted_alone_is_limited_by_database(conn: psycopg.Connection, payable: UUID) -> None:
    """A trigger and a constraint have the limit of the rules, too, in case a caller forgets to ask them."""
    values = [new_id(), "write_off", get_or_create_account(conn, "losses"), payable, ALONE_UP_TO_CENTS + 1, "x", "Ada"]
    request = "SELECT app.request_adjustment(%s, %s, %s, %s, %s, %s, %s, true)"
    with pytest.raises(psycopg.errors.CheckViolation, match="the adjustment was not decided"), conn.transaction():
        conn.execute(request, values)
    values[4] = ALONE_UP_TO_CENTS
    conn.execute(request, values)
    assert balance(conn, payable).total == ALONE_UP_TO_CENTS
