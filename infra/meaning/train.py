"""Teach the sentence model what neighbors mean, from pairs.txt: README.md beside this file says how and when.

Low-rank changes (LoRA, Hu et al. 2021) to the last three of its six layers, by contrast: of a batch of wants and offers
each want belongs to one. The first three layers stay as they are, so they are gone through once. No part of the
product, and not run by its tests: torch is in none of the locks.
"""

from __future__ import annotations

import argparse
import math
import random
import time
from pathlib import Path

import torch
from safetensors.torch import load_file, save_file
from torch.nn import functional

from porchlight.meaning.minilm import HEADS, LAYERS, MOST_PIECES, model_folder
from porchlight.meaning.relating import OFFERED
from porchlight.meaning.wordpiece import WordPieces

HERE = Path(__file__).parent
SETS = HERE.parents[1] / "tests" / "matches" / "data"
ADAPTED = range(3, LAYERS)
LINEAR = (
    *(f"attention.self.{part}" for part in ("query", "key", "value")),
    *("attention.output.dense", "intermediate.dense", "output.dense"),
)
WIDE = 384
AT_ONCE = 7  # an offer with more wants than this counts as several
TOO_NEAR = 0.85  # a want that is this like one of the sets that measure is left out
ALIKE = 0.76  # offers that may serve one another's wants: neither counts against the other

Pairs = list[tuple[str, list[str]]]


def pairs_of(path: Path) -> Pairs:
    """What is offered, with what people say who want just that."""
    lines = path.read_text(encoding="utf-8").splitlines()
    told = (line.partition(" | ") for line in lines if line and not line.startswith("#"))
    return [(offer, [words.strip() for words in said.split(";")]) for offer, _, said in told]


