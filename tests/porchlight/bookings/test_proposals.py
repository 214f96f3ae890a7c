"""Other times that a guru proposes for a booking, and the person's answers."""

from __future__ import annotations

import asyncio
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import httpx
import psycopg
import pytest
from psycopg.types.json import Jsonb

from porchlight.features.bookings import deadlines
from tenants.kit import clock
from tests.fixtures.databases import Database
from tests.fixtures.jobs import do_jobs
from tests.porchlight.angels.users import ApiUser
from tests.porchlight.bookings.api import CreateUser, book, code, execute, free_starts, waiver
from tests.porchlight.bookings.booking_emails import emails, statuses
from tests.porchlight.bookings.sessions import book_session, erase_bookings
from tests.porchlight.factories import SeededGuru
from tests.porchlight.owner import GuruOwner

REASON = "My oven broke."
CreateOwner = Any


@pytest.fixture
async def gina(new_owner: CreateOwner) -> GuruOwner:
    """The owner of a guru."""
    owner: GuruOwner = await new_owner()
    return owner


@pytest.fixture
async def maya(create_user: CreateUser) -> ApiUser:
    """A neighbor."""
    return await create_user("Maya Mover")


async def propose(owner: GuruOwner, booking_id: str, start: str, *, expect: int = 200) -> dict[str, Any]:
    body = {"startsAt": start, "reason": REASON}
    answered: dict[str, Any] = await owner.call("POST", f"/bookings/{booking_id}/move", body, expect=expect)
    return answered


async def answer(user: ApiUser, booking_id: str, start: str, *, accept: bool, reason: str = "") -> httpx.Response:
    body = {"accept": accept, "startsAt": start, "reason": reason}
    return await user.request("POST", f"/api/bookings/{booking_id}/answers", json=body)


async def ask_to_move(
    web: httpx.AsyncClient, owner: GuruOwner, user: ApiUser, *, old: int = -20, new: int = -1
) -> tuple[dict[str, Any], str]:
    """Book a session and propose another time for it. Returns the booking before, and the proposed start."""
    offered = await free_starts(web, owner.guru)
    booked = await book(user, owner.guru, offered[old])
    await propose(owner, booked["id"], offered[new])
    return booked, offered[new]


def events(database: Database, booking_id: str) -> list[tuple[str, str]]:
    with psycopg.connect(database.superuser_url) as conn:
        query = "SELECT actor, event FROM booking_events WHERE booking_id = %s ORDER BY number"
        return conn.execute(query, [UUID(booking_id)]).fetchall()


def let_expire(database: Database, booking_id: str) -> None:
    execute(database, "UPDATE bookings SET proposed_until = app.now() WHERE id = %s", UUID(booking_id))


def session_counts(database: Database, guru: SeededGuru) -> list[tuple[bool, int]]:
    """Return which sessions of a guru take place, and their taken seats, in the order of their start."""
    with psycopg.connect(database.superuser_url) as conn:
        query = "SELECT live, taken FROM appointments WHERE tenant_id = %s ORDER BY starts_at"
        return conn.execute(query, [guru.id]).fetchall()


async def test_accepted_proposal_moves_the_session(
    web: httpx.AsyncClient, database: Database, gina: GuruOwner, maya: ApiUser
) -> None:
    booked, start = await ask_to_move(web, gina, maya)
    asked = await maya.get(f"/api/bookings/{booked['id']}")
    assert (asked["startsAt"], asked["proposal"]["startsAt"], asked["proposal"]["reason"]) == (
        booked["startsAt"], start, REASON,
    )  # fmt: skip
    until = datetime.fromisoformat(asked["proposal"]["answerUntil"]) - clock.now()
    assert timedelta(hours=23) < until <= timedelta(hours=24)
    seen = await gina.call("GET", f"/bookings/{booked['id']}")
    assert (seen["proposal"], seen["canPropose"]) == (asked["proposal"], False)
    # The proposed time is not held, and neither is the present one given up.
    assert start in await free_starts(web, gina.guru)
    assert session_counts(database, gina.guru) == [(True, 1)]
    response = await answer(maya, booked["id"], start, accept=True)
    moved = response.json()["data"]
    assert (moved["startsAt"], moved["proposal"], moved["status"]) == (start, None, "confirmed")
    assert moved["terms"]["movesLeft"] == booked["terms"]["movesLeft"]
    again = await answer(maya, booked["id"], start, accept=True)
    assert again.json()["data"] == moved
    offered = await free_starts(web, gina.guru)
    assert booked["startsAt"] in offered
    assert start not in offered
    assert events(database, booked["id"])[2:] == [("guru", "proposed"), ("person", "moved")]
    assert (await gina.call("GET", f"/bookings/{booked['id']}"))["proposal"] is None


