"""A teacher is never in two sessions at once, however many ask, book and cancel at the same time."""

from __future__ import annotations

import psycopg
import pytest

from tests.fixtures.databases import Database
from tests.porchlight.bookings.gurus import create_bookable_guru
from tests.porchlight.exchanges.one_teacher import create_teacher, want_at_once
from tests.porchlight.named_users import CreateUser


async def _no_double_teaching(create_user: CreateUser, database: Database, rounds: int, seed: int) -> None:
    with psycopg.connect(database.superuser_url, autocommit=True) as conn:
        guru = create_bookable_guru(conn, capacity=1)
    teacher = await create_teacher(await create_user(f"Tom Wanted {seed}"), guru, database.service_url)
    assert await want_at_once(teacher, create_user, database.service_url, rounds, seed=seed) > 0


@pytest.mark.race
async def test_teacher_wanted_at_once_teaches_once(create_user: CreateUser, database: Database) -> None:
    await _no_double_teaching(create_user, database, rounds=6, seed=5)


@pytest.mark.drill
async def test_teacher_wanted_150_times_teaches_once(create_user: CreateUser, database: Database) -> None:
    await _no_double_teaching(create_user, database, rounds=150, seed=17)
