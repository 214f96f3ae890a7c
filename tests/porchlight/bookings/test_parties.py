"""Visibility of the rows of a booking: to its person and its guru only. As the app role, without any Python code."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any, cast
from uuid import UUID

import psycopg
import pytest
from psycopg import sql

from porchlight.features.bookings import store
from porchlight.features.bookings.changes import WaitlistUpdate
from porchlight.features.bookings.draft import CalendarDraft
from porchlight.features.bookings.lifecycle import Decision
from porchlight.features.bookings.store import FactsQuery
from tenants.kit import clock
from tenants.kit.ids import new_id
from tests.fixtures.databases import Database
from tests.porchlight.factories import SeededGuru, seed_booking, seed_guru, seed_user
from tests.tenants.isolation import party_tables, set_tenant, set_user

TABLES = ("bookings", "booking_events", "booking_emails", "participants", "waitlist", "contact_views", "reviews",
          "package_grants", "package_events", "payments", "refunds", "invoices")  # fmt: skip


@pytest.fixture
def app(database: Database) -> Iterator[psycopg.Connection[Any]]:
    """A connection in the app role."""
    with psycopg.connect(database.app_url) as conn:
        yield conn
        conn.rollback()


def visible_tenants(app: psycopg.Connection[Any], table: str) -> set[UUID]:
    query = sql.SQL("SELECT DISTINCT tenant_id FROM {}").format(sql.Identifier(table))
    return {row[0] for row in app.execute(query).fetchall()}


def party(conn: psycopg.Connection[Any], table: str, guru: SeededGuru) -> UUID:
    """Return the person of the guru's row."""
    query = sql.SQL("SELECT person_id FROM {} WHERE tenant_id = %s").format(sql.Identifier(table))
    row = conn.execute(query, [guru.id]).fetchone()
    assert row is not None
    person: UUID = row[0]
    return person


def test_party_tables_are_all_tested(database: Database) -> None:
    with psycopg.connect(database.superuser_url) as conn:
        assert party_tables(conn) == set(TABLES)


@pytest.mark.parametrize("table", TABLES)
def test_both_parties_see_their_rows(
    database: Database, gurus: tuple[SeededGuru, SeededGuru], app: psycopg.Connection[Any], table: str
) -> None:
    with psycopg.connect(database.superuser_url) as superuser:
        person = party(superuser, table, gurus[0])
    set_user(app, person)
    assert visible_tenants(app, table) == {gurus[0].id}
    app.rollback()
    set_tenant(app, gurus[0].id, acting=True)
    assert visible_tenants(app, table) == {gurus[0].id}


@pytest.mark.parametrize("table", TABLES)
def test_others_see_no_row(gurus: tuple[SeededGuru, SeededGuru], app: psycopg.Connection[Any], table: str) -> None:
    own, other = gurus
    # A visitor, a neighbor and the guru's own impersonated console have the tenant set, but do not act for it.
    for user in (None, other.person, own.owner, new_id()):
        set_tenant(app, own.id)
        set_user(app, user)
        assert own.id not in visible_tenants(app, table), (table, user)
        app.rollback()
    set_tenant(app, other.id, acting=True)
    assert visible_tenants(app, table) == {other.id}


def change_note(app: psycopg.Connection[Any], guru: SeededGuru) -> None:
    """Change the note of the guru's booking in the transaction, as a decision would."""
    booking_id = cast(UUID, guru.booking)
    needs = FactsQuery(ids=[booking_id])
    draft = CalendarDraft(store.read_facts_on(app, needs))
    draft.update(draft.bookings[booking_id], {"note": "changed"})
    store.write_on(app, Decision(draft.change), draft.facts, needs)
    app.rollback()


def test_booking_is_changed_by_its_parties_only(
    gurus: tuple[SeededGuru, SeededGuru], app: psycopg.Connection[Any]
) -> None:
    own, other = gurus
    set_tenant(app, own.id)
    set_user(app, own.person)
    change_note(app, own)
    set_tenant(app, own.id, acting=True)
    change_note(app, own)
    for user in (None, other.person, own.owner):
        set_tenant(app, own.id)
        set_user(app, user)
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            change_note(app, own)
        app.rollback()
    set_tenant(app, other.id, acting=True)
    with pytest.raises(KeyError):  # another guru's booking is not among the facts
        change_note(app, own)


def test_hold_of_visitor_goes_to_its_booker_only(
    gurus: tuple[SeededGuru, SeededGuru], app: psycopg.Connection[Any], database: Database
) -> None:
    own, other = gurus
    with psycopg.connect(database.service_url) as conn:
        later = {"status": "held", "person_id": None, "expires_at": clock.now() + timedelta(hours=1)}
        booked = own.booking  # seeding replaces it
        held = seed_booking(conn, own, seed_user(conn), days_ahead=40, hold_hash=b"token", **later)
        own.booking = booked
    needs = FactsQuery(token=b"token")
    for user in (None, own.person):
        set_tenant(app, own.id)
        set_user(app, user)
        draft = CalendarDraft(store.read_facts_on(app, needs))
        draft.update(draft.bookings[held], {"person_id": other.person})
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            store.write_on(app, Decision(draft.change), draft.facts, needs)
        app.rollback()


def test_waitlist_changes_only_with_its_session(
    gurus: tuple[SeededGuru, SeededGuru], app: psycopg.Connection[Any], database: Database
) -> None:
    own, _ = gurus
    query = "SELECT appointment_id, number, status FROM waitlist WHERE tenant_id = %s"
    with psycopg.connect(database.service_url) as conn:
        ((session, number, status), *_others) = conn.execute(query, [own.id]).fetchall()
    set_tenant(app, own.id)
    set_user(app, new_id())
    needs = FactsQuery()
    draft = CalendarDraft(store.read_facts_on(app, needs))
    draft.change.waitlist.append(WaitlistUpdate(appointment_id=session, number=number, status="lapsed"))
    store.write_on(app, Decision(draft.change), draft.facts, needs)
    app.commit()
    with psycopg.connect(database.service_url) as conn:
        assert (session, number, status) in conn.execute(query, [own.id]).fetchall()


