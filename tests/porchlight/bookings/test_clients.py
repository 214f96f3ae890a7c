"""The people who book with a guru, and what the guru notes about them."""

from __future__ import annotations

import asyncio
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import httpx
import psycopg
import pytest

from porchlight.features.bookings.customers.retention import NAME_TTL, forget_customers
from porchlight.features.bookings.guru.clients.queries import PAGE_SIZE
from tenants.kit import clock
from tests.fixtures.databases import Database
from tests.fixtures.jobs import do_jobs
from tests.porchlight.angels.users import ApiUser
from tests.porchlight.bookings.api import CreateUser, code, execute, free_starts
from tests.porchlight.bookings.sessions import book_session, erase_bookings
from tests.porchlight.bookings.test_claims import claim
from tests.porchlight.bookings.test_customers import booked, link_of, post
from tests.porchlight.factories import seed_booking, seed_user
from tests.porchlight.owner import GuruOwner

NewOwner = Any
NOTE = "Prefers mornings. Allergic to nuts."


def days_ago(days: int) -> datetime:
    return clock.now().replace(minute=0, second=0, microsecond=0) - timedelta(days=days)


async def names(owner: GuruOwner, query: str = "") -> list[str]:
    listed = await owner.call("GET", f"/clients{query}")
    return [one["name"] for one in listed["clients"]]


async def only_client(owner: GuruOwner) -> dict[str, Any]:
    (found,) = (await owner.call("GET", "/clients"))["clients"]
    details: dict[str, Any] = await owner.call("GET", f"/clients/{found['id']}")
    return details


async def save(owner: GuruOwner, client: dict[str, Any], body: str, *, digest: str = "", expect: int = 200) -> Any:
    return await owner.call("PUT", f"/clients/{client['id']}/note", {"body": body, "digest": digest}, expect=expect)


def without_notes(database: Database, owner: GuruOwner) -> None:
    """Delete the notes of the factory's bookings."""
    execute(database, "DELETE FROM client_notes WHERE tenant_id = %s", owner.guru.id)


async def test_client_has_all_sessions_of_account(
    new_owner: NewOwner, create_user: CreateUser, database: Database
) -> None:
    owner, user = await new_owner(), await create_user("Carla Client")
    past = book_session(database, owner.guru, user, days_ago(3), status="completed", service_name="Bread")
    book_session(database, owner.guru, user, days_ago(9), status="missed")
    book_session(database, owner.guru, user, days_ago(-4))
    canceled = {"status": "canceled", "ended_by": "person"}
    book_session(database, owner.guru, user, days_ago(-9), confirmed_at=clock.now(), **canceled)
    asked = {"status": "requested", "expires_at": clock.now() + timedelta(hours=9)}
    latest = book_session(database, owner.guru, user, days_ago(-12), **asked)
    listed = await owner.call("GET", "/clients")
    (found,) = listed["clients"]
    assert {name: found[name] for name in ("name", "isCustomer", "done", "upcoming", "isUnseen", "services")} == {
        "name": "Carla Client", "isCustomer": False, "done": 1, "upcoming": 1, "isUnseen": False,
        "services": ["Bread", "Lesson"],
    }  # fmt: skip
    assert found["lastAt"] == clock.to_iso8601(days_ago(3))
    assert found["nextAt"] == clock.to_iso8601(days_ago(-4))
    assert listed["total"] == 1
    history = (await owner.call("GET", f"/clients/{found['id']}/bookings"))["bookings"]
    assert [one["status"] for one in history] == ["requested", "canceled", "confirmed", "completed", "missed"]
    assert (history[0]["id"], history[3]["id"]) == (latest, past)
    assert history[3]["priceCents"] == 4501


async def test_request_alone_makes_no_client(new_owner: NewOwner, create_user: CreateUser, database: Database) -> None:
    owner, user = await new_owner(), await create_user("Alex Asked")
    asked = {"status": "requested", "expires_at": clock.now() + timedelta(hours=9)}
    book_session(database, owner.guru, user, days_ago(-3), **asked)
    assert await names(owner) == []
    assert (await owner.call("GET", f"/clients/{user.user_id}", expect=404))["code"] == "not_found"


