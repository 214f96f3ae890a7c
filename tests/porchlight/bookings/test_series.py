"""Series of sessions over HTTP: all or none, independent afterwards, and many people at once."""

from __future__ import annotations

import asyncio
from collections import Counter
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import httpx
import psycopg
import pytest

from porchlight.app import Porchlight
from tests.fixtures.databases import Database
from tests.fixtures.identity import Signer
from tests.fixtures.refusals import invalid_fields
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
from tests.porchlight.bookings.series import WEEK, book_series, post_series, weekly
from tests.porchlight.bookings.sessions import create_owner
from tests.porchlight.factories import SeededGuru


def seats(database: Database, guru: SeededGuru) -> list[tuple[Any, ...]]:
    """Return the live appointments with their taken seats, and the statuses of their bookings."""
    query = (
        "SELECT a.taken, array_agg(b.status ORDER BY b.status) FROM appointments a JOIN bookings b"
        " ON (b.tenant_id, b.appointment_id) = (a.tenant_id, a.id) WHERE a.tenant_id = %s AND a.live"
        " GROUP BY a.tenant_id, a.id"
    )
    with psycopg.connect(database.superuser_url) as conn:
        return conn.execute(query, [guru.id]).fetchall()


async def test_series_books_all_sessions(web: httpx.AsyncClient, create_user: CreateUser, new_guru: NewGuru) -> None:
    guru = new_guru(place="online", place_text="https://meet.example/a", capacity=3, party_max=2)
    user = await create_user("Series Sue")
    starts = await weekly(web, guru, 4)
    token = await hold(user, guru, starts[0], party=2)
    response = await post_series(user, token, starts[1:][::-1], participants=["Bo"], note="Hello")
    assert response.status_code == 201, response.text
    series = response.json()["data"]
    assert [one["startsAt"] for one in series["bookings"]] == starts
    shared = {"seriesId": series["id"], "status": "confirmed", "party": 2, "priceCents": 9002, "note": "Hello",
              "participants": ["Bo"], "placeText": "https://meet.example/a"}  # fmt: skip
    for one in series["bookings"]:
        assert {name: one[name] for name in shared} == shared
    assert (await user.get("/api/bookings"))["bookings"] == series["bookings"]
    assert await user.get(f"/api/bookings/series/{series['id']}") == series


async def test_series_of_visitors_hold_becomes_the_users(
    web: httpx.AsyncClient, create_user: CreateUser, new_guru: NewGuru
) -> None:
    guru = new_guru()
    starts = await weekly(web, guru, 2)
    token = await hold(web, guru, starts[0])
    user, other = await create_user("Visiting Vic"), await create_user("Other Olaf")
    response = await post_series(user, token, starts[1:])
    assert response.status_code == 201, response.text
    series_id = response.json()["data"]["id"]
    for path in (f"/api/bookings/series/{series_id}", "/api/bookings/series/x"):
        assert (await other.request("GET", path)).status_code == 404
    body = {"hold": token, "name": "Olaf", "policyDigest": "", "starts": starts[1:]}
    assert code(await other.request("POST", "/api/bookings/series", json=body)) == "hold_expired"


async def test_series_with_taken_times_books_nothing(
    web: httpx.AsyncClient, create_user: CreateUser, new_guru: NewGuru, database: Database
) -> None:
    guru = new_guru(capacity=1)
    user, other = await create_user("Partly Pia"), await create_user("Early Eve")
    starts = await weekly(web, guru, 4)
    await book(other, guru, starts[2])
    token = await hold(user, guru, starts[0])
    night = starts[3].replace(starts[3][11:16], "08:07")
    far = (datetime.fromisoformat(starts[0]) + 60 * WEEK).isoformat()
    response = await post_series(user, token, [starts[1], starts[2], night, far])
    assert code(response) == "series_partly_gone"
    assert response.json()["error"]["fields"] == {
        starts[2]: "That time was just taken. Please choose another.",
        night: "That time is no longer offered. Please choose another.",
        far.replace("+00:00", "Z"): "That time is no longer offered. Please choose another.",
    }
    assert sorted(seats(database, guru)) == [(1, ["confirmed"]), (1, ["held"])]
    assert starts[1] in await free_starts(web, guru)
    response = await post_series(user, token, [starts[1]])
    assert response.status_code == 201, response.text


async def test_series_with_overlapping_times_is_rejected(
    web: httpx.AsyncClient, create_user: CreateUser, new_guru: NewGuru
) -> None:
    guru = new_guru()
    user = await create_user("Overlap Ole")
    starts = await weekly(web, guru, 2)
    half_later = (datetime.fromisoformat(starts[1]) + timedelta(minutes=30)).isoformat().replace("+00:00", "Z")
    response = await post_series(user, await hold(user, guru, starts[0]), [starts[1], half_later])
    assert code(response) == "series_partly_gone"
    assert set(response.json()["error"]["fields"]) == {half_later}


