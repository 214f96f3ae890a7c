"""The guru's side of bookings over HTTP: lists, answers, cancellations, attendance; and who may not see or do it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import httpx
import psycopg
import pytest

from porchlight.app import Porchlight
from porchlight.features.bookings.guru import queries as guru_queries
from tenants.kit import clock
from tenants.kit.ids import new_id
from tests.fixtures.clock import INSTANT
from tests.fixtures.databases import Database
from tests.fixtures.identity import Signer
from tests.porchlight.admin.api_client import sign_in_admin
from tests.porchlight.angels.users import ApiUser
from tests.porchlight.bookings.api import CreateUser, NewGuru, execute
from tests.porchlight.bookings.sessions import book_session, create_owner, join_session, seed_block, session_of
from tests.porchlight.owner import GuruOwner

DENVER = ZoneInfo("America/Denver")
NOW = INSTANT
TOMORROW = NOW + timedelta(days=1)
REASON = {"reason": "My oven broke."}


@pytest.fixture
async def gina(
    app: Porchlight, web: httpx.AsyncClient, signer: Signer, database: Database, new_guru: NewGuru
) -> AsyncIterator[GuruOwner]:
    """The owner of a guru without bookings."""
    owner = await create_owner(app, web, signer, database, new_guru())
    yield owner
    await owner.web.aclose()


@pytest.fixture
async def otto(
    app: Porchlight, web: httpx.AsyncClient, signer: Signer, database: Database, new_guru: NewGuru
) -> AsyncIterator[GuruOwner]:
    """The owner of another guru."""
    owner = await create_owner(app, web, signer, database, new_guru())
    yield owner
    await owner.web.aclose()


@pytest.fixture
async def ada(create_user: CreateUser) -> ApiUser:
    """A neighbor."""
    return await create_user("Ada Neighbor")


def request_session(database: Database, owner: GuruOwner, user: ApiUser, **columns: Any) -> str:
    """Create a request for a session tomorrow."""
    values: dict[str, Any] = {
        "starts_at": TOMORROW,
        "status": "requested",
        "expires_at": NOW + timedelta(hours=5),
    } | columns
    return book_session(database, owner.guru, user, **values)


async def answer(
    owner: GuruOwner, booking_id: str, accept: bool, *, reason: str = "", expect: int = 200
) -> dict[str, Any]:
    body = {"accept": accept, "reason": reason}
    answered: dict[str, Any] = await owner.call("POST", f"/bookings/{booking_id}/answer", body, expect=expect)
    return answered


async def attend(owner: GuruOwner, booking_id: str, missed: bool, *, expect: int = 200) -> dict[str, Any]:
    path = f"/bookings/{booking_id}/attendance"
    recorded: dict[str, Any] = await owner.call("POST", path, {"missed": missed}, expect=expect)
    return recorded


def taken_seats(database: Database, booking_id: str) -> tuple[int, bool]:
    """Return how many seats of a booking's session are taken, and whether it takes place."""
    with psycopg.connect(database.service_url) as conn:
        query = "SELECT taken, live FROM appointments WHERE id = %s"
        row = conn.execute(query, [session_of(database, booking_id)]).fetchone()
    assert row is not None
    return row[0], row[1]


async def test_guru_accepts_a_request(database: Database, gina: GuruOwner, ada: ApiUser) -> None:
    booking_id = request_session(database, gina, ada, note="I am new.", participants=["Bo"])
    page = await gina.call("GET", "/bookings?when=requests")
    (waiting,) = page["bookings"]
    assert (page["requests"], waiting["personName"], waiting["canAnswer"]) == (1, "Ada Neighbor", True)
    assert (waiting["note"], waiting["participants"]) == ("I am new.", ["Bo"])
    accepted = await answer(gina, booking_id, accept=True)
    assert (accepted["status"], accepted["expiresAt"], accepted["canAnswer"], accepted["canCancel"]) == (
        "confirmed", None, False, True,
    )  # fmt: skip
    assert [(event["actor"], event["event"]) for event in accepted["events"]] == [
        ("person", "requested"), ("guru", "confirmed"),
    ]  # fmt: skip
    assert (await ada.get(f"/api/bookings/{booking_id}"))["status"] == "confirmed"
    after = await gina.call("GET", "/bookings?when=requests")
    assert (after["requests"], after["bookings"]) == (0, [])


