"""Packages of sessions: defined and given by a guru, used by a person."""

from __future__ import annotations

import asyncio
from typing import Any
from uuid import UUID

import httpx
import psycopg
import pytest

from tests.fixtures.databases import Database
from tests.fixtures.jobs import do_jobs
from tests.porchlight.bookings.api import CreateUser, book, code, free_starts, hold, post_booking
from tests.porchlight.bookings.booking_emails import emails
from tests.porchlight.bookings.following import shifted
from tests.porchlight.bookings.packages import book_with, define, give, left_of, offered
from tests.porchlight.bookings.sessions import erase_bookings
from tests.porchlight.bookings.test_customers import booked as booked_customer
from tests.tenants.isolation import set_tenant, set_user

NewOwner = Any


async def test_package_is_given_used_and_returned(
    web: httpx.AsyncClient, new_owner: NewOwner, create_user: CreateUser, database: Database
) -> None:
    owner, user = await new_owner(), await create_user("Paula Pack")
    starts = await free_starts(web, owner.guru)
    first = await book(user, owner.guru, starts[0])
    given = await give(owner, first["id"])
    assert (given["personName"], given["left"], given["granted"], given["isOpen"]) == ("Ada Neighbor", 3, 3, True)
    held = await user.get(f"/api/holds/{await hold(user, owner.guru, starts[-1])}")
    assert {name: held["package"][name] for name in ("id", "left", "lastDay")} == {
        "id": given["id"], "left": 3, "lastDay": given["lastDay"],
    }  # fmt: skip
    response = await post_booking(user, held["token"], package={"id": given["id"], "sessions": 1})
    made = response.json()["data"]
    assert (made["priceCents"], made["package"]["sessions"], made["usesUpPackage"]) == (0, 1, False)
    assert await left_of(user) == [(2, 1, 0)]
    seen = await owner.call("GET", f"/bookings/{made['id']}")
    assert seen["package"] == {"id": given["id"], "name": "Three lessons", "sessions": 1}
    await do_jobs(database)
    sent = emails(database, UUID(made["id"]))["booked", "person"]["plain"]
    assert "Three lessons: uses 1, 2 left" in sent
    assert "Included in the package" in sent
    cancel = {"termsDigest": made["terms"]["digest"]}
    canceled = await user.request("POST", f"/api/bookings/{made['id']}/cancellation", json=cancel)
    assert canceled.json()["data"]["package"]["sessions"] == 0
    assert await left_of(user) == [(3, 0, 0)]
    await do_jobs(database)
    assert "back in your package" in emails(database, UUID(made["id"]))["canceled", "person"]["plain"]


async def test_last_session_of_a_package_is_used_once(
    web: httpx.AsyncClient, new_owner: NewOwner, create_user: CreateUser, database: Database
) -> None:
    owner, user = await new_owner(), await create_user("Rae Race")
    starts = await free_starts(web, owner.guru)
    given = await give(owner, (await book(user, owner.guru, starts[0]))["id"], sessions=2)
    await owner.call(
        "POST", f"/package-grants/{given['id']}/withdrawal", {"sessions": 1, "left": 2, "reason": "We agreed."}
    )
    tokens = [await hold(user, owner.guru, start) for start in (starts[-20], starts[-1])]
    package = {"id": given["id"], "sessions": 1}
    answers = await asyncio.gather(*(post_booking(user, token, package=package) for token in tokens))
    assert sorted(one.status_code for one in answers) == [201, 409]
    refused = next(one for one in answers if one.status_code == 409)
    assert code(refused) == "package_changed"
    assert await left_of(user) == [(0, 1, 1)]
    lost = tokens[answers.index(refused)]
    assert (await post_booking(user, lost)).json()["data"]["priceCents"] > 0  # without the package


async def test_series_uses_a_package_and_pays_the_rest(
    web: httpx.AsyncClient, new_owner: NewOwner, create_user: CreateUser
) -> None:
    owner, user = await new_owner(), await create_user("Sara Series")
    starts = await free_starts(web, owner.guru)
    given = await give(owner, (await book(user, owner.guru, starts[0]))["id"], sessions=2)
    token = await hold(user, owner.guru, starts[2])
    digest = (await user.get(f"/api/holds/{token}"))["policyDigest"]
    further = [shifted(starts[2], days=7), shifted(starts[2], days=14)]
    body = {"hold": token, "name": "Sara", "policyDigest": digest, "starts": further}
    body["package"] = {"id": given["id"], "sessions": 2}
    response = await user.request("POST", "/api/bookings/series", json=body)
    assert response.status_code == 201, response.text
    made = response.json()["data"]["bookings"]
    assert [(one["package"] is not None, one["priceCents"] > 0) for one in made] == [
        (True, False), (True, False), (False, True),
    ]  # fmt: skip
    assert await left_of(user) == [(0, 2, 0)]