async def test_series_at_time_of_expired_hold_is_booked(
    web: httpx.AsyncClient, create_user: CreateUser, new_guru: NewGuru, database: Database
) -> None:
    guru = new_guru()
    user = await create_user("Patient Pat")
    starts = await weekly(web, guru, 3)
    await hold(web, guru, starts[1])
    execute(database, "UPDATE bookings SET expires_at = app.now() WHERE tenant_id = %s", guru.id)
    assert len((await book_series(user, guru, starts))["bookings"]) == 3


@pytest.mark.parametrize(
    ("case", "message"),
    [
        ("none", "Choose at least one."),
        ("many", "Choose 11 or fewer."),
        ("twice", "Choose each time once."),
        ("own", "Choose each time once."),
    ],
)
async def test_series_with_invalid_starts_is_rejected(
    web: httpx.AsyncClient, create_user: CreateUser, new_guru: NewGuru, case: str, message: str
) -> None:
    guru = new_guru()
    user = await create_user("Invalid Ida")
    starts = await weekly(web, guru, 13)
    chosen = {"none": [], "many": starts[1:], "twice": [starts[1], starts[1]], "own": starts[:2]}[case]
    response = await post_series(user, await hold(user, guru, starts[0]), chosen)
    assert invalid_fields(response) == {"starts": message}
    assert (await user.get("/api/bookings"))["bookings"] == []


async def test_series_resent_with_key_is_the_same(
    web: httpx.AsyncClient, create_user: CreateUser, new_guru: NewGuru, database: Database
) -> None:
    guru = new_guru()
    user = await create_user("Double Dan")
    starts = await weekly(web, guru, 3)
    token = await hold(user, guru, starts[0])
    digest = (await user.get(f"/api/holds/{token}"))["policyDigest"]
    body = {"hold": token, "name": "Dan", "policyDigest": digest, "starts": starts[1:]}

    def post(**changes: Any) -> Any:
        headers = {"idempotency-key": "series-once"}
        return user.request("POST", "/api/bookings/series", json=body | changes, headers=headers)

    first, second = await asyncio.gather(post(), post())
    assert {first.status_code, second.status_code} <= {201, 409}
    third = await post()
    assert third.status_code == 201
    assert third.json()["data"]["id"] in first.text + second.text
    assert code(await post(note="another")) == "key_reused"
    assert len(seats(database, guru)) == 3


async def test_series_keeps_shown_price_and_terms(
    web: httpx.AsyncClient, create_user: CreateUser, new_guru: NewGuru, database: Database
) -> None:
    guru = new_guru(late_percent=50)
    user = await create_user("Terms Tia")
    starts = await weekly(web, guru, 3)
    token = await hold(user, guru, starts[0])
    assert code(await post_series(user, token, starts[1:], policyDigest="0" * 64)) == "policy_changed"
    execute(database, "UPDATE services SET price_cents = 9900 WHERE tenant_id = %s", guru.id)
    execute(database, "UPDATE booking_settings SET late_percent = 100 WHERE tenant_id = %s", guru.id)
    response = await post_series(user, token, starts[1:])
    assert response.status_code == 201, response.text
    copies = {(one["priceCents"], one["policyDigest"]) for one in response.json()["data"]["bookings"]}
    assert len(copies) == 1
    assert copies.pop()[0] == 4501


async def test_series_of_expired_hold_is_rejected(
    web: httpx.AsyncClient, create_user: CreateUser, new_guru: NewGuru, database: Database
) -> None:
    guru = new_guru()
    user = await create_user("Slow Sam")
    starts = await weekly(web, guru, 2)
    token = await hold(user, guru, starts[0])
    execute(database, "UPDATE bookings SET expires_at = app.now() WHERE tenant_id = %s", guru.id)
    assert code(await post_series(user, token, starts[1:])) == "hold_expired"


async def test_sessions_of_series_change_one_by_one(
    web: httpx.AsyncClient, create_user: CreateUser, new_guru: NewGuru, database: Database
) -> None:
    guru = new_guru()
    user = await create_user("Changing Cy")
    starts = await weekly(web, guru, 4)
    first, second, third, fourth = (await book_series(user, guru, starts))["bookings"]
    terms = {"termsDigest": first["terms"]["digest"]}
    response = await user.request("POST", f"/api/bookings/{first['id']}/cancellation", json=terms)
    assert response.json()["data"]["status"] == "canceled"
    later = (datetime.fromisoformat(third["startsAt"]) + timedelta(hours=1)).isoformat().replace("+00:00", "Z")
    move = {"startsAt": later, "termsDigest": third["terms"]["digest"]}
    assert (await user.request("POST", f"/api/bookings/{third['id']}/move", json=move)).status_code == 200
    now = (await user.get(f"/api/bookings/series/{first['seriesId']}"))["bookings"]
    assert [(one["status"], one["startsAt"]) for one in now] == [
        ("canceled", starts[0]), ("confirmed", starts[1]), ("confirmed", later), ("confirmed", starts[3]),
    ]  # fmt: skip
    assert (now[1], now[3]) == (second, fourth)
    assert starts[0] in await free_starts(web, guru)


