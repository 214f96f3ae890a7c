"""Words of people that older releases wrote into the audit log are removed, and every other change is still found."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import psycopg
import pytest

from porchlight.audit.erasure import erase_words
from porchlight.audit.recording import AuditEvent, record
from porchlight.audit.verification import fault
from porchlight.worker.maintenance import purge_audit_words
from tests.fixtures.databases import Database

# As the releases before 0204 wrote them, and what stays.
OLD_ENTRIES: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    ("report.resolve", {"outcome": "kept", "name": "Ada Alvarez"}, {"outcome": "kept"}),
    ("risk.decide", {"level": "low", "activity": "juggling with Ada"}, {"level": "low"}),
    ("listing.hide", {"reason": "spam", "title": "Ada's lessons"}, {"reason": "spam"}),
    ("listing.show", {"title": "Ada's lessons"}, {}),
    ("money.adjustment_request", {"cents": 5, "person": "ada@mail.example"}, {"cents": 5}),
]
KEPT = [
    ("money.adjustment_request", {"cents": 5, "person": "0193a3f0-0000-7000-8000-000000000001"}),
    ("site.export", {"bytes": 9, "title": "not of a person"}),
]
_ALTER = "ALTER TABLE audit_log DISABLE TRIGGER audit_forbid_change; {}; ALTER TABLE audit_log ENABLE TRIGGER USER"


def _write_old_entries(database: Database) -> None:
    with psycopg.connect(database.service_url) as conn:
        for action, details in [*((action, old) for action, old, _ in OLD_ENTRIES), *KEPT]:
            record(conn, AuditEvent("ada-key", action, "thing", "1", details))


def _details(database: Database) -> list[tuple[str, dict[str, Any]]]:
    with psycopg.connect(database.service_url) as conn:
        query = "SELECT action, details FROM audit_log WHERE action <> 'audit.erase' ORDER BY id"
        return conn.execute(query).fetchall()


def test_old_words_are_erased_and_the_log_stays_valid(new_database: Callable[[], Database]) -> None:
    database = new_database()
    _write_old_entries(database)
    for _ in range(2):  # the second run finds nothing
        purge_audit_words(database.service_url)
    assert _details(database) == [*((action, new) for action, _, new in OLD_ENTRIES), *KEPT]
    with psycopg.connect(database.service_url) as conn:
        assert fault(conn) is None
        (entries,) = conn.execute("SELECT details -> 'entries' FROM audit_log WHERE action = 'audit.erase'").fetchall()
        assert set(entries[0]) == {"1", "2", "3", "4", "5"}


@pytest.mark.parametrize(
    "change",
    [
        'UPDATE audit_log SET details = \'{"outcome": "removed"}\' WHERE id = 1',
        'UPDATE audit_log SET details = details || \'{"name": "Someone"}\' WHERE id = 1',
        "UPDATE audit_log SET actor = 'another' WHERE id = 1",
    ],
)
def test_change_of_an_erased_entry_is_found(new_database: Callable[[], Database], change: str) -> None:
    database = new_database()
    _write_old_entries(database)
    purge_audit_words(database.service_url)
    with psycopg.connect(database.superuser_url) as conn:
        with pytest.raises(psycopg.errors.RaiseException), conn.transaction():
            conn.execute(change.encode())
        conn.execute(_ALTER.format(change).encode())
    purge_audit_words(database.service_url)
    with psycopg.connect(database.service_url) as conn:
        assert fault(conn) == "The audit log was changed at entry 1."


def test_erasure_leaves_a_changed_entry_to_be_found(new_database: Callable[[], Database]) -> None:
    """An entry that was changed before does not become valid by losing its words."""
    database = new_database()
    _write_old_entries(database)
    with psycopg.connect(database.superuser_url) as conn:
        conn.execute(_ALTER.format("UPDATE audit_log SET actor = 'another' WHERE id = 1").encode())
    purge_audit_words(database.service_url)
    with psycopg.connect(database.service_url) as conn:
        assert fault(conn) == "The audit log was changed at entry 1."


def test_erasure_without_an_entry_about_it_is_found(new_database: Callable[[], Database]) -> None:
    """The function alone, called with SQL, does not make a valid log: only signed entries count."""
    database = new_database()
    _write_old_entries(database)
    with psycopg.connect(database.service_url) as conn:
        conn.execute("SELECT app.erase_audit_words(1000)")
        assert fault(conn) == "The audit log was changed at entry 1."
    with psycopg.connect(database.app_url) as conn, pytest.raises(psycopg.errors.InsufficientPrivilege):
        conn.execute("SELECT app.erase_audit_words(1000)")


def test_erasure_of_many_entries_is_recorded(new_database: Callable[[], Database]) -> None:
    """More entries than one call takes."""
    database = new_database()
    with psycopg.connect(database.service_url) as conn:
        for number in range(1_003):
            record(conn, AuditEvent("ada-key", "listing.show", "listing", str(number), {"title": "Ada's lessons"}))
        erase_words(conn)
        assert fault(conn) is None
        counted = conn.execute("SELECT count(*) FROM audit_log WHERE details ? 'title'").fetchone()
        assert counted == (0,)