async def test_guru_declines_a_request(database: Database, gina: GuruOwner, ada: ApiUser) -> None:
    booking_id = request_session(database, gina, ada)
    declined = await answer(gina, booking_id, accept=False, reason="I am away.")
    assert (declined["status"], declined["endedBy"], declined["reason"]) == ("declined", "guru", "I am away.")
    assert declined["events"][-1]["reason"] == "I am away."
    seen = await ada.get(f"/api/bookings/{booking_id}")
    assert (seen["status"], seen["reason"]) == ("declined", "I am away.")
    assert taken_seats(database, booking_id) == (0, False)


async def test_answer_twice_counts_once(database: Database, gina: GuruOwner, ada: ApiUser) -> None:
    booking_id = request_session(database, gina, ada)
    path, body = f"/api/guru/bookings/{booking_id}/answer", {"accept": True, "reason": ""}
    responses = await asyncio.gather(*(gina.web.post(path, json=body) for _ in range(4)))
    assert sorted(response.status_code for response in responses) == [200, 409, 409, 409]
    codes = {response.json()["error"]["code"] for response in responses if response.status_code == 409}
    assert codes == {"booking_changed"}
    assert (await answer(gina, booking_id, accept=False, expect=409))["code"] == "booking_changed"


async def test_expired_request_cannot_be_accepted(database: Database, gina: GuruOwner, ada: ApiUser) -> None:
    booking_id = request_session(database, gina, ada, expires_at=NOW - timedelta(seconds=1))
    assert (await gina.call("GET", "/bookings?when=requests"))["requests"] == 0
    found = await gina.call("GET", f"/bookings/{booking_id}")
    assert found["canAnswer"] is False
    error = await answer(gina, booking_id, accept=True, expect=409)
    assert error == {
        "code": "booking_changed", "message": "This session was changed in the meantime. Please reload.",
    }  # fmt: skip


async def test_accept_races_with_withdrawal(database: Database, gina: GuruOwner, create_user: CreateUser) -> None:
    user = await create_user("Wavering Will")
    for number in range(6):
        booking_id = request_session(database, gina, user, starts_at=TOMORROW + timedelta(days=number))
        accept, withdrawal = await asyncio.gather(
            gina.web.post(f"/api/guru/bookings/{booking_id}/answer", json={"accept": True, "reason": ""}),
            user.request("POST", f"/api/bookings/{booking_id}/cancellation", json={}),
        )
        status = (await user.get(f"/api/bookings/{booking_id}"))["status"]
        # A withdrawal after the answer would be a cancellation, whose terms the person has not seen.
        expected = {"confirmed": (200, 409), "canceled": (409, 200)}
        assert (accept.status_code, withdrawal.status_code) == expected[status]
        assert taken_seats(database, booking_id) == {"confirmed": (1, True), "canceled": (0, False)}[status]


async def test_guru_cancels_for_free(database: Database, gina: GuruOwner, ada: ApiUser) -> None:
    booking_id = book_session(database, gina.guru, ada, NOW + timedelta(hours=2))
    for body in ({}, {"reason": " "}, {"reason": "x" * 501}):
        await gina.call("POST", f"/bookings/{booking_id}/cancellation", body, expect=422)
    canceled = await gina.call("POST", f"/bookings/{booking_id}/cancellation", REASON)
    assert (canceled["status"], canceled["endedBy"], canceled["reason"], canceled["owedCents"]) == (
        "canceled", "guru", "My oven broke.", 0,
    )  # fmt: skip
    error = await gina.call("POST", f"/bookings/{booking_id}/cancellation", REASON, expect=409)
    assert error["code"] == "booking_changed"
    assert (await ada.get(f"/api/bookings/{booking_id}"))["endedBy"] == "guru"
    assert taken_seats(database, booking_id) == (0, False)


