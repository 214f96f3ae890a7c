"""Events of a payout in every order, repeated, on four threads and across the death of a worker: one result."""

from __future__ import annotations

import asyncio
import itertools
import json
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import psycopg
import pytest

from porchlight.settlement import inbox
from porchlight.settlement.jobs import Settlement
from porchlight.stripe.events import parse_event
from tenants.kit import clock
from tests.fixtures.jobs import requeue_stalled
from tests.porchlight.payouts.stripe_fake import SECRET_KEY
from tests.porchlight.settlement.both_sides import RULES, BothSides, ConnectedGuru

KINDS = ("payout.created", "payout.updated", "payout.paid", "payout.failed")
ORDERS = list(itertools.permutations(range(len(KINDS))))
CENTS = 1_000


def pay_out(sides: BothSides, guru: ConnectedGuru) -> str:
    """Make a payout in the account's dashboard, which our outbox does not know, and return its id."""
    params = {"amount": CENTS, "currency": "usd", "method": "instant"}
    return str(sides.v1("POST", "/v1/payouts", guru.account_id, **params)["id"])


def advance(sides: BothSides, payout: str, stage: int) -> None:
    """Bring a payout at the fake to its next stage: on its way, paid, failed."""
    if stage == 1:
        sides.control("clock", advance_s=6)
    elif stage == 2:
        sides.control("clock", advance_s=60)
    elif stage == 3:
        sides.control(f"payouts/{payout}/fail", code="account_closed")


def event_of(guru: ConnectedGuru, payout: str, kind: str, name: str) -> bytes:
    return json.dumps({
        "id": f"evt_{payout}_{name}", "object": "event", "type": kind,
        "created": int(clock.now().timestamp()), "livemode": False,
        "account": guru.account_id, "data": {"object": {"id": payout, "object": "payout"}},
    }).encode()  # fmt: skip


def receive(sides: BothSides, body: bytes) -> str:
    """Store an event as the webhook does, and return its id."""
    event = parse_event(body, "connect")
    object_id = inbox.object_of(RULES, body)
    assert object_id is not None
    values = inbox.receive_values(event, object_id, livemode=False)
    with psycopg.connect(sides.database.app_url) as conn:
        conn.execute(inbox.RECEIVE, values)
    return event.id


def result_of(sides: BothSides, payout: str) -> dict[str, Any]:
    """Return everything that is stored about a payout, without ids and times."""
    row = sides.one(
        "SELECT id, amount, fee, method, automatic, state, failure_code, last4 <> '' FROM payouts WHERE po_id = %s",
        payout,
    )
    assert row is not None, payout
    with psycopg.connect(sides.database.service_url) as conn:
        postings = conn.execute(
            "SELECT x.event, t.n, t.amount, t.debit_kind, t.credit_kind FROM ledger_transactions x"
            " JOIN ledger_transfers t ON t.transaction_id = x.id WHERE x.subject_kind = 'payout' AND x.subject_id = %s"
            " ORDER BY 1, 2", [str(row[0])],
        ).fetchall()  # fmt: skip
    return {"row": row[1:], "postings": postings}


EXPECTED = {
    "row": (CENTS, 50, "instant", True, "failed", "account_closed", True),
    "postings": [
        ("instant_payout_fee", 0, 50, "guru_stripe", "platform_fees"),
        ("payout", 0, CENTS, "guru_stripe", "bank_payouts"),
        ("payout_failed", 0, CENTS, "bank_payouts", "guru_stripe"),
    ],
}


def normalized(result: dict[str, Any]) -> dict[str, Any]:
    return {"row": result["row"], "postings": [(event, 0, *rest) for event, _, *rest in result["postings"]]}


async def test_every_order_of_events_has_one_result(sides: BothSides) -> None:
    """An event arrives in any order while the payout goes on; each is repeated up to three times."""
    guru = sides.guru(len(ORDERS) * 2 * CENTS)
    payouts: list[str] = []
    for number, order in enumerate(ORDERS):
        payout = pay_out(sides, guru)
        copies = 1 + number % 3
        for stage, position in enumerate(order):
            advance(sides, payout, stage)
            names = [receive(sides, event_of(guru, payout, KINDS[position], f"{position}")) for _ in range(copies)]
            await asyncio.gather(*(sides.settlement.process_event(name) for name in names))
        payouts.append(payout)
    assert [normalized(result_of(sides, payout)) for payout in payouts] == [EXPECTED] * len(ORDERS)
    assert sides.ledger(guru) == (sides.stripe_balance(guru), 0)


