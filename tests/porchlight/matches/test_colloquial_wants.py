"""Wants in everyday words find the skills of the catalog, among all of its skills and offers that share a word."""

from __future__ import annotations

import re
from dataclasses import dataclass
from hashlib import sha256

import numpy as np
import pytest

from porchlight.catalog.catalog import all_categories
from porchlight.embeddings.relations import PendingPhrase, embed
from tenants.kit.text import normalize_text
from tests.porchlight.matches.factories import DATA, embedding_model, quality

RECIPROCAL_RANK_FLOOR = 0.85  # 0.79 and 0.74 without the examples of skills


@dataclass(frozen=True, slots=True)
class _Want:
    words: str
    offers: tuple[str, ...]
    lookalike: str

    @property
    def seen(self) -> bool:
        return int(sha256(self.words.encode()).hexdigest(), 16) % 2 == 0


def _wants() -> list[_Want]:
    lines = (DATA / "colloquial_wants.txt").read_text(encoding="utf-8").splitlines()
    rows = [line.split(" | ") for line in lines if not line.startswith("#")]
    return [_Want(words, tuple(offers.split("; ")), lookalike) for words, offers, lookalike in rows]


def _numbers(literal: str | None) -> list[float]:
    assert literal is not None
    return [float(number) for number in re.findall(r"-?[0-9.]+", literal)]


@pytest.mark.parametrize("part", ["seen", "unseen"])
def test_everyday_wants_find_skills_of_catalog(part: str) -> None:
    wants = [want for want in _wants() if want.seen == (part == "seen")]
    skills = [name for category in all_categories() for name, _popular in category.skills]
    # Names that differ only in capitals are one phrase.
    named = [*skills, *(name for want in _wants() for name in (*want.offers, want.lookalike))]
    names = list(dict.fromkeys(map(normalize_text, named)))
    offers = [PendingPhrase(number, name, in_use=True) for number, name in enumerate(names)]
    asked = [PendingPhrase(number, want.words, in_use=False) for number, want in enumerate(wants)]
    embed(offers, embedding_model())
    embed(asked, embedding_model())
    cosines = (
        np.array([_numbers(one.want_vector) for one in asked])
        @ np.array([_numbers(one.offer_vector) for one in offers]).T
    )
    ranks: list[int | None] = []
    mistaken = 0
    for want, row in zip(wants, cosines, strict=True):
        best = max(row[names.index(normalize_text(offer))] for offer in want.offers)
        ranks.append(1 + int((row > best).sum()))
        mistaken += names[int(row.argmax())] == normalize_text(want.lookalike)
    result = quality(ranks)
    print(f"\n{part}: recall@10 {result.recall:.3f}, MRR {result.mrr:.3f}, lookalike first {mistaken} of {len(wants)}")
    assert result.recall >= 0.96
    assert result.mrr >= RECIPROCAL_RANK_FLOOR
    assert mistaken <= 2