async def test_guru_extends_and_takes_back_with_emails(
    web: httpx.AsyncClient, new_owner: NewOwner, create_user: CreateUser, database: Database
) -> None:
    owner, user = await new_owner(), await create_user("Eve Extend")
    given = await give(owner, (await book(user, owner.guru, (await free_starts(web, owner.guru))[0]))["id"])
    path = f"/package-grants/{given['id']}"
    later = f"{int(given['lastDay'][:4]) + 1}{given['lastDay'][4:]}"
    assert (await owner.call("PUT", f"{path}/last-day", {"lastDay": later}))["lastDay"] == later
    refused = await owner.call("PUT", f"{path}/last-day", {"lastDay": given["lastDay"]}, expect=422)
    assert "lastDay" in refused["fields"]
    back = {"sessions": 2, "left": 3, "reason": "You moved away."}
    details = await owner.call("POST", f"{path}/withdrawal", back)
    assert (details["left"], details["takenBack"]) == (1, 2)
    assert (await owner.call("POST", f"{path}/withdrawal", back, expect=409))["code"] == "package_gone"
    assert [one["event"] for one in details["events"]] == ["granted", "extended", "taken_back"]
    own = await user.get(f"/api/packages/{given['id']}")
    assert own["events"][-1]["reason"] == "You moved away."
    await do_jobs(database)
    with psycopg.connect(database.service_url) as conn:
        query = "SELECT subject, plain FROM dev_mailbox WHERE key LIKE %s ORDER BY id"
        sent = conn.execute(query, [f"package-{given['id']}-%"]).fetchall()
    assert [subject.partition(" ")[2].rpartition(" ")[0] != "" for subject, _ in sent] == [True] * 3
    assert "gave you a package: Three lessons" in sent[0][0]
    assert "Left: 1 of 3 sessions" in sent[2][1]
    assert "You moved away." in sent[2][1]


async def test_packages_are_defined_changed_and_removed(new_owner: NewOwner, web: httpx.AsyncClient) -> None:
    owner = await new_owner()
    made = await define(owner, key="once")
    assert await define(owner, key="once") == made
    assert (await define(owner, key="once", name="Other", expect=409))["code"] == "key_reused"
    changed = {"name": "Four lessons", "sessions": 4, "days": 30}
    assert (await owner.call("PUT", f"/packages/{made['id']}", changed))["sessions"] == 4
    for number in range(9):
        await define(owner, name=f"Package {number}")
    assert (await define(owner, expect=409))["code"] == "packages_full"
    await owner.call("DELETE", f"/packages/{made['id']}")
    names = [one["name"] for one in await offered(owner)]
    assert len(names) == 9
    assert "Four lessons" not in names


async def test_removed_package_stays_with_its_people(
    web: httpx.AsyncClient, new_owner: NewOwner, create_user: CreateUser
) -> None:
    owner, user = await new_owner(), await create_user("Kit Keep")
    starts = await free_starts(web, owner.guru)
    given = await give(owner, (await book(user, owner.guru, starts[0]))["id"])
    (package,) = await offered(owner)
    assert package["openGrants"] == 1
    await owner.call("DELETE", f"/packages/{package['id']}")
    assert (await book_with(user, owner, starts[-1], given["id"])).status_code == 201
    grants = (await owner.call("GET", "/package-grants"))["grants"]
    assert [one["used"] for one in grants if one["id"] == given["id"]] == [1]


async def test_people_are_those_who_booked(
    web: httpx.AsyncClient, new_owner: NewOwner, create_user: CreateUser
) -> None:
    owner, other = await new_owner(), await new_owner()
    starts = await free_starts(web, owner.guru)
    await book(await create_user("Nia"), owner.guru, starts[0])
    await booked_customer(owner, starts[-1])
    found = (await owner.call("GET", "/package-people"))["people"]
    assert {(one["name"], one["isCustomer"]) for one in found} == {("Ada Neighbor", False), ("Wanda Walk-In", True)}
    searched = (await owner.call("GET", "/package-people?search=wand"))["people"]
    assert [one["name"] for one in searched] == ["Wanda Walk-In"]
    assert (await other.call("GET", "/package-people"))["people"] == []


async def test_customer_books_with_their_package(web: httpx.AsyncClient, new_owner: NewOwner) -> None:
    owner = await new_owner()
    starts = await free_starts(web, owner.guru)
    given = await give(owner, (await booked_customer(owner, starts[0]))["id"])
    made = await booked_customer(owner, starts[-1], packageId=given["id"])
    assert (made["priceCents"], made["package"]["sessions"], made["isCustomer"]) == (0, 1, True)
    details = await owner.call("GET", f"/package-grants/{given['id']}")
    assert (details["left"], [one["bookingId"] for one in details["uses"]]) == (2, [made["id"]])
    twice = {"serviceId": str(owner.guru.services[0]), "startsAt": starts[-1], "name": "W", "packageId": given["id"]}
    answer = await owner.web.post("/api/guru/bookings", json=twice | {"confirmed": ["over_capacity"]})
    assert code(answer) == "already_booked"


