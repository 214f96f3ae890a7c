"""Removal of a review by staff: its place shows the reason, and the numbers do not count it anymore."""

from __future__ import annotations

import httpx
import psycopg

from tests.fixtures.databases import Database
from tests.porchlight.admin.api_client import sign_in_admin
from tests.porchlight.bookings.api import CreateUser
from tests.porchlight.owner import GuruOwner
from tests.porchlight.reviews.sessions import end_session, publish, reviews_of, written, written_by_guru

REASON = "It names a child."


async def test_removed_review_shows_reason_in_its_place(
    web: httpx.AsyncClient, create_user: CreateUser, owner: GuruOwner, database: Database
) -> None:
    ada = await create_user("Ada Neighbor")
    bookings = [end_session(database, owner.guru, ada) for _ in range(2)]
    for booking, stars in zip(bookings, (5, 1), strict=True):
        await written(ada, booking, stars, f"Words of {stars}")
        await written_by_guru(owner, booking)
    staff = await sign_in_admin(web)
    listed = await web.get(f"/api/admin/reviews?guru={owner.guru.label}", headers=staff)
    assert listed.json()["data"]["items"] == [], "not published yet"
    publish(database, owner.guru)
    items = (await web.get(f"/api/admin/reviews?guru={owner.guru.label}", headers=staff)).json()["data"]["items"]
    bad = next(one for one in items if one["side"] == "person" and one["stars"] == 1)
    path = f"/api/admin/reviews/{bad['id']}/removal"
    assert (await web.post(path, json={"reason": REASON}, headers=staff)).status_code == 200
    page = await reviews_of(web, owner.guru, until=lambda page: page["counts"] == [0, 0, 0, 0, 1])
    assert (page["rating"], page["counts"]) == ({"average": 5.0, "reviews": 1}, [0, 0, 0, 0, 1])
    removed = next(one for one in page["reviews"] if one["id"] == bad["id"])
    assert (removed["stars"], removed["body"], removed["author"]) == (None, "", "")
    assert removed["removedWhy"] == REASON
    assert "Words of 1" not in str(page)
    assert (await ada.get(f"/api/bookings/{bookings[1]}/review"))["own"]["removedWhy"] == REASON
    again = await web.post(path, json={"reason": REASON}, headers=staff)
    assert again.json()["error"]["code"] == "already_decided"
    with psycopg.connect(database.service_url) as conn:
        query = "SELECT action, details ->> 'reason' FROM audit_log WHERE subject_id = %s"
        assert conn.execute(query, [bad["id"]]).fetchall() == [("review.remove", REASON)]


async def test_published_review_can_be_reported(
    web: httpx.AsyncClient, create_user: CreateUser, owner: GuruOwner, database: Database
) -> None:
    ada = await create_user("Ada Neighbor")
    booking = end_session(database, owner.guru, ada)
    review = (await written(ada, booking, 1, "Rude words"))["own"]
    assert review["hidden"]
    with psycopg.connect(database.service_url) as conn:
        row = conn.execute("SELECT id FROM reviews WHERE booking_id = %s", [booking]).fetchone()
    assert row is not None
    report = {"kind": "review", "name": str(row[0]), "reason": "offensive", "details": "", "website": ""}
    assert (await owner.web.post("/api/reports", json=report)).status_code == 404, "a hidden one does not exist"
    await written_by_guru(owner, booking)
    publish(database, owner.guru)
    assert (await owner.web.post("/api/reports", json=report)).status_code == 201
    with psycopg.connect(database.service_url) as conn:
        query = "SELECT subject_title, guru_id FROM reports WHERE subject_kind = 'review' AND subject_id = %s"
        assert conn.execute(query, [row[0]]).fetchall() == [("Lesson: Rude words", owner.guru.id)]
