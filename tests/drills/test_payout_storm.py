"""Instant payouts in a storm: parallel requests on two API processes, a worker that is killed, and a faulty Stripe.

Every accepted request is one payout at Stripe, requests with equal keys are one, and no write stays on its way.
"""

from __future__ import annotations

import asyncio
import random
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.drills.payouts import (
    MAX_RECOVERY_SECONDS,
    Storm,
    assert_payouts_match,
    enable_flags,
    environment,
    open_writes,
    own_stripe,
    payout_calls,
    payout_faults,
    running_worker,
)
from tests.fixtures.databases import Database
from tests.fixtures.identity import Emulator
from tests.fixtures.product import eventually
from tests.porchlight.conftest import emulator, sides
from tests.porchlight.payouts.stripe_fake import StripeFake
from tests.porchlight.server import run_server
from tests.porchlight.settlement.both_sides import BothSides

__all__ = ["emulator", "sides"]

pytestmark = pytest.mark.parts


def run_storm(
    database: Database, sides: BothSides, emulator: Emulator, *, gurus: int, requests: int, kills: int
) -> None:
    env = environment(database, sides, emulator)
    enable_flags(sides, "instantPayouts")
    with run_server(env, workers=2) as server, running_worker(env) as worker:
        storm = Storm(sides, emulator, gurus)
        numbers = [max(number, 1) for number in range(requests)]  # two of them are equal
        with payout_faults(sides) as faults:
            thread = threading.Thread(target=lambda: asyncio.run(storm.run(server, numbers)))
            thread.start()
            for number in range(kills):
                called = payout_calls(sides)
                wanted = gurus * (number + 1) // (kills + 1)
                eventually("Stripe is called", lambda called=called, wanted=wanted: (  # type: ignore[misc]
                    not thread.is_alive() or payout_calls(sides) > min(called, wanted)
                ), 60)  # fmt: skip
                if number % 3 == 2:
                    random.choice(server.workers()).kill()
                    eventually("another API process runs", lambda: len(server.workers()) == 2)
                else:
                    worker.kill()
                    worker.start()
            thread.join()
        ended_at = time.monotonic()
        eventually("every write has an outcome", lambda: open_writes(sides) == 0, MAX_RECOVERY_SECONDS)
        recovery = time.monotonic() - ended_at
    at_stripe = assert_payouts_match(sides, storm)
    (decided,) = sides.one("SELECT count(*) FROM payouts")
    print(
        f"\n{gurus * requests} requests of {gurus} gurus, {kills} kills, {faults.added.total()} faults:"
        f" {dict(storm.answers)}; {decided} payouts decided, {len(at_stripe)} at Stripe, none twice;"
        f" all settled {recovery:.1f} s later"
    )


@pytest.fixture(scope="module")
def stripe_fake(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StripeFake]:
    """The fake Stripe of a storm."""
    with StripeFake(tmp_path_factory.mktemp("stripe")) as created:
        yield created


@pytest.mark.drill
def test_payouts_in_storm_are_sent_once(database: Database, sides: BothSides, emulator: Emulator) -> None:
    run_storm(database, sides, emulator, gurus=5, requests=4, kills=2)


@pytest.mark.drill
async def test_payouts_in_long_storm_are_sent_once(
    new_database: Callable[[], Database], emulator: Emulator, tmp_path: Path
) -> None:
    database = new_database()
    async with own_stripe(database, tmp_path / "stripe") as sides:
        run_storm(database, sides, emulator, gurus=50, requests=4, kills=10)