class Reader(torch.nn.Module):
    """The model, of which the changes alone are learned."""

    def __init__(self, folder: Path, rank: int) -> None:
        super().__init__()
        self.known = load_file(folder / "model.safetensors")
        self.pieces = WordPieces(folder / "vocab.txt")
        self.halfway: dict[str, torch.Tensor] = {}  # each text as the first three layers leave it
        self.down = torch.nn.ParameterDict()
        self.up = torch.nn.ParameterDict()
        for layer in ADAPTED:
            for name in LINEAR:
                out, into = self.known[f"encoder.layer.{layer}.{name}.weight"].shape
                key = f"{layer}.{name}".replace(".", "-")
                self.down[key] = torch.nn.Parameter(torch.randn(rank, into) / math.sqrt(into))
                self.up[key] = torch.nn.Parameter(torch.zeros(out, rank))

    def change(self, layer: int, name: str) -> tuple[torch.Tensor, torch.Tensor]:
        """The two narrow matrices whose product is added to a weight."""
        key = f"{layer}.{name}".replace(".", "-")
        return 2 * self.up[key], self.down[key]

    def _normal(self, state: torch.Tensor, name: str) -> torch.Tensor:
        return functional.layer_norm(state, (WIDE,), self.known[f"{name}.weight"], self.known[f"{name}.bias"], 1e-12)

    def _layer(self, state: torch.Tensor, absent: torch.Tensor, layer: int) -> torch.Tensor:
        many, long, _ = state.shape
        at = f"encoder.layer.{layer}"

        def linear(given: torch.Tensor, name: str) -> torch.Tensor:
            weight = self.known[f"{at}.{name}.weight"]
            if layer in ADAPTED:
                up, down = self.change(layer, name)
                weight = weight + up @ down
            return functional.linear(given, weight, self.known[f"{at}.{name}.bias"])

        def left_out(given: torch.Tensor) -> torch.Tensor:
            return functional.dropout(given, 0.1, self.training)

        query, key, value = (
            linear(state, name).view(many, long, HEADS, WIDE // HEADS).transpose(1, 2) for name in LINEAR[:3]
        )
        seen = functional.scaled_dot_product_attention(query, key, value, attn_mask=absent)
        seen = seen.transpose(1, 2).reshape(many, long, WIDE)
        state = self._normal(state + left_out(linear(seen, LINEAR[3])), f"{at}.attention.output.LayerNorm")
        inner = functional.gelu(linear(state, LINEAR[4]))
        return self._normal(state + left_out(linear(inner, LINEAR[5])), f"{at}.output.LayerNorm")

    @torch.no_grad()
    def go_halfway(self, texts: list[str]) -> None:
        """Read texts as far as nothing is learned."""
        read = {text: self.pieces.numbers(text, MOST_PIECES) for text in texts if text not in self.halfway}
        waiting = sorted(read, key=lambda text: len(read[text]))
        for first in range(0, len(waiting), 128):
            batch = waiting[first : first + 128]
            longest = len(read[batch[-1]])
            numbers = torch.zeros(len(batch), longest, dtype=torch.long)
            here = torch.zeros(len(batch), longest)
            for row, text in enumerate(batch):
                numbers[row, : len(read[text])] = torch.tensor(read[text])
                here[row, : len(read[text])] = 1
            state = (
                self.known["embeddings.word_embeddings.weight"][numbers]
                + self.known["embeddings.position_embeddings.weight"][:longest]
                + self.known["embeddings.token_type_embeddings.weight"][0]
            )
            state = self._normal(state, "embeddings.LayerNorm")
            for layer in range(ADAPTED.start):
                state = self._layer(state, ((1 - here) * -1e9)[:, None, None, :], layer)
            for row, text in enumerate(batch):
                self.halfway[text] = state[row, : len(read[text])].clone()

    def vectors(self, texts: list[str], groups: int) -> torch.Tensor:
        """A vector of length one for each text; texts of like length are read together, in `groups`."""
        order = sorted(range(len(texts)), key=lambda at: len(self.halfway[texts[at]]))
        each = -(-len(order) // groups)
        made = []
        for first in range(0, len(order), each):
            batch = [self.halfway[texts[at]] for at in order[first : first + each]]
            state = torch.nn.utils.rnn.pad_sequence(batch, batch_first=True)
            here = torch.nn.utils.rnn.pad_sequence([torch.ones(len(one)) for one in batch], batch_first=True)
            for layer in ADAPTED:
                state = self._layer(state, ((1 - here) * -1e9)[:, None, None, :], layer)
            made.append((state * here[:, :, None]).sum(1) / here.sum(1, keepdim=True))
        back = torch.empty(len(order), dtype=torch.long)
        back[torch.tensor(order)] = torch.arange(len(order))
        return functional.normalize(torch.cat(made)[back], dim=-1)

    def offers(self, offers: list[str], groups: int) -> torch.Tensor:
        """Offers as the product reads them: their words, and what their neighbor would say."""
        both = self.vectors(offers + [OFFERED.format(offer) for offer in offers], groups)
        return functional.normalize(both[: len(offers)] + both[len(offers) :], dim=-1)

    @torch.no_grad()
    def told(self, name: str) -> str:
        """How a set fares as a whole."""
        self.eval()
        pairs = pairs_of(SETS / name)
        offers = self.offers([offer for offer, _ in pairs], 4)
        asked = self.vectors([words for _, said in pairs for words in said], 8)
        meant = torch.tensor([at for at, (_, said) in enumerate(pairs) for _ in said])
        like = asked @ offers.T
        ranks = 1 + (like > like.gather(1, meant[:, None])).sum(1)
        return f"{name}: recall@10 {(ranks <= 10).float().mean():.3f}, MRR {(1 / ranks).mean():.3f}"


def batches(likes: torch.Tensor, size: int, dice: random.Random) -> list[list[int]]:
    """All offers once, those that look alike often side by side: the hard ones to tell apart."""
    near = likes.topk(12).indices.tolist()
    order: list[int] = []
    used: set[int] = set()
    for at in dice.sample(range(len(near)), len(near)):
        if at not in used:
            group = [at, *(other for other in near[at] if other != at and other not in used and dice.random() < 0.5)]
            used.update(group)
            order += group
    return [order[first : first + size] for first in range(0, len(order) - size + 1, size)]


def main() -> None:
    """Learn, tell how it goes, and write the changes."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("out", type=Path)
    asked.add_argument("--steps", type=int, default=2000)
    asked.add_argument("--rank", type=int, default=32)
    asked.add_argument("--batch", type=int, default=128)
    asked.add_argument("--rate", type=float, default=1.5e-3)
    asked.add_argument("--heat", type=float, default=0.05)
    asked.add_argument("--threads", type=int, default=2)
    given = asked.parse_args()
    torch.manual_seed(0)
    torch.set_num_threads(given.threads)
    dice = random.Random(0)
    folder = model_folder()
    if folder is None:
        raise SystemExit("The model's package is missing: make setup")
    net = Reader(folder, given.rank).eval()
    pairs = pairs_of(HERE / "pairs.txt")
    measuring = [pair for name in ("wants.txt", "kept_back.txt") for pair in pairs_of(SETS / name)]
    net.go_halfway([text for offer, said in [*pairs, *measuring] for text in (offer, OFFERED.format(offer), *said)])
    with torch.no_grad():
        seen = net.vectors([words for _, said in measuring for words in said], 8)
        wants = [words for _, said in pairs for words in said]
        nearest = dict(zip(wants, (net.vectors(wants, 128) @ seen.T).amax(1).tolist(), strict=True))
        pairs = [(offer, [words for words in said if nearest[words] < TOO_NEAR]) for offer, said in pairs]
        pairs = [
            (offer, said[first : first + AT_ONCE]) for offer, said in pairs for first in range(0, len(said), AT_ONCE)
        ]
        first = net.offers([offer for offer, _ in pairs], 64)
    likes = first @ first.T
    alike = (likes > ALIKE) & ~torch.eye(len(pairs), dtype=torch.bool)
    print(
        f"{len(pairs)} offers, {sum(len(said) for _, said in pairs)} wants. Before: {net.told('wants.txt')}", flush=True
    )
    rates = torch.optim.AdamW(net.parameters(), lr=given.rate, weight_decay=0.01)
    began = time.monotonic()
    step = 0
    while step < given.steps:
        for batch in batches(likes, given.batch, dice)[: given.steps - step]:
            net.train()
            slow = min(1.0, (step + 1) / (0.08 * given.steps))
            cool = max(0.02, 0.5 * (1 + math.cos(math.pi * step / given.steps)))
            for group in rates.param_groups:
                group["lr"] = given.rate * slow * cool
            offers = [pairs[at][0] for at in batch]
            wants = [dice.choice(pairs[at][1]) for at in batch]
            many = len(batch)
            with torch.autocast("cpu", torch.bfloat16):
                made = net.vectors(wants + offers + [OFFERED.format(offer) for offer in offers], 4).float()
            served = functional.normalize(made[many : 2 * many] + made[2 * many :], dim=-1)
            like = (made[:many] @ served.T / given.heat).masked_fill(alike[batch][:, batch], -1e4)
            right = torch.arange(many)
            loss = (functional.cross_entropy(like, right) + functional.cross_entropy(like.T, right)) / 2
            rates.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            rates.step()
            step += 1
            if step % 50 == 0:
                print(f"{step} of {given.steps}, loss {loss.item():.3f}, {time.monotonic() - began:.0f} s", flush=True)
    print(net.told("wants.txt"), flush=True)
    kept: dict[str, torch.Tensor] = {}
    for layer in ADAPTED:
        for linear in LINEAR:
            name = f"encoder.layer.{layer}.{linear}"
            up, down = (part.detach() for part in net.change(layer, linear))
            kept |= {f"{name}.up": up.half().contiguous(), f"{name}.down": down.half().contiguous()}
    save_file(kept, given.out)


if __name__ == "__main__":
    main()
