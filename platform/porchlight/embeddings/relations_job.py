"""The job that embeds phrases and relates each of them to the phrases in use (ARCHITECTURE 8)."""

from __future__ import annotations

import math
from dataclasses import dataclass

from porchlight.embeddings.named_things import named_things
from porchlight.embeddings.probability import (
    MIN_PROBABILITY,
    MIN_SEARCH_PROBABILITY,
    SAME_WORDS,
    is_similar,
    match_probability,
)
from porchlight.ports import Embedder
from tenants.db.tasks import Connection, Job

RELATE_PHRASES_TASK = "embeddings:relate_phrases"
WORDS_METHOD = "words-1"
# An offer's vector is the mean of its words alone and of this sentence, which is closer to the words of wants.
OFFER_SENTENCE = "I can teach you {}"
BATCH_SIZE = 64  # phrases per transaction

_PENDING = "SELECT id, words, in_use FROM app.pending_phrases(%s)"
_SAVE_VECTORS = "SELECT app.save_phrase_vectors(%s::integer[], %s)"
_SIMILAR = "SELECT other_id, cosine, spelling, words FROM app.similar_phrases(%s, %s)"
_SAVE_RELATIONS = "SELECT app.save_phrase_relations(%s, %s, %s, %s::integer[], %s)"
_REQUEST_RING_CHECKS = "SELECT app.request_ring_checks(%s::integer[])"


def has_vectors(conn: Connection) -> bool:
    """Return whether this database can store vectors (pgvector is installed)."""
    row = conn.execute("SELECT to_regclass('public.phrase_vectors') IS NOT NULL").fetchone()
    return bool(row and row[0])


def method(embedder: Embedder | None) -> str:
    """Return the name of the method that relates phrases, for `related_by` and the API's `algorithm`."""
    return WORDS_METHOD if embedder is None else f"{embedder.name}+offered+floor+names+{WORDS_METHOD}"


def unknown_words_method(embedder: Embedder) -> str:
    """Return the name of the method for queries without a word that the model knows."""
    return f"{WORDS_METHOD} unknown to {embedder.name}"


def requeue_other_methods(conn: Connection, embedder: Embedder | None) -> int:
    """Mark phrases that another method related as pending and return the number of pending phrases.

    A worker calls this as the service role when it starts.
    """
    if not has_vectors(conn):
        embedder = None
    current = [method(embedder)] + ([] if embedder is None else [unknown_words_method(embedder)])
    conn.execute("UPDATE phrases SET related_by = NULL WHERE related_by <> ALL (%s)", [current])
    row = conn.execute("SELECT count(*) FROM phrases WHERE related_by IS NULL").fetchone()
    return int(row[0]) if row else 0


def relate_phrases(job: Job, embedder: Embedder | None) -> int:
    """Relate all pending phrases in batches and return their number. Idempotent.

    The model reads a batch between two transactions, because it may be a service.
    """
    total = 0
    while True:
        with job.transaction() as conn:
            rows = conn.execute(_PENDING, [BATCH_SIZE]).fetchall()
            model = embedder if has_vectors(conn) else None
        if not rows:
            return total
        phrases = [_PendingPhrase(*row) for row in rows]
        if model is not None:
            _embed(phrases, model)
        with job.transaction() as conn:
            _relate(conn, phrases, model)
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

    @property
    def text(self) -> str:
        """The text that the model reads."""
        return named_things().expand(self.words)


def _vector_literal(numbers: list[float]) -> str:
    return "[" + ",".join(f"{x:.6f}" for x in numbers) + "]"


def _embed(phrases: list[_PendingPhrase], embedder: Embedder) -> None:
    # The vector of a query without a known word is arbitrary. Such a query is related by its spelling only.
    known = [phrase for phrase in phrases if phrase.in_use or embedder.knows(phrase.text)]
    vectors = embedder.vectors([phrase.text for phrase in known])
    for phrase, vector in zip(known, vectors, strict=True):
        phrase.want_vector = _vector_literal(vector)
        phrase.unsure = not phrase.in_use and not embedder.knows_whole_word(phrase.text)
    in_use = [(phrase, vector) for phrase, vector in zip(known, vectors, strict=True) if phrase.in_use]
    sentences = embedder.vectors([OFFER_SENTENCE.format(phrase.text) for phrase, _vector in in_use])
    for (phrase, vector), sentence in zip(in_use, sentences, strict=True):
        total = [x + y for x, y in zip(vector, sentence, strict=True)]
        length = math.hypot(*total)
        phrase.offer_vector = _vector_literal([x / length for x in total])


def _relate(conn: Connection, phrases: list[_PendingPhrase], embedder: Embedder | None) -> None:
    vectors = {phrase.id: phrase.offer_vector for phrase in phrases if phrase.offer_vector is not None}
    if vectors:
        conn.execute(_SAVE_VECTORS, [list(vectors), list(vectors.values())])
    for phrase in phrases:
        neighbors = _find_neighbors(conn, phrase)
        probabilities = {
            other: match_probability(cosine, similarity)
            for other, cosine, similarity, words in neighbors
            if not named_things().are_different(phrase.words, words)
        }
        probabilities[phrase.id] = SAME_WORDS
        minimum = MIN_PROBABILITY if phrase.in_use else MIN_SEARCH_PROBABILITY
        related = {other: probability for other, probability in probabilities.items() if probability >= minimum}
        method_name = _related_by(phrase, embedder)
        conn.execute(_SAVE_RELATIONS, [phrase.id, phrase.in_use, method_name, list(related), list(related.values())])
    conn.execute(_REQUEST_RING_CHECKS, [[phrase.id for phrase in phrases]])


def _find_neighbors(conn: Connection, phrase: _PendingPhrase) -> list[tuple[int, float | None, float, str]]:
    """Return the ids of the nearest phrases with cosine, shared trigrams and words.

    Drops the vector of an unsure phrase without a similar phrase, so that its method is `unknown_words_method`.
    """
    rows = [] if phrase.want_vector is None else conn.execute(_SIMILAR, [phrase.words, phrase.want_vector]).fetchall()
    if phrase.unsure:
        rows = [row for row in rows if is_similar(row[1], row[2])]
        phrase.want_vector = phrase.want_vector if rows else None
    return rows if phrase.want_vector is not None else conn.execute(_SIMILAR, [phrase.words, None]).fetchall()


def _related_by(phrase: _PendingPhrase, embedder: Embedder | None) -> str:
    return method(embedder) if embedder is None or phrase.want_vector is not None else unknown_words_method(embedder)