async def test_request_or_past_session_is_not_canceled(database: Database, gina: GuruOwner, ada: ApiUser) -> None:
    for booking_id in (
        request_session(database, gina, ada),
        book_session(database, gina.guru, ada, NOW - timedelta(hours=3)),
    ):
        error = await gina.call("POST", f"/bookings/{booking_id}/cancellation", REASON, expect=409)
        assert error["code"] == "booking_changed"


async def test_guru_cancels_a_session_with_everyone(
    database: Database, gina: GuruOwner, create_user: CreateUser
) -> None:
    users = [await create_user(name) for name in ("First", "Second", "Third")]
    first = book_session(database, gina.guru, users[0], TOMORROW)
    expires_at = (NOW + timedelta(hours=3)).isoformat()
    second = join_session(database, gina.guru, users[1], first, status="requested", expires_at=expires_at)
    held = {"status": "held", "expires_at": expires_at, "idempotency_key": None, "person_id": None}
    third = join_session(database, gina.guru, users[2], first, **held)
    with psycopg.connect(database.service_url) as conn:
        conn.execute("UPDATE appointments SET fixed = true WHERE tenant_id = %s", [gina.guru.id])
    path = f"/sessions/{session_of(database, first)}/cancellation"
    canceled = await gina.call("POST", path, REASON)
    assert {(row["id"], row["status"], row["reason"]) for row in canceled["bookings"]} == {
        (first, "canceled", "My oven broke."), (second, "declined", "My oven broke."),
    }  # fmt: skip
    assert taken_seats(database, third) == (0, False)
    assert (await gina.call("POST", path, REASON, expect=409))["code"] == "booking_changed"
    assert [(await user.get("/api/bookings", when="past"))["bookings"][0]["endedBy"] for user in users[:2]] == [
        "guru", "guru",
    ]  # fmt: skip


@pytest.mark.parametrize(("hours_ago", "before"), [(2, "confirmed"), (40, "completed"), (40, "confirmed")])
async def test_missed_session_is_recorded_and_undone(
    database: Database, gina: GuruOwner, ada: ApiUser, hours_ago: int, before: str
) -> None:
    booking_id = book_session(database, gina.guru, ada, NOW - timedelta(hours=hours_ago), status=before)
    assert (await gina.call("GET", f"/bookings/{booking_id}"))["canMarkMissed"] is True
    missed = await attend(gina, booking_id, missed=True)
    assert (missed["status"], missed["owedCents"], missed["canMarkMissed"]) == ("missed", 2251, True)
    assert (await ada.get(f"/api/bookings/{booking_id}"))["owedCents"] == 2251
    assert (await attend(gina, booking_id, missed=True, expect=409))["code"] == "booking_changed"
    undone = await attend(gina, booking_id, missed=False)
    assert (undone["status"], undone["owedCents"], undone["endedBy"]) == (
        "completed" if hours_ago > 24 else "confirmed", 0, "",
    )  # fmt: skip
    assert [(event["actor"], event["event"]) for event in undone["events"]][1:] == [
        ("guru", "missed"), ("guru", undone["status"]),
    ]  # fmt: skip
    assert (await attend(gina, booking_id, missed=False, expect=409))["code"] == "booking_changed"


@pytest.mark.parametrize("hours_ago", [-2, 0, 49])
async def test_attendance_is_open_for_48_hours(
    database: Database, gina: GuruOwner, ada: ApiUser, hours_ago: int
) -> None:
    booking_id = book_session(database, gina.guru, ada, NOW - timedelta(hours=hours_ago))
    assert (await gina.call("GET", f"/bookings/{booking_id}"))["canMarkMissed"] is False
    assert (await attend(gina, booking_id, missed=True, expect=409))["code"] == "attendance_closed"