async def test_given_package_covers_its_booking(
    web: httpx.AsyncClient, new_owner: NewOwner, create_user: CreateUser
) -> None:
    owner = await new_owner()
    starts = await free_starts(web, owner.guru)
    made = await booked_customer(owner, starts[0])
    assert made["priceCents"] > 0
    given = await give(owner, made["id"], covers=True)
    assert (given["left"], given["used"], [one["bookingId"] for one in given["uses"]]) == (2, 1, [made["id"]])
    details = await owner.call("GET", f"/bookings/{made['id']}")
    assert (details["priceCents"], details["package"]["name"], details["package"]["sessions"]) == (
        0,
        "Three lessons",
        1,
    )
    of_person = await owner.call("GET", f"/package-grants?bookingId={made['id']}")
    assert [one["id"] for one in of_person["grants"]] == [given["id"]]
    other = await book(await create_user("Nia"), owner.guru, starts[-1])
    assert (await owner.call("GET", f"/package-grants?bookingId={other['id']}"))["grants"] == []
    # A session that uses one already, and one that a package of another service does not cover: nothing is given.
    again = {"packageId": (await offered(owner))[0]["id"], "bookingId": made["id"], "coversBooking": True}
    assert code(await owner.web.post("/api/guru/package-grants", json=again)) == "cannot_cover"
    assert await owner.call("GET", f"/package-grants?bookingId={made['id']}") == of_person


async def test_packages_of_others_are_not_found(
    web: httpx.AsyncClient, new_owner: NewOwner, create_user: CreateUser, database: Database
) -> None:
    owner, other = await new_owner(), await new_owner()
    user, stranger = await create_user("Own Olga"), await create_user("Nosy Nell")
    starts = await free_starts(web, owner.guru)
    booking = await book(user, owner.guru, starts[0])
    given = await give(owner, booking["id"])
    package = (await offered(owner))[0]["id"]
    for path in (f"/package-grants/{given['id']}", f"/bookings/{booking['id']}"):
        await other.call("GET", path, expect=404)
    back = {"sessions": 1, "left": 3, "reason": "x"}
    await other.call("POST", f"/package-grants/{given['id']}/withdrawal", back, expect=404)
    await other.call("PUT", f"/package-grants/{given['id']}/last-day", {"lastDay": "2029-01-01"}, expect=404)
    await other.call("DELETE", f"/packages/{package}", expect=404)
    own = (await define(other))["id"]
    for ids in ({"packageId": own, "bookingId": booking["id"]}, {"packageId": package, "bookingId": booking["id"]}):
        await other.call("POST", "/package-grants", ids, expect=404)
    assert (await stranger.request("GET", f"/api/packages/{given['id']}")).status_code == 404
    assert await left_of(stranger) == []
    assert code(await book_with(stranger, owner, starts[-1], given["id"])) == "package_changed"
    with psycopg.connect(database.app_url) as app:
        for tenant, acting, person, rows in (
            (owner.guru.id, True, None, 1), (owner.guru.id, False, user.user_id, 1), (owner.guru.id, False, None, 0),
            (owner.guru.id, False, stranger.user_id, 0), (other.guru.id, True, None, 0),
        ):  # fmt: skip
            set_tenant(app, tenant, acting=acting)
            set_user(app, person)
            for table, column in (("package_grants", "id"), ("package_events", "grant_id")):
                query = f"SELECT count(*) FROM {table} WHERE {column} = %s".encode()
                assert app.execute(query, [given["id"]]).fetchone() == (rows,)
            app.rollback()


@pytest.mark.parametrize("table", ["package_grants", "package_events"])
def test_packages_are_not_written_past_a_decision(database: Database, table: str) -> None:
    for statement in ("UPDATE {} SET person_id = person_id", "DELETE FROM {}", "INSERT INTO {} DEFAULT VALUES"):
        with psycopg.connect(database.app_url) as app, pytest.raises(psycopg.errors.InsufficientPrivilege):
            app.execute(statement.format(table).encode())


async def test_deleted_account_leaves_no_name_and_no_session(
    web: httpx.AsyncClient, new_owner: NewOwner, create_user: CreateUser, database: Database
) -> None:
    owner, user = await new_owner(), await create_user("Gone Gil")
    starts = await free_starts(web, owner.guru)
    given = await give(owner, (await book(user, owner.guru, starts[0]))["id"])
    assert (await book_with(user, owner, starts[-1], given["id"])).status_code == 201
    erase_bookings(database, owner.guru, user.user_id)
    details = await owner.call("GET", f"/package-grants/{given['id']}")
    assert (details["personName"], details["left"], details["used"], details["takenBack"]) == ("", 0, 0, 3)
