"""Waivers that a guru requires below high risk, signed or not, and with the guru's own text: from hold to move."""

from __future__ import annotations

from typing import Any

import httpx
import psycopg

from tests.fixtures.databases import Database
from tests.porchlight.angels.users import ApiUser
from tests.porchlight.bookings.api import (
    CreateUser,
    NewGuru,
    code,
    execute,
    free_starts,
    hold,
    post_booking,
    waiver,
)
from tests.porchlight.bookings.test_moves import move
from tests.porchlight.factories import SeededGuru, insert_row

SIGNATURE = {"participantName": "Ada Neighbor", "typedName": "Ada Neighbor", "guardian": False}


async def accept(user: ApiUser, guru: SeededGuru, **changes: Any) -> httpx.Response:
    body = waiver(guru, "medium") | {"skillCategory": "Language", "activityDescription": "Spanish"} | changes
    return await user.request("POST", "/api/liability/waiver", json=body)


async def need(user: ApiUser, token: str) -> dict[str, Any]:
    """Return the waiver that a hold needs."""
    found: dict[str, Any] = (await user.get(f"/api/holds/{token}"))["waiver"]
    return found


async def test_low_risk_session_needs_a_waiver_that_the_guru_requires(
    web: httpx.AsyncClient, create_user: CreateUser, new_guru: NewGuru
) -> None:
    guru = new_guru(waiver="always", risk="low")
    user = await create_user("Low Lou")
    token = await hold(user, guru, (await free_starts(web, guru))[-1])
    found = await need(user, token)
    assert (found["required"], found["signed"], found["level"], found["outdated"]) == (True, False, "low", False)
    assert code(await post_booking(user, token)) == "waiver_required"
    assert (await accept(user, guru)).status_code == 201
    assert (await need(user, token))["validUntil"]
    booked = await post_booking(user, token)
    assert (booked.status_code, booked.json()["data"]["waiverDue"]) == (201, False)


async def test_guru_who_requires_a_signature_gets_one(
    web: httpx.AsyncClient, create_user: CreateUser, new_guru: NewGuru
) -> None:
    guru = new_guru(waiver="signed", risk="low")
    user = await create_user("Signing Sam")
    token = await hold(user, guru, (await free_starts(web, guru))[-1])
    assert (await need(user, token))["signed"] is True
    assert (await accept(user, guru)).status_code == 201
    found = await need(user, token)
    assert (found["validUntil"], found["outdated"]) == (None, True)
    assert code(await post_booking(user, token)) == "waiver_required"
    assert (await accept(user, guru, signature=SIGNATURE, guruTextVersion=0)).status_code == 201
    assert (await post_booking(user, token)).status_code == 201


async def test_changed_guru_text_is_for_new_bookings_only(
    web: httpx.AsyncClient, create_user: CreateUser, new_guru: NewGuru, database: Database
) -> None:
    guru = new_guru(waiver="always", risk="low")
    user = await create_user("Texting Tess")
    starts = await free_starts(web, guru)
    assert (await accept(user, guru)).status_code == 201
    booked = (await post_booking(user, await hold(user, guru, starts[-30]))).json()["data"]
    with psycopg.connect(database.service_url) as conn:
        insert_row(conn, "guru_waiver_texts", {"tenant_id": guru.id, "version": 3, "body": "Bring gloves."})
    token = await hold(user, guru, starts[-10])
    found = await need(user, token)
    assert (found["validUntil"], found["outdated"]) == (None, True)
    assert code(await post_booking(user, token)) == "waiver_required"
    # The booked session keeps its waiver, also when it moves and when the guru asks for more.
    execute(database, "UPDATE booking_settings SET waiver = 'signed' WHERE tenant_id = %s", guru.id)
    moved = await move(user, booked, starts[-20])
    assert (moved["waiverId"], moved["waiverDue"]) == (booked["waiverId"], False)
    assert (await accept(user, guru, signature=SIGNATURE, guruTextVersion=3)).status_code == 201
    again = await post_booking(user, token)
    assert (again.status_code, again.json()["data"]["waiverId"] != booked["waiverId"]) == (201, True)