async def test_stale_fetch_never_overwrites_newer(sides: BothSides) -> None:
    guru = sides.guru(5_000)
    payout = pay_out(sides, guru)
    early = receive(sides, event_of(guru, payout, "payout.created", "early"))
    with psycopg.connect(sides.database.service_url) as conn:
        row = inbox.due_event(conn, early)
    assert row is not None
    stale = await inbox.process(sides.api, RULES, row)  # fetched while the payout was pending, applied last
    assert stale is not None
    for stage in (1, 2, 3):
        advance(sides, payout, stage)
    await sides.settlement.process_event(receive(sides, event_of(guru, payout, "payout.failed", "late")))
    with psycopg.connect(sides.database.service_url) as conn:
        assert inbox.apply_object(conn, *stale)
    assert normalized(result_of(sides, payout)) == EXPECTED


def process_all(sides: BothSides, names: list[str]) -> None:
    """Process events one after the other, with a client of this thread."""

    async def process() -> None:
        api = sides.new_api()
        settlement = Settlement(sides.database.service_url, api, RULES)
        for name in names:
            await settlement.process_event(name)
        await api.close()

    asyncio.run(process())


def test_four_threads_have_one_result(sides: BothSides) -> None:
    """All events of 24 payouts, three copies each, on four threads with clients of their own."""
    guru = sides.guru(len(ORDERS) * 2 * CENTS)
    payouts = [pay_out(sides, guru) for _ in ORDERS]
    names: list[list[str]] = [[] for _ in range(4)]
    for payout, order in zip(payouts, ORDERS, strict=True):
        for stage in (1, 2, 3):
            advance(sides, payout, stage)
        for position in order:
            name = receive(sides, event_of(guru, payout, KINDS[position], f"{position}"))
            for thread in range(3):
                names[(position + thread) % 4].append(name)
    with ThreadPoolExecutor(4) as threads:
        list(threads.map(process_all, [sides] * 4, names))
    assert [normalized(result_of(sides, payout)) for payout in payouts] == [EXPECTED] * len(ORDERS)
    waiting = "SELECT count(*) FROM stripe_inbox WHERE state <> 'done' AND account = %s"
    assert sides.one(waiting, guru.account_id) == (0,)
    assert sides.ledger(guru) == (sides.stripe_balance(guru), 0)


class WorkerProcess:
    """`porchlight worker` in a process that the test kills."""

    def __init__(self, sides: BothSides) -> None:
        env = {
            "DATABASE_URL": sides.database.app_url, "PORCHLIGHT_OVERSEER_DATABASE_URL": sides.database.service_url,
            "STRIPE_SECRET_KEY": SECRET_KEY, "STRIPE_API_BASE": sides.fake.url, "PORCHLIGHT_EMBEDDINGS_URL": "off",
            "PATH": os.environ["PATH"],
        }  # fmt: skip
        self._process = subprocess.Popen(
            [sys.executable, "-c", "from porchlight.cli.main import main; main()", "worker"], env=env
        )

    def kill(self) -> None:
        """Send SIGKILL and wait."""
        self._process.send_signal(signal.SIGKILL)
        self._process.wait(60)


def done_events(sides: BothSides, guru: ConnectedGuru) -> int:
    row = sides.one("SELECT count(*) FROM stripe_inbox WHERE state = 'done' AND account = %s", guru.account_id)
    return int(row[0])


def wait_for_events(sides: BothSides, guru: ConnectedGuru, count: int) -> None:
    deadline = time.monotonic() + 120
    while done_events(sides, guru) < count:
        assert time.monotonic() < deadline, f"{done_events(sides, guru)} of {count} events"
        time.sleep(0.02)


@pytest.mark.drill
def test_killed_worker_has_one_result(sides: BothSides) -> None:
    guru = sides.guru(len(ORDERS) * 2 * CENTS)
    payouts: list[str] = []
    for order in ORDERS:
        payout = pay_out(sides, guru)
        payouts.append(payout)
        for stage in (1, 2, 3):
            advance(sides, payout, stage)
        for position in order:
            receive(sides, event_of(guru, payout, KINDS[position], f"{position}"))
    total = len(ORDERS) * len(KINDS)
    for wanted in (5, 40, total):
        worker = WorkerProcess(sides)
        wait_for_events(sides, guru, wanted)
        worker.kill()
        asyncio.run(requeue_stalled(sides.database))
    assert [normalized(result_of(sides, payout)) for payout in payouts] == [EXPECTED] * len(ORDERS)
    assert sides.ledger(guru) == (sides.stripe_balance(guru), 0)
