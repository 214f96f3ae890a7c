"""Holds and bookings over HTTP: from a visitor's hold to a booking and its cancellation."""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import httpx
import psycopg
import pytest

from porchlight.app import Porchlight
from tenants.kit import clock
from tenants.kit.ids import new_id
from tests.fixtures.databases import Database
from tests.fixtures.identity import PROJECT, CertificateServer, Signer, claims
from tests.fixtures.refusals import invalid_fields
from tests.porchlight.angels.users import register_user
from tests.porchlight.app_client import BASE_HOST, http_client, run_app
from tests.porchlight.bookings.api import (
    CreateUser,
    NewGuru,
    book,
    code,
    execute,
    free_starts,
    hold,
    post_booking,
    post_hold,
    waiver,
)


async def test_visitor_holds_signs_up_and_books(
    web: httpx.AsyncClient, create_user: CreateUser, new_guru: NewGuru
) -> None:
    guru = new_guru(place="online", place_text="https://meet.example/ada")
    start = (await free_starts(web, guru))[0]
    token = await hold(web, guru, start)
    assert start not in await free_starts(web, guru)
    held = (await web.get(f"/api/holds/{token}")).json()["data"]
    assert (held["status"], held["startsAt"], held["priceCents"]) == ("held", start, 4501)
    user = await create_user("Ada Neighbor")
    response = await post_booking(user, token)
    assert response.status_code == 201, response.text
    booked = response.json()["data"]
    assert (booked["status"], booked["startsAt"], booked["placeText"]) == (
        "confirmed",
        start,
        "https://meet.example/ada",
    )
    assert booked.pop("guru")["subdomain"] == guru.label
    assert (await user.get("/api/bookings"))["bookings"] == [booked]
    assert (await web.get(f"/api/holds/{token}")).status_code == 404


async def test_hold_of_unoffered_time_is_rejected(
    web: httpx.AsyncClient, create_user: CreateUser, new_guru: NewGuru, database: Database
) -> None:
    guru = new_guru()
    start = datetime.fromisoformat((await free_starts(web, guru))[0])
    soon = clock.now() + timedelta(hours=1)
    for moment, expected in (
        (start + timedelta(minutes=7), "slot_gone"),
        (start + timedelta(days=500), "slot_gone"),
        (soon - timedelta(days=1), "slot_gone"),
        (soon, "too_soon"),
    ):
        assert code(await post_hold(web, guru, moment.isoformat())) == expected
    assert code(await post_hold(web, guru, start.isoformat(), party=2)) == "party_too_large"
    await hold(web, guru, start.isoformat())
    assert code(await post_hold(web, guru, start.isoformat())) == "slot_taken"


async def test_hold_of_other_gurus_service_is_404(
    web: httpx.AsyncClient, create_user: CreateUser, new_guru: NewGuru, database: Database
) -> None:
    guru, other = new_guru(), new_guru()
    start = (await free_starts(web, other))[0]
    assert start in await free_starts(web, guru)
    body = {"serviceId": str(other.services[0]), "startsAt": start, "party": 1}
    user = await create_user("Foreign Flo")
    for client in (web, user):
        response = await client.request("POST", f"/api/gurus/{guru.label}/holds", json=body)
        assert (response.status_code, code(response)) == (404, "not_found")
    with psycopg.connect(database.superuser_url) as conn:
        for table in ("bookings", "appointments"):
            query = f"SELECT count(*) FROM {table} WHERE tenant_id = ANY(%s)".encode()
            assert conn.execute(query, [[guru.id, other.id]]).fetchone() == (0,)
    for offering in (guru, other):
        assert start in await free_starts(web, offering)


@pytest.mark.parametrize(
    "body",
    [
        {"startsAt": "tomorrow"},
        {"startsAt": "2030-01-01T10:00:00"},
        {"startsAt": "0001-01-01T00:00:00Z"},
        {"startsAt": "9999-12-31T23:59:59-12:00"},
        {"party": 0},
        {"party": 11},
        {"party": "1"},
        {"more": 1},
    ],
)
async def test_invalid_hold_is_rejected(web: httpx.AsyncClient, new_guru: NewGuru, body: dict[str, Any]) -> None:
    guru = new_guru()
    valid = {"serviceId": str(guru.services[0]), "startsAt": "2030-01-01T10:00:00Z", "party": 1}
    response = await web.post(f"/api/gurus/{guru.label}/holds", json=valid | body)
    assert list(invalid_fields(response)) == list(body)


