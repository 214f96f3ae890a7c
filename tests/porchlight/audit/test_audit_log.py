"""The audit log: hash chain, signatures, key rotation, and entries of the command line."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import psycopg
import pytest

from porchlight.audit.recording import AuditEvent, AuditKey, record
from porchlight.audit.verification import fault
from tests.fixtures.command_line import run_command
from tests.fixtures.databases import Database
from tests.fixtures.product import run_program
from tests.porchlight.admin.api_client import ADMIN_KEY, OTHER_ADMIN_KEY


def _create_entries(database: Database, count: int) -> None:
    with psycopg.connect(database.service_url) as conn:
        for number in range(count):
            record(conn, AuditEvent("test", "test.act", "thing", str(number)))


@pytest.mark.parametrize(
    "tampering",
    [
        "UPDATE audit_log SET actor = 'changed' WHERE id = 3",
        "UPDATE audit_log SET details = '{\"x\": 1}' WHERE id = 1",
        "DELETE FROM audit_log WHERE id = 2",
        "DELETE FROM audit_log WHERE id = 5",
        "UPDATE audit_log SET at = at - interval '1 day' WHERE id = 4",
        "UPDATE audit_log SET id = 9 WHERE id = 5",
    ],
)
def test_audit_verification_finds_changed_entries(new_database: Callable[[], Database], tampering: str) -> None:
    database = new_database()
    _create_entries(database, 5)
    with psycopg.connect(database.service_url) as conn:
        assert fault(conn) is None
        with pytest.raises(psycopg.Error):
            conn.execute(tampering)
    with psycopg.connect(database.superuser_url) as conn:
        conn.execute("ALTER TABLE audit_log DISABLE TRIGGER USER")
        conn.execute(tampering)
    with psycopg.connect(database.service_url) as conn:
        assert fault(conn) is not None
    code, _ = run_command("audit", "verify", env={"PORCHLIGHT_OVERSEER_DATABASE_URL": database.service_url})
    assert code == 1


# An attack that recomputes every hash from the changed entry on, and the chain head.
_REWRITE_CHAIN = """
DO $$
DECLARE e audit_log; before bytea := '';
BEGIN
  UPDATE audit_log SET actor = 'changed' WHERE id = 2;
  FOR e IN SELECT * FROM audit_log ORDER BY id LOOP
    e.previous := before;
    before := app.audit_hash(e);
    UPDATE audit_log SET previous = e.previous, hash = before WHERE id = e.id;
    UPDATE audit_head SET id = e.id, hash = before;
  END LOOP;
