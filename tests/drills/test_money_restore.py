"""A backup of the middle of a storm is restored: every write gets its outcome, and no payout is made twice.

Stripe knows more than the backup: writes that were sent after it, and payouts that were decided after it.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest

from porchlight.settlement.reconcile.run import reconcile
from tenants.kit import clock
from tests.drills.payouts import (
    CENTS,
    MAX_RECOVERY_SECONDS,
    Guru,
    Storm,
    assert_payouts_match,
    environment,
    key_of,
    open_writes,
    own_stripe,
    payout_calls,
    payout_faults,
    running_worker,
)
from tests.fixtures.backups import dump, restore
from tests.fixtures.databases import Database, Server
from tests.fixtures.identity import Emulator
from tests.fixtures.product import eventually, run_program
from tests.porchlight.app_client import BASE_HOST
from tests.porchlight.conftest import emulator
from tests.porchlight.server import ServerProcess, run_server
from tests.porchlight.settlement.both_sides import BothSides

__all__ = ["emulator"]

pytestmark = pytest.mark.parts
SOON, LATE = timedelta(0), timedelta(hours=26)  # when the backup is restored: before and after Stripe forgets keys


async def storm_with_backup(
    database: Database, sides: BothSides, emulator: Emulator, gurus: int, backup: Path
) -> tuple[Storm, list[Guru]]:
    """Back up in the middle of a storm, then go on. Return the storm, and gurus who connected after the backup."""
    env = environment(database, sides, emulator)
    with run_server(env, workers=2) as server, running_worker(env) as worker:
        storm = Storm(sides, emulator, gurus)
        first, second = storm.gurus[: gurus // 2], storm.gurus[gurus // 2 :]

        def start(some: list[Guru]) -> threading.Thread:
            thread = threading.Thread(target=lambda: asyncio.run(storm.run(server, [1], some)))
            thread.start()
            return thread

        with payout_faults(sides):
            threads = [start(first)]
            eventually("half of the payouts reach Stripe", lambda: payout_calls(sides) >= len(first) // 2)
            worker.kill()
            threads.append(start(second))
            eventually("writes wait", lambda: _half_decided(sides, second))
            dump(database.superuser_url, backup)
            worker.start()
            for thread in threads:
                thread.join()
            eventually("writes are sent", lambda: payout_calls(sides) >= gurus)
        sides.control("clock", advance_s=6)  # the payouts at Stripe are on their way to the bank
        await sides.settlement.fetch_open_objects()
        late = storm.add(1)
        await storm.run(server, [2])
        eventually("second payouts are made", lambda: _second_payouts_are_made(sides), MAX_RECOVERY_SECONDS)
    return storm, late


def _half_decided(sides: BothSides, gurus: list[Guru]) -> bool:
    """Return whether half of the gurus' requests are stored."""
    query = "SELECT count(*) FROM payouts WHERE user_id = ANY (%s)"
    return int(sides.one(query, [guru.user_id for guru, _ in gurus])[0]) * 2 >= len(gurus)


def _second_payouts_are_made(sides: BothSides) -> bool:
    row = sides.one(
        "SELECT count(*) FILTER (WHERE po_id IS NOT NULL), count(*) FILTER (WHERE state = 'requested')"
        " FROM payouts WHERE right(request_key, 2) = '-2'"
    )
    return bool(row[0] >= 2 and row[1] == 0)


async def ask(client: httpx.AsyncClient, server: ServerProcess, token: str, key: str, cents: int) -> httpx.Response:
    headers = {"host": BASE_HOST, "authorization": f"Bearer {token}", "idempotency-key": key}
    url = f"http://127.0.0.1:{server.port}/api/payouts/instant"
    return await client.post(url, json={"amountCents": cents}, headers=headers)


def keys_at(sides: BothSides) -> dict[str, str]:
    """Return the payouts at Stripe by the key of their request."""
    return {found["metadata"]["request_key"]: found["id"] for found in sides.objects("payout")}


async def restore_storm(
    server: Server, database: Database, emulator: Emulator, folder: Path, *, gurus: int, age: timedelta
) -> None:
    backup = folder / "porchlight.dump"
    async with own_stripe(database, folder / "stripe") as sides:
        storm, late = await storm_with_backup(database, sides, emulator, gurus, backup)
        storm.gurus = [guru for guru in storm.gurus if guru not in late]
        before, sent = keys_at(sides), payout_calls(sides)
        with server.empty() as restored:
            restore(restored.superuser_url, backup)
            sides.database = restored
            figures = prepare(sides, emulator, age)
            lost = await run_restored(sides, emulator, storm, late, before)
            if age:
                assert payout_calls(sides) == sent, "Stripe forgot the keys, so nothing is sent"
            assert lost  # the number depends on how many first payouts had arrived when the second were requested
            assert_payouts_match(sides, storm)
            await assert_found(sides, late)
        more = len(sides.objects("payout")) - len(before)
        print(
            f"\nrestored {age} later: {figures}; {len(before)} payouts at Stripe,"
            f" {len(lost)} of them unknown to the backup, {more} more made, 0 twice"
        )


