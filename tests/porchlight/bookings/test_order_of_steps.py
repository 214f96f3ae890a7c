"""Rules that hold for each order of a person's steps, and for requests that no form sends."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import psycopg
from hypothesis import given, settings
from hypothesis import strategies as st

from porchlight.features.bookings.terms import CurrentTerms, current_terms
from tests.fixtures.databases import Database
from tests.fixtures.refusals import invalid_fields
from tests.porchlight.bookings.api import CreateUser, NewGuru, book, execute, free_starts, hold, post_booking
from tests.porchlight.bookings.series import post_series, weekly
from tests.porchlight.bookings.sessions import erase_bookings
from tests.porchlight.bookings.test_moves import later, move, set_start

MINUTE = timedelta(minutes=1)
BOOKED_AT = datetime(2026, 11, 25, 12, tzinfo=UTC)
# Few values, so that many examples move within the time in which a cancellation costs something.
minutes = st.sampled_from([0, 60, 90, 1440, 1500, 10_080, 43_200])
TERMS = st.fixed_dictionaries(
    {
        "free_until_minutes": minutes,
        "late_percent": st.sampled_from([0, 1, 50, 100]),
        "missed_percent": st.just(100),
        "moves_max": st.sampled_from([0, 1, 2, 10]),
        "move_until_minutes": minutes,
    }
)
# Wait, then move the session to so many minutes from then on.
STEPS = st.lists(st.tuples(st.sampled_from([0, 30, 1000, 9000]), st.sampled_from([1, 61, 1441, 50_000])), max_size=6)


class Person:
    """A person who waits and moves a session of $45.01 on its terms, as the actions do it."""

    def __init__(self, terms: dict[str, Any], starts_in: int) -> None:
        self.terms = terms
        self.now = BOOKED_AT
        self.starts_at = self.now + starts_in * MINUTE
        self.moves = 0
        self.late_since: datetime | None = None

    def current(self) -> CurrentTerms:
        return current_terms(
            self.terms, price_cents=4501, starts_at=self.starts_at, moves=self.moves, now=self.now,
            late_since=self.late_since,
        )  # fmt: skip

    def move(self, starts_in: int) -> None:
        """Move the session, if the terms allow it now."""
        before = self.current()
        if not before.can_move:
            return
        if before.owed_cents and self.late_since is None:
            self.late_since = self.now
        self.starts_at = self.now + starts_in * MINUTE
        self.moves += 1


@settings(max_examples=500)
@given(terms=TERMS, starts_in=minutes, steps=STEPS)
def test_steps_of_a_person_lower_nothing_owed(
    terms: dict[str, Any], starts_in: int, steps: list[tuple[int, int]]
) -> None:
    person = Person(terms, starts_in)
    owed = person.current().owed_cents
    for wait, next_start in steps:
        person.now += wait * MINUTE
        if person.now >= person.starts_at:
            return
        owed = max(owed, person.current().owed_cents)
        person.move(next_start)
        assert person.current().owed_cents >= owed


async def test_move_does_not_avoid_a_late_cancellation(
    web: httpx.AsyncClient, create_user: CreateUser, new_guru: NewGuru, database: Database
) -> None:
    terms = {"policy": "own", "free_until_minutes": 1440, "late_percent": 50, "move_until_minutes": 60}
    guru = new_guru(**terms)
    user = await create_user("Moving Mia")
    starts = await free_starts(web, guru)
    booked = await book(user, guru, starts[0])
    set_start(database, booked, 5)
    late = await user.get(f"/api/bookings/{booked['id']}")
    assert late["terms"]["owedCents"] == 2251
    moved = await move(user, late, later(starts[0], days=7))
    assert (moved["terms"]["owedCents"], moved["terms"]["freeUntil"]) == (2251, None)
    body = {"termsDigest": moved["terms"]["digest"]}
    canceled = await user.request("POST", f"/api/bookings/{booked['id']}/cancellation", json=body)
    assert canceled.json()["data"]["owedCents"] == 2251


async def test_deleted_account_owes_what_a_late_move_kept(
    web: httpx.AsyncClient, create_user: CreateUser, new_guru: NewGuru, database: Database
) -> None:
    guru = new_guru(policy="own", free_until_minutes=1440, late_percent=50, move_until_minutes=60)
    user = await create_user("Leaving Lea")
    booked = await book(user, guru, (await free_starts(web, guru))[-1])
    execute(database, "UPDATE bookings SET late_since = app.now() - interval '1 hour' WHERE id = %s", booked["id"])
    erase_bookings(database, guru, user.user_id)
    with psycopg.connect(database.service_url) as conn:
        query = "SELECT status, owed_cents FROM bookings WHERE id = %s"
        assert conn.execute(query, [booked["id"]]).fetchone() == ("canceled", 2251)


async def test_names_beyond_the_spots_are_refused(
    web: httpx.AsyncClient, create_user: CreateUser, new_guru: NewGuru
) -> None:
    guru = new_guru(capacity=4, party_max=3)
    user = await create_user("Ada Neighbor")
    starts = await weekly(web, guru, 2)
    for party, names in ((1, ["Bo", "Cy"]), (1, ["Bo"] * 10), (3, ["Bo", "Cy", "Di", "Ed"])):
        token = await hold(user, guru, starts[0], party=party)
        assert list(invalid_fields(await post_booking(user, token, participants=names))) == ["participants"]
        series = await post_series(user, token, starts[1:], participants=names)
        assert list(invalid_fields(series)) == ["participants"]
        await user.request("DELETE", f"/api/holds/{token}")
    token = await hold(user, guru, starts[0], party=3)
    assert (await post_booking(user, token, participants=["Bo", "Cy"])).status_code == 201
