"""A booking keeps what was agreed: no edit of the service, its terms, the calendar or the guru changes a byte of it."""

from __future__ import annotations

from typing import Any

import httpx
import psycopg
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.fixtures.databases import Database
from tests.porchlight.angels.users import ApiUser
from tests.porchlight.bookings.api import CreateUser, NewGuru, book, free_starts
from tests.porchlight.factories import SeededGuru

minutes = st.integers(0, 43_200)
percents = st.integers(0, 100)


def edits(table: str, **columns: st.SearchStrategy[Any]) -> st.SearchStrategy[tuple[str, dict[str, Any]]]:
    """Return changes of some columns of a guru's rows."""
    return st.tuples(st.just(table), st.fixed_dictionaries({}, optional=columns).filter(bool))


ANY_EDIT = st.one_of(
    edits(
        "services",
        name=st.sampled_from(["Renamed", "é🍞"]),
        price_cents=st.integers(0, 10**7),
        duration_minutes=st.sampled_from([15, 90, 480]),
    ),
    edits(
        "booking_settings",
        free_until_minutes=minutes,
        late_percent=percents,
        missed_percent=percents,
        moves_max=st.integers(0, 10),
        move_until_minutes=minutes,
        policy=st.sampled_from(["moderate", "strict", "own"]),
        place=st.sampled_from(["guru", "person", "online"]),
        place_text=st.just("12 Elm Street"),
        approval=st.just("request"),
        capacity=st.integers(1, 100),
        cleanup_minutes=st.integers(0, 240),
        risk=st.sampled_from(["low", "extreme"]),
        waiver=st.sampled_from(["always", "signed"]),
        open=st.booleans(),
    ),
    edits(
        "calendars",
        zone=st.sampled_from(["Pacific/Auckland", "Asia/Kathmandu", "UTC"]),
        notice_minutes=minutes,
        step_minutes=st.sampled_from([5, 60]),
    ),
)


@pytest.fixture(scope="module")
def sessions() -> dict[str, tuple[SeededGuru, ApiUser, str, bytes]]:
    """The booking of all examples: guru, user, path and the answer after booking."""
    return {}


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(changes=st.lists(ANY_EDIT, min_size=1, max_size=4))
async def test_booking_keeps_its_terms_after_any_edit(
    web: httpx.AsyncClient,
    create_user: CreateUser,
    new_guru: NewGuru,
    database: Database,
    sessions: dict[str, tuple[SeededGuru, ApiUser, str, bytes]],
    changes: list[tuple[str, dict[str, Any]]],
) -> None:
    if not sessions:
        guru = new_guru(late_percent=50, place="online", place_text="https://meet.example/ada")
        user = await create_user("Keeping Kay")
        path = f"/api/bookings/{(await book(user, guru, (await free_starts(web, guru))[-1]))['id']}"
        sessions["kept"] = (guru, user, path, (await user.request("GET", path)).content)
    guru, user, path, agreed = sessions["kept"]
    with psycopg.connect(database.service_url) as conn:
        for table, values in changes:
            assignments = ", ".join(f"{column} = %s" for column in values)
            statement = f"UPDATE {table} SET {assignments} WHERE tenant_id = %s".encode()
            assert conn.execute(statement, [*values.values(), guru.id]).rowcount > 0
    assert (await user.request("GET", path)).content == agreed
