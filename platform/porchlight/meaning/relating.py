"""The job that reads phrases: each distinct one once, and how it relates to those in use (DESIGN 8)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import psycopg

from porchlight.meaning.fit import LEAST, LEAST_ASKED, SAME, heard, together
from porchlight.ports import Embedder

RELATE_TASK = "relate_phrases"
BY_WORDS = "words-1"
# How an offer is read beside its bare words: nearer to what people say who want it.
OFFERED = "I can teach you {}"
BATCH = 64  # phrases a transaction
NEAREST = 40  # others each phrase is related to

Connection = psycopg.Connection[Any]

_WAITING = """
SELECT id, words, in_use FROM phrases WHERE related_by IS NULL ORDER BY in_use DESC, id LIMIT %s
"""
_KEEP = """
INSERT INTO phrase_vectors (phrase_id, embedding) VALUES (%s, %s::vector)
ON CONFLICT (phrase_id) DO UPDATE SET embedding = excluded.embedding
"""
_BY_MEANING = """
SELECT n.phrase_id, 1 - n.distance, similarity(p.words, %(words)s)
  FROM (SELECT v.phrase_id, v.embedding <=> %(vector)s::vector AS distance FROM phrase_vectors v
         ORDER BY v.embedding <=> %(vector)s::vector LIMIT %(most)s) n
  JOIN phrases p ON p.id = n.phrase_id
 UNION
SELECT p.id, 1 - (v.embedding <=> %(vector)s::vector), similarity(p.words, %(words)s)
  FROM (SELECT id, words FROM phrases WHERE words %% %(words)s AND in_use
         ORDER BY similarity(words, %(words)s) DESC LIMIT %(most)s) p
  JOIN phrase_vectors v ON v.phrase_id = p.id
"""
_BY_WORDS = """
SELECT p.id, NULL::float8, similarity(p.words, %(words)s) FROM phrases p
 WHERE p.words %% %(words)s AND p.in_use ORDER BY 3 DESC LIMIT %(most)s
"""
_RELATE = """
INSERT INTO phrase_relations (phrase_id, other_id, fit) VALUES (%s, %s, %s)
ON CONFLICT (phrase_id, other_id) DO UPDATE SET fit = excluded.fit
"""

# Whoever offers or wants what was related may now be part of a swap ring.
_LOOK_AGAIN = """
UPDATE whereabouts SET ring_due = true WHERE NOT ring_due AND user_id IN (
  SELECT user_id FROM skill_offers WHERE phrase_id = ANY (%(phrases)s)
   UNION SELECT user_id FROM skill_wants WHERE phrase_id = ANY (%(phrases)s))
