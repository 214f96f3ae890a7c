"""Other times that a guru proposes for a request: accepting one books it."""

from __future__ import annotations

import asyncio
from typing import Any
from uuid import UUID

import httpx
import pytest

from porchlight.features.bookings import deadlines
from tests.fixtures.databases import Database
from tests.fixtures.jobs import do_jobs
from tests.porchlight.angels.users import ApiUser
from tests.porchlight.bookings.api import CreateUser, book, code, execute, free_starts
from tests.porchlight.bookings.booking_emails import emails
from tests.porchlight.bookings.following import shifted
from tests.porchlight.bookings.test_proposals import REASON, answer, ask_to_move, events, propose, session_counts
from tests.porchlight.owner import GuruOwner

CreateOwner = Any


@pytest.fixture
async def gina(new_owner: CreateOwner) -> GuruOwner:
    """The owner of a guru who answers requests."""
    owner: GuruOwner = await new_owner(approval="request")
    return owner


@pytest.fixture
async def maya(create_user: CreateUser) -> ApiUser:
    """A neighbor."""
    return await create_user("Maya Mover")


async def test_accepted_proposal_books_the_request(
    web: httpx.AsyncClient, database: Database, gina: GuruOwner, maya: ApiUser
) -> None:
    asked, start = await ask_to_move(web, gina, maya)
    assert asked["status"] == "requested"
    seen = await maya.get(f"/api/bookings/{asked['id']}")
    assert (seen["status"], seen["proposal"]["startsAt"], seen["proposal"]["reason"]) == ("requested", start, REASON)
    assert seen["expiresAt"] >= seen["proposal"]["answerUntil"]
    guru = await gina.call("GET", f"/bookings/{asked['id']}")
    assert (guru["canAnswer"], guru["canPropose"]) == (True, False)
    # The time that was asked for is still held, and the proposed one is free for others.
    assert session_counts(database, gina.guru) == [(True, 1)]
    await do_jobs(database)
    proposed = emails(database, UUID(asked["id"]))["proposed", "person"]
    assert proposed["subject"] == f"Guru {gina.guru.mark} suggests another time for Lesson"
    for part in ("New time: ", "Asked for: ", REASON, "If you don't, your request expires.", "you asked for a session"):
        assert part in proposed["plain"], part
    booked = (await answer(maya, asked["id"], start, accept=True)).json()["data"]
    assert (booked["status"], booked["startsAt"], booked["proposal"], booked["expiresAt"]) == (
        "confirmed", start, None, None,
    )  # fmt: skip
    assert (await answer(maya, asked["id"], start, accept=True)).json()["data"] == booked
    assert booked["terms"]["movesLeft"] == asked["terms"]["movesLeft"]
    assert asked["startsAt"] in await free_starts(web, gina.guru)
    assert events(database, asked["id"])[-3:] == [("guru", "proposed"), ("person", "moved"), ("person", "confirmed")]
    assert (await gina.call("GET", "/clients"))["total"] == 1
    await do_jobs(database)
    sent = emails(database, UUID(asked["id"]))
    assert "You accepted the time that" in sent["accepted", "person"]["plain"]
    assert "Maya Mover" not in sent["accepted", "person"]["subject"]
    assert "accepted the time that you suggested" in sent["accepted", "guru"]["plain"]
    assert not {kind for kind, _ in sent} & {"moved", "move_accepted"}


async def test_declined_proposal_withdraws_the_request(
    web: httpx.AsyncClient, database: Database, gina: GuruOwner, maya: ApiUser
) -> None:
    asked, start = await ask_to_move(web, gina, maya)
    withdrawn = (await answer(maya, asked["id"], start, accept=False, reason="I work then.")).json()["data"]
    assert (withdrawn["status"], withdrawn["endedBy"], withdrawn["owedCents"], withdrawn["proposal"]) == (
        "canceled", "person", 0, None,
    )  # fmt: skip
    await do_jobs(database)
    sent = emails(database, UUID(asked["id"]))
    assert "I work then." in sent["withdrawn", "guru"]["plain"]
    assert not {kind for kind, _ in sent} & {"move_declined", "canceled"}
    assert session_counts(database, gina.guru) == [(False, 0)]


