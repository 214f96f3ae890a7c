"""Waitlists of full sessions: places, offers of free seats, and their strict order."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import datetime, timedelta

import httpx
import psycopg
import pytest

from porchlight.features.bookings import commands, store
from porchlight.features.bookings.expiry import add_waking_time
from tenants.kit import clock
from tenants.kit.ids import new_id
from tests.fixtures.databases import Database
from tests.fixtures.identity import PROJECT, CertificateServer
from tests.porchlight.app_client import BASE_HOST, http_client, run_app
from tests.porchlight.bookings.api import CreateUser, NewGuru, book, code, execute, free_starts, post_booking, post_hold
from tests.porchlight.bookings.waitlists import cancel, end_offers, entries, full_session, join, open_offer, post_entry


async def test_free_spot_is_offered_and_booked(
    web: httpx.AsyncClient, create_user: CreateUser, new_guru: NewGuru
) -> None:
    guru = new_guru(capacity=2, party_max=2)
    start, seated = await full_session(web, create_user, guru)
    ada, bob = await create_user("Waiting Ada"), await create_user("Waiting Bob")
    entry = await join(ada, guru, start)
    assert (entry["status"], entry["position"], entry["offeredUntil"]) == ("waiting", 1, None)
    assert (entry["serviceName"], entry["startsAt"], entry["guruLabel"]) == ("Lesson", start, guru.label)
    assert (await join(bob, guru, start))["position"] == 2
    assert code(await open_offer(ada, entry)) == "hold_expired"

    await cancel(*seated[0])
    (offer,) = (await ada.get("/api/waitlist"))["entries"]
    wait = datetime.fromisoformat(offer["offeredUntil"]) - clock.now()
    assert (offer["status"], offer["position"]) == ("offered", None)
    assert timedelta(minutes=119) < wait <= timedelta(hours=12)  # the night is no part of the two hours
    assert await entries(bob) == [("waiting", 1)]
    assert start not in await free_starts(web, guru)
    assert code(await post_hold(web, guru, start)) == "session_full"

    opened = [(await open_offer(ada, entry)).json()["data"] for _ in range(2)]
    assert opened[0] == opened[1] == {"token": opened[0]["token"], "expiresAt": offer["offeredUntil"]}
    assert (await ada.get(f"/api/holds/{opened[0]['token']}"))["isOffer"] is True
    booked = await post_booking(ada, opened[0]["token"])
    assert booked.status_code == 201, booked.text
    assert (await entries(ada), await entries(bob)) == ([], [("waiting", 1)])


async def test_lapsed_offers_go_on_in_order(
    web: httpx.AsyncClient, create_user: CreateUser, new_guru: NewGuru, database: Database
) -> None:
    guru = new_guru(capacity=2, party_max=2)
    start, seated = await full_session(web, create_user, guru)
    first, large, third = [await create_user(f"Ordered {number}") for number in range(3)]
    places = [await join(first, guru, start), await join(large, guru, start, 2), await join(third, guru, start)]
    await cancel(*seated[0])
    assert [await entries(user) for user in (first, large, third)] == [
        [("offered", None)],
        [("waiting", 1)],
        [("waiting", 2)],
    ]
    end_offers(database, guru)
    assert [await entries(user) for user in (first, large, third)] == [[], [("waiting", 1)], [("offered", None)]]
    assert code(await open_offer(first, places[0])) == "hold_expired"
    end_offers(database, guru)
    assert [await entries(user) for user in (first, large, third)] == [[], [("waiting", 1)], []]
    await cancel(*seated[1])
    assert await entries(large) == [("offered", None)]
    response = await large.request("DELETE", f"/api/waitlist/{places[1]['id']}")
    assert response.status_code == 200
    assert await entries(large) == []
    assert start in await free_starts(web, guru)


async def test_place_on_waitlist_is_kept_and_left(
    web: httpx.AsyncClient, create_user: CreateUser, new_guru: NewGuru
) -> None:
    guru = new_guru(capacity=2)
    start, _ = await full_session(web, create_user, guru)
    ada, bob = await create_user("Keeping Ada"), await create_user("Keeping Bob")
    entry = await join(ada, guru, start)
    await join(bob, guru, start)
    assert await join(ada, guru, start) == entry
    for _ in range(2):
        assert (await ada.request("DELETE", f"/api/waitlist/{entry['id']}")).status_code == 200
    assert (await entries(ada), await entries(bob)) == ([], [("waiting", 1)])
    assert (await join(ada, guru, start))["position"] == 2


async def test_joining_without_need_is_rejected(
    web: httpx.AsyncClient, create_user: CreateUser, new_guru: NewGuru
) -> None:
    guru, single = new_guru(capacity=2, party_max=2), new_guru()
    start, seated = await full_session(web, create_user, guru, people=1)
    user = await create_user("Hal Alvarez")
    response = await post_entry(user, guru, start)
    assert (code(response), response.json()["error"]["message"]) == (
        "session_has_spots",
        "This session has free spots. You can book it now.",
    )
    other = (await free_starts(web, guru))[-30]
    assert code(await post_entry(user, guru, other)) == "session_has_spots"
    assert code(await post_entry(user, guru, "2020-01-01T10:00:00Z")) == "slot_gone"
    assert code(await post_entry(user, guru, start, 3)) == "party_too_large"
    assert code(await post_entry(seated[0][0], guru, start, 2)) == "already_booked"
    taken = (await free_starts(web, single))[-1]
    await book(user, single, taken)
    assert code(await post_entry(seated[0][0], single, taken)) == "slot_taken"
    unknown = {"guru": "nosuchguru", "serviceId": str(new_id()), "startsAt": start, "party": 1}
    assert (await user.request("POST", "/api/waitlist", json=unknown)).status_code == 404


@pytest.mark.parametrize("scope", ["global", "guru"])
async def test_joining_while_booking_is_off_is_404(
    web: httpx.AsyncClient,
    create_user: CreateUser,
    new_guru: NewGuru,
    database: Database,
    certificates: CertificateServer,
    scope: str,
) -> None:
    guru = new_guru(capacity=2)
    start, _ = await full_session(web, create_user, guru)
    user = await create_user("Early Elle")
    if scope == "guru":
        execute(database, "INSERT INTO guru_flags (tenant_id, name, enabled) VALUES (%s, 'booking', false)", guru.id)
    else:
        execute(database, "INSERT INTO flag_settings (name, enabled) VALUES ('booking', false)")
    try:
        settings = {"firebase_project_id": PROJECT, "firebase_certs_url": certificates.url}
        async with run_app(database, **settings) as app, http_client(app, BASE_HOST) as client:
            there = replace(user, web=client)
            assert code(await post_entry(there, guru, start)) == "not_found"
            query = {"guru": guru.label, "serviceId": str(guru.services[0]), "startsAt": start}
            found = await there.request("GET", "/api/waitlist/sessions", params=query)
            assert code(found) == "not_found"
    finally:
        execute(database, "DELETE FROM flag_settings")
        execute(database, "DELETE FROM guru_flags")
    assert await entries(user) == []
    assert (await join(user, guru, start))["position"] == 1


@pytest.mark.parametrize("is_on", [True, False])
async def test_spots_are_offered_only_while_booking_is_on(
    web: httpx.AsyncClient, create_user: CreateUser, new_guru: NewGuru, database: Database, is_on: bool
) -> None:
    guru = new_guru(capacity=2)
    start, seated = await full_session(web, create_user, guru)
    user = await create_user("Offered Olu")
    await join(user, guru, start)
    execute(database, "INSERT INTO guru_flags (tenant_id, name, enabled) VALUES (%s, 'booking', %s)", guru.id, is_on)
    try:
        await cancel(*seated[0])
        assert await entries(user) == ([("offered", None)] if is_on else [("waiting", 1)])
    finally:
        execute(database, "DELETE FROM guru_flags")


async def test_party_that_fits_free_seats_is_offered_them(
    web: httpx.AsyncClient, create_user: CreateUser, new_guru: NewGuru
) -> None:
    guru = new_guru(capacity=2, party_max=2)
    start, _ = await full_session(web, create_user, guru, people=1)
    large, small = await create_user("Large Lou"), await create_user("Small Sam")
    assert (await join(large, guru, start, 2))["status"] == "waiting"
    assert code(await post_hold(small, guru, start)) == "session_full"
    assert (await join(small, guru, start))["status"] == "offered"


@pytest.mark.parametrize("way", ["move", "capacity"])
async def test_seats_freed_otherwise_are_offered(
    web: httpx.AsyncClient, create_user: CreateUser, new_guru: NewGuru, database: Database, way: str
) -> None:
    guru = new_guru(capacity=2)
    start, seated = await full_session(web, create_user, guru)
    waiting = await create_user("Patient Pam")
    await join(waiting, guru, start)
    if way == "move":
        user, booked = seated[0]
        target = (await free_starts(web, guru))[-30]
        body = {"startsAt": target, "termsDigest": booked["terms"]["digest"]}
        assert (await user.request("POST", f"/api/bookings/{booked['id']}/move", json=body)).status_code == 200
    else:
        execute(database, "UPDATE appointments SET capacity = 3 WHERE tenant_id = %s", guru.id)
        end_offers(database, guru)
    assert await entries(waiting) == [("offered", None)]


@pytest.mark.parametrize(
    ("minutes", "notice", "approval", "expected"),
    [
        (150, 0, "instant", 90),
        (70, 0, "instant", 15),
        (14, 0, "instant", None),
        (150, 180, "instant", None),
        (44, 0, "request", None),
        (70, 0, "request", 15),
    ],
)
async def test_offer_ends_an_hour_before_the_start(
    web: httpx.AsyncClient,
    create_user: CreateUser,
    new_guru: NewGuru,
    database: Database,
    minutes: int,
    notice: int,
    approval: str,
    expected: int | None,
) -> None:
    guru = new_guru(capacity=2, approval=approval)
    execute(database, "UPDATE calendars SET notice_minutes = %s WHERE tenant_id = %s", notice, guru.id)
    start, seated = await full_session(web, create_user, guru)
    waiting = await create_user("Late Lee")
    await join(waiting, guru, start)
    for table, columns in (
        ("appointments", "local_start = NULL, blocked = tstzrange(m, m + interval '1 hour'),"),
        ("waitlist", ""),
    ):
        execute(
            database,
            f"UPDATE {table} SET {columns} starts_at = m, ends_at = m + interval '1 hour'"
            " FROM (SELECT app.now() + %s * interval '1 minute' AS m) n WHERE tenant_id = %s",
            minutes, guru.id,
        )  # fmt: skip
    await cancel(*seated[0])
    found = (await waiting.get("/api/waitlist"))["entries"]
    if expected is None:
        assert [entry["status"] for entry in found] == ["waiting"]
    else:
        wait = datetime.fromisoformat(found[0]["offeredUntil"]) - clock.now()
        assert timedelta(minutes=expected - 1) < wait <= timedelta(minutes=expected)


@pytest.mark.parametrize(
    ("local", "expected"),
    [
        ("2027-01-13 07:59", "2027-01-13 10:00"),
        ("2027-01-13 08:00", "2027-01-13 10:00"),
        ("2027-01-13 20:00", "2027-01-13 22:00"),
        ("2027-01-13 21:30", "2027-01-14 09:30"),
        ("2027-01-13 22:00", "2027-01-14 10:00"),
        ("2027-01-14 02:15", "2027-01-14 10:00"),
    ],
)
def test_offer_does_not_run_out_in_the_night(local: str, expected: str) -> None:
    until = add_waking_time(datetime.fromisoformat(local), timedelta(hours=2))
    assert until == datetime.fromisoformat(expected)


async def test_ended_session_offers_nothing(
    web: httpx.AsyncClient, create_user: CreateUser, new_guru: NewGuru, database: Database
) -> None:
    guru = new_guru(capacity=2)
    start, _ = await full_session(web, create_user, guru)
    waiting = await create_user("Hopeful Hana")
    await join(waiting, guru, start)
    with psycopg.connect(database.service_url) as conn:
        row = conn.execute("SELECT id FROM appointments WHERE tenant_id = %s AND live", [guru.id]).fetchone()
        assert row is not None
        conn.execute("SELECT set_config('app.tenant_id', %s, true)", [str(guru.id)])
        store.run_on(conn, store.FactsQuery(appointment=row[0]), commands.CancelSession(session_id=row[0]))
    assert await entries(waiting) == []


async def test_place_of_other_user_is_unknown(
    web: httpx.AsyncClient, create_user: CreateUser, new_guru: NewGuru
) -> None:
    guru = new_guru(capacity=2)
    start, seated = await full_session(web, create_user, guru)
    owner, other = await create_user("Own Oda"), await create_user("Nosy Noa")
    entry = await join(owner, guru, start)
    await cancel(*seated[0])
    for session_id in (entry["id"], str(new_id()), "x"):
        assert (await other.request("DELETE", f"/api/waitlist/{session_id}")).status_code == 404
        assert (await other.request("POST", f"/api/waitlist/{session_id}/hold")).status_code == 404
    assert (await other.get("/api/waitlist"))["entries"] == []
    assert await entries(owner) == [("offered", None)]


async def test_two_seats_freed_at_once_go_to_the_first_two(
    web: httpx.AsyncClient, create_user: CreateUser, new_guru: NewGuru, database: Database
) -> None:
    guru = new_guru(capacity=3)
    start, seated = await full_session(web, create_user, guru, people=3)
    waiting = [await create_user(f"Waiter {number}") for number in range(4)]
    for user in waiting:
        await join(user, guru, start)
    visitors = [post_hold(web, guru, start) for _ in range(4)]
    results = await asyncio.gather(cancel(*seated[0]), cancel(*seated[1]), *visitors)
    assert {code(response) for response in results[2:] if response is not None} == {"session_full"}
    assert [await entries(user) for user in waiting] == [
        [("offered", None)],
        [("offered", None)],
        [("waiting", 1)],
        [("waiting", 2)],
    ]
    with psycopg.connect(database.superuser_url) as conn:
        query = "SELECT taken, waiting FROM appointments WHERE tenant_id = %s AND live"
        assert conn.execute(query, [guru.id]).fetchall() == [(3, 2)]


async def test_users_waiting_at_once_get_different_places(
    web: httpx.AsyncClient, create_user: CreateUser, new_guru: NewGuru, database: Database
) -> None:
    guru = new_guru(capacity=2)
    start, _ = await full_session(web, create_user, guru)
    users = [await create_user(f"Crowd {number}") for number in range(8)]
    responses = await asyncio.gather(*(post_entry(user, guru, start) for user in users + users))
    assert {response.status_code for response in responses} == {201}
    positions = [(await entries(user))[0][1] for user in users]
    assert sorted(positions, key=lambda position: position or 0) == list(range(1, 9))


async def test_offers_do_not_count_as_holds(web: httpx.AsyncClient, create_user: CreateUser, new_guru: NewGuru) -> None:
    guru = new_guru(capacity=2)
    start, seated = await full_session(web, create_user, guru)
    user = await create_user("Busy Bea")
    entry = await join(user, guru, start)
    offered = await free_starts(web, guru)
    for other in (offered[-30], offered[-20]):
        assert (await post_hold(user, guru, other)).status_code == 201
    await cancel(*seated[0])
    token = (await open_offer(user, entry)).json()["data"]["token"]
    booked = await post_booking(user, token)
    assert (booked.status_code, booked.json()["data"]["startsAt"]) == (201, start), booked.text
