"""Proposes skills of the catalog from a guru's bio by meaning: "I throw pots" is pottery.

Each clause of the bio is compared with each skill as a neighbor would offer it. A clause counts together with its
sentence, because short ones mislead: "jam" alone is music, "foil" a sport. The bounds were chosen on the bios of
tests/porchlight/embeddings/data/bios.toml, where five of six proposals are right.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from porchlight.embeddings.encoder import Floats
from porchlight.embeddings.named_things import named_things
from porchlight.embeddings.relations import OFFER_SENTENCE
from porchlight.ports import Embedder

MAX_PROPOSALS = 6
MAX_CLAUSES = 60  # of a bio, some 10 ms each
MIN_SIMILARITY = 0.45
_WORD_SHARE, _CLAUSE_SHARE = 0.5, 0.7  # of a clause of one word and of more; the rest is its sentence's
_BATCH = 16  # texts, so that searches take turns with a long bio
_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n+")
_CLAUSE = re.compile(r"[.!?;:–—()\n,]+|\b(?:and|or|but)\b")
_NAMED_GROUPS = ("languages", "instruments")  # whose names are skills by themselves


def clauses(bio: str) -> list[tuple[str, str]]:
    """Return the clauses of a bio, each with its sentence. A sentence is a clause of its own."""
    pairs: dict[tuple[str, str], None] = {}
    for sentence in filter(None, map(str.strip, _SENTENCE.split(bio))):
        for clause in (sentence, *filter(None, map(str.strip, _CLAUSE.split(sentence)))):
            pairs[clause, sentence] = None
    return list(pairs)[:MAX_CLAUSES]


class SkillFinder:
    """Finds the skills that a bio is about. Blocking; the vectors of the skills are computed on first use."""

    def __init__(self, embedder: Embedder, skills: Sequence[str]) -> None:
        self._embedder = embedder
        self._skills = list(skills)
        self._vectors: Floats | None = None

    def find(self, bio: str) -> list[str]:
        """Return the skills, the surest first, at most `MAX_PROPOSALS`. Raises EmbeddingOutage."""
        named = self._named(bio)
        best = dict.fromkeys(named, 1.0)
        pairs = clauses(bio)
        if pairs:
            texts = list(dict.fromkeys(text for pair in pairs for text in pair))
            cosines = dict(zip(texts, self._encode(texts) @ self._skill_vectors().T, strict=True))
            for clause, sentence in pairs:
                share = _CLAUSE_SHARE if " " in clause else _WORD_SHARE
                for skill, score in zip(
                    self._skills, share * cosines[clause] + (1 - share) * cosines[sentence], strict=True
                ):
                    if (
                        score >= MIN_SIMILARITY
                        and score > best.get(skill, 0.0)
                        and not named_things().are_different(clause, skill)
                    ):
                        best[skill] = float(score)
        return sorted(best, key=lambda skill: -best[skill])[:MAX_PROPOSALS]

    def _named(self, bio: str) -> list[str]:
        """Return the languages and instruments of a bio, as the catalog calls them where it has them."""
        found = named_things().names(named_things().expand(bio))
        of_catalog = {
            (group, name): skill
            for skill in self._skills
            for group, names in named_things().names(skill).items()
            for name in names
        }
        return [of_catalog.get((group, name), name) for group in _NAMED_GROUPS for name in sorted(found.get(group, ()))]

    def _skill_vectors(self) -> Floats:
        if self._vectors is None:
            vectors = self._encode(self._skills) + self._encode([OFFER_SENTENCE.format(name) for name in self._skills])
            self._vectors = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
        return self._vectors

    def _encode(self, texts: Sequence[str]) -> Floats:
        expanded = [named_things().expand(text) for text in texts]
        rows = [
            row
            for start in range(0, len(expanded), _BATCH)
            for row in self._embedder.vectors(expanded[start : start + _BATCH])
        ]
        return np.asarray(rows, dtype=np.float32)
