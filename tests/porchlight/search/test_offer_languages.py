"""The languages of public listings, which triggers keep in line with listings and profiles."""

from __future__ import annotations

import random
import threading
from typing import Any
from uuid import UUID

import psycopg
import pytest
from psycopg.types.json import Jsonb

from tests.fixtures.databases import Database
from tests.porchlight.matches.factories import UserData, insert_user

Connection = psycopg.Connection[Any]

LANGUAGES = ("English", "Español", "espanol", " Welsh ", "Farsi")
SKILLS = ("Knitting", "Baking", "Chess")
_EXPECTED = """
SELECT DISTINCT o.id, app.normalize_text(l), o.phrase_id, o.tile
  FROM skill_offers o JOIN profiles p USING (user_id), unnest(p.languages) l WHERE o.visible"""
_STORED = "SELECT offer_id, language, phrase_id, tile FROM skill_offer_languages"


def change(conn: Connection, user: UUID, chance: random.Random) -> None:
    """Change what the table depends on, at random."""
    skills = [{"name": name, "level": None} for name in SKILLS if chance.random() < 0.6]
    values: dict[str, Any] = {
        "languages": [language for language in LANGUAGES if chance.random() < 0.4],
        "is_public": chance.random() < 0.7,
        "skills_offered": Jsonb(skills),
    }
    name = chance.choice([*values, "tile", "listing", "profile"])
    if name == "tile":
        conn.execute("UPDATE skill_offers SET tile = %s WHERE user_id = %s", [chance.randrange(9), user])
    elif name == "listing":
        conn.execute("UPDATE skill_offers SET visible = NOT visible WHERE user_id = %s", [user])
    elif name == "profile" and chance.random() < 0.2:
        conn.execute("DELETE FROM profiles WHERE user_id = %s", [user])
    elif name in values:
        conn.execute(f"UPDATE profiles SET {name} = %s WHERE user_id = %s".encode(), [values[name], user])


@pytest.mark.parametrize("seed", range(3))
def test_languages_equal_the_listings_after_changes(database: Database, seed: int) -> None:
    chance = random.Random(seed)
    with psycopg.connect(database.service_url) as conn:
        users = [
            insert_user(conn, UserData(f"User {number}", list(SKILLS), overrides={"languages": list(LANGUAGES)}))
            for number in range(6)
        ]
        for _ in range(60):
            change(conn, chance.choice(users), chance)
            assert sorted(conn.execute(_STORED).fetchall()) == sorted(conn.execute(_EXPECTED).fetchall())
        conn.rollback()


def test_new_language_and_new_place_at_once_are_kept(database: Database) -> None:
    with psycopg.connect(database.service_url, autocommit=True) as conn:
        user = insert_user(conn, UserData("Weaver", ["Weaving"], overrides={"languages": ["English"]}))
        with psycopg.connect(database.service_url) as first:
            first.execute("UPDATE profiles SET languages = '{Welsh}' WHERE user_id = %s", [user])
            move = "UPDATE skill_offers SET tile = 7 WHERE user_id = %s"
            second = threading.Thread(target=conn.execute, args=(move, [user]))
            second.start()
            second.join(0.3)
        second.join()
        listed = conn.execute(
            "SELECT language, s.tile FROM skill_offer_languages s JOIN skill_offers o ON o.id = s.offer_id"
            " WHERE o.user_id = %s",
            [user],
        ).fetchall()
    assert listed == [("welsh", 7)]
