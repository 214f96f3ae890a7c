"""Sentence embeddings from an OpenAI-compatible endpoint (POST …/embeddings)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from urllib.parse import parse_qs, urlsplit, urlunsplit

import httpx

from porchlight.ports import EmbeddingOutage
from tenants.kit import timeouts

BATCH_SIZE = 64  # texts per request


class EmbeddingEndpoint:
    """A client of the endpoint at `url`. Its query `?model=NAME` names the model; `key` is sent as a bearer token.

    The probabilities of matches are calibrated for all-MiniLM-L6-v2 with 384 dimensions: the endpoint should serve that
    model or one with similar training. Raises EmbeddingOutage for vectors of another length.
    """

    def __init__(self, url: str, key: str, dimensions: int) -> None:
        parts = urlsplit(url)
        self.name = parse_qs(parts.query).get("model", ["all-MiniLM-L6-v2"])[0]
        self._url = urlunsplit(parts._replace(query=""))
        self._headers = {"authorization": f"Bearer {key}"} if key else {}
        self._dimensions = dimensions

    def vectors(self, texts: Sequence[str]) -> list[list[float]]:
        """Return a vector of length one for each text. Raises EmbeddingOutage."""
        vectors: list[list[float]] = []
        for start in range(0, len(texts), BATCH_SIZE):
            vectors += self._embed(list(texts[start : start + BATCH_SIZE]))
        return vectors

    def knows(self, text: str) -> bool:
        """Return whether `text` is not empty. The endpoint does not tell which words the model knows."""
        return bool(text)

    def knows_whole_word(self, text: str) -> bool:
        """Return the same as `knows`."""
        return self.knows(text)

    def _embed(self, texts: list[str]) -> list[list[float]]:
        try:
            response = httpx.post(
                self._url,
                json={"model": self.name, "input": texts},
                headers=self._headers,
                timeout=timeouts.current.embeddings_seconds,
            )
            response.raise_for_status()
            items = sorted(response.json()["data"], key=lambda item: item["index"])
            vectors = [[float(x) for x in item["embedding"]] for item in items]
        except (httpx.HTTPError, ValueError, KeyError, TypeError) as error:
            raise EmbeddingOutage(f"the embedding endpoint failed: {type(error).__name__}") from error
        lengths = [math.hypot(*vector) for vector in vectors]
        wrong_dimensions = any(len(vector) != self._dimensions for vector in vectors)
        if len(vectors) != len(texts) or wrong_dimensions or not all(lengths):
            raise EmbeddingOutage(f"the embedding endpoint must return {self._dimensions} numbers for each text")
        return [[x / length for x in vector] for vector, length in zip(vectors, lengths, strict=True)]
