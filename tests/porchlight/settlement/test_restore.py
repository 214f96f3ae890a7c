"""A restored backup learns of the payouts that were decided after it, before anyone can ask for them again."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import ExitStack
from uuid import UUID

import pytest
from typer.testing import CliRunner

from porchlight.cli.main import app
from porchlight.payment_ports import PaymentsOutage
from porchlight.settlement.jobs import Settlement
from porchlight.settlement.restore import Recovery, recover
from tests.fixtures.databases import Server
from tests.porchlight.payouts.stripe_fake import SECRET_KEY, WEBHOOK_SECRET, StripeFake
from tests.porchlight.settlement.both_sides import RULES, BothSides, ConnectedGuru

CENTS = 2_000


@pytest.fixture
def databases(server: Server) -> Iterator[ExitStack]:
    """The databases of a test, dropped at its end."""
    with ExitStack() as stack:
        yield stack


@pytest.fixture
async def sides(server: Server, databases: ExitStack, stripe_fake: StripeFake) -> AsyncIterator[BothSides]:
    """Both sides, with a database that has no other events."""
    created = BothSides(databases.enter_context(server.fresh()), stripe_fake)
    created.clear_faults()
    yield created
    await created.api.close()


@pytest.fixture
def lose(server: Server, databases: ExitStack, sides: BothSides) -> Callable[[Awaitable[UUID]], Awaitable[UUID]]:
    """Return what does something after a backup, and restores the backup."""

    async def after_backup(work: Awaitable[UUID]) -> UUID:
        backup = databases.enter_context(server.fresh(template=sides.database.name))
        done = await work
        sides.database = backup
        sides.settlement = Settlement(backup.service_url, sides.api, RULES)
        return done

    return after_backup


Lose = Callable[[Awaitable[UUID]], Awaitable[UUID]]


async def pay(sides: BothSides, guru: ConnectedGuru, wanted: int | None = CENTS) -> UUID:
    """Decide on a payout and make it."""
    code, payout_id, _ = sides.request(guru, wanted, "my-key")
    assert code == "created"
    assert payout_id is not None
    await sides.settlement.send_due()
    return payout_id


async def send_due(sides: BothSides, payout_id: UUID) -> UUID:
    """Send what waits."""
    await sides.settlement.send_due()
    return payout_id


async def recovered(sides: BothSides) -> Recovery:
    return await recover(sides.database.service_url, sides.settlement)


@pytest.mark.parametrize("wanted", [CENTS, None])
async def test_lost_payout_is_found_with_its_request(sides: BothSides, lose: Lose, wanted: int | None) -> None:
    guru = sides.guru(10_000)
    payout_id = await lose(pay(sides, guru, wanted))
    assert (sides.ledger(guru), sides.one("SELECT count(*) FROM payouts")) == ((10_000, 0), (0,))
    found = await recovered(sides)
    assert (found.writes, found.failed, found.events > 0) == (0, 0, True)
    assert sides.ledger(guru) == (sides.stripe_balance(guru), 0)
    assert sides.one("SELECT id, automatic, request_key, requested_cents FROM payouts") == (
        payout_id, False, "my-key", wanted,
    )  # fmt: skip
    assert sides.postings(payout_id) == ["instant_payout_fee", "payout"]
    sides.earn(guru, 10_000)
    assert sides.request(guru, wanted, "my-key")[:2] == ("known", payout_id)
    assert sides.request(guru, CENTS, "other-key")[0] == "payout_in_progress"
    assert (await recovered(sides)).writes == 0
    assert len(sides.objects("payout", account=guru.account_id)) == 1


async def test_write_of_backup_is_settled_by_its_event(sides: BothSides, lose: Lose) -> None:
    guru = sides.guru(10_000)
    _, payout_id, _ = sides.request(guru, CENTS, "my-key")
    assert payout_id is not None
    await lose(send_due(sides, payout_id))
    assert sides.write_state(payout_id) == "ready"
    assert (await recovered(sides)).writes == 1
    assert sides.payout_state(payout_id) == ("sent", "")
    await sides.settlement.send_due()
    assert (sides.write_state(payout_id), len(sides.objects("payout", account=guru.account_id))) == ("done", 1)
    assert sides.ledger(guru) == (sides.stripe_balance(guru), 0)


async def test_outage_stores_nothing_and_is_repeated(sides: BothSides, lose: Lose) -> None:
    guru = sides.guru(10_000)
    await lose(pay(sides, guru))
    sides.fault("drop_before", "GET /v1/events", times=2)
    for _ in range(2):
        with pytest.raises(PaymentsOutage):
            await recovered(sides)
        assert sides.one("SELECT count(*) FROM stripe_inbox") == (0,)
    sides.fault("drop_before", "GET /v1/payouts/*")
    assert (await recovered(sides)).failed == 1
    assert (await recovered(sides)).failed == 0
    assert sides.ledger(guru) == (sides.stripe_balance(guru), 0)


async def test_restored_command_needs_stripe(sides: BothSides, lose: Lose, monkeypatch: pytest.MonkeyPatch) -> None:
    await lose(pay(sides, sides.guru(10_000)))
    monkeypatch.setenv("PORCHLIGHT_OVERSEER_DATABASE_URL", sides.database.service_url)
    monkeypatch.setenv("STRIPE_SECRET_KEY", SECRET_KEY)
    monkeypatch.setenv("STRIPE_WEBHOOK_SECRET", WEBHOOK_SECRET)
    monkeypatch.setenv("STRIPE_API_BASE", sides.fake.url)
    restored = ["money", "restored"]
    sides.fake.stop(signal.SIGKILL)
    failed = await asyncio.to_thread(CliRunner().invoke, app, restored)
    sides.fake.start()
    assert (failed.exit_code, sides.one("SELECT count(*) FROM payouts")) == (1, (0,))
    done = await asyncio.to_thread(CliRunner().invoke, app, restored)
    assert (done.exit_code, sides.one("SELECT count(*) FROM payouts")) == (0, (1,))
    monkeypatch.setenv("STRIPE_SECRET_KEY", "")
    assert (await asyncio.to_thread(CliRunner().invoke, app, restored)).exit_code == 0
