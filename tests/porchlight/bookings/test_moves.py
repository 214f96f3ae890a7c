"""Moves of bookings by the person who booked."""

from __future__ import annotations

import asyncio
from collections import Counter
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import httpx
import psycopg
import pytest

from tenants.kit import clock
from tests.fixtures.databases import Database
from tests.porchlight.angels.users import ApiUser
from tests.porchlight.bookings.api import (
    CreateUser,
    NewGuru,
    book,
    code,
    execute,
    free_starts,
    hold,
    post_booking,
    waiver,
)
from tests.porchlight.factories import SeededGuru


async def post_move(user: ApiUser, booked: dict[str, Any], start: str, digest: str | None = None) -> httpx.Response:
    """Move a booking, by default on the terms of its last answer."""
    body = {"startsAt": start, "termsDigest": booked["terms"]["digest"] if digest is None else digest}
    return await user.request("POST", f"/api/bookings/{booked['id']}/move", json=body)


async def move(user: ApiUser, booked: dict[str, Any], start: str) -> dict[str, Any]:
    response = await post_move(user, booked, start)
    assert response.status_code == 200, response.text
    moved: dict[str, Any] = response.json()["data"]
    return moved


def later(start: str, **difference: float) -> str:
    moment = datetime.fromisoformat(start) + timedelta(**difference)
    return moment.isoformat().replace("+00:00", "Z")


def set_start(database: Database, booked: dict[str, Any], hours_ahead: float) -> None:
    execute(
        database,
        "UPDATE bookings SET starts_at = app.now() + %s * interval '1 hour',"
        " ends_at = app.now() + %s * interval '1 hour' WHERE id = %s",
        hours_ahead, hours_ahead + 1, UUID(booked["id"]),
    )  # fmt: skip


def history(database: Database, booked: dict[str, Any]) -> list[str]:
    with psycopg.connect(database.superuser_url) as conn:
        query = "SELECT event FROM booking_events WHERE booking_id = %s ORDER BY number"
        return [event for (event,) in conn.execute(query, [UUID(booked["id"])]).fetchall()]


async def test_move_keeps_booking_and_frees_old_time(
    web: httpx.AsyncClient, create_user: CreateUser, new_guru: NewGuru, database: Database
) -> None:
    guru = new_guru()
    user = await create_user("Moving Mia")
    offered = await free_starts(web, guru)
    old, new = offered[-20], offered[-1]
    booked = await book(user, guru, old)
    execute(database, "UPDATE services SET price_cents = 9900, name = 'Dear' WHERE tenant_id = %s", guru.id)
    moved = await move(user, booked, new)
    kept = ("id", "status", "priceCents", "serviceName", "policyDigest", "note", "placeText", "participants")
    assert {name: moved[name] for name in kept} == {name: booked[name] for name in kept}
    assert (moved["startsAt"], moved["terms"]["movesLeft"]) == (new, booked["terms"]["movesLeft"] - 1)
    assert datetime.fromisoformat(moved["endsAt"]) - datetime.fromisoformat(new) == timedelta(hours=1)
    offered = await free_starts(web, guru)
    assert old in offered
    assert new not in offered
    assert history(database, booked) == ["held", "confirmed", "moved"]


async def test_move_sent_again_changes_nothing(
    web: httpx.AsyncClient, create_user: CreateUser, new_guru: NewGuru
) -> None:
    guru = new_guru()
    user = await create_user("Resend Rae")
    offered = await free_starts(web, guru)
    booked = await book(user, guru, offered[-20])
    responses = await asyncio.gather(*(post_move(user, booked, offered[-1]) for _ in range(3)))
    assert {response.status_code for response in responses} == {200}
    moved = responses[0].json()["data"]
    assert [response.json()["data"] for response in responses] == [moved] * 3
    assert moved["terms"]["movesLeft"] == booked["terms"]["movesLeft"] - 1


async def test_move_by_half_its_length_is_possible(
    web: httpx.AsyncClient, create_user: CreateUser, new_guru: NewGuru
) -> None:
    guru = new_guru(cleanup_minutes=30)
    user = await create_user("Nudging Nia")
    start = (await free_starts(web, guru))[-20]
    booked = await book(user, guru, start)
    moved = await move(user, booked, later(start, minutes=30))
    assert moved["startsAt"] == later(start, minutes=30)
    back = await move(user, moved, start)
    assert back["startsAt"] == start


