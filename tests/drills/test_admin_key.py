"""Soak tests of admin key guessing and of audit log tampering."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable

import psycopg
import pytest

from porchlight.audit.recording import AuditEvent, record, signing_keys
from porchlight.audit.verification import fault
from porchlight.features.admin.sessions import MAX_ATTEMPTS
from tests.fixtures.databases import Database
from tests.porchlight.admin.api_client import ADMIN_KEY, OWN_ORIGIN, admin_client, sign_in_admin

pytestmark = [pytest.mark.drill, pytest.mark.parts]

GUESS_COUNT = 1000
CONCURRENCY = 20
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


async def test_thousand_key_guesses_are_rate_limited(new_database: Callable[[], Database]) -> None:
    database = new_database()
    async with admin_client(database) as client:
        staff = await sign_in_admin(client)

        async def guess(number: int) -> int:
            address = f"10.{number % 256}.{number // 256}.{number % 199}"
            headers = {**OWN_ORIGIN, "x-forwarded-for": address}
            # The right key is guessed only after the limit is reached, when keys are no longer checked.
            key = ADMIN_KEY if number > MAX_ATTEMPTS * 2 and number % 100 == 0 else f"guess-{number}-{'x' * 32}"
            response = await client.post("/api/admin/login", json={"key": key}, headers=headers)
            assert (await client.get("/api/admin/ping", headers=staff)).status_code == 200
            return response.status_code

        codes: list[int] = []
        for start in range(0, GUESS_COUNT, CONCURRENCY):
            codes += await asyncio.gather(*map(guess, range(start, start + CONCURRENCY)))
    checked = codes.count(401) + codes.count(200)
    print(f"{GUESS_COUNT} guesses: {checked} evaluated, {codes.count(429)} turned away; the open session went on")
    assert (codes.count(401), codes.count(200)) == (MAX_ATTEMPTS, 0)
    assert codes.count(429) == GUESS_COUNT - MAX_ATTEMPTS
    with psycopg.connect(database.service_url) as conn:
        rejected = conn.execute("SELECT count(*) FROM audit_log WHERE action = 'admin.login_refused'").fetchone()
        assert rejected == (MAX_ATTEMPTS,)


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