async def test_unanswered_proposal_expires_with_the_request(
    web: httpx.AsyncClient, database: Database, gina: GuruOwner, maya: ApiUser
) -> None:
    asked, start = await ask_to_move(web, gina, maya)
    over = "UPDATE bookings SET proposed_until = app.now(), expires_at = app.now() WHERE id = %s"
    execute(database, over, UUID(asked["id"]))
    assert code(await answer(maya, asked["id"], start, accept=True)) == "proposal_ended"
    assert (await gina.call("POST", f"/bookings/{asked['id']}/answer", {"accept": True}, expect=409))["code"] == (
        "booking_changed"
    )
    deadlines.expire_bookings(database.service_url)
    assert events(database, asked["id"])[-2:] == [("system", "proposal_expired"), ("system", "expired")]
    await do_jobs(database)
    sent = emails(database, UUID(asked["id"]))
    assert sent["expired", "person"]["subject"] == "Your request for Lesson has expired"
    assert sent["proposal_expired", "guru"]["subject"] == "Ada Neighbor didn't answer about the other time"


async def test_guru_still_answers_after_the_proposal(
    web: httpx.AsyncClient, database: Database, gina: GuruOwner, maya: ApiUser
) -> None:
    asked, start = await ask_to_move(web, gina, maya)
    execute(database, "UPDATE bookings SET proposed_until = app.now() WHERE id = %s", UUID(asked["id"]))
    deadlines.expire_bookings(database.service_url)
    seen = await gina.call("GET", f"/bookings/{asked['id']}")
    assert (seen["status"], seen["canAnswer"], seen["canPropose"], seen["proposal"]) == ("requested", True, True, None)
    booked = await gina.call("POST", f"/bookings/{asked['id']}/answer", {"accept": True})
    assert (booked["status"], booked["startsAt"]) == ("confirmed", asked["startsAt"])
    assert code(await answer(maya, asked["id"], start, accept=True)) == "proposal_ended"
    await do_jobs(database)
    assert "accepted your request" in emails(database, UUID(asked["id"]))["accepted", "person"]["plain"]


async def test_withdrawn_proposal_leaves_the_request(
    web: httpx.AsyncClient, database: Database, gina: GuruOwner, maya: ApiUser
) -> None:
    asked, start = await ask_to_move(web, gina, maya)
    await do_jobs(database)
    left = await gina.call("DELETE", f"/bookings/{asked['id']}/move")
    assert (left["status"], left["proposal"], left["canAnswer"], left["canPropose"]) == ("requested", None, True, True)
    await do_jobs(database)
    sent = emails(database, UUID(asked["id"]))["proposal_withdrawn", "person"]
    assert "can answer until" in sent["plain"]
    for accept in (True, False):
        assert code(await answer(maya, asked["id"], start, accept=accept)) == "proposal_ended"


async def test_proposal_for_a_taken_time_leaves_the_request(
    web: httpx.AsyncClient, database: Database, gina: GuruOwner, maya: ApiUser, create_user: CreateUser
) -> None:
    asked, start = await ask_to_move(web, gina, maya)
    await book(await create_user("Quick Quinn"), gina.guru, start)
    assert code(await answer(maya, asked["id"], start, accept=True)) == "proposal_ended"
    kept = await maya.get(f"/api/bookings/{asked['id']}")
    assert (kept["startsAt"], kept["status"], kept["proposal"]) == (asked["startsAt"], "requested", None)
    await do_jobs(database)
    lapsed = emails(database, UUID(asked["id"]))["proposal_lapsed", "guru"]
    assert "They still wait for your answer." in lapsed["plain"]