async def test_hold_resent_with_key_is_the_same(web: httpx.AsyncClient, new_guru: NewGuru) -> None:
    guru = new_guru()
    start = (await free_starts(web, guru))[0]
    first = await post_hold(web, guru, start, key="once")
    second = await post_hold(web, guru, start, key="once")
    assert (first.status_code, first.json()) == (second.status_code, second.json())
    assert first.status_code == 201


async def test_released_hold_frees_the_time(web: httpx.AsyncClient, new_guru: NewGuru) -> None:
    guru = new_guru()
    start = (await free_starts(web, guru))[0]
    token = await hold(web, guru, start)
    for _ in range(2):
        assert (await web.delete(f"/api/holds/{token}")).status_code == 200
    assert (await web.get(f"/api/holds/{token}")).json()["data"]["status"] == "expired"
    assert (await free_starts(web, guru))[0] == start


async def test_expired_hold_cannot_be_booked(
    web: httpx.AsyncClient, create_user: CreateUser, new_guru: NewGuru, database: Database
) -> None:
    guru = new_guru()
    start = (await free_starts(web, guru))[0]
    token = await hold(web, guru, start)
    execute(database, "UPDATE bookings SET expires_at = app.now() WHERE tenant_id = %s", guru.id)
    user = await create_user("Late Larry")
    assert code(await post_booking(user, token)) == "hold_expired"
    await hold(web, guru, start)


async def test_booking_resent_with_key_is_the_same(
    web: httpx.AsyncClient, create_user: CreateUser, new_guru: NewGuru
) -> None:
    guru = new_guru()
    user = await create_user("Double Dora")
    token = await hold(user, guru, (await free_starts(web, guru))[0])
    digest = (await user.get(f"/api/holds/{token}"))["policyDigest"]
    headers = {"idempotency-key": "book-once"}
    first, second = await asyncio.gather(*(post_booking(user, token, digest, headers=headers) for _ in range(2)))
    assert {first.status_code, second.status_code} <= {201, 409}
    third = await post_booking(user, token, digest, headers=headers)
    assert third.status_code == 201
    assert third.json()["data"]["id"] in (first.text + second.text)
    other = await post_booking(user, token, digest, headers=headers, note="another")
    assert code(other) == "key_reused"


async def test_booking_on_other_terms_is_rejected(
    web: httpx.AsyncClient, create_user: CreateUser, new_guru: NewGuru
) -> None:
    user = await create_user("Termy Tom")
    guru = new_guru()
    token = await hold(user, guru, (await free_starts(web, guru))[0])
    assert code(await post_booking(user, token, "0" * 64)) == "policy_changed"


async def test_unverified_user_keeps_two_times_and_books_none(
    web: httpx.AsyncClient, signer: Signer, database: Database, new_guru: NewGuru
) -> None:
    guru = new_guru()
    user = await register_user(web, signer, database, "Una Unverified")
    uid = f"u{new_id().hex}"
    user.token = signer.token(claims(uid, email=f"{uid}@example.com", email_verified=False))
    headers = {"authorization": f"Bearer {user.token}"}
    await web.post("/api/auth/register", json={"displayName": "Una"}, headers=headers)
    first, second, third = (await free_starts(web, guru))[:9:4]
    token = await hold(user, guru, first)
    assert code(await post_booking(user, token)) == "email_unverified"
    await hold(user, guru, second)
    refused = await post_hold(user, guru, third)
    assert (refused.status_code, code(refused)) == (409, "holds_exhausted")
    assert refused.json()["error"]["message"].startswith("You're already keeping other times with this guru.")


