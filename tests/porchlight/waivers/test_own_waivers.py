"""The list of a user's waivers: their gurus, the sessions that they cover, and the sessions that need a new one."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import httpx
import psycopg
import pytest

from porchlight.features.waivers import queries
from tenants.kit import clock
from tests.fixtures.databases import Database
from tests.fixtures.identity import Emulator
from tests.porchlight.auth.api_client import bearer_header
from tests.porchlight.factories import SeededGuru
from tests.porchlight.waivers.api_client import WaiverUser, create_waiver_user
from tests.porchlight.waivers.sessions import book, create_guru, session_waiver

pytestmark = pytest.mark.usefixtures("app")


@pytest.fixture
async def user(web: httpx.AsyncClient, emulator: Emulator) -> WaiverUser:
    return await create_waiver_user(web, emulator)


@pytest.fixture
def guru(database: Database) -> SeededGuru:
    return create_guru(database)


async def _due(user: WaiverUser) -> list[str]:
    """Return the ids of the user's sessions that need a new waiver."""
    response = await user.web.get("/api/liability/waivers", headers=bearer_header(user.token))
    return [session["bookingId"] for session in response.json()["data"]["dueSessions"]]


async def test_waiver_names_guru_and_open_sessions(user: WaiverUser, guru: SeededGuru, database: Database) -> None:
    book(database, guru, user)
    book(database, guru, user, days_ahead=12, status="requested", expires_at=clock.now() + timedelta(days=1))
    book(database, guru, user, days_ahead=13, status="canceled")
    too_late = book(database, guru, user, days_ahead=40)
    await user.accepted(session_waiver(guru))
    await user.accepted(session_waiver(create_guru(database)))
    other, waiver = await user.waivers()
    with psycopg.connect(database.service_url) as conn:
        name = conn.execute("SELECT character FROM gurus WHERE id = %s", [guru.id]).fetchone()
    assert (waiver["guruName"],) == name
    assert (waiver["openSessions"], other["openSessions"]) == (2, 0)
    assert not waiver["isSample"]
    assert await _due(user) == [str(too_late)]


async def test_withdrawal_makes_waiver_due(user: WaiverUser, guru: SeededGuru, database: Database) -> None:
    later = book(database, guru, user, days_ahead=12)
    sooner = book(database, guru, user, days_ahead=11)
    unneeded = book(database, guru, user, days_ahead=10, waiver_level="", waiver_until=None)
    data = await user.accepted(session_waiver(guru))
    assert await _due(user) == []
    withdrawn = (await user.withdraw(data["waiverId"])).json()["data"]
    assert (withdrawn["state"], withdrawn["openSessions"]) == ("withdrawn", 0)
    assert await _due(user) == [str(sooner), str(later)]
    assert str(unneeded) not in await _due(user)


async def test_lists_say_when_they_leave_some_out(
    user: WaiverUser, guru: SeededGuru, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def more() -> dict[str, tuple[int, bool]]:
        response = await user.web.get("/api/liability/waivers", headers=bearer_header(user.token))
        data = response.json()["data"]
        names = ("waivers", "dueSessions", "contactViews")
        return {name: (len(data[name]), data[f"more{name[:1].upper()}{name[1:]}"]) for name in names}

    for days in (40, 41):
        book(database, guru, user, days_ahead=days)  # with a look at the contact
    for each in (guru, create_guru(database)):
        await user.accepted(session_waiver(each))
    names = ("waivers", "dueSessions", "contactViews")
    assert await more() == dict.fromkeys(names, (2, False))
    for limit in ("MAX_LISTED_WAIVERS", "MAX_DUE_SESSIONS", "MAX_LISTED_VIEWS"):
        monkeypatch.setattr(queries, limit, 1)
    assert await more() == dict.fromkeys(names, (1, True))


@pytest.mark.parametrize(
    "columns",
    [{"status": "canceled"}, {"days_ahead": -2, "status": "completed"}, {"days_ahead": 10, "waiver_until": "far"}],
)
async def test_session_that_needs_no_new_waiver_is_not_due(
    user: WaiverUser, guru: SeededGuru, database: Database, columns: dict[str, Any]
) -> None:
    if columns.get("waiver_until") == "far":
        columns = columns | {"waiver_until": "2126-01-01T00:00:00Z"}
    book(database, guru, user, **columns)
    assert await _due(user) == []


async def test_sessions_of_others_are_not_listed(
    user: WaiverUser, guru: SeededGuru, database: Database, web: httpx.AsyncClient, emulator: Emulator
) -> None:
    other = await create_waiver_user(web, emulator)
    booking = book(database, guru, other)
    await other.accepted(session_waiver(guru))
    await user.accepted(session_waiver(guru))
    [waiver] = await user.waivers()
    assert waiver["openSessions"] == 0
    await other.withdraw((await other.waivers())[0]["waiverId"])
    assert (await _due(other), await _due(user)) == ([str(booking)], [])


async def test_guru_names_are_those_of_own_waivers(
    user: WaiverUser, guru: SeededGuru, database: Database, web: httpx.AsyncClient, emulator: Emulator
) -> None:
    other = await create_waiver_user(web, emulator)
    await user.accepted(session_waiver(guru))
    with psycopg.connect(database.app_url) as conn:
        for user_id, count in ((user.user_id, 1), (other.user_id, 0), ("", 0)):
            conn.execute("SELECT set_config('app.user_id', %s, true)", [user_id])
            assert len(conn.execute("SELECT FROM own_waiver_gurus").fetchall()) == count
