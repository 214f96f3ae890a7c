"""Instant payouts of many gurus over HTTP, with a worker that can be killed and a Stripe that can be faulty."""

from __future__ import annotations

import asyncio
import os
import subprocess
from collections import Counter
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import httpx

from tests.drills.stripe_faults import StripeFaults
from tests.fixtures.databases import Database
from tests.fixtures.identity import PROJECT, Emulator
from tests.fixtures.product import PROGRAM
from tests.porchlight.app_client import BASE_HOST
from tests.porchlight.payouts.stripe_fake import SECRET_KEY, WEBHOOK_SECRET, StripeFake
from tests.porchlight.server import ServerProcess
from tests.porchlight.settlement.both_sides import BothSides, ConnectedGuru

FAULTS = ("drop_before", "drop_after_commit", "close", "status:429", "status:409", "refuse:balance_insufficient")
CENTS = 1_000
MAX_RECOVERY_SECONDS = 240  # of leases, retries and sweeps; a limit of a failing test only
Guru = tuple[ConnectedGuru, str]  # with a token


def payout_faults(sides: BothSides) -> StripeFaults:
    """Return what lets about one of four payout calls fail."""
    return StripeFaults(sides, FAULTS, lambda: {"POST /v1/payouts": payout_calls(sides)})


def environment(database: Database, sides: BothSides, emulator: Emulator) -> dict[str, str]:
    """Return the environment of API, worker and command line."""
    return {
        "DATABASE_URL": database.app_url, "PORCHLIGHT_OVERSEER_DATABASE_URL": database.service_url,
        "FIREBASE_PROJECT_ID": PROJECT, "FIREBASE_AUTH_EMULATOR_HOST": emulator.host, "PORCHLIGHT_LIMITS": "off",
        "STRIPE_SECRET_KEY": SECRET_KEY, "STRIPE_WEBHOOK_SECRET": WEBHOOK_SECRET,
        "STRIPE_CONNECT_WEBHOOK_SECRET": WEBHOOK_SECRET, "STRIPE_API_BASE": sides.fake.url,
        "PORCHLIGHT_EMBEDDINGS_URL": "off", "PORCHLIGHT_INSTANT_DAILY_COUNT": "1000",
        "PORCHLIGHT_INSTANT_PLATFORM_DAILY_CENTS": "100000000",
    }  # fmt: skip


@asynccontextmanager
async def own_stripe(database: Database, folder: Path) -> AsyncIterator[BothSides]:
    """Run a fake Stripe of this test's own, beside a database."""
    with StripeFake(folder) as fake:
        sides = BothSides(database, fake)
        enable_flags(sides, "instantPayouts", "skillListing")
        try:
            yield sides
        finally:
            await sides.api.close()


