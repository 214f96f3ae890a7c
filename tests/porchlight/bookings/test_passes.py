"""Passes and check-in over HTTP: the pass of each side, the roster, three devices, and what other gurus can't do."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

import httpx
import psycopg
import pytest
from psycopg.types.json import Jsonb

from porchlight.app import Porchlight
from porchlight.features.bookings.passes.keys import PassKeys
from porchlight.features.bookings.passes.signed_pass import Pass, read_pass, sign_pass, text_of
from porchlight.features.bookings.passes.signed_pass import pass_of as content_of
from porchlight.personal_links import CustomerLink
from tests.fixtures.clock import INSTANT
from tests.fixtures.databases import Database
from tests.fixtures.refusals import invalid_fields
from tests.porchlight.angels.users import ApiUser
from tests.porchlight.bookings.api import CreateUser, code, execute
from tests.porchlight.bookings.sessions import book_session, join_session
from tests.porchlight.owner import GuruOwner
from tests.tenants.isolation import set_tenant, set_user

NewOwner = Callable[..., Awaitable[GuruOwner]]
NOW = INSTANT
SOON = NOW + timedelta(hours=1)
DENVER = ZoneInfo("America/Denver")


@pytest.fixture
async def host(new_owner: NewOwner) -> GuruOwner:
    """The owner of a guru without bookings."""
    return await new_owner()


@pytest.fixture
async def other_host(new_owner: NewOwner) -> GuruOwner:
    """The owner of another guru."""
    return await new_owner()


@pytest.fixture
async def ada(create_user: CreateUser) -> ApiUser:
    """A neighbor."""
    return await create_user("Ada Neighbor")


def iso(moment: datetime) -> str:
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")


async def put(
    owner: GuruOwner, booking_id: str, *, at: datetime = NOW, device: str = "Front door", **changes: Any
) -> httpx.Response:
    body = {"at": iso(at), "device": device} | changes
    return await owner.web.put(f"/api/guru/check-ins/{booking_id}", json=body)


async def undo(owner: GuruOwner, booking_id: str, at: datetime = NOW) -> httpx.Response:
    return await owner.web.delete(f"/api/guru/check-ins/{booking_id}", params={"at": iso(at)})


async def roster(owner: GuruOwner) -> dict[str, Any]:
    found: dict[str, Any] = await owner.call("GET", "/check-ins")
    return found


def state(database: Database, booking_id: str) -> tuple[datetime | None, str]:
    with psycopg.connect(database.service_url) as conn:
        row = conn.execute("SELECT checked_in_at, checked_in_by FROM bookings WHERE id = %s", [booking_id]).fetchone()
    assert row is not None
    return row[0], row[1]


def message(response: httpx.Response) -> str:
    return str(response.json()["error"]["message"])


async def test_pass_is_of_the_own_session(database: Database, app: Porchlight, host: GuruOwner, ada: ApiUser) -> None:
    booking_id = book_session(
        database, host.guru, ada, SOON, place="guru", place_text="12 Elm Street", participants=["Bo"], sequence=4
    )
    got = await ada.get(f"/api/bookings/{booking_id}/pass")
    assert (got["serviceName"], got["placeText"], got["participants"]) == ("Lesson", "12 Elm Street", ["Bo"])
    assert got["checkedInAt"] is None
    keys = (await roster(host))["keys"]
    assert keys == PassKeys(app.settings).published
    signed = read_pass(got["text"], PassKeys(app.settings).public_keys)
    assert signed == Pass(UUID(booking_id), host.guru.id, SOON.replace(microsecond=0), 60, 4)


async def test_pass_is_hidden_from_others(
    database: Database, host: GuruOwner, ada: ApiUser, create_user: CreateUser
) -> None:
    booking_id = book_session(database, host.guru, ada, SOON)
    other = await create_user("Theo Other")
    assert code(await other.request("GET", f"/api/bookings/{booking_id}/pass")) == "not_found"


@pytest.mark.parametrize(
    ("status", "text"),
    [("requested", "when it is booked"), ("canceled", "was canceled"), ("missed", "is over")],
)
async def test_session_that_is_not_booked_has_no_pass(
    database: Database, host: GuruOwner, ada: ApiUser, status: str, text: str
) -> None:
    until = NOW + timedelta(hours=5) if status == "requested" else None
    booking_id = book_session(database, host.guru, ada, SOON, status=status, expires_at=until)
    response = await ada.request("GET", f"/api/bookings/{booking_id}/pass")
    assert code(response) == "no_pass"
    assert text in message(response)


async def test_customer_without_account_has_a_pass(database: Database, web: httpx.AsyncClient, host: GuruOwner) -> None:
    start = (NOW.astimezone(DENVER) + timedelta(days=1)).replace(hour=12, minute=0)
    body = {"serviceId": str(host.guru.services[0]), "startsAt": start.isoformat(), "name": "Carl Customer"}
    body |= {"confirmed": ["outside_hours"]}  # type: ignore[dict-item]
    booked = await host.call("POST", "/bookings", body, expect=201)
    with psycopg.connect(database.service_url) as conn:
        row = conn.execute("SELECT customer_token FROM bookings WHERE id = %s", [booked["id"]]).fetchone()
    assert row is not None
    link = CustomerLink(host.guru.id, row[0]).text
    response = await web.get(f"/api/booked/{link}/pass")
    assert response.status_code == 200, response.text
    assert response.headers["cache-control"] == "no-store"
    assert response.json()["data"]["personName"] == "Carl Customer"
    assert (await web.get(f"/api/booked/{link[:-4]}AAAA/pass")).status_code == 404


async def test_roster_lists_who_comes(
    database: Database, host: GuruOwner, ada: ApiUser, create_user: CreateUser
) -> None:
    first = book_session(database, host.guru, ada, SOON, party=2, participants=["Ada", "Bo"])
    theo = await create_user("Theo Other")
    second = join_session(database, host.guru, theo, first, party=1, participants=[])
    for days, status in ((-3, "completed"), (3, "confirmed"), (1, "canceled")):
        book_session(database, host.guru, ada, SOON + timedelta(days=days), status=status)
    (session,) = (await roster(host))["sessions"]
    assert [(one["bookingId"], one["name"], one["party"]) for one in session["people"]] == [
        (first, "Ada Neighbor", 2), (second, "Theo Other", 1),
    ]  # fmt: skip
    got = await ada.get(f"/api/bookings/{first}/pass")
    assert session["people"][0]["code"] == got["code"]
    assert session["opensAt"] < session["startsAt"] < session["passesUntil"] < session["closesAt"]


async def test_guru_checks_in_with_a_pass_and_undoes_it(database: Database, host: GuruOwner, ada: ApiUser) -> None:
    booking_id = book_session(database, host.guru, ada, SOON)
    text = (await ada.get(f"/api/bookings/{booking_id}/pass"))["text"]
    response = await put(host, booking_id, **{"pass": text})
    assert response.status_code == 200, response.text
    person = response.json()["data"]
    assert (person["checkedInAt"], person["checkedInBy"]) == (iso(NOW), "Front door")
    seen = await host.call("GET", f"/bookings/{booking_id}")
    assert (seen["checkedInAt"], seen["checkedInBy"], seen["status"]) == (iso(NOW), "Front door", "confirmed")
    assert (seen["events"][-1]["event"], seen["events"][-1]["actor"]) == ("checked_in", "guru")
    assert (await ada.get(f"/api/bookings/{booking_id}"))["checkedInAt"] == iso(NOW)
    # A resend, and an undo that arrives twice.
    assert (await put(host, booking_id, **{"pass": text})).status_code == 200
    assert code(await undo(host, booking_id, NOW - timedelta(minutes=1))) == "already_checked_in"
    for _ in range(2):
        undone = await undo(host, booking_id)
        assert (undone.status_code, undone.json()["data"]["checkedInAt"]) == (200, None)
    events = (await host.call("GET", f"/bookings/{booking_id}"))["events"]
    assert [one["event"] for one in events[-2:]] == ["checked_in", "check_in_undone"]


@pytest.mark.race
async def test_three_devices_check_one_pass_in_once(database: Database, host: GuruOwner, ada: ApiUser) -> None:
    booking_id = book_session(database, host.guru, ada, SOON)
    text = (await ada.get(f"/api/bookings/{booking_id}/pass"))["text"]
    devices = ("Front door", "Back door", "Phone")
    asked = [
        put(host, booking_id, at=NOW - timedelta(minutes=number), device=device, **{"pass": text})
        for number, device in enumerate(devices)
    ]
    responses = await asyncio.gather(*asked)
    at, by = state(database, booking_id)
    assert at is not None
    won = [response for response in responses if response.status_code == 200]
    lost = [response for response in responses if response.status_code == 409]
    assert (len(won), len(lost)) == (1, 2)
    local = at.astimezone(DENVER)
    clock_text = f"{local.hour % 12 or 12}:{local:%M} {local:%p}"
    for response in lost:
        assert code(response) == "already_checked_in"
        said = message(response).replace("\u00a0", " ")
        assert said.startswith(f"Already checked in at {clock_text}")
        assert said.endswith(f" by {by}.")
    events = (await host.call("GET", f"/bookings/{booking_id}"))["events"]
    assert [one["event"] for one in events].count("checked_in") == 1


async def test_forged_and_outdated_passes_are_refused(
    database: Database, app: Porchlight, host: GuruOwner, other_host: GuruOwner, ada: ApiUser
) -> None:
    booking_id = book_session(database, host.guru, ada, SOON)
    elsewhere = book_session(database, other_host.guru, ada, SOON + timedelta(hours=2))
    key = PassKeys(app.settings).current
    text = (await ada.get(f"/api/bookings/{booking_id}/pass"))["text"]
    of_other_guru = (await ada.get(f"/api/bookings/{elsewhere}/pass"))["text"]
    old = content_of(UUID(booking_id), host.guru.id, SOON, SOON + timedelta(hours=1), 1)
    forged = ("B" if text[-20] != "B" else "C").join((text[:-20], text[-19:]))
    cases = {
        forged: "pass_invalid",
        "https://example.com/": "pass_invalid",
        of_other_guru: "pass_of_other_guru",
        text_of(sign_pass(old, key)): "pass_outdated",
    }
    for shown, expected in cases.items():
        assert code(await put(host, booking_id, **{"pass": shown})) == expected
    assert state(database, booking_id) == (None, "")
    execute(database, "UPDATE bookings SET sequence = 1 WHERE id = %s", booking_id)
    assert code(await put(host, booking_id, **{"pass": text})) == "pass_outdated"
    execute(database, "UPDATE bookings SET status = 'canceled' WHERE id = %s", booking_id)
    assert code(await put(host, booking_id, **{"pass": text})) == "pass_ended"


async def test_pass_of_another_day_says_which(database: Database, host: GuruOwner, ada: ApiUser) -> None:
    booking_id = book_session(database, host.guru, ada, SOON + timedelta(days=2))
    text = (await ada.get(f"/api/bookings/{booking_id}/pass"))["text"]
    refused = await put(host, booking_id, **{"pass": text})
    assert code(refused) == "pass_of_other_day"
    assert f"{(SOON + timedelta(days=2)).astimezone(DENVER):%A, %B}" in message(refused)
    early = await put(host, booking_id)
    assert code(early) == "check_in_early"
    assert "opens on" in message(early)


async def test_missing_waiver_is_shown_before_check_in(database: Database, host: GuruOwner, ada: ApiUser) -> None:
    booking_id = book_session(database, host.guru, ada, SOON, waiver_level="high")
    (session,) = (await roster(host))["sessions"]
    assert session["people"][0]["waiverDue"] is True
    refused = await put(host, booking_id)
    assert code(refused) == "waiver_due"
    assert message(refused).startswith("Waiver due")
    assert (await put(host, booking_id, waiverDueSeen=True)).status_code == 200


async def test_checked_in_person_is_not_marked_missed(database: Database, host: GuruOwner, ada: ApiUser) -> None:
    booking_id = book_session(database, host.guru, ada, NOW - timedelta(hours=2))
    assert (await put(host, booking_id)).status_code == 200
    seen = await host.call("GET", f"/bookings/{booking_id}")
    assert seen["canMarkMissed"] is False
    path = f"/api/guru/bookings/{booking_id}/attendance"
    refused = await host.web.post(path, json={"missed": True})
    assert code(refused) == "already_checked_in"
    assert (await undo(host, booking_id)).status_code == 200
    assert (await host.web.post(path, json={"missed": True})).status_code == 200
    assert code(await put(host, booking_id)) == "marked_missed"


@pytest.mark.isolation
async def test_check_in_of_another_guru_is_unknown(
    database: Database, web: httpx.AsyncClient, host: GuruOwner, other_host: GuruOwner, ada: ApiUser
) -> None:
    booking_id = book_session(database, host.guru, ada, SOON)
    text = (await ada.get(f"/api/bookings/{booking_id}/pass"))["text"]
    assert (await roster(other_host))["sessions"] == []
    assert code(await put(other_host, booking_id)) == "not_found"
    assert code(await put(other_host, booking_id, **{"pass": text})) == "pass_of_other_guru"
    assert code(await undo(other_host, booking_id)) == "not_found"
    assert (await put(host, booking_id)).status_code == 200
    assert code(await undo(other_host, booking_id)) == "not_found"
    assert state(database, booking_id)[1] == "Front door"
    web.cookies.clear()
    assert (await web.get("/api/guru/check-ins")).status_code == 401


async def test_person_cannot_check_themselves_in(database: Database, host: GuruOwner, ada: ApiUser) -> None:
    booking_id = book_session(database, host.guru, ada, SOON)
    values = {"checked_in_at": iso(NOW), "checked_in_by": "Me"}
    changes = {"bookings": [{"id": booking_id, "was": "confirmed", "values": values}], "emails_due_at": iso(NOW)}
    with psycopg.connect(database.app_url) as conn:
        set_tenant(conn, host.guru.id)
        set_user(conn, ada.user_id)
        with pytest.raises(psycopg.errors.InsufficientPrivilege, match="only the guru checks people in"):
            conn.execute("SELECT app.apply_bookings(%s)", [Jsonb(changes)])


@pytest.mark.parametrize(
    "changes",
    [{"device": ""}, {"device": "x" * 41}, {"at": "2027-03-10T18:00:00"}, {"pass": "x" * 201}, {"extra": 1}],
)
async def test_check_in_with_invalid_values_is_rejected(
    database: Database, host: GuruOwner, ada: ApiUser, changes: dict[str, Any]
) -> None:
    booking_id = book_session(database, host.guru, ada, SOON)
    body = {"at": iso(NOW), "device": "Front door"} | changes
    response = await host.web.put(f"/api/guru/check-ins/{booking_id}", json=body)
    assert list(invalid_fields(response)) == list(changes)
