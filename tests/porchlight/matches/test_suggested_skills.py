"""The skills that a user could add, compared with a query that reads all wishes, and the bound of what is read."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from typing import Any
from uuid import UUID

import psycopg
import pytest

from porchlight.features.matches.queries import SUGGESTED_SKILLS, suggestion_params
from tenants.kit.ids import new_id
from tests.fixtures.databases import Database
from tests.porchlight.factories import insert_row, seed_user

MOST = 6
MAX_WISHES = 2000
WORDS = ("bread", "cake", "chess", "go", "guitar", "bass", "sewing", "knitting", "welding")
TILES = (40050, 40051, 41050, 41051, 43050)  # the last one is not near the others
NAIVE = """
WITH here AS (
  SELECT h.tile + 1000 * a + b AS tile
    FROM user_locations h, generate_series(-1, 1) a, generate_series(-1, 1) b WHERE h.user_id = %(me)s
), wishes AS (
  SELECT w.user_id, w.phrase_id FROM skill_wants w JOIN here h ON h.tile = w.tile
   WHERE w.visible AND w.user_id <> %(me)s
     AND NOT EXISTS (SELECT FROM skill_offers o JOIN phrase_relations r ON r.other_id = o.phrase_id
                      WHERE o.user_id = %(me)s AND r.phrase_id = w.phrase_id AND r.probability >= 0.5)
)
SELECT p.words, count(DISTINCT w.user_id) AS people
  FROM wishes w JOIN phrase_relations r ON r.phrase_id = w.phrase_id AND r.probability >= 0.5
  JOIN phrases p ON p.id = r.other_id
 WHERE EXISTS (SELECT FROM skill_wants x WHERE x.phrase_id = p.id AND x.visible)
   AND NOT EXISTS (SELECT FROM skill_offers o WHERE o.phrase_id = p.id AND o.user_id = %(me)s)
 GROUP BY p.id ORDER BY 2 DESC, sum(r.probability::float8) DESC, 1 LIMIT %(most)s"""


@pytest.fixture(scope="module")
def conn(database: Database) -> Iterator[psycopg.Connection[Any]]:
    """A connection to a database with wishes of two regions, without the triggers that would derive them."""
    source = random.Random(8)
    with psycopg.connect(database.superuser_url, autocommit=True) as created:
        created.execute("SET session_replication_role = replica")
        phrases = [_phrase(created, words) for words in WORDS]
        for phrase, other in itertools.pairwise(phrases):  # a phrase is related to itself
            row = {"phrase_id": phrase, "other_id": other, "probability": source.choice((0.4, 0.6, 0.8))}
            insert_row(created, "phrase_relations", row)
        for _ in range(80):
            user_id = seed_user(created)
            tile = source.choice(TILES)
            insert_row(created, "user_locations", {"user_id": user_id, "city": "", "tile": tile})
            for phrase in source.sample(phrases, 3):
                _add_skill(created, "skill_wants", user_id, phrase, WORDS[phrases.index(phrase)], tile)
            if source.random() < 0.5:
                phrase = source.choice(phrases)
                _add_skill(created, "skill_offers", user_id, phrase, WORDS[phrases.index(phrase)], tile)
        yield created


def _phrase(conn: psycopg.Connection[Any], words: str) -> int:
    found = conn.execute("SELECT app.get_or_create_phrase(%s, true)", [words]).fetchone()
    assert found is not None
    phrase_id: int = found[0]
    return phrase_id


def _add_skill(conn: psycopg.Connection[Any], table: str, user_id: UUID, phrase_id: int, title: str, tile: int) -> None:
    row = {"user_id": user_id, "id": new_id(), "phrase_id": phrase_id, "title": title, "tile": tile, "visible": True}
    insert_row(conn, table, row)


def _suggested(conn: psycopg.Connection[Any], user_id: UUID) -> list[tuple[Any, ...]]:
    conn.execute("SELECT set_config('app.user_id', %s, false)", [str(user_id)])
    return conn.execute(SUGGESTED_SKILLS, suggestion_params(MOST)).fetchall()


def test_suggested_skills_equal_naive_query(conn: psycopg.Connection[Any]) -> None:
    users = [row[0] for row in conn.execute("SELECT user_id FROM user_locations ORDER BY 1").fetchall()]
    found = {user: _suggested(conn, user) for user in users}
    for user, suggested in found.items():
        assert suggested == conn.execute(NAIVE, {"me": user, "most": MOST}).fetchall(), user
    assert sum(map(bool, found.values())) > 40


def test_suggested_skills_of_dense_place_are_bounded(conn: psycopg.Connection[Any]) -> None:
    me, tile = seed_user(conn), 90050
    insert_row(conn, "user_locations", {"user_id": me, "city": "", "tile": tile})
    phrases = [_phrase(conn, words) for words in ("beekeeping", "brewing")]
    older, newer = phrases
    for phrase, count in ((older, 900), (newer, 1500)):
        words = "beekeeping" if phrase == older else "brewing"
        rows = [(new_id(), new_id(), phrase, words, tile, True) for _ in range(count)]
        with conn.cursor() as cursor:
            columns = "user_id, id, phrase_id, title, tile, visible"
            with cursor.copy(f"COPY skill_wants ({columns}) FROM STDIN".encode()) as copy:
                for row in rows:
                    copy.write_row(row)
    assert _suggested(conn, me) == [("brewing", 1500), ("beekeeping", MAX_WISHES - 1500)]
    # One more wish of the next tile does not count, as nearer ones fill the bound.
    _add_skill(conn, "skill_wants", seed_user(conn), older, "beekeeping", tile + 1)
    assert _suggested(conn, me) == [("brewing", 1500), ("beekeeping", MAX_WISHES - 1500)]