async def test_risky_session_needs_a_valid_waiver(
    web: httpx.AsyncClient, create_user: CreateUser, new_guru: NewGuru, database: Database
) -> None:
    guru, other = new_guru(risk="high"), new_guru(risk="high")
    user = await create_user("Risky Rita")
    token = await hold(web, guru, (await free_starts(web, guru))[0])
    need = (await web.get(f"/api/holds/{token}")).json()["data"]["waiver"]
    assert (need["required"], need["level"]) == (True, "high")
    assert code(await post_booking(user, token)) == "waiver_required"
    for body in (waiver(other), waiver(guru) | {"exchangeId": "sample-climbing"}):
        assert (await user.request("POST", "/api/liability/waiver", json=body)).status_code == 201
        assert code(await post_booking(user, token)) == "waiver_required"
    accepted = await user.request("POST", "/api/liability/waiver", json=waiver(guru))
    assert accepted.status_code == 201, accepted.text
    booked = (await post_booking(user, token)).json()["data"]
    assert (booked["waiverLevel"], booked["waiverUntil"]) == ("high", accepted.json()["data"]["expiresAt"])


async def test_booking_with_expired_waiver_names_its_end(
    web: httpx.AsyncClient, create_user: CreateUser, new_guru: NewGuru, database: Database
) -> None:
    guru = new_guru(waiver="always")
    user = await create_user("Expired Ed")
    token = await hold(web, guru, (await free_starts(web, guru))[0])
    assert (await user.request("POST", "/api/liability/waiver", json=waiver(guru))).status_code == 201
    end = clock.now().replace(hour=18) - timedelta(days=2)  # the same day in the guru's zone
    with psycopg.connect(database.superuser_url) as superuser:
        superuser.execute("SET session_replication_role = replica")  # a trigger rejects changes of waivers
        superuser.execute(
            "UPDATE waivers SET accepted_at = %s, expires_at = %s WHERE user_id = %s",
            [end - timedelta(days=30), end, user.user_id],
        )
    response = await post_booking(user, token)
    assert code(response) == "waiver_expired"
    day = f"{end:%b} {end.day}, {end.year}"
    assert response.json()["error"]["message"] == f"Your waiver ran out on {day}. Please accept it again."


async def test_request_waits_for_the_guru(web: httpx.AsyncClient, create_user: CreateUser, new_guru: NewGuru) -> None:
    guru = new_guru(approval="request")
    user = await create_user("Asking Ann")
    asked = await book(user, guru, (await free_starts(web, guru))[-1])
    assert asked["status"] == "requested"
    wait = datetime.fromisoformat(asked["expiresAt"]) - clock.now()
    assert timedelta(hours=23) < wait <= timedelta(hours=24)
    assert [found["id"] for found in (await user.get("/api/bookings", when="waiting"))["bookings"]] == [asked["id"]]
    response = await user.request("POST", f"/api/bookings/{asked['id']}/cancellation", json={})
    assert (response.status_code, response.json()["data"]["status"]) == (200, "canceled")


async def test_request_for_a_near_start_can_be_answered(
    web: httpx.AsyncClient, create_user: CreateUser, new_guru: NewGuru, database: Database
) -> None:
    guru = new_guru(approval="request")
    execute(database, "UPDATE calendars SET notice_minutes = 0, step_minutes = 5 WHERE tenant_id = %s", guru.id)
    execute(database, "DELETE FROM weekly_hours WHERE tenant_id = %s", guru.id)
    all_day = "INSERT INTO weekly_hours SELECT %s, d, int4range(0, 1440) FROM generate_series(0, 6) d"
    execute(database, all_day, guru.id)
    starts = await free_starts(web, guru)
    user = await create_user("Quick Quinn")
    for number in (0, 13, 26):  # an hour apart, because each session takes one
        asked = await book(user, guru, starts[number])
        now, until, start = clock.now(), *(datetime.fromisoformat(asked[key]) for key in ("expiresAt", "startsAt"))
        assert start - now > timedelta(minutes=44)
        assert now + timedelta(minutes=29) < until <= start - timedelta(minutes=15)