async def test_lists_are_ordered_and_paged(database: Database, gina: GuruOwner, ada: ApiUser) -> None:
    days = [3, 1, 2, -2, -3]
    ids = {day: book_session(database, gina.guru, ada, NOW + timedelta(days=day)) for day in days}
    lapsed = request_session(database, gina, ada, status="expired", expires_at=None, starts_at=NOW + timedelta(hours=5))
    book_session(
        database, gina.guru, ada, NOW - timedelta(days=5), status="expired", idempotency_key=None, person_name=""
    )
    upcoming = await gina.call("GET", "/bookings")
    assert [row["id"] for row in upcoming["bookings"]] == [ids[1], ids[2], ids[3]]
    past = await gina.call("GET", "/bookings?when=past")
    assert [row["id"] for row in past["bookings"]] == [lapsed, ids[-2], ids[-3]]
    for number in range(20):
        book_session(database, gina.guru, ada, NOW + timedelta(days=20 + number))
    first = await gina.call("GET", "/bookings")
    second = await gina.call("GET", f"/bookings?cursor={first['nextCursor']}")
    assert (len(first["bookings"]), len(second["bookings"]), second["nextCursor"]) == (20, 3, None)
    starts = [row["startsAt"] for row in first["bookings"] + second["bookings"]]
    assert starts == sorted(set(starts))
    await gina.call("GET", "/bookings?cursor=x", expect=422)


async def test_overview_shows_what_is_next_and_waiting(
    database: Database, gina: GuruOwner, otto: GuruOwner, ada: ApiUser
) -> None:
    empty = await otto.call("GET", "/bookings/overview")
    lists: dict[str, Any] = {"next": [], "unplaced": []}
    numbers = {"requests": 0, "waiversDue": 0, "hasHours": True}
    assert {name: empty[name] for name in lists | numbers} == lists | numbers
    execute(database, "DELETE FROM weekly_hours WHERE tenant_id = %s", otto.guru.id)
    execute(database, "DELETE FROM date_hours WHERE tenant_id = %s", otto.guru.id)
    assert (await otto.call("GET", "/bookings/overview"))["hasHours"] is False
    ids = {day: book_session(database, gina.guru, ada, NOW + timedelta(days=day)) for day in (4, 2, 3, 5, -1)}
    # Not relative to NOW: on a slow machine, the session would be over when the test runs.
    underway = book_session(database, gina.guru, ada, clock.now() - timedelta(minutes=5))
    book_session(database, gina.guru, ada, NOW + timedelta(days=6), waiver_level="high", waiver_until=None)
    request_session(database, gina, ada)
    request_session(database, gina, ada, starts_at=NOW + timedelta(days=9), expires_at=NOW - timedelta(minutes=1))
    found = await gina.call("GET", "/bookings/overview")
    assert [row["id"] for row in found["next"]] == [underway, ids[2], ids[3]]
    assert (found["next"][0]["personName"], found["next"][0]["serviceName"]) == ("Ada Neighbor", "Lesson")
    assert (found["requests"], found["waiversDue"]) == (1, 1)
    assert (await otto.call("GET", "/bookings/overview"))["next"] == []


async def test_person_sees_what_became_of_a_request(
    database: Database, gina: GuruOwner, ada: ApiUser, create_user: CreateUser
) -> None:
    booking_id = request_session(database, gina, ada, status="expired", expires_at=None, ended_by="system")
    seen = await ada.get(f"/api/bookings/{booking_id}")
    assert (seen["status"], seen["endedBy"], seen["proposal"]) == ("expired", "system", None)
    assert [row["id"] for row in (await ada.get("/api/bookings", when="past"))["bookings"]] == [booking_id]
    response = await ada.request("POST", f"/api/bookings/{booking_id}/cancellation", json={})
    assert (response.status_code, response.json()["error"]["code"]) == (409, "booking_changed")
    other = await create_user("Nosy Neighbor")
    assert (await other.request("GET", f"/api/bookings/{booking_id}")).status_code == 404
    # A hold that ended was no request.
    held = request_session(
        database, gina, ada, status="expired", expires_at=None, idempotency_key=None, starts_at=NOW + timedelta(days=3)
    )
    assert (await ada.request("GET", f"/api/bookings/{held}")).status_code == 404


