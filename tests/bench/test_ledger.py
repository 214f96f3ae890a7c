"""The ledger's cost in CPU time of the server: a posting beside bare rows, reads of accounts of different sizes."""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any
from uuid import UUID

import psycopg
import pytest

from porchlight.money.posting import Leg, Posting, Subject, get_or_create_account, post, post_many
from porchlight_dev.postgres.server import SUPERUSER, LocalPostgres
from tenants.db import roles
from tenants.kit.ids import new_id
from tests.bench.conftest import BenchDatabase, create_bench_database
from tests.bench.figures import least, print_figure

pytestmark = pytest.mark.bench

GURUS = 100
CALLS_PER_ROUND = 200  # short rounds, so that other load affects both sides
ROUNDS = 31
BATCH = 500  # as the reconciler's
FEW, DEEP = 1000, 100_000
MANY = int(os.environ.get("PORCHLIGHT_BENCH_TRANSFERS", "1000000"))

# The rows of the ledger without its guards: no rules, no floors, no triggers, no order of locks.
BARE_TABLES = """
CREATE TABLE bare_transactions (id uuid PRIMARY KEY, event text, subject_kind text, subject_id text,
  stripe_object text, at timestamptz DEFAULT now(), digest bytea, UNIQUE (subject_kind, subject_id, event));
CREATE TABLE bare_transfers (LIKE ledger_transfers, PRIMARY KEY (transaction_id, n), UNIQUE (debit_account, debit_seq),
  UNIQUE (credit_account, credit_seq));
CREATE TABLE bare_balances (account_id uuid PRIMARY KEY, debits bigint, credits bigint, seq bigint);
INSERT INTO bare_balances SELECT account_id, debits, credits, seq FROM ledger_balances;
GRANT SELECT, INSERT, UPDATE ON bare_transactions, bare_transfers, bare_balances TO porchlight_overseer
"""
INSERT_TRANSACTION = """
INSERT INTO bare_transactions (id, event, subject_kind, subject_id, stripe_object, digest)
VALUES (%s, 'paid', 'payment', %s, 'pi_1', %s)"""
INSERT_TRANSFERS = """
INSERT INTO bare_transfers VALUES (%(id)s, 1, 'paid', 'usd', 6750, %(card)s, 'card_network', %(n)s, 0, %(held)s,
  'guru_held', %(n)s, 0), (%(id)s, 2, 'paid', 'usd', 750, %(card)s, 'card_network', %(n)s + 1, 0, %(fees)s,
  'platform_fees', %(n)s, 0)"""
UPDATE_BALANCE = """
UPDATE bare_balances SET debits = debits + %s, credits = credits + %s, seq = seq + 1 WHERE account_id = %s"""

# An account with as many transfers as wanted, written without app.post, which would take minutes.
FILL = """
WITH t AS (INSERT INTO ledger_transactions (id, event, subject_kind, subject_id, digest)
  SELECT gen_random_uuid(), 'transferred', 'transfer', %(stripe)s || '-' || n, '' FROM generate_series(1, %(count)s) n
  RETURNING id, split_part(subject_id, '-', 6)::bigint AS n)
INSERT INTO ledger_transfers SELECT id, 1, 'transferred', 'usd', 5, %(payable)s, 'guru_payable', n, -5 * n, %(stripe)s,
  'guru_stripe', n, 5 * n FROM t"""
SET_BALANCES = """
UPDATE ledger_balances SET seq = %(count)s, debits = CASE WHEN kind = 'guru_payable' THEN 5 * %(count)s ELSE 0 END,
  credits = CASE WHEN kind = 'guru_stripe' THEN 5 * %(count)s ELSE 0 END
 WHERE account_id IN (%(payable)s, %(stripe)s)"""


class Backend:
    """A connection that measures the CPU time of its server process."""

    def __init__(self, dsn: str) -> None:
        self.conn = psycopg.connect(dsn, autocommit=True, prepare_threshold=0)
        self._schedstat = Path(f"/proc/{self.conn.info.backend_pid}/schedstat")

    def __enter__(self) -> Backend:
        return self

    def __exit__(self, *_exc: object) -> None:
        self.conn.close()

    def microseconds(self, call: Callable[[], object], *, calls: int = CALLS_PER_ROUND) -> float:
        """Return the server's CPU time of one call."""
        before = int(self._schedstat.read_text().split()[0])
        for _ in range(calls):
            call()
        return (int(self._schedstat.read_text().split()[0]) - before) / calls / 1000


@pytest.fixture(scope="module")
def ledger(durable_postgres: LocalPostgres) -> BenchDatabase:
    """A migrated database on the durable server."""
    return create_bench_database(durable_postgres, "bench_ledger")


