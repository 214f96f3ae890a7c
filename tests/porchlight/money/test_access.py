"""Access to the ledger: requests only read their user's own lines, and no role changes an entry."""

from __future__ import annotations

import re
from pathlib import Path
from uuid import UUID

import psycopg
import pytest

from porchlight.money.posting import Leg, create_hold, get_or_create_account, post
from porchlight_dev import schema
from tenants.kit.ids import new_id
from tests.fixtures.databases import Database
from tests.porchlight.money.ledger import LEDGER_TABLES, earn, new_subject
from tests.tenants.isolation import set_tenant, set_user

ROOT = Path(__file__).parents[3]
WRITERS = (
    "app.post(gen_random_uuid(), 'paid', 'payment', '1', '{}', '{}', '{}')",
    "app.post_many('[]')",
    "app.ledger_account('card_network', 'usd', NULL, NULL, NULL)",
    "app.ledger_hold(gen_random_uuid(), gen_random_uuid(), 1, 'payout', '1', NULL)",
    "app.ledger_release('payout', '1', 'voided')",
    "app.request_adjustment(gen_random_uuid(), 'write_off', gen_random_uuid(), gen_random_uuid(), 1, 'x', 'x', true)",
    "app.decide_adjustment(gen_random_uuid(), 'x', true)",
)
STATEMENTS = ("SELECT * FROM {}", "INSERT INTO {} DEFAULT VALUES", "DELETE FROM {}", "TRUNCATE {} CASCADE")


@pytest.mark.parametrize("table", LEDGER_TABLES)
@pytest.mark.parametrize("statement", STATEMENTS)
def test_app_role_on_ledger_table_is_denied(database: Database, table: str, statement: str) -> None:
    with psycopg.connect(database.app_url) as conn, pytest.raises(psycopg.errors.InsufficientPrivilege):
        conn.execute(statement.format(table).encode())


@pytest.mark.parametrize("table", LEDGER_TABLES)
@pytest.mark.parametrize("statement", STATEMENTS[1:])
def test_service_role_writing_ledger_table_is_denied(database: Database, table: str, statement: str) -> None:
    with psycopg.connect(database.service_url) as conn, pytest.raises(psycopg.errors.InsufficientPrivilege):
        conn.execute(statement.format(table).encode())


@pytest.mark.parametrize("call", WRITERS)
def test_app_role_calling_writer_is_denied(database: Database, call: str) -> None:
    with psycopg.connect(database.app_url) as conn, pytest.raises(psycopg.errors.InsufficientPrivilege):
        conn.execute(f"SELECT {call}".encode())


OWNER_CHANGES = (
    "UPDATE ledger_transactions SET at = app.now()", "DELETE FROM ledger_transactions",
    "TRUNCATE ledger_transactions CASCADE",
    "UPDATE ledger_transfers SET amount = amount + 1", "DELETE FROM ledger_transfers", "TRUNCATE ledger_transfers",
    "UPDATE ledger_accounts SET user_id = NULL", "DELETE FROM ledger_accounts", "TRUNCATE ledger_accounts CASCADE",
    "UPDATE ledger_balances SET credits = credits - 1", "UPDATE ledger_balances SET seq = seq - 1",
    "DELETE FROM ledger_balances", "TRUNCATE ledger_balances CASCADE",
    "UPDATE ledger_holds SET amount = 1", "DELETE FROM ledger_holds", "TRUNCATE ledger_holds",
)  # fmt: skip


@pytest.mark.parametrize("statement", OWNER_CHANGES)
def test_owner_role_changing_entry_is_refused(database: Database, statement: str) -> None:
    with psycopg.connect(database.service_url) as conn:
        account = earn(conn, new_id(), 500)
        create_hold(conn, account, 100, new_subject("payout"))
    with psycopg.connect(database.owner_url) as conn, pytest.raises(psycopg.errors.IntegrityConstraintViolation):
        conn.execute(statement.encode())


def test_own_balances_show_only_the_current_user(database: Database) -> None:
    guru, other = new_id(), new_id()
    with psycopg.connect(database.service_url) as conn:
        card = get_or_create_account(conn, "card_network")
        for user, cents in ((guru, 1000), (other, 77)):
            earn(conn, user, cents)
            held = get_or_create_account(conn, "guru_held", user_id=user)
            payable = get_or_create_account(conn, "guru_payable", user_id=user)
            post(conn, "paid", new_subject("payment"), [Leg(card, held, cents * 2)])
            post(conn, "refunded", new_subject("refund"), [Leg(payable, card, cents * 3)])
    assert _balances(database, guru) == (2000, 3000, 1000)
    assert _balances(database, other) == (154, 231, 77)
    assert _balances(database, new_id()) == _balances(database, None) == (0, 0, 0)


def test_own_statement_pages_newest_first_without_gap(database: Database) -> None:
    guru, other = new_id(), new_id()
    with psycopg.connect(database.service_url) as conn:
        for number in range(120):
            earn(conn, guru, 100 + number)
            earn(conn, other, 7)
    first = _statement(database, guru, "guru_stripe")
    second = _statement(database, guru, "guru_stripe", first[-1][0])
    third = _statement(database, guru, "guru_stripe", second[-1][0])
    assert [len(page) for page in (first, second, third)] == [50, 50, 20]
    lines = [*first, *second, *third]
    assert [line[0] for line in lines] == list(range(120, 0, -1))
    assert [line[1] for line in lines] == [219 - at for at in range(120)]
    assert lines[0][2] == sum(line[1] for line in lines)
    assert _statement(database, guru, "guru_stripe", 1) == []


def test_own_statement_of_another_user_is_empty(database: Database) -> None:
    guru = new_id()
    with psycopg.connect(database.service_url) as conn:
        earn(conn, guru, 100)
    assert [line[1] for line in _statement(database, guru, "guru_payable")] == [-100, 100]
    assert _statement(database, guru, "card_network") == []
    assert _statement(database, new_id(), "guru_payable") == _statement(database, None, "guru_payable") == []
    with psycopg.connect(database.app_url) as conn:
        set_tenant(conn, guru, acting=True)  # a tenant is not a user
        assert conn.execute("SELECT * FROM app.own_ledger_lines('guru_payable', NULL, 50)").fetchall() == []


def _balances(database: Database, user: UUID | None) -> object:
    with psycopg.connect(database.app_url) as conn:
        set_user(conn, user)
        return conn.execute("SELECT held, debt, stripe_cents FROM app.payout_facts(app.now(), false)").fetchone()


def _statement(
    database: Database, user: UUID | None, kind: str, before: int | None = None
) -> list[tuple[int, int, int]]:
    with psycopg.connect(database.app_url) as conn:
        set_user(conn, user)
        query = "SELECT seq, amount, balance_after FROM app.own_ledger_lines(%s, %s, 50)"
        return conn.execute(query, [kind, before]).fetchall()


CALL = re.compile(r"app\.(post|ledger_\w+)\(")
SQL_CALL = re.compile(r"(?:PERFORM|=|RETURN|SELECT) app\.post\(")


def test_only_posting_calls_the_ledger() -> None:
    """Python reaches the ledger through posting.py. In SQL, adjustments and exchanges of neighbors post."""
    modules = [path for folder in ("tenants", "sites", "platform/porchlight") for path in (ROOT / folder).rglob("*.py")]
    assert [path.name for path in modules if CALL.search(path.read_text("utf-8"))] == ["posting.py"]
    posting = {path.name for path in schema.function_files() if SQL_CALL.search(path.read_text("utf-8"))}
    assert posting == {"decide_adjustment.sql", "enter_exchange.sql", "request_adjustment.sql"}
