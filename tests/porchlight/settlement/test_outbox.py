"""Writes to Stripe: one intent, one key, and a rule for every outcome."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import Any
from uuid import UUID

import psycopg
import pytest

from porchlight.payment_ports import Refusal
from porchlight.settlement import outbox
from porchlight.settlement.jobs import Settlement
from porchlight.stripe.client import StripeClient
from tenants.kit.ids import new_id
from tests.fixtures.databases import Database
from tests.fixtures.ports import free_ports
from tests.porchlight.settlement.both_sides import RULES, BothSides, SettableClock


def keys_of(sides: BothSides, account: str) -> list[str]:
    calls = sides.calls(method="POST", path="/v1/payouts", account=account)
    return [call["idempotency_key"] for call in calls]


async def test_refused_then_retry_sends_second_attempt(sides: BothSides) -> None:
    guru = sides.guru(10_000)
    sides.fault("refuse:balance_insufficient")
    _, first_id, _ = sides.request(guru, 2_000)
    await sides.settlement.send_due()
    assert sides.write_state(first_id) == "refused"
    assert sides.payout_state(first_id) == ("failed", "balance_insufficient")
    assert (sides.ledger(guru), sides.postings(first_id)) == ((10_000, 0), [])
    sides.earn(guru, 5_000)
    _, second_id, _ = sides.request(guru, 2_000)
    await sides.settlement.send_due()
    assert sides.write_state(second_id) == "done"
    assert len(set(keys_of(sides, guru.account_id))) == 2
    assert sides.ledger(guru) == (sides.stripe_balance(guru), 0)


async def test_refused_write_gets_next_attempt(sides: BothSides) -> None:
    guru = sides.guru(10_000)
    params = {"amount": 50_000, "currency": "usd", "method": "standard"}
    subject_id = new_id()
    seen: list[tuple[str, Any]] = []

    class Rule:
        kind = "test_write"

        def on_done(self, _conn: Any, write: Any, stripe_object: Any) -> None:
            seen.append(("done", (write.attempt, stripe_object["amount"])))

        def on_refused(self, _conn: Any, write: Any, refusal: Refusal) -> None:
            seen.append(("refused", (write.attempt, refusal.code)))

        def on_absent(self, _conn: Any, write: Any) -> None:
            seen.append(("absent", write.attempt))

        def lookup(self, _write: Any) -> Any:
            raise AssertionError

    rules = type(RULES)((Rule(),), ())
    settlement = Settlement(sides.database.service_url, sides.api, rules)

    def create() -> UUID:
        with psycopg.connect(sides.database.service_url) as conn:
            return outbox.create_write(
                conn, kind="test_write", subject_id=subject_id, path="/v1/payouts", params=params,
                account=guru.account_id,
            )  # fmt: skip

    create()
    with pytest.raises(psycopg.errors.ObjectNotInPrerequisiteState):
        create()  # the first attempt is open
    await settlement.send_due()
    sides.earn(guru, 45_000)
    create()
    await settlement.send_due()
    assert seen == [("refused", (1, "balance_insufficient")), ("done", (2, 50_000))]
    with pytest.raises(psycopg.errors.ObjectNotInPrerequisiteState):
        create()  # a write that is done is final


@pytest.mark.parametrize("fault", ["drop_after_commit", "status:503", "status:429", "status:409", "close"])
async def test_unclear_write_never_has_second_key(sides: BothSides, product_clock: SettableClock, fault: str) -> None:
    guru = sides.guru(10_000)
    _, payout_id, _ = sides.request(guru, 2_000)
    sides.fault(fault)
    await sides.settlement.send_due()
    state = "ready" if fault in ("status:429", "status:409") else "unknown"
    assert sides.write_state(payout_id) == state
    with psycopg.connect(sides.database.service_url) as conn, pytest.raises(psycopg.errors.UniqueViolation):
        # Another request while the outcome is open is refused, whatever the reason was.
        conn.execute(
            "INSERT INTO payouts (user_id, id, account_id, amount, method) VALUES (%s, %s, %s, 1, 'instant')",
            [guru.user_id, new_id(), guru.account_id],
        )
    assert sides.request(guru, 2_000)[0] == "payout_in_progress"
    for _ in range(3):
        product_clock.advance(timedelta(minutes=16))
        await sides.settlement.send_due()
    assert len(set(keys_of(sides, guru.account_id))) == 1
    # A 500 that is saved under the key says nothing: Stripe is searched, and has no payout.
    assert sides.write_state(payout_id) == ("unknown" if fault == "status:503" else "done")


async def test_unreachable_stripe_sends_nothing(sides: BothSides, product_clock: SettableClock) -> None:
    guru = sides.guru(10_000)
    _, payout_id, _ = sides.request(guru, 2_000)
    api = StripeClient("sk_test_local", api_base=f"http://127.0.0.1:{free_ports()}")
    await Settlement(sides.database.service_url, api, RULES).send_due()
    await api.close()
    assert sides.write_state(payout_id) == "ready"
    product_clock.advance(timedelta(minutes=16))
    await sides.settlement.send_due()
    assert sides.write_state(payout_id) == "done"


async def test_lapsed_lease_cannot_record_outcome(sides: BothSides, product_clock: SettableClock) -> None:
    guru = sides.guru(10_000)
    _, payout_id, _ = sides.request(guru, 2_000)
    row = sides.claim()
    assert row is not None
    assert sides.claim() is None  # it is on its way
    late = await outbox.resolve(sides.api, RULES, row)
    product_clock.advance(timedelta(seconds=61))
    await sides.settlement.send_due()  # another worker takes over, with the same key
    assert sides.write_state(payout_id) == "done"
    with psycopg.connect(sides.database.service_url) as conn:
        assert outbox.record(conn, RULES, row, late) is False
        assert outbox.record(conn, RULES, row, Refusal("late", "")) is False
    assert sides.postings(payout_id) == ["instant_payout_fee", "payout"]
    assert len(sides.objects("payout", account=guru.account_id)) == 1


async def test_account_has_one_call_in_flight(sides: BothSides) -> None:
    guru, other = sides.guru(10_000), sides.guru(10_000)
    with psycopg.connect(sides.database.service_url) as conn:
        for owner in (guru, guru, other):
            outbox.create_write(
                conn, kind="payout", subject_id=new_id(), path="/v1/none", params={}, account=owner.account_id
            )
    claimed = [sides.claim() for _ in range(3)]
    assert sorted(row.account for row in claimed if row) == sorted([guru.account_id, other.account_id])
    sides.run("UPDATE stripe_outbox SET state = 'absent' WHERE path = '/v1/none'")


async def test_concurrent_claims_take_a_row_once(sides: BothSides) -> None:
    gurus = [sides.guru(10_000) for _ in range(3)]
    payouts = [sides.request(guru, 1_000)[1] for guru in gurus]
    apis = [sides.new_api() for _ in range(4)]
    others = [Settlement(sides.database.service_url, api, RULES) for api in apis]
    await asyncio.gather(*(settlement.send_due() for settlement in others))
    for api in apis:
        await api.close()
    assert {sides.write_state(payout_id) for payout_id in payouts} == {"done"}
    for guru in gurus:
        assert len(keys_of(sides, guru.account_id)) == 1


async def test_failing_rule_keeps_write_until_it_works(
    sides: BothSides, product_clock: SettableClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    guru = sides.guru(10_000)
    _, payout_id, _ = sides.request(guru, 2_000)
    with monkeypatch.context() as broken:
        broken.setattr("porchlight.money.posting.post_hold", None)
        await sides.settlement.send_due()
    assert (sides.write_state(payout_id), sides.postings(payout_id)) == ("sent", [])
    product_clock.advance(timedelta(seconds=61))
    await sides.settlement.send_due()
    assert sides.write_state(payout_id) == "done"
    assert sides.ledger(guru) == (sides.stripe_balance(guru), 0)


def test_retry_delay_grows_to_fifteen_minutes() -> None:
    for tries in range(40):
        delay = outbox.retry_delay(tries)
        assert timedelta(seconds=1) <= delay <= timedelta(minutes=15)
    assert outbox.retry_delay(30) >= timedelta(minutes=7)


def test_app_role_has_no_access(database: Database) -> None:
    statements = (
        "SELECT 1 FROM stripe_outbox",
        "SELECT 1 FROM stripe_inbox",
        "INSERT INTO stripe_inbox (id) VALUES ('x')",
        "UPDATE stripe_outbox SET state = 'done'",
        "SELECT app.create_stripe_write('payout', uuidv7(), '', 'POST', '/v1/payouts', '{}')",
        "INSERT INTO payouts (user_id, id, account_id, amount, method) VALUES (uuidv7(), uuidv7(), '', 1, 'instant')",
        "UPDATE payouts SET amount = 1",
        "DELETE FROM payouts",
        "SELECT app.create_payout(1, 1, '', '', '', NULL)",
    )
    for statement in statements:
        with psycopg.connect(database.app_url) as conn, pytest.raises(psycopg.errors.InsufficientPrivilege):
            conn.execute(statement.encode())