async def test_move_into_own_group_session_time_fails(
    web: httpx.AsyncClient, create_user: CreateUser, new_guru: NewGuru
) -> None:
    guru = new_guru(capacity=2)
    ada, bob = await create_user("Group Ada"), await create_user("Group Bob")
    start = (await free_starts(web, guru))[-20]
    booked = await book(ada, guru, start)
    await book(bob, guru, start)
    assert code(await post_move(ada, booked, later(start, minutes=30))) == "slot_taken"
    assert (await ada.get(f"/api/bookings/{booked['id']}"))["startsAt"] == start


async def test_rejected_move_leaves_the_session(
    web: httpx.AsyncClient, create_user: CreateUser, new_guru: NewGuru, database: Database
) -> None:
    guru = new_guru()
    ada, bob = await create_user("Reject Ada"), await create_user("Reject Bob")
    offered = await free_starts(web, guru)
    booked, other = await book(ada, guru, offered[-20]), await book(bob, guru, offered[-1])
    soon = later(clock.now().isoformat(), hours=1)
    for start, expected in (
        (other["startsAt"], "slot_taken"),
        (later(offered[-2], minutes=7), "slot_gone"),
        (later(offered[-2], days=500), "slot_gone"),
        (soon, "too_soon"),
    ):
        assert code(await post_move(ada, booked, start)) == expected, start
    execute(database, "UPDATE booking_settings SET open = false WHERE tenant_id = %s", guru.id)
    assert code(await post_move(ada, booked, offered[-2])) == "slot_gone"
    assert await ada.get(f"/api/bookings/{booked['id']}") == booked
    query = "SELECT live, taken FROM appointments WHERE tenant_id = %s ORDER BY starts_at"
    with psycopg.connect(database.superuser_url) as conn:
        assert conn.execute(query, [guru.id]).fetchall() == [(True, 1), (True, 1)]


async def test_move_to_full_or_own_session_fails(
    web: httpx.AsyncClient, create_user: CreateUser, new_guru: NewGuru
) -> None:
    guru = new_guru(capacity=2)
    ada, bob, cem = [await create_user(f"Full {name}") for name in ("Ada", "Bob", "Cem")]
    offered = await free_starts(web, guru)
    first, last = offered[-20], offered[-1]
    booked = await book(ada, guru, first)
    await book(ada, guru, last)
    assert code(await post_move(ada, booked, last)) == "already_booked"
    await book(bob, guru, last)
    other = await book(cem, guru, first)
    response = await post_move(cem, other, last)
    assert (code(response), response.json()["error"]["message"]) == (
        "session_full",
        "This session is full. You can join the waitlist.",
    )


async def test_moves_follow_the_terms(
    web: httpx.AsyncClient, create_user: CreateUser, new_guru: NewGuru, database: Database
) -> None:
    guru = new_guru()
    user = await create_user("Often Otto")
    offered = await free_starts(web, guru)
    booked = await book(user, guru, offered[-40])
    assert code(await post_move(user, booked, offered[-1], "0" * 32)) == "terms_changed"
    for start in (offered[-30], offered[-20]):
        booked = await move(user, booked, start)
    response = await post_move(user, booked, offered[-1])
    assert (code(response), response.json()["error"]["message"]) == (
        "moves_used",
        "This session was moved twice already.",
    )
    late = await book(user, guru, offered[-10])
    set_start(database, late, 5)
    late = await user.get(f"/api/bookings/{late['id']}")
    assert code(await post_move(user, late, offered[-1])) == "move_too_late"
    set_start(database, late, -0.5)
    assert code(await post_move(user, late, offered[-1])) == "booking_changed"


async def test_request_cannot_be_moved(web: httpx.AsyncClient, create_user: CreateUser, new_guru: NewGuru) -> None:
    guru = new_guru(approval="request")
    user = await create_user("Request Ria")
    offered = await free_starts(web, guru)
    asked = await book(user, guru, offered[-20])
    assert code(await post_move(user, asked, offered[-1])) == "booking_changed"


async def test_move_of_other_users_booking_is_unknown(
    web: httpx.AsyncClient, create_user: CreateUser, new_guru: NewGuru
) -> None:
    guru = new_guru()
    owner, other = await create_user("Own Ora"), await create_user("Nosy Nat")
    offered = await free_starts(web, guru)
    booked = await book(owner, guru, offered[-20])
    assert code(await post_move(other, booked, offered[-1])) == "not_found"


