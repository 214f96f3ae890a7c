"""Events that fail, that Stripe could not deliver, and objects whose events were lost."""

from __future__ import annotations

import json
from datetime import timedelta

import psycopg
import pytest

from porchlight.settlement import inbox
from porchlight.settlement.reconcile.run import reconcile
from porchlight.settlement.rules import ObjectRule
from porchlight.stripe.events import parse_event
from tenants.kit import clock
from tests.fixtures.jobs import do_jobs
from tests.porchlight.settlement.both_sides import RULES, BothSides, SettableClock


def receive(sides: BothSides, event_id: str, account: str, payout: str, kind: str = "payout.paid") -> str:
    body = json.dumps({
        "id": event_id, "object": "event", "type": kind, "created": int(clock.now().timestamp()), "livemode": False,
        "account": account, "data": {"object": {"id": payout, "object": "payout"}},
    }).encode()  # fmt: skip
    object_id = inbox.object_of(RULES, body)
    assert object_id is not None
    values = inbox.receive_values(parse_event(body, "connect"), object_id, livemode=False)
    with psycopg.connect(sides.database.app_url) as conn:
        conn.execute(inbox.RECEIVE, values)
    return event_id


def state(sides: BothSides, event_id: str) -> tuple[str, int]:
    row = sides.one("SELECT state, tries FROM stripe_inbox WHERE id = %s", event_id)
    return str(row[0]), int(row[1])


async def test_poison_event_fails_after_eight_tries(sides: BothSides, product_clock: SettableClock) -> None:
    guru = sides.guru(5_000)
    name = receive(sides, "evt_poison", guru.account_id, "po_unknown")
    for tries in range(1, 9):
        await sides.settlement.process_event(name)
        assert state(sides, name) == (("failed" if tries == 8 else "new"), tries)
    await sides.settlement.process_event(name)
    assert state(sides, name) == ("failed", 8)
    error = sides.one("SELECT error FROM stripe_inbox WHERE id = %s", name)[0]
    assert "po_unknown" in error

    payout = sides.v1("POST", "/v1/payouts", guru.account_id, amount=1_000, currency="usd")["id"]
    sides.run("UPDATE stripe_inbox SET body = replace(convert_from(body, 'UTF8'), 'po_unknown', %s)::bytea"
              " WHERE id = %s", payout, name)  # fmt: skip
    with psycopg.connect(sides.database.service_url) as conn:
        assert inbox.run_again(conn, name)
        assert not inbox.run_again(conn, name)
    await do_jobs(sides.database, stripe=sides.api)
    assert state(sides, name) == ("done", 0)
    assert sides.one("SELECT count(*) FROM payouts WHERE po_id = %s", payout) == (1,)


async def test_failed_event_of_erased_account_has_no_text(sides: BothSides, product_clock: SettableClock) -> None:
    """The event was `new` when the account was deleted, and failed for good afterwards."""
    gone, active = sides.guru(), sides.guru()
    names = [
        receive(sides, f"evt_{n}", guru.account_id, "po_nowhere") for n, guru in (("gone", gone), ("kept", active))
    ]
    sides.run("UPDATE users SET status = 'erased', email = '' WHERE user_id = %s", gone.user_id)
    query = "SELECT body IS NULL, error FROM stripe_inbox WHERE id = %s"
    for tries in range(1, 9):
        for name in names:
            await sides.settlement.process_event(name)
        if tries == 7:
            with psycopg.connect(sides.database.service_url) as conn:
                inbox.forget_erased(conn)
            assert sides.one(query, names[0])[0] is False  # it may still be processed
    with psycopg.connect(sides.database.service_url) as conn:
        inbox.forget_erased(conn)
    assert sides.one(query, names[0]) == (True, "")
    assert sides.one(query, names[1])[0] is False