END $$"""


_TRUNCATE_CHAIN = (
    "DELETE FROM audit_log WHERE id > 3;UPDATE audit_head SET id = 3, hash = (SELECT hash FROM audit_log WHERE id = 3);"
)


@pytest.mark.parametrize(
    ("tampering", "message"),
    [
        (_REWRITE_CHAIN, "The audit log was tampered with: the signature of entry 2 is invalid."),
        (_REWRITE_CHAIN + "; DELETE FROM audit_seals", "Entry 1 of the audit log isn't signed."),
        (_REWRITE_CHAIN + "; DELETE FROM audit_seals WHERE id > 1", "Entry 2 of the audit log isn't signed."),
        (
            _REWRITE_CHAIN + "; UPDATE audit_seals SET key_name = 'seal-of-mine' WHERE id > 1",
            "Entry 2 of the audit log is signed with a key that isn't in PORCHLIGHT_AUDIT_KEY.",
        ),
        (_TRUNCATE_CHAIN, "Entries at the end of the audit log are missing or were replaced."),
    ],
)
def test_audit_verification_finds_rewritten_chain(
    new_database: Callable[[], Database], tampering: str, message: str
) -> None:
    database = new_database()
    _create_entries(database, 5)
    with psycopg.connect(database.superuser_url) as conn:
        conn.execute("ALTER TABLE audit_log DISABLE TRIGGER USER")
        conn.execute("ALTER TABLE audit_seals DISABLE TRIGGER USER")
        conn.execute(tampering.encode())
        conn.execute("ALTER TABLE audit_log ENABLE TRIGGER USER")
        conn.execute("ALTER TABLE audit_seals ENABLE TRIGGER USER")
    with psycopg.connect(database.service_url) as conn:
        assert fault(conn) == message
        record(conn, AuditEvent("test", "test.act"))  # a valid new entry does not hide the attack
        assert fault(conn) is not None


def test_audit_signatures_are_append_only(new_database: Callable[[], Database]) -> None:
    database = new_database()
    _create_entries(database, 2)
    for change in ("UPDATE audit_seals SET seal = ''", "DELETE FROM audit_seals", "TRUNCATE audit_seals"):
        for url in (database.service_url, database.superuser_url):
            with psycopg.connect(url) as conn, pytest.raises(psycopg.Error):
                conn.execute(change)
    with psycopg.connect(database.app_url) as conn, pytest.raises(psycopg.errors.InsufficientPrivilege):
        conn.execute("SELECT * FROM audit_seals")


def test_audit_key_rotation_by_command_line(new_database: Callable[[], Database]) -> None:
    database = new_database()
    _create_entries(database, 3)

    def run_audit(*arguments: str, key: str = "") -> tuple[int, str]:
        env = {"PORCHLIGHT_OVERSEER_DATABASE_URL": database.service_url, "PORCHLIGHT_AUDIT_KEY": key}
        return run_program("audit", *arguments, env=env)  # a process reads its keys once

    stored_head = run_audit("verify")[1].splitlines()[-1]
    assert stored_head.startswith("3:")
    assert run_audit("seal", "--yes", key=ADMIN_KEY)[0] == 0  # which adds a fourth entry
    with psycopg.connect(database.service_url) as conn:
        assert fault(conn, [AuditKey.of(ADMIN_KEY)]) is None
        assert fault(conn, [AuditKey.of(OTHER_ADMIN_KEY)]) is not None
        assert conn.execute("SELECT action, details ->> 'entries' FROM audit_log WHERE id = 4").fetchone() == (
            "audit.seal",
            "3",
        )
    assert run_audit("verify", "--head", stored_head, key=f"{OTHER_ADMIN_KEY},{ADMIN_KEY}")[0] == 0
    for wrong_head in ("4" + stored_head[1:], stored_head[:-1] + "?", "9:00", "x"):
        assert run_audit("verify", "--head", wrong_head, key=ADMIN_KEY)[0] == 1
    with psycopg.connect(database.superuser_url) as conn:
        conn.execute("ALTER TABLE audit_log DISABLE TRIGGER USER")
        conn.execute(_REWRITE_CHAIN.encode())
    assert "was tampered with" in run_audit("seal", "--yes", key=f"{OTHER_ADMIN_KEY},{ADMIN_KEY}")[1]


def test_concurrent_audit_events_form_one_chain(new_database: Callable[[], Database]) -> None:
    database = new_database()

    async def run() -> None:
        await asyncio.gather(*(asyncio.to_thread(_create_entries, database, 10) for _ in range(6)))

    asyncio.run(run())
    with psycopg.connect(database.service_url) as conn:
        assert fault(conn) is None
        row = conn.execute("SELECT count(*) FROM audit_log").fetchone()
    assert row == (60,)


def test_command_line_actions_are_audited(new_database: Callable[[], Database], tmp_path: Path) -> None:
    database = new_database()
    env = {"PORCHLIGHT_OVERSEER_DATABASE_URL": database.service_url}
    for arguments in (
        ("guru", "create", "clara"),
        ("guru", "suspend", "clara"),
        ("guru", "restore", "clara"),
        ("guru", "export", "clara", "--to", str(tmp_path / "clara.zip")),
        ("guru", "rename", "clara", "klara"),
        ("domain", "add", "klara", "klara.example"),
        ("flags", "set", "booking", "off"),
        ("guru", "delete", "klara", "--yes"),
    ):
        code, output = run_command(*arguments, env=env)
        assert code == 0, output
    with psycopg.connect(database.service_url) as conn:
        entries = conn.execute("SELECT actor, action FROM audit_log ORDER BY id").fetchall()
        assert fault(conn) is None
    assert {actor for actor, _ in entries} == {"cli"}
    assert [action for _, action in entries] == [
        "site.create", "site.suspend", "site.restore", "site.export", "site.rename", "site.domain", "flag.set",
        "site.delete",
    ]  # fmt: skip
