"""Needs from post to rating: what each may see and do, exactly once where only once makes sense."""

from __future__ import annotations

import asyncio
import io
from datetime import timedelta
from typing import Any

import psycopg
import pytest
from PIL import Image

from porchlight.angels import counting, need_actions
from porchlight.notices import needs as letters
from tenants.kit import clock
from tenants.kit.ids import new_id
from tests.angels.conftest import Come
from tests.angels.people import BOULDER, Neighbour, mails, need, work
from tests.support.databases import Database
from tests.tenants.test_pictures import png


async def _id(come: Come) -> tuple[Any, dict[str, Any]]:
    owner = await come("Olive Owner")
    return owner, await owner.needs()


async def test_a_need_goes_its_whole_way(come: Come, database: Database) -> None:
    owner, one, two, far = [await come(name) for name in ("Olive Owner", "Abel Angel", "Bea Busy", "Fay Far")]
    await one.helps(rateCents=2400)
    await two.helps(rateCents=3600)
    await far.helps(place=BOULDER, radiusMiles=5)
    posted = await owner.needs()
    assert (posted["lowCents"], posted["highCents"]) == (4800, 7200)  # two hours of what they ask
    assert posted["status"] == "open"
    await work(database)
    for angel in (one, two):
        ((subject, _, words),) = [mail for mail in mails(database, angel) if posted["id"] in mail[2]]
        assert subject == "A neighbor in Denver needs a hand: A fence that leans"
        assert f"https://x.example/needs/{posted['id']}" in words
        assert "Budget: $120.00" in words
    assert mails(database, far) == []
    assert mails(database, owner) == []

    first, second = await one.offered(posted, 7000), await two.offered(posted, 6000)
    await work(database)
    assert [mail[0] for mail in mails(database, owner)] == [
        "Abel Angel offers to help: A fence that leans",
        "Bea Busy offers to help: A fence that leans",
    ]
    page = await owner.gets(f"/api/needs/{posted['id']}")
    assert [(offer["angel"]["name"], offer["priceCents"]) for offer in page["offers"]] == [
        ("Abel Angel", 7000),
        ("Bea Busy", 6000),
    ]
    seen = await one.gets(f"/api/needs/{posted['id']}")
    assert seen["offers"] == []  # what others offer is the owner's to know
    assert seen["ownOffer"]["id"] == first
    assert seen["need"]["miles"] == 1

    assert (await owner.accepts(posted, second)).status_code == 200
    assert (await owner.accepts(posted, second)).status_code == 200  # a resend
    refused = await owner.accepts(posted, first)
    assert (refused.status_code, refused.json()["error"]["code"]) == (409, "need_closed")
    await work(database)
    assert mails(database, two)[-1][:2] == ("Your offer was accepted: A fence that leans", owner.email)
    assert mails(database, one)[-1][0] == "Not this time: A fence that leans"
    assert mails(database, owner)[-1][:2] == ("Bea Busy will help: A fence that leans", two.email)
    outcomes = {person.name: (await person.gets("/api/need-offers"))["offers"][0]["outcome"] for person in (one, two)}
    assert outcomes == {"Abel Angel": "declined", "Bea Busy": "accepted"}

    done = await owner.call("POST", f"/api/needs/{posted['id']}/completion", json={"rating": 4, "review": "Quick."})
    assert done.json()["data"]["need"]["status"] == "done"
    again = await owner.call("POST", f"/api/needs/{posted['id']}/completion", json={"rating": 1})
    assert again.status_code == 409
    await work(database)
    (counted,) = (await two.gets("/api/angel-services"))["services"]
    assert (counted["jobs"], counted["ratings"], counted["rating"]) == (1, 1, 4.0)


async def test_of_many_acceptances_at_once_exactly_one_holds(come: Come, database: Database) -> None:
    owner, posted = await _id(come)
    angels = [await come(f"Angel {number}") for number in range(6)]
    offers = [await angel.offered(posted) for angel in angels]
    answers = await asyncio.gather(*(owner.accepts(posted, offer) for offer in offers for _ in range(2)))
    codes = [answer.status_code for answer in answers]
    assert sorted(codes) == [200] * 2 + [409] * 10
    page = await owner.gets(f"/api/needs/{posted['id']}")
    assert [offer["accepted"] for offer in page["offers"]].count(True) == 1
    await work(database)
    accepted = [angel for angel in angels if any("was accepted" in mail[0] for mail in mails(database, angel))]
    assert len(accepted) == 1


