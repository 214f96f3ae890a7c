"""`porchlight waivers audit` and `head`: every change of a stored waiver is found."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from random import Random

import httpx
import psycopg
import pytest

from porchlight.features.waivers import audit
from porchlight.features.waivers.audit import audit_fault, chain_heads, has_head
from porchlight.features.waivers.chain import ChainHead
from porchlight.features.waivers.keys import waiver_keyring
from tests.fixtures.command_line import run_command
from tests.fixtures.databases import Database
from tests.fixtures.identity import Emulator
from tests.porchlight.app_client import create_settings
from tests.porchlight.waivers.api_client import HIGH_PAYLOAD, SIGNATURE, SPEC_PAYLOAD, create_waiver_user
from tests.porchlight.waivers.sessions import create_guru, session_waiver
from tests.porchlight.waivers.stored_edits import editable_waivers, missed_edits

EDIT_COUNT = 100  # 1,000 in the drill


@pytest.fixture
async def chain(web: httpx.AsyncClient, emulator: Emulator, database: Database) -> ChainHead:
    """Accept waivers of two users at the same time. Return the head of their chain."""
    users = [await create_waiver_user(web, emulator) for _ in range(2)]
    await asyncio.gather(*(user.accepted(payload) for user in users for payload in (SPEC_PAYLOAD, HIGH_PAYLOAD)))
    with psycopg.connect(database.service_url) as conn:
        return chain_heads(conn)["platform"]


def _run(database: Database, *words: str) -> tuple[int, str]:
    urls = {"DATABASE_URL": database.app_url, "PORCHLIGHT_OVERSEER_DATABASE_URL": database.service_url}
    return run_command("waivers", *words, env=urls)


async def test_audit_command_accepts_valid_chains(chain: ChainHead, database: Database) -> None:
    assert chain.number % 4 == 0
    code, output = await asyncio.to_thread(_run, database, "head")
    assert (code, output) == (0, f"platform {chain.number} {chain.sha256}\n")
    code, output = await asyncio.to_thread(_run, database, "audit", "--head", output.strip())
    assert (code, output) == (0, "All waivers are valid. Chains: 1.\n")


@pytest.mark.parametrize("head", [f"platform 1 {'0' * 64}", f"guru:1 1 {'0' * 64}", "platform one"])
async def test_audit_command_rejects_other_head(chain: ChainHead, database: Database, head: str) -> None:
    code, _ = await asyncio.to_thread(_run, database, "audit", "--head", head)
    assert code == 1


@pytest.mark.parametrize(
    "change",
    ["UPDATE waivers SET record = replace(record, 'Judo', 'Chess')", "UPDATE waivers SET pdf = 'x'",
     "UPDATE waiver_links SET pdf_sha256 = repeat('0', 64) WHERE number = 2",
     "UPDATE waiver_links SET at = at + interval '1 second' WHERE number = 2",
     "UPDATE waiver_links SET signature = 'x' WHERE number = 1",
     "UPDATE waiver_links SET key_id = 'other' WHERE number = 1",
     "DELETE FROM waiver_links WHERE number = 2", "DELETE FROM waiver_links",
     "DELETE FROM waiver_links WHERE number = (SELECT max(number) FROM waiver_links)",
     "UPDATE waiver_heads SET hash = repeat('0', 64)"],
)  # fmt: skip
async def test_audit_finds_change(chain: ChainHead, database: Database, change: str) -> None:
    keys = waiver_keyring(create_settings(database)).public_keys
    with psycopg.connect(database.superuser_url) as conn:
        assert audit_fault(conn, keys) is None
        assert has_head(conn, "platform", chain)
        conn.execute("SET LOCAL session_replication_role = replica")  # without the triggers that forbid changes
        conn.execute("ALTER TABLE waivers DROP CONSTRAINT ck_waivers_sha256")
        conn.execute(change.encode())
        assert audit_fault(conn, keys) is not None
        conn.rollback()


async def test_audit_finds_random_edits(
    chain: ChainHead, web: httpx.AsyncClient, emulator: Emulator, database: Database
) -> None:
    user = await create_waiver_user(web, emulator)
    for guru in (create_guru(database), create_guru(database)):
        await user.accepted(session_waiver(guru, signature=SIGNATURE))
    keys = waiver_keyring(create_settings(database)).public_keys
    with editable_waivers(database) as conn:
        assert missed_edits(Random(20261122), conn, keys, EDIT_COUNT) == []


async def test_audit_accepts_erasure_and_withdrawal(chain: ChainHead, database: Database) -> None:
    keys = waiver_keyring(create_settings(database)).public_keys
    with psycopg.connect(database.service_url) as conn:
        conn.execute("UPDATE waivers SET erasable = erasable - 'emergencyContact', ended_at = app.now()")
        conn.execute("UPDATE waivers SET erasable = '{}' WHERE number % 2 = 0")
        assert audit_fault(conn, keys) is None
        conn.rollback()


async def test_audit_judges_deleted_waiver_by_its_age(
    chain: ChainHead, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    keys = waiver_keyring(create_settings(database)).public_keys
    with psycopg.connect(database.service_url) as conn:
        assert conn.execute("DELETE FROM waivers WHERE number = 2").rowcount == 1
        assert audit_fault(conn, keys) == "platform: The waiver of link 2 was deleted before its time."
        monkeypatch.setattr(audit, "WAIVER_TTL", timedelta(0))  # as if the six years were over
        assert audit_fault(conn, keys) is None
        conn.rollback()
