"""The free times of many gurus in one read, compared with the reads of one guru, and its isolation and cost."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator
from datetime import date, datetime, timedelta
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

import psycopg
import pytest
from psycopg.types.range import Range

from sites.hours.cache import FreeStartsCache
from sites.hours.first_starts import COLUMNS, first_starts, parse_open_times
from sites.hours.queries import service_times
from sites.hours.session_schedule import MAX_DAYS
from tenants.db.pool import Database as Pool
from tenants.kit import clock
from tenants.kit.errors import NotFound
from tenants.kit.ids import new_id
from tests.fixtures.databases import Database
from tests.porchlight.factories import insert_row

GURUS = 60
DAYS = 3
ZONES = ("America/Denver", "Pacific/Auckland", "Europe/Berlin", "UTC")
CALL = f"""SELECT t.guru_id, {COLUMNS}
             FROM app.teaching_times(%(gurus)s::uuid[], %(service)s::uuid, %(now)s, %(days)s, %(most)s) t"""
MAIN_SERVICE = """
SELECT s.id FROM booking_settings b JOIN services s ON s.tenant_id = b.tenant_id AND s.id = b.service_id
 WHERE b.tenant_id = %(guru)s AND b.open AND NOT s.over_limit AND s.duration_minutes IS NOT NULL
   AND (%(service)s::uuid IS NULL OR s.id = %(service)s)
 ORDER BY s.popular DESC, s.position, s.id LIMIT 1"""
FLAG = "SELECT enabled FROM guru_flags WHERE tenant_id = %(guru)s AND name = 'booking'"


@pytest.fixture(scope="module")
def gurus(database: Database) -> list[UUID]:
    """Gurus with random calendars, services, hours and sessions."""
    source = random.Random(31)
    with psycopg.connect(database.superuser_url) as conn:
        conn.execute("SET session_replication_role = replica")  # the triggers would count seats of bookings
        return [_create_guru(conn, source, number) for number in range(GURUS)]


@pytest.fixture
async def pool(database: Database) -> AsyncIterator[Pool]:
    """Connections of the role of requests."""
    async with Pool(database.app_url) as created:
        yield created


def _create_guru(conn: psycopg.Connection[Any], source: random.Random, number: int) -> UUID:
    guru = new_id()
    row: dict[str, Any] = {"label": f"times-{number}", "character": "Guru", "category": "Creative"}
    insert_row(conn, "gurus", row | {"id": guru})
    if source.random() < 0.9:
        paused = clock.now() + timedelta(days=source.randrange(-3, 20)) if source.random() < 0.3 else None
        calendar: dict[str, Any] = {
            "step_minutes": source.choice((15, 30, 60)),
            "notice_minutes": source.choice((0, 720, 2880)),
        }
        calendar |= {"horizon_days": source.choice((1, 7, 60, 120)), "day_max": source.choice((None, 1, 3))}
        calendar |= {"zone": source.choice(ZONES), "paused_until": paused}
        insert_row(conn, "calendars", calendar | {"tenant_id": guru})
    if source.random() < 0.2:
        category: dict[str, Any] = {"slug": "creative", "name": "Creative", "needs_documents": False}
        insert_row(conn, "guru_categories", category | {"tenant_id": guru, "listed": source.random() < 0.5})
    if source.random() < 0.3:
        flag: dict[str, Any] = {"name": "booking", "enabled": source.random() < 0.5}
        insert_row(conn, "guru_flags", flag | {"tenant_id": guru})
    services = [_create_service(conn, source, guru, position) for position in range(source.randrange(4))]
    for weekday in range(7):
        if source.random() < 0.4:
            start = source.randrange(0, 20) * 60
            during = Range(start, min(1440, start + source.choice((60, 240, 600))))
            insert_row(conn, "weekly_hours", {"tenant_id": guru, "weekday": weekday, "during": during})
    for days in source.sample(range(-1, 70), 6):
        during = Range(empty=True) if source.random() < 0.5 else Range(600, 960)
        day = clock.now().date() + timedelta(days=days)
        insert_row(conn, "date_hours", {"tenant_id": guru, "day": day, "during": during})
    for hours in source.sample(range(-24, 65 * 24, 2), source.choice((0, 9, 200))):
        _create_session(conn, source, guru, services, hours)
    return guru


def _create_service(conn: psycopg.Connection[Any], source: random.Random, guru: UUID, position: int) -> UUID:
    service = new_id()
    row: dict[str, Any] = {
        "name": f"Lesson {position}",
        "price_cents": 100 * source.randrange(90),
        "popular": source.random() < 0.3,
    }
    minutes = source.choice((30, 60, 120, None))
    row |= {"duration_minutes": minutes, "duration_label": "" if minutes else "A day"}
    row |= {"over_limit": source.random() < 0.1}
    insert_row(conn, "services", row | {"tenant_id": guru, "id": service, "position": position})
    settings: dict[str, Any] = {
        "open": source.random() < 0.8,
        "setup_minutes": source.choice((0, 15)),
        "capacity": 3,
        "party_max": 2,
    }
    settings |= {"starts": source.choice(("hours", "fixed")), "place": source.choice(("guru", "online"))}
    insert_row(conn, "booking_settings", settings | {"tenant_id": guru, "service_id": service})
    return service


def _create_session(
    conn: psycopg.Connection[Any], source: random.Random, guru: UUID, services: list[UUID], hours: int
) -> None:
    starts_at = clock.now().replace(minute=0, second=0, microsecond=0) + timedelta(hours=hours)
    service = source.choice([*services, None])
    taken = source.choice((0, 1, 3)) if service else 0
    times = {"starts_at": starts_at, "ends_at": starts_at + timedelta(hours=1), "zone": "UTC"}
    row: dict[str, Any] = {
        "tenant_id": guru,
        "id": new_id(),
        "service_id": service,
        "kind": "session" if service else "block",
    }
    row |= {"capacity": 3, "taken": taken, "live": source.random() < 0.9, "fixed": service is not None}
    row |= {"waiting": int(taken == 1 and source.random() < 0.3)}
    insert_row(conn, "appointments", row | times | {"blocked": Range(starts_at, starts_at + timedelta(hours=1))})


async def _alone(pool: Pool, guru: UUID, wanted: UUID | None) -> tuple[UUID, list[datetime]] | None:
    """Return a guru's service and first starts by the reads of one guru, or None."""
    params = {"guru": guru, "service": wanted}
    service = await pool.read_value(UUID, guru, MAIN_SERVICE, params)
    if service is None or await pool.read(guru, FLAG, params) == [(False,)]:
        return None
    try:
        times = await service_times(pool, FreeStartsCache(), guru, service, None, MAX_DAYS)
    except NotFound:
        return None
    zone = ZoneInfo(times.rules.calendar.zone)
    firsts: dict[date, datetime] = {}
    for start in times.starts:
        firsts.setdefault(start.starts_at.astimezone(zone).date(), start.starts_at)
    return service, list(firsts.values())[:DAYS]