async def test_declined_proposal_cancels_for_free(
    web: httpx.AsyncClient, database: Database, new_owner: CreateOwner, maya: ApiUser
) -> None:
    owner = await new_owner(late_percent=100, free_until_minutes=43200)
    booked, start = await ask_to_move(web, owner, maya)
    assert booked["terms"]["owedCents"] == 0 or booked["terms"]["freeUntil"] is None
    response = await answer(maya, booked["id"], start, accept=False, reason="I work then.")
    canceled = response.json()["data"]
    assert (canceled["status"], canceled["endedBy"], canceled["owedCents"], canceled["reason"]) == (
        "canceled", "person", 0, "I work then.",
    )  # fmt: skip
    assert canceled["proposal"] is None
    assert session_counts(database, owner.guru) == [(False, 0)]
    assert code(await answer(maya, booked["id"], start, accept=True)) == "proposal_ended"


async def test_open_proposal_makes_a_late_cancellation_free(
    web: httpx.AsyncClient, database: Database, gina: GuruOwner, maya: ApiUser
) -> None:
    terms = {"policy": "own", "free_until_minutes": 43200, "late_percent": 100, "missed_percent": 100, "moves_max": 2,
             "move_until_minutes": 1440}  # fmt: skip
    starts_at = clock.now().replace(microsecond=0) + timedelta(hours=30)
    booking_id = book_session(database, gina.guru, maya, starts_at, terms=Jsonb(terms))
    before = await maya.get(f"/api/bookings/{booking_id}")
    assert (before["terms"]["owedCents"], before["terms"]["freeUntil"]) == (4501, None)
    await propose(gina, booking_id, (await free_starts(web, gina.guru))[-1])
    asked = await maya.get(f"/api/bookings/{booking_id}")
    assert (asked["terms"]["owedCents"], asked["terms"]["freeUntil"]) == (0, asked["proposal"]["answerUntil"])
    let_expire(database, booking_id)
    after = await maya.get(f"/api/bookings/{booking_id}")
    assert (after["proposal"], after["terms"]) == (None, before["terms"])
    body = {"termsDigest": asked["terms"]["digest"]}
    late = await maya.request("POST", f"/api/bookings/{booking_id}/cancellation", json=body)
    assert code(late) == "terms_changed"


async def test_proposal_for_a_taken_time_ends_with_the_answer(
    web: httpx.AsyncClient, database: Database, gina: GuruOwner, maya: ApiUser, create_user: CreateUser
) -> None:
    booked, start = await ask_to_move(web, gina, maya)
    await book(await create_user("Quick Quinn"), gina.guru, start)
    response = await answer(maya, booked["id"], start, accept=True)
    assert (code(response), response.json()["error"]["message"]) == (
        "proposal_ended", "That time was just taken, so nothing has changed. We've told your guru.",
    )  # fmt: skip
    kept = await maya.get(f"/api/bookings/{booked['id']}")
    assert (kept["startsAt"], kept["status"], kept["proposal"]) == (booked["startsAt"], "confirmed", None)
    assert session_counts(database, gina.guru) == [(True, 1), (True, 1)]
    assert events(database, booked["id"])[2:] == [("guru", "proposed"), ("person", "proposal_lapsed")]
    await do_jobs(database)
    assert ("proposal_lapsed", "guru") in emails(database, UUID(booked["id"]))
    assert (await gina.call("GET", f"/bookings/{booked['id']}"))["canPropose"] is True


async def test_overlapping_time_can_be_proposed(web: httpx.AsyncClient, gina: GuruOwner, maya: ApiUser) -> None:
    offered = await free_starts(web, gina.guru)
    booked = await book(maya, gina.guru, offered[-20])
    start = (datetime.fromisoformat(offered[-20]) + timedelta(minutes=30)).isoformat().replace("+00:00", "Z")
    await propose(gina, booked["id"], start)
    assert (await answer(maya, booked["id"], start, accept=True)).json()["data"]["startsAt"] == start