async def test_cancellation_shows_and_keeps_its_cost(
    web: httpx.AsyncClient, create_user: CreateUser, new_guru: NewGuru, database: Database
) -> None:
    guru = new_guru(late_percent=50)
    user = await create_user("Canny Carl")
    start = (await free_starts(web, guru))[-1]
    booked = await book(user, guru, start)
    assert booked["terms"]["owedCents"] == 0
    path = f"/api/bookings/{booked['id']}/cancellation"
    execute(
        database,
        "UPDATE bookings SET starts_at = app.now() + interval '3 hours', ends_at = app.now() + interval '4 hours'"
        " WHERE id = %s",
        UUID(booked["id"]),
    )
    seen = {"termsDigest": booked["terms"]["digest"], "reason": "I am ill."}
    assert code(await user.request("POST", path, json=seen)) == "terms_changed"
    now = await user.get(f"/api/bookings/{booked['id']}")
    assert (now["terms"]["owedCents"], now["terms"]["freeUntil"]) == (2251, None)
    response = await user.request("POST", path, json=seen | {"termsDigest": now["terms"]["digest"]})
    canceled = response.json()["data"]
    assert (canceled["status"], canceled["owedCents"], canceled["endedBy"]) == ("canceled", 2251, "person")
    assert code(await user.request("POST", path, json=seen)) == "booking_changed"
    assert start in await free_starts(web, guru)


async def test_booking_of_other_user_is_unknown(
    web: httpx.AsyncClient, create_user: CreateUser, new_guru: NewGuru
) -> None:
    owner, other = await create_user("Own Olga"), await create_user("Nosy Nell")
    guru = new_guru()
    booked = await book(owner, guru, (await free_starts(web, guru))[0])
    for booking_id in (booked["id"], str(new_id()), "x"):
        path = f"/api/bookings/{booking_id}"
        assert (await other.request("GET", path)).status_code == 404
        assert (await other.request("POST", f"{path}/cancellation", json={})).status_code == 404
    assert (await other.get("/api/bookings"))["bookings"] == []


async def test_bookings_are_paged_by_time(web: httpx.AsyncClient, create_user: CreateUser, new_guru: NewGuru) -> None:
    user = await create_user("Paging Pat")
    guru = new_guru(capacity=1)
    first, second = (await free_starts(web, guru))[0], (await free_starts(web, guru))[6]
    ids = [(await book(user, guru, start))["id"] for start in (second, first)]
    page = await user.get("/api/bookings")
    assert [found["id"] for found in page["bookings"]] == [ids[1], ids[0]]
    assert page["nextCursor"] is None


async def test_hold_race_over_http_books_each_seat_once(
    app: Porchlight, web: httpx.AsyncClient, create_user: CreateUser, new_guru: NewGuru
) -> None:
    guru = new_guru(capacity=3)
    start = (await free_starts(web, guru))[0]
    users = [await create_user(f"Racer {number}") for number in range(12)]
    responses = await asyncio.gather(*(post_hold(user, guru, start) for user in users))
    outcomes = Counter(response.status_code for response in responses)
    assert outcomes == {201: 3, 409: 9}
    assert {code(response) for response in responses if response.status_code == 409} == {"session_full"}


async def test_hold_is_404_while_guru_has_booking_off(
    web: httpx.AsyncClient,
    create_user: CreateUser,
    new_guru: NewGuru,
    database: Database,
    certificates: CertificateServer,
) -> None:
    guru, other = new_guru(), new_guru()
    start = (await free_starts(web, guru))[0]
    user = await create_user("Late Lena")
    token, kept = await hold(user, guru, start), await hold(user, other, start)
    digest = (await user.get(f"/api/holds/{token}"))["policyDigest"]
    execute(database, "INSERT INTO guru_flags (tenant_id, name, enabled) VALUES (%s, 'booking', false)", guru.id)
    settings = {"firebase_project_id": PROJECT, "firebase_certs_url": certificates.url}
    async with run_app(database, **settings) as app, http_client(app, BASE_HOST) as visitor:
        assert (await post_hold(visitor, guru, start)).status_code == 404
        there = replace(user, web=visitor)
        assert (await post_booking(there, token)).status_code == 404
        series = {"hold": token, "starts": [start], "name": "Lena", "note": "", "policyDigest": digest}
        assert code(await there.request("POST", "/api/bookings/series", json=series)) == "not_found"
        assert (await post_booking(there, kept)).status_code == 201
        assert (await visitor.get(f"/api/gurus/{guru.label}/services/{guru.services[0]}/slots")).status_code == 404
        assert await free_starts(visitor, other)