async def test_a_withdrawn_offer_is_never_an_accepted_one(come: Come) -> None:
    owner, angel = await come("Olive Owner"), await come("Abel Angel")
    for _ in range(5):
        posted = await owner.needs()
        offer = await angel.offered(posted)
        taken, gone = await asyncio.gather(
            owner.accepts(posted, offer), angel.call("DELETE", f"/api/need-offers/{offer}")
        )
        assert sorted([taken.status_code, gone.status_code]) in ([200, 404], [200, 409])
        outcome = (await angel.gets("/api/need-offers"))["offers"][0]["outcome"]
        assert outcome == ("accepted" if taken.status_code == 200 else "withdrawn")
        if taken.status_code != 200:
            await owner.call("POST", f"/api/needs/{posted['id']}/withdrawal")


async def test_one_offer_each_and_another_after_it_was_withdrawn(come: Come) -> None:
    owner, posted = await _id(come)
    angel = await come("Abel Angel")
    answers = await asyncio.gather(*(angel.offers(posted) for _ in range(5)))
    assert sorted(answer.status_code for answer in answers) == [201, 409, 409, 409, 409]
    assert {answer.json()["error"]["code"] for answer in answers if answer.status_code == 409} == {"offer_made"}
    offer = (await angel.gets("/api/need-offers"))["offers"][0]["id"]
    assert (await angel.call("DELETE", f"/api/need-offers/{offer}")).status_code == 200
    assert (await owner.gets(f"/api/needs/{posted['id']}"))["offers"] == []
    assert (await owner.accepts(posted, offer)).status_code == 404
    assert (await angel.offers(posted, 100)).status_code == 201
    assert (await owner.offers(posted)).status_code == 409  # not for one's own


async def test_a_withdrawn_need_is_told_and_takes_no_more_offers(come: Come, database: Database) -> None:
    owner, posted = await _id(come)
    one, two = await come("Abel Angel"), await come("Bea Busy")
    offer = await one.offered(posted)
    assert (await owner.call("POST", f"/api/needs/{posted['id']}/withdrawal")).status_code == 200
    assert (await owner.call("POST", f"/api/needs/{posted['id']}/withdrawal")).status_code == 409
    assert (await owner.accepts(posted, offer)).status_code == 409
    assert (await two.offers(posted)).status_code == 409
    await work(database)
    assert mails(database, one)[-1][0] == "Not this time: A fence that leans"
    assert "is no longer needed" in mails(database, one)[-1][2]
    assert (await two.call("GET", f"/api/needs/{posted['id']}")).status_code == 404  # who had no part in it


async def test_needs_expire_and_everybody_is_told_once(come: Come, database: Database) -> None:
    owner, posted = await _id(come)
    angel = await come("Abel Angel")
    offer = await angel.offered(posted)
    with psycopg.connect(database.overseer_url) as conn:
        conn.execute("UPDATE needs SET expires_at = now() WHERE id = %s", [posted["id"]])
    assert (await owner.accepts(posted, offer)).status_code == 409  # before the worker came by, too
    assert (await angel.call("DELETE", f"/api/need-offers/{offer}")).status_code == 409
    with psycopg.connect(database.overseer_url) as conn:
        assert counting.expire(conn) >= 1
        assert counting.expire(conn) == 0
    await work(database)
    assert mails(database, owner)[-1][0] == "No longer open: A fence that leans"
    assert "You had 1 offer." in mails(database, owner)[-1][2]
    assert "was not decided in time" in mails(database, angel)[-1][2]
    assert (await owner.gets(f"/api/needs/{posted['id']}"))["need"]["status"] == "expired"


