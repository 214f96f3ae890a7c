"""Reconciliation against the fake Stripe: nothing differs after real movements, and each fault is one finding."""

from __future__ import annotations

import asyncio
import json
from datetime import timedelta
from typing import Any

import psycopg
import pytest
from typer.testing import CliRunner

from porchlight.cli.main import app
from porchlight.money.posting import Leg, Subject, get_or_create_account, post
from porchlight.settlement.reconcile.run import Comparison, reconcile
from tenants.kit import clock
from tenants.kit.ids import new_id
from tests.porchlight.payouts.stripe_fake import SECRET_KEY, WEBHOOK_SECRET
from tests.porchlight.settlement.both_sides import RULES, BothSides


@pytest.fixture
async def matched(sides: BothSides) -> BothSides:
    """Both sides with a guru, earnings and a regular payout, compared without a finding."""
    guru = sides.guru(earnings=20_000)
    assert (await compare(sides)).findings == []
    assert guru.account_id
    return sides


async def compare(sides: BothSides) -> Comparison:
    """Run a comparison in three hours, so that nothing is too new to differ."""
    with psycopg.connect(sides.database.service_url) as conn:
        accounts = RULES.accounts(conn)
    until = clock.now() + timedelta(hours=3)
    return await reconcile(sides.database.service_url, sides.api, accounts, until=until)


async def test_reconcile_of_earnings_and_payout_finds_nothing(sides: BothSides) -> None:
    guru = sides.guru(earnings=20_000)
    outcome, _, cents = sides.request(guru)
    assert outcome == "created"
    assert cents
    await sides.settlement.send_due()
    assert (await compare(sides)).findings == []
    assert (await compare(sides)).lines == 0
    fees = sides.one("SELECT sum(amount) FROM ledger_transfers WHERE event = 'processing_fee'")
    assert fees[0] > 0


async def test_reconcile_charge_without_posting_is_missing_here(matched: BothSides) -> None:
    charge = matched.control("charges", amount=5000)["charge"]["id"]
    (found,) = (await compare(matched)).findings
    assert (found.kind, found.account, found.stripe_id, found.cents) == ("missing_here", "", charge, 5000)
    _post_plan(matched, charge, 5000)
    assert (await compare(matched)).findings == []
    assert matched.one("SELECT state FROM findings WHERE stripe_id = %s", charge) == ("gone",)


async def test_reconcile_posting_without_line_is_missing_there(matched: BothSides) -> None:
    _post_plan(matched, "ch_never", 900)
    (found,) = (await compare(matched)).findings
    assert (found.kind, found.stripe_id, found.cents) == ("missing_at_stripe", "ch_never", -900)
    assert found.transaction_id is not None
    _reset(matched, "ch_never")


async def test_reconcile_one_cent_less_differs(matched: BothSides) -> None:
    charge = matched.control("charges", amount=700)["charge"]["id"]
    _post_plan(matched, charge, 699)
    (found,) = (await compare(matched)).findings
    assert (found.kind, found.stripe_id, found.cents) == ("amount_differs", charge, 1)
    _reset(matched, charge)


@pytest.mark.parametrize("cents", [250, -250])
async def test_reconcile_unknown_line_goes_to_suspense(matched: BothSides, cents: int) -> None:
    before = _suspense(matched)
    line = matched.control("lines", type="climate_order_purchase", amount=cents)
    (found,) = (await compare(matched)).findings
    assert (found.kind, found.stripe_id, found.cents) == ("unknown_line", line["id"], cents)
    assert _suspense(matched) == before + cents
    matched.run("UPDATE findings SET state = 'explained', note = 'Trees' WHERE stripe_id = %s", line["id"])
    assert (await compare(matched)).findings == []
    assert _suspense(matched) == before + cents


async def test_reconcile_platform_payout_and_topup_are_posted(matched: BothSides) -> None:
    for kind, cents in (("topup", 4000), ("payout", -1500), ("stripe_fee", -25)):
        matched.control("lines", type=kind, amount=cents)
    assert (await compare(matched)).findings == []
    events = {row[0] for row in _rows(matched, "SELECT event FROM ledger_transactions")}
    assert events >= {"platform_topup", "platform_payout", "processing_fee"}


async def test_reconcile_write_without_outcome_is_stuck(matched: BothSides) -> None:
    row_id = new_id()
    matched.run(
        "INSERT INTO stripe_outbox (id, kind, subject_id, attempt, lane, method, path, params, state, created_at)"
        " VALUES (%s, 'payout', %s, 1, 'x', 'POST', '/v1/payouts', '{}', 'unknown', app.now() - interval '30 hours')",
        row_id, new_id(),
    )  # fmt: skip
    (found,) = (await compare(matched)).findings
    assert (found.kind, found.stripe_id, found.cents) == ("stuck_outbox", str(row_id), 0)
    matched.run("DELETE FROM stripe_outbox WHERE id = %s", row_id)
    assert (await compare(matched)).findings == []


@pytest.mark.parametrize("options", [[], ["--json"]])
async def test_reconcile_command_exits_with_1_on_drift(
    matched: BothSides, monkeypatch: pytest.MonkeyPatch, options: list[str]
) -> None:
    monkeypatch.setenv("PORCHLIGHT_OVERSEER_DATABASE_URL", matched.database.service_url)
    monkeypatch.setenv("STRIPE_SECRET_KEY", SECRET_KEY)
    monkeypatch.setenv("STRIPE_WEBHOOK_SECRET", WEBHOOK_SECRET)
    monkeypatch.setenv("STRIPE_API_BASE", matched.fake.url)
    charge = f"ch_cli_{new_id()}"
    until = f"{clock.now() + timedelta(hours=3):%Y-%m-%dT%H:%M:%S}"
    command = ["money", "reconcile", "--until", until, *options]
    clean = await asyncio.to_thread(CliRunner().invoke, app, command)
    assert (clean.exit_code, charge in clean.stdout) == (0, False)
    _post_plan(matched, charge, 1234)
    drifted = await asyncio.to_thread(CliRunner().invoke, app, command)
    assert drifted.exit_code == 1
    if options:
        (found,) = json.loads(drifted.stdout)["findings"]
        assert (found["kind"], found["stripe_id"], found["cents"]) == ("missing_at_stripe", charge, -1234)
    else:
        assert "-12.34" in drifted.stdout
    _reset(matched, charge)


def _post_plan(sides: BothSides, charge: str, cents: int) -> None:
    with psycopg.connect(sides.database.service_url) as conn:
        card = get_or_create_account(conn, "card_network")
        revenue = get_or_create_account(conn, "subscription_revenue")
        subject = Subject("invoice", str(new_id()))
        post(conn, "plan_paid", subject, [Leg(card, revenue, cents)], stripe_object=charge)


def _reset(sides: BothSides, stripe_id: str) -> None:
    """Explain a finding, so that the other tests of the module start without one."""
    sides.run("UPDATE findings SET state = 'explained', note = 'test' WHERE stripe_id = %s", stripe_id)


def _suspense(sides: BothSides) -> int:
    row = sides.one("SELECT coalesce(sum(credits - debits), 0) FROM ledger_balances WHERE kind = 'suspense'")
    return int(row[0])


def _rows(sides: BothSides, query: str) -> list[tuple[Any, ...]]:
    with psycopg.connect(sides.database.service_url) as conn:
        return conn.execute(query.encode()).fetchall()
