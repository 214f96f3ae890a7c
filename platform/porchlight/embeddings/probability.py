"""Turn similarity into the probability that an offer with a similar phrase serves a want.

The coefficients come from a logistic regression over the tuning half of tests/porchlight/matches/data/wants.txt (280
wants, 70 offers, embedded as in `relations_job`). The intercept is lowered by 0.25, so that well over 85 of 100 pairs
with a probability of at least 0.8 are true matches. tests/bench prints the figures of the held-out set.
"""

from __future__ import annotations

import math

SAME_WORDS = 0.97  # for identical words, which may still mean something else
SPELLING_WEIGHT = 0.9  # the most for words that are spelled almost the same
MIN_PROBABILITY = 0.05  # of relations between offers and wants
MIN_SEARCH_PROBABILITY = 0.003  # of relations of a search: it shows the nearest results
# The minimum cosine for a query without a word that the model knows. 98 of 100 pronounceable made-up words are below it
# for each of 150 offers.
MIN_UNKNOWN_COSINE = 0.42
_INTERCEPT, _SLOPE = -9.14, 20.35  # of the cosine of two sentence vectors
# The shared trigrams (0 to 1) from which the spelling counts, with a model and without one.
_MIN_SIMILARITY, _MIN_SIMILARITY_WITHOUT_MODEL = 0.55, 0.2


def probability_by_meaning(cosine: float) -> float:
    """Return the probability for the cosine of two vectors."""
    return min(SAME_WORDS - 0.02, 1.0 / (1.0 + math.exp(-(_INTERCEPT + _SLOPE * cosine))))


def probability_by_words(similarity: float, *, has_model: bool) -> float:
    """Return the probability for the shared trigrams of two texts (0 to 1). Without a model, fewer trigrams count."""
    if similarity >= 1.0:
        return SAME_WORDS
    minimum = _MIN_SIMILARITY if has_model else _MIN_SIMILARITY_WITHOUT_MODEL
    return max(0.0, SPELLING_WEIGHT * (similarity - minimum) / (1.0 - minimum))


def is_similar(cosine: float | None, similarity: float) -> bool:
    """Return whether a phrase is similar enough to a query without a word that the model knows."""
    return similarity > _MIN_SIMILARITY or (cosine is not None and cosine >= MIN_UNKNOWN_COSINE)


def match_probability(cosine: float | None, similarity: float) -> float:
    """Return the higher probability of both methods: words tolerate typos, meaning finds synonyms."""
    if cosine is None:
        return probability_by_words(similarity, has_model=False)
    return max(probability_by_meaning(cosine), probability_by_words(similarity, has_model=True))