async def test_clients_are_searched_and_filtered(
    new_owner: NewOwner, create_user: CreateUser, database: Database
) -> None:
    owner = await new_owner()
    long_ago, lately, back = [await create_user(name) for name in ("Una Unseen", "Sam Seen", "Bea Back")]
    old = {"status": "completed", "created_at": days_ago(99)}
    book_session(database, owner.guru, long_ago, days_ago(80), **old)
    book_session(database, owner.guru, back, days_ago(81), **old)
    book_session(database, owner.guru, back, days_ago(-5))
    book_session(database, owner.guru, lately, days_ago(2), status="completed", created_at=clock.now())
    assert await names(owner) == ["Bea Back", "Sam Seen", "Una Unseen"]
    assert await names(owner, "?show=unseen") == ["Una Unseen"]
    assert await names(owner, "?show=new") == ["Sam Seen"]
    assert await names(owner, "?q=un") == ["Una Unseen"]
    assert await names(owner, "?q=%25") == []
    assert (await owner.call("GET", "/clients?show=lost", expect=422))["code"] == "validation_failed"


async def test_clients_come_in_pages(new_owner: NewOwner, database: Database) -> None:
    owner = await new_owner()
    with psycopg.connect(database.service_url) as conn:
        for number in range(PAGE_SIZE + 2):
            seed_booking(conn, owner.guru, seed_user(conn), starts_at=days_ago(number + 1), person_name=f"P {number}")
    first = await owner.call("GET", "/clients")
    second = await owner.call("GET", f"/clients?cursor={first['nextCursor']}")
    found = [one["name"] for one in first["clients"] + second["clients"]]
    assert found == [f"P {number}" for number in range(PAGE_SIZE + 2)]
    assert (second["nextCursor"], second["total"]) == (None, PAGE_SIZE + 2)
    await owner.call("GET", "/clients?cursor=x", expect=422)


async def test_customer_who_comes_again_is_one_client(
    web: httpx.AsyncClient, new_owner: NewOwner, database: Database
) -> None:
    owner = await new_owner()
    starts = await free_starts(web, owner.guru)
    await booked(owner, starts[0], email="wanda@mail.example")
    # The address is deleted 30 days after the session; the next one was booked before.
    await booked(owner, starts[9], email="Wanda@mail.example")
    execute(database, "UPDATE bookings SET customer_email = '' WHERE tenant_id = %s", owner.guru.id)
    client = await only_client(owner)
    assert (client["upcoming"], client["isCustomer"], client["email"]) == (2, True, "")
    # Without an address, the guru says who it is.
    await booked(owner, starts[19], clientId=client["id"])
    assert (await only_client(owner))["upcoming"] == 3
    await booked(owner, starts[29])
    assert len(await names(owner)) == 2


async def test_client_of_another_guru_cannot_be_booked(
    web: httpx.AsyncClient, new_owner: NewOwner, create_user: CreateUser, database: Database
) -> None:
    owner, other = await new_owner(), await new_owner()
    starts = await free_starts(web, owner.guru)
    await booked(other, starts[0], email="wanda@mail.example")
    theirs = await only_client(other)
    assert code(await post(owner, starts[0], clientId=theirs["id"])) == "not_found"
    account = await create_user("Ada Account")
    book_session(database, owner.guru, account, days_ago(-20))
    assert code(await post(owner, starts[0], clientId=str(account.user_id))) == "not_found"


async def test_other_guru_sees_no_client_and_no_note(
    new_owner: NewOwner, create_user: CreateUser, database: Database
) -> None:
    owner, other, user = await new_owner(), await new_owner(), await create_user("Iris Isolated")
    for one in (owner, other):
        book_session(database, one.guru, user, days_ago(3))
        without_notes(database, one)
    client = await only_client(owner)
    await save(owner, client, NOTE)
    assert (await only_client(other))["note"] == {"body": "", "digest": ""}
    await save(other, client, "Another one.")
    assert (await only_client(owner))["note"]["body"] == NOTE
    stranger = await create_user("Sol Stranger")
    book_session(database, owner.guru, stranger, days_ago(4))
    for path in (f"/clients/{stranger.user_id}", f"/clients/{stranger.user_id}/bookings"):
        assert (await other.call("GET", path, expect=404))["code"] == "not_found"
    assert (await save(other, {"id": stranger.user_id}, NOTE, expect=404))["code"] == "not_found"
    # The person sees nothing of it in their booking or their export.
    answer = await user.request("GET", "/api/auth/export")
    assert b"Allergic" not in answer.content


