"""The gurus who teach a subject, compared with a query that reads the index entry of every guru who fits."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import psycopg
import pytest

from tests.fixtures.databases import Database
from tests.porchlight.factories import insert_row, seed_user

GURUS = 60
SKILLS = ("sourdough bread", "rye bread", "bread for beginners", "classical guitar", "jazz guitar", "knitting")
NAIVE = """
WITH fitting AS (
  SELECT s.phrase_id, s.weight, e.owner_id
    FROM app.subject_phrases(%(subject)s, 100) f
    JOIN search_entry_phrases s ON s.phrase_id = f.phrase_id AND s.kind = 'guru'
    JOIN search_entries e ON e.kind = s.kind AND e.item = s.item
), best AS (
  SELECT owner_id, sum(weight) AS fit FROM fitting WHERE weight >= 0.8 GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT %(most)s
)
SELECT g.id, ARRAY(SELECT k.skill FROM unnest(g.primary_skills) WITH ORDINALITY k (skill, place)
                     JOIN phrases p ON p.words = app.normalize_text(k.skill)
                     JOIN fitting f ON f.phrase_id = p.id AND f.owner_id = g.id ORDER BY k.place)
  FROM best b JOIN gurus g ON g.id = b.owner_id WHERE g.status = 'active' AND g.published
 ORDER BY b.fit DESC, EXISTS (SELECT FROM memberships m JOIN users u ON u.user_id = m.user_id
                               WHERE m.tenant_id = g.id AND u.listed_plan = 'premium-angel') DESC,
          coalesce((SELECT t.score FROM review_totals t WHERE t.tenant_id = g.id), 4) DESC, g.id
"""
OURS = "SELECT id, skills FROM app.teaching_gurus(%(subject)s, NULL, '{}', %(most)s, 100, 200, 4)"


@pytest.fixture(scope="module")
def conn(database: Database) -> Iterator[psycopg.Connection[Any]]:
    """A connection to a database with gurus who teach one to three skills, some of them not published."""
    rng = random.Random(16)
    with psycopg.connect(database.superuser_url, autocommit=True) as created:  # who may call app.subject_phrases
        phrases = {
            skill: created.execute("SELECT app.get_or_create_phrase(%s, true)", [skill]).fetchone() for skill in SKILLS
        }
        for number in range(GURUS):
            skills = rng.sample(SKILLS, rng.randrange(1, 4))
            owner = seed_user(created)
            created.execute(
                "UPDATE users SET listed_plan = %s WHERE user_id = %s",
                [rng.choice(("community", "premium-angel")), owner],
            )
            row = {"label": f"g-{number}", "character": "Guru", "category": "Creative", "primary_skills": skills}
            insert_row(created, "gurus", {"id": owner, "published": rng.random() < 0.8} | row)
            insert_row(created, "memberships", {"tenant_id": owner, "user_id": owner})
            if rng.random() < 0.5:  # the others have the score of gurus without reviews
                totals = {"histogram": [0, 0, 0, 0, 1], "score": rng.choice((3.1, 4.0, 4.9))}
                insert_row(created, "review_totals", {"tenant_id": owner} | totals)
            entry = {"kind": "guru", "item": str(owner)}
            insert_row(created, "search_entries", entry | {"owner_id": owner, "title": "Guru", "summary": ""})
            for skill in skills:
                found = phrases[skill]
                assert found is not None
                insert_row(
                    created, "search_entry_phrases", entry | {"phrase_id": found[0], "weight": rng.choice((1.0, 0.7))}
                )
        yield created


@pytest.mark.parametrize("subject", ["bread", "sourdough bread", "guitar", "knitting", "chess", ""])
@pytest.mark.parametrize("most", [3, 40])
def test_teaching_gurus_equal_naive_query(conn: psycopg.Connection[Any], subject: str, most: int) -> None:
    values = {"subject": subject, "most": most}
    ours = conn.execute(OURS, values).fetchall()
    assert ours == conn.execute(NAIVE, values).fetchall()
    assert bool(ours) == (subject not in {"chess", ""})


def test_gurus_of_a_phrase_are_read_from_an_index_only(conn: psycopg.Connection[Any]) -> None:
    query = """EXPLAIN SELECT s.item, s.weight FROM search_entry_phrases s
                WHERE s.phrase_id = 1 AND s.kind = 'guru' AND s.weight >= 0.8 ORDER BY s.item LIMIT 200"""
    conn.execute("VACUUM ANALYZE search_entry_phrases")
    plan = "\n".join(row[0] for row in conn.execute(query).fetchall())
    assert "Index Only Scan using ix_search_entry_phrases_gurus" in plan, plan
