"""Reviews of angels: on the public profile and on the card, with words, date and job."""

from __future__ import annotations

from typing import Any

import psycopg

from tenants.kit import clock
from tests.fixtures.databases import Database
from tests.fixtures.refusals import refusal
from tests.porchlight.angels.users import ApiUser, run_jobs
from tests.porchlight.named_users import CreateUser

SERVICE = "handyman-services"


async def _complete(owner: ApiUser, angel: ApiUser, **review: Any) -> None:
    """Post a need for an angel, accept the offer and complete it with a review."""
    need = await owner.create_need()
    offer = await angel.create_offer(need)
    assert (await owner.accept_offer(need, offer)).status_code == 200
    done = await owner.request("POST", f"/api/needs/{need['id']}/completion", json=review)
    assert done.status_code == 200, done.text


async def test_review_is_shown_with_words_date_and_job(create_user: CreateUser, database: Database) -> None:
    owner, angel, stranger = [await create_user(name) for name in ("Olive Owner", "Abel Angel", "Sam Stranger")]
    await angel.offer_service(SERVICE, rateCents=4000)
    await _complete(owner, angel, rating=4, review="Kind, and <b>tidy</b>.")
    await _complete(owner, angel, rating=5, review="")
    await run_jobs(database)
    found = await stranger.get(f"/api/users/{angel.handle}/reviews")
    (service,) = found["services"]
    assert (service["serviceId"], service["rateCents"], service["jobs"], service["rating"]) == (SERVICE, 4000, 2, 4.5)
    assert [(one["rating"], one["words"]) for one in found["reviews"]] == [(5, ""), (4, "Kind, and <b>tidy</b>.")]
    written = found["reviews"][1]
    assert (written["author"], written["service"]) == ("Olive", service["title"])
    assert (written["date"], written["hours"]) == (clock.now().date().isoformat(), 2.0)
    assert found["nextCursor"] is None
    # The texts and the place of the need stay with the angels.
    assert set(written) == {"id", "service", "hours", "rating", "words", "date", "author"}
    (card,) = [one for one in (await stranger.get(f"/api/angels/{SERVICE}"))["angels"] if one["name"] == "Abel Angel"]
    assert card["review"] == written


async def test_reviews_of_hidden_profile_are_not_found(create_user: CreateUser) -> None:
    owner, angel = [await create_user(name) for name in ("Olga Owner", "Hal Hidden")]
    await angel.offer_service(SERVICE)
    await _complete(owner, angel, rating=5, review="Great.")
    hidden = await angel.request("PUT", "/api/auth/profile", json={"privacy": {"publicProfile": False}})
    assert hidden.status_code == 200
    unknown = await owner.request("GET", "/api/users/unknown-handle/reviews")
    assert refusal(unknown) == (404, "not_found")
    for handle in (angel.handle, "a%00b"):
        response = await owner.request("GET", f"/api/users/{handle}/reviews")
        assert (response.status_code, response.json()) == (404, unknown.json())


async def test_reviews_continue_after_the_cursor(create_user: CreateUser, database: Database) -> None:
    owner, angel = [await create_user(name) for name in ("Owen Owner", "Ana Angel")]
    await angel.offer_service(SERVICE)
    await _complete(owner, angel, rating=5, review="First")
    copies = 11
    with psycopg.connect(database.service_url) as conn:
        columns = [
            row[0]
            for row in conn.execute(
                "SELECT column_name::text FROM information_schema.columns WHERE table_name = 'needs'"
                " AND column_name NOT IN ('id', 'idempotency_key', 'review', 'updated_at') ORDER BY ordinal_position"
            ).fetchall()
        ]
        names = ", ".join(columns)
        conn.execute(
            f"INSERT INTO needs (id, idempotency_key, review, updated_at, {names})"
            f" SELECT gen_random_uuid(), 'copy-' || n, 'Copy ' || n, updated_at - n * interval '1 hour', {names}"
            "  FROM needs, generate_series(1, %s) n WHERE user_id = %s".encode(),
            [copies, owner.user_id],
        )
    path, words, cursor = f"/api/users/{angel.handle}/reviews", [], None
    while True:
        page = await owner.get(path, **({"cursor": cursor} if cursor else {}))
        words += [one["words"] for one in page["reviews"]]
        cursor = page["nextCursor"]
        if cursor is None:
            break
    assert words == ["First", *(f"Copy {n}" for n in range(1, copies + 1))]
    assert (await owner.request("GET", path, params={"cursor": "wrong"})).status_code == 422
