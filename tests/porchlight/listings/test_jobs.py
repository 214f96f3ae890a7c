"""Jobs of listings, run by a worker."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import psycopg

from porchlight.features.listings.actions import GEOCODE_USER_TASK
from porchlight.features.listings.jobs import SYNC_PROFILES_TASK, geocode_user
from porchlight.geo.gazetteer import Gazetteer
from porchlight.ports import PlaceMatch
from tenants.db.jobs import enqueue_as_service
from tests.fixtures.databases import Database
from tests.fixtures.jobs import do_jobs, running_job
from tests.porchlight.matches.factories import UserData, insert_user

_STATE = """
SELECT l.city, l.availability_bits <> 0, o.title, o.tile = l.tile AND o.tile >= 0 FROM user_locations l
  LEFT JOIN skill_offers o ON o.user_id = l.user_id WHERE l.user_id = %s
"""


def _state(database: Database, user_id: UUID) -> list[tuple[Any, ...]]:
    with psycopg.connect(database.service_url) as conn:
        return conn.execute(_STATE, [user_id]).fetchall()


async def test_sync_profiles_fills_missing_offers_and_locations(database: Database) -> None:
    with psycopg.connect(database.service_url) as conn:
        user_id = insert_user(conn, UserData("Old Profile", ["Glass blowing"]))
    await do_jobs(database)
    before = _state(database, user_id)
    assert before == [("Denver, Colorado", True, "Glass blowing", True)]
    with psycopg.connect(database.service_url) as conn:
        for table in ("skill_offers", "user_locations"):
            conn.execute(f"DELETE FROM {table} WHERE user_id = %s".encode(), [user_id])
        enqueue_as_service(conn, SYNC_PROFILES_TASK)
    await do_jobs(database)
    assert _state(database, user_id) == before


class _SlowGeocoder(Gazetteer):
    """Changes the profile's location during the search."""

    def __init__(self, database: Database, user_id: UUID) -> None:
        super().__init__()
        self._database = database
        self._user_id = user_id

    async def match(self, text: str) -> PlaceMatch:
        with psycopg.connect(self._database.service_url) as conn:
            conn.execute("UPDATE profiles SET location = 'Boulder, Colorado' WHERE user_id = %s", [self._user_id])
        return await super().match(text)


async def test_geocode_user_does_not_store_an_outdated_location(database: Database) -> None:
    with psycopg.connect(database.service_url) as conn:
        user_id = insert_user(conn, UserData("On The Move", ["Juggling"]))
    with running_job(database, GEOCODE_USER_TASK, user_id=user_id) as job:
        await geocode_user(job, user_id, _SlowGeocoder(database, user_id))
    assert [row[0] for row in _state(database, user_id)] == [""]
    await do_jobs(database)  # the change enqueued a job
    assert [row[0] for row in _state(database, user_id)] == ["Boulder, Colorado"]
