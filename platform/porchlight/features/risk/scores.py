"""The scores of the risk classifier, cached in every process and, for listings, in the database.

A page of listings would otherwise cost the classifier's time for each of them: about 5 ms.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Sequence
from functools import partial
from hashlib import blake2b
from typing import Protocol

from porchlight.embeddings.model_thread import ModelThread
from tenants.db.pool import Database
from tenants.kit import timeouts
from tenants.kit.errors import Unavailable
from tenants.kit.logs import log
from tenants.kit.text import normalize_text

MAX_CACHED = 20_000  # scores, about 3 MB
MAX_WORDS, MAX_CHARACTERS = 70, 600  # longer texts have no score: the classifier was trained on titles and descriptions


class Classifier(Protocol):
    """Scores texts from 0 (harmless) to 1 (high or extreme risk)."""

    @property
    def name(self) -> str:
        """The name of the trained classifier."""

    def scores(self, texts: Sequence[str]) -> list[float]:
        """Return the score of each text, in order. Blocking."""


class RiskScores:
    """Reads scores. Without a classifier there are none, and the lexicon alone rates activities."""

    def __init__(self, db: Database, classifier: Classifier | None) -> None:
        self._db = db
        self._classifier = classifier
        self._thread = ModelThread()
        self._cached: OrderedDict[bytes, float] = OrderedDict()

    async def of(self, texts: Iterable[str], *, stored: bool) -> dict[str, float]:
        """Return the scores of texts, by text; blank and long ones have none. `stored`: use the database as well.

        Raises Unavailable if the classifier is too busy.
        """
        classifier = self._classifier
        if classifier is None:
            return {}
        digests = {text: _digest(classifier.name, text) for text in texts if _is_short(text)}
        missing = {digest: text for text, digest in digests.items() if digest not in self._cached}
        found = {digest: self._cached[digest] for digest in digests.values() if digest not in missing}
        if missing and stored:
            read = await self._read(list(missing))
            found |= read
            missing = {digest: text for digest, text in missing.items() if digest not in read}
        if missing:
            classify = partial(classifier.scores, list(missing.values()))
            computed = dict(
                zip(missing, await self._thread.run(classify, timeouts.current.risk_classifier_seconds), strict=True)
            )
            found |= computed
            if stored:
                await self._write(computed)
        for digest, score in found.items():
            self._cached[digest] = score
            self._cached.move_to_end(digest)
        while len(self._cached) > MAX_CACHED:
            self._cached.popitem(last=False)
        return {text: found[digest] for text, digest in digests.items()}

    async def _read(self, digests: list[bytes]) -> dict[bytes, float]:
        try:
            rows = await self._db.read(None, "SELECT digest, score FROM risk_scores WHERE digest = ANY (%s)", [digests])
        except Unavailable:  # the classifier needs no database
            return {}
        return {bytes(digest): score for digest, score in rows}

    async def _write(self, scores: dict[bytes, float]) -> None:
        try:
            await self._db.write(
                None, "SELECT app.save_risk_scores(%s::bytea[], %s::real[])", [list(scores), list(scores.values())]
            )
        except Unavailable:
            log.info("risk_scores_not_saved")


def _is_short(text: str) -> bool:
    return 0 < len(text.split()) <= MAX_WORDS and len(text) <= MAX_CHARACTERS


def _digest(name: str, text: str) -> bytes:
    return blake2b(f"{name}\n{normalize_text(text)}".encode(), digest_size=16).digest()
