"""The waivers of open bookings: accepted again, withdrawn, and ended by a material text."""

from __future__ import annotations

import asyncio
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import httpx
import psycopg
import pytest

from porchlight.features.waivers import queries, texts
from porchlight.features.waivers.retention import end_outdated_waivers
from porchlight.features.waivers.texts import oldest_valid_version
from tenants.db.pool import Database as Pool
from tenants.db.unit_of_work import unit_of_work
from tenants.kit import clock
from tests.fixtures.databases import Database
from tests.fixtures.identity import Emulator
from tests.porchlight.factories import SeededGuru
from tests.porchlight.waivers.api_client import SIGNATURE, WaiverUser, create_waiver_user
from tests.porchlight.waivers.sessions import book, create_guru, session_waiver, waiver_of

pytestmark = pytest.mark.usefixtures("app")


@pytest.fixture
async def user(web: httpx.AsyncClient, emulator: Emulator) -> WaiverUser:
    return await create_waiver_user(web, emulator)


@pytest.fixture
def guru(database: Database) -> SeededGuru:
    return create_guru(database)


def is_over(moment: datetime) -> bool:
    return moment <= clock.now()


async def test_new_waiver_extends_open_bookings(user: WaiverUser, guru: SeededGuru, database: Database) -> None:
    open_booking = book(database, guru, user)
    unneeded = book(database, guru, user, days_ahead=11, waiver_level="", waiver_until=None)
    riskier = book(database, guru, user, days_ahead=12, waiver_level="extreme")
    canceled = book(database, guru, user, days_ahead=13, status="canceled")
    past = book(database, guru, user, days_ahead=-2)
    kept = {booking: waiver_of(database, booking) for booking in (unneeded, riskier, canceled, past)}
    data = await user.accepted(session_waiver(guru))
    waiver_id, until = waiver_of(database, open_booking)
    assert (waiver_id, until) == (data["waiverId"], datetime.fromisoformat(data["expiresAt"]))
    assert {booking: waiver_of(database, booking)[0] for booking in kept} == {
        booking: waiver_id for booking, (waiver_id, _) in kept.items()
    }


async def test_waiver_of_other_exchange_changes_no_booking(
    user: WaiverUser, guru: SeededGuru, database: Database
) -> None:
    booking = book(database, guru, user)
    before = waiver_of(database, booking)
    await user.accepted(session_waiver(guru, exchangeId="sample-judo"))
    await user.accepted(session_waiver(guru, exchangeId=f"{guru.label}/{guru.services[1]}"))
    other = create_guru(database)
    await user.accepted(session_waiver(other))
    assert waiver_of(database, booking) == before


async def test_withdrawal_leaves_the_longest_other_waiver(
    user: WaiverUser, guru: SeededGuru, database: Database
) -> None:
    booking = book(database, guru, user)
    first = await user.accepted(session_waiver(guru))
    second = await user.accepted(session_waiver(guru, riskLevel="extreme"))
    assert waiver_of(database, booking)[0] in (first["waiverId"], second["waiverId"])
    await user.withdraw(waiver_of(database, booking)[0])
    remaining, until = waiver_of(database, booking)
    assert not is_over(until)
    assert remaining in {waiver["waiverId"] for waiver in await user.waivers() if waiver["state"] == "valid"}
    await user.withdraw(remaining)
    assert is_over(waiver_of(database, booking)[1])


async def test_unsigned_waiver_does_not_replace_a_signed_one(
    user: WaiverUser, guru: SeededGuru, database: Database
) -> None:
    booking = book(database, guru, user)
    signed = await user.accepted(session_waiver(guru, signature=SIGNATURE))
    assert waiver_of(database, booking)[0] == signed["waiverId"]
    unsigned = await user.accepted(session_waiver(guru))
    await user.withdraw(signed["waiverId"])
    assert waiver_of(database, booking)[0] == signed["waiverId"]
    assert is_over(waiver_of(database, booking)[1])
    again = await user.accepted(session_waiver(guru, signature=SIGNATURE))
    assert waiver_of(database, booking)[0] == again["waiverId"] != unsigned["waiverId"]


async def test_withdrawal_waits_for_a_booking_that_uses_it(
    user: WaiverUser, guru: SeededGuru, database: Database
) -> None:
    data = await user.accepted(session_waiver(guru))
    with (
        psycopg.connect(database.service_url) as booking_conn,
        psycopg.connect(database.superuser_url, autocommit=True) as monitor,
    ):
        booking_conn.execute("DELETE FROM participants WHERE booking_id = %s", [guru.booking])
        booking_conn.execute("SELECT 1 FROM calendars WHERE tenant_id = %s FOR NO KEY UPDATE", [guru.id])
        withdrawal = asyncio.create_task(user.withdraw(data["waiverId"]))
        waiting = "SELECT count(*) FROM pg_locks WHERE NOT granted"
        while not withdrawal.done() and monitor.execute(waiting).fetchone() == (0,):
            await asyncio.sleep(0)
        assert not withdrawal.done()
        change = (
            "UPDATE bookings SET person_id = %s, waiver_level = 'high', waiver_id = %s, waiver_until = %s WHERE id = %s"
        )
        until = datetime.fromisoformat(data["expiresAt"])
        booking_conn.execute(change, [UUID(user.user_id), UUID(data["waiverId"]), until, guru.booking])
    assert (await withdrawal).status_code == 200
    assert guru.booking
    assert is_over(waiver_of(database, guru.booking)[1])


async def test_material_text_ends_older_waivers(
    user: WaiverUser, guru: SeededGuru, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    booking = book(database, guru, user)
    await user.accepted(session_waiver(guru))

    async def found() -> Any:
        async with Pool(database.app_url) as pool, unit_of_work(pool, user_id=UUID(user.user_id)) as session:
            return await queries.service_waiver(
                session, UUID(user.user_id), guru_id=guru.id, service_id=guru.services[0], level="high", signed=False
            )

    assert await found()
    monkeypatch.setattr(texts, "MATERIAL_VERSIONS", frozenset({("high", 2), ("low", 3)}))
    assert (oldest_valid_version("high"), oldest_valid_version("medium")) == (2, 1)
    assert await found() is None  # at once, before the job
    assert [waiver["state"] for waiver in await user.waivers()] == ["outdated"]
    assert not is_over(waiver_of(database, booking)[1])
    with psycopg.connect(database.service_url) as conn:
        end_outdated_waivers(conn)
    assert is_over(waiver_of(database, booking)[1])
    monkeypatch.undo()
    assert await found() is None


async def test_waiver_stays_valid_with_a_text_that_is_not_material(
    user: WaiverUser, guru: SeededGuru, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(texts, "MATERIAL_VERSIONS", frozenset({("medium", 2), ("high", 1)}))
    await user.accepted(session_waiver(guru))
    with psycopg.connect(database.service_url) as conn:
        end_outdated_waivers(conn)
    [waiver] = await user.waivers()
    assert (waiver["state"], waiver["endedAt"]) == ("valid", None)
    assert datetime.fromisoformat(waiver["expiresAt"]) - clock.now() > timedelta(days=29)
