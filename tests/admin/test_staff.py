"""Staff: the key, its sessions, what they may do, and that everything is written down."""

from __future__ import annotations

import asyncio
import os
import subprocess
import zipfile
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from io import BytesIO

import httpx
import psycopg
import pytest

from porchlight.admin.audit import fault
from porchlight.admin.sessions import GUESSES
from porchlight.app import Porchlight
from porchlight.audit import Act, SealKey, record
from porchlight.keys import faults
from porchlight.settings import Settings
from porchlight.staff import COOKIE
from tenants.lifecycle import NewGuru, create
from tests.support.databases import Database
from tests.support.product import PROGRAM

KEY = "correct-horse-battery-staple-0123456789"
OTHER_KEY = "another-horse-battery-staple-9876543210"
MAIN = "http://porchlight.localhost"
OWN = {"origin": MAIN}


@asynccontextmanager
async def staffed(database: Database, keys: str = KEY) -> AsyncIterator[httpx.AsyncClient]:
    """A client of an app with these admin keys. Cookies are sent by hand: the client keeps secure ones from http."""
    settings = Settings(
        DATABASE_URL=database.app_url, PORCHLIGHT_OVERSEER_DATABASE_URL=database.overseer_url, PORCHLIGHT_ADMIN_KEY=keys
    )
    app = Porchlight(settings)
    async with app.running():
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport, base_url=MAIN) as client:
            yield client


async def signed_in(client: httpx.AsyncClient, key: str = KEY) -> dict[str, str]:
    """The headers of a new staff session."""
    answer = await client.post("/api/admin/login", json={"key": key}, headers=OWN)
    assert answer.status_code == 200, answer.text
    cookie = answer.headers["set-cookie"]
    assert cookie.startswith(f"{COOKIE}=")
    assert {"HttpOnly", "Secure", "Path=/", "SameSite=strict"} <= set(cookie.split("; "))
    assert "Domain" not in cookie
    client.cookies.clear()
    return {"cookie": cookie.split(";")[0], **OWN}


async def test_the_key_opens_and_logout_closes(database: Database) -> None:
    async with staffed(database) as client:
        assert (await client.get("/api/admin/ping")).status_code == 401
        wrong = await client.post("/api/admin/login", json={"key": "x" * 40}, headers=OWN)
        assert (wrong.status_code, wrong.json()["error"]["message"]) == (401, "Invalid admin key")
        staff = await signed_in(client)
        assert (await client.get("/api/admin/ping", headers=staff)).status_code == 200
        counters = (await client.get("/api/admin/dashboard", headers=staff)).json()["data"]
        assert set(counters) == {"users", "listings", "sessions", "reports"}
        assert (await client.post("/api/admin/logout", headers=staff)).status_code == 200
        assert (await client.get("/api/admin/ping", headers=staff)).status_code == 401


async def test_guesses_are_counted_whatever_the_address(new_database: Callable[[], Database]) -> None:
    database = new_database()
    async with staffed(database) as client:
        staff = await signed_in(client)

        async def guess(number: int) -> int:
            headers = {**OWN, "x-forwarded-for": f"10.0.{number // 250}.{number % 250}"}
            return (await client.post("/api/admin/login", json={"key": f"guess-{number}"}, headers=headers)).status_code

        codes = [
            code for start in range(0, 60, 10) for code in await asyncio.gather(*map(guess, range(start, start + 10)))
        ]
        right = await client.post("/api/admin/login", json={"key": KEY}, headers=OWN)
        assert codes.count(401) == GUESSES
        assert codes.count(429) == 60 - GUESSES
        assert (right.status_code, int(right.headers["retry-after"]) > 0) == (429, True)
        assert (await client.get("/api/admin/ping", headers=staff)).status_code == 200

        unlocked = subprocess.run(
            [str(PROGRAM), "admin", "unlock"],
            env=os.environ | {"PORCHLIGHT_OVERSEER_DATABASE_URL": database.overseer_url},
            check=False,
        )
        assert unlocked.returncode == 0
        await signed_in(client)


async def test_keys_are_exchanged_without_a_gap(database: Database) -> None:
    async with staffed(database) as client:
        old = await signed_in(client)
    async with staffed(database, f"{OTHER_KEY},{KEY}") as client:
        assert (await client.get("/api/admin/ping", headers=old)).status_code == 200
        new = await signed_in(client, OTHER_KEY)
    async with staffed(database, OTHER_KEY) as client:
        assert (await client.get("/api/admin/ping", headers=old)).status_code == 401
        assert (await client.get("/api/admin/ping", headers=new)).status_code == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "http://cooking.porchlight.localhost"},
        {"origin": "null"},
        {"origin": "https://porchlight.localhost"},
        {"sec-fetch-site": "same-site"},
        {"sec-fetch-site": "cross-site"},
    ],
)
async def test_writes_come_from_our_own_pages(database: Database, headers: dict[str, str]) -> None:
    async with staffed(database) as client:
        staff = await signed_in(client)
        foreign = {"cookie": staff["cookie"], **headers}
        assert (await client.post("/api/admin/logout", headers=foreign)).status_code == 403
        assert (await client.get("/api/admin/ping", headers=staff)).status_code == 200


