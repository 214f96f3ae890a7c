"""The risk classifier: how likely an activity needs a waiver, by the meaning of its words (docs/risk.md).

The sentence encoder with an adapter of its own, trained on activities that people rated by the rules of docs/risk.md;
training/README.md describes how. It knows what neighbors mean by "half my outlets are dead", where the lexicon of
hazards finds no word.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

import numpy as np

from porchlight.embeddings.encoder import Adapter, Encoder
from porchlight.embeddings.known_words import has_known_words

NAME = "risk-3"  # change it with the adapter: stored scores of another classifier do not count
ADAPTER_PATH = Path(__file__).with_name("classifier.safetensors")


class RiskClassifier:
    """Scores activities from 0 (harmless) to 1 (high or extreme risk). Its files are read on first use."""

    name = NAME

    def __init__(self, encoder: Encoder) -> None:
        self._encoder = encoder

    @cached_property
    def _adapter(self) -> Adapter:
        return Adapter(ADAPTER_PATH)

    def scores(self, texts: Sequence[str]) -> list[float]:
        """Return the score of each text, in order: 0 for made-up words. Blocks for about 5 ms a text.

        Raises BadWeights.
        """
        head = self._adapter.tensors
        logits = self._encoder.means(texts, self._adapter) @ head["head.weight"].T + head["head.bias"]
        scores: list[float] = (1.0 / (1.0 + np.exp(-logits[:, 0]))).tolist()
        tokenizer = self._encoder.tokenizer
        return [score if has_known_words(tokenizer, text) else 0.0 for text, score in zip(texts, scores, strict=True)]