async def test_move_beyond_waiver_makes_it_due_again(
    web: httpx.AsyncClient, create_user: CreateUser, new_guru: NewGuru
) -> None:
    guru = new_guru(risk="high")
    user = await create_user("Waiver Wes")
    offered = await free_starts(web, guru, days=40)  # the waiver lasts 30 days
    accepted = await user.request("POST", "/api/liability/waiver", json=waiver(guru))
    until = accepted.json()["data"]["expiresAt"]
    booked = await book(user, guru, offered[40])
    after = next(start for start in offered if start > until)
    moved = await move(user, booked, after)
    assert (moved["startsAt"], moved["waiverUntil"], moved["waiverDue"]) == (after, until, True)
    path = f"/api/liability/waivers/{accepted.json()['data']['waiverId']}/withdrawal"
    assert (await user.request("POST", path)).is_success
    # A session without a valid waiver can be moved: a new one is due.
    assert (await move(user, moved, offered[40]))["waiverDue"] is True
    assert (await user.request("POST", "/api/liability/waiver", json=waiver(guru))).is_success
    assert (await user.get(f"/api/bookings/{booked['id']}"))["waiverDue"] is False


async def test_move_after_the_risk_rose_makes_a_waiver_due(
    web: httpx.AsyncClient, create_user: CreateUser, new_guru: NewGuru, database: Database
) -> None:
    guru = new_guru(risk="low", party_max=3, capacity=3)
    user = await create_user("Rising Ria")
    offered = await free_starts(web, guru, days=20)  # a waiver that is signed now reaches them
    alone = await book(user, guru, offered[-20])
    token = await hold(user, guru, offered[-40], party=3)
    party = (await post_booking(user, token, participants=["Theo Barnes"])).json()["data"]
    execute(database, "UPDATE booking_settings SET risk = 'high' WHERE tenant_id = %s", guru.id)
    moved = await move(user, alone, offered[-1])
    assert (moved["waiverLevel"], moved["waiverDue"]) == ("high", True)
    assert (await user.request("POST", "/api/liability/waiver", json=waiver(guru))).is_success
    assert (await user.get(f"/api/bookings/{alone['id']}"))["waiverDue"] is False
    people = (await move(user, party, offered[-60]))["people"]
    assert [(one["name"], one["signer"], one["covered"]) for one in people] == [
        ("Ada Neighbor", "self", True),
        ("Theo Barnes", "link", False),
        ("Person 3", "link", False),
    ]


async def _full_but_one(
    web: httpx.AsyncClient, create_user: CreateUser, guru: SeededGuru, movers: int
) -> tuple[str, list[tuple[ApiUser, dict[str, Any]]]]:
    """Return a start with one seat left, and people with bookings at other starts."""
    offered = await free_starts(web, guru)
    booked = []
    for number in range(movers):
        user = await create_user(f"Mover {number}")
        booked.append((user, await book(user, guru, offered[-40 + 4 * number])))
    await book(await create_user("Sitting Sue"), guru, offered[-1])
    return offered[-1], booked


async def test_moves_into_last_seat_at_once_move_one(
    web: httpx.AsyncClient, create_user: CreateUser, new_guru: NewGuru
) -> None:
    guru = new_guru(capacity=2)
    last, booked = await _full_but_one(web, create_user, guru, 4)
    responses = await asyncio.gather(*(post_move(user, booking, last) for user, booking in booked))
    outcomes = Counter(response.status_code for response in responses)
    assert outcomes == {200: 1, 409: 3}
    assert {code(response) for response in responses if response.status_code == 409} == {"session_full"}
    for (user, booking), response in zip(booked, responses, strict=True):
        now = await user.get(f"/api/bookings/{booking['id']}")
        assert now["startsAt"] == (last if response.status_code == 200 else booking["startsAt"])


@pytest.mark.parametrize("attempt", range(4))
async def test_move_and_cancel_at_once_have_one_effect(
    web: httpx.AsyncClient, create_user: CreateUser, new_guru: NewGuru, attempt: int
) -> None:
    guru = new_guru()
    user = await create_user("Torn Tess")
    offered = await free_starts(web, guru)
    booked = await book(user, guru, offered[-20])
    cancel = {"termsDigest": booked["terms"]["digest"], "reason": ""}
    path = f"/api/bookings/{booked['id']}/cancellation"
    moved, canceled = await asyncio.gather(
        post_move(user, booked, offered[-1]), user.request("POST", path, json=cancel)
    )
    assert sorted((moved.status_code, canceled.status_code)) == [200, 409]
    now = await user.get(f"/api/bookings/{booked['id']}")
    if moved.status_code == 200:
        assert (now["status"], now["startsAt"], code(canceled)) == ("confirmed", offered[-1], "terms_changed")
    else:
        assert (now["status"], now["startsAt"], code(moved)) == ("canceled", booked["startsAt"], "booking_changed")
    free = await free_starts(web, guru)
    assert offered[-20] in free
    assert (offered[-1] in free) == (canceled.status_code == 200)