class Worker:
    """`porchlight worker` as a process."""

    def __init__(self, env: dict[str, str]) -> None:
        self._env = os.environ | env
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start the process."""
        self._process = subprocess.Popen([PROGRAM, "worker"], env=self._env, stdout=subprocess.DEVNULL)

    def kill(self) -> None:
        """Kill the process, if it runs."""
        if self._process is not None:
            self._process.kill()
            self._process.wait(10)
            self._process = None


@contextmanager
def running_worker(env: dict[str, str]) -> Iterator[Worker]:
    """Run a worker during a block."""
    worker = Worker(env)
    worker.start()
    try:
        yield worker
    finally:
        worker.kill()


class Storm:
    """Gurus with tokens, and requests that repeat until they have an answer."""

    def __init__(self, sides: BothSides, emulator: Emulator, gurus: int) -> None:
        self._sides = sides
        self._emulator = emulator
        self.gurus: list[Guru] = []
        self.answers: Counter[str] = Counter()
        self.accepted: Counter[str] = Counter()
        self.add(gurus)

    def add(self, gurus: int) -> list[Guru]:
        """Connect gurus with a balance of 20 payouts, each with a token."""
        added = []
        for _ in range(gurus):
            guru = self._sides.guru(20 * CENTS)
            _email, uid, token = self._emulator.sign_up()
            self._sides.run("UPDATE users SET firebase_uid = %s WHERE user_id = %s", uid, guru.user_id)
            added.append((guru, token))
        self.gurus += added
        return added

    async def run(self, server: ServerProcess, numbers: Iterable[int], gurus: Iterable[Guru] | None = None) -> None:
        """Send a request of each guru for each number, all at once. Equal numbers of a guru are equal keys."""
        limits = httpx.Limits(max_connections=400, max_keepalive_connections=0)
        async with httpx.AsyncClient(timeout=60, trust_env=False, limits=limits) as client:
            await asyncio.gather(
                *(
                    self.request(client, server, guru, token, number)
                    for guru, token in (self.gurus if gurus is None else gurus)
                    for number in numbers
                )
            )

    async def request(
        self, client: httpx.AsyncClient, server: ServerProcess, guru: ConnectedGuru, token: str, number: int
    ) -> dict[str, Any]:
        """Ask for a payout until there is an answer, and return it."""
        key = key_of(guru, number)
        headers = {"host": BASE_HOST, "authorization": f"Bearer {token}", "idempotency-key": key}
        url = f"http://127.0.0.1:{server.port}/api/payouts/instant"
        while True:
            try:
                response = await client.post(url, json={"amountCents": CENTS}, headers=headers)
            except httpx.TransportError:
                continue  # an API process was killed: the same key again
            body: dict[str, Any] = response.json()
            code = "accepted" if response.status_code == 200 else str(body["error"]["code"])
            self.answers[code] += 1
            assert response.status_code != 500, body
            if response.status_code in (429, 503):
                continue
            if code == "accepted":
                self.accepted[key] += 1
            return body


def key_of(guru: ConnectedGuru, number: int) -> str:
    """Return the key of a guru's request."""
    return f"{guru.user_id}-{number}"


def payout_calls(sides: BothSides) -> int:
    """Return how many calls to make a payout reached Stripe."""
    return len(sides.calls(method="POST", path="/v1/payouts"))


def open_writes(sides: BothSides) -> int:
    """Return the number of writes without an outcome."""
    row = sides.one("SELECT count(*) FROM stripe_outbox WHERE state IN ('ready', 'sent', 'unknown')")
    return int(row[0])


def enable_flags(sides: BothSides, *names: str) -> None:
    """Turn feature flags on."""
    for name in names:
        sides.run("INSERT INTO flag_settings (name, enabled) VALUES (%s, true) ON CONFLICT DO NOTHING", name)


def assert_payouts_match(sides: BothSides, storm: Storm) -> list[dict[str, Any]]:
    """Compare payouts, writes and balances of the storm's gurus with Stripe, and return the payouts there."""
    accounts = {guru.account_id for guru, _ in storm.gurus}
    at_stripe = [found for found in sides.objects("payout") if found["_account"] in accounts]
    stored = sides.one("SELECT coalesce(array_agg(po_id ORDER BY po_id), '{}') FROM payouts WHERE po_id IS NOT NULL")
    assert sorted(stored[0]) == sorted(found["id"] for found in at_stripe), "payouts at Stripe are those here"
    asked = [found["metadata"]["payout"] for found in at_stripe]
    assert len(asked) == len(set(asked)), "none is there twice"
    unlike = sides.one(
        "SELECT count(*) FROM payouts p JOIN stripe_outbox o ON o.subject_id = p.id AND o.kind = 'payout'"
        " WHERE (o.state = 'done') <> (p.po_id IS NOT NULL)"
    )
    assert unlike == (0,)
    assert all(sides.ledger(guru) == (sides.stripe_balance(guru), 0) for guru, _ in storm.gurus)
    counted = sides.one("SELECT count(*), count(DISTINCT request_key) FROM payouts")
    assert counted[0] == counted[1], "equal keys are one payout"
    return at_stripe