async def test_a_site_is_taken_down_and_brought_back(new_database: Callable[[], Database]) -> None:
    database = new_database()
    with psycopg.connect(database.overseer_url) as conn:
        create(conn, NewGuru("baker", "Baker", contact_email="baker@mail.example"))
        create(conn, NewGuru("banker", "Banker"))
    async with staffed(database) as client:
        staff = await signed_in(client)
        listed = (await client.get("/api/admin/sites?search=BAK", headers=staff)).json()["data"]
        assert [site["label"] for site in listed["items"]] == ["baker"]
        assert listed["nextCursor"] is None
        reason = {"reason": "spam"}
        down = await client.post("/api/admin/sites/baker/suspension", json=reason, headers=staff)
        assert down.status_code == 200
        assert (await client.get("/api/admin/sites/baker", headers=staff)).json()["data"]["status"] == "suspended"
        archive = await client.post("/api/admin/sites/baker/export", headers=staff)
        assert "guru.json" in zipfile.ZipFile(BytesIO(archive.content)).namelist()
        assert (await client.delete("/api/admin/sites/baker/suspension", headers=staff)).status_code == 200
        assert (await client.post("/api/admin/sites/nobody/suspension", json=reason, headers=staff)).status_code == 404

        log = (await client.get("/api/admin/audit?subject=baker", headers=staff)).json()["data"]["items"]
        assert [entry["action"] for entry in log] == ["site.restore", "site.export", "site.suspend"]
        assert log[-1]["details"] == {"reason": "spam"}
        for path in ("/api/admin/sites", "/api/admin/sites/baker", "/api/admin/audit", "/api/admin/dashboard"):
            assert (await client.get(path)).status_code == 401


def _audited(database: Database, entries: int) -> None:
    with psycopg.connect(database.overseer_url) as conn:
        for number in range(entries):
            record(conn, Act("test", "test.act", "thing", str(number)))


@pytest.mark.parametrize(
    "tampering",
    [
        "UPDATE audit_log SET actor = 'nobody' WHERE id = 3",
        "UPDATE audit_log SET details = '{\"x\": 1}' WHERE id = 1",
        "DELETE FROM audit_log WHERE id = 2",
        "DELETE FROM audit_log WHERE id = 5",
        "UPDATE audit_log SET at = at - interval '1 day' WHERE id = 4",
        "UPDATE audit_log SET id = 9 WHERE id = 5",
    ],
)
def test_a_changed_past_is_found(new_database: Callable[[], Database], tampering: str) -> None:
    database = new_database()
    _audited(database, 5)
    with psycopg.connect(database.overseer_url) as conn:
        assert fault(conn) is None
        with pytest.raises(psycopg.Error):
            conn.execute(tampering)
    with psycopg.connect(database.superuser_url) as conn:
        conn.execute("ALTER TABLE audit_log DISABLE TRIGGER USER")
        conn.execute(tampering)
    with psycopg.connect(database.overseer_url) as conn:
        assert fault(conn) is not None
    told = subprocess.run(
        [str(PROGRAM), "audit", "verify"],
        env=os.environ | {"PORCHLIGHT_OVERSEER_DATABASE_URL": database.overseer_url},
        capture_output=True,
        check=False,
    )
    assert told.returncode == 1


# What somebody does who knows the chain well: every hash from the changed entry on, and the head, are made anew.
_REWRITTEN = """
DO $$
DECLARE e audit_log; before bytea := '';
BEGIN
  UPDATE audit_log SET actor = 'somebody else' WHERE id = 2;
  FOR e IN SELECT * FROM audit_log ORDER BY id LOOP
    e.previous := before;
    before := app.audit_hash(e);
    UPDATE audit_log SET previous = e.previous, hash = before WHERE id = e.id;
    UPDATE audit_head SET id = e.id, hash = before;
  END LOOP;
END $$"""
_CUT_OFF = (
    "DELETE FROM audit_log WHERE id > 3;UPDATE audit_head SET id = 3, hash = (SELECT hash FROM audit_log WHERE id = 3);"
)


