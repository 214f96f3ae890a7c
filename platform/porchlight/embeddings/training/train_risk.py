"""Train the risk classifier on activities.tsv. README.md describes how and when.

Low-rank matrices for all six layers, with a linear head on the mean of the token states. The head learns three yes or
no questions at once: at least medium, at least high, extreme. The product uses the second. A part of the activities is
left out to choose the threshold with.
"""

from __future__ import annotations

import argparse
import random
import time
import zlib
from pathlib import Path

import torch
from torch.nn import functional

from porchlight.contracts import RISK_LEVELS
from porchlight.embeddings.training.lora import WIDTH, TrainableEncoder, set_learning_rate

ACTIVITIES = Path(__file__).with_name("activities.tsv")
CHECK_SHARE = 12  # one in so many activities is left out
QUESTION_WEIGHTS = (0.5, 1.0, 0.3)
HIGH_WEIGHT = 2.0  # a missed high activity costs so much more than an over-rated one
LABEL_SMOOTHING = 0.04
AVERAGE_DECAY = 0.99
JOINED_SHARE = 0.15  # of the batch: two activities in one text, as in the details of a listing
OVER_RATED_SHARES = (0.05, 0.08, 0.1, 0.15)

Rows = list[tuple[int, str]]


def read_activities(path: Path) -> Rows:
    """Return the activities of a file, each with the index of its level."""
    rows = (line.partition("\t") for line in path.read_text(encoding="utf-8").splitlines() if line)
    return [(RISK_LEVELS.index(level), activity) for level, _, activity in rows if level in RISK_LEVELS]


def is_left_out(activity: str) -> bool:
    """Return whether an activity is left out of the training, by its words alone."""
    return zlib.crc32(activity.casefold().encode()) % CHECK_SHARE == 0


class RiskModel(TrainableEncoder):
    """The risk classifier in training."""

    def __init__(self, rank: int) -> None:
        super().__init__(rank, first=0)
        self.head = torch.nn.Linear(WIDTH, len(QUESTION_WEIGHTS))

    @torch.no_grad()
    def start_from(self, path: Path) -> None:
        """Continue with the adapter of a file, whose head answers one question: the others start there, too."""
        tensors = self.load(path)
        self.head.weight.copy_(tensors["head.weight"].float().expand_as(self.head.weight))
        self.head.bias.copy_(tensors["head.bias"].float().expand_as(self.head.bias))

    def logits(self, texts: list[str], groups: int) -> torch.Tensor:
        """Return the answers to the three questions for each text."""
        self.frozen_output.clear()
        self.run_frozen_layers(texts)
        return self.head(functional.dropout(self.means(texts, groups), 0.1, self.training))

    @torch.no_grad()
    def scores(self, texts: list[str]) -> torch.Tensor:
        """Return the score of each text, as the product computes it."""
        self.eval()
        return torch.cat(
            [torch.sigmoid(self.logits(texts[start : start + 256], 4)[:, 1]) for start in range(0, len(texts), 256)]
        )


def report(name: str, rows: Rows, scores: torch.Tensor) -> None:
    """Print how many high activities are missed at several shares of over-rated ones."""
    high = torch.tensor([level >= RISK_LEVELS.index("high") for level, _ in rows])
    found, others = scores[high], scores[~high].sort(descending=True).values
    area = (found[:, None] > others[None]).float().mean().item()
    parts = [f"{name}: {len(found)} high of {len(rows)}, area {area:.4f}"]
    for share in OVER_RATED_SHARES:
        threshold = others[max(0, int(share * len(others)) - 1)].item()
        parts.append(f"over-rated {share:.0%}: missed {(found < threshold).sum().item()} (from {threshold:.3f})")
    print("; ".join(parts), flush=True)


def batch_of(rows: Rows, rng: random.Random) -> tuple[list[str], torch.Tensor]:
    """Return the texts and labels of a batch. A few texts are joined with another one: the higher level counts."""
    texts, labels = [], []
    for level, text in rows:
        if rng.random() < JOINED_SHARE:
            other_level, other = rng.choice(rows)
            texts.append(f"{text}{rng.choice(['. ', ', ', ' and ', '; '])}{other}")
            labels.append(max(level, other_level))
        else:
            texts.append(text)
            labels.append(level)
    answers = torch.tensor([[float(level > question) for question in range(3)] for level in labels])
    return texts, answers * (1 - LABEL_SMOOTHING) + LABEL_SMOOTHING / 2


def main() -> None:
    """Train, print the progress, and write the adapter."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument("--rank", type=int, default=24)
    parser.add_argument("--batch", type=int, default=64)
    parser.add_argument("--rate", type=float, default=7e-4)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--start", type=Path, help="continue with this adapter, and with the last activities")
    parser.add_argument("--last", type=int, default=0, help="of the file: each of them in every epoch")
    parser.add_argument("--others", type=int, default=1500, help="of the other activities, drawn for each epoch")
    args = parser.parse_args()
    torch.manual_seed(args.seed)
    torch.set_num_threads(args.threads)
    rng = random.Random(args.seed)
    rows = read_activities(ACTIVITIES)
    training = [(level, activity) for level, activity in rows if not is_left_out(activity)]
    check = [(level, activity) for level, activity in rows if is_left_out(activity)]
    model = RiskModel(args.rank)
    if args.start:
        model.start_from(args.start)
    recent = set(rows[len(rows) - args.last :])
    others = [row for row in training if row not in recent]
    drawn = [row for row in training if row in recent]
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.rate, weight_decay=0.01)
    # The mean of the last steps' weights generalizes better than the last weights.
    averaged = torch.optim.swa_utils.AveragedModel(
        model, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(AVERAGE_DECAY)
    )
    weight, high_weight = torch.tensor(QUESTION_WEIGHTS), torch.tensor([1.0, HIGH_WEIGHT, 1.0])
    size = len(drawn) + args.others if args.start else len(training)
    steps = args.epochs * (size // args.batch)
    step, started = 0, time.monotonic()
    for epoch in range(args.epochs):
        chosen = drawn + rng.sample(others, args.others) if args.start else training
        order = rng.sample(chosen, len(chosen))
        total = 0.0
        for first in range(0, len(order) - args.batch + 1, args.batch):
            model.train()
            set_learning_rate(optimizer, args.rate, step, steps)
            texts, answers = batch_of(order[first : first + args.batch], rng)
            with torch.autocast("cpu", torch.bfloat16):
                logits = model.logits(texts, 4).float()
            loss = functional.binary_cross_entropy_with_logits(logits, answers, weight=weight, pos_weight=high_weight)
            optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            averaged.update_parameters(model)
            step += 1
            total += loss.item()
        print(f"epoch {epoch + 1}, loss {total * args.batch / len(order):.3f}, {time.monotonic() - started:.0f} s")
        report("left out", check, averaged.module.scores([text for _level, text in check]))
    trained = averaged.module
    trained.save(args.out, {"head.weight": trained.head.weight[1:2], "head.bias": trained.head.bias[1:2]})


if __name__ == "__main__":
    main()
