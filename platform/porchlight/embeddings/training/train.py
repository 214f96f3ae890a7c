"""Fine-tune the sentence model on pairs.txt. README.md describes how and when.

Contrastive training of low-rank matrices (LoRA, Hu et al. 2021) for the last three of six layers: in a batch, each want
belongs to one offer. The first three layers do not change, so their output is computed once. The product and its tests
do not run this program: torch is in no lock file.
"""

from __future__ import annotations

import argparse
import random
import time
from pathlib import Path

import torch
from torch.nn import functional

from porchlight.embeddings.relations import OFFER_SENTENCE
from porchlight.embeddings.training.lora import TrainableEncoder, set_learning_rate

HERE = Path(__file__).parent
SETS = HERE.parents[3] / "tests" / "porchlight" / "matches" / "data"
FIRST_ADAPTED_LAYER = 3
MAX_WANTS_PER_OFFER = 7  # an offer with more wants is split
MAX_COSINE_TO_TEST_SETS = 0.85  # training wants more similar to a want of the test sets are left out
SIMILAR_OFFERS_COSINE = 0.76  # offers this similar are not negatives of each other's wants

Pairs = list[tuple[str, list[str]]]


def pairs_of(path: Path) -> Pairs:
    """Return the offers of a file, each with its wants."""
    lines = path.read_text(encoding="utf-8").splitlines()
    rows = (line.partition(" | ") for line in lines if line and not line.startswith("#"))
    return [(offer, [words.strip() for words in wants_of_offer.split(";")]) for offer, _, wants_of_offer in rows]


def wants_that_measure() -> list[str]:
    """Return the wants of all sets that measure the model."""
    by_offer = [pair for name in ("wants.txt", "held_out.txt") for pair in pairs_of(SETS / name)]
    # Each line of these is a want and then its offers.
    by_want = [pair for name in ("colloquial_wants.txt", "hard_negatives.txt") for pair in pairs_of(SETS / name)]
    return [words for _, wants in by_offer for words in wants] + [words for words, _ in by_want]


class TrainableModel(TrainableEncoder):
    """The embedding model in training."""

    def vectors(self, texts: list[str], groups: int) -> torch.Tensor:
        """Return a vector of length one for each text. Batches texts of similar length, in `groups` batches."""
        return functional.normalize(self.means(texts, groups), dim=-1)

    def offers(self, offers: list[str], groups: int) -> torch.Tensor:
        """Return the vectors of offers as the product computes them: from the words and from OFFER_SENTENCE."""
        both = self.vectors(offers + [OFFER_SENTENCE.format(offer) for offer in offers], groups)
        return functional.normalize(both[: len(offers)] + both[len(offers) :], dim=-1)

    @torch.no_grad()
    def metrics(self, name: str) -> str:
        """Return the metrics of a set as text."""
        self.eval()
        pairs = pairs_of(SETS / name)
        offers = self.offers([offer for offer, _ in pairs], 4)
        asked = self.vectors([words for _, wants_of_offer in pairs for words in wants_of_offer], 8)
        meant = torch.tensor([at for at, (_, wants_of_offer) in enumerate(pairs) for _ in wants_of_offer])
        like = asked @ offers.T
        ranks = 1 + (like > like.gather(1, meant[:, None])).sum(1)
        return f"{name}: recall@10 {(ranks <= 10).float().mean():.3f}, MRR {(1 / ranks).mean():.3f}"


def batches(similarities: torch.Tensor, size: int, rng: random.Random) -> list[list[int]]:
    """Return batches with all offers once. Similar offers are often in one batch, as hard negatives."""
    near = similarities.topk(12).indices.tolist()
    order: list[int] = []
    used: set[int] = set()
    for at in rng.sample(range(len(near)), len(near)):
        if at not in used:
            group = [at, *(other for other in near[at] if other != at and other not in used and rng.random() < 0.5)]
            used.update(group)
            order += group
    return [order[first : first + size] for first in range(0, len(order) - size + 1, size)]


def main() -> None:
    """Train, print the progress, and write the low-rank matrices."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--steps", type=int, default=2000)
    parser.add_argument("--rank", type=int, default=32)
    parser.add_argument("--batch", type=int, default=128)
    parser.add_argument("--rate", type=float, default=1.5e-3)
    parser.add_argument("--heat", type=float, default=0.05)
    parser.add_argument("--threads", type=int, default=2)
    args = parser.parse_args()
    torch.manual_seed(0)
    torch.set_num_threads(args.threads)
    rng = random.Random(0)
    model = TrainableModel(args.rank, FIRST_ADAPTED_LAYER).eval()
    pairs = pairs_of(HERE / "pairs.txt")
    measuring = wants_that_measure()
    texts = [
        text
        for offer, wants_of_offer in [*pairs, *pairs_of(SETS / "wants.txt")]
        for text in (offer, OFFER_SENTENCE.format(offer), *wants_of_offer)
    ]
    model.run_frozen_layers(texts + measuring)
    with torch.no_grad():
        test_vectors = model.vectors(measuring, 8)
        wants = [words for _, wants_of_offer in pairs for words in wants_of_offer]
        nearest = dict(zip(wants, (model.vectors(wants, 128) @ test_vectors.T).amax(1).tolist(), strict=True))
        pairs = [
            (offer, [words for words in wants_of_offer if nearest[words] < MAX_COSINE_TO_TEST_SETS])
            for offer, wants_of_offer in pairs
        ]
        pairs = [
            (offer, wants_of_offer[first : first + MAX_WANTS_PER_OFFER])
            for offer, wants_of_offer in pairs
            for first in range(0, len(wants_of_offer), MAX_WANTS_PER_OFFER)
        ]
        first = model.offers([offer for offer, _ in pairs], 64)
    similarities = first @ first.T
    similar = (similarities > SIMILAR_OFFERS_COSINE) & ~torch.eye(len(pairs), dtype=torch.bool)
    print(
        f"{len(pairs)} offers, {sum(len(texts) for _, texts in pairs)} wants. Before: {model.metrics('wants.txt')}",
        flush=True,
    )
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.rate, weight_decay=0.01)
    started = time.monotonic()
    step = 0
    while step < args.steps:
        for batch in batches(similarities, args.batch, rng)[: args.steps - step]:
            model.train()
            set_learning_rate(optimizer, args.rate, step, args.steps)
            offers = [pairs[at][0] for at in batch]
            wants = [rng.choice(pairs[at][1]) for at in batch]
            batch_size = len(batch)
            with torch.autocast("cpu", torch.bfloat16):
                vectors = model.vectors(wants + offers + [OFFER_SENTENCE.format(offer) for offer in offers], 4).float()
            offer_vectors = functional.normalize(
                vectors[batch_size : 2 * batch_size] + vectors[2 * batch_size :], dim=-1
            )
            scores = (vectors[:batch_size] @ offer_vectors.T / args.heat).masked_fill(similar[batch][:, batch], -1e4)
            targets = torch.arange(batch_size)
            loss = (functional.cross_entropy(scores, targets) + functional.cross_entropy(scores.T, targets)) / 2
            optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            step += 1
            if step % 50 == 0:
                print(f"{step} of {args.steps}, loss {loss.item():.3f}, {time.monotonic() - started:.0f} s", flush=True)
    print(model.metrics("wants.txt"), flush=True)
    model.save(args.out)


if __name__ == "__main__":
    main()