"""


def has_vectors(conn: Connection) -> bool:
    """Whether this database can keep meanings (pgvector is there)."""
    row = conn.execute("SELECT to_regclass('public.phrase_vectors') IS NOT NULL").fetchone()
    return bool(row and row[0])


def method(embedder: Embedder | None) -> str:
    """What phrases are related by, as `related_by` and `algorithm` name it."""
    return BY_WORDS if embedder is None else f"{embedder.name}+offered+floor+{BY_WORDS}"


def unread(embedder: Embedder) -> str:
    """What questions are related by that say nothing to the model."""
    return f"{BY_WORDS} unknown to {embedder.name}"


def forget_other_methods(conn: Connection, embedder: Embedder | None) -> int:
    """Phrases that another model related wait again; how many wait. A worker calls this when it starts."""
    if not has_vectors(conn):
        embedder = None
    known = [method(embedder)] + ([] if embedder is None else [unread(embedder)])
    conn.execute("UPDATE phrases SET related_by = NULL WHERE related_by <> ALL (%s)", [known])
    row = conn.execute("SELECT count(*) FROM phrases WHERE related_by IS NULL").fetchone()
    return int(row[0]) if row else 0


def relate_waiting(dsn: str, embedder: Embedder | None) -> int:
    """Relate every phrase that waits, a batch a transaction; how many. A second run finds nothing to do."""
    done = 0
    with psycopg.connect(dsn) as conn:
        if not has_vectors(conn):
            embedder = None
        while True:
            waiting = conn.execute(_WAITING, [BATCH]).fetchall()
            if not waiting:
                conn.commit()
                return done
            read = [_Waiting(*row) for row in waiting]
            if embedder is not None:
                _read(read, embedder)
            _relate(conn, read, embedder)
            conn.commit()
            done += len(waiting)


@dataclass(slots=True)
class _Waiting:
    """A phrase that waits. `asks` is its vector as a question, `offers` as something offered, both in SQL's words.

    `scraps`: a question of which the model knows no word as a whole.
    """

    id: int
    words: str
    used: bool
    asks: str | None = None
    offers: str | None = None
    scraps: bool = False


def _vector(numbers: list[float]) -> str:
    return "[" + ",".join(f"{x:.6f}" for x in numbers) + "]"


def _read(waiting: list[_Waiting], embedder: Embedder) -> None:
    # Of a question without a word that it knows a model makes up something: that one stays with its spelling.
    told = [one for one in waiting if one.used or embedder.knows(one.words)]
    used = [one for one in told if one.used]
    plain = embedder.vectors([one.words for one in told])
    for one, vector in zip(told, plain, strict=True):
        one.asks = _vector(vector)
        one.scraps = not one.used and not embedder.sure_of(one.words)
    bare = (vector for one, vector in zip(told, plain, strict=True) if one.used)
    for one, a, b in zip(used, bare, embedder.vectors([OFFERED.format(one.words) for one in used]), strict=True):
        both = [x + y for x, y in zip(a, b, strict=True)]
        length = math.hypot(*both)
        one.offers = _vector([x / length for x in both])


def _relate(conn: Connection, waiting: list[_Waiting], embedder: Embedder | None) -> None:
    # The last two settings hold for this transaction alone.
    conn.execute("SELECT set_config('pg_trgm.similarity_threshold', '0.3', true)")
    with conn.cursor() as cursor:
        for one in waiting:
            if one.offers is not None:
                cursor.execute(_KEEP, [one.id, one.offers])
        for one in waiting:
            phrase, used = one.id, one.used
            near = _near(cursor, one)
            fits = {other: together(cosine, similarity) for other, cosine, similarity in near} | {phrase: SAME}
            least = LEAST if used else LEAST_ASKED
            rows = [(phrase, other, fit) for other, fit in fits.items() if fit >= least]
            # What is wanted may be asked for by others, too; a search is only ever asked.
            back = [(other, phrase, fit) for _phrase, other, fit in rows if used and other != phrase]
            cursor.execute("DELETE FROM phrase_relations WHERE phrase_id = %s", [phrase])
            if used:
                cursor.execute("DELETE FROM phrase_relations WHERE other_id = %s", [phrase])
            cursor.executemany(_RELATE, sorted(rows + back))
        cursor.execute(_LOOK_AGAIN, {"phrases": [one.id for one in waiting]})
        for how in {_how(one, embedder) for one in waiting}:
            those = [one.id for one in waiting if _how(one, embedder) == how]
            cursor.execute("UPDATE phrases SET related_by = %s WHERE id = ANY (%s)", [how, those])


def _near(cursor: psycopg.Cursor[Any], one: _Waiting) -> list[tuple[int, float | None, float]]:
    """The phrases nearest to one, with cosine and shared trigrams. What says nothing to anything is not read."""
    asked = {"words": one.words, "vector": one.asks, "most": NEAREST}
    near = [] if one.asks is None else cursor.execute(_BY_MEANING, asked).fetchall()
    if one.scraps:
        near = [row for row in near if heard(row[1], row[2])]
        one.asks = one.asks if near else None
    return near if one.asks is not None else cursor.execute(_BY_WORDS, asked).fetchall()


def _how(one: _Waiting, embedder: Embedder | None) -> str:
    return method(embedder) if embedder is None or one.asks is not None else unread(embedder)