@pytest.mark.parametrize(
    ("tampering", "words"),
    [
        (_REWRITTEN, "The audit log was rewritten: the seal of entry 2 is not right."),
        (_REWRITTEN + "; DELETE FROM audit_seals", "Entry 1 of the audit log carries no seal."),
        (_REWRITTEN + "; DELETE FROM audit_seals WHERE id > 1", "Entry 2 of the audit log carries no seal."),
        (
            _REWRITTEN + "; UPDATE audit_seals SET key_name = 'seal-of-mine' WHERE id > 1",
            "Entry 2 of the audit log is sealed by a key that PORCHLIGHT_AUDIT_KEY does not name.",
        ),
        (_CUT_OFF, "Entries at the end of the audit log are missing or were replaced."),
    ],
)
def test_a_chain_made_anew_is_found_by_its_seals(
    new_database: Callable[[], Database], tampering: str, words: str
) -> None:
    database = new_database()
    _audited(database, 5)
    with psycopg.connect(database.superuser_url) as conn:
        conn.execute("ALTER TABLE audit_log DISABLE TRIGGER USER")
        conn.execute("ALTER TABLE audit_seals DISABLE TRIGGER USER")
        conn.execute(tampering.encode())
        conn.execute("ALTER TABLE audit_log ENABLE TRIGGER USER")
        conn.execute("ALTER TABLE audit_seals ENABLE TRIGGER USER")
    with psycopg.connect(database.overseer_url) as conn:
        assert fault(conn) == words
        record(conn, Act("test", "test.act"))  # what honestly follows covers nothing up
        assert fault(conn) is not None


def test_seals_only_grow(new_database: Callable[[], Database]) -> None:
    database = new_database()
    _audited(database, 2)
    for change in ("UPDATE audit_seals SET seal = ''", "DELETE FROM audit_seals", "TRUNCATE audit_seals"):
        for url in (database.overseer_url, database.superuser_url):
            with psycopg.connect(url) as conn, pytest.raises(psycopg.Error):
                conn.execute(change)
    with psycopg.connect(database.app_url) as conn, pytest.raises(psycopg.errors.InsufficientPrivilege):
        conn.execute("SELECT * FROM audit_seals")


def test_the_key_of_the_log_is_exchanged(new_database: Callable[[], Database]) -> None:
    """By the command line, as an operator would; a head that was kept elsewhere tells of what was cut off."""
    database = new_database()
    _audited(database, 3)

    def told(*words: str, key: str = "") -> subprocess.CompletedProcess[str]:
        env = os.environ | {"PORCHLIGHT_OVERSEER_DATABASE_URL": database.overseer_url, "PORCHLIGHT_AUDIT_KEY": key}
        return subprocess.run(
            [str(PROGRAM), "audit", *words], env=env, check=False, capture_output=True, text=True, timeout=240
        )

    kept = told("verify").stdout.strip()
    assert kept.startswith("3:")
    assert told("seal", "--yes", key=KEY).returncode == 0  # 3 entries, and that they were sealed is the fourth
    with psycopg.connect(database.overseer_url) as conn:
        assert fault(conn, [SealKey.of(KEY)]) is None
        assert fault(conn, [SealKey.of(OTHER_KEY)]) is not None
        assert conn.execute("SELECT action, details ->> 'entries' FROM audit_log WHERE id = 4").fetchone() == (
            "audit.seal",
            "3",
        )
    assert told("verify", "--head", kept, key=f"{OTHER_KEY},{KEY}").returncode == 0
    for wrong in ("4" + kept[1:], kept[:-1] + "?", "9:00", "x"):
        assert told("verify", "--head", wrong, key=KEY).returncode == 1
    with psycopg.connect(database.superuser_url) as conn:
        conn.execute("ALTER TABLE audit_log DISABLE TRIGGER USER")
        conn.execute(_REWRITTEN.encode())
    assert "was rewritten" in told("seal", "--yes", key=f"{OTHER_KEY},{KEY}").stderr


def test_acts_at_once_are_one_chain(new_database: Callable[[], Database]) -> None:
    database = new_database()

    async def run() -> None:
        await asyncio.gather(*(asyncio.to_thread(_audited, database, 10) for _ in range(6)))

    asyncio.run(run())
    with psycopg.connect(database.overseer_url) as conn:
        assert fault(conn) is None
        row = conn.execute("SELECT count(*) FROM audit_log").fetchone()
    assert row == (60,)


@pytest.mark.parametrize(
    "key",
    [
        "short",
        "a" * 64,
        f"{KEY},short",
        "please-change-this-key-before-you-go-live",
        "porchlight_default_ADMIN_KEY_0123456789",
    ],
)
def test_a_poor_key_is_refused(key: str) -> None:
    assert len(faults(key)) == 1


@pytest.mark.parametrize("key", ["short", "please-change-this-key-before-you-go-live"])
def test_nothing_starts_with_a_poor_key(database: Database, key: str) -> None:
    env = os.environ | {"DATABASE_URL": database.app_url, "PORCHLIGHT_ADMIN_KEY": key}
    told = subprocess.run([str(PROGRAM), "serve"], env=env, capture_output=True, text=True, check=False, timeout=240)
    assert told.returncode == 1
    assert "PORCHLIGHT_ADMIN_KEY" in told.stderr


def test_a_good_key_is_not() -> None:
    assert faults(f"{KEY},{OTHER_KEY}") == []


async def test_without_a_key_there_is_no_admin_area(database: Database) -> None:
    async with staffed(database, "") as client:
        assert (await client.post("/api/admin/login", json={"key": ""}, headers=OWN)).status_code in (404, 422)
        assert (await client.get("/api/admin/ping")).status_code == 404
