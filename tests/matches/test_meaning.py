"""The model and its word pieces: the numbers the libraries give that it was published for."""

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

from porchlight.meaning import minilm
from porchlight.meaning.endpoint import EmbeddingEndpoint
from porchlight.meaning.minilm import DIMENSIONS, BadWeights, MiniLM, model_folder
from porchlight.meaning.wordpiece import WordPieces
from porchlight.ports import EmbeddingOutage
from tests.matches.people import model

# Made once with the library `tokenizers` and the model's own tokenizer.json.
PIECES: dict[str, list[int]] = json.loads((Path(__file__).parent / "data" / "pieces.json").read_text("utf-8"))


def _folder() -> Path:
    folder = model_folder()
    assert folder is not None
    return folder


@pytest.mark.parametrize("text", sorted(PIECES))
def test_word_pieces_are_the_librarys(text: str) -> None:
    assert WordPieces(_folder() / "vocab.txt").numbers(text, 128) == PIECES[text]


def test_vectors_have_length_one_and_do_not_depend_on_their_neighbours() -> None:
    alone = model().vectors(["guitar"])[0]
    among = model().vectors(["a much longer sentence that is padded to", "guitar", "chess"])[1]
    assert len(alone) == DIMENSIONS
    assert math.isclose(math.hypot(*alone), 1.0, abs_tol=1e-5)
    assert max(abs(a - b) for a, b in zip(alone, among, strict=True)) < 1e-5


def _likeness(one: list[float], other: list[float]) -> float:
    return sum(a * b for a, b in zip(one, other, strict=True))


def test_like_means_like() -> None:
    sourdough, bread, fishing = model().vectors(["Sourdough baking", "bake my own bread", "Bass fishing"])
    assert _likeness(sourdough, bread) > 0.4 > 0.2 > _likeness(sourdough, fishing)


def test_it_was_taught_what_neighbors_mean(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said = ["Plumbing repairs", "water drips from the tap all night"]
    taught = model().vectors(said)
    nothing = tmp_path / "nothing.safetensors"
    nothing.write_bytes(struct.pack("<Q", 2) + b"{}")
    monkeypatch.setattr(minilm, "LESSONS", nothing)
    untaught = MiniLM(_folder()).vectors(said)
    assert _likeness(*taught) > _likeness(*untaught) + 0.1


def test_other_weights_are_refused(tmp_path: Path) -> None:
    shutil.copy(_folder() / "vocab.txt", tmp_path)
    body = bytearray((_folder() / "model.safetensors").read_bytes()[:100_000])
    (tmp_path / "model.safetensors").write_bytes(body)
    with pytest.raises(BadWeights):
        MiniLM(tmp_path).vectors(["guitar"])


class _Service(BaseHTTPRequestHandler):
    status = 200
    length = DIMENSIONS

    def do_POST(self) -> None:
        sent: dict[str, Any] = json.loads(self.rfile.read(int(self.headers["content-length"])))
        assert sent["model"] == "some-model"
        assert self.headers["authorization"] == "Bearer secret"
        told = [{"index": at, "embedding": [float(len(text))] * self.length} for at, text in enumerate(sent["input"])]
        body = json.dumps({"data": told[::-1]}).encode()
        self.send_response(self.status)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


def test_an_endpoint_serves_instead() -> None:
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
