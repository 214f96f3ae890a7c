"""From likeness to probability: how likely somebody who asks for one phrase is served by an offer of another.

The numbers come of the tuning half of tests/matches/data/wants.txt (logistic regression over 280 wants and 70 offers,
read as `relating` reads them); the intercept is then taken 0.25 lower, so that of pairs at 0.8 and more well over 85
in 100 fit. tests/bench prints how they hold on the set that was kept back.
"""

from __future__ import annotations

import math

SAME = 0.97  # the very words; even then somebody may mean something else
LEAST = 0.05  # below it two skills have nothing to do with each other
LEAST_ASKED = 0.003  # a search shows what is nearest, if there is anything near at all
# The cosine from which likeness says something to words that the model knows only by scraps. Of made-up words that can
# be pronounced 98 in 100 stay below it beside 150 offers.
FAINT = 0.42
_INTERCEPT, _SLOPE = -9.14, 20.35  # of the cosine of two sentence vectors
_ALIKE, _NEARLY = 0.55, 0.2  # shared trigrams from which spelling alone speaks, with and without a model


def by_meaning(cosine: float) -> float:
    """The fit by two vectors' cosine."""
    return min(SAME - 0.02, 1.0 / (1.0 + math.exp(-(_INTERCEPT + _SLOPE * cosine))))


def by_words(similarity: float, *, alone: bool) -> float:
    """The fit by two texts' shared trigrams (0 to 1). `alone`: no model says anything, so that words must do."""
    if similarity >= 1.0:
        return SAME
    least = _NEARLY if alone else _ALIKE
    return max(0.0, 0.9 * (similarity - least) / (1.0 - least))


def heard(cosine: float | None, similarity: float) -> bool:
    """Whether a phrase says anything to a question whose words the model knows only by scraps."""
    return similarity > _ALIKE or (cosine is not None and cosine >= FAINT)


def together(cosine: float | None, similarity: float) -> float:
    """Both joined: a slip of the finger is forgiven by words, another word for it by meaning."""
    if cosine is None:
        return by_words(similarity, alone=True)
    return max(by_meaning(cosine), by_words(similarity, alone=False))