def test_posting_beside_bare_rows(ledger: BenchDatabase) -> None:
    with psycopg.connect(ledger.url(roles.SERVICE_ROLE)) as conn:
        card = get_or_create_account(conn, "card_network")
        fees = get_or_create_account(conn, "platform_fees")
        held = [get_or_create_account(conn, "guru_held", user_id=new_id()) for _ in range(GURUS)]
    with psycopg.connect(ledger.url(SUPERUSER)) as conn:
        conn.execute(BARE_TABLES.encode())
    numbers = itertools.count(1, 2)
    with Backend(ledger.url(roles.SERVICE_ROLE)) as ours, Backend(ledger.url(roles.SERVICE_ROLE)) as bare:

        def post_payment() -> None:
            account = held[next(numbers) % GURUS]
            subject = Subject("payment", str(new_id()))
            post(ours.conn, "paid", subject, [Leg(card, account, 6750), Leg(card, fees, 750)], stripe_object="pi_1")

        def write_rows() -> None:
            number, row_id = next(numbers), new_id()
            account = held[number % GURUS]
            with bare.conn.pipeline(), bare.conn.transaction():
                bare.conn.execute(INSERT_TRANSACTION, [row_id, str(new_id()), b"0" * 32])
                values = {"id": row_id, "card": card, "held": account, "fees": fees, "n": number}
                bare.conn.execute(INSERT_TRANSFERS, values)
                for debit, credit, changed in ((7500, 0, card), (0, 6750, account), (0, 750, fees)):
                    bare.conn.execute(UPDATE_BALANCE, [debit, credit, changed])

        posting, rows = least(
            lambda: ours.microseconds(post_payment), lambda: bare.microseconds(write_rows), rounds=ROUNDS
        )
    note = f"{posting:.0f} µs beside {rows:.0f} µs of the backend's processor"
    print_figure("two-leg posting beside bare rows", 1e6 / posting, 1e6 / rows, "/s", least=0.45, note=note)


def test_posting_of_batch_beside_single_postings(ledger: BenchDatabase) -> None:
    with psycopg.connect(ledger.url(roles.SERVICE_ROLE)) as conn:
        fees, processor = (get_or_create_account(conn, kind) for kind in ("platform_fees", "processor_fees"))
    with Backend(ledger.url(roles.SERVICE_ROLE)) as ours, Backend(ledger.url(roles.SERVICE_ROLE)) as one_by_one:

        def fees_of_lines() -> list[Posting]:
            lines = [Subject("balance_line", str(new_id())) for _ in range(BATCH)]
            return [Posting("processing_fee", line, [Leg(fees, processor, 59)], "ch_1") for line in lines]

        def post_singly() -> None:
            with one_by_one.conn.transaction():
                for one in fees_of_lines():
                    post(one_by_one.conn, one.event, one.subject, one.legs, stripe_object=one.stripe_object)

        batch, singles = least(
            lambda: ours.microseconds(lambda: post_many(ours.conn, fees_of_lines()), calls=1) / BATCH,
            lambda: one_by_one.microseconds(post_singly, calls=1) / BATCH,
            rounds=ROUNDS,
        )
    note = f"{batch:.0f} µs beside {singles:.0f} µs of the backend's processor"
    name = f"postings in batches of {BATCH} beside one by one"
    print_figure(name, 1e6 / batch, 1e6 / singles, "/s", note=note)


def _guru_with_transfers(ledger: BenchDatabase, count: int) -> tuple[UUID, UUID]:
    """Return a user whose connected account has that many transfers, and the account."""
    user = new_id()
    with psycopg.connect(ledger.url(SUPERUSER)) as conn:
        accounts: dict[str, Any] = {
            "payable": get_or_create_account(conn, "guru_payable", user_id=user),
            "stripe": get_or_create_account(conn, "guru_stripe", user_id=user),
        }
        conn.execute("SET session_replication_role = replica")
        conn.execute(FILL.encode(), accounts | {"count": count})
        conn.execute(SET_BALANCES.encode(), accounts | {"count": count})
    return user, accounts["stripe"]


def test_reads_of_large_and_small_accounts(ledger: BenchDatabase) -> None:
    (few_user, _), (many_user, _) = (_guru_with_transfers(ledger, count) for count in (FEW, MANY))
    with psycopg.connect(ledger.url(SUPERUSER), autocommit=True) as conn:
        conn.execute("VACUUM ANALYZE ledger_transfers, ledger_transactions, ledger_balances, ledger_accounts")
    with Backend(ledger.url(roles.APP_ROLE)) as backend:

        def reader(user: UUID, query: str, rows: int) -> Callable[[], float]:
            def read() -> None:
                with backend.conn.pipeline(), backend.conn.transaction():
                    backend.conn.execute("SELECT set_config('app.user_id', %s, true)", [str(user)])
                    cursor = backend.conn.execute(query.encode())
                assert len(cursor.fetchall()) == rows

            read()
            return lambda: backend.microseconds(read)

        balances = "SELECT * FROM app.payout_facts(app.now(), false)"
        large, small = least(reader(many_user, balances, 1), reader(few_user, balances, 1), rounds=ROUNDS)
        print_figure(f"balance after {MANY:,} transfers beside {FEW:,}", large, small, "µs", at_most=1.3)
        page = "SELECT * FROM app.own_ledger_lines('guru_stripe', {}, 50)"
        deep, newest = least(
            reader(many_user, page.format(MANY - DEEP), 50), reader(many_user, page.format("NULL"), 50), rounds=ROUNDS
        )
        print_figure(f"statement page at depth {DEEP:,} beside the first", deep, newest, "µs", at_most=1.5)
