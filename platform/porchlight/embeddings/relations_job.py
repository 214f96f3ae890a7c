"""The job that embeds phrases and relates each of them to the phrases in use (ARCHITECTURE 8)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import psycopg

from porchlight.embeddings.probability import (
    MIN_PROBABILITY,
    MIN_SEARCH_PROBABILITY,
    SAME_WORDS,
    is_similar,
    match_probability,
)
from porchlight.ports import Embedder

RELATE_TASK = "embeddings:relate_phrases"
WORDS_METHOD = "words-1"
# An offer's vector is the mean of its words alone and of this sentence, which is closer to the words of wants.
OFFER_SENTENCE = "I can teach you {}"
BATCH_SIZE = 64  # phrases per transaction
MAX_NEIGHBORS = 40  # relations per phrase

Connection = psycopg.Connection[Any]

_PENDING = """
SELECT id, words, in_use FROM phrases WHERE related_by IS NULL ORDER BY in_use DESC, id LIMIT %s
"""
_SAVE_VECTOR = """
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
_SAVE_RELATION = """
INSERT INTO phrase_relations (phrase_id, other_id, probability) VALUES (%s, %s, %s)
ON CONFLICT (phrase_id, other_id) DO UPDATE SET probability = excluded.probability
"""

# New relations can complete a swap ring.
_REQUEST_RING_CHECK = """
UPDATE user_locations SET ring_check_due = true WHERE NOT ring_check_due AND user_id IN (
  SELECT user_id FROM skill_offers WHERE phrase_id = ANY (%(phrases)s)
   UNION SELECT user_id FROM skill_wants WHERE phrase_id = ANY (%(phrases)s))
"""


def has_vectors(conn: Connection) -> bool:
    """Return whether this database can store vectors (pgvector is installed)."""
    row = conn.execute("SELECT to_regclass('public.phrase_vectors') IS NOT NULL").fetchone()
    return bool(row and row[0])


def method(embedder: Embedder | None) -> str:
    """Return the name of the method that relates phrases, for `related_by` and the API's `algorithm`."""
    return WORDS_METHOD if embedder is None else f"{embedder.name}+offered+floor+{WORDS_METHOD}"


def unknown_words_method(embedder: Embedder) -> str:
    """Return the name of the method for queries without a word that the model knows."""
    return f"{WORDS_METHOD} unknown to {embedder.name}"


def requeue_other_methods(conn: Connection, embedder: Embedder | None) -> int:
    """Mark phrases that another method related as pending and return the number of pending phrases.

    A worker calls this when it starts.
    """
    if not has_vectors(conn):
        embedder = None
    current = [method(embedder)] + ([] if embedder is None else [unknown_words_method(embedder)])
    conn.execute("UPDATE phrases SET related_by = NULL WHERE related_by <> ALL (%s)", [current])
    row = conn.execute("SELECT count(*) FROM phrases WHERE related_by IS NULL").fetchone()
    return int(row[0]) if row else 0


def relate_phrases(dsn: str, embedder: Embedder | None) -> int:
    """Relate all pending phrases, one batch per transaction, and return their number. Idempotent."""
    total = 0
    with psycopg.connect(dsn) as conn:
        if not has_vectors(conn):
            embedder = None
        while True:
            rows = conn.execute(_PENDING, [BATCH_SIZE]).fetchall()
            if not rows:
                conn.commit()
                return total
            phrases = [_PendingPhrase(*row) for row in rows]
            if embedder is not None:
                _embed(phrases, embedder)
            _relate(conn, phrases, embedder)
            conn.commit()
            total += len(phrases)


@dataclass(slots=True)
class _PendingPhrase:
    """A phrase to relate. `want_vector` and `offer_vector` are SQL literals of its vector as a want and as an offer.

    `unsure`: a query without a whole word that the model knows.
    """

    id: int
    words: str
    in_use: bool
    want_vector: str | None = None
    offer_vector: str | None = None
    unsure: bool = False


