"""Reviews of sessions over HTTP: both sides write, hidden from each other, and everyone reads what is revealed."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from functools import partial
from typing import Any

import httpx
import psycopg
import pytest

from porchlight.contracts import REVIEW_PERIOD
from tenants.kit import clock
from tests.fixtures.databases import Database
from tests.fixtures.jobs import do_jobs
from tests.fixtures.refusals import refusal
from tests.porchlight.bookings.api import CreateUser, code, execute
from tests.porchlight.bookings.sessions import book_session
from tests.porchlight.owner import GuruOwner
from tests.porchlight.reviews.sessions import (
    end_session,
    public_answers,
    publish,
    reviews_of,
    write,
    written,
    written_by_guru,
)

SECRET = "The scales were out of tune"


async def test_hidden_review_changes_no_other_answer(
    web: httpx.AsyncClient, create_user: CreateUser, owner: GuruOwner, database: Database
) -> None:
    ada = await create_user("Ada Neighbor")
    booking = end_session(database, owner.guru, ada)
    version = "SELECT content_version FROM gurus WHERE id = %s"
    paths = ("/reviews", f"/bookings/{booking}/review", "/reviews/due", f"/bookings/{booking}")

    async def of_guru() -> list[Any]:
        return [await owner.call("GET", path) for path in paths]

    with psycopg.connect(database.service_url, autocommit=True) as conn:
        before = await public_answers(web, owner.guru), await of_guru()
        version_before = conn.execute(version, [owner.guru.id]).fetchone()
        own = (await written(ada, booking, 1, SECRET, privateNote="Please be on time"))["own"]
        publish(database, owner.guru)
        assert (await public_answers(web, owner.guru), await of_guru()) == before
        assert conn.execute(version, [owner.guru.id]).fetchone() == version_before
    assert (own["hidden"], own["body"], own["privateNote"]) == (True, SECRET, "Please be on time")


async def test_gurus_hidden_review_is_not_in_persons_answers(
    create_user: CreateUser, owner: GuruOwner, database: Database
) -> None:
    ada = await create_user("Ada Neighbor")
    booking = end_session(database, owner.guru, ada)

    async def answers() -> list[Any]:
        return [await ada.get(path) for path in (f"/api/bookings/{booking}/review", "/api/reviews/due")]

    before = await answers()
    await written_by_guru(owner, booking, 2, SECRET)
    assert await answers() == before


async def test_second_review_reveals_both_to_everyone(
    web: httpx.AsyncClient, create_user: CreateUser, owner: GuruOwner, database: Database
) -> None:
    ada = await create_user("Ada Neighbor")
    booking = end_session(database, owner.guru, ada)
    await written(ada, booking, 4, "Clear and patient.", privateNote="The door sticks.")
    of_guru = await written_by_guru(owner, booking, 5, "On time, and curious.")
    assert of_guru["own"]["hidden"] is False
    assert (of_guru["received"]["stars"], of_guru["received"]["privateNote"]) == (4, "The door sticks.")
    of_ada = await ada.get(f"/api/bookings/{booking}/review")
    assert (of_ada["received"]["body"], of_ada["received"]["privateNote"]) == ("On time, and curious.", "")
    assert of_ada["canWrite"] is False
    await do_jobs(database)
    page = await reviews_of(web, owner.guru)
    assert page["rating"] == {"average": 4.0, "reviews": 1}
    assert page["counts"] == [0, 0, 0, 1, 0]
    ((shown),) = page["reviews"]
    assert (shown["stars"], shown["body"], shown["author"]) == (4, "Clear and patient.", "Ada")
    assert "door" not in str(page)
    home = (await web.get(f"/api/gurus/{owner.guru.label}/home")).json()["reviews"]
    assert home["rating"] == page["rating"]
    assert home["services"] == {str(owner.guru.services[0]): page["rating"]}
    assert [one["id"] for one in home["newest"]] == [shown["id"]]
    assert [one["author"] for one in (await owner.call("GET", "/reviews"))["reviews"]] == ["Ada Neighbor"]


async def test_both_at_once_are_revealed_exactly_once(
    create_user: CreateUser, owner: GuruOwner, database: Database
) -> None:
    ada = await create_user("Ada Neighbor")
    bookings = [end_session(database, owner.guru, ada) for _ in range(8)]
    writes = [job for booking in bookings for job in (written(ada, booking), written_by_guru(owner, booking))]
    await asyncio.gather(*writes)
    with psycopg.connect(database.service_url) as conn:
        query = (
            "SELECT booking_id, count(*), count(DISTINCT reveals_at), bool_and(reveals_at <= app.now()) FROM reviews"
            " WHERE tenant_id = %s GROUP BY booking_id"
        )
        found = conn.execute(query, [owner.guru.id]).fetchall()
    assert [row[1:] for row in found] == [(2, 1, True)] * len(bookings)
    await do_jobs(database)
    with psycopg.connect(database.service_url) as conn:
        query = "SELECT side, count(*) FROM booking_emails WHERE tenant_id = %s AND kind = 'review_out' GROUP BY side"
        assert dict(conn.execute(query, [owner.guru.id]).fetchall()) == {"person": 8, "guru": 8}


async def test_review_is_changed_until_it_is_revealed(
    create_user: CreateUser, owner: GuruOwner, database: Database
) -> None:
    ada = await create_user("Ada Neighbor")
    booking = end_session(database, owner.guru, ada)
    await written(ada, booking, 2)
    assert (await written(ada, booking, 3, "Better than I thought."))["own"]["stars"] == 3
    await written_by_guru(owner, booking)
    response = await write(ada, booking, 1)
    assert code(response) == "review_closed"
    assert (await ada.get(f"/api/bookings/{booking}/review"))["own"]["stars"] == 3


@pytest.mark.parametrize(("until_close", "status"), [(timedelta(seconds=30), 200), (timedelta(seconds=-1), 409)])
async def test_review_closes_14_days_after_session(
    create_user: CreateUser, owner: GuruOwner, database: Database, until_close: timedelta, status: int
) -> None:
    ada = await create_user("Ada Neighbor")
    ends_at = clock.now() - REVIEW_PERIOD + until_close
    booking = end_session(database, owner.guru, ada, starts_at=ends_at - timedelta(hours=1))
    assert (await write(ada, booking)).status_code == status
    assert len((await ada.get("/api/reviews/due"))["sessions"]) == 0


async def test_lone_review_is_published_after_14_days(
    web: httpx.AsyncClient, create_user: CreateUser, owner: GuruOwner, database: Database
) -> None:
    ada = await create_user("Ada Neighbor")
    booking = end_session(database, owner.guru, ada)
    data = await written(ada, booking, 5, "Lovely.")
    assert data["own"]["revealsAt"] == data["openUntil"]
    publish(database, owner.guru)
    assert (await reviews_of(web, owner.guru))["reviews"] == []
    execute(database, "UPDATE reviews SET reveals_at = app.now() WHERE booking_id = %s", booking)
    publish(database, owner.guru)
    page = await reviews_of(web, owner.guru, until=lambda page: page["counts"] != [0] * 5)
    assert [one["body"] for one in page["reviews"]] == ["Lovely."]
    # The guru has not written, and cannot answer by a review anymore: the edit ends where the other's words are known.
    assert (await owner.call("GET", "/reviews"))["reviews"][0]["own"] is None


async def test_missed_session_is_reviewed_by_guru_only(
    create_user: CreateUser, owner: GuruOwner, database: Database
) -> None:
    ada = await create_user("Ada Neighbor")
    booking = end_session(database, owner.guru, ada, status="missed")
    response = await write(ada, booking)
    assert code(response) == "review_closed"
    assert "missed" in response.json()["error"]["message"]
    assert (await written_by_guru(owner, booking, 1, "Did not come."))["own"]["hidden"] is True


async def test_session_ahead_or_canceled_has_no_review(
    create_user: CreateUser, owner: GuruOwner, database: Database
) -> None:
    ada = await create_user("Ada Neighbor")
    ahead = book_session(database, owner.guru, ada, clock.now() + timedelta(hours=3))
    canceled = end_session(database, owner.guru, ada, status="canceled")
    for booking in (ahead, canceled):
        assert code(await write(ada, booking)) == "review_closed"
        await owner.call("PUT", f"/bookings/{booking}/review", {"stars": 5}, expect=409)
        assert (await ada.get(f"/api/bookings/{booking}/review"))["canWrite"] is False


async def test_own_site_is_not_reviewed(create_user: CreateUser, owner: GuruOwner, database: Database) -> None:
    ada = await create_user("Ada Neighbor")
    booking = end_session(database, owner.guru, ada)
    execute(database, "UPDATE memberships SET user_id = %s WHERE tenant_id = %s", ada.user_id, owner.guru.id)
    assert code(await write(ada, booking)) == "own_site"


async def test_other_users_review_nothing(
    create_user: CreateUser, owner: GuruOwner, new_owner: Any, database: Database
) -> None:
    ada, ben, other = await create_user("Ada Neighbor"), await create_user("Ben Baker"), await new_owner()
    booking = end_session(database, owner.guru, ada)
    assert refusal(await write(ben, booking)) == (404, "not_found")
    await other.call("PUT", f"/bookings/{booking}/review", {"stars": 1}, expect=404)
    await other.call("GET", f"/bookings/{booking}/review", expect=404)


async def test_due_reviews_list_what_is_not_written(
    create_user: CreateUser, owner: GuruOwner, database: Database
) -> None:
    ada = await create_user("Ada Neighbor")
    older, newer = end_session(database, owner.guru, ada), end_session(database, owner.guru, ada)
    end_session(database, owner.guru, ada, customer_token=owner.guru.id)

    async def due() -> list[str]:
        return [one["bookingId"] for one in (await ada.get("/api/reviews/due"))["sessions"]]

    async def due_of_guru() -> list[str]:
        return [one["bookingId"] for one in (await owner.call("GET", "/reviews/due"))["sessions"]]

    assert set(await due()) == set(await due_of_guru()) == {older, newer}
    await written(ada, older)
    assert await due() == [newer]
    assert set(await due_of_guru()) == {older, newer}
    await written_by_guru(owner, newer)
    assert await due_of_guru() == [older]


async def test_both_sides_reply_to_revealed_review(
    web: httpx.AsyncClient, create_user: CreateUser, owner: GuruOwner, database: Database
) -> None:
    ada = await create_user("Ada Neighbor")
    booking = end_session(database, owner.guru, ada)
    await written(ada, booking, 3, "A bit fast.")
    reply_to_guru = f"/api/bookings/{booking}/review/reply"
    assert (await ada.request("PUT", reply_to_guru, json={"body": "Hi"})).status_code == 404
    received = (await written_by_guru(owner, booking, 4))["received"]
    reply = f"/reviews/{received['id']}/reply"
    publish(database, owner.guru)
    for words in ("I will slow down.", "Thank you, I will slow down.", ""):
        await owner.call("PUT", reply, {"body": words})
        await reviews_of(web, owner.guru, until=partial(_has_reply, words))
    assert (await ada.request("PUT", reply_to_guru, json={"body": "Thanks!"})).status_code == 200
    assert (await owner.call("GET", f"/bookings/{booking}/review"))["own"]["reply"] == "Thanks!"
    await owner.call("PUT", reply, {"body": "x" * 2001}, expect=422)


def _has_reply(words: str, page: dict[str, Any]) -> bool:
    return bool(page["reviews"][0]["reply"] == words)


async def test_guru_reads_what_others_wrote_of_asker(
    create_user: CreateUser, owner: GuruOwner, new_owner: Any, database: Database
) -> None:
    ada, other = await create_user("Ada Neighbor"), await new_owner()
    booking = end_session(database, owner.guru, ada)
    await written(ada, booking)
    await written_by_guru(owner, booking, 2, "Came late.")
    publish(database, owner.guru)
    waiting = {"status": "requested", "expires_at": clock.now() + timedelta(days=1)}
    asked = book_session(database, other.guru, ada, clock.now() + timedelta(days=2), **waiting)
    found = await other.call("GET", f"/bookings/{asked}/neighbor-reviews")
    assert found["rating"] == {"average": 2.0, "reviews": 1}
    assert [(one["body"], one["stars"]) for one in found["reviews"]] == [("Came late.", 2)]
    # Never in public: neither on the profile nor on a site.
    assert "Came late." not in (await other.web.get(f"/api/users/{ada.handle}")).text
    assert "Came late." not in (await other.web.get(f"/api/gurus/{owner.guru.label}/reviews")).text


async def test_reviews_are_404_while_guru_has_flag_off(
    web: httpx.AsyncClient, create_user: CreateUser, owner: GuruOwner, database: Database, app: Any
) -> None:
    ada = await create_user("Ada Neighbor")
    booking = end_session(database, owner.guru, ada)
    await written(ada, booking)
    await written_by_guru(owner, booking)
    publish(database, owner.guru)
    flag = "INSERT INTO guru_flags (tenant_id, name, enabled) VALUES (%s, 'reviews', false)"
    execute(database, flag, owner.guru.id)
    app.flags.on_change()
    assert (await web.get(f"/api/gurus/{owner.guru.label}/reviews")).status_code == 404
    assert (await web.get(f"/api/gurus/{owner.guru.label}/home")).json()["reviews"]["rating"] is None
    assert (await ada.request("GET", f"/api/bookings/{booking}/review")).status_code == 404
    assert (await write(ada, booking)).status_code == 404
    assert (await ada.get("/api/reviews/due"))["sessions"] == []
    for path in ("/reviews", "/reviews/due", f"/bookings/{booking}/review", f"/bookings/{booking}/neighbor-reviews"):
        await owner.call("GET", path, expect=404)
    execute(database, "DELETE FROM guru_flags WHERE tenant_id = %s AND name = 'reviews'", owner.guru.id)
    app.flags.on_change()


async def test_no_console_operation_removes_a_review(
    create_user: CreateUser, owner: GuruOwner, database: Database
) -> None:
    ada = await create_user("Ada Neighbor")
    booking = end_session(database, owner.guru, ada)
    await written(ada, booking, 1, SECRET)
    received = (await written_by_guru(owner, booking))["received"]
    for method in ("DELETE", "POST", "PATCH"):
        for path in (f"/reviews/{received['id']}", f"/bookings/{booking}/review", f"/reviews/{received['id']}/removal"):
            response = await owner.web.request(method, f"/api/guru{path}", json={"reason": "I dislike it"})
            assert response.status_code in (404, 405), (method, path)
    # A guru cannot delete the booking or the service under it either.
    response = await owner.web.delete(f"/api/guru/services/{owner.guru.services[0]}")
    assert response.status_code in (200, 404, 405, 409)
    assert (await owner.call("GET", "/reviews"))["reviews"][0]["body"] == SECRET
