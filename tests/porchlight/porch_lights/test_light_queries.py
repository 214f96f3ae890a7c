"""The porch lights of a page, compared with a query that makes the card of every light."""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import psycopg
import pytest

from tenants.kit import clock
from tests.fixtures.databases import Database
from tests.porchlight.factories import insert_row, seed_guru, seed_user

LIGHTS = 40
# No light is at the place of a service here, so that a place is shown by a public profile that shows its location.
NAIVE = """
WITH lights AS (
  SELECT l.user_id, l.expires_at, l.turned_on_at, CASE WHEN shown THEN l.city ELSE '' END AS city,
         CASE WHEN shown THEN l.latitude END AS latitude, CASE WHEN shown THEN l.longitude END AS longitude
    FROM (SELECT l.*, EXISTS (SELECT FROM profiles p WHERE p.user_id = l.user_id AND p.is_public AND p.shows_location
                                 AND p.registered_at IS NOT NULL) AS shown FROM porch_lights l) l)
SELECT l.expires_at, l.city, l.latitude, l.longitude, c.card
  FROM lights l JOIN helper_cards c ON c.user_id = l.user_id
  LEFT JOIN profiles p ON p.user_id = l.user_id
  LEFT JOIN memberships m ON m.user_id = l.user_id
  LEFT JOIN gurus g ON g.id = m.tenant_id
 WHERE l.expires_at > app.now()
   AND (%(handles)s::text[] || %(labels)s::text[] = '{}'
        OR p.handle = ANY (%(handles)s) AND p.is_public OR g.label = ANY (%(labels)s))
   AND (%(box)s::double precision[] IS NULL
        OR l.latitude BETWEEN (%(box)s::float8[])[1] AND (%(box)s::float8[])[3]
        AND l.longitude BETWEEN (%(box)s::float8[])[2] AND (%(box)s::float8[])[4])
 ORDER BY l.turned_on_at DESC, l.user_id LIMIT %(most)s
"""
OURS = "SELECT * FROM app.porch_lights(%(handles)s, %(labels)s, %(box)s::double precision[], %(most)s)"


@pytest.fixture(scope="module")
def lights(database: Database) -> Iterator[tuple[psycopg.Connection[Any], list[str], list[str]]]:
    """A connection, and the handles and labels of users whose lights are on or off, who are public or not."""
    rng = random.Random(16)
    handles, labels = [], []
    with psycopg.connect(database.service_url, autocommit=True) as conn:
        for number in range(LIGHTS):
            if number % 4 == 0:
                guru = seed_guru(conn, f"lit-{number}", posts=1)
                assert guru.owner is not None
                user_id = guru.owner
                labels.append(guru.label)
            else:
                user_id = seed_user(conn)
                insert_row(conn, "profiles", {"user_id": user_id, "handle": f"lit-{number}"})
            registered = {"is_public": rng.random() < 0.5, "shows_location": rng.random() < 0.7}
            row = conn.execute(
                "UPDATE profiles SET registered_at = app.now(), is_public = %(is_public)s,"
                " shows_location = %(shows_location)s WHERE user_id = %(user)s"
                " RETURNING handle",
                registered | {"user": user_id},
            ).fetchone()
            assert row is not None
            handles.append(row[0])
            if rng.random() < 0.7:
                _offer_help(conn, user_id)
            _turn_on(conn, user_id, rng)
        yield conn, handles, labels


def _offer_help(conn: psycopg.Connection[Any], user_id: Any) -> None:
    row = {"user_id": user_id, "service_id": "handyman-services", "rate_cents": 4000, "days": [1], "radius_miles": 9}
    place = {"city": "Denver", "region": "Colorado", "latitude": 39.7, "longitude": -105.0}
    insert_row(conn, "angels", row | place)


def _turn_on(conn: psycopg.Connection[Any], user_id: Any, rng: random.Random) -> None:
    now = clock.now()
    times = {
        "expires_at": now + timedelta(hours=rng.choice((-1, 2, 3))),
        "turned_on_at": now - timedelta(minutes=rng.randrange(9)),
    }
    place = {"latitude": rng.uniform(39, 40), "longitude": rng.uniform(-106, -104)} if rng.random() < 0.8 else {}
    insert_row(conn, "porch_lights", {"user_id": user_id} | times | place)


@pytest.mark.parametrize("seed", range(40))
def test_porch_lights_equal_naive_query(
    lights: tuple[psycopg.Connection[Any], list[str], list[str]], seed: int
) -> None:
    conn, handles, labels = lights
    rng = random.Random(seed)
    values = {
        "handles": rng.sample(handles, rng.choice((0, 20))),
        "labels": rng.sample(labels, rng.choice((0, 5))),
        "box": rng.choice((None, [39.2, -105.5, 39.8, -104.5])),
        "most": rng.choice((3, 60)),
    }
    assert conn.execute(OURS, values).fetchall() == conn.execute(NAIVE, values).fetchall()