def finding_states(sides: BothSides, event_id: str) -> list[tuple[str, str]]:
    with psycopg.connect(sides.database.service_url) as conn:
        query = "SELECT account, state FROM findings WHERE kind = 'failed_event' AND stripe_id = %s"
        return conn.execute(query, [event_id]).fetchall()


async def test_failed_event_opens_and_closes_its_finding(sides: BothSides, product_clock: SettableClock) -> None:
    guru = sides.guru()
    name = receive(sides, "evt_finding", guru.account_id, "po_nowhere")
    for _ in range(7):
        await sides.settlement.process_event(name)
    assert finding_states(sides, name) == []
    for _ in range(2):
        while state(sides, name)[0] != "failed":
            await sides.settlement.process_event(name)
        assert finding_states(sides, name) == [(guru.account_id, "open")]
        # A comparison with Stripe says nothing about events.
        await reconcile(sides.database.service_url, sides.api, [])
        assert finding_states(sides, name) == [(guru.account_id, "open")]
        with psycopg.connect(sides.database.service_url) as conn:
            assert inbox.run_again(conn, name)
        assert finding_states(sides, name) == [(guru.account_id, "gone")]
    sides.run("DELETE FROM stripe_inbox WHERE id = %s", name)


async def test_poison_event_does_not_delay_others(sides: BothSides) -> None:
    guru = sides.guru(5_000)
    payout = sides.v1("POST", "/v1/payouts", guru.account_id, amount=1_000, currency="usd")["id"]
    poison, good = (
        receive(sides, "evt_stuck", guru.account_id, "po_stuck"), receive(sides, "evt_good", guru.account_id, payout)
    )  # fmt: skip
    await do_jobs(sides.database, stripe=sides.api)
    assert (state(sides, poison), state(sides, good)) == (("new", 1), ("done", 0))
    sides.run("DELETE FROM stripe_inbox WHERE id = %s", poison)


async def test_outage_does_not_count_as_failure(sides: BothSides, product_clock: SettableClock) -> None:
    guru = sides.guru(5_000)
    payout = sides.v1("POST", "/v1/payouts", guru.account_id, amount=1_000, currency="usd")["id"]
    name = receive(sides, "evt_outage", guru.account_id, payout)
    sides.fault("status:503", f"GET /v1/payouts/{payout}", times=10)
    for _ in range(10):
        await sides.settlement.process_event(name)
    assert state(sides, name) == ("new", 0)
    with psycopg.connect(sides.database.service_url) as conn:
        assert inbox.enqueue_due(conn) == 0
        product_clock.advance(timedelta(minutes=2))
        assert inbox.enqueue_due(conn) == 1
        assert inbox.enqueue_due(conn) == 1  # found again, and its job still waits
        conn.rollback()
    await sides.settlement.process_event(name)
    assert state(sides, name) == ("done", 0)


async def test_undelivered_events_are_fetched(sides: BothSides) -> None:
    guru = sides.guru()
    sides.control("events/hold")
    sides.v1("POST", "/v1/balance_settings", guru.account_id, **{"payments[payouts][schedule][interval]": "manual"})
    transfer = sides.control("charges", account=guru.account_id, amount=7_000)["transfer"]["id"]
    payout = sides.v1("POST", "/v1/payouts", guru.account_id, amount=1_000, currency="usd")["id"]
    assert await sides.settlement.receive_undelivered() > 0
    await do_jobs(sides.database, stripe=sides.api)
    kinds = "SELECT count(*) FROM stripe_inbox WHERE object_id = ANY (%s) AND state = 'done'"
    assert sides.one(kinds, [transfer, payout])[0] >= 2
    assert sides.ledger(guru) == (6_000, 0)
    assert sides.stripe_balance(guru) == 6_000
    jobs = "SELECT count(*) FROM jobs.procrastinate_jobs WHERE lock = %s AND status = 'todo'"
    await sides.settlement.receive_undelivered()  # each is stored once
    assert sides.one(jobs, f"stripe:{transfer}") == (0,)
    sides.control("events/release")


