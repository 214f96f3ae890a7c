"""Customers' bookings that an account claims, and walk-ins that are booked as they begin."""

from __future__ import annotations

import asyncio
from typing import Any
from uuid import UUID

import httpx
import psycopg

from tests.fixtures.databases import Database
from tests.fixtures.jobs import do_jobs
from tests.porchlight.angels.users import ApiUser
from tests.porchlight.bookings.api import CreateUser, code, free_starts
from tests.porchlight.bookings.booking_emails import emails
from tests.porchlight.bookings.packages import give, left_of
from tests.porchlight.bookings.test_customers import booked, link_of, minutes_from_now, post
from tests.porchlight.owner import GuruOwner

NewOwner = Any
CONFIRMED = {"confirmed": True}


async def claim(user: ApiUser, path: str, *, confirmed: bool = False) -> httpx.Response:
    return await user.request("POST", f"{path}/claim", json={"confirmed": confirmed})


def address_of(database: Database, user: ApiUser) -> str:
    with psycopg.connect(database.service_url) as conn:
        row = conn.execute("SELECT email FROM users WHERE user_id = %s", [user.user_id]).fetchone()
    assert row is not None
    return str(row[0])


async def test_claim_makes_sessions_ordinary_ones(
    web: httpx.AsyncClient, new_owner: NewOwner, create_user: CreateUser, database: Database
) -> None:
    owner, user = await new_owner(), await create_user("Carla Claim")
    starts = await free_starts(web, owner.guru)
    address = address_of(database, user)
    first = await booked(owner, starts[0], email=address.upper())
    second = await booked(owner, starts[-1], email=address)
    other = await booked(owner, starts[-20], email="someone@example.com")
    await do_jobs(database)
    path = link_of(database, first["id"])
    offered = await user.get(f"{path}/claim")
    assert (offered["matches"], offered["claimed"]) == (True, False)
    assert [one["id"] for one in offered["bookings"]] == [first["id"], second["id"]]
    assert (await claim(user, path)).status_code == 200
    assert (await claim(user, path)).json()["data"]["claimed"] is True
    own = (await user.get("/api/bookings"))["bookings"]
    assert [one["id"] for one in own] == [first["id"], second["id"]]
    details = await owner.call("GET", f"/bookings/{first['id']}")
    assert (details["isCustomer"], details["customerEmail"]) == (False, "")
    assert [(one["event"], one["name"]) for one in details["events"]][-1] == ("claimed", "Carla Claim")
    assert (await owner.call("GET", f"/bookings/{other['id']}"))["isCustomer"] is True
    await do_jobs(database)
    told = emails(database, UUID(first["id"]))["claimed", "guru"]
    assert told["subject"] == "Carla Claim added a session that you booked to their account"
    assert ("claimed", "guru") not in emails(database, UUID(second["id"]))
    gone = await web.get(path)
    assert code(gone) == "booking_claimed"
    assert gone.json()["error"]["fields"] == {"id": first["id"]}


async def test_link_of_another_address_needs_a_confirmation(
    web: httpx.AsyncClient, new_owner: NewOwner, create_user: CreateUser, database: Database
) -> None:
    owner, user = await new_owner(), await create_user("Bea Bearer")
    starts = await free_starts(web, owner.guru)
    made = await booked(owner, starts[0], email="bea.at.work@example.com")
    same = await booked(owner, starts[-1], email="bea.at.work@example.com")
    await do_jobs(database)
    path = link_of(database, made["id"])
    offered = await user.get(f"{path}/claim")
    assert (offered["matches"], [one["id"] for one in offered["bookings"]]) == (False, [made["id"]])
    assert code(await claim(user, path)) == "other_address"
    assert (await claim(user, path, confirmed=True)).status_code == 200
    # A forwarded link opens its own session only.
    assert (await owner.call("GET", f"/bookings/{same['id']}"))["isCustomer"] is True


async def test_two_accounts_that_claim_at_once_are_one(
    web: httpx.AsyncClient, new_owner: NewOwner, create_user: CreateUser, database: Database
) -> None:
    owner = await new_owner()
    users = [await create_user(f"Racer {number}") for number in "abcd"]
    made = await booked(owner, (await free_starts(web, owner.guru))[0], email="race@example.com")
    await do_jobs(database)
    path = link_of(database, made["id"])
    answers = await asyncio.gather(*(claim(user, path, confirmed=True) for user in users))
    assert sorted(one.status_code for one in answers) == [200, 409, 409, 409]
    assert {code(one) for one in answers if one.status_code == 409} == {"booking_claimed"}
    owners = [len((await user.get("/api/bookings"))["bookings"]) for user in users]
    assert sorted(owners) == [0, 0, 0, 1]


async def test_guru_and_unknown_link_claim_nothing(
    web: httpx.AsyncClient, new_owner: NewOwner, create_user: CreateUser, database: Database
) -> None:
    owner, user = await new_owner(), await create_user("Una Known")
    made = await booked(owner, (await free_starts(web, owner.guru))[0], email="una@example.com")
    await do_jobs(database)
    path = link_of(database, made["id"])
    assert code(await owner.web.post(f"{path}/claim", json=CONFIRMED)) == "own_site"
    assert (await web.post(f"{path}/claim", json=CONFIRMED)).status_code == 401
    unknown = path[:-4] + ("aaaa" if path[-4:] != "aaaa" else "bbbb")
    assert code(await claim(user, unknown, confirmed=True)) == "not_found"
    assert (await web.get(path)).status_code == 200


async def test_package_passes_to_the_account_with_its_sessions(
    web: httpx.AsyncClient, new_owner: NewOwner, create_user: CreateUser, database: Database
) -> None:
    owner, user = await new_owner(), await create_user("Pam Pass")
    starts = await free_starts(web, owner.guru)
    made = await booked(owner, starts[0], email="pam@example.com")
    given = await give(owner, made["id"])
    used = await booked(owner, starts[-1], packageId=given["id"])
    await do_jobs(database)
    assert (await claim(user, link_of(database, made["id"]), confirmed=True)).status_code == 200
    assert await left_of(user) == [(2, 1, 0)]
    assert {one["id"] for one in (await user.get("/api/bookings"))["bookings"]} == {made["id"], used["id"]}
    assert (await owner.call("GET", f"/package-grants/{given['id']}"))["isCustomer"] is False


async def test_walk_in_is_booked_while_the_session_goes_on(
    web: httpx.AsyncClient, new_owner: NewOwner, database: Database
) -> None:
    async def answer(owner: GuruOwner, minutes: int) -> httpx.Response:
        return await post(owner, minutes_from_now(minutes), confirmed=["outside_hours"])

    for minutes in (1, -10):
        response = await answer(await new_owner(), minutes)
        assert response.status_code == 201, response.text
        assert response.json()["data"]["status"] == "confirmed"
    assert code(await answer(await new_owner(), -61)) == "slot_gone"