def _vector_literal(numbers: list[float]) -> str:
    return "[" + ",".join(f"{x:.6f}" for x in numbers) + "]"


def _embed(phrases: list[_PendingPhrase], embedder: Embedder) -> None:
    # The vector of a query without a known word is arbitrary. Such a query is related by its spelling only.
    known = [phrase for phrase in phrases if phrase.in_use or embedder.knows(phrase.words)]
    vectors = embedder.vectors([phrase.words for phrase in known])
    for phrase, vector in zip(known, vectors, strict=True):
        phrase.want_vector = _vector_literal(vector)
        phrase.unsure = not phrase.in_use and not embedder.knows_whole_word(phrase.words)
    in_use = [(phrase, vector) for phrase, vector in zip(known, vectors, strict=True) if phrase.in_use]
    sentences = embedder.vectors([OFFER_SENTENCE.format(phrase.words) for phrase, _vector in in_use])
    for (phrase, vector), sentence in zip(in_use, sentences, strict=True):
        total = [x + y for x, y in zip(vector, sentence, strict=True)]
        length = math.hypot(*total)
        phrase.offer_vector = _vector_literal([x / length for x in total])


def _relate(conn: Connection, phrases: list[_PendingPhrase], embedder: Embedder | None) -> None:
    conn.execute("SELECT set_config('pg_trgm.similarity_threshold', '0.3', true)")  # for this transaction only
    with conn.cursor() as cursor:
        for phrase in phrases:
            if phrase.offer_vector is not None:
                cursor.execute(_SAVE_VECTOR, [phrase.id, phrase.offer_vector])
        for phrase in phrases:
            neighbors = _find_neighbors(cursor, phrase)
            probabilities = {other: match_probability(cosine, similarity) for other, cosine, similarity in neighbors}
            probabilities[phrase.id] = SAME_WORDS
            minimum = MIN_PROBABILITY if phrase.in_use else MIN_SEARCH_PROBABILITY
            rows = [
                (phrase.id, other, probability)
                for other, probability in probabilities.items()
                if probability >= minimum
            ]
            # A phrase in use is also an offer for the other phrases. A search is only a want.
            reverse = [
                (other, phrase.id, probability)
                for _id, other, probability in rows
                if phrase.in_use and other != phrase.id
            ]
            cursor.execute("DELETE FROM phrase_relations WHERE phrase_id = %s", [phrase.id])
            if phrase.in_use:
                cursor.execute("DELETE FROM phrase_relations WHERE other_id = %s", [phrase.id])
            cursor.executemany(_SAVE_RELATION, sorted(rows + reverse))
        cursor.execute(_REQUEST_RING_CHECK, {"phrases": [phrase.id for phrase in phrases]})
        for related_by in {_related_by(phrase, embedder) for phrase in phrases}:
            ids = [phrase.id for phrase in phrases if _related_by(phrase, embedder) == related_by]
            cursor.execute("UPDATE phrases SET related_by = %s WHERE id = ANY (%s)", [related_by, ids])


def _find_neighbors(cursor: psycopg.Cursor[Any], phrase: _PendingPhrase) -> list[tuple[int, float | None, float]]:
    """Return the ids of the nearest phrases with cosine and shared trigrams.

    Drops the vector of an unsure phrase without a similar phrase, so that its method is `unknown_words_method`.
    """
    params = {"words": phrase.words, "vector": phrase.want_vector, "most": MAX_NEIGHBORS}
    rows = [] if phrase.want_vector is None else cursor.execute(_BY_MEANING, params).fetchall()
    if phrase.unsure:
        rows = [row for row in rows if is_similar(row[1], row[2])]
        phrase.want_vector = phrase.want_vector if rows else None
    return rows if phrase.want_vector is not None else cursor.execute(_BY_WORDS, params).fetchall()


def _related_by(phrase: _PendingPhrase, embedder: Embedder | None) -> str:
    return method(embedder) if embedder is None or phrase.want_vector is not None else unknown_words_method(embedder)