async def test_answers_at_once_leave_one_outcome(
    web: httpx.AsyncClient, database: Database, gina: GuruOwner, create_user: CreateUser
) -> None:
    """The person and two tabs of the guru: the first answer decides, and the seats follow."""
    outcomes = set()
    for turn in range(6):
        user = await create_user(f"Racer {turn}")
        starts = await free_starts(web, gina.guru)
        asked = await book(user, gina.guru, starts[turn])
        start = starts[-1 - turn]
        await propose(gina, asked["id"], start)
        path = f"/api/guru/bookings/{asked['id']}"
        calls = [
            answer(user, asked["id"], start, accept=True),
            answer(user, asked["id"], start, accept=False),
            gina.web.post(f"{path}/answer", json={"accept": True, "reason": ""}),
            gina.web.post(f"{path}/answer", json={"accept": False, "reason": ""}),
            gina.web.delete(f"{path}/move"),
        ]
        calls = calls[turn % len(calls) :] + calls[: turn % len(calls)]
        answers = await asyncio.gather(*calls)
        assert {one.status_code for one in answers} <= {200, 409}, [one.text for one in answers]
        after = await gina.call("GET", f"/bookings/{asked['id']}")
        is_moved = after["startsAt"] == start
        assert (after["status"], is_moved) in {
            ("confirmed", True), ("confirmed", False), ("declined", False), ("canceled", False),
        }  # fmt: skip
        assert after["proposal"] is None
        history = [event for _, event in events(database, asked["id"])]
        ends = [event for event in history if event in ("confirmed", "declined", "canceled")]
        assert len(ends) == 1, history
        # A time without a booking is free again.
        free = await free_starts(web, gina.guru)
        has_seat = after["status"] == "confirmed"
        assert (start in free, asked["startsAt"] in free) == (
            not (has_seat and is_moved), not (has_seat and not is_moved),
        )  # fmt: skip
        outcomes.add((after["status"], is_moved))
    assert len(outcomes) >= 2


async def test_series_of_requests_is_proposed_and_booked(
    web: httpx.AsyncClient, database: Database, gina: GuruOwner, maya: ApiUser
) -> None:
    starts = await free_starts(web, gina.guru)
    token_response = await maya.request(
        "POST",
        f"/api/gurus/{gina.guru.label}/holds",
        json={"serviceId": str(gina.guru.services[0]), "startsAt": starts[1], "party": 1},
    )
    token = token_response.json()["data"]["token"]
    digest = (await maya.get(f"/api/holds/{token}"))["policyDigest"]
    body = {"hold": token, "name": "Maya", "policyDigest": digest, "starts": [shifted(starts[1], days=7)]}
    made = (await maya.request("POST", "/api/bookings/series", json=body)).json()["data"]["bookings"]
    assert [one["status"] for one in made] == ["requested", "requested"]
    first = made[0]["id"]
    plan = await gina.call("GET", f"/bookings/{first}/following?startsAt={shifted(starts[1], days=1)}")
    assert [one["fit"] for one in plan["sessions"]] == ["free", "free"]
    moved = {"startsAt": shifted(starts[1], days=1), "bookings": [one["id"] for one in made], "reason": REASON}
    await gina.call("POST", f"/bookings/{first}/following/move", moved)
    await do_jobs(database)
    assert "2 sessions of Lesson" in emails(database, UUID(first))["proposed", "person"]["subject"]
    accept = {"accept": True, "startsAt": moved["startsAt"], "reason": "", "wholeSeries": True}
    response = await maya.request("POST", f"/api/bookings/{first}/answers", json=accept)
    assert response.status_code == 200, response.text
    for one in made:
        booked = await maya.get(f"/api/bookings/{one['id']}")
        assert (booked["status"], booked["startsAt"]) == ("confirmed", shifted(one["startsAt"], days=1))
