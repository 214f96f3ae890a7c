"""The admin key under siege, and a log of acts that somebody rewrites: at length."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable

import psycopg
import pytest

from porchlight.admin.audit import fault
from porchlight.admin.sessions import GUESSES
from porchlight.audit import Act, record, seal_keys
from tests.admin.test_staff import KEY, OWN, signed_in, staffed
from tests.support.databases import Database

pytestmark = [pytest.mark.drill, pytest.mark.parts]

TRIES = 1000
AT_ONCE = 20
ENTRIES = 300
# What somebody with the database's own powers may do to an entry; `{id}` is which.
TAMPERING = (
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
    # Done with care: the entry's own hash is made right again, and the chain breaks at the next one or at the head.
    "UPDATE audit_log e SET hash = app.audit_hash(ROW(e.id, e.at, 'somebody else', e.action, e.subject_kind,"
    " e.subject_id, e.details, e.previous, e.hash)::audit_log), actor = 'somebody else' WHERE id = {id}",
)


async def test_a_thousand_guesses_from_everywhere(new_database: Callable[[], Database]) -> None:
    database = new_database()
    async with staffed(database) as client:
        staff = await signed_in(client)

        async def guess(number: int) -> int:
            address = f"10.{number % 256}.{number // 256}.{number % 199}"
            headers = {**OWN, "x-forwarded-for": address}
            # The right key is among the guesses of those who come too late: it is not even looked at.
            key = KEY if number > GUESSES * 2 and number % 100 == 0 else f"guess-{number}-{'x' * 32}"
            answer = await client.post("/api/admin/login", json={"key": key}, headers=headers)
            assert (await client.get("/api/admin/ping", headers=staff)).status_code == 200
            return answer.status_code

        codes: list[int] = []
        for start in range(0, TRIES, AT_ONCE):
            codes += await asyncio.gather(*map(guess, range(start, start + AT_ONCE)))
    evaluated = codes.count(401) + codes.count(200)
    print(f"{TRIES} guesses: {evaluated} evaluated, {codes.count(429)} turned away; the open session went on")
    assert (codes.count(401), codes.count(200)) == (GUESSES, 0)
    assert codes.count(429) == TRIES - GUESSES
    with psycopg.connect(database.overseer_url) as conn:
        refused = conn.execute("SELECT count(*) FROM audit_log WHERE action = 'admin.login_refused'").fetchone()
        assert refused == (GUESSES,)


def test_every_change_of_the_past_is_found(new_database: Callable[[], Database]) -> None:
    database = new_database()
    with psycopg.connect(database.overseer_url) as conn:
        keys = seal_keys(conn)
        for number in range(ENTRIES):
            record(conn, Act(f"key-{number % 3}", "site.suspend", "site", f"guru-{number}", {"reason": str(number)}))
    chosen = random.Random(11)
    places = [1, 2, ENTRIES - 1, ENTRIES, *chosen.sample(range(3, ENTRIES - 1), 12)]
    found = 0
    with psycopg.connect(database.superuser_url) as conn:
        conn.execute("ALTER TABLE audit_log DISABLE TRIGGER USER")
        for statement in TAMPERING:
            for place in places:
                with conn.transaction(force_rollback=True):
                    changed = conn.execute(statement.format(id=place).encode()).rowcount
                    assert changed == 1, statement
                    assert fault(conn, keys) is not None, f"{statement} at {place} was not found"
                    found += 1
        assert fault(conn, keys) is None
    print(f"{found} of {len(TAMPERING) * len(places)} changes of past entries were found")
