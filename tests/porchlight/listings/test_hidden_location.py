"""The cell of offers and wants, which distances and maps show: only while the profile shows its location."""

from __future__ import annotations

import json
from typing import Any

import psycopg
import pytest

from tests.fixtures.databases import Database
from tests.porchlight.factories import insert_row, seed_user

PLACE = {"city": "Denver, Colorado", "tile": 5, "cell_lat": 1000, "cell_lon": 1001}
HIDDEN = {(-1, -1)}


def _skills(*names: str) -> str:
    return json.dumps([{"name": name, "level": "beginner"} for name in names])


def _cells(conn: psycopg.Connection[Any], user_id: Any) -> set[tuple[int, int]]:
    query = """
    SELECT cell_lat, cell_lon FROM skill_offers WHERE user_id = %(user)s
     UNION SELECT cell_lat, cell_lon FROM skill_wants WHERE user_id = %(user)s"""
    return set(conn.execute(query, {"user": user_id}).fetchall())


@pytest.mark.parametrize("column", ["skills_offered", "skills_wanted"])
def test_listing_has_cell_only_of_shown_location(database: Database, column: str) -> None:
    with psycopg.connect(database.service_url) as conn:
        user_id = seed_user(conn)
        insert_row(conn, "profiles", {"user_id": user_id, "handle": f"hides-{user_id.hex}"})
        conn.execute(
            "UPDATE user_locations SET city = %(city)s, tile = %(tile)s, cell_lat = %(cell_lat)s,"
            " cell_lon = %(cell_lon)s WHERE user_id = %(user)s",
            PLACE | {"user": user_id},
        )
        change = f"UPDATE profiles SET {column} = %s, shows_location = %s WHERE user_id = %s".encode()
        conn.execute(change, [_skills("Chess"), True, user_id])
        assert _cells(conn, user_id) == {(1000, 1001)}
        conn.execute(change, [_skills("Chess"), False, user_id])
        assert _cells(conn, user_id) == HIDDEN, "at once, not when a job has run"
        conn.execute(change, [_skills("Chess", "Sourdough baking"), False, user_id])
        assert _cells(conn, user_id) == HIDDEN, "of a new one too"
        conn.rollback()
