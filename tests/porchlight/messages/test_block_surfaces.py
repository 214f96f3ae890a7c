"""A block works both ways on each surface where people meet, and visitors see what they saw before."""

from __future__ import annotations

from typing import Any

import httpx
import psycopg
import pytest

from tenants.kit.ids import new_id
from tests.fixtures.databases import Database
from tests.porchlight.angels.users import ApiUser, owner_with_need
from tests.porchlight.bookings.api import code, free_starts, hold, post_booking, post_hold
from tests.porchlight.bookings.gurus import create_bookable_guru
from tests.porchlight.factories import SeededGuru, insert_row, seed_user
from tests.porchlight.messages.api import write
from tests.porchlight.named_users import CreateUser

LISTING = {"terms": ["swap"], "formats": ["online"]}


async def _block(user: ApiUser, other: ApiUser) -> None:
    assert (await user.request("PUT", f"/api/users/{other.handle}/block")).status_code == 200


def _block_row(database: Database, user: ApiUser, other: ApiUser) -> None:
    with psycopg.connect(database.service_url) as conn:
        insert_row(conn, "blocks", {"user_id": user.user_id, "blocked_id": other.user_id})


def _unblock_all(database: Database) -> None:
    with psycopg.connect(database.service_url) as conn:
        conn.execute("DELETE FROM blocks")


async def test_profile_and_listing_are_hidden_both_ways(create_user: CreateUser, web: httpx.AsyncClient) -> None:
    teacher, learner = await create_user("Tess Teacher"), await create_user("Leo Learner")
    added = await teacher.request("POST", "/api/skills/offers", json={"title": "Zither for beginners"} | LISTING)
    assert added.status_code == 201, added.text
    (offer,) = added.json()["data"]["offers"]
    paths = (f"/api/users/{teacher.handle}", f"/api/skills/listings/{offer['id']}")
    found: dict[str, Any] = await learner.get("/api/search", q="Zither for beginners")
    assert offer["id"] in str(found)
    await _block(teacher, learner)
    for path in paths:
        assert (await learner.request("GET", path)).status_code == 404, path
        assert (await teacher.request("GET", path)).status_code == 200, path
        assert (await web.get(path)).status_code == 200, path
    assert offer["id"] not in str(await learner.get("/api/search", q="Zither for beginners"))
    assert (await teacher.request("GET", f"/api/users/{learner.handle}")).status_code == 404
    assert (await write(learner, "listing", offer["id"])).status_code == 404


async def test_needs_and_offers_are_hidden_both_ways(create_user: CreateUser, database: Database) -> None:
    owner, posted = await owner_with_need(create_user)
    angel, other = await create_user("Ann Angel"), await create_user("Otto Other")
    for one in (angel, other):
        await one.offer_service()
    await other.create_offer(posted)
    assert posted["id"] in str(await angel.get("/api/needs"))
    for user, blocked in ((angel, owner), (owner, angel)):
        _block_row(database, user, blocked)
        assert posted["id"] not in str(await angel.get("/api/needs"))
        assert (await angel.request("GET", f"/api/needs/{posted['id']}")).status_code == 404
        assert (await angel.post_offer(posted)).status_code == 404
        _unblock_all(database)
    await angel.create_offer(posted)
    _block_row(database, owner, angel)
    need = await owner.get(f"/api/needs/{posted['id']}")
    assert ("Otto Other" in str(need), "Ann Angel" in str(need)) == (True, False)


async def test_angels_and_lights_are_hidden_both_ways(
    create_user: CreateUser, database: Database, web: httpx.AsyncClient
) -> None:
    angel, neighbor = await create_user("Ida Angel"), await create_user("Nils Neighbor")
    await angel.offer_service("pet-sitting")
    assert (await angel.request("PUT", "/api/porch-light", json={"zone": "America/Denver"})).status_code == 200
    for user, blocked in ((angel, neighbor), (neighbor, angel)):
        _block_row(database, user, blocked)
        for path in ("/api/angels/pet-sitting", "/api/porch-lights"):
            assert "Ida Angel" not in str(await neighbor.get(path)), path
            assert "Ida Angel" in (await web.get(path)).text, path
        _unblock_all(database)
        assert "Ida Angel" in str(await neighbor.get("/api/porch-lights"))


@pytest.fixture
def guru(database: Database) -> SeededGuru:
    """A guru who can be booked."""
    with psycopg.connect(database.service_url) as conn:
        return create_bookable_guru(conn)


async def test_guru_and_customer_do_not_book_after_block(
    create_user: CreateUser, database: Database, web: httpx.AsyncClient, guru: SeededGuru
) -> None:
    customer = await create_user("Cora Customer")
    starts = await free_starts(web, guru)
    token, booked = await hold(web, guru, starts[0]), await hold(customer, guru, starts[4])
    confirmed = await post_booking(customer, booked)
    assert confirmed.status_code == 201, confirmed.text
    with psycopg.connect(database.service_url) as conn:
        insert_row(conn, "blocks", {"user_id": guru.owner, "blocked_id": customer.user_id})
    assert code(await post_hold(customer, guru, starts[1])) == "slot_gone"
    assert code(await post_booking(customer, token)) == "slot_gone"
    assert (await post_hold(web, guru, starts[2])).status_code == 201  # of a visitor
    assert (await write(customer, "guru", guru.label)).json()["error"]["code"] == "not_taking_messages"


async def test_session_is_canceled_for_free_after_block(
    create_user: CreateUser, database: Database, web: httpx.AsyncClient, guru: SeededGuru
) -> None:
    customer = await create_user("Cara Customer")
    starts = await free_starts(web, guru)
    booking = (await post_booking(customer, await hold(customer, guru, starts[0]))).json()["data"]
    with psycopg.connect(database.superuser_url) as conn:
        conn.execute(
            'UPDATE bookings SET terms = terms || \'{"free_until_minutes": 1000000, "late_percent": 50}\''
            " WHERE id = %s",
            [booking["id"]],
        )
        insert_row(conn, "blocks", {"user_id": customer.user_id, "blocked_id": guru.owner})
    terms = (await customer.get(f"/api/bookings/{booking['id']}"))["terms"]
    assert terms["owedCents"] > 0
    canceled = await customer.request(
        "POST", f"/api/bookings/{booking['id']}/cancellation", json={"termsDigest": terms["digest"], "reason": ""}
    )
    assert (canceled.status_code, canceled.json()["data"]["owedCents"]) == (200, 0), canceled.text


def test_blocked_people_share_no_ring(database: Database) -> None:
    """A ring with someone whom a member blocked is shown to neither of the two."""
    with psycopg.connect(database.service_url) as conn:
        users, ring_id = [seed_user(conn) for _ in range(3)], new_id()
        insert_row(conn, "swap_rings", {"id": ring_id, "digest": ring_id.bytes, "availability_bits": 1})
        for place, user_id in enumerate(users):
            insert_row(
                conn, "swap_ring_members", {"user_id": user_id, "ring_id": ring_id, "place": place, "teaches": "Bread"}
            )
        insert_row(conn, "blocks", {"user_id": users[0], "blocked_id": users[1]})
    for user_id, rings in ((users[0], []), (users[1], []), (users[2], [(ring_id,)])):
        with psycopg.connect(database.app_url) as conn:
            conn.execute("SELECT set_config('app.user_id', %s, true)", [str(user_id)])
            assert conn.execute("SELECT id FROM own_swap_rings").fetchall() == rings
