"""The ledger of hours: sums of zero, floors under parallel agreements, and what the app role can do."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any
from uuid import UUID

import psycopg
import pytest

from tenants.kit import clock
from tests.fixtures.databases import Database
from tests.porchlight.exchanges.hours import hours_of, seed_agreed, seed_settled
from tests.porchlight.factories import seed_user
from tests.porchlight.money.ledger import ledger_errors
from tests.tenants.isolation import set_user

SESSIONS = 5000
BATCH = 100
THREADS = 50
_SUMS = """
SELECT unit, kind, sum(credits - debits)::int AS total FROM ledger_balances WHERE unit = 'min' GROUP BY unit, kind"""
_SETTLE = """
UPDATE exchanges SET record_state = 'settled', recorded_minutes = %s, recorded_by = 'teacher', record_round = 1,
       settle_by = NULL, settled_at = %s WHERE id = %s"""


@pytest.fixture
def own_database(new_database: Callable[[], Database]) -> Database:
    """A database of this test."""
    return new_database()


@pytest.fixture
def app(database: Database) -> Iterator[psycopg.Connection[Any]]:
    """A connection in the app role."""
    with psycopg.connect(database.app_url) as conn:
        yield conn
        conn.rollback()


def test_sums_are_zero_after_many_sessions(own_database: Database) -> None:
    rng = random.Random(41)
    posted = refused = 0
    with psycopg.connect(own_database.superuser_url, options="-c synchronous_commit=off") as conn:
        people = [seed_user(conn) for _ in range(40)]
        rows: list[tuple[UUID, int]] = []
        for number in range(SESSIONS):
            teacher, learner = rng.sample(people, 2)
            mode, minutes = rng.choice(("hours", "hours", "swap", "free")), 15 * rng.randint(0, 32)
            row_id = seed_agreed(conn, teacher, learner, mode)
            conn.execute(_SETTLE, [minutes, clock.now(), row_id])
            try:
                with conn.transaction():
                    conn.execute("SELECT app.enter_exchange(%s)", [row_id])
                posted += 1
                rows.append((row_id, minutes))
            except psycopg.errors.CheckViolation:
                refused += 1
                conn.execute("DELETE FROM exchanges WHERE id = %s", [row_id])
            if rows and rng.random() < 0.1:
                back, back_minutes = rng.choice(rows)
                if back_minutes:
                    _take_back(conn, back)
            if number % BATCH == 0:
                conn.commit()
        conn.commit()
        assert ledger_errors(conn) == {}
        totals = {kind: total for _, kind, total in conn.execute(_SUMS).fetchall()}
    assert (totals["hours"], totals["swap_balance"], totals["volunteer_in"] + totals["volunteer_out"]) == (0, 0, 0)
    assert posted > SESSIONS / 2 > refused > 0


def _take_back(conn: psycopg.Connection[Any], row_id: UUID) -> None:
    """Take a session back, unless the teacher no longer has the hours. A second run changes nothing."""
    try:
        with conn.transaction():
            conn.execute("UPDATE exchanges SET record_state = 'reversed' WHERE id = %s", [row_id])
            for _ in range(2):
                conn.execute("SELECT app.enter_exchange(%s)", [row_id])
    except psycopg.errors.CheckViolation:
        pass


@pytest.mark.parametrize("floor", [-180, -600])
def test_parallel_agreements_never_pass_the_floor(own_database: Database, floor: int) -> None:
    with psycopg.connect(own_database.superuser_url) as conn:
        learner = seed_user(conn)
        if floor == -600:
            seed_settled(conn, learner, seed_user(conn), 15, "free")
        start = clock.now() + timedelta(days=1)
        times: dict[str, Any] = {"status": "confirmed", "starts_at": start, "ends_at": start + timedelta(hours=1)}
        rows = [seed_agreed(conn, seed_user(conn), learner, **times) for _ in range(THREADS)]

    def hold(row_id: UUID) -> str:
        with psycopg.connect(own_database.service_url, autocommit=True) as conn:
            try:
                conn.execute("SELECT app.enter_exchange(%s)", [row_id])
            except psycopg.errors.CheckViolation as error:
                return str(error.diag.constraint_name)
            return ""

    with ThreadPoolExecutor(THREADS) as pool:
        held = list(pool.map(hold, rows))
    assert (held.count(""), set(held)) == (-floor // 60, {"", "ledger_hold_available"})
    assert hours_of(own_database, learner) == (0, -floor, floor)
    with psycopg.connect(own_database.superuser_url) as conn:
        assert ledger_errors(conn) == {}


def test_hold_follows_the_recorded_minutes(database: Database) -> None:
    with psycopg.connect(database.superuser_url, autocommit=True) as conn:
        teacher, learner = seed_user(conn), seed_user(conn)
        row_id = seed_agreed(conn, teacher, learner)
        recorded = (
            "UPDATE exchanges SET record_state = 'recorded', recorded_minutes = %s, recorded_by = %s, record_round = %s"
            " WHERE id = %s"
        )
        for minutes, side, number, held in ((None, "", 0, 60), (90, "teacher", 1, 90), (30, "learner", 2, 90)):
            if minutes is not None:
                conn.execute(recorded, [minutes, side, number, row_id])
            for _ in range(2):
                conn.execute("SELECT app.enter_exchange(%s)", [row_id])
            assert hours_of(database, learner)[1] == held
        conn.execute(_SETTLE, [30, clock.now(), row_id])
        conn.execute("SELECT app.enter_exchange(%s)", [row_id])
        assert (hours_of(database, learner)[:2], hours_of(database, teacher)[0]) == ((-30, 0), 30)
        states = conn.execute("SELECT state FROM ledger_holds WHERE subject_id LIKE %s", [f"{row_id}%"]).fetchall()
        assert states == [("posted",), ("posted",)]
        assert ledger_errors(conn) == {}


def test_app_role_has_no_way_into_the_ledger(app: psycopg.Connection[Any], database: Database) -> None:
    with psycopg.connect(database.superuser_url) as conn:
        teacher, learner = seed_user(conn), seed_user(conn)
        row_id = seed_agreed(conn, teacher, learner)
    set_user(app, teacher)
    for statement in (
        f"SELECT app.enter_exchange('{row_id}')",
        f"SELECT * FROM app.hours_account('{learner}')",
        f"SELECT app.exchange_hours('{learner}', '{teacher}', NULL, '{{}}')",
        "SELECT * FROM ledger_balances",
    ):
        with pytest.raises(psycopg.errors.InsufficientPrivilege), app.transaction():
            app.execute(statement.encode())


def test_own_hours_are_those_of_the_transactions_user(app: psycopg.Connection[Any], database: Database) -> None:
    with psycopg.connect(database.superuser_url) as conn:
        teacher, learner, third = (seed_user(conn) for _ in range(3))
        seed_settled(conn, teacher, learner, 60)
        seed_settled(conn, teacher, learner, 45, "swap")
    for person, hours, swaps in ((teacher, [(60, 0)], [45]), (learner, [(-60, 0)], [-45]), (third, [(0, 0)], [])):
        set_user(app, person)
        assert app.execute("SELECT balance, reserved FROM app.own_hours()").fetchall() == hours
        assert [minutes for (minutes,) in app.execute("SELECT minutes FROM app.own_swaps(9)").fetchall()] == swaps
        app.rollback()
    set_user(app, None)
    assert app.execute("SELECT * FROM app.own_hours()").fetchall() == []
    assert app.execute("SELECT * FROM app.own_swaps(9)").fetchall() == []
