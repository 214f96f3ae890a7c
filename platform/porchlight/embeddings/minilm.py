"""The embedding model: the sentence encoder, fine-tuned on the words of neighbors (docs/search.md).

training/README.md describes how the file of the fine-tuning is made.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

import numpy as np

from porchlight.embeddings.encoder import Adapter, Encoder
from porchlight.embeddings.known_words import has_known_words, has_whole_word

NAME = "all-MiniLM-L6-v2-neighbors-2"  # change it with the fine-tuning: vectors of two models cannot be compared
ADAPTER_PATH = Path(__file__).with_name("neighbors.safetensors")


class MiniLM:
    """The model. Its files are read on first use."""

    name = NAME

    def __init__(self, encoder: Encoder) -> None:
        self._encoder = encoder

    @cached_property
    def _adapter(self) -> Adapter:
        return Adapter(ADAPTER_PATH)

    def vectors(self, texts: Sequence[str]) -> list[list[float]]:
        """Return a vector of length one for each text, in order. Raises BadWeights."""
        means = self._encoder.means(texts, self._adapter)
        vectors: list[list[float]] = (means / np.linalg.norm(means, axis=1, keepdims=True)).tolist()
        return vectors

    def knows(self, text: str) -> bool:
        """Return whether the words of `text` split into pieces that are large enough to carry meaning."""
        return has_known_words(self._encoder.tokenizer, text)

    def knows_whole_word(self, text: str) -> bool:
        """Return whether the vocabulary has a word of `text`, or the word splits into pieces that are words."""
        return has_whole_word(self._encoder.tokenizer, text)