def prepare(sides: BothSides, emulator: Emulator, age: timedelta) -> str:
    """Do what the operator's guide says between restore and start, at a later time."""
    if age:
        sides.control("clock", advance_s=int(age.total_seconds()))
        sides.run("UPDATE stripe_outbox SET created_at = created_at - %s, first_sent_at = first_sent_at - %s", age, age)
    with psycopg.connect(sides.database.service_url) as conn:
        states: dict[str, int] = dict(
            conn.execute("SELECT state, count(*) FROM stripe_outbox GROUP BY state").fetchall()
        )
    assert open_writes(sides) > 0, states
    env = environment(sides.database, sides, emulator) | {
        "PORCHLIGHT_OWNER_DATABASE_URL": sides.database.owner_url,
        "PORCHLIGHT_SUPERUSER_DATABASE_URL": sides.database.superuser_url,
    }
    for words in (["migrate"], ["money", "restored"]):
        code, output = run_program(*words, env=env)
        assert code == 0, output
    return f"writes in the backup {states}"


async def run_restored(
    sides: BothSides, emulator: Emulator, storm: Storm, late: list[Guru], before: dict[str, str]
) -> list[str]:
    """Run the restored product until every write has an outcome, and ask again. Return the keys that it had lost."""
    env = environment(sides.database, sides, emulator)
    with psycopg.connect(sides.database.service_url) as conn:
        query = "SELECT p.request_key FROM payouts p JOIN stripe_outbox o ON o.subject_id = p.id"
        kept = {key for (key,) in conn.execute(query)}
    tokens = {key_of(guru, number): token for guru, token in storm.gurus for number in (1, 2)}
    lost = sorted(key for key in before if key in tokens and key not in kept)
    with run_server(env, workers=1) as server, running_worker(env):
        async with httpx.AsyncClient(timeout=60, trust_env=False) as client:
            for key in lost:  # before the worker is done
                answer = await ask(client, server, tokens[key], key, CENTS)
                assert (answer.status_code, answer.json()["data"]["amountCents"]) == (200, CENTS), answer.text
            began = time.monotonic()
            eventually("every write has an outcome", lambda: open_writes(sides) == 0, MAX_RECOVERY_SECONDS)
            print(f"\n{time.monotonic() - began:.1f} s until every write had its outcome")
            for key in [key for key in before if key in tokens]:
                answer = await ask(client, server, tokens[key], key, CENTS)
                assert (answer.status_code, answer.json()["data"]["amountCents"]) == (200, CENTS), answer.text
            for guru, token in storm.gurus:
                answer = await ask(client, server, token, f"{guru.user_id}-all", 20 * CENTS)
                assert answer.json()["error"]["code"] in ("amount_too_large", "payout_in_progress"), answer.text
            for _, token in late:
                answer = await ask(client, server, token, "late", CENTS)
                assert answer.json()["error"]["code"] == "not_connected_yet", answer.text
    return lost


async def assert_found(sides: BothSides, late: list[Guru]) -> None:
    """Compare both sides: only what belongs to accounts that the backup does not know is missing here."""
    unknown = {guru.account_id for guru, _ in late}
    with psycopg.connect(sides.database.service_url) as conn:
        accounts = list(sides.settlement.rules.accounts(conn))
    assert not unknown & set(accounts)
    until = clock.now() + LATE + timedelta(hours=3)
    report = await reconcile(sides.database.service_url, sides.api, accounts, until=until)
    found: set[tuple[str, str]] = {(one.kind, one.stripe_id) for one in report.findings}
    expected: set[Any] = set()
    for account in unknown:
        (payout,) = sides.objects("payout", account=account)
        transfers = sides.objects("transfer", destination=account)
        expected |= {("missing_here", one["id"]) for one in (payout, *transfers)}
        expected |= {("missing_here", one["source_transaction"]) for one in transfers}
    assert found == expected


@pytest.mark.drill
async def test_restored_storm_pays_nothing_twice(
    server: Server, new_database: Callable[[], Database], emulator: Emulator, tmp_path: Path
) -> None:
    await restore_storm(server, new_database(), emulator, tmp_path, gurus=6, age=LATE)


@pytest.mark.drill
@pytest.mark.parametrize("age", [SOON, LATE])
async def test_restored_long_storm_pays_nothing_twice(
    server: Server, new_database: Callable[[], Database], emulator: Emulator, tmp_path: Path, age: timedelta
) -> None:
    await restore_storm(server, new_database(), emulator, tmp_path, gurus=40, age=age)
