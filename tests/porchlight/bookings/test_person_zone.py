"""The zone in which a person chose the time of a session: kept with the booking, and in emails beside the guru's."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from uuid import UUID

import httpx
import psycopg
import pytest

from porchlight.app import Porchlight
from tests.fixtures.databases import Database
from tests.fixtures.identity import Signer
from tests.fixtures.jobs import do_jobs
from tests.porchlight.bookings.api import CreateUser, NewGuru, free_starts, hold, post_booking
from tests.porchlight.bookings.booking_emails import NOW, START, book, change, emails
from tests.porchlight.bookings.series import book_series, weekly
from tests.porchlight.bookings.sessions import create_owner

DENVER = "Tuesday, June 1, 2027, 9:00\u00a0AM to 10:00\u00a0AM\u00a0MDT"
BERLIN = "Tuesday, June 1, 2027, 5:00\u00a0PM to 6:00\u00a0PM\u00a0GMT+2"
UNTIL = {"expires_at": NOW + timedelta(hours=5)}
ONLINE = {"place": "online", "place_text": "https://meet.example/a"}


def zones(database: Database, *booking_ids: str) -> set[str]:
    with psycopg.connect(database.service_url) as conn:
        query = "SELECT person_zone FROM bookings WHERE id = ANY (%s)"
        return {zone for (zone,) in conn.execute(query, [[UUID(one) for one in booking_ids]]).fetchall()}


@pytest.mark.parametrize(
    ("columns", "person", "guru"),
    [
        ({"person_zone": "Europe/Berlin"}, f"{DENVER} (5:00\u00a0PM\u00a0GMT+2, your time)", DENVER),
        (
            {"person_zone": "Europe/Berlin"} | ONLINE,
            f"{BERLIN} (9:00\u00a0AM\u00a0MDT, their time)",
            f"{DENVER} (5:00\u00a0PM\u00a0GMT+2, their time)",
        ),
        (
            {"person_zone": "Pacific/Auckland"},
            f"{DENVER} (Wednesday, June 2, 2027, 3:00\u00a0AM\u00a0GMT+12, your time)",
            DENVER,
        ),
        ({"person_zone": "America/Boise"} | ONLINE, DENVER, DENVER),
        ({"person_zone": ""} | ONLINE, DENVER, DENVER),
    ],
)
async def test_email_shows_both_clocks_where_they_differ(
    database: Database, new_guru: NewGuru, columns: dict[str, Any], person: str, guru: str
) -> None:
    booking_id = book(database, new_guru(), status="held", **columns, **UNTIL)
    change(database, booking_id, status="confirmed", expires_at=None)
    await do_jobs(database)
    sent = emails(database, booking_id)
    assert f"When: {person}\n" in sent["booked", "person"]["plain"]
    assert f"When: {guru}\n" in sent["booked", "guru"]["plain"]
    starts = {email["invitation"].split("DTSTART:")[1].split("\r\n")[0] for email in sent.values()}
    assert starts == {f"{START:%Y%m%dT%H%M%SZ}"}


@pytest.mark.parametrize(
    ("sent", "kept"),
    [("Europe/Berlin", "Europe/Berlin"), ("Asia/Calcutta", "Asia/Kolkata"), ("Mars/Olympus", ""), ("", "")],
)
async def test_booking_keeps_a_known_zone(
    web: httpx.AsyncClient, create_user: CreateUser, new_guru: NewGuru, database: Database, sent: str, kept: str
) -> None:
    guru = new_guru()
    user = await create_user("Ada Neighbor")
    token = await hold(user, guru, (await free_starts(web, guru))[0])
    response = await post_booking(user, token, zone=sent)
    assert response.status_code == 201, response.text
    assert zones(database, response.json()["data"]["id"]) == {kept}


async def test_series_keeps_the_zone_of_each_session(
    app: Porchlight,
    web: httpx.AsyncClient,
    create_user: CreateUser,
    new_guru: NewGuru,
    database: Database,
    signer: Signer,
) -> None:
    guru = new_guru(**ONLINE)
    user = await create_user("Ada Neighbor")
    series = await book_series(user, guru, await weekly(web, guru, 3), zone="Europe/Berlin")
    ids = [one["id"] for one in series["bookings"]]
    assert zones(database, *ids) == {"Europe/Berlin"}
    owner = await create_owner(app, web, signer, database, guru)
    async with owner.web:
        assert (await owner.call("GET", f"/bookings/{ids[0]}"))["personZone"] == "Europe/Berlin"