async def test_week_shows_sessions_of_local_days(
    database: Database, gina: GuruOwner, ada: ApiUser, create_user: CreateUser
) -> None:
    first_day = (NOW.astimezone(DENVER) + timedelta(days=30)).date()
    midnight = datetime(first_day.year, first_day.month, first_day.day, tzinfo=DENVER)
    booked = book_session(database, gina.guru, ada, midnight)
    held = {"status": "held", "expires_at": (NOW + timedelta(days=1)).isoformat(), "idempotency_key": None}
    join_session(database, gina.guru, await create_user("Hidden Holder"), booked, person_name="", **held)
    book_session(database, gina.guru, ada, midnight - timedelta(hours=1))
    last = book_session(database, gina.guru, ada, midnight + timedelta(days=6, hours=20))
    book_session(database, gina.guru, ada, midnight + timedelta(days=7, hours=2))
    seed_block(database, gina.guru, midnight + timedelta(days=2), midnight + timedelta(days=3))
    execute(database, "UPDATE waitlist SET status = 'waiting' WHERE tenant_id = %s", gina.guru.id)
    week = await gina.call("GET", f"/bookings/week?from={first_day}")
    assert (week["zone"], week["from"]) == ("America/Denver", first_day.isoformat())
    assert [(found["kind"], found["taken"], found["waiting"]) for found in week["sessions"]] == [
        ("session", 2, 1), ("block", 0, 0), ("session", 1, 1),
    ]  # fmt: skip
    session = week["sessions"][0]
    assert (session["serviceName"], session["capacity"], session["fixed"]) == ("Lesson", 2, False)
    assert [(row["id"], row["status"], row["personName"]) for row in session["bookings"]] == [
        (booked, "confirmed", "Ada Neighbor"), (session["bookings"][1]["id"], "held", ""),
    ]  # fmt: skip
    assert [row["id"] for row in week["sessions"][2]["bookings"]] == [last]
    today = await gina.call("GET", "/bookings/week")
    assert today["from"] == clock.now().astimezone(DENVER).date().isoformat()
    for wrong in ("x", "0001-01-01", "9999-12-31", "2027-02-30"):
        await gina.call("GET", f"/bookings/week?from={wrong}", expect=422)