async def test_others_needs_offers_and_unknown_ones_answer_alike(come: Come) -> None:
    owner, posted = await _id(come)
    asked, stranger = await come("Abel Angel"), await come("Stella Stranger")
    await asked.helps()
    meant = await owner.needs(angel=asked.handle)
    offer = await asked.offered(meant)
    unknown = str(new_id())
    for path, body in (
        ("", None),
        ("/offers", {"priceCents": 100, "message": "Hi"}),
        ("/acceptance", {"offerId": offer}),
        ("/withdrawal", {}),
        ("/completion", {}),
    ):
        method = "GET" if body is None else "POST"
        answers = [
            await stranger.call(method, f"/api/needs/{need_id}{path}", **({} if body is None else {"json": body}))
            for need_id in (meant["id"], unknown, "nonsense")
        ]
        assert {answer.status_code for answer in answers} == {404}, path
        assert len({answer.text for answer in answers}) == 1
    assert (await stranger.call("DELETE", f"/api/need-offers/{offer}")).status_code == 404
    # An open need is everybody's to read, but its owner's to decide.
    assert (await stranger.call("GET", f"/api/needs/{posted['id']}")).status_code == 200
    for path, body in (("/acceptance", {"offerId": offer}), ("/withdrawal", {}), ("/completion", {})):
        assert (await stranger.call("POST", f"/api/needs/{posted['id']}{path}", json=body)).status_code == 404
    # An offer for another need of one's own is none for this one.
    assert (await owner.accepts(posted, offer)).status_code == 404


async def test_who_is_asked_by_name_hears_of_it_alone(come: Come, database: Database) -> None:
    owner, asked, other = await come("Olive Owner"), await come("Abel Angel"), await come("Bea Busy")
    await asked.helps(radiusMiles=1, place=BOULDER, mailsADay=0)
    await other.helps()
    posted = await owner.needs(angel=asked.handle)
    assert posted["asked"]["name"] == "Abel Angel"
    await work(database)
    ((subject, _, _words),) = [mail for mail in mails(database, asked) if posted["id"] in mail[2]]
    assert subject == "A neighbor asks you for help: A fence that leans"
    assert all(posted["id"] not in words for _, _, words in mails(database, other))
    boards = [(await person.gets("/api/needs"))["needs"] for person in (asked, other)]
    assert posted["id"] in [shown["id"] for shown in boards[0]]
    assert posted["id"] not in [shown["id"] for shown in boards[1]]
    for wrong in (owner.handle, "nobody-at-all"):
        answer = await owner.call("POST", "/api/needs", json=need(angel=wrong))
        assert (answer.status_code, list(answer.json()["error"]["fields"])) == (422, ["angel"])


