"""The job that embeds phrases and relates each of them to the phrases in use (docs/search.md).

It works as the service role, because phrases belong to no user and requests cannot read them.
"""

from __future__ import annotations

from porchlight.embeddings.relations import PendingPhrase, SimilarPhrase, embed, method, unknown_words_method
from porchlight.embeddings.rules import MAX_NEAREST_PHRASES, MIN_COMMON_TRIGRAMS
from porchlight.ports import Embedder
from tenants.db.rows import Connection, fetch_all, fetch_value
from tenants.db.tasks import ServiceJob

RELATE_PHRASES_TASK = "embeddings:relate_phrases"
BATCH_SIZE = 64  # phrases per transaction

_PENDING = "SELECT id, words, in_use FROM phrases WHERE related_by IS NULL ORDER BY in_use DESC, id LIMIT %s"
_LOCK = "SELECT FROM phrases WHERE id = ANY (%s) ORDER BY id FOR NO KEY UPDATE"
# As literals, because the type exists only with pgvector.
_SAVE_VECTORS = """
INSERT INTO phrase_vectors (phrase_id, embedding)
SELECT s.id, s.literal::vector FROM unnest(%s::integer[], %s::text[]) AS s (id, literal)
ON CONFLICT (phrase_id) DO UPDATE SET embedding = excluded.embedding"""
_SIMILAR = "SELECT other_id, cosine, spelling, words FROM app.nearest_phrases(%s, %s, %s, %s)"
_DELETE_RELATIONS = "DELETE FROM phrase_relations WHERE phrase_id = %(phrase)s OR %(is_name)s AND other_id = %(phrase)s"
# A phrase in use is related in both directions; the phrase of a search is only a want.
_SAVE_RELATIONS = """
INSERT INTO phrase_relations (phrase_id, other_id, probability)
SELECT %(phrase)s, o.id, o.probability
  FROM unnest(%(others)s::integer[], %(probabilities)s::double precision[]) AS o (id, probability)
 UNION ALL
SELECT o.id, %(phrase)s, o.probability
  FROM unnest(%(others)s::integer[], %(probabilities)s::double precision[]) AS o (id, probability)
 WHERE %(is_name)s AND o.id <> %(phrase)s
 ORDER BY 1, 2
ON CONFLICT (phrase_id, other_id) DO UPDATE SET probability = excluded.probability"""
# A phrase that came into use in the meantime keeps waiting.
_SAVE_METHOD = "UPDATE phrases SET related_by = %(method)s WHERE id = %(phrase)s AND in_use = %(is_name)s"
_REQUEST_RING_CHECKS = "SELECT app.set_ring_check_due(true, NULL, %s::integer[])"


def has_vectors(conn: Connection) -> bool:
    """Return whether this database can store vectors (pgvector is installed)."""
    return bool(fetch_value(conn, bool, "SELECT to_regclass('public.phrase_vectors') IS NOT NULL"))


def requeue_other_methods(conn: Connection, embedder: Embedder | None) -> int:
    """Mark phrases that another method related as pending and return the number of pending phrases.

    A worker calls this when it starts.
    """
    if not has_vectors(conn):
        embedder = None
    current = [method(embedder)] + ([] if embedder is None else [unknown_words_method(embedder)])
    conn.execute("UPDATE phrases SET related_by = NULL WHERE related_by <> ALL (%s)", [current])
    return fetch_value(conn, int, "SELECT count(*) FROM phrases WHERE related_by IS NULL") or 0


def relate_phrases(job: ServiceJob, embedder: Embedder | None) -> int:
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
    conn.execute(_LOCK, [[phrase.id for phrase in phrases]])
    if vectors:
        conn.execute(_SAVE_VECTORS, [list(vectors), list(vectors.values())])
    for phrase in phrases:
        related = phrase.related(_find_neighbors(conn, phrase))
        values = {"phrase": phrase.id, "is_name": phrase.in_use, "method": phrase.related_by(embedder)}
        conn.execute(_DELETE_RELATIONS, values)
        conn.execute(_SAVE_RELATIONS, values | {"others": list(related), "probabilities": list(related.values())})
        conn.execute(_SAVE_METHOD, values)
    conn.execute(_REQUEST_RING_CHECKS, [[phrase.id for phrase in phrases]])


def _find_neighbors(conn: Connection, phrase: PendingPhrase) -> list[SimilarPhrase]:
    """Return the nearest phrases."""
    bounds = [MAX_NEAREST_PHRASES, MIN_COMMON_TRIGRAMS]
    found = fetch_all(conn, SimilarPhrase, _SIMILAR, [phrase.words, phrase.want_vector, *bounds])
    if phrase.want_vector is not None and phrase.drop_vector_unless_similar(found):
        found = fetch_all(conn, SimilarPhrase, _SIMILAR, [phrase.words, None, *bounds])
    return found
