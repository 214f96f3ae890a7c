"""The public list of angels and their numbers per place: what triggers keep, compared with what the tables say."""

from __future__ import annotations

import random
import threading
from collections.abc import Iterator
from typing import Any
from uuid import UUID

import psycopg
import pytest

from tenants.kit.ids import new_id
from tests.fixtures.databases import Database

SERVICES = ("pet-sitting", "yard-work")
PLACES = [
    (city, 39.7 + row / 50, -104.9 - column / 50)
    for city in ("Denver", "Golden") for row in range(2) for column in range(3)
]  # fmt: skip
NEAR = (39.71, -104.95)
PAGE = 4
_LISTED = """
SELECT a.service_id, a.user_id, a.city, a.latitude, a.longitude, -app.angel_score(a.ratings, a.rating_sum) AS rank,
       CASE WHEN u.listed_plan = 'premium-angel' THEN '0' ELSE '1' END || p.handle AS place, a.rate_cents, a.ratings,
       a.rating_sum
  FROM angels a JOIN profiles p ON p.user_id = a.user_id JOIN users u ON u.user_id = a.user_id
 WHERE a.active AND p.is_public AND u.status = 'active'"""
_CELLS = f"""
SELECT service_id, city, latitude, longitude, count(*)::integer, sum(rate_cents)::bigint, sum(ratings)::integer,
       sum(rating_sum)::integer
  FROM ({_LISTED}) l GROUP BY 1, 2, 3, 4"""
_LIST = f"""
SELECT l.place, CASE WHEN %(lat)s::float8 IS NULL THEN 0 ELSE app.miles(%(lat)s, %(lon)s, latitude, longitude) END
  FROM ({_LISTED}) l WHERE service_id = %(service)s AND (%(city)s = '' OR lower(city) = %(city)s)
 ORDER BY 2, l.rank, 1"""
_PAGE = """
SELECT handle, miles, score FROM app.angels_for(%(service)s, %(city)s, %(lat)s, %(lon)s, %(miles)s, %(score)s,
                                                %(handle)s, %(most)s, 90, 5, interval '1 day')"""
_BLOCKED = """
SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"""
_INSERT = """
INSERT INTO angels (user_id, service_id, rate_cents, days, radius_miles, city, region, latitude, longitude, active,
                    ratings, rating_sum)
VALUES (%(user)s, %(service)s, %(rate)s, '{1}', 20, %(city)s, 'Colorado', %(lat)s, %(lon)s, %(active)s, %(ratings)s,
        %(rating_sum)s)
ON CONFLICT (user_id, service_id) DO UPDATE
   SET city = excluded.city, latitude = excluded.latitude, longitude = excluded.longitude, active = excluded.active,
       rate_cents = excluded.rate_cents, ratings = excluded.ratings, rating_sum = excluded.rating_sum"""

Connection = psycopg.Connection[Any]


@pytest.fixture
def conn(new_database: Any) -> Iterator[Connection]:
    with psycopg.connect(new_database().service_url, autocommit=True) as opened:
        yield opened


def create_user(conn: Connection, handle: str) -> UUID:
    """Insert a user with a public profile."""
    user_id = new_id()
    conn.execute("INSERT INTO users (user_id, firebase_uid) VALUES (%s, %s)", [user_id, user_id.hex])
    conn.execute("INSERT INTO profiles (user_id, handle, display_name) VALUES (%s, %s, 'Ann')", [user_id, handle])
    return user_id


def angel(user: UUID, chance: random.Random) -> dict[str, Any]:
    """Return the values of a random service at a random place."""
    city, latitude, longitude = chance.choice(PLACES)
    ratings = chance.choice([0, 0, 1, 4])
    return {
        "user": user, "service": chance.choice(SERVICES), "rate": chance.randrange(1000, 9000), "city": city,
        "lat": latitude, "lon": longitude, "active": chance.random() < 0.8, "ratings": ratings,
        "rating_sum": ratings * chance.randint(1, 5),
    }  # fmt: skip