async def _together(
    pool: Pool, gurus: list[UUID], wanted: UUID | None, most: int
) -> dict[UUID, tuple[UUID, list[datetime]]]:
    """Return the services and first starts of the gurus that one read finds."""
    now = clock.now()
    params = {"gurus": gurus, "service": wanted, "now": now, "days": MAX_DAYS, "most": most}
    found = {}
    for guru, *row in await pool.read(None, CALL, params):
        times = parse_open_times(row)
        assert times is not None
        found[guru] = (times.service.id, first_starts(times, now, DAYS))
    return found


async def test_times_of_many_gurus_equal_those_of_each(
    pool: Pool, gurus: list[UUID], monkeypatch: pytest.MonkeyPatch
) -> None:
    now = clock.now()
    monkeypatch.setattr(clock, "now", lambda: now)
    alone = {guru: await _alone(pool, guru, None) for guru in gurus}
    bookable = [guru for guru in gurus if alone[guru]]
    found = await _together(pool, gurus, None, GURUS)
    assert found == {guru: alone[guru] for guru in bookable}
    assert list(await _together(pool, gurus, None, 5)) == bookable[:5]
    assert 9 < len(bookable) < GURUS
    assert len({len(starts) for _, starts in found.values()}) > 2


async def test_times_of_wanted_service_are_of_its_guru(
    pool: Pool, gurus: list[UUID], database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = clock.now()
    monkeypatch.setattr(clock, "now", lambda: now)
    with psycopg.connect(database.service_url) as conn:
        services = conn.execute("SELECT tenant_id, id FROM services").fetchall()
    for owner, service in services:
        expected = await _alone(pool, owner, service)
        assert await _together(pool, gurus, service, GURUS) == ({owner: expected} if expected else {})
    assert len(services) > 9


async def test_times_leave_tenant_of_transaction(pool: Pool, gurus: list[UUID]) -> None:
    params = {"gurus": gurus, "service": None, "now": clock.now(), "days": MAX_DAYS, "most": GURUS}
    query = f"SELECT count(*), current_setting('app.tenant_id') FROM ({CALL}) found"
    for tenant in (None, gurus[3]):
        ((count, setting),) = await pool.read(tenant, query, params)
        assert count > 0
        assert setting == str(tenant or "")


def test_times_need_tenant_for_each_row(database: Database, gurus: list[UUID]) -> None:
    with psycopg.connect(database.app_url) as conn:
        params = {"gurus": gurus, "service": None, "now": clock.now(), "days": MAX_DAYS, "most": GURUS}
        found = conn.execute(CALL.encode(), params).fetchall()
        for table in ("calendars", "appointments", "services", "weekly_hours"):
            assert conn.execute(f"SELECT count(*) FROM {table}".encode()).fetchone() == (0,)
    own = {(row[0], row[12]) for row in found}
    with psycopg.connect(database.service_url) as conn:
        assert own <= set(conn.execute("SELECT tenant_id, id FROM services").fetchall())
    for guru, *_rest, appointments in found:
        with psycopg.connect(database.service_url) as conn:
            services = {str(row[0]) for row in conn.execute("SELECT id FROM services WHERE tenant_id = %s", [guru])}
        assert {row[0] for row in appointments if row[0]} <= services
