"""Needs from creation to rating: visibility, permissions, and actions that happen at most once."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import Any

import psycopg
import pytest

from porchlight.features.angels.needs import actions, emails
from porchlight.features.angels.needs.jobs import EXPIRE_NEEDS_TASK
from tenants.db.jobs import enqueue_as_service
from tenants.kit import clock
from tenants.kit.ids import new_id
from tests.fixtures.clock import INSTANT
from tests.fixtures.databases import Database
from tests.fixtures.jobs import do_jobs
from tests.fixtures.refusals import invalid_fields, refusal
from tests.porchlight.angels.users import (
    BOULDER,
    emails_to,
    need_payload,
    owner_with_need,
    photo_with_location,
    run_jobs,
)
from tests.porchlight.job_cases import RecordingServices
from tests.porchlight.named_users import CreateUser


async def test_need_lifecycle_from_post_to_rating(create_user: CreateUser, database: Database) -> None:
    owner, one, two, far = [await create_user(name) for name in ("Olive Owner", "Abel Angel", "Bea Busy", "Fay Far")]
    await one.offer_service(rateCents=2400)
    await two.offer_service(rateCents=3600)
    await far.offer_service(place=BOULDER, radiusMiles=5)
    posted = await owner.create_need()
    assert (posted["lowCents"], posted["highCents"]) == (4800, 7200)  # two hours at the angels' rates
    assert posted["status"] == "open"
    await run_jobs(database)
    for angel in (one, two):
        ((subject, _, words),) = [mail for mail in emails_to(database, angel) if posted["id"] in mail[2]]
        assert subject == "A neighbor in Denver needs a hand: A fence that leans"
        assert f"https://x.example/needs/{posted['id']}" in words
        assert "Budget: $120.00" in words
    assert emails_to(database, far) == []
    assert emails_to(database, owner) == []

    first, second = await one.create_offer(posted, 7000), await two.create_offer(posted, 6000)
    await run_jobs(database)
    assert [mail[0] for mail in emails_to(database, owner)] == [
        "Abel Angel offered to help: A fence that leans",
        "Bea Busy offered to help: A fence that leans",
    ]
    page = await owner.get(f"/api/needs/{posted['id']}")
    assert [(offer["angel"]["name"], offer["priceCents"]) for offer in page["offers"]] == [
        ("Abel Angel", 7000),
        ("Bea Busy", 6000),
    ]
    page_of_angel = await one.get(f"/api/needs/{posted['id']}")
    assert page_of_angel["offers"] == []  # only the owner sees all offers
    assert page_of_angel["ownOffer"]["id"] == first
    assert page_of_angel["need"]["miles"] == 1

    assert (await owner.accept_offer(posted, second)).status_code == 200
    assert (await owner.accept_offer(posted, second)).status_code == 200  # a retry
    refused = await owner.accept_offer(posted, first)
    assert (refused.status_code, refused.json()["error"]["code"]) == (409, "need_closed")
    await run_jobs(database)
    assert emails_to(database, two)[-1][:2] == ("Your offer was accepted: A fence that leans", owner.email)
    assert emails_to(database, one)[-1][0] == "Not this time: A fence that leans"
    assert emails_to(database, owner)[-1][:2] == ("Bea Busy will help: A fence that leans", two.email)
    outcomes = {user.name: (await user.get("/api/need-offers"))["offers"][0]["outcome"] for user in (one, two)}
    assert outcomes == {"Abel Angel": "declined", "Bea Busy": "accepted"}

    done = await owner.request("POST", f"/api/needs/{posted['id']}/completion", json={"rating": 4, "review": "Quick."})
    assert done.json()["data"]["need"]["status"] == "done"
    again = await owner.request("POST", f"/api/needs/{posted['id']}/completion", json={"rating": 1})
    assert again.status_code == 409
    await run_jobs(database)
    (counted,) = (await two.get("/api/angel-services"))["services"]
    assert (counted["jobs"], counted["ratings"], counted["rating"]) == (1, 1, 4.0)


async def test_concurrent_acceptances_accept_exactly_one(create_user: CreateUser, database: Database) -> None:
    owner, posted = await owner_with_need(create_user)
    angels = [await create_user(f"Angel {number}") for number in range(6)]
    offers = [await angel.create_offer(posted) for angel in angels]
    responses = await asyncio.gather(*(owner.accept_offer(posted, offer) for offer in offers for _ in range(2)))
    codes = [response.status_code for response in responses]
    assert sorted(codes) == [200] * 2 + [409] * 10
    page = await owner.get(f"/api/needs/{posted['id']}")
    assert [offer["accepted"] for offer in page["offers"]].count(True) == 1
    await run_jobs(database)
    accepted = [angel for angel in angels if any("was accepted" in mail[0] for mail in emails_to(database, angel))]
    assert len(accepted) == 1


async def test_offer_is_never_both_withdrawn_and_accepted(create_user: CreateUser) -> None:
    owner, angel = await create_user("Olive Owner"), await create_user("Abel Angel")
    for _ in range(5):
        posted = await owner.create_need()
        offer = await angel.create_offer(posted)
        taken, deleted = await asyncio.gather(
            owner.accept_offer(posted, offer), angel.request("DELETE", f"/api/need-offers/{offer}")
        )
        (loser,) = [response for response in (taken, deleted) if response.is_error]
        assert refusal(loser) in ((404, "not_found"), (409, "need_closed")), loser.text
        outcome = (await angel.get("/api/need-offers"))["offers"][0]["outcome"]
        assert outcome == ("accepted" if taken.status_code == 200 else "withdrawn")
        if taken.status_code != 200:
            await owner.request("POST", f"/api/needs/{posted['id']}/withdrawal")


async def test_offer_is_unique_until_withdrawn(create_user: CreateUser) -> None:
    owner, posted = await owner_with_need(create_user)
    angel = await create_user("Abel Angel")
    responses = await asyncio.gather(*(angel.post_offer(posted) for _ in range(5)))
    assert sorted(response.status_code for response in responses) == [201, 409, 409, 409, 409]
    assert {response.json()["error"]["code"] for response in responses if response.status_code == 409} == {"offer_made"}
    offer = (await angel.get("/api/need-offers"))["offers"][0]["id"]
    assert (await angel.request("DELETE", f"/api/need-offers/{offer}")).status_code == 200
    assert (await owner.get(f"/api/needs/{posted['id']}"))["offers"] == []
    assert (await owner.accept_offer(posted, offer)).status_code == 404
    assert (await angel.post_offer(posted, 100)).status_code == 201
    assert (await owner.post_offer(posted)).status_code == 409  # the owner's own need


async def test_third_offer_for_a_need_is_the_last(create_user: CreateUser) -> None:
    """Offering and withdrawing in a loop once sent the neighbor an email each time."""
    owner, posted = await owner_with_need(create_user)
    angel = await create_user("Abel Angel")
    answers = []
    for _ in range(actions.MAX_OFFERS_PER_NEED + 2):
        answers.append(await angel.post_offer(posted))
        for offer in (await angel.get("/api/need-offers"))["offers"]:
            await angel.request("DELETE", f"/api/need-offers/{offer['id']}")
    assert [answer.status_code for answer in answers] == [201, 201, 201, 409, 409]
    assert answers[-1].json()["error"]["code"] == "offers_used"
    assert (await owner.get(f"/api/needs/{posted['id']}"))["offers"] == []
    other = await create_user("Bela Angel")
    assert (await other.post_offer(posted)).status_code == 201


async def test_withdrawn_need_notifies_and_rejects_offers(create_user: CreateUser, database: Database) -> None:
    owner, posted = await owner_with_need(create_user)
    one, two = await create_user("Abel Angel"), await create_user("Bea Busy")
    offer = await one.create_offer(posted)
    assert (await owner.request("POST", f"/api/needs/{posted['id']}/withdrawal")).status_code == 200
    assert (await owner.request("POST", f"/api/needs/{posted['id']}/withdrawal")).status_code == 409
    assert (await owner.accept_offer(posted, offer)).status_code == 409
    assert (await two.post_offer(posted)).status_code == 409
    await run_jobs(database)
    assert emails_to(database, one)[-1][0] == "Not this time: A fence that leans"
    assert "is no longer needed" in emails_to(database, one)[-1][2]
    assert (await two.request("GET", f"/api/needs/{posted['id']}")).status_code == 404  # no offer for it


async def test_expired_need_notifies_once(create_user: CreateUser, database: Database) -> None:
    owner, posted = await owner_with_need(create_user)
    angel = await create_user("Abel Angel")
    offer = await angel.create_offer(posted)
    with psycopg.connect(database.service_url) as conn:
        conn.execute("UPDATE needs SET expires_at = app.now() WHERE id = %s", [posted["id"]])
    assert (await owner.accept_offer(posted, offer)).status_code == 409  # also before the job runs
    assert (await angel.request("DELETE", f"/api/need-offers/{offer}")).status_code == 409
    for _ in range(2):
        with psycopg.connect(database.service_url) as conn:
            enqueue_as_service(conn, EXPIRE_NEEDS_TASK)
        await run_jobs(database)
    with psycopg.connect(database.service_url) as conn:
        notifications = conn.execute(
            "SELECT count(*) FROM jobs.procrastinate_jobs WHERE task_name = %s AND args ->> 'need_id' = %s",
            [actions.NOTIFY_RESULT_TASK, posted["id"]],
        ).fetchone()
    assert notifications == (1,)
    assert emails_to(database, owner)[-1][0] == "Your request has expired: A fence that leans"
    assert "It got 1 offer." in emails_to(database, owner)[-1][2]
    assert "expired before they chose an offer" in emails_to(database, angel)[-1][2]
    assert (await owner.get(f"/api/needs/{posted['id']}"))["need"]["status"] == "expired"


async def test_foreign_and_unknown_needs_return_same_404(create_user: CreateUser) -> None:
    owner, posted = await owner_with_need(create_user)
    asked, stranger = await create_user("Abel Angel"), await create_user("Stella Stranger")
    await asked.offer_service()
    meant = await owner.create_need(angel=asked.handle)
    offer = await asked.create_offer(meant)
    unknown = str(new_id())
    for path, body in (
        ("", None),
        ("/offers", {"priceCents": 100, "message": "Hi"}),
        ("/acceptance", {"offerId": offer}),
        ("/withdrawal", {}),
        ("/completion", {}),
    ):
        method = "GET" if body is None else "POST"
        responses = [
            await stranger.request(method, f"/api/needs/{need_id}{path}", **({} if body is None else {"json": body}))
            for need_id in (meant["id"], unknown, "nonsense")
        ]
        assert {response.status_code for response in responses} == {404}, path
        assert len({response.text for response in responses}) == 1
    assert (await stranger.request("DELETE", f"/api/need-offers/{offer}")).status_code == 404
    # Every user can read an open need, but only its owner can decide on it.
    assert (await stranger.request("GET", f"/api/needs/{posted['id']}")).status_code == 200
    for path, body in (("/acceptance", {"offerId": offer}), ("/withdrawal", {}), ("/completion", {})):
        assert (await stranger.request("POST", f"/api/needs/{posted['id']}{path}", json=body)).status_code == 404
    # The offer is for another need of the same owner.
    assert (await owner.accept_offer(posted, offer)).status_code == 404


async def test_requested_angel_is_the_only_one_notified(create_user: CreateUser, database: Database) -> None:
    owner, asked, other = (
        await create_user("Olive Owner"),
        await create_user("Abel Angel"),
        await create_user("Bea Busy"),
    )
    await asked.offer_service(radiusMiles=1, place=BOULDER, mailsADay=0)
    await other.offer_service()
    posted = await owner.create_need(angel=asked.handle)
    assert posted["asked"]["name"] == "Abel Angel"
    await run_jobs(database)
    ((subject, _, _words),) = [mail for mail in emails_to(database, asked) if posted["id"] in mail[2]]
    assert subject == "A neighbor asked for your help: A fence that leans"
    assert all(posted["id"] not in words for _, _, words in emails_to(database, other))
    boards = [(await user.get("/api/needs"))["needs"] for user in (asked, other)]
    assert posted["id"] in [need["id"] for need in boards[0]]
    assert posted["id"] not in [need["id"] for need in boards[1]]
    for wrong in (owner.handle, "unknown-handle"):
        response = await owner.request("POST", "/api/needs", json=need_payload(angel=wrong))
        assert (response.status_code, list(response.json()["error"]["fields"])) == (422, ["angel"])


async def test_need_emails_respect_angel_limits(
    create_user: CreateUser, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    owner = await create_user("Olive Owner")
    tomorrow = clock.now().date() + timedelta(days=1)
    day = {"wantedFrom": tomorrow.isoformat(), "wantedUntil": tomorrow.isoformat()}
    two_a_day, none_a_day, resting, other_day, hidden = [await create_user(f"Angel {number}") for number in range(5)]
    service = "yard-work"
    await two_a_day.offer_service(service, mailsADay=2)
    await none_a_day.offer_service(service, mailsADay=0)
    await resting.offer_service(service, active=False)
    await other_day.offer_service(service, days=[(tomorrow.isoweekday() % 7) + 1])
    await hidden.offer_service(service)
    with psycopg.connect(database.service_url) as conn:
        conn.execute("UPDATE users SET email_verified = false WHERE user_id = %s", [hidden.user_id])
    for _ in range(3):
        posted = await owner.create_need(serviceId=service, **day)
        await run_jobs(database)
    assert len(emails_to(database, two_a_day)) == 2
    for quiet in (none_a_day, resting, other_day, hidden):
        assert emails_to(database, quiet) == []
    # A second run of the job sends nothing again, and the number of emails about a need is limited.
    with psycopg.connect(database.service_url) as conn:
        conn.execute(
            "UPDATE need_notices SET sent_at = app.now() - interval '2 days' WHERE user_id = %s", [two_a_day.user_id]
        )

    async def notified() -> list[str]:
        services = RecordingServices()
        with psycopg.connect(database.service_url) as conn:
            args = {"user_id": str(owner.user_id), "need_id": posted["id"]}
            enqueue_as_service(conn, actions.NOTIFY_ANGELS_TASK, **args)
        await do_jobs(database, **services.dependencies())
        return [message.recipient for _, _, (message,) in services.calls]

    assert await notified() == [two_a_day.email]
    assert await notified() == []
    await (newcomer := await create_user("Angel 5")).offer_service(service)
    await run_jobs(database)  # the welcome email
    with monkeypatch.context() as limited:
        limited.setattr(emails, "MAX_ANGELS_PER_NEED", 1)
        assert await notified() == []
    assert await notified() == [newcomer.email]


async def test_need_retry_with_same_key_creates_one(create_user: CreateUser) -> None:
    owner = await create_user("Olive Owner")
    responses = await asyncio.gather(
        *(
            owner.request("POST", "/api/needs", json=need_payload(), headers={"idempotency-key": "same"})
            for _ in range(5)
        )
    )
    assert sorted(response.status_code for response in responses) == [200, 200, 200, 200, 201]
    assert len({response.json()["data"]["need"]["id"] for response in responses}) == 1


async def test_open_needs_are_limited_per_user(create_user: CreateUser, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(actions, "MAX_OPEN_NEEDS", 3)
    owner = await create_user("Olive Owner")
    responses = await asyncio.gather(*(owner.request("POST", "/api/needs", json=need_payload()) for _ in range(6)))
    refused = [refusal(response) for response in responses if response.is_error]
    assert refused == [(409, "quota_exceeded")] * 3
    assert len((await owner.get("/api/own-needs"))["needs"]) == 3


TODAY = INSTANT.date()
WRONG: dict[str, dict[str, Any]] = {
    "no title": {"title": "  "},
    "two lines": {"title": "One\nTwo lines"},
    "NUL": {"description": "a\x00b"},
    "no such service": {"serviceId": "piano"},
    "the past": {"wantedFrom": "2020-01-01", "wantedUntil": "2020-01-02"},
    "backwards": {"wantedFrom": TODAY.isoformat(), "wantedUntil": (TODAY - timedelta(days=1)).isoformat()},
    "next year": {"wantedUntil": (TODAY + timedelta(days=400)).isoformat()},
    "no date": {"wantedFrom": "soon"},
    "no hours": {"hours": 0},
    "odd hours": {"hours": 1.3},
    "cheap": {"budgetCents": 1},
    "dear": {"budgetCents": 10**12},
    "nowhere": {"place": {"text": "Xyzzy, Nowhere"}},
    "at sea": {"place": {"latitude": 0.5, "longitude": -30.0}},
    "half a place": {"place": {"latitude": 39.7}},
    "two places": {"place": {"latitude": 39.7, "longitude": -105.0, "text": "Denver"}},
    "not a number": {"place": {"latitude": "NaN", "longitude": 1}},
    "unknown field": {"status": "accepted"},
    "another user's": {"userId": str(new_id())},
}


@pytest.mark.parametrize("name", WRONG)
async def test_invalid_need_is_rejected(create_user: CreateUser, name: str) -> None:
    owner = await create_user("Olive Owner")
    response = await owner.request("POST", "/api/needs", json=need_payload(**WRONG[name]))
    assert {refused.partition(".")[0] for refused in invalid_fields(response)} == {list(WRONG[name])[-1]}
    assert (await owner.get("/api/own-needs"))["needs"] == []


async def test_open_needs_are_paged_and_filtered(create_user: CreateUser) -> None:
    owner, angel = await create_user("Olive Owner"), await create_user("Abel Angel")
    await angel.offer_service("moving-help", radiusMiles=3)
    near = [await owner.create_need(serviceId="moving-help", title=f"Boxes {number}") for number in range(5)]
    far = await owner.create_need(serviceId="moving-help", place=BOULDER)
    other = await owner.create_need(serviceId="pet-sitting")
    fitting = (await angel.get("/api/needs", fitting="true"))["needs"]
    assert [need["id"] for need in fitting] == [posted["id"] for posted in reversed(near)]
    moving = [need["id"] for need in (await angel.get("/api/needs", service="moving-help"))["needs"]]
    assert far["id"] in moving
    assert other["id"] not in moving
    page_of_angel: list[str] = []
    cursor: dict[str, str] = {}
    while True:
        page = await angel.get("/api/needs", **cursor)
        page_of_angel += [need["id"] for need in page["needs"]]
        if page["nextCursor"] is None:
            break
        cursor = {"cursor": page["nextCursor"]}
    assert len(page_of_angel) == len(set(page_of_angel))
    assert {posted["id"] for posted in (*near, far, other)} <= set(page_of_angel)
    assert all(not need["mine"] for need in fitting)
    assert (await angel.request("GET", "/api/needs?cursor=nonsense")).status_code == 422
    assert {need["id"] for need in (await owner.get("/api/own-needs"))["needs"]} >= {posted["id"] for posted in near}


async def test_deleted_account_deletes_services_needs_and_offers(create_user: CreateUser, database: Database) -> None:
    owner, angel = await create_user("Olive Owner"), await create_user("Abel Angel")
    await owner.offer_service("pet-sitting")
    posted = await owner.create_need()
    await owner.request("POST", f"/api/needs/{posted['id']}/photos", content=photo_with_location())
    offer = await angel.create_offer(posted)
    await owner.create_offer(await angel.create_need())
    assert (await owner.request("DELETE", "/api/auth/account")).status_code == 200
    with psycopg.connect(database.service_url) as conn:
        for table in ("angels", "needs", "need_photos", "need_offers", "need_notices"):
            left = conn.execute(f"SELECT count(*) FROM {table} WHERE user_id = %s", [owner.user_id]).fetchone()
            assert left == (0,), table
    assert (await angel.request("GET", f"/api/needs/{posted['id']}")).status_code == 404
    mine = next(need for need in (await angel.get("/api/need-offers"))["offers"] if need["id"] == offer)
    assert (mine["outcome"], mine["need"]) == ("closed", None)
