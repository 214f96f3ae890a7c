"""Relates the phrase of a new search within its request, so that the first answer is by meaning (docs/search.md)."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial

from porchlight.embeddings.model_thread import ModelThread
from porchlight.embeddings.relations import PendingPhrase, SimilarPhrase, embed
from porchlight.embeddings.rules import MAX_NEAREST_PHRASES, MIN_COMMON_TRIGRAMS
from porchlight.ports import Embedder, EmbeddingOutage
from tenants.db.pool import Database
from tenants.kit import timeouts
from tenants.kit.errors import Unavailable
from tenants.kit.logs import log

# For the model. The question waits for the worker if it takes longer.

_SIMILAR = "SELECT other_id, cosine, spelling, words FROM app.similar_to_search(%s, %s, %s, %s)"
_SAVE = "SELECT app.save_search_relations(%s, %s, %s::integer[], %s)"


@dataclass(frozen=True, slots=True)
class ModelRelations:
    """Relates phrases with the model. `embedder` None: no model is installed, and the worker relates by spelling."""

    db: Database
    embedder: Embedder | None
    thread: ModelThread = field(default_factory=ModelThread)

    async def relate(self, phrase_id: int, words: str) -> str | None:
        """Relate the new phrase of a search and return the method (`porchlight.ports.QueryRelations`)."""
        if self.embedder is None:
            return None
        phrase = PendingPhrase(phrase_id, words, in_use=False)
        try:
            await self.thread.run(partial(embed, [phrase], self.embedder), timeouts.current.query_model_seconds)
            related = phrase.related(await self._neighbors(phrase))
            method = phrase.related_by(self.embedder)
            values = [phrase_id, method, list(related), list(related.values())]
            is_saved = await self.db.write_value(bool, None, _SAVE, values)
        except (Unavailable, EmbeddingOutage):
            log.info("query_not_related")
            return None
        return method if is_saved else None

    async def _neighbors(self, phrase: PendingPhrase) -> list[SimilarPhrase]:
        rows = await self._similar(phrase)
        if phrase.want_vector is not None and phrase.drop_vector_unless_similar(rows):
            rows = await self._similar(phrase)
        return rows

    async def _similar(self, phrase: PendingPhrase) -> list[SimilarPhrase]:
        values = [phrase.id, phrase.want_vector, MAX_NEAREST_PHRASES, MIN_COMMON_TRIGRAMS]
        return await self.db.read(None, _SIMILAR, values, row=SimilarPhrase)
