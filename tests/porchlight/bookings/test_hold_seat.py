"""Holding seats in the database: every outcome, and many clients at once."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import UUID

import psycopg
import pytest

from porchlight.features.bookings import store
from porchlight.features.bookings.commands import WantedSeats
from porchlight.features.bookings.lifecycle import decide
from tenants.db.pool import Database as AppDatabase
from tenants.kit import clock
from tenants.kit.ids import new_id
from tests.fixtures.databases import Database
from tests.porchlight.bookings.clients import START, Client, hold_command
from tests.porchlight.bookings.gurus import create_bookable_guru
from tests.porchlight.factories import SeededGuru, seed_user

NewGuru = Callable[..., SeededGuru]


@pytest.fixture
def new_guru(database: Database) -> Callable[..., SeededGuru]:
    """A factory of gurus with one service; `settings` are columns of its booking settings."""

    def create(**settings: Any) -> SeededGuru:
        with psycopg.connect(database.service_url) as conn:
            return create_bookable_guru(conn, minutes=90, **settings)

    return create


@pytest.fixture
def conn(database: Database) -> Iterator[psycopg.Connection[Any]]:
    """A connection in the app role."""
    with psycopg.connect(database.app_url) as opened:
        yield opened


def rows(database: Database, query: str, *params: object) -> list[tuple[Any, ...]]:
    with psycopg.connect(database.superuser_url) as superuser:
        return superuser.execute(query.encode(), params).fetchall()


def taken(database: Database, guru: SeededGuru) -> list[tuple[int, bool]]:
    """Return the occupied seats of each appointment, and whether it is live."""
    query = "SELECT taken, live FROM appointments WHERE tenant_id = %s ORDER BY live DESC, starts_at"
    return rows(database, query, guru.id)


def test_hold_copies_service_and_blocks_time(
    database: Database, new_guru: NewGuru, conn: psycopg.Connection[Any]
) -> None:
    guru = new_guru(capacity=4, party_max=3, setup_minutes=15, cleanup_minutes=30, place="online")
    assert Client(conn, guru).hold(guru.services[0], seats=3) == "held"
    ((name, price, party, minutes, place, blocked, expires),) = rows(
        database,
        "SELECT b.service_name, b.price_cents, b.party, b.ends_at - b.starts_at, b.place, upper(a.blocked) -"
        " lower(a.blocked), b.expires_at - b.created_at FROM bookings b JOIN appointments a"
        " ON (a.tenant_id, a.id) = (b.tenant_id, b.appointment_id) WHERE b.tenant_id = %s",
        guru.id,
    )
    assert (name, price, party, place) == ("Lesson", 3 * 4501, 3, "online")
    assert (minutes, blocked) == (timedelta(minutes=90), timedelta(minutes=135))
    assert expires == timedelta(minutes=10)
    assert taken(database, guru) == [(3, True)]


def test_hold_of_overlapping_time_is_slot_taken(new_guru: NewGuru, conn: psycopg.Connection[Any]) -> None:
    guru = new_guru(cleanup_minutes=30)
    client = Client(conn, guru)
    service = guru.services[0]
    assert client.hold(service) == "held"
    assert client.hold(service, START + timedelta(minutes=90)) == "slot_taken"
    assert client.hold(service, START + timedelta(minutes=120)) == "held"


def test_hold_of_full_session_is_rejected(new_guru: NewGuru, conn: psycopg.Connection[Any]) -> None:
    guru = new_guru(capacity=2, party_max=2)
    client = Client(conn, guru)
    service = guru.services[0]
    assert client.hold(service, seats=3) == "party_too_large"
    assert client.hold(service, seats=1) == "held"
    assert client.hold(service, seats=2) == "session_full"
    assert client.hold(service, seats=1) == "held"


def test_hold_of_taken_time_waits_for_no_lock(
    database: Database, new_guru: NewGuru, conn: psycopg.Connection[Any]
) -> None:
    guru = new_guru(capacity=2)
    client, service = Client(conn, guru), guru.services[0]
    assert [client.hold(service, token=token) for token in (b"1", b"2")] == ["held", "held"]
    with psycopg.connect(database.app_url) as other:
        Client(other, guru).begin()
        other.execute("SELECT app.lock_calendar()")
        conn.execute("SET lock_timeout = '100ms'")
        conn.commit()  # the client's transactions begin with a rollback
        assert client.hold(service) == "session_full"
        assert client.hold(service, START + timedelta(hours=1)) == "slot_taken"
        assert client.hold(service, START + timedelta(hours=3), rules=-1) == "stale"
        assert client.hold(service, token=b"1") == "held"  # sent again
        with pytest.raises(psycopg.errors.LockNotAvailable):
            client.hold(service, START + timedelta(hours=3))


def test_change_after_the_facts_writes_nothing(
    database: Database, new_guru: NewGuru, conn: psycopg.Connection[Any]
) -> None:
    guru = new_guru()
    client, service = Client(conn, guru), guru.services[0]
    with psycopg.connect(database.app_url) as other:
        slow = Client(other, guru)
        needs, command = hold_command(slow.seats(service, START), seats=1)
        slow.begin()
        facts = store.read_facts_on(other, needs)  # with the lock, which ends here
        other.commit()
        assert client.hold(service, seats=1) == "held"
        slow.begin()
        decision = decide(command, facts)
        query, parameters = store.statement_of(decision, facts, needs, is_locked=False) or ("", {})
        assert other.execute(query.encode(), parameters).fetchone() is not None
        other.commit()
    statuses = rows(database, "SELECT status, party FROM bookings WHERE tenant_id = %s", guru.id)
    assert (decision.refusal, statuses) == (None, [("held", 1)])


def test_hold_with_old_rules_is_stale(database: Database, new_guru: NewGuru, conn: psycopg.Connection[Any]) -> None:
    guru = new_guru()
    client = Client(conn, guru)
    version = rows(database, "SELECT rules_version FROM calendars WHERE tenant_id = %s", guru.id)[0][0]
    assert client.hold(guru.services[0], rules=version) == "held"
    client.begin()
    conn.execute("DELETE FROM weekly_hours WHERE weekday = 0")
    conn.commit()
    assert client.hold(guru.services[0], START + timedelta(days=1), rules=version) == "stale"


@pytest.mark.parametrize("why", ["past", "closed", "unknown", "suspended", "foreign", "monthly"])
def test_hold_of_unoffered_service_is_slot_gone(
    database: Database, gurus: tuple[SeededGuru, SeededGuru], new_guru: NewGuru, conn: psycopg.Connection[Any], why: str
) -> None:
    guru = new_guru(open=why != "closed")
    start, service = START, guru.services[0]
    if why == "past":
        start = clock.now() - timedelta(minutes=1)
    elif why in ("unknown", "foreign"):
        service = new_id() if why == "unknown" else gurus[1].services[0]
    else:
        change = {
            "suspended": "UPDATE gurus SET status = 'suspended' WHERE id = %s",
            "monthly": "UPDATE services SET duration_minutes = NULL, duration_label = 'Monthly' WHERE tenant_id = %s",
        }.get(why, "SELECT %s")
        with psycopg.connect(database.service_url) as service_conn:
            service_conn.execute(change.encode(), [guru.id])
    assert Client(conn, guru).hold(service, start) == "slot_gone"
    assert taken(database, guru) == []


def test_hold_limits_visitors_and_users(database: Database, new_guru: NewGuru, conn: psycopg.Connection[Any]) -> None:
    guru = new_guru(capacity=50)
    visitor = Client(conn, guru)
    service = guru.services[0]
    assert [visitor.hold(service) for _ in range(4)] == ["held", "held", "held", "address_limit"]
    assert visitor.hold(service, address=b"elsewhere", max_of_visitors=3) == "visitor_limit"
    assert visitor.hold(service, address=b"elsewhere") == "held"
    with psycopg.connect(database.service_url) as service_conn:
        user = Client(conn, guru, seed_user(service_conn))
    starts = [START + timedelta(days=number) for number in range(3)]
    assert [user.hold(service, start) for start in starts] == ["held", "held", "own_limit"]
    assert user.hold(service) == "own_limit"


@pytest.fixture
def user(database: Database) -> Callable[..., UUID]:
    """A factory of users, with or without a verified address."""

    def create(*, is_verified: bool) -> UUID:
        with psycopg.connect(database.service_url) as conn:
            user_id = seed_user(conn)
            conn.execute("UPDATE users SET email_verified = %s WHERE user_id = %s", [is_verified, user_id])
            return user_id

    return create


def test_unverified_users_of_one_address_share_its_holds(
    new_guru: NewGuru, conn: psycopg.Connection[Any], user: Callable[..., UUID]
) -> None:
    """Three new accounts once took every start of a day, two each."""
    guru = new_guru(capacity=50)
    service = guru.services[0]
    clients = [Client(conn, guru, user(is_verified=False)) for _ in range(3)]
    days = [START + timedelta(days=number) for number in range(2)]
    outcomes = [client.hold(service, day) for day in days for client in clients]
    assert outcomes == ["held"] * 3 + ["address_limit"] * 3
    assert Client(conn, guru).hold(service) == "address_limit"
    assert clients[0].hold(service, days[1], address=b"elsewhere") == "held"
    assert Client(conn, guru, user(is_verified=True)).hold(service) == "held"


def test_own_holds_are_named_before_those_of_others(
    new_guru: NewGuru, conn: psycopg.Connection[Any], user: Callable[..., UUID]
) -> None:
    """An unverified user with two holds once read that many people choose times, and to verify the address."""
    guru = new_guru(capacity=50)
    service = guru.services[0]
    client, other = (Client(conn, guru, user(is_verified=False)) for _ in range(2))
    days = [START + timedelta(days=number) for number in range(3)]
    assert [client.hold(service, day) for day in days] == ["held", "held", "own_limit"]
    assert other.hold(service, days[0]) == "held"  # the address has three
    assert client.hold(service, days[2]) == "own_limit"
    assert client.hold(service, days[0], address=b"elsewhere", max_of_visitors=1) == "own_limit"
    assert other.hold(service, days[2]) == "address_limit"
    assert other.hold(service, days[0], address=b"elsewhere", max_of_visitors=1) == "visitor_limit"


def test_unverified_users_count_as_visitors_of_the_day(
    new_guru: NewGuru, conn: psycopg.Connection[Any], user: Callable[..., UUID]
) -> None:
    guru = new_guru(capacity=50)
    service = guru.services[0]
    for address in (b"1", b"2"):
        client = Client(conn, guru, user(is_verified=False))
        assert client.hold(service, address=address, max_of_visitors=2) == "held"
    assert Client(conn, guru).hold(service, address=b"3", max_of_visitors=2) == "visitor_limit"
    verified = Client(conn, guru, user(is_verified=True))
    assert verified.hold(service, address=b"1", max_of_visitors=2) == "held"


def test_visitor_of_one_address_leaves_half_of_the_day(
    database: Database, new_guru: NewGuru, conn: psycopg.Connection[Any]
) -> None:
    """Three holds of one address once shut out all visitors. A further one takes the place of the oldest."""
    guru = new_guru()
    service = guru.services[0]
    starts = [START + timedelta(hours=2 * number) for number in range(4)]
    one, other = Client(conn, guru), Client(conn, guru)
    assert [one.hold(service, start, max_of_visitors=3) for start in starts[:3]] == ["held"] * 3
    held = "SELECT starts_at FROM bookings WHERE tenant_id = %s AND status = 'held' ORDER BY starts_at"
    assert rows(database, held, guru.id) == [(starts[2],)]
    assert other.hold(service, starts[0], address=b"elsewhere", max_of_visitors=3) == "held"
    assert other.hold(service, starts[1], address=b"a third", max_of_visitors=3) == "held"
    assert other.hold(service, starts[3], address=b"a fourth", max_of_visitors=3) == "visitor_limit"
    assert one.hold(service, starts[3], max_of_visitors=3) == "held", "it gives one up"


def test_user_books_ten_sessions_of_a_guru_an_hour(
    new_guru: NewGuru, conn: psycopg.Connection[Any], user: Callable[..., UUID]
) -> None:
    """Booking and canceling in a loop once sent the guru forty emails in sixteen seconds."""
    guru = new_guru()
    service = guru.services[0]
    client = Client(conn, guru, user(is_verified=True))
    outcomes = []
    for number in range(11):
        token = str(number).encode()
        outcomes.append(client.hold(service, token=token))
        client.release(token)
    assert outcomes == ["held"] * 10 + ["own_limit"]
    other = new_guru()
    assert Client(conn, other, client.user).hold(other.services[0]) == "held"


def test_expired_hold_frees_its_time(database: Database, new_guru: NewGuru, conn: psycopg.Connection[Any]) -> None:
    guru = new_guru()
    client = Client(conn, guru)
    assert client.hold(guru.services[0], token=b"first") == "held"
    with psycopg.connect(database.superuser_url) as superuser:
        superuser.execute(
            "UPDATE bookings SET expires_at = app.now() WHERE tenant_id = %s AND status = 'held'", [guru.id]
        )
    assert client.hold(guru.services[0], START + timedelta(minutes=30)) == "held"
    assert client.book(b"first").refusal == "hold_expired"
    assert taken(database, guru) == [(1, True), (0, False)]
    events = rows(database, "SELECT event FROM booking_events WHERE tenant_id = %s ORDER BY at, number", guru.id)
    assert sorted(event for (event,) in events) == ["expired", "held", "held"]


def test_released_hold_frees_its_time_once(
    database: Database, new_guru: NewGuru, conn: psycopg.Connection[Any]
) -> None:
    guru = new_guru()
    client = Client(conn, guru)
    assert client.hold(guru.services[0], token=b"mine") == "held"
    assert client.release(b"other") is False
    assert client.release(b"mine") is True
    assert client.release(b"mine") is False
    assert taken(database, guru) == [(0, False)]
    assert client.hold(guru.services[0]) == "held"


def test_hold_is_booked_by_one_user_only(database: Database, new_guru: NewGuru, conn: psycopg.Connection[Any]) -> None:
    guru = new_guru(capacity=2)
    with psycopg.connect(database.service_url) as service_conn:
        ada, bob = (Client(conn, guru, seed_user(service_conn)) for _ in range(2))
    visitor = Client(conn, guru)
    assert visitor.hold(guru.services[0], token=b"first") == "held"
    assert visitor.book(b"first").refusal == "hold_expired"
    assert ada.book(b"first").refusal is None
    assert bob.book(b"first").refusal == "hold_expired"
    assert bob.release(b"first") is False
    assert ada.hold(guru.services[0]) == "already_booked"
    assert visitor.hold(guru.services[0], token=b"second") == "held"
    assert ada.book(b"second").refusal == "already_booked"
    people = rows(database, "SELECT DISTINCT person_id FROM booking_events WHERE tenant_id = %s", guru.id)
    assert set(people) == {(ada.user,), (None,)}


def test_illegal_transition_is_rejected(gurus: tuple[SeededGuru, SeededGuru], database: Database) -> None:
    with psycopg.connect(database.superuser_url) as superuser:
        for status in ("requested", "held", "declined", "expired"):
            with pytest.raises(psycopg.errors.CheckViolation), superuser.transaction():
                superuser.execute("UPDATE bookings SET status = %s WHERE id = %s", [status, gurus[0].booking])


async def _race(db: AppDatabase, guru: SeededGuru, seats: WantedSeats, clients: int) -> Counter[str]:
    """Let `clients` users hold a seat of the same session at once."""
    outcomes: Counter[str] = Counter()

    async def hold(user: UUID) -> None:
        wanted = replace(seats, session_id=new_id())
        question, command = hold_command(wanted, seats=1, token=user.bytes, address=user.bytes, max_of_visitors=10**6)
        result = await store.run(db, guru.id, question, command, user_id=user)
        outcomes[result.decision.refusal or "held"] += 1

    await asyncio.gather(*(hold(new_id()) for _ in range(clients)))
    return outcomes


@pytest.fixture
async def db(database: Database) -> AsyncIterator[AppDatabase]:
    """Sixteen connections in the app role."""
    async with AppDatabase(database.app_url, writes=16) as opened:
        yield opened


@pytest.mark.parametrize("capacity", [1, 3, 12, 100])
async def test_hold_race_fills_session_exactly(
    database: Database, new_guru: NewGuru, conn: psycopg.Connection[Any], db: AppDatabase, capacity: int
) -> None:
    guru = new_guru(capacity=capacity)
    outcomes = await _race(db, guru, Client(conn, guru).seats(guru.services[0], START), 200)
    assert outcomes == {"held": capacity, "session_full": 200 - capacity}
    assert taken(database, guru) == [(capacity, True)]
