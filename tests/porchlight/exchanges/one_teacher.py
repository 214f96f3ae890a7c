"""One teacher with a site, whom neighbors and visitors want at the same time."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

import httpx
import psycopg

from tenants.kit.clock import to_iso8601
from tests.porchlight.angels.users import ApiUser
from tests.porchlight.bookings.api import free_starts, post_booking, post_hold
from tests.porchlight.exchanges.people import answer, ask, cancel, list_skill
from tests.porchlight.factories import SeededGuru

CreateUser = Callable[[str], Awaitable[ApiUser]]
LEARNERS = 3
MAX_ASKS = 8  # of a learner, below the limit of a day
# What the teacher is busy with twice. A confirmed exchange and its time in the calendar of the site are one.
_TWICE = """
WITH busy AS (
    SELECT id, starts_at, ends_at FROM exchanges
    WHERE teacher_id = %(teacher)s AND status = 'confirmed'
    UNION
    SELECT id, starts_at, ends_at FROM appointments
    WHERE tenant_id = %(tenant)s AND (kind <> 'session' OR taken > 0)
)
SELECT count(*) FROM busy a JOIN busy b
ON a.id < b.id AND tstzrange(a.starts_at, a.ends_at) && tstzrange(b.starts_at, b.ends_at)"""
# Exchanges whose time the calendar of the site does not have, and times of exchanges that are not confirmed.
_ASTRAY = """
SELECT count(*) FROM exchanges e LEFT JOIN appointments a ON a.tenant_id = %(tenant)s AND a.id = e.id
WHERE e.teacher_id = %(teacher)s
  AND (e.status = 'confirmed') IS DISTINCT FROM (a.starts_at = e.starts_at AND a.ends_at = e.ends_at)
  AND (e.status = 'confirmed' OR a.id IS NOT NULL)"""


@dataclass(frozen=True)
class Teacher:
    """A teacher, their guru and their listing."""

    user: ApiUser
    guru: SeededGuru
    offer: str

    @property
    def _ids(self) -> dict[str, UUID]:
        return {"teacher": self.user.user_id, "tenant": self.guru.id}

    def check(self, database_url: str) -> int:
        """Assert that the teacher is nowhere twice. Return how many exchanges are confirmed."""
        with psycopg.connect(database_url) as conn:
            assert conn.execute(_TWICE, self._ids).fetchone() == (0,)
            assert conn.execute(_ASTRAY, self._ids).fetchone() == (0,)
            row = conn.execute(
                "SELECT count(*) FROM exchanges WHERE teacher_id = %(teacher)s AND status = 'confirmed'", self._ids
            ).fetchone()
        assert row is not None
        return int(row[0])


async def create_teacher(user: ApiUser, guru: SeededGuru, database_url: str) -> Teacher:
    """Make a user the owner of a guru, with a listing."""
    with psycopg.connect(database_url) as conn:
        conn.execute("DELETE FROM memberships WHERE tenant_id = %s", [guru.id])
        conn.execute("INSERT INTO memberships (tenant_id, user_id) VALUES (%s, %s)", [guru.id, user.user_id])
    return Teacher(user, guru, await list_skill(user))


async def want_at_once(teacher: Teacher, create_user: CreateUser, database_url: str, rounds: int, *, seed: int) -> int:
    """Let learners, a visitor and the teacher take overlapping times at once, round by round.

    After each step, the teacher is nowhere twice. Return how many exchanges were confirmed.
    """
    rng = random.Random(seed)
    confirmed = 0
    learners: list[ApiUser] = []
    for number in range(rounds):
        if number % MAX_ASKS == 0:
            learners = [await create_user(f"Learner {seed} {number} {each}") for each in range(LEARNERS + 1)]
        *asking, visitor = learners
        start = rng.choice(await free_starts(teacher.user.web, teacher.guru))
        wanted = [datetime.fromisoformat(start) + timedelta(minutes=rng.choice((-45, 0, 30))) for _ in asking]
        asked = [await ask(user, teacher.offer, at) for user, at in zip(asking, wanted, strict=True)]
        tries = [answer(teacher.user, one, "accept") for one in asked]
        tries += [_book(visitor, teacher.guru, start), _block(teacher.user, wanted[0])]
        rng.shuffle(tries)
        responses = await asyncio.gather(*tries)
        assert {response.status_code for response in responses} <= {200, 201, 409}, [one.text for one in responses]
        confirmed += teacher.check(database_url)
        # Some are canceled while others try again.
        again = [cancel(user, one) for user, one in zip(asking[:2], asked, strict=False)]
        again += [answer(teacher.user, one, "accept") for one in asked[1:]]
        await asyncio.gather(*again)
        teacher.check(database_url)
        await asyncio.gather(*(cancel(user, one) for user, one in zip(asking, asked, strict=True)))
        assert teacher.check(database_url) == 0
    return confirmed


async def _book(visitor: ApiUser, guru: SeededGuru, start: str) -> httpx.Response:
    held = await post_hold(visitor, guru, start)
    if held.status_code != 201:
        return held
    token = held.json()["data"]["token"]
    seen = await visitor.request("GET", f"/api/holds/{token}")
    return await post_booking(visitor, token, seen.json()["data"]["policyDigest"])


async def _block(teacher: ApiUser, start: datetime) -> httpx.Response:
    times = {"startsAt": to_iso8601(start), "endsAt": to_iso8601(start + timedelta(minutes=45))}
    return await teacher.request("POST", "/api/guru/blocks", json=times)
