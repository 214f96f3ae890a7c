"""Soak tests of admin key guessing and of audit log tampering."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable

import httpx
import psycopg
import pytest

from porchlight.audit.recording import AuditEvent, record, signing_keys
from porchlight.audit.verification import fault
from porchlight.features.admin.sessions import MAX_DELAY_SECONDS, MAX_RECORDED
from tests.fixtures.databases import Database
from tests.porchlight.admin.api_client import ADMIN_KEY, OWN_ORIGIN, admin_client, record_waits

pytestmark = [pytest.mark.drill, pytest.mark.parts]

GUESS_COUNT = 1000
CONCURRENCY = 20
ADDRESS_COUNT = 40
ENTRY_COUNT = 300
# Changes of an audit entry by a database superuser; `{id}` is the entry.
TAMPERING_STATEMENTS = (
    "UPDATE audit_log SET actor = actor || '.' WHERE id = {id}",
    "UPDATE audit_log SET action = 'site.restore' WHERE id = {id}",
    "UPDATE audit_log SET subject_kind = 'user' WHERE id = {id}",
    "UPDATE audit_log SET subject_id = '' WHERE id = {id}",
    "UPDATE audit_log SET details = details || '{{\"more\": 1}}' WHERE id = {id}",
    "UPDATE audit_log SET at = at + interval '1 microsecond' WHERE id = {id}",
    "UPDATE audit_log SET previous = sha256(previous) WHERE id = {id}",
    "UPDATE audit_log SET hash = sha256(hash) WHERE id = {id}",
    "UPDATE audit_log SET id = -id WHERE id = {id}",
    "DELETE FROM audit_log WHERE id = {id}",
    # With the entry's hash recomputed, the chain breaks at the next entry or at the head.
    "UPDATE audit_log e SET hash = app.audit_hash(ROW(e.id, e.at, 'another admin', e.action, e.subject_kind,"
    " e.subject_id, e.details, e.previous, e.hash)::audit_log), actor = 'another admin' WHERE id = {id}",
)


async def test_key_guesses_do_not_keep_staff_out(
    new_database: Callable[[], Database], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Thousand wrong keys come from 40 addresses, and some from the staff's own; each admin still gets in."""
    waits = record_waits(monkeypatch)
    database = new_database()
    home = "198.51.100.4"
    async with admin_client(database) as client:

        async def log_in(key: str, address: str, cookie: str = "") -> httpx.Response:
            headers = {**OWN_ORIGIN, "x-forwarded-for": address} | ({"cookie": cookie} if cookie else {})
            response = await client.post("/api/admin/login", json={"key": key}, headers=headers)
            client.cookies.clear()
            return response

        first = await log_in(ADMIN_KEY, home)
        session, device = (value.partition(";")[0] for value in first.headers.get_list("set-cookie"))

        async def guess(number: int) -> int:
            address = home if number % 10 == 0 else f"10.0.0.{number % ADDRESS_COUNT}"
            response = await log_in(f"guess-{number}-{'x' * 32}", address)
            assert (await client.get("/api/admin/ping", headers={"cookie": session})).status_code == 200
            return response.status_code

        codes: list[int] = []
        for start in range(0, GUESS_COUNT, CONCURRENCY):
            codes += await asyncio.gather(*map(guess, range(start, start + CONCURRENCY)))
            assert (await log_in(ADMIN_KEY, home)).status_code == 200
            assert (await log_in(ADMIN_KEY, f"10.0.0.{start % ADDRESS_COUNT}", device)).status_code == 200
            assert waits[-1] == 0
        newcomer = await log_in(ADMIN_KEY, "203.0.113.1")
        assert newcomer.status_code == 200
        assert 0 < waits[-1] <= MAX_DELAY_SECONDS
    print(f"{GUESS_COUNT} guesses: {codes.count(401)} evaluated, {codes.count(429)} turned away; no admin kept out")
    assert codes.count(200) == 0
    with psycopg.connect(database.service_url) as conn:
        rejected = conn.execute("SELECT count(*) FROM audit_log WHERE action = 'admin.login_refused'").fetchone()
        assert rejected is not None
        assert rejected[0] < MAX_RECORDED + CONCURRENCY


def test_audit_log_tampering_is_detected(new_database: Callable[[], Database]) -> None:
    database = new_database()
    with psycopg.connect(database.service_url) as conn:
        keys = signing_keys(conn)
        for number in range(ENTRY_COUNT):
            record(
                conn, AuditEvent(f"key-{number % 3}", "site.suspend", "site", f"guru-{number}", {"reason": str(number)})
            )
    chosen = random.Random(11)
    ids = [1, 2, ENTRY_COUNT - 1, ENTRY_COUNT, *chosen.sample(range(3, ENTRY_COUNT - 1), 12)]
    detected = 0
    with psycopg.connect(database.superuser_url) as conn:
        conn.execute("ALTER TABLE audit_log DISABLE TRIGGER USER")
        for statement in TAMPERING_STATEMENTS:
            for entry_id in ids:
                with conn.transaction(force_rollback=True):
                    changed = conn.execute(statement.format(id=entry_id).encode()).rowcount
                    assert changed == 1, statement
                    assert fault(conn, keys) is not None, f"{statement} at {entry_id} was not found"
                    detected += 1
        assert fault(conn, keys) is None
    print(f"{detected} of {len(TAMPERING_STATEMENTS) * len(ids)} changes of past entries were found")
