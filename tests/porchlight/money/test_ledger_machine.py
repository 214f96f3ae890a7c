"""The ledger under random operations, beside a model of it in Python: each outcome and each balance agree."""

from __future__ import annotations

from collections import defaultdict
from datetime import timedelta
from typing import Any
from uuid import UUID

import psycopg
import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from porchlight.money import posting
from porchlight.money.posting import InsufficientBalance, InvalidPosting, LedgerConflict, Leg, Subject
from porchlight.money.rules import events, kinds
from tenants.kit import clock
from tenants.kit.ids import new_id
from tests.fixtures.databases import Database
from tests.porchlight.money.ledger import ASYNC_COMMIT, ledger_errors

USERS = 2
# The events that the machine posts: those that move money of gurus and customers, and minutes.
EVENTS = (
    "paid", "refunded", "delivered", "tip_paid", "transferred", "payout", "test_earnings", "instant_payout_fee",
    "package_sold", "package_used", "package_expired", "plan_paid", "hours_exchanged", "swap_given", "swap_settled",
    "free_help", "unknown_line", "dispute_opened",
)  # fmt: skip
CHANGES = (
    "UPDATE {} SET {} = {}", "DELETE FROM {}", "TRUNCATE {} CASCADE",
)  # fmt: skip
COLUMNS = {
    "ledger_accounts": "kind", "ledger_transactions": "event", "ledger_transfers": "amount", "ledger_balances": "unit",
    "ledger_holds": "amount",
}  # fmt: skip
NEW_VALUES = {"kind": "'losses'", "event": "event || '!'", "amount": "amount + 1", "unit": "unit || '!'"}

number, amount = st.integers(0, 10_000), st.integers(1, 300)
leg = st.tuples(number, number, number, amount)
STEPS = st.one_of(
    st.tuples(st.just("post"), st.tuples(st.sampled_from(EVENTS), st.lists(leg, min_size=1, max_size=3))),
    st.tuples(st.just("post_unlisted"), st.tuples(st.sampled_from(EVENTS), number, number)),
    st.tuples(st.just("post_again"), st.tuples(number, st.booleans())),
    st.tuples(st.just("reverse"), st.tuples(number)),
    st.tuples(st.just("hold"), st.tuples(number, amount, st.booleans())),
    st.tuples(st.just("end_hold"), st.tuples(number, st.sampled_from(["posted", "voided", "expired"]))),
    st.tuples(st.just("change"), st.tuples(st.sampled_from(sorted(COLUMNS)), st.sampled_from(CHANGES))),
)


