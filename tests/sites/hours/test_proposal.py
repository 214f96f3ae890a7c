"""The hours that `porchlight guru create` proposes."""

from __future__ import annotations

from typing import Any

import psycopg
import pytest
from typer.testing import CliRunner, Result

from porchlight.cli.main import app
from sites.hours.proposal import add_proposed_hours
from tests.fixtures.databases import Database


@pytest.fixture
def conn(database: Database, monkeypatch: pytest.MonkeyPatch) -> psycopg.Connection[Any]:
    """A connection of the service role, to the database that commands use too."""
    monkeypatch.setenv("PORCHLIGHT_OVERSEER_DATABASE_URL", database.service_url)
    return psycopg.connect(database.service_url, autocommit=True)


def create(label: str, *options: str) -> Result:
    return CliRunner().invoke(app, ["guru", "create", label, *options])


def week(conn: psycopg.Connection[Any], label: str) -> list[tuple[Any, ...]]:
    """Return the guru's zone, weekdays and minutes."""
    query = (
        "SELECT c.zone, h.weekday, lower(h.during), upper(h.during) FROM calendars c"
        " JOIN weekly_hours h USING (tenant_id) JOIN gurus g ON g.id = c.tenant_id"
        " WHERE g.label = %s ORDER BY h.weekday"
    )
    return conn.execute(query, [label]).fetchall()


def test_created_guru_has_proposed_hours(conn: psycopg.Connection[Any]) -> None:
    with conn:
        assert create("proposed").exit_code == 0
        assert week(conn, "proposed") == [("America/Denver", weekday, 540, 1020) for weekday in range(5)]
        assert create("abroad", "--zone", "Europe/Berlin").exit_code == 0
        assert {zone for zone, *_ in week(conn, "abroad")} == {"Europe/Berlin"}
        assert create("nowhere", "--zone", "Mars/Olympus").exit_code == 2
        assert week(conn, "nowhere") == []


def test_created_guru_takes_requests(conn: psycopg.Connection[Any]) -> None:
    with conn:
        assert create("bookable").exit_code == 0
        settings = (
            "SELECT s.duration_minutes, b.open, b.approval, b.place FROM booking_settings b"
            " JOIN services s ON s.id = b.service_id JOIN gurus g ON g.id = b.tenant_id"
            " WHERE g.label = 'bookable' ORDER BY s.position"
        )
        # The monthly service has no minutes, so it has no slots.
        assert conn.execute(settings).fetchall() == [(60, True, "request", "agreed"), (90, True, "request", "agreed")]


def test_proposal_keeps_hours_that_exist(conn: psycopg.Connection[Any]) -> None:
    with conn:
        assert create("settled").exit_code == 0
        row = conn.execute("SELECT id FROM gurus WHERE label = 'settled'").fetchone()
        assert row is not None
        conn.execute("DELETE FROM weekly_hours WHERE tenant_id = %s AND weekday > 0", [row[0]])
        add_proposed_hours(conn, row[0], "Europe/Berlin")
        assert week(conn, "settled") == [("America/Denver", 0, 540, 1020)]


def test_proposal_touches_no_other_guru(conn: psycopg.Connection[Any]) -> None:
    with conn:
        for label in ("one-of-two", "other-of-two"):
            assert create(label).exit_code == 0
        conn.execute("DELETE FROM calendars USING gurus g WHERE g.id = tenant_id AND g.label LIKE '%-of-two'")
        row = conn.execute("SELECT id FROM gurus WHERE label = 'one-of-two'").fetchone()
        assert row is not None
        add_proposed_hours(conn, row[0])
        for table in ("calendars", "weekly_hours", "booking_settings"):
            found = conn.execute(
                f"SELECT DISTINCT g.label FROM {table} JOIN gurus g ON g.id = tenant_id"
                " WHERE g.label LIKE '%-of-two'".encode()
            ).fetchall()
            assert found == [("one-of-two",)], table


def test_guru_create_refuses_unreachable_address(conn: psycopg.Connection[Any]) -> None:
    with conn:
        refused = create("unreached", "--email", "zoë@porchlight.example")
        assert (refused.exit_code, "before the @" in refused.output) == (2, True)
        assert week(conn, "unreached") == []