def change(conn: Connection, users: list[UUID], chance: random.Random) -> None:
    """Make one random change of an angel, a profile, a plan or an account."""
    user = chance.choice(users)
    match chance.randrange(8):
        case 0:
            conn.execute("UPDATE profiles SET is_public = NOT is_public WHERE user_id = %s", [user])
        case 1:
            conn.execute("UPDATE profiles SET handle = %s WHERE user_id = %s", [f"h{chance.randrange(10**9)}", user])
        case 2:
            status = chance.choice(["active", "suspended"])
            conn.execute("UPDATE users SET status = %s WHERE user_id = %s", [status, user])
        case 3:
            plan = chance.choice(["premium-angel", "community"])
            conn.execute("UPDATE users SET listed_plan = %s WHERE user_id = %s", [plan, user])
        case 4:
            conn.execute("DELETE FROM angels WHERE user_id = %s", [user])
        case _:
            conn.execute(_INSERT, angel(user, chance))


def pages(conn: Connection, query: dict[str, Any]) -> list[tuple[str, int]]:
    """Return what all pages of a list have, in order."""
    found: list[tuple[str, int]] = []
    after: dict[str, Any] = {"handle": None, "miles": None, "score": None}
    while rows := conn.execute(_PAGE, query | after | {"most": PAGE}).fetchall():
        found += [(handle, miles) for handle, miles, _score in rows]
        after = dict(zip(("handle", "miles", "score"), rows[-1], strict=True))
    return found


@pytest.mark.parametrize("seed", range(4))
def test_listings_equal_the_tables_after_changes(conn: Connection, seed: int) -> None:
    chance = random.Random(seed)
    users = [create_user(conn, f"user-{number}") for number in range(24)]
    for _ in range(12):
        for _ in range(12):
            change(conn, users, chance)
        listed = conn.execute(f"SELECT * FROM ({_LISTED}) l ORDER BY 1, 2").fetchall()
        assert conn.execute("SELECT * FROM angel_listings ORDER BY 1, 2").fetchall() == listed
        cells = conn.execute(f"SELECT * FROM ({_CELLS}) c ORDER BY 1, 2, 3, 4").fetchall()
        assert conn.execute("SELECT * FROM angel_cells ORDER BY 1, 2, 3, 4").fetchall() == cells
        for lat, lon in (NEAR, (None, None)):
            for city in ("", "denver", "nowhere"):
                query = {"service": chance.choice(SERVICES), "city": city, "lat": lat, "lon": lon}
                assert pages(conn, query) == conn.execute(_LIST, query).fetchall(), query


def test_many_angels_are_deleted_in_one_statement(conn: Connection) -> None:
    users = [create_user(conn, f"user-{number}") for number in range(30)]
    for number, user in enumerate(users):
        conn.execute(_INSERT, angel(user, random.Random(number)))
    conn.execute("DELETE FROM angels WHERE user_id = ANY (%s)", [users[:29]])
    conn.execute("DELETE FROM profiles WHERE user_id = %s", [users[29]])
    assert conn.execute("SELECT count(*) FROM angel_listings").fetchone() == (0,)
    assert conn.execute("SELECT count(*) FROM angel_cells").fetchone() == (0,)


def test_private_profile_at_the_same_time_is_not_listed(new_database: Any) -> None:
    """The service is offered in one transaction, and the profile turns private in another, before the first ends."""
    database: Database = new_database()
    with psycopg.connect(database.service_url, autocommit=True) as conn:
        user = create_user(conn, "both")

        def turn_private() -> None:
            with psycopg.connect(database.service_url) as other:
                other.execute("UPDATE profiles SET is_public = false WHERE user_id = %s", [user])

        with psycopg.connect(database.service_url) as offering:
            offering.execute(_INSERT, angel(user, random.Random(1)) | {"active": True})
            hiding = threading.Thread(target=turn_private)
            hiding.start()
            while hiding.is_alive() and conn.execute(_BLOCKED).fetchone() == (0,):
                hiding.join(0.01)
        hiding.join()
        assert conn.execute("SELECT count(*) FROM angel_listings").fetchone() == (0,)
