"""The job that reads phrases: each distinct one once, and how it relates to those in use (DESIGN 8)."""

from __future__ import annotations

from typing import Any

import psycopg

from porchlight.meaning.fit import LEAST, LEAST_ASKED, SAME, together
from porchlight.ports import Embedder

RELATE_TASK = "relate_phrases"
BY_WORDS = "words-1"
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
    return BY_WORDS if embedder is None else f"{embedder.name}+{BY_WORDS}"


def forget_other_methods(conn: Connection, embedder: Embedder | None) -> int:
    """Phrases that another model related wait again; how many wait. A worker calls this when it starts."""
    conn.execute(
        "UPDATE phrases SET related_by = NULL WHERE related_by <> %s",
        [method(embedder if has_vectors(conn) else None)],
    )
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
            vectors: list[list[float] | None] = [None] * len(waiting)
            if embedder is not None:
                vectors = list(embedder.vectors([words for _id, words, _used in waiting]))
            _relate(conn, waiting, vectors, method(embedder))
            conn.commit()
            done += len(waiting)


def _relate(conn: Connection, waiting: list[tuple[Any, ...]], vectors: list[list[float] | None], how: str) -> None:
    # The last two settings hold for this transaction alone.
    conn.execute("SELECT set_config('pg_trgm.similarity_threshold', '0.3', true)")
    texts = [None if vector is None else "[" + ",".join(f"{x:.6f}" for x in vector) + "]" for vector in vectors]
    with conn.cursor() as cursor:
        for (phrase, _words, used), text in zip(waiting, texts, strict=True):
            if used and text is not None:
                cursor.execute(_KEEP, [phrase, text])
        for (phrase, words, used), text in zip(waiting, texts, strict=True):
            asked = {"words": words, "vector": text, "most": NEAREST}
            near = cursor.execute(_BY_WORDS if text is None else _BY_MEANING, asked).fetchall()
            fits = {other: together(cosine, similarity) for other, cosine, similarity in near} | {phrase: SAME}
            least = LEAST if used else LEAST_ASKED
            rows = [(phrase, other, fit) for other, fit in fits.items() if fit >= least]
            # What is wanted may be asked for by others, too; a search is only ever asked.
            back = [(other, phrase, fit) for _phrase, other, fit in rows if used and other != phrase]
            cursor.execute("DELETE FROM phrase_relations WHERE phrase_id = %s", [phrase])
            if used:
                cursor.execute("DELETE FROM phrase_relations WHERE other_id = %s", [phrase])
            cursor.executemany(_RELATE, sorted(rows + back))
        cursor.execute(_LOOK_AGAIN, {"phrases": [row[0] for row in waiting]})
        cursor.execute("UPDATE phrases SET related_by = %s WHERE id = ANY (%s)", [how, [row[0] for row in waiting]])
