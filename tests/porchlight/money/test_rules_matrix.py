"""Every combination of event, debited kind, credited kind and unit: only those of rules.toml can be stored."""

from __future__ import annotations

import psycopg
import pytest

from porchlight.money.posting import get_or_create_account
from porchlight.money.rules import AccountKind, PostingRule, events, kinds, rules, sync_rules
from tenants.kit.ids import new_id
from tests.fixtures.databases import Database

# Tries each combination as a row of its own, behind app.post: only constraints can refuse it. Two accounts of each
# kind, so that a kind meets itself too.
TRY_ALL = """
DO $$
DECLARE
  one record;
  tried bigint := 0;
  refusal text;
BEGIN
  CREATE TEMP TABLE outcomes (event text, debit_kind text, credit_kind text, unit text, refused_by text);
  FOR one IN
    SELECT t.id AS transaction_id, t.event, d.id AS debit, d.kind AS debit_kind, c.id AS credit, c.kind AS credit_kind,
           u.unit, row_number() OVER (PARTITION BY t.id) AS n
      FROM ledger_transactions t, sides d, sides c, (VALUES ('usd'), ('min')) u (unit)
     WHERE d.side = 'debit' AND c.side = 'credit'
  LOOP
    tried := tried + 1;
    refusal := '';
    BEGIN
      INSERT INTO ledger_transfers VALUES (one.transaction_id, one.n, one.event, one.unit, 1, one.debit, one.debit_kind,
        tried, 0, one.credit, one.credit_kind, tried, 0);
    EXCEPTION WHEN foreign_key_violation THEN
      GET STACKED DIAGNOSTICS refusal = CONSTRAINT_NAME;
    END;
    INSERT INTO outcomes VALUES (one.event, one.debit_kind, one.credit_kind, one.unit, refusal);
  END LOOP;
END $$
"""
OWNERS = {"guru": "user_id", "customer": "user_id", "pair": "pair_id"}


def test_unlisted_rule_is_refused_by_constraints(database: Database) -> None:
    with psycopg.connect(database.owner_url) as conn:
        conn.execute("CREATE TEMP TABLE sides (side text, id uuid, kind text)")
        for kind in kinds().values():
            for side in ("debit", "credit"):
                conn.execute("INSERT INTO sides VALUES (%s, %s, %s)", [side, _account(conn, kind, side), kind.name])
        for event in [*events(), "no_such_event"]:
            conn.execute(
                "INSERT INTO ledger_transactions (id, event, subject_kind, subject_id, digest)"
                " VALUES (%s, %s, 'matrix', '1', '')",
                [new_id(), event],
            )
        conn.execute(TRY_ALL.encode())
        outcomes = {PostingRule(*row[:4]): row[4] for row in conn.execute("SELECT * FROM outcomes")}
        conn.rollback()
    assert len(outcomes) == (len(events()) + 1) * len(kinds()) ** 2 * 2
    assert {rule for rule, refused_by in outcomes.items() if not refused_by} == rules()
    unlisted = {refused_by for rule, refused_by in outcomes.items() if refused_by}
    # Whichever is checked first: a wrong unit is refused by the account too.
    assert unlisted <= {
        "fk_ledger_transfers_event_debit_kind_credit_kind_unit",
        "fk_ledger_transfers_debit_account_unit_debit_kind",
        "fk_ledger_transfers_credit_account_unit_credit_kind",
    }
    right_units = {
        refused_by for rule, refused_by in outcomes.items()
        if refused_by and kinds()[rule.debit_kind].unit == kinds()[rule.credit_kind].unit == rule.unit
    }  # fmt: skip
    assert right_units == {"fk_ledger_transfers_event_debit_kind_credit_kind_unit"}


def _account(conn: psycopg.Connection, kind: AccountKind, side: str) -> object:
    """Return an account of the kind; for kinds without owner a second one, which only the owner role can make."""
    if kind.holder in OWNERS:
        return get_or_create_account(conn, kind.name, unit=kind.unit, **{OWNERS[kind.holder]: new_id()})
    if side == "debit":
        return get_or_create_account(conn, kind.name, unit=kind.unit)
    account = new_id()
    conn.execute(
        "INSERT INTO ledger_accounts (id, kind, unit, pair_id) VALUES (%s, %s, %s, %s)",
        [account, kind.name, kind.unit, new_id()],
    )
    return account


def test_migrated_rules_equal_the_file(database: Database) -> None:
    with psycopg.connect(database.service_url) as conn:
        stored = {PostingRule(*row) for row in conn.execute("SELECT * FROM ledger_rules")}
        stored_kinds = {AccountKind(*row) for row in conn.execute("SELECT kind, holder, unit, floor FROM ledger_kinds")}
    assert stored == rules()
    assert stored_kinds == set(kinds().values())


def test_every_kind_has_a_rule_on_both_sides() -> None:
    assert {rule.debit_kind for rule in rules()} == {rule.credit_kind for rule in rules()} == set(kinds())


def test_every_opposite_event_takes_back_all_legs() -> None:
    for event in events().values():
        if event.opposite:
            back = {(rule.credit_kind, rule.debit_kind) for rule in events()[event.opposite].rules}
            assert back == {(rule.debit_kind, rule.credit_kind) for rule in event.rules}


def test_rules_with_live_keys_have_no_test_earnings(database: Database) -> None:
    with psycopg.connect(database.owner_url) as conn:
        sync_rules(conn, live=True)
        missing = rules() - {PostingRule(*row) for row in conn.execute("SELECT * FROM ledger_rules")}
        assert {rule.event for rule in missing} == {"test_earnings"}
        sync_rules(conn)
        assert conn.execute("SELECT count(*) FROM ledger_rules").fetchone() == (len(rules()),)


def test_sync_rules_of_changed_kind_raises(database: Database) -> None:
    with psycopg.connect(database.owner_url) as conn:
        conn.execute("UPDATE ledger_kinds SET floor = -1 WHERE kind = 'guru_held'")
        with pytest.raises(ValueError, match="guru_held"):
            sync_rules(conn)
        conn.rollback()


@pytest.mark.parametrize("side", ["debit", "credit"])
def test_transfer_with_kind_unlike_its_account_is_refused(database: Database, side: str) -> None:
    """A permitted pair of kinds does not help an account of another kind."""
    with psycopg.connect(database.owner_url) as conn:
        card = get_or_create_account(conn, "card_network")
        held = get_or_create_account(conn, "guru_held", user_id=new_id())
        losses = get_or_create_account(conn, "losses")
        transaction = new_id()
        conn.execute(
            "INSERT INTO ledger_transactions VALUES (%s, 'paid', 'payment', '1', '', app.now(), '')", [transaction]
        )
        debit, credit = (losses, held) if side == "debit" else (card, losses)
        with pytest.raises(psycopg.errors.ForeignKeyViolation) as refused:
            conn.execute(
                "INSERT INTO ledger_transfers VALUES (%s, 1, 'paid', 'usd', 5, %s, 'card_network', 1, 0,"
                " %s, 'guru_held', 1, 0)",
                [transaction, debit, credit],
            )
        assert refused.value.diag.constraint_name == f"fk_ledger_transfers_{side}_account_unit_{side}_kind"
        conn.rollback()
