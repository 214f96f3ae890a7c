"""What the ranking is worth, on the set written for it; the half that was held out is what counts."""

from __future__ import annotations

from porchlight.meaning.fit import by_meaning, together
from tests.matches.people import kept_back, model, offered, offers, quality, wants


def _cosines() -> list[list[float]]:
    offered = model().vectors(offers())
    asked = model().vectors([want.words for want in wants()])
    return [[sum(a * b for a, b in zip(ask, offer, strict=True)) for offer in offered] for ask in asked]


def test_the_set_is_large_and_hard() -> None:
    assert len(offers()) >= 60
    assert len(wants()) >= 400
    assert 0.4 < sum(want.tunes for want in wants()) / len(wants()) < 0.6
    assert len(offered(kept_back())) >= 60
    assert len(kept_back()) >= 200
    assert not set(offers()) & set(offered(kept_back()))
    assert {"Bass guitar", "Bass fishing", "German lessons", "German shepherd training"} <= set(offers())
    assert len({want.words for want in wants()}) == len(wants())


def test_paraphrases_find_their_offers() -> None:
    ranks: list[int | None] = []
    scored = right = 0
    for want, cosines in zip(wants(), _cosines(), strict=True):
        meant = offers().index(want.offer)
        if not want.tunes:
            ranks.append(1 + sum(cosine > cosines[meant] for cosine in cosines))
            high = [at for at, cosine in enumerate(cosines) if by_meaning(cosine) >= 0.8]
            scored += len(high)
            right += meant in high
    found = quality(ranks)
    assert found.recall >= 0.95
    assert found.mrr >= 0.85
    assert right / scored >= 0.85, "of pairs at 80 and more, 85 in 100 fit"


def test_the_fit_rises_with_likeness() -> None:
    cosines = [at / 100 for at in range(-20, 101)]
    fits = [by_meaning(cosine) for cosine in cosines]
    assert fits == sorted(fits)
    assert all(0 < fit < 1 for fit in fits)
    assert together(None, 1.0) == together(0.3, 1.0) > together(0.99, 0.1)