async def test_outage_ends_listing_of_undelivered_events(sides: BothSides) -> None:
    for _ in range(3):
        sides.guru()
    before = len(sides.calls(method="GET", path="/v1/events"))
    sides.fault("drop_before", "GET /v1/events", times=10)
    assert await sides.settlement.receive_undelivered() == 0
    assert len(sides.calls(method="GET", path="/v1/events")) == before + 1  # and not a timeout for each account
    sides.clear_faults()


async def test_open_payout_is_fetched_without_events(sides: BothSides, product_clock: SettableClock) -> None:
    guru = sides.guru(10_000)
    _, payout_id, _ = sides.request(guru, 2_000)
    await sides.settlement.send_due()
    assert sides.payout_state(payout_id) == ("sent", "")
    product_clock.advance(timedelta(hours=1), sides)
    assert await sides.settlement.fetch_open_objects() >= 1
    assert sides.payout_state(payout_id) == ("paid", "")
    product_clock.advance(timedelta(hours=1))
    fetched = {call["path"] for call in sides.calls(method="GET", account=guru.account_id)}
    po_id = sides.one("SELECT po_id FROM payouts WHERE id = %s", payout_id)[0]
    assert f"/v1/payouts/{po_id}" in fetched
    before = len(sides.calls(method="GET", path=f"/v1/payouts/{po_id}"))
    await sides.settlement.fetch_open_objects()
    assert len(sides.calls(method="GET", path=f"/v1/payouts/{po_id}")) == before


async def test_event_before_response_settles_payout_once(sides: BothSides) -> None:
    guru = sides.guru(10_000)
    _, payout_id, _ = sides.request(guru, 2_000)
    row = sides.claim()
    assert row is not None
    sent = await sides.api.send(row.write)
    po_id = sides.objects("payout", account=guru.account_id)[0]["id"]
    sides.control("clock", advance_s=61)
    await sides.settlement.process_event(receive(sides, "evt_overtakes", guru.account_id, po_id))
    assert sides.payout_state(payout_id) == ("paid", "")
    with psycopg.connect(sides.database.service_url) as conn:
        from porchlight.settlement import outbox

        assert outbox.record(conn, RULES, row, sent)
    # The response is older than the event's fetch: a paid payout does not become pending again.
    assert sides.payout_state(payout_id) == ("paid", "")
    assert sides.postings(payout_id) == ["instant_payout_fee", "payout"]
    assert sides.ledger(guru) == (sides.stripe_balance(guru), 0)


async def test_failed_payout_returns_its_amount(sides: BothSides) -> None:
    guru = sides.guru(10_000, external_account="000111111116")
    _, payout_id, _ = sides.request(guru, 2_000)
    await sides.settlement.send_due()
    sides.control("clock", advance_s=61)
    po_id = sides.one("SELECT po_id FROM payouts WHERE id = %s", payout_id)[0]
    await sides.settlement.process_event(receive(sides, "evt_failed", guru.account_id, po_id, "payout.failed"))
    assert sides.payout_state(payout_id) == ("failed", "no_account")
    assert sides.postings(payout_id) == ["instant_payout_fee", "payout", "payout_failed"]
    assert sides.ledger(guru) == (sides.stripe_balance(guru), 0)


@pytest.mark.parametrize("changes", [{"livemode": True}, {"metadata": {}}, {"destination": "acct_unknown"}])
def test_other_transfers_are_no_test_earnings(sides: BothSides, changes: dict[str, object]) -> None:
    guru = sides.guru(1_000)
    transfer = sides.control("charges", account=guru.account_id, amount=7_000)["transfer"]
    rule: ObjectRule = next(rule for rule in RULES.objects if "transfer.created" in rule.events)
    from tests.porchlight.settlement.both_sides import source

    with psycopg.connect(sides.database.service_url) as conn:
        rule.apply(conn, transfer["id"], transfer | changes, source())
    assert sides.ledger(guru) == (1_000, 0)
