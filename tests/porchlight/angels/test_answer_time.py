"""The usual answer time of angels, on the card and on the public profile."""

from __future__ import annotations

from typing import Any

import psycopg

from tests.fixtures.databases import Database
from tests.porchlight.angels.users import ApiUser, run_jobs
from tests.porchlight.named_users import CreateUser

SERVICE = "handyman-services"


async def _shown(viewer: ApiUser, angel: ApiUser) -> tuple[Any, Any]:
    """Return the answer times on the angel's card and profile."""
    found = (await viewer.get(f"/api/angels/{SERVICE}"))["angels"]
    (card,) = [one for one in found if one["handle"] == angel.handle]
    return card["answerMinutes"], (await viewer.get(f"/api/users/{angel.handle}/reviews"))["answerMinutes"]


async def _answer(database: Database, owner: ApiUser, angel: ApiUser, minutes: float) -> None:
    """Post a need, email the angels, and make the angel's offer some minutes later."""
    need = await owner.create_need()
    await run_jobs(database)
    await angel.create_offer(need)
    with psycopg.connect(database.service_url) as conn:
        conn.execute(
            "UPDATE need_notices SET sent_at = app.now() - make_interval(days => 1, secs => %s)"
            " WHERE user_id = %s AND need_id = %s",
            [60 * minutes, angel.user_id, need["id"]],
        )
        conn.execute(
            "UPDATE need_offers SET created_at = app.now() - interval '1 day' WHERE user_id = %s AND need_id = %s",
            [angel.user_id, need["id"]],
        )


async def test_answer_time_of_an_angel_is_shown_with_enough_answers(
    create_user: CreateUser, database: Database
) -> None:
    owner, angel, other = [await create_user(name) for name in ("Olive Owner", "Abel Angel", "Otto Other")]
    for each in (angel, other):
        await each.offer_service(SERVICE, mailsADay=20)
    for minutes in (10, 20, 95, 400):
        await _answer(database, owner, angel, minutes)
    assert await _shown(owner, angel) == (None, None)
    await _answer(database, owner, angel, 3000)
    assert await _shown(owner, angel) == (95, 95)
    assert await _shown(owner, other) == (None, None)


async def test_answer_time_of_an_angel_who_ignores_requests_is_hidden(
    create_user: CreateUser, database: Database
) -> None:
    owner, asker, angel = [await create_user(name) for name in ("Olga Owner", "Ann Asker", "Ida Angel")]
    await angel.offer_service(SERVICE, mailsADay=20)
    for minutes in range(10, 15):
        await _answer(database, owner, angel, minutes)
    assert (await _shown(owner, angel))[0] == 12
    for _ in range(6):
        await asker.create_need(angel=angel.handle)
    assert (await _shown(owner, angel))[0] == 12, "a new request can still be answered"
    with psycopg.connect(database.service_url) as conn:
        conn.execute(
            "UPDATE needs SET created_at = app.now() - interval '2 days' WHERE asked_user_id = %s", [angel.user_id]
        )
    assert await _shown(owner, angel) == (None, None)