class LedgerMachine(RuleBasedStateMachine):
    """Accounts of each kind, two for each kind with an owner, and what the model expects of them."""

    database: Database

    def __init__(self) -> None:
        super().__init__()
        self.conn = psycopg.connect(self.database.service_url, options=ASYNC_COMMIT)
        self.owner = psycopg.connect(self.database.owner_url, options=ASYNC_COMMIT)
        self.totals: dict[UUID, int] = defaultdict(int)
        self.reserved: dict[UUID, int] = defaultdict(int)
        self.posted: list[tuple[UUID, str, Subject, list[Leg]]] = []
        self.reversed: set[UUID] = set()
        self.holds: dict[Subject, tuple[UUID, int, str, bool]] = {}

    @initialize()
    def create_accounts(self) -> None:
        """Create the accounts. Those of the platform go on from earlier examples."""
        self.accounts: dict[str, list[UUID]] = {}
        self.kind_of: dict[UUID, str] = {}
        owners = [new_id() for _ in range(USERS)]
        for kind in kinds().values():
            keys: list[dict[str, Any]] = [{}]
            if kind.holder not in ("external", "platform"):
                keys = [{"pair_id" if kind.holder == "pair" else "user_id": owner} for owner in owners]
            found = [posting.get_or_create_account(self.conn, kind.name, unit=kind.unit, **key) for key in keys]
            self.accounts[kind.name] = found
            self.kind_of |= dict.fromkeys(found, kind.name)
        self.conn.commit()
        for account in self.kind_of:
            self.totals[account] = posting.balance(self.conn, account).total
        self.conn.rollback()

    def teardown(self) -> None:
        """Check the whole ledger, which earlier examples filled too, and close the connections."""
        with self.conn.transaction(force_rollback=True):
            assert ledger_errors(self.conn) == {}
        self.conn.close()
        self.owner.close()

    def floor(self, account: UUID) -> int | None:
        """Return the floor of an account."""
        return kinds()[self.kind_of[account]].floor

    def attempt(self, call: Any) -> Any:
        """Run a call in a transaction of its own. Return its result, or the class of the ledger's error."""
        try:
            result = call()
        except posting.LedgerError as error:
            self.conn.rollback()
            return type(error)
        self.conn.commit()
        return result

    @rule(step=STEPS)
    def take_step(self, step: tuple[str, tuple[Any, ...]]) -> None:
        """Run an operation. With a rule for each, Hypothesis leaves out some in each run."""
        name, arguments = step
        getattr(self, name)(*arguments)

    def expect(self, legs: list[Leg]) -> dict[UUID, int] | None:
        """Return the balances after the legs in order, or None if one of them takes an account below its floor."""
        totals = dict(self.totals)
        for one in legs:
            totals[one.debit] -= one.amount
            floor = self.floor(one.debit)
            if floor is not None and totals[one.debit] - self.reserved[one.debit] < floor:
                return None
            totals[one.credit] += one.amount
        return totals

    def post(self, event: str, picks: list[tuple[int, int, int, int]]) -> None:
        """Post legs that rules permit: stored if and only if no floor is in the way."""
        legs: list[Leg] = []
        for rule_number, debit, credit, cents in picks:
            permitted = events()[event].rules
            one = permitted[rule_number % len(permitted)]
            debits, credits_ = self.accounts[one.debit_kind], self.accounts[one.credit_kind]
            source, target = debits[debit % len(debits)], credits_[credit % len(credits_)]
            legs += [Leg(source, target, cents)] if source != target else []
        self.post_legs(event, Subject(events()[event].subject or "test", str(new_id())), legs)

    def post_legs(self, event: str, subject: Subject, legs: list[Leg]) -> None:
        """Post and compare the outcome with the model's."""
        outcome = self.attempt(lambda: posting.post(self.conn, event, subject, legs))
        after = self.expect(legs)
        if not legs:
            assert outcome is InvalidPosting
        elif after is None:
            assert outcome is InsufficientBalance
        else:
            assert isinstance(outcome, UUID)
            self.totals.update(after)
            self.posted.append((outcome, event, subject, legs))

    def post_unlisted(self, event: str, debit: int, credit: int) -> None:
        """Post between any two accounts: refused unless a rule permits it."""
        accounts = sorted(self.kind_of)
        source, target = accounts[debit % len(accounts)], accounts[credit % len(accounts)]
        pair = (self.kind_of[source], self.kind_of[target])
        if pair in {(one.debit_kind, one.credit_kind) for one in events()[event].rules} and source != target:
            return
        subject = Subject(events()[event].subject or "test", str(new_id()))
        outcome = self.attempt(lambda: posting.post(self.conn, event, subject, [Leg(source, target, 1)]))
        assert outcome in (InvalidPosting, InsufficientBalance)

    def post_again(self, number: int, same: bool) -> None:
        """Post the same again, or another amount: the first id, or a conflict."""
        if self.posted:
            transaction_id, event, subject, legs = self.posted[number % len(self.posted)]
            legs = legs if same else [*legs[:-1], Leg(legs[-1].debit, legs[-1].credit, legs[-1].amount + 1)]
            outcome = self.attempt(lambda: posting.post(self.conn, event, subject, legs))
            assert outcome == (transaction_id if same else LedgerConflict)

    def reverse(self, number: int) -> None:
        """Take a transaction back: once, where a rule permits it and no floor is in the way."""
        if self.posted:
            transaction_id, event, subject, legs = self.posted[number % len(self.posted)]
            opposite = events()[event].opposite or "free_help_reversed"
            subject = Subject(events()[opposite].subject or subject.kind, str(new_id()))
            outcome = self.attempt(lambda: posting.reverse(self.conn, transaction_id, opposite, subject))
            back = [Leg(one.credit, one.debit, one.amount) for one in legs]
            after = self.expect(back)
            if transaction_id in self.reversed:
                assert outcome is LedgerConflict
            elif not events()[event].opposite:
                assert outcome in (InvalidPosting, InsufficientBalance)
            elif after is None:
                assert outcome is InsufficientBalance
            else:
                assert isinstance(outcome, UUID)
                self.reversed.add(transaction_id)
                self.totals.update(after)

    def hold(self, number: int, cents: int, is_due: bool) -> None:
        """Hold an amount, often about all that is available: possible if and only if it is."""
        held = [*self.accounts["guru_stripe"], *self.accounts["guru_held"], *self.accounts["hours"]]
        account = held[number % len(held)]
        subject = Subject("hold", str(new_id()))
        expires_at = clock.now() - timedelta(seconds=1) if is_due else None
        available = self.totals[account] - self.reserved[account] - (self.floor(account) or 0)
        if number % 2:
            cents = max(1, available + number % 3 - 1)
        outcome = self.attempt(lambda: posting.create_hold(self.conn, account, cents, subject, expires_at))
        if cents > available:
            assert outcome is InsufficientBalance
        else:
            assert isinstance(outcome, UUID)
            self.reserved[account] += cents
            self.holds[subject] = (account, cents, "held", is_due)

    def end_hold(self, number: int, state: str) -> None:
        """End a hold, or all that are due. A hold ends in one way."""
        if state == "expired":
            due = [subject for subject, hold in self.holds.items() if hold[2] == "held" and hold[3]]
            self.attempt(lambda: posting.expire_holds(self.conn))
            for subject in due:
                self.end(subject, state)
        elif self.holds:
            subject = sorted(self.holds, key=lambda one: one.id)[number % len(self.holds)]
            call = posting.post_hold if state == "posted" else posting.void_hold
            outcome = self.attempt(lambda: call(self.conn, subject))
            before = self.holds[subject][2]
            assert isinstance(outcome, UUID) == (before in ("held", state))
            if before == "held":
                self.end(subject, state)

    def end(self, subject: Subject, state: str) -> None:
        """Release a hold in the model."""
        account, cents, _, is_due = self.holds[subject]
        self.reserved[account] -= cents
        self.holds[subject] = (account, cents, state, is_due)

    def change(self, table: str, statement: str) -> None:
        """Change entries as the owner role: refused, or there is none."""
        text = statement.format(table, COLUMNS[table], NEW_VALUES[COLUMNS[table]])
        try:
            changed = self.owner.execute(text.encode()).rowcount
        except psycopg.errors.IntegrityConstraintViolation:
            changed = 0
        finally:
            self.owner.rollback()
        assert changed == 0

    @invariant()
    def check_balances_equal_the_model(self) -> None:
        """Compare all balances with the model."""
        if not hasattr(self, "kind_of"):
            return
        rows = self.conn.execute(
            "SELECT account_id, credits - debits, reserved FROM ledger_balances WHERE account_id = ANY (%s)",
            [list(self.kind_of)],
        ).fetchall()
        self.conn.rollback()
        assert {row[0]: row[1:] for row in rows} == {
            account: (self.totals[account], self.reserved[account]) for account in self.kind_of
        }

    @invariant()
    def check_transfers_equal_the_model(self) -> None:
        """Compare number and running balance of each account's last transfer with its balance."""
        if not hasattr(self, "kind_of"):
            return
        wrong = self.conn.execute(
            "SELECT b.account_id FROM ledger_balances b CROSS JOIN LATERAL ("
            " (SELECT debit_seq AS seq, debit_balance_after AS after FROM ledger_transfers"
            "   WHERE debit_account = b.account_id ORDER BY debit_seq DESC LIMIT 1) UNION ALL"
            " (SELECT credit_seq, credit_balance_after FROM ledger_transfers"
            "   WHERE credit_account = b.account_id ORDER BY credit_seq DESC LIMIT 1) ORDER BY seq DESC LIMIT 1) t"
            " WHERE b.account_id = ANY (%s) AND (t.seq, t.after) <> (b.seq, b.credits - b.debits)",
            [list(self.kind_of)],
        ).fetchall()
        self.conn.rollback()
        assert wrong == []


def run_machine(database: Database, examples: int, steps: int) -> None:
    class Machine(LedgerMachine):
        pass

    Machine.database = database
    run_state_machine_as_test(
        Machine,
        settings=settings(
            settings.default,
            max_examples=examples,
            stateful_step_count=steps,
            suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
            phases=(Phase.generate,),  # shrinking takes minutes, and the steps are printed
        ),
    )


def test_ledger_under_random_operations_stays_exact(new_database: Any) -> None:
    run_machine(new_database(), 12, 100)


@pytest.mark.drill
def test_ledger_under_many_operations_stays_exact(new_database: Any) -> None:
    run_machine(new_database(), 300, 300)
