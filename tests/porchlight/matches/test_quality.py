"""The quality of the ranking on the paraphrase set; only the half that does not tune counts."""

from __future__ import annotations

import numpy as np

from porchlight.embeddings.probability import match_probability, probability_by_meaning
from tests.porchlight.matches.factories import embedding_model, held_out_wants, offers, offers_of, quality, wants


def _cosines() -> list[list[float]]:
    offer_vectors = np.array(embedding_model().vectors(offers()))
    want_vectors = np.array(embedding_model().vectors([want.words for want in wants()]))
    cosines: list[list[float]] = (want_vectors @ offer_vectors.T).tolist()
    return cosines


def test_paraphrase_sets_are_large_and_disjoint() -> None:
    assert len(offers()) >= 60
    assert len(wants()) >= 400
    assert 0.4 < sum(want.tunes for want in wants()) / len(wants()) < 0.6
    assert len(offers_of(held_out_wants())) >= 60
    assert len(held_out_wants()) >= 200
    assert not set(offers()) & set(offers_of(held_out_wants()))
    assert {"Bass guitar", "Bass fishing", "German lessons", "German shepherd training"} <= set(offers())
    assert len({want.words for want in wants()}) == len(wants())


def test_paraphrases_find_offers_with_high_recall() -> None:
    ranks: list[int | None] = []
    scored = right = 0
    for want, cosines in zip(wants(), _cosines(), strict=True):
        meant = offers().index(want.offer)
        if not want.tunes:
            ranks.append(1 + sum(cosine > cosines[meant] for cosine in cosines))
            high = [number for number, cosine in enumerate(cosines) if probability_by_meaning(cosine) >= 0.8]
            scored += len(high)
            right += meant in high
    result = quality(ranks)
    assert result.recall >= 0.95
    assert result.mrr >= 0.85
    assert right / scored >= 0.85, "85 of 100 pairs with a score of at least 80 are true matches"


def test_probability_rises_with_similarity() -> None:
    cosines = [number / 100 for number in range(-20, 101)]
    probabilities = [probability_by_meaning(cosine) for cosine in cosines]
    assert probabilities == sorted(probabilities)
    assert all(0 < probability < 1 for probability in probabilities)
    assert match_probability(None, 1.0) == match_probability(0.3, 1.0) > match_probability(0.99, 0.1)