async def test_second_proposal_waits_for_the_first(
    web: httpx.AsyncClient, database: Database, gina: GuruOwner, maya: ApiUser
) -> None:
    offered = await free_starts(web, gina.guru)
    booked = await book(maya, gina.guru, offered[-20])
    path, bodies = f"/api/guru/bookings/{booked['id']}/move", [{"startsAt": s, "reason": REASON} for s in offered[-4:]]
    responses = await asyncio.gather(*(gina.web.post(path, json=body) for body in bodies))
    assert sorted(response.status_code for response in responses) == [200, 409, 409, 409]
    (won,) = [response.json()["data"] for response in responses if response.status_code == 200]
    assert (await maya.get(f"/api/bookings/{booked['id']}"))["proposal"] == won["proposal"]
    # An answer is about the time that the person saw.
    other = next(start for start in offered[-4:] if start != won["proposal"]["startsAt"])
    for accept in (True, False):
        assert code(await answer(maya, booked["id"], other, accept=accept)) == "proposal_ended"
    withdrawn = await gina.call("DELETE", f"/bookings/{booked['id']}/move")
    assert (withdrawn["proposal"], withdrawn["canPropose"], withdrawn["startsAt"]) == (None, True, booked["startsAt"])
    error = await gina.call("DELETE", f"/bookings/{booked['id']}/move", expect=409)
    assert error["code"] == "booking_changed"
    assert code(await answer(maya, booked["id"], won["proposal"]["startsAt"], accept=True)) == "proposal_ended"
    assert events(database, booked["id"])[2:] == [("guru", "proposed"), ("guru", "proposal_withdrawn")]
    for _ in range(4):
        await propose(gina, booked["id"], other)
        await gina.call("DELETE", f"/bookings/{booked['id']}/move")
    assert (await propose(gina, booked["id"], other, expect=409))["code"] == "proposals_used"


async def test_rejected_proposals_change_nothing(
    web: httpx.AsyncClient, database: Database, gina: GuruOwner, maya: ApiUser, create_user: CreateUser
) -> None:
    offered = await free_starts(web, gina.guru)
    booked = await book(maya, gina.guru, offered[-20])
    other = await book(await create_user("Other Ona"), gina.guru, offered[-1])
    soon = (clock.now() + timedelta(hours=1)).replace(microsecond=0).isoformat().replace("+00:00", "Z")
    for start, expected in (
        (offered[-20], "same_time"),
        (other["startsAt"], "slot_taken"),
        (offered[-2].replace(":00Z", ":07Z"), "slot_gone"),
        (soon, "proposal_too_late"),
    ):
        assert (await propose(gina, booked["id"], start, expect=409))["code"] == expected, start
    for body in ({}, {"startsAt": offered[-2]}, {"startsAt": offered[-2], "reason": " "}):
        await gina.call("POST", f"/bookings/{booked['id']}/move", body, expect=422)
    near = book_session(database, gina.guru, maya, clock.now() + timedelta(hours=2))
    assert (await gina.call("GET", f"/bookings/{near}"))["canPropose"] is False
    assert (await propose(gina, near, offered[-2], expect=409))["code"] == "proposal_too_late"
    over = book_session(database, gina.guru, maya, clock.now() - timedelta(hours=2), status="completed")
    assert (await propose(gina, over, offered[-2], expect=409))["code"] == "booking_changed"
    assert await maya.get(f"/api/bookings/{booked['id']}") == booked


async def test_proposal_expires_and_session_stays(
    web: httpx.AsyncClient, database: Database, gina: GuruOwner, maya: ApiUser
) -> None:
    booked, start = await ask_to_move(web, gina, maya)
    let_expire(database, booked["id"])
    seen = await gina.call("GET", f"/bookings/{booked['id']}")
    assert (seen["proposal"], seen["canPropose"]) == (None, True)
    assert code(await answer(maya, booked["id"], start, accept=False)) == "proposal_ended"
    deadlines.expire_bookings(database.service_url)
    deadlines.expire_bookings(database.service_url)
    assert events(database, booked["id"])[2:] == [("guru", "proposed"), ("system", "proposal_expired")]
    await do_jobs(database)
    sent = emails(database, UUID(booked["id"]))
    assert sent["proposal_expired", "guru"]["subject"] == "Ada Neighbor didn't answer about the new time"
    assert statuses(database, UUID(booked["id"]))["proposed", "person"] == "void"  # it was not sent in time
    kept = await maya.get(f"/api/bookings/{booked['id']}")
    assert (kept["status"], kept["startsAt"]) == ("confirmed", booked["startsAt"])