async def test_series_needs_a_waiver_for_each_session(
    web: httpx.AsyncClient, create_user: CreateUser, new_guru: NewGuru, database: Database
) -> None:
    guru = new_guru(risk="high")
    user = await create_user("Risky Ron")
    starts = await weekly(web, guru, 6)
    token = await hold(user, guru, starts[0])
    assert code(await post_series(user, token, starts[1:])) == "waiver_required"
    accepted = await user.request("POST", "/api/liability/waiver", json=waiver(guru))
    until = datetime.fromisoformat(accepted.json()["data"]["expiresAt"])
    late = [start for start in starts if datetime.fromisoformat(start) >= until]
    response = await post_series(user, token, starts[1:])
    assert code(response) == "waiver_too_short"
    assert sorted(response.json()["error"]["fields"]) == late != []
    assert f"valid until {until:%b} {until.day}, {until.year}." in response.json()["error"]["message"]
    in_time = [start for start in starts[1:] if start not in late]
    response = await post_series(user, token, in_time)
    assert response.status_code == 201, response.text
    assert {one["waiverDue"] for one in response.json()["data"]["bookings"]} == {False}


async def test_requested_series_is_answered_as_a_whole(
    app: Porchlight,
    web: httpx.AsyncClient,
    create_user: CreateUser,
    new_guru: NewGuru,
    database: Database,
    signer: Signer,
) -> None:
    guru = new_guru(approval="request")
    user = await create_user("Asking Al")
    starts = await weekly(web, guru, 4)
    series = await book_series(user, guru, starts)
    assert {one["status"] for one in series["bookings"]} == {"requested"}
    owner = await create_owner(app, web, signer, database, guru)
    last, first = series["bookings"][-1], series["bookings"][0]
    path = "/bookings/{}/answer"
    declined = await owner.call("POST", path.format(last["id"]), {"accept": False, "reason": "Away."})
    assert declined["status"] == "declined"
    every = {"accept": True, "wholeSeries": True}
    accepted = await owner.call("POST", path.format(first["id"]), every)
    assert (accepted["status"], accepted["seriesId"]) == ("confirmed", series["id"])
    now = (await user.get(f"/api/bookings/series/{series['id']}"))["bookings"]
    assert [one["status"] for one in now] == ["confirmed"] * 3 + ["declined"]
    changed = await owner.call("POST", path.format(first["id"]), every, expect=409)
    assert changed["code"] == "booking_changed"


async def test_race_for_overlapping_series_has_one_winner(
    web: httpx.AsyncClient, create_user: CreateUser, new_guru: NewGuru, database: Database
) -> None:
    """Series in opposite orders, which share all times but the held one: one person gets all of them."""
    guru = new_guru(capacity=1)
    users = [await create_user(f"Racer {number}") for number in range(8)]
    offered = await free_starts(web, guru)
    shared = [offered[-40 + 4 * number] for number in range(4)]
    tokens = [await hold(user, guru, offered[2 * number]) for number, user in enumerate(users)]
    orders = [shared if number % 2 else shared[::-1] for number in range(len(users))]
    responses = await asyncio.gather(
        *(post_series(user, token, order) for user, token, order in zip(users, tokens, orders, strict=True))
    )
    assert Counter(response.status_code for response in responses) == {201: 1, 409: 7}
    lost = [response for response in responses if response.status_code == 409]
    assert {code(response) for response in lost} == {"series_partly_gone"}
    assert all(set(response.json()["error"]["fields"]) == set(shared) for response in lost)
    assert Counter(str(statuses) for _, statuses in seats(database, guru)) == {"['confirmed']": 5, "['held']": 7}


async def test_race_for_last_seats_keeps_series_whole(
    web: httpx.AsyncClient, create_user: CreateUser, new_guru: NewGuru, database: Database
) -> None:
    """Twelve people want the same four sessions with three seats each: three people get all four."""
    guru = new_guru(capacity=3)
    users = [await create_user(f"Seat {number}") for number in range(12)]
    offered = await free_starts(web, guru)
    shared = [offered[-40 + 4 * number] for number in range(4)]
    tokens = [await hold(user, guru, offered[2 * number]) for number, user in enumerate(users)]
    responses = await asyncio.gather(
        *(post_series(user, token, shared) for user, token in zip(users, tokens, strict=True))
    )
    assert Counter(response.status_code for response in responses) == {201: 3, 409: 9}
    with psycopg.connect(database.superuser_url) as conn:
        query = (
            "SELECT count(*) FROM bookings WHERE tenant_id = %s AND status = 'confirmed' GROUP BY person_id, series_id"
        )
        assert conn.execute(query, [guru.id]).fetchall() == [(5,)] * 3


async def test_single_booking_has_no_series(web: httpx.AsyncClient, create_user: CreateUser, new_guru: NewGuru) -> None:
    guru = new_guru()
    user = await create_user("Single Sid")
    token = await hold(user, guru, (await free_starts(web, guru))[0])
    booked = (await post_booking(user, token)).json()["data"]
    assert booked["seriesId"] is None
    assert (await user.request("GET", f"/api/bookings/series/{UUID(booked['id'])}")).status_code == 404
