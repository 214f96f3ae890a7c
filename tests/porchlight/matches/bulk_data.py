"""Bulk data: very many users with ten skills each, and a city with known swap rings."""

from __future__ import annotations

import random
from typing import Any
from uuid import UUID

import psycopg

from porchlight.geo.grid import cell_of, tile_of
from tenants.kit.ids import new_id
from tests.fixtures import seeded
from tests.porchlight.matches.factories import offers, wants

# Cities of the Front Range with their share of the users in percent.
TOWNS = {
    (39.7392, -104.9847): 24, (39.7294, -104.8319): 14, (38.8339, -104.8214): 16, (40.5853, -105.0844): 8,
    (39.7047, -105.0814): 7, (39.868, -104.9719): 6, (39.8028, -105.0875): 6, (38.2544, -104.6091): 5,
    (40.4233, -104.7091): 5, (40.015, -105.2705): 5, (40.1672, -105.1019): 4,
}  # fmt: skip


def _word() -> str:
    return seeded.word()


def phrases() -> list[str]:
    """Return distinct names of skills: the tuning set's offers and wants (about 560)."""
    return [*offers(), *(want.words for want in wants())]


def create_users(dsn: str, people: int, *, each: int = 5, seed: int = 8) -> list[UUID]:
    """Insert users with `each` offers and `each` wants directly into the tables, and return their ids."""
    rng = random.Random(seed)
    towns, weights = list(TOWNS), list(TOWNS.values())
    words = phrases()
    ids = [new_id() for _ in range(people)]
    with psycopg.connect(dsn) as conn:
        phrase_ids: dict[str, int] = dict(
            conn.execute("SELECT w, app.get_or_create_phrase(w, true) FROM unnest(%s::text[]) w", [words]).fetchall()
        )
        conn.commit()
        rows: dict[str, list[tuple[Any, ...]]] = {"users": [], "profiles": [], "user_locations": [], "o": [], "w": []}
        for number, user in enumerate(ids):
            point = rng.choices(towns, weights)[0]
            lat, lon = cell_of(point[0] + rng.uniform(-0.06, 0.06), point[1] + rng.uniform(-0.06, 0.06))
            tile = tile_of(lat, lon)
            rows["users"].append((user, f"world-{user.hex}", f"{number}@mail.example"))
            rows["profiles"].append((user, f"w-{user.hex[-20:]}", f"Neighbor {number}"))
            rows["user_locations"].append((user, "Denver, Colorado", tile, lat, lon))
            chosen = rng.sample(words, 2 * each)
            for kind, titles in (("o", chosen[:each]), ("w", chosen[each:])):
                rows[kind] += [(user, new_id(), phrase_ids[one], one, True, tile, lat, lon) for one in titles]
        placed = "user_id, id, phrase_id, title, visible, tile, cell_lat, cell_lon"
        for key, table, columns in (
            ("users", "users", "user_id, firebase_uid, email"),
            ("profiles", "profiles", "user_id, handle, display_name"),
            ("user_locations", "user_locations", "user_id, city, tile, cell_lat, cell_lon"),
            ("o", "skill_offers", placed),
            ("w", "skill_wants", placed),
        ):
            # COPY does not work on tables with row-level security, so it fills a temporary table. The trigger of a
            # profile has inserted the row of user_locations already.
            conn.execute(f"CREATE TEMP TABLE stage ON COMMIT DROP AS SELECT {columns} FROM {table} LIMIT 0".encode())
            with conn.cursor() as cursor, cursor.copy(f"COPY stage ({columns}) FROM STDIN".encode()) as copy:
                for row in rows[key]:
                    copy.write_row(row)
            again = (
                " ON CONFLICT (user_id) DO UPDATE SET city = excluded.city, tile = excluded.tile,"
                " cell_lat = excluded.cell_lat, cell_lon = excluded.cell_lon"
                if key == "user_locations"
                else ""
            )
            conn.execute(f"INSERT INTO {table} ({columns}) SELECT {columns} FROM stage{again}".encode())
            conn.execute("DROP TABLE stage")
            rows[key].clear()
    return ids


RING_COUNT = 20


def create_rings(conn: psycopg.Connection[Any], people: int) -> list[frozenset[UUID]]:
    """Insert users whose only matches are RING_COUNT rings of three, and return the possible rings.

    Every fourth ring is impossible because its members share no time.
    """
    lat, lon = cell_of(39.7392, -104.9847)
    tile = tile_of(lat, lon)
    users: list[UUID] = []
    for number in range(people):
        user = new_id()
        users.append(user)
        conn.execute(
            "INSERT INTO users (user_id, firebase_uid, email) VALUES (%s, %s, %s)",
            [user, f"ring-{user.hex}", f"{number}@r.example"],
        )
        conn.execute("INSERT INTO profiles (user_id, handle) VALUES (%s, %s)", [user, f"r-{user.hex[-20:]}"])
        conn.execute(
            "UPDATE user_locations SET tile = %s, cell_lat = %s, cell_lon = %s, availability_bits = 1"
            " WHERE user_id = %s",
            [tile, lat, lon, user],
        )
    rings: list[frozenset[UUID]] = []
    placed = [True, tile, lat, lon]
    for ring in range(RING_COUNT):
        three = users[3 * ring : 3 * ring + 3]
        for at, teacher in enumerate(three):
            _teach(conn, teacher, three[(at + 1) % 3], f"ring skill {ring} {at} {_word()}", placed)
        if ring % 4 == 3:
            conn.execute("UPDATE user_locations SET availability_bits = 6 WHERE user_id = %s", [three[0]])
        else:
            rings.append(frozenset(three))
    # The other users teach in one large circle, which contains no ring of three.
    rest = users[3 * RING_COUNT :]
    for at, teacher in enumerate(rest):
        for step in (1, 2, 4, 7, 11):
            _teach(conn, teacher, rest[(at + step) % len(rest)], f"skill {at} {step} {_word()}", placed)
    return rings


def _teach(conn: psycopg.Connection[Any], teacher: UUID, learner: UUID, skill: str, placed: list[Any]) -> None:
    row = conn.execute(
        "INSERT INTO phrases (words, in_use, related_by) VALUES (%s, true, 'test') RETURNING id", [skill]
    ).fetchone()
    assert row is not None
    conn.execute(
        "INSERT INTO phrase_relations (phrase_id, other_id, probability) VALUES (%s, %s, 0.97)", [row[0], row[0]]
    )
    for table, user in (("skill_offers", teacher), ("skill_wants", learner)):
        conn.execute(
            f"INSERT INTO {table} (user_id, id, phrase_id, title, visible, tile, cell_lat, cell_lon)"
            " VALUES (%s, %s, %s, %s, %s, %s, %s, %s)".encode(),
            [user, new_id(), row[0], skill, *placed],
        )