async def test_note_keeps_what_another_tab_saved(
    new_owner: NewOwner, create_user: CreateUser, database: Database
) -> None:
    owner, user = await new_owner(), await create_user("Nora Noted")
    book_session(database, owner.guru, user, days_ago(3))
    without_notes(database, owner)
    client = await only_client(owner)
    url, seen = f"/api/guru/clients/{client['id']}/note", {"digest": client["note"]["digest"]}
    answers = await asyncio.gather(*(owner.web.put(url, json={"body": one} | seen) for one in ("First.", "Second.")))
    assert sorted(one.status_code for one in answers) == [200, 409]
    saved = (await only_client(owner))["note"]
    won = next(one for one in answers if one.status_code == 200).json()["data"]
    assert won == saved
    refused = await save(owner, client, "Third.", digest="", expect=409)
    assert refused["code"] == "note_changed"
    assert await save(owner, client, saved["body"]) == saved  # the same text again
    changed = await save(owner, client, NOTE, digest=saved["digest"])
    assert await save(owner, client, "  ", digest=changed["digest"]) == {"body": "", "digest": ""}
    await save(owner, client, "x" * 2001, expect=422)
    assert (await only_client(owner))["note"]["body"] == ""


async def test_claim_brings_notes_together(
    web: httpx.AsyncClient, new_owner: NewOwner, create_user: CreateUser, database: Database
) -> None:
    owner, user = await new_owner(), await create_user("Cleo Claim")
    starts = await free_starts(web, owner.guru)
    made = await booked(owner, starts[0], email="cleo@mail.example")
    await save(owner, await only_client(owner), "Came by.")
    await do_jobs(database)
    book_session(database, owner.guru, user, days_ago(3))
    execute(database, "UPDATE client_notes SET body = 'Writes well.', changed_at = app.now() + interval '1 day'"
            " WHERE tenant_id = %s AND body <> 'Came by.'", owner.guru.id)  # fmt: skip
    assert len(await names(owner)) == 2
    assert (await claim(user, link_of(database, made["id"]), confirmed=True)).status_code == 200
    client = await only_client(owner)
    assert (client["note"]["body"], client["isCustomer"]) == ("Came by.\n\nWrites well.", False)
    await save(owner, client, NOTE, digest=client["note"]["digest"])
    assert (await only_client(owner))["note"]["body"] == NOTE


def _notes(database: Database, owner: GuruOwner) -> list[str]:
    with psycopg.connect(database.service_url) as conn:
        rows = conn.execute("SELECT body FROM client_notes WHERE tenant_id = %s", [owner.guru.id]).fetchall()
    return [body for (body,) in rows]


async def test_deleted_account_leaves_no_client_and_note(
    new_owner: NewOwner, create_user: CreateUser, database: Database
) -> None:
    owner = await new_owner()
    gone, stays = await create_user("Gus Gone"), await create_user("Stella Stays")
    for days, user in enumerate((gone, stays), start=3):
        book_session(database, owner.guru, user, days_ago(days), status="completed")
    without_notes(database, owner)
    for user in (gone, stays):
        await save(owner, {"id": user.user_id}, f"About {user.name}")
    erase_bookings(database, owner.guru, gone.user_id)
    assert await names(owner) == ["Stella Stays"]
    assert _notes(database, owner) == ["About Stella Stays"]


async def test_note_about_customer_ends_with_their_name(
    web: httpx.AsyncClient, new_owner: NewOwner, database: Database
) -> None:
    owner = await new_owner()
    starts = await free_starts(web, owner.guru)
    first, later = [await booked(owner, start, email="wanda@mail.example") for start in (starts[0], starts[-1])]
    await save(owner, await only_client(owner), NOTE)
    over = "UPDATE bookings SET starts_at = %s, ends_at = %s WHERE id = %s"
    long_ago = clock.now() - NAME_TTL - timedelta(days=2)
    execute(database, over, long_ago, long_ago + timedelta(hours=1), UUID(first["id"]))
    with psycopg.connect(database.service_url) as conn:
        forget_customers(conn)
    assert _notes(database, owner) == [NOTE]
    assert (await only_client(owner))["note"]["body"] == NOTE
    execute(database, over, long_ago, long_ago + timedelta(hours=1), UUID(later["id"]))
    with psycopg.connect(database.service_url) as conn:
        forget_customers(conn)
    assert _notes(database, owner) == []


@pytest.mark.parametrize("path", ["/clients", "/clients/{id}", "/clients/{id}/bookings"])
async def test_neighbor_has_no_clients(create_user: CreateUser, path: str) -> None:
    user: ApiUser = await create_user("Nat Neighbor")
    response = await user.request("GET", f"/api/guru{path.format(id=user.user_id)}")
    assert code(response) == "not_found"
