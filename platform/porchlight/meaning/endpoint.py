"""Sentence vectors from an OpenAI-compatible endpoint (POST …/embeddings)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from urllib.parse import parse_qs, urlsplit, urlunsplit

import httpx

from porchlight.ports import EmbeddingOutage

TIMEOUT = 20.0  # seconds; only jobs wait
MOST = 64  # texts a call


class EmbeddingEndpoint:
    """`url`: where to POST; `?model=NAME` in it names the model, and `key` goes along as a bearer token.

    The calibration of matches was made for all-MiniLM-L6-v2 with its 384 numbers: the endpoint should serve it, or a
    model that was trained alike. Vectors of another length are refused.
    """

    def __init__(self, url: str, key: str, dimensions: int) -> None:
        parts = urlsplit(url)
        self.name = parse_qs(parts.query).get("model", ["all-MiniLM-L6-v2"])[0]
        self._url = urlunsplit(parts._replace(query=""))
        self._headers = {"authorization": f"Bearer {key}"} if key else {}
        self._dimensions = dimensions

    def vectors(self, texts: Sequence[str]) -> list[list[float]]:
        """A vector of length one for each text. Raises EmbeddingOutage when the endpoint does not serve them."""
        made: list[list[float]] = []
        for first in range(0, len(texts), MOST):
            made += self._ask(list(texts[first : first + MOST]))
        return made

    def knows(self, text: str) -> bool:
        """An endpoint does not say which words it knows, so that it is believed."""
        return bool(text)

    def sure_of(self, text: str) -> bool:
        """As `knows`."""
        return self.knows(text)

    def _ask(self, texts: list[str]) -> list[list[float]]:
        try:
            answer = httpx.post(
                self._url, json={"model": self.name, "input": texts}, headers=self._headers, timeout=TIMEOUT
            )
            answer.raise_for_status()
            told = sorted(answer.json()["data"], key=lambda one: one["index"])
            found = [[float(x) for x in one["embedding"]] for one in told]
        except (httpx.HTTPError, ValueError, KeyError, TypeError) as fault:
            raise EmbeddingOutage(f"the embedding endpoint did not serve: {type(fault).__name__}") from fault
        lengths = [math.hypot(*vector) for vector in found]
        if len(found) != len(texts) or any(len(vector) != self._dimensions for vector in found) or not all(lengths):
            raise EmbeddingOutage(f"the embedding endpoint must give {self._dimensions} numbers for each text")
        return [[x / length for x in vector] for vector, length in zip(found, lengths, strict=True)]
