"""The sentence encoder with trainable low-rank matrices (LoRA, Hu et al. 2021), for the training programs.

The layers below the first adapted one do not change, so their output is computed once. The product and its tests do not
run this module: torch is in no lock file.
"""

from __future__ import annotations

import math
from pathlib import Path

import torch
from safetensors.torch import load_file, save_file
from torch.nn import functional

from porchlight.embeddings.encoder import HEADS, LAYERS, MAX_TOKENS, model_folder
from porchlight.embeddings.wordpiece import WordPieceTokenizer

LINEAR = (
    *(f"attention.self.{part}" for part in ("query", "key", "value")),
    *("attention.output.dense", "intermediate.dense", "output.dense"),
)
WIDTH = 384


def set_learning_rate(optimizer: torch.optim.Optimizer, rate: float, step: int, steps: int) -> None:
    """Set the rate of a step: it rises for the first 8 % of the steps, then falls along a cosine."""
    warmup = min(1.0, (step + 1) / (0.08 * steps))
    decay = max(0.02, 0.5 * (1 + math.cos(math.pi * step / steps)))
    for group in optimizer.param_groups:
        group["lr"] = rate * warmup * decay


class TrainableEncoder(torch.nn.Module):
    """The encoder with frozen weights, and trainable low-rank matrices from layer `first` on."""

    def __init__(self, rank: int, first: int) -> None:
        super().__init__()
        folder = model_folder()
        if folder is None:
            raise SystemExit("The package of the model is missing: run make setup")
        self.adapted = range(first, LAYERS)
        self.weights = load_file(folder / "model.safetensors")
        self.tokenizer = WordPieceTokenizer(folder / "vocab.txt")
        self.frozen_output: dict[str, torch.Tensor] = {}  # by text: the output of the layers that do not change
        self.down = torch.nn.ParameterDict()
        self.up = torch.nn.ParameterDict()
        for layer in self.adapted:
            for name in LINEAR:
                out, into = self.weights[f"encoder.layer.{layer}.{name}.weight"].shape
                key = f"{layer}.{name}".replace(".", "-")
                self.down[key] = torch.nn.Parameter(torch.randn(rank, into) / math.sqrt(into))
                self.up[key] = torch.nn.Parameter(torch.zeros(out, rank))

    def low_rank_matrices(self, layer: int, name: str) -> tuple[torch.Tensor, torch.Tensor]:
        """Return the two low-rank matrices whose product is added to a weight."""
        key = f"{layer}.{name}".replace(".", "-")
        return 2 * self.up[key], self.down[key]

    def _layer_norm(self, state: torch.Tensor, name: str) -> torch.Tensor:
        return functional.layer_norm(
            state, (WIDTH,), self.weights[f"{name}.weight"], self.weights[f"{name}.bias"], 1e-12
        )

    def _layer(self, state: torch.Tensor, attention_bias: torch.Tensor, layer: int) -> torch.Tensor:
        batch_size, long, _ = state.shape
        at = f"encoder.layer.{layer}"

        def linear(values: torch.Tensor, name: str) -> torch.Tensor:
            weight = self.weights[f"{at}.{name}.weight"]
            if layer in self.adapted:
                up, down = self.low_rank_matrices(layer, name)
                weight = weight + up @ down
            return functional.linear(values, weight, self.weights[f"{at}.{name}.bias"])

        def dropout(values: torch.Tensor) -> torch.Tensor:
            return functional.dropout(values, 0.1, self.training)

        query, key, value = (
            linear(state, name).view(batch_size, long, HEADS, WIDTH // HEADS).transpose(1, 2) for name in LINEAR[:3]
        )
        seen = functional.scaled_dot_product_attention(query, key, value, attn_mask=attention_bias)
        seen = seen.transpose(1, 2).reshape(batch_size, long, WIDTH)
        state = self._layer_norm(state + dropout(linear(seen, LINEAR[3])), f"{at}.attention.output.LayerNorm")
        inner = functional.gelu(linear(state, LINEAR[4]))
        return self._layer_norm(state + dropout(linear(inner, LINEAR[5])), f"{at}.output.LayerNorm")

    @torch.no_grad()
    def run_frozen_layers(self, texts: list[str]) -> None:
        """Compute the output of the frozen layers for texts."""
        read = {text: self.tokenizer.encode(text, MAX_TOKENS) for text in texts if text not in self.frozen_output}
        waiting = sorted(read, key=lambda text: len(read[text]))
        for first in range(0, len(waiting), 128):
            batch = waiting[first : first + 128]
            longest = len(read[batch[-1]])
            numbers = torch.zeros(len(batch), longest, dtype=torch.long)
            mask = torch.zeros(len(batch), longest)
            for row, text in enumerate(batch):
                numbers[row, : len(read[text])] = torch.tensor(read[text])
                mask[row, : len(read[text])] = 1
            state = (
                self.weights["embeddings.word_embeddings.weight"][numbers]
                + self.weights["embeddings.position_embeddings.weight"][:longest]
                + self.weights["embeddings.token_type_embeddings.weight"][0]
            )
            state = self._layer_norm(state, "embeddings.LayerNorm")
            for layer in range(self.adapted.start):
                state = self._layer(state, ((1 - mask) * -1e9)[:, None, None, :], layer)
            for row, text in enumerate(batch):
                self.frozen_output[text] = state[row, : len(read[text])].clone()

    def means(self, texts: list[str], groups: int) -> torch.Tensor:
        """Return the mean of the token states of each text. Batches texts of similar length, in `groups` batches."""
        order = sorted(range(len(texts)), key=lambda at: len(self.frozen_output[texts[at]]))
        each = -(-len(order) // groups)
        means = []
        for first in range(0, len(order), each):
            batch = [self.frozen_output[texts[at]] for at in order[first : first + each]]
            state = torch.nn.utils.rnn.pad_sequence(batch, batch_first=True)
            mask = torch.nn.utils.rnn.pad_sequence([torch.ones(len(one)) for one in batch], batch_first=True)
            for layer in self.adapted:
                state = self._layer(state, ((1 - mask) * -1e9)[:, None, None, :], layer)
            means.append((state * mask[:, :, None]).sum(1) / mask.sum(1, keepdim=True))
        back = torch.empty(len(order), dtype=torch.long)
        back[torch.tensor(order)] = torch.arange(len(order))
        return torch.cat(means)[back]

    def load(self, path: Path) -> dict[str, torch.Tensor]:
        """Continue with the low-rank matrices of an adapter of any rank, and return all its tensors."""
        tensors: dict[str, torch.Tensor] = load_file(path)
        for layer in self.adapted:
            for linear in LINEAR:
                name, key = f"encoder.layer.{layer}.{linear}", f"{layer}.{linear}".replace(".", "-")
                self.up[key] = torch.nn.Parameter(tensors[f"{name}.up"].float() / 2)
                self.down[key] = torch.nn.Parameter(tensors[f"{name}.down"].float())
        return tensors

    def save(self, path: Path, more: dict[str, torch.Tensor] | None = None) -> None:
        """Write the low-rank matrices, and other tensors of the adapter."""
        matrices = {name: tensor.detach().half().contiguous() for name, tensor in (more or {}).items()}
        for layer in self.adapted:
            for linear in LINEAR:
                name = f"encoder.layer.{layer}.{linear}"
                up, down = (part.detach() for part in self.low_rank_matrices(layer, linear))
                matrices |= {f"{name}.up": up.half().contiguous(), f"{name}.down": down.half().contiguous()}
        save_file(matrices, path)