async def test_mails_keep_to_the_limits_of_who_gets_them(
    come: Come, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    owner = await come("Olive Owner")
    tomorrow = clock.now().date() + timedelta(days=1)
    day = {"wantedFrom": tomorrow.isoformat(), "wantedUntil": tomorrow.isoformat()}
    two_a_day, none_a_day, resting, other_day, hidden = [await come(f"Angel {number}") for number in range(5)]
    service = "yard-work"
    await two_a_day.helps(service, mailsADay=2)
    await none_a_day.helps(service, mailsADay=0)
    await resting.helps(service, active=False)
    await other_day.helps(service, days=[(tomorrow.isoweekday() % 7) + 1])
    await hidden.helps(service)
    with psycopg.connect(database.overseer_url) as conn:
        conn.execute("UPDATE users SET email_verified = false WHERE user_id = %s", [hidden.user_id])
    for _ in range(3):
        posted = await owner.needs(serviceId=service, **day)
        await work(database)
    assert len(mails(database, two_a_day)) == 2
    for quiet in (none_a_day, resting, other_day, hidden):
        assert mails(database, quiet) == []
    # A second run of the job tells nobody twice, and no need is told to more than so many.
    with psycopg.connect(database.overseer_url) as conn:
        conn.execute(
            "UPDATE need_notices SET sent_at = now() - interval '2 days' WHERE user_id = %s", [two_a_day.user_id]
        )
        assert letters.angels_to_tell(conn, posted["id"]) == [two_a_day.user_id]
        assert letters.letter_to_angel(conn, posted["id"], two_a_day.user_id, "https://x.example") is not None
        assert letters.letter_to_angel(conn, posted["id"], two_a_day.user_id, "https://x.example") is None
        monkeypatch.setattr(letters, "MOST_TOLD", 1)
        assert letters.angels_to_tell(conn, posted["id"]) == []


async def test_a_resend_posts_once(come: Come) -> None:
    owner = await come("Olive Owner")
    answers = await asyncio.gather(
        *(owner.call("POST", "/api/needs", json=need(), headers={"idempotency-key": "same"}) for _ in range(5))
    )
    assert sorted(answer.status_code for answer in answers) == [200, 200, 200, 200, 201]
    assert len({answer.json()["data"]["need"]["id"] for answer in answers}) == 1


async def test_nobody_has_endless_open_needs(come: Come, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(need_actions, "OPEN_EACH", 3)
    owner = await come("Olive Owner")
    answers = await asyncio.gather(*(owner.call("POST", "/api/needs", json=need()) for _ in range(6)))
    assert sorted(answer.status_code for answer in answers) == [201, 201, 201, 409, 409, 409]


TODAY = clock.now().date()
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
    "somebody else's": {"userId": str(new_id())},
}


@pytest.mark.parametrize("name", WRONG)
async def test_what_is_no_need_is_refused(come: Come, name: str) -> None:
    owner = await come("Olive Owner")
    answer = await owner.call("POST", "/api/needs", json=need(**WRONG[name]))
    assert answer.status_code == 422, answer.text
    assert answer.json()["error"]["fields"]
    assert (await owner.gets("/api/own-needs"))["needs"] == []


def _picture() -> bytes:
    made = io.BytesIO()
    image = Image.new("RGB", (1600, 900), "green")
    exif = Image.Exif()
    exif[0x010E] = "39.7392,-104.9847"
    image.save(made, "JPEG", exif=exif)
    return made.getvalue()


async def test_photos_are_drawn_anew_and_shown_to_who_sees_the_need(come: Come) -> None:
    owner, posted = await _id(come)
    stranger = await come("Stella Stranger")
    path = f"/api/needs/{posted['id']}/photos"
    assert (await owner.call("POST", path, content=b"<svg/>", headers={"content-type": "image/png"})).status_code == 422
    assert (await stranger.call("POST", path, content=_picture())).status_code == 404
    answers = [await owner.call("POST", path, content=_picture()) for _ in range(5)]
    assert [answer.status_code for answer in answers] == [201, 201, 201, 201, 422]
    photos = (await stranger.gets(f"/api/needs/{posted['id']}"))["need"]["photos"]
    assert len(photos) == 4
    shown = await stranger.call("GET", photos[0])
    assert shown.headers["content-type"] == "image/webp"
    with Image.open(io.BytesIO(shown.content)) as picture:
        assert picture.size == (1280, 720)
        assert not picture.getexif()
    await owner.call("POST", f"/api/needs/{posted['id']}/withdrawal")
    assert (await stranger.call("GET", photos[0])).status_code == 404
    assert (await owner.call("GET", photos[0])).status_code == 200


async def _with_photos(owner: Neighbour, posted: dict[str, Any], photos: int) -> list[str]:
    """The ids of photos that a need has now."""
    for _ in range(photos):
        added = await owner.call("POST", f"/api/needs/{posted['id']}/photos", content=png(64, 48))
        assert added.status_code == 201, added.text
    return await _photos(owner, posted)


async def _photos(owner: Neighbour, posted: dict[str, Any]) -> list[str]:
    shown = (await owner.gets(f"/api/needs/{posted['id']}"))["need"]["photos"]
    return [str(path).removeprefix("/api/need-photos/").removesuffix(".webp") for path in shown]


async def test_a_photo_taken_off_is_gone_and_the_rest_keep_their_order(come: Come) -> None:
    owner, posted = await _id(come)
    first, second, third, fourth = await _with_photos(owner, posted, 4)
    path = f"/api/needs/{posted['id']}/photos"
    removed = await owner.call("DELETE", f"{path}/{second}")
    assert removed.status_code == 200
    assert len(removed.json()["data"]["need"]["photos"]) == 3
    assert (await owner.call("GET", f"/api/need-photos/{second}.webp")).status_code == 404
    assert (await owner.call("DELETE", f"{path}/{second}")).status_code == 404
    # There is room again, and what is added comes last.
    *before, _added = await _with_photos(owner, posted, 1)
    assert before == [first, third, fourth]
    again = await asyncio.gather(*(owner.call("DELETE", f"{path}/{third}") for _ in range(4)))
    assert sorted(answer.status_code for answer in again) == [200, 404, 404, 404]
    assert len(await _photos(owner, posted)) == 3


async def test_photos_taken_off_and_added_at_once_stay_in_their_places(come: Come, database: Database) -> None:
    owner, posted = await _id(come)
    there = await _with_photos(owner, posted, 4)
    path = f"/api/needs/{posted['id']}/photos"
    removals = [owner.call("DELETE", f"{path}/{photo}") for photo in there[:3]]
    additions = [owner.call("POST", path, content=png(64, 48)) for _ in range(3)]
    removed, added = await asyncio.gather(asyncio.gather(*removals), asyncio.gather(*additions))
    assert [answer.status_code for answer in removed] == [200] * 3
    assert {answer.status_code for answer in added} <= {201, 422}  # full until one is gone
    left = 1 + [answer.status_code for answer in added].count(201)
    with psycopg.connect(database.overseer_url) as conn:
        query = "SELECT position FROM need_photos WHERE need_id = %s ORDER BY position"
        assert conn.execute(query, [posted["id"]]).fetchall() == [(place,) for place in range(left)]


async def test_photos_are_ones_own_to_take_off_until_an_offer_is_accepted(come: Come) -> None:
    owner, posted = await _id(come)
    angel = await come("Abel Angel")
    (photo,) = await _with_photos(owner, posted, 1)
    other = await owner.needs()
    theirs = await angel.needs()
    for person, need_id, photo_id in (
        (angel, posted["id"], photo),
        (angel, theirs["id"], photo),
        (owner, other["id"], photo),
        (owner, posted["id"], str(new_id())),
        (owner, str(new_id()), photo),
        (owner, posted["id"], "nonsense"),
    ):
        answer = await person.call("DELETE", f"/api/needs/{need_id}/photos/{photo_id}")
        assert (answer.status_code, answer.json()["error"]["code"]) == (404, "not_found")
    offer = await angel.offered(posted)
    assert (await owner.accepts(posted, offer)).status_code == 200
    kept = await owner.call("DELETE", f"/api/needs/{posted['id']}/photos/{photo}")
    assert (kept.status_code, kept.json()["error"]["code"]) == (409, "need_closed")
    assert await _photos(owner, posted) == [photo]
    # What is taken back or over may still be seen by who offered: its photos are their owner's to remove.
    (late,) = await _with_photos(owner, other, 1)
    assert (await owner.call("POST", f"/api/needs/{other['id']}/withdrawal")).status_code == 200
    assert (await owner.call("DELETE", f"/api/needs/{other['id']}/photos/{late}")).status_code == 200


async def test_the_board_is_paged_and_filtered(come: Come) -> None:
    owner, angel = await come("Olive Owner"), await come("Abel Angel")
    await angel.helps("moving-help", radiusMiles=3)
    near = [await owner.needs(serviceId="moving-help", title=f"Boxes {number}") for number in range(5)]
    far = await owner.needs(serviceId="moving-help", place=BOULDER)
    other = await owner.needs(serviceId="pet-sitting")
    fitting = (await angel.gets("/api/needs", fitting="true"))["needs"]
    assert [shown["id"] for shown in fitting] == [posted["id"] for posted in reversed(near)]
    moving = [shown["id"] for shown in (await angel.gets("/api/needs", service="moving-help"))["needs"]]
    assert far["id"] in moving
    assert other["id"] not in moving
    seen: list[str] = []
    cursor: dict[str, str] = {}
    while True:
        page = await angel.gets("/api/needs", **cursor)
        seen += [shown["id"] for shown in page["needs"]]
        if page["nextCursor"] is None:
            break
        cursor = {"cursor": page["nextCursor"]}
    assert len(seen) == len(set(seen))
    assert {posted["id"] for posted in (*near, far, other)} <= set(seen)
    assert all(not shown["mine"] for shown in fitting)
    assert (await angel.call("GET", "/api/needs?cursor=nonsense")).status_code == 422
    assert {shown["id"] for shown in (await owner.gets("/api/own-needs"))["needs"]} >= {posted["id"] for posted in near}


async def test_an_erased_account_takes_its_help_needs_and_offers_with_it(come: Come, database: Database) -> None:
    owner, angel = await come("Olive Owner"), await come("Abel Angel")
    await owner.helps("pet-sitting")
    posted = await owner.needs()
    await owner.call("POST", f"/api/needs/{posted['id']}/photos", content=_picture())
    offer = await angel.offered(posted)
    await owner.offered(await angel.needs())
    assert (await owner.call("DELETE", "/api/auth/account")).status_code == 200
    with psycopg.connect(database.overseer_url) as conn:
        for table in ("angels", "needs", "need_photos", "need_offers", "need_notices"):
            left = conn.execute(f"SELECT count(*) FROM {table} WHERE user_id = %s", [owner.user_id]).fetchone()
            assert left == (0,), table
    assert (await angel.call("GET", f"/api/needs/{posted['id']}")).status_code == 404
    mine = next(shown for shown in (await angel.gets("/api/need-offers"))["offers"] if shown["id"] == offer)
    assert (mine["outcome"], mine["need"]) == ("closed", None)
