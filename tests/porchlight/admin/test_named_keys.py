"""Admin keys of named persons: the command line, the sign-in, the audit log, and the end of a key."""

from __future__ import annotations

import psycopg
import pytest

from porchlight.features.admin.named_keys import hash_token
from porchlight.settings import keys
from tests.fixtures.command_line import run_command
from tests.fixtures.databases import Database
from tests.fixtures.refusals import refusal
from tests.porchlight.admin.api_client import ADMIN_KEY, OWN_ORIGIN, admin_client, sign_in_admin


def _run(database: Database, *words: str, shared_key: str = "") -> tuple[int, str]:
    """Run `porchlight admin`. Return the exit code and the output."""
    env = {"PORCHLIGHT_OVERSEER_DATABASE_URL": database.service_url, "PORCHLIGHT_ADMIN_KEY": shared_key}
    return run_command("admin", *words, env=env)


def _add(database: Database, name: str) -> str:
    """Create a key. Return it."""
    code, output = _run(database, "add", name)
    assert code == 0, output
    return output.split()[-1]


async def test_named_key_signs_in_and_names_audit_actor(database: Database) -> None:
    key = _add(database, "Maya Lindqvist")
    async with admin_client(database) as client:
        maya = await sign_in_admin(client, key)
        shared = await sign_in_admin(client)
        ping = (await client.get("/api/admin/ping", headers=maya)).json()
        assert ping["data"] == {"name": "Maya Lindqvist", "shared": False}
        assert (await client.get("/api/admin/ping", headers=shared)).json()["data"]["shared"] is True
        events = (await client.get("/api/admin/audit?actor=Maya+Lindqvist", headers=maya)).json()["data"]["items"]
        assert [event["action"] for event in events] == ["admin.login"]
        added = (await client.get("/api/admin/audit?action=admin.key_add", headers=maya)).json()["data"]["items"]
        assert [(event["actor"], event["subjectId"], event["details"]) for event in added] == [
            ("cli", "Maya Lindqvist", {})
        ]


async def test_revoked_key_ends_its_sessions_only(database: Database) -> None:
    nora, omar = _add(database, "Nora"), _add(database, "Omar")
    async with admin_client(database) as client:
        sessions = [await sign_in_admin(client, key) for key in (nora, nora, omar, ADMIN_KEY)]
        code, output = _run(database, "revoke", "nora")
        assert (code, "The key of Nora is revoked" in output) == (0, True)
        codes = [(await client.get("/api/admin/ping", headers=session)).status_code for session in sessions]
        assert codes == [401, 401, 200, 200]
        refused = await client.post("/api/admin/login", json={"key": nora}, headers=OWN_ORIGIN)
        assert (refused.status_code, refused.json()["error"]["message"]) == (401, "Invalid admin key")
        revoked = await client.get("/api/admin/audit?action=admin.key_revoke&subject=Nora", headers=sessions[3])
        assert [event["details"] for event in revoked.json()["data"]["items"]] == [{"sessions": 2}]
        await sign_in_admin(client, _add(database, "Nora"))


async def test_session_of_key_revoked_in_sql_is_401(database: Database) -> None:
    key = _add(database, "Pat")
    async with admin_client(database) as client:
        session = await sign_in_admin(client, key)
        with psycopg.connect(database.service_url) as conn:
            conn.execute("UPDATE admin_keys SET revoked_at = app.now() WHERE name = 'Pat'")
        assert refusal(await client.get("/api/admin/ping", headers=session)) == (401, "unauthenticated")


async def test_named_key_works_without_shared_key(database: Database) -> None:
    key = _add(database, "Quinn")
    async with admin_client(database, "") as client:
        refused = await client.post("/api/admin/login", json={"key": ADMIN_KEY}, headers=OWN_ORIGIN)
        assert refusal(refused) == (401, "invalid_admin_key")
        assert "set-cookie" not in refused.headers
        session = await sign_in_admin(client, key)
        assert (await client.get("/api/admin/ping", headers=session)).status_code == 200


def test_named_key_is_stored_as_hash_only(database: Database) -> None:
    key = _add(database, "Rae")
    with psycopg.connect(database.service_url) as conn:
        rows = conn.execute("SELECT k.*::text, key_hash FROM admin_keys k WHERE name = 'Rae'").fetchall()
    assert [(key in text, key_hash) for text, key_hash in rows] == [(False, hash_token(key))]


def test_admin_list_shows_holders_and_shared_keys(database: Database) -> None:
    _add(database, "Sasha")
    _add(database, "Toni")
    assert _run(database, "revoke", "Toni")[0] == 0
    code, output = _run(database, "list", shared_key=ADMIN_KEY)
    assert code == 0, output
    lines = {line[:32].strip(): line[32:] for line in output.splitlines()}
    assert "not used yet" in lines["Sasha"]
    assert "revoked" in lines["Toni"]
    assert keys.name_of(ADMIN_KEY) in lines["Shared key"]
    assert ADMIN_KEY not in output


@pytest.mark.parametrize("name", ["", "   ", "x" * 61, "a\tb\x07", "cli", "Owner", "key-1a2b3c4d", "Shared  key"])
def test_admin_add_with_reserved_name_is_rejected(database: Database, name: str) -> None:
    code, output = _run(database, "add", name)
    assert (code, "name" in output) == (1, True)


def test_admin_add_with_second_key_is_rejected(database: Database) -> None:
    _add(database, "Uma Reyes")
    code, output = _run(database, "add", " uma  reyes")
    assert (code, "already has a key" in " ".join(output.split())) == (1, True)


def test_admin_revoke_of_unknown_name_is_rejected(database: Database) -> None:
    code, output = _run(database, "revoke", "Nobody Here")
    assert (code, "has no key" in output) == (1, True)
