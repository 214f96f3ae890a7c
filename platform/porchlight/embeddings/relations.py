"""Compute the relations of phrases: their vectors, and the probability that one serves the other (docs/search.md)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from porchlight.embeddings.named_things import named_things
from porchlight.embeddings.probability import (
    MIN_PROBABILITY,
    MIN_SEARCH_PROBABILITY,
    SAME_WORDS,
    is_similar,
    match_probability,
)
from porchlight.embeddings.skill_examples import examples_of
from porchlight.ports import Embedder

WORDS_METHOD = "words-1"
# An offer's vector is the mean of its words alone and of this sentence, which is closer to the words of wants.
OFFER_SENTENCE = "I can teach you {}"
EXAMPLES_WEIGHT = 2.0  # of the mean of the examples of a skill of the catalog, against each of the two


class SimilarPhrase(NamedTuple):
    """A similar phrase. `cosine`: of the vectors; `spelling`: the share of common trigrams."""

    other_id: int
    cosine: float | None
    spelling: float
    words: str


def method(embedder: Embedder | None) -> str:
    """Return the name of the method that relates phrases, for `related_by` and the API's `algorithm`."""
    return WORDS_METHOD if embedder is None else f"{embedder.name}+offered+floor+names-3+examples-1+{WORDS_METHOD}"


def unknown_words_method(embedder: Embedder) -> str:
    """Return the name of the method for queries without a word that the model knows."""
    return f"{WORDS_METHOD} unknown to {embedder.name}"


@dataclass(slots=True)
class PendingPhrase:
    """A phrase to relate. `want_vector` and `offer_vector` are SQL literals of its vector as a want and as an offer.

    `unsure`: a query without a whole word that the model knows.
    """

    id: int
    words: str
    in_use: bool
    want_vector: str | None = None
    offer_vector: str | None = None
    unsure: bool = False

    @property
    def text(self) -> str:
        """The text that the model reads."""
        return named_things().expand(self.words)

    def drop_vector_unless_similar(self, neighbors: Sequence[SimilarPhrase]) -> bool:
        """Drop the vector of an unsure phrase without a similar neighbor. Return whether it was dropped.

        Such a phrase is related by its spelling only, and its method is `unknown_words_method`.
        """
        if not self.unsure or any(is_similar(cosine, spelling) for _id, cosine, spelling, _words in neighbors):
            return False
        self.want_vector = None
        return True

    def related(self, neighbors: Sequence[SimilarPhrase]) -> dict[int, float]:
        """Return the probabilities of the neighbors that are related to the phrase, and of itself, by id."""
        probabilities = {
            other: match_probability(cosine, spelling)
            for other, cosine, spelling, words in neighbors
            if not (self.unsure and self.want_vector and not is_similar(cosine, spelling))
            and not named_things().are_different(self.words, words)
        }
        probabilities[self.id] = SAME_WORDS
        minimum = MIN_PROBABILITY if self.in_use else MIN_SEARCH_PROBABILITY
        return {other: probability for other, probability in probabilities.items() if probability >= minimum}

    def related_by(self, embedder: Embedder | None) -> str:
        """Return the name of the method that related the phrase."""
        return method(embedder) if embedder is None or self.want_vector is not None else unknown_words_method(embedder)


def _unit(numbers: list[float]) -> list[float]:
    length = math.hypot(*numbers)
    return [x / length for x in numbers]


def _vector_literal(numbers: list[float]) -> str:
    return "[" + ",".join(f"{x:.6f}" for x in numbers) + "]"


def _is_named(phrase: PendingPhrase) -> bool:
    """Whether a phrase names a thing, such as "C#", which the vocabulary need not have."""
    return bool(named_things().names(phrase.text))


def embed(phrases: Sequence[PendingPhrase], embedder: Embedder) -> None:
    """Set the vectors of the phrases. Raises EmbeddingOutage."""
    # The vector of a query without a known word is arbitrary. Such a query is related by its spelling only.
    known = [phrase for phrase in phrases if phrase.in_use or _is_named(phrase) or embedder.knows(phrase.text)]
    vectors = embedder.vectors([phrase.text for phrase in known])
    for phrase, vector in zip(known, vectors, strict=True):
        phrase.want_vector = _vector_literal(vector)
        phrase.unsure = not (phrase.in_use or _is_named(phrase) or embedder.knows_whole_word(phrase.text))
    in_use = [(phrase, vector) for phrase, vector in zip(known, vectors, strict=True) if phrase.in_use]
    sentences = embedder.vectors([OFFER_SENTENCE.format(phrase.text) for phrase, _vector in in_use])
    for (phrase, vector), sentence in zip(in_use, sentences, strict=True):
        total = [x + y for x, y in zip(vector, sentence, strict=True)]
        if examples := examples_of(phrase.words):
            mean = _unit(list(map(math.fsum, zip(*embedder.vectors(list(examples)), strict=True))))
            total = [x + EXAMPLES_WEIGHT * y for x, y in zip(total, mean, strict=True)]
        phrase.offer_vector = _vector_literal(_unit(total))