FIXED_COLUMNS = (
    "tenant_id", "id", "person_id", "service_id", "guru_name", "service_name", "zone", "price_cents", "currency",
    "approval", "terms", "terms_digest", "hold_hash", "status", "party", "starts_at", "expires_at", "owed_cents",
)  # fmt: skip


@pytest.mark.parametrize("column", FIXED_COLUMNS)
def test_booking_is_not_written_past_its_decision(guru: SeededGuru, app: psycopg.Connection[Any], column: str) -> None:
    set_tenant(app, guru.id, acting=True)
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        app.execute(sql.SQL("UPDATE bookings SET {0} = {0}").format(sql.Identifier(column)))


@pytest.mark.parametrize("table", ["booking_events", "waitlist", "contact_views"])
def test_history_waitlist_and_views_are_read_only(guru: SeededGuru, app: psycopg.Connection[Any], table: str) -> None:
    name = sql.Identifier(table)
    for statement in ("UPDATE {} SET person_id = person_id", "DELETE FROM {}", "INSERT INTO {} DEFAULT VALUES"):
        set_tenant(app, guru.id, acting=True)
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            app.execute(sql.SQL(statement).format(name))
        app.rollback()


@pytest.mark.parametrize("column", ["tenant_id", "person_id"])
def test_bookings_of_each_party_use_an_index(database: Database, guru: SeededGuru, column: str) -> None:
    with psycopg.connect(database.superuser_url) as superuser:
        superuser.execute(
            "INSERT INTO bookings SELECT (jsonb_populate_record(b, jsonb_build_object('id', gen_random_uuid(),"
            " 'person_id', gen_random_uuid(), 'hold_hash', NULL, 'status', 'canceled'))).*"
            " FROM bookings b, generate_series(1, 2000) WHERE b.tenant_id = %s AND b.id = %s",
            [guru.id, guru.booking],
        )
        superuser.execute("ANALYZE bookings")
        superuser.commit()
    with psycopg.connect(database.app_url) as app:
        set_tenant(app, guru.id, acting=column == "tenant_id")
        set_user(app, guru.person if column == "person_id" else None)
        value = guru.id if column == "tenant_id" else guru.person
        query = f"EXPLAIN SELECT id FROM bookings WHERE {column} = %s ORDER BY starts_at LIMIT 20"
        plan = "\n".join(row[0] for row in app.execute(query.encode(), [value]).fetchall())
    assert f"ix_bookings_{column}_starts_at" in plan, plan


@pytest.fixture
def waiting(database: Database) -> tuple[SeededGuru, UUID, list[UUID]]:
    """A guru with a session and two people who wait for it."""
    with psycopg.connect(database.service_url) as conn:
        guru = seed_guru(conn, f"w{new_id().hex[-12:]}")
        people = [seed_user(conn), seed_user(conn)]
        query = "SELECT appointment_id FROM bookings WHERE tenant_id = %s AND id = %s"
        row = conn.execute(query, [guru.id, guru.booking]).fetchone()
        assert row is not None
        conn.execute(
            "INSERT INTO waitlist SELECT (jsonb_populate_record(w, jsonb_build_object('number', n.number,"
            " 'person_id', n.person, 'status', 'waiting'))).* FROM waitlist w,"
            " (VALUES (2, %s::uuid), (3, %s::uuid)) AS n (number, person) WHERE w.tenant_id = %s AND w.number = 1",
            [*people, guru.id],
        )
    return guru, row[0], people


def test_those_who_wait_see_own_place_only(
    waiting: tuple[SeededGuru, UUID, list[UUID]], app: psycopg.Connection[Any]
) -> None:
    guru, appointment, people = waiting
    position = "SELECT position FROM waitlist_positions WHERE tenant_id = %s AND appointment_id = %s"
    places = "SELECT person_id FROM waitlist WHERE tenant_id = %s AND status = 'waiting' ORDER BY number"
    for user, expected in zip(people, (1, 2), strict=True):
        for tenant in (None, guru.id):
            set_tenant(app, tenant)
            set_user(app, user)
            assert app.execute(position, [guru.id, appointment]).fetchone() == (expected,)
            assert app.execute(places, [guru.id]).fetchall() == [(user,)]
            app.rollback()
    set_tenant(app, guru.id, acting=True)
    assert app.execute(places, [guru.id]).fetchall() == [(user,) for user in people]


def test_others_learn_no_place(
    waiting: tuple[SeededGuru, UUID, list[UUID]], gurus: tuple[SeededGuru, SeededGuru], app: psycopg.Connection[Any]
) -> None:
    guru, appointment, _people = waiting
    position = "SELECT position FROM waitlist_positions WHERE tenant_id = %s AND appointment_id = %s"
    places = "SELECT person_id FROM waitlist WHERE tenant_id = %s"
    for user in (None, gurus[1].person, guru.owner, new_id()):
        set_tenant(app, guru.id)
        set_user(app, user)
        assert app.execute(position, [guru.id, appointment]).fetchone() is None
        assert app.execute(places, [guru.id]).fetchall() == []
        app.rollback()
    set_tenant(app, gurus[1].id, acting=True)
    assert app.execute(places, [guru.id]).fetchall() == []
    # The address of someone who waits is for the job that writes to them.
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        app.execute("SELECT app.job_contacts()")
