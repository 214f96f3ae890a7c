"""The session behind a waitlist, as someone who waits or could wait sees it."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import httpx
import psycopg

from tenants.kit.ids import new_id
from tests.fixtures.databases import Database
from tests.fixtures.refusals import invalid_fields, refusal
from tests.porchlight.angels.users import ApiUser
from tests.porchlight.app_client import wait_until
from tests.porchlight.bookings.api import CreateUser, NewGuru, book, execute, free_starts, post_booking
from tests.porchlight.bookings.waitlists import cancel, end_offers, full_session, join, open_offer, post_entry
from tests.porchlight.factories import SeededGuru

UNKNOWN = (404, "not_found")


async def find(user: ApiUser, guru: SeededGuru, start: str) -> httpx.Response:
    query = {"guru": guru.label, "serviceId": str(guru.services[0]), "startsAt": start}
    return await user.request("GET", "/api/waitlist/sessions", params=query)


async def found(user: ApiUser, guru: SeededGuru, start: str) -> dict[str, Any]:
    response = await find(user, guru, start)
    assert response.status_code == 200, response.text
    data: dict[str, Any] = response.json()["data"]
    assert data["entry"] is None or data == await user.get(f"/api/waitlist/sessions/{data['id']}")
    return data


async def test_session_shows_the_users_part_in_it(
    web: httpx.AsyncClient, create_user: CreateUser, new_guru: NewGuru, database: Database
) -> None:
    guru = new_guru(capacity=2, party_max=2, place="online")
    start, seated = await full_session(web, create_user, guru)
    user = await create_user("Looking Lou")
    session = await found(user, guru, start)
    ends_at = datetime.fromisoformat(session.pop("endsAt"))
    assert ends_at == datetime.fromisoformat(start) + timedelta(hours=1)
    assert session == {
        "id": session["id"], "guruLabel": guru.label, "guruName": f"Guru {guru.mark}",
        "serviceId": str(guru.services[0]), "serviceName": "Lesson", "startsAt": start, "zone": "America/Denver",
        "place": "online", "priceCents": 4501, "currency": "USD", "partyMax": 2, "seats": 0, "entry": None,
        "bookingId": None, "offerEnded": False,
    }  # fmt: skip
    entry = await join(user, guru, start)
    assert (await found(user, guru, start))["entry"] == entry
    await cancel(*seated[0])
    assert (await found(user, guru, start))["entry"]["status"] == "offered"
    execute(database, "UPDATE bookings SET expires_at = app.now() WHERE tenant_id = %s AND status = 'held'", guru.id)
    for _ in range(2):  # before and after the offer is settled
        ended = await found(user, guru, start)
        assert (ended["entry"], ended["offerEnded"]) == (None, True)
        end_offers(database, guru)
    assert (await found(user, guru, start))["seats"] == 1
    assert (await found(seated[1][0], guru, start))["bookingId"] == seated[1][1]["id"]


async def test_booked_offer_shows_booking(web: httpx.AsyncClient, create_user: CreateUser, new_guru: NewGuru) -> None:
    guru = new_guru(capacity=2)
    start, seated = await full_session(web, create_user, guru)
    user = await create_user("Booked Bo")
    entry = await join(user, guru, start)
    await cancel(*seated[0])
    booked = await post_booking(user, (await open_offer(user, entry)).json()["data"]["token"])
    session = await user.get(f"/api/waitlist/sessions/{entry['id']}")
    assert (session["bookingId"], session["entry"], session["offerEnded"]) == (
        booked.json()["data"]["id"], None, False,
    )  # fmt: skip


async def test_session_without_waitlist_is_unknown(
    web: httpx.AsyncClient, create_user: CreateUser, new_guru: NewGuru, database: Database
) -> None:
    group, single = new_guru(capacity=2), new_guru()
    user = await create_user("Curious Cy")
    starts = await free_starts(web, single)
    booked = await book(user, single, starts[-1])
    assert refusal(await find(user, single, booked["startsAt"])) == UNKNOWN
    assert refusal(await find(user, group, starts[-1])) == UNKNOWN
    start, _ = await full_session(web, create_user, group)
    session = await found(user, group, start)
    assert refusal(await find(user, single, start)) == UNKNOWN
    # Only those who wait or waited find a session by its id.
    for unknown in (session["id"], str(new_id()), "x"):
        assert refusal(await user.request("GET", f"/api/waitlist/sessions/{unknown}")) == UNKNOWN
    execute(database, "UPDATE appointments SET live = false WHERE tenant_id = %s", group.id)
    assert refusal(await find(user, group, start)) == UNKNOWN
    query = {"guru": group.label, "serviceId": str(group.services[0]), "startsAt": "soon"}
    assert list(invalid_fields(await user.request("GET", "/api/waitlist/sessions", params=query))) == ["startsAt"]
    assert set(invalid_fields(await user.request("GET", "/api/waitlist/sessions"))) == set(query)


async def test_waitlist_of_suspended_guru_is_closed(
    web: httpx.AsyncClient, create_user: CreateUser, new_guru: NewGuru, database: Database
) -> None:
    guru = new_guru(capacity=2)
    start, _ = await full_session(web, create_user, guru)
    user = await create_user("Patient Pat")
    assert (await find(user, guru, start)).status_code == 200
    execute(database, "UPDATE gurus SET status = 'suspended' WHERE id = %s", guru.id)

    async def is_known() -> bool:
        return (await find(user, guru, start)).status_code == 410

    await wait_until("the app is notified of the suspension", is_known)
    for response in (await find(user, guru, start), await post_entry(user, guru, start)):
        assert refusal(response) == (410, "site_suspended")
    with psycopg.connect(database.service_url) as conn:
        assert conn.execute("SELECT FROM waitlist WHERE tenant_id = %s", [guru.id]).fetchall() == []
