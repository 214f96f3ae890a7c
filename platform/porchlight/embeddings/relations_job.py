"""The job that embeds phrases and relates each of them to the phrases in use (docs/search.md)."""

from __future__ import annotations

from porchlight.embeddings.relations import PendingPhrase, SimilarPhrase, embed, method, unknown_words_method
from porchlight.embeddings.rules import MAX_NEAREST_PHRASES, MIN_COMMON_TRIGRAMS
from porchlight.ports import Embedder
from tenants.db.rows import Connection, fetch_all, fetch_value
from tenants.db.tasks import Job

RELATE_PHRASES_TASK = "embeddings:relate_phrases"
BATCH_SIZE = 64  # phrases per transaction

_PENDING = "SELECT * FROM app.job_rows(%s) AS (id integer, words text, in_use boolean)"
_SAVE_VECTORS = "SELECT app.save_phrase_vectors(%s::integer[], %s::integer[], %s::text[])"
_SIMILAR = "SELECT other_id, cosine, spelling, words FROM app.similar_phrases(%s, %s, %s, %s)"
_SAVE_RELATIONS = "SELECT app.save_phrase_relations(%s, %s, %s, %s::integer[], %s)"
_REQUEST_RING_CHECKS = "SELECT app.set_ring_check_due(NULL, %s::integer[])"


def has_vectors(conn: Connection) -> bool:
    """Return whether this database can store vectors (pgvector is installed)."""
    return bool(fetch_value(conn, bool, "SELECT to_regclass('public.phrase_vectors') IS NOT NULL"))


def requeue_other_methods(conn: Connection, embedder: Embedder | None) -> int:
    """Mark phrases that another method related as pending and return the number of pending phrases.

    A worker calls this as the service role when it starts.
    """
    if not has_vectors(conn):
        embedder = None
    current = [method(embedder)] + ([] if embedder is None else [unknown_words_method(embedder)])
    conn.execute("UPDATE phrases SET related_by = NULL WHERE related_by <> ALL (%s)", [current])
    return fetch_value(conn, int, "SELECT count(*) FROM phrases WHERE related_by IS NULL") or 0


def relate_phrases(job: Job, embedder: Embedder | None) -> int:
    """Relate all pending phrases in batches and return their number. Idempotent.

    The model reads a batch between two transactions, because it may be a service.
    """
    total = 0
    while True:
        with job.transaction() as conn:
            phrases = fetch_all(conn, PendingPhrase, _PENDING, [BATCH_SIZE])
            model = embedder if has_vectors(conn) else None
        if not phrases:
            return total
        if model is not None:
            embed(phrases, model)
        with job.transaction() as conn:
            _relate(conn, phrases, model)
        total += len(phrases)


def _relate(conn: Connection, phrases: list[PendingPhrase], embedder: Embedder | None) -> None:
    vectors = {phrase.id: phrase.offer_vector for phrase in phrases if phrase.offer_vector is not None}
    # A search may relate its phrase at the same time: this locks them first, so that neither waits for the other twice.
    conn.execute(_SAVE_VECTORS, [[phrase.id for phrase in phrases], list(vectors), list(vectors.values())])
    for phrase in phrases:
        related = phrase.related(_find_neighbors(conn, phrase))
        method_name = phrase.related_by(embedder)
        conn.execute(_SAVE_RELATIONS, [phrase.id, phrase.in_use, method_name, list(related), list(related.values())])
    conn.execute(_REQUEST_RING_CHECKS, [[phrase.id for phrase in phrases]])


def _find_neighbors(conn: Connection, phrase: PendingPhrase) -> list[SimilarPhrase]:
    """Return the nearest phrases."""
    bounds = [MAX_NEAREST_PHRASES, MIN_COMMON_TRIGRAMS]
    found = fetch_all(conn, SimilarPhrase, _SIMILAR, [phrase.words, phrase.want_vector, *bounds])
    if phrase.want_vector is not None and phrase.drop_vector_unless_similar(found):
        found = fetch_all(conn, SimilarPhrase, _SIMILAR, [phrase.words, None, *bounds])
    return found