async def test_proposal_emails_name_both_times(
    web: httpx.AsyncClient, database: Database, gina: GuruOwner, maya: ApiUser
) -> None:
    booked, start = await ask_to_move(web, gina, maya)
    await do_jobs(database)
    asked = emails(database, UUID(booked["id"]))["proposed", "person"]
    assert asked["subject"] == f"Guru {gina.guru.mark} asks to move your session"
    for part in ("New time: ", "Now: ", REASON, f"/sessions/{booked['id']}", "your session stays as it is"):
        assert part in asked["plain"], part
    assert not asked["invitation"]
    await answer(maya, booked["id"], start, accept=True)
    await do_jobs(database)
    sent = emails(database, UUID(booked["id"]))
    assert sent["move_accepted", "guru"]["subject"] == "Ada Neighbor accepted the new time"
    assert "SEQUENCE:1" in sent["move_accepted", "person"]["invitation"]
    assert "Was: " in sent["move_accepted", "person"]["plain"]
    assert ("moved", "person") not in sent


async def test_declined_move_emails_the_guru(
    web: httpx.AsyncClient, database: Database, gina: GuruOwner, maya: ApiUser
) -> None:
    booked, start = await ask_to_move(web, gina, maya)
    await answer(maya, booked["id"], start, accept=False, reason="I work then.")
    await do_jobs(database)
    sent = emails(database, UUID(booked["id"]))
    assert sent["move_declined", "guru"]["subject"] == "Ada Neighbor canceled instead of moving"
    assert "I work then." in sent["move_declined", "guru"]["plain"]
    assert "METHOD:CANCEL" in sent["move_declined", "person"]["invitation"]
    assert ("canceled", "guru") not in sent


async def test_reminders_ignore_an_open_proposal(
    web: httpx.AsyncClient, database: Database, gina: GuruOwner, maya: ApiUser
) -> None:
    starts_at = clock.now().replace(microsecond=0) + timedelta(hours=20)
    booking_id = book_session(database, gina.guru, maya, starts_at)
    long_ago = "UPDATE booking_events SET at = app.now() - interval '30 days' WHERE booking_id = %s"
    execute(database, long_ago, UUID(booking_id))
    start = (await free_starts(web, gina.guru))[-1]
    for _ in range(2):  # a second proposal sends no second reminder
        await propose(gina, booking_id, start)
        deadlines.queue_due_emails(database.service_url)
        await do_jobs(database)
        await gina.call("DELETE", f"/bookings/{booking_id}/move")
    with psycopg.connect(database.superuser_url) as conn:
        query = "SELECT kind, count(*) FROM booking_emails WHERE booking_id = %s AND side = 'person' GROUP BY kind"
        counts: dict[str, int] = dict(conn.execute(query, [UUID(booking_id)]).fetchall())
    assert (counts["day_before"], counts["proposed"]) == (1, 2)


async def test_every_other_change_ends_the_proposal(
    web: httpx.AsyncClient, database: Database, gina: GuruOwner, maya: ApiUser
) -> None:
    offered = await free_starts(web, gina.guru)
    for number, change in enumerate(("cancel", "move", "cancel by guru")):
        booked = await book(maya, gina.guru, offered[-40 + 6 * number])
        await propose(gina, booked["id"], offered[-1 - number])
        digest = (await maya.get(f"/api/bookings/{booked['id']}"))["terms"]["digest"]
        if change == "cancel by guru":
            await gina.call("POST", f"/bookings/{booked['id']}/cancellation", {"reason": REASON})
        else:
            path = {"cancel": "cancellation", "move": "move"}[change]
            body = {"termsDigest": digest} | ({"startsAt": offered[-10]} if change == "move" else {})
            response = await maya.request("POST", f"/api/bookings/{booked['id']}/{path}", json=body)
            assert response.status_code == 200, response.text
        now = await maya.get(f"/api/bookings/{booked['id']}")
        assert now["proposal"] is None, change
        assert code(await answer(maya, booked["id"], offered[-1 - number], accept=True)) == "proposal_ended"