async def test_week_limits_the_bookings_that_it_shows(
    database: Database, gina: GuruOwner, ada: ApiUser, create_user: CreateUser, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = book_session(database, gina.guru, ada, TOMORROW)
    joined = join_session(database, gina.guru, await create_user("Bo Neighbor"), first)
    later = book_session(database, gina.guru, ada, TOMORROW + timedelta(days=1))
    for limit, shown in ((3, [{first, joined}, {later}]), (2, [{first, joined}, set()])):
        monkeypatch.setattr(guru_queries, "MAX_WEEK_BOOKINGS", limit)
        week = await gina.call("GET", "/bookings/week")
        assert [{row["id"] for row in session["bookings"]} for session in week["sessions"]] == shown
        assert (week["more"], [session["taken"] for session in week["sessions"]]) == (limit == 2, [2, 1])


async def test_waiver_is_due_if_invalid_at_start(database: Database, gina: GuruOwner, ada: ApiUser) -> None:
    for days, until, due in ((1, TOMORROW, True), (2, None, True), (3, NOW + timedelta(days=9), False)):
        booking_id = book_session(
            database, gina.guru, ada, NOW + timedelta(days=days), waiver_level="high", waiver_until=until
        )
        assert (await gina.call("GET", f"/bookings/{booking_id}"))["waiverDue"] is due
    plain = book_session(database, gina.guru, ada, NOW + timedelta(days=4))
    assert (await gina.call("GET", f"/bookings/{plain}"))["waiverDue"] is False


async def test_hold_is_no_booking_for_the_guru(database: Database, gina: GuruOwner, ada: ApiUser) -> None:
    booking_id = request_session(database, gina, ada, status="held", idempotency_key=None, person_name="")
    error = await gina.call("GET", f"/bookings/{booking_id}", expect=404)
    assert error == await gina.call("GET", f"/bookings/{new_id()}", expect=404)
    assert error == await answer(gina, booking_id, accept=True, expect=404)


async def test_other_guru_cannot_see_or_change(
    database: Database, gina: GuruOwner, otto: GuruOwner, ada: ApiUser
) -> None:
    booking_id = request_session(database, gina, ada)
    for path in (f"/bookings/{booking_id}", f"/bookings/{new_id()}", "/bookings/x"):
        await otto.call("GET", path, expect=404)
        await otto.call("POST", f"{path}/answer", {"accept": True, "reason": ""}, expect=404)
        await otto.call("POST", f"{path}/cancellation", REASON, expect=404)
        await otto.call("POST", f"{path}/attendance", {"missed": True}, expect=404)
        await otto.call("POST", f"{path}/move", {"startsAt": TOMORROW.isoformat(), **REASON}, expect=404)
    session = session_of(database, booking_id)
    await otto.call("POST", f"/sessions/{session}/cancellation", REASON, expect=404)
    assert (await otto.call("GET", "/bookings?when=requests"))["bookings"] == []
    first_day = TOMORROW.astimezone(DENVER).date()
    assert (await otto.call("GET", f"/bookings/week?from={first_day}"))["sessions"] == []
    # The person of the booking is no guru.
    assert (await ada.request("GET", f"/api/guru/bookings/{booking_id}")).status_code == 404


async def test_impersonation_sees_times_but_no_bookings(
    web: httpx.AsyncClient, database: Database, gina: GuruOwner, ada: ApiUser
) -> None:
    booking_id = request_session(database, gina, ada)
    staff = await sign_in_admin(web)
    body = {"reason": "The guru called"}
    started = await web.post(f"/api/admin/sites/{gina.guru.label}/impersonation", json=body, headers=staff)
    assert started.status_code == 200, started.text
    await web.put("/api/admin/impersonation/writing", json=body, headers=staff)
    headers = staff | {"porchlight-impersonate": gina.guru.label}
    first_day = TOMORROW.astimezone(DENVER).date()
    week = (await web.get(f"/api/guru/bookings/week?from={first_day}", headers=headers)).json()["data"]
    assert [(found["taken"], found["bookings"]) for found in week["sessions"]] == [(1, [])]
    page = (await web.get("/api/guru/bookings?when=requests", headers=headers)).json()["data"]
    assert page == {"bookings": [], "nextCursor": None, "requests": 0}
    assert (await web.get(f"/api/guru/bookings/{booking_id}", headers=headers)).status_code == 404
    for path, change, status in (
        (f"bookings/{booking_id}/answer", {"accept": True, "reason": ""}, 404),
        (f"bookings/{booking_id}/cancellation", REASON, 404),
        (f"bookings/{booking_id}/attendance", {"missed": True}, 404),
        (f"bookings/{booking_id}/move", {"startsAt": TOMORROW.isoformat(), "reason": "Ill"}, 404),
        (f"sessions/{session_of(database, booking_id)}/cancellation", REASON, 403),
    ):
        response = await web.post(f"/api/guru/{path}", json=change, headers=headers)
        assert response.status_code == status, (path, response.text)
    assert (await ada.get(f"/api/bookings/{booking_id}"))["status"] == "requested"
