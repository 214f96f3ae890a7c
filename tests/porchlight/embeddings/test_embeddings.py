"""The embedding model and its tokenizer give the results of their reference libraries."""

from __future__ import annotations

import json
import math
import shutil
import struct
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from porchlight.embeddings import minilm
from porchlight.embeddings.encoder import DIMENSIONS, Encoder, model_folder
from porchlight.embeddings.endpoint import EmbeddingEndpoint
from porchlight.embeddings.minilm import MiniLM
from porchlight.embeddings.wordpiece import WordPieceTokenizer
from porchlight.ports import BadWeights, EmbeddingOutage
from tests.porchlight.matches.factories import embedding_model

# Made with the library `tokenizers` and the model's tokenizer.json.
TOKEN_IDS: dict[str, list[int]] = json.loads((Path(__file__).parent / "data" / "pieces.json").read_text("utf-8"))


def _folder() -> Path:
    folder = model_folder()
    assert folder is not None
    return folder


@pytest.mark.parametrize("text", sorted(TOKEN_IDS))
def test_tokenizer_matches_reference_library(text: str) -> None:
    assert WordPieceTokenizer(_folder() / "vocab.txt").encode(text, 128) == TOKEN_IDS[text]


def test_vectors_have_unit_length_in_any_batch() -> None:
    alone = embedding_model().vectors(["guitar"])[0]
    among = embedding_model().vectors(["a much longer sentence that is padded to", "guitar", "chess"])[1]
    assert len(alone) == DIMENSIONS
    assert math.isclose(math.hypot(*alone), 1.0, abs_tol=1e-5)
    assert max(abs(a - b) for a, b in zip(alone, among, strict=True)) < 1e-5


def _similarity(one: list[float], other: list[float]) -> float:
    return sum(a * b for a, b in zip(one, other, strict=True))


def test_similar_phrases_have_similar_vectors() -> None:
    sourdough, bread, fishing = embedding_model().vectors(["Sourdough baking", "bake my own bread", "Bass fishing"])
    assert _similarity(sourdough, bread) > 0.4 > 0.2 > _similarity(sourdough, fishing)


def test_fine_tuning_improves_similarity(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = ["Plumbing repairs", "water drips from the tap all night"]
    tuned = embedding_model().vectors(texts)
    empty = tmp_path / "empty.safetensors"
    empty.write_bytes(struct.pack("<Q", 2) + b"{}")
    monkeypatch.setattr(minilm, "ADAPTER_PATH", empty)
    original = MiniLM(Encoder(_folder())).vectors(texts)
    assert _similarity(*tuned) > _similarity(*original) + 0.1


def test_unknown_weights_file_is_rejected(tmp_path: Path) -> None:
    shutil.copy(_folder() / "vocab.txt", tmp_path)
    body = bytearray((_folder() / "model.safetensors").read_bytes()[:100_000])
    (tmp_path / "model.safetensors").write_bytes(body)
    with pytest.raises(BadWeights):
        MiniLM(Encoder(tmp_path)).vectors(["guitar"])


class _Service(BaseHTTPRequestHandler):
    status = 200
    length = DIMENSIONS

    def do_POST(self) -> None:
        payload: dict[str, Any] = json.loads(self.rfile.read(int(self.headers["content-length"])))
        assert payload["model"] == "some-model"
        assert self.headers["authorization"] == "Bearer secret"
        items = [
            {"index": index, "embedding": [float(len(text))] * self.length}
            for index, text in enumerate(payload["input"])
        ]
        body = json.dumps({"data": items[::-1]}).encode()
        self.send_response(self.status)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        """Do not log."""


def test_endpoint_returns_unit_vectors_or_raises() -> None:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Service)
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        url = f"http://127.0.0.1:{server.server_port}/v1/embeddings?model=some-model"
        endpoint = EmbeddingEndpoint(url, "secret", DIMENSIONS)
        assert endpoint.name == "some-model"
        vectors = endpoint.vectors(["a"] * 70)
        assert len(vectors) == 70
        assert all(math.isclose(math.hypot(*vector), 1.0) for vector in vectors)
        _Service.length = 3
        with pytest.raises(EmbeddingOutage):
            endpoint.vectors(["a"])
        _Service.length, _Service.status = DIMENSIONS, 500
        with pytest.raises(EmbeddingOutage):
            endpoint.vectors(["a"])
    finally:
        _Service.length, _Service.status = DIMENSIONS, 200
        server.shutdown()
        server.server_close()