@pytest.mark.parametrize("attempt", range(3))
async def test_accept_and_withdraw_at_once_have_one_effect(
    web: httpx.AsyncClient, gina: GuruOwner, maya: ApiUser, attempt: int
) -> None:
    booked, start = await ask_to_move(web, gina, maya)
    accepted, withdrawn = await asyncio.gather(
        answer(maya, booked["id"], start, accept=True),
        gina.web.delete(f"/api/guru/bookings/{booked['id']}/move"),
    )
    assert sorted((accepted.status_code, withdrawn.status_code)) == [200, 409]
    now = await maya.get(f"/api/bookings/{booked['id']}")
    assert now["startsAt"] == (start if accepted.status_code == 200 else booked["startsAt"])
    assert now["proposal"] is None


async def test_accepted_move_leaves_a_waiver_due(web: httpx.AsyncClient, new_owner: CreateOwner, maya: ApiUser) -> None:
    owner = await new_owner(risk="high")
    offered = await free_starts(web, owner.guru, days=40)  # the waiver lasts 30 days
    accepted = await maya.request("POST", "/api/liability/waiver", json=waiver(owner.guru))
    until = accepted.json()["data"]["expiresAt"]
    booked = await book(maya, owner.guru, offered[40])
    after = next(start for start in offered if start > until)
    await propose(owner, booked["id"], after)
    moved = (await answer(maya, booked["id"], after, accept=True)).json()["data"]
    assert (moved["startsAt"], moved["waiverDue"]) == (after, True)


async def test_others_cannot_propose_or_answer(
    web: httpx.AsyncClient, gina: GuruOwner, new_owner: CreateOwner, maya: ApiUser, create_user: CreateUser
) -> None:
    booked, start = await ask_to_move(web, gina, maya)
    otto = await new_owner()
    await propose(otto, booked["id"], start, expect=404)
    await otto.call("DELETE", f"/bookings/{booked['id']}/move", expect=404)
    nosy = await create_user("Nosy Nat")
    for accept in (True, False):
        assert code(await answer(nosy, booked["id"], start, accept=accept)) == "not_found"
    body = {"startsAt": start, "reason": REASON}
    assert (await maya.request("POST", f"/api/guru/bookings/{booked['id']}/move", json=body)).status_code == 404
    assert (await maya.get(f"/api/bookings/{booked['id']}"))["proposal"]["startsAt"] == start


async def test_deleted_account_with_a_proposal_owes_nothing(
    web: httpx.AsyncClient, database: Database, gina: GuruOwner, create_user: CreateUser
) -> None:
    user = await create_user("Leaving Lea")
    booking_id = book_session(database, gina.guru, user, clock.now() + timedelta(hours=20))
    execute(database, "UPDATE bookings SET terms = terms || '{\"late_percent\": 50}' WHERE id = %s", UUID(booking_id))
    await propose(gina, booking_id, (await free_starts(web, gina.guru))[-1])
    erase_bookings(database, gina.guru, user.user_id)
    seen = await gina.call("GET", f"/bookings/{booking_id}")
    assert (seen["status"], seen["owedCents"], seen["proposal"], seen["personName"]) == ("canceled", 0, None, "")


async def test_proposable_starts_include_the_own_time(
    web: httpx.AsyncClient, gina: GuruOwner, maya: ApiUser, new_owner: CreateOwner
) -> None:
    offered = await free_starts(web, gina.guru)
    booked = await book(maya, gina.guru, offered[20])
    day = booked["startsAt"][:10]
    path = f"/bookings/{booked['id']}/move/starts"
    found = (await gina.call("GET", f"{path}?from={day}"))["starts"]
    end = (datetime.fromisoformat(day) + timedelta(days=6)).isoformat()[:10]
    expected = {start for start in offered if day < start[:10] < end}
    assert {start for start in found if day < start[:10] < end} == expected - {booked["startsAt"]}
    overlapping = utc_after(booked["startsAt"], minutes=30)
    assert overlapping in found
    assert overlapping not in await free_starts(web, gina.guru)
    other: GuruOwner = await new_owner()
    await other.call("GET", f"{path}?from={day}", expect=404)
    await gina.call("GET", f"{path}?from=x", expect=422)
    await propose(gina, booked["id"], overlapping)
    assert (await gina.call("GET", f"{path}?from={day}"))["starts"] == []


def utc_after(start: str, *, minutes: int) -> str:
    return clock.to_iso8601(datetime.fromisoformat(start) + timedelta(minutes=minutes))
